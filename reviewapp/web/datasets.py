"""Datasets: the list, one with its items, its files."""

from __future__ import annotations

from itertools import islice
from pathlib import PurePosixPath

from flask import Blueprint, flash, redirect, request, url_for
from werkzeug.utils import secure_filename
from werkzeug.wrappers import Response

from reviewapp import datasets
from reviewapp.errors import InvalidInput
from reviewapp.formats.datasets import Losses
from reviewapp.web.context import page, person, workspace

pages = Blueprint("datasets", __name__, url_prefix="/w/<workspace>/datasets")

SHOWN = 50
SHOWN_ITEMS = 40


@pages.get("/")
def index() -> Response:
    return _list()


def _list(error: InvalidInput | None = None) -> Response:
    found = datasets.list_datasets(workspace(), after=request.args.get("after"), limit=SHOWN + 1)
    more = url_for(".index", after=found[SHOWN - 1].id) if len(found) > SHOWN else None
    return page(
        "datasets.html",
        status=422 if error else 200,
        datasets=found[:SHOWN],
        more=more,
        forms=[form for form in datasets.forms() if form.read is not None],
        form=request.form,
        fault=error.message if error else None,
    )


@pages.get("/<dataset>/")
def show(dataset: str) -> Response:
    """A dataset with its items, in its present version or an earlier one."""
    here = workspace()
    kept = datasets.get_dataset(here, dataset)
    asked = request.args.get("version", type=int)
    version = None if asked == kept.version else asked
    after = request.args.get("after", -1, type=int)
    found = datasets.items(here, dataset, version=version, after=after, limit=SHOWN_ITEMS + 1)
    next_one = found[SHOWN_ITEMS - 1][0] if len(found) > SHOWN_ITEMS else None
    more = None if next_one is None else url_for(".show", dataset=dataset, after=next_one, version=version)
    return page(
        "dataset.html",
        dataset=kept,
        items=[item for _, item in found[:SHOWN_ITEMS]],
        more=more,
        version=version,
        versions=datasets.list_versions(here, dataset)[:SHOWN],
        forms=datasets.forms(),
        others=[d for d in datasets.list_datasets(here, limit=SHOWN) if d.id != dataset],
    )


@pages.get("/<dataset>/as/<form>")
def export(dataset: str, form: str) -> Response:
    """The dataset in the form of another program, streamed."""
    here = workspace()
    found = datasets.find_form(form)
    version = request.args.get("version", type=int)
    pieces = datasets.export_dataset(here, dataset, form, Losses(), version=version)
    name = secure_filename(datasets.get_dataset(here, dataset).name) or dataset
    response = Response(pieces, content_type=found.media_type)
    response.headers.set("Content-Disposition", "attachment", filename=f"{name}{found.suffix}")
    return response


@pages.post("/import")
def bring_in() -> Response:
    """Make a dataset of a file in one of the forms."""
    here, upload = workspace(), request.files.get("file")
    try:
        if upload is None or not upload.filename:
            raise InvalidInput("Choose the file to bring in.", param="file")
        name = request.form.get("name", "").strip() or upload.filename.rpartition(".")[0]
        file = PurePosixPath(upload.filename.replace("\\", "/")).name
        made, imported = datasets.import_items(
            here, name, request.form.get("form", ""), upload.read(), file=file, by=person()
        )
    except InvalidInput as error:
        return _list(error)
    for note in imported.notes:
        flash(note, "none")
    flash(f"Brought in: {made.name}, {made.item_count:,} items.", "ok")
    return redirect(url_for(".show", dataset=made.id), 303)


@pages.get("/<dataset>/diff")
def diff(dataset: str) -> Response:
    """What differs between two versions, or from another dataset."""
    here = workspace()
    kept = datasets.get_dataset(here, dataset)
    other = request.args.get("other") or dataset
    versions = request.args.get("before", type=int), request.args.get("after", type=int)
    changes = datasets.diff(here, (dataset if other == dataset else other, versions[0]), (dataset, versions[1]))
    shown = list(islice(changes, SHOWN_ITEMS + 1))
    return page(
        "dataset_diff.html",
        dataset=kept,
        other=datasets.get_dataset(here, other),
        before=versions[0],
        after=versions[1] or kept.version,
        changes=shown[:SHOWN_ITEMS],
        there_are_more=len(shown) > SHOWN_ITEMS,
    )


@pages.post("/<dataset>/accept")
def accept(dataset: str) -> Response:
    """Set the spellings that count for one value, one a line."""
    form = request.form
    spellings = [line for line in form.get("spellings", "").splitlines() if line.strip()]
    datasets.set_accept(
        workspace(), dataset, form.get("item", ""), form.get("property", ""), spellings or None, by=person()
    )
    flash("Saved: these spellings count as right.", "ok")
    return redirect(url_for(".show", dataset=dataset), 303)


@pages.get("/<dataset>/<file>")
def download(dataset: str, file: str) -> Response:
    """``dataset.zip`` with both files, or one of them (``records.json``, ``expected.json``), of a version; streamed."""
    pieces = datasets.export_file(workspace(), dataset, file, version=request.args.get("version", type=int))
    kind = "application/zip" if file.endswith(".zip") else "application/json"
    response = Response(pieces, content_type=kind)
    response.headers.set("Content-Disposition", "attachment", filename=file)
    return response


@pages.post("/<dataset>/delete")
def delete(dataset: str) -> Response:
    datasets.delete_dataset(workspace(), dataset, person())
    flash("Deleted. Saving its test again makes a new dataset.", "none")
    return redirect(url_for(".index"), 303)
