"""Results that another system made, brought in as a test."""

from __future__ import annotations

from flask import Blueprint, flash, redirect, request, url_for
from werkzeug.wrappers import Response

from reviewapp import replays, workflows
from reviewapp.errors import ImportFaults, InvalidInput, NotFound, OpenTest
from reviewapp.formats.sources import Upload
from reviewapp.web.context import page, person, workspace
from reviewapp.web.filters import plural

pages = Blueprint("replays", __name__, url_prefix="/w/<workspace>/replays")


@pages.get("/new")
def new() -> Response:
    """The form."""
    return _form()


@pages.post("/")
def bring_in() -> Response:
    """Start a test of the file's results; all its faults are told at once, and then nothing is kept."""
    form = request.form
    file = request.files.get("file")
    try:
        if file is None or not file.filename:
            raise InvalidInput("Choose the file with the results first.", param="file")
        made = replays.replay_results(
            workspace(),
            Upload(file.filename, file.stream),  # type: ignore[arg-type]  # a binary stream in all but name
            workflow=form.get("workflow", ""),
            add_records="add_records" in form,
            by=person(),
        )
    except OpenTest as error:
        flash(f"{error.message} This is the one.", "warn")
        return redirect(url_for("review.show", test=error.test), 303)
    except (ImportFaults, InvalidInput, NotFound) as error:
        return _form(error)
    added = f", {plural(made.added, 'record')} added" if made.added else ""
    flash(f"Brought in {plural(made.readings, 'reading')} of {plural(made.records, 'record')}{added}.", "ok")
    return redirect(url_for("review.show", test=made.test.id), 303)


def _form(error: ImportFaults | InvalidInput | NotFound | None = None) -> Response:
    names = [w.name for w in workflows.list_workflows(workspace())]
    return page(
        "replay_new.html",
        status=422 if error else 200,
        workflows=[(name, name) for name in names],
        typed=request.form.to_dict() or request.args.to_dict(),
        fault=error.message if error else None,
    )
