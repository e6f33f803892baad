"""Datasets: the list, one with its items, its files."""

from __future__ import annotations

from flask import Blueprint, abort, flash, make_response, redirect, request, url_for
from werkzeug.wrappers import Response

from reviewapp import datasets
from reviewapp.web.context import page, person, workspace

pages = Blueprint("datasets", __name__, url_prefix="/w/<workspace>/datasets")

SHOWN = 50
SHOWN_ITEMS = 40
ZIP = "dataset.zip"


@pages.get("/")
def index() -> Response:
    found = datasets.list_datasets(workspace(), after=request.args.get("after"), limit=SHOWN + 1)
    more = url_for(".index", after=found[SHOWN - 1].id) if len(found) > SHOWN else None
    return page("datasets.html", datasets=found[:SHOWN], more=more)


@pages.get("/<dataset>/")
def show(dataset: str) -> Response:
    here = workspace()
    after = request.args.get("after", -1, type=int)
    found = datasets.items(here, dataset, after=after, limit=SHOWN_ITEMS + 1)
    more = url_for(".show", dataset=dataset, after=found[SHOWN_ITEMS - 1][0]) if len(found) > SHOWN_ITEMS else None
    items = [item for _, item in found[:SHOWN_ITEMS]]
    return page("dataset.html", dataset=datasets.get_dataset(here, dataset), items=items, more=more)


@pages.get("/<dataset>/<file>")
def download(dataset: str, file: str) -> Response:
    """``dataset.zip`` with both files, or one of them: ``records.json``, ``expected.json``."""
    here = workspace()
    datasets.get_dataset(here, dataset)
    if file == ZIP:
        content, kind = datasets.export_zip(here, dataset), "application/zip"
    else:
        content, kind = datasets.export_files(here, dataset).get(file, b""), "application/json"
        if not content:
            abort(404)
    response = make_response(content)
    response.content_type = kind
    response.headers.set("Content-Disposition", "attachment", filename=file)
    return response


@pages.post("/<dataset>/delete")
def delete(dataset: str) -> Response:
    datasets.delete_dataset(workspace(), dataset, person())
    flash("Deleted. Saving its test again makes a new dataset.", "none")
    return redirect(url_for(".index"), 303)
