"""Items of a dataset by hand: add one, change one, take one out."""

from __future__ import annotations

from flask import Blueprint, flash, redirect, request, url_for
from werkzeug.wrappers import Response

from reviewapp import datasets
from reviewapp.errors import InvalidInput, NotFound
from reviewapp.web.context import page, person, workspace
from reviewapp.web.dataset_item_form import ItemForm

pages = Blueprint("dataset_items", __name__, url_prefix="/w/<workspace>/datasets/<dataset>/items")


@pages.get("/new")
def new(dataset: str) -> Response:
    return _form(dataset, ItemForm(), None)


@pages.get("/change")
def change(dataset: str) -> Response:
    """The item that the address names."""
    item = datasets.get_item(workspace(), dataset, request.args.get("name", ""))
    return _form(dataset, ItemForm.from_item(item, datasets.get_dataset(workspace(), dataset)), item.name)


@pages.post("/")
def save(dataset: str) -> Response:
    """Add an item, or with `was` change the one of that name."""
    form = ItemForm.of(request.form)
    was = request.form.get("was") or None
    try:
        kept = datasets.get_dataset(workspace(), dataset)
        before = None if was is None else datasets.get_item(workspace(), dataset, was)
        if before is None and _there(dataset, form.name):
            raise InvalidInput(
                f"There is an item {form.name!r} already; change that one, or take another name.", param="name"
            )
        item = form.item(kept, before)
        datasets.add_items(workspace(), dataset, [item], by=person())
    except InvalidInput as error:
        return _form(dataset, form, was, error)
    flash(f"Saved: {item.name}.", "ok")
    return redirect(url_for("datasets.show", dataset=dataset), 303)


@pages.post("/delete")
def delete(dataset: str) -> Response:
    name = request.form.get("name", "")
    datasets.remove_items(workspace(), dataset, [name], by=person())
    flash(f"Taken out: {name}. Earlier versions of the dataset still have it.", "none")
    return redirect(url_for("datasets.show", dataset=dataset), 303)


def _there(dataset: str, name: str) -> bool:
    try:
        datasets.get_item(workspace(), dataset, name)
    except NotFound:
        return False
    return True


def _form(dataset: str, form: ItemForm, was: str | None, error: InvalidInput | None = None) -> Response:
    return page(
        "dataset_item.html",
        status=422 if error else 200,
        dataset=datasets.get_dataset(workspace(), dataset),
        form=form,
        was=was,
        faults={error.param or "rows": error.message} if error else {},
    )
