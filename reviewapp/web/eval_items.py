"""Pages of one eval set: its items, a form for each, written into the file and nowhere else."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from flask import Blueprint, flash, redirect, request, url_for
from werkzeug.wrappers import Response

from reviewapp.domain.eval_sets import EvalItem, Project
from reviewapp.errors import Conflict, InvalidInput, ReviewappError
from reviewapp.eval_sets import editing, exchange, keeping
from reviewapp.eval_sets.loading import LoadedSet
from reviewapp.web.context import page, person, workspace

pages = Blueprint("eval_items", __name__, url_prefix="/w/<workspace>/eval-sets/<project>")

ROWS = 500
"""Most items on one page."""
SHOWN = 4_000
"""Characters of a value in a table."""
EDITABLE = 500_000
"""Characters of an item in a form."""


def as_json(value: Any) -> str:
    """Indented where it does not fit a line; the beginning of what is long."""
    line = json.dumps(value, ensure_ascii=False)
    if len(line) <= 60:
        return line
    if len(line) > SHOWN:
        return line[:SHOWN] + " …"
    return json.dumps(value, ensure_ascii=False, indent=2)


@pages.get("/set")
def set_(project: str) -> Response:
    """The items of one set; its file is read anew."""
    there = keeping.get_project(workspace(), project)
    file = request.args.get("file", "")
    loaded = _loaded(there, file)
    q = request.args.get("q", "").strip()
    items = [one for one in loaded.eval_set.evaluations if q.casefold() in one.name.casefold()]
    return page(
        "eval_set.html",
        project=there,
        file=file,
        loaded=loaded,
        items=items[:ROWS],
        left_off=max(0, len(items) - ROWS),
        q=q,
        as_json=as_json,
    )


def _loaded(project: Project, file: str) -> LoadedSet:
    loaded = keeping.loaded_set(project, file)
    loaded.close()
    return loaded


@pages.get("/item")
def item(project: str) -> Response:
    """The form of one item; without one, of a new one."""
    there, file = keeping.get_project(workspace(), project), request.args.get("file", "")
    loaded = _loaded(there, file)
    found = _item(loaded, request.args.get("item"))
    fields = {"name": found.name if found else "", "item_inputs": _pretty(found.inputs if found else {})}
    judged = found.evaluation_criterias if found else {}
    for number, one in enumerate(loaded.evaluators):
        fields[f"criteria{number}"] = _pretty(judged[one.key]) if one.key in judged else ""
    if (signs := sum(map(len, fields.values()))) > EDITABLE:
        raise InvalidInput(f"This item has {signs:,} characters, more than a form holds; change it in its file.")
    return _item_form(there, file, loaded, found, fields)


def _item(loaded: LoadedSet, id: str | None) -> EvalItem | None:
    return editing.find_item(loaded, id) if id else None


def _item_form(
    project: Project,
    file: str,
    loaded: LoadedSet,
    item: EvalItem | None,
    fields: dict[str, str],
    error: ReviewappError | None = None,
) -> Response:
    return page(
        "eval_item.html",
        project=project,
        file=file,
        loaded=loaded,
        item=item,
        fields=fields,
        digest=request.form.get("digest") or loaded.document.digest,
        fault=error.message if error else None,
        param=error.param if error else None,
        status=(409 if isinstance(error, Conflict) else 422) if error else 200,
    )


@pages.post("/item")
def save_item(project: str) -> Response:
    """Write what changed of an item into its file, or a new item at the end."""
    there, form = keeping.get_project(workspace(), project), request.form
    file, id = form.get("file", ""), form.get("item") or None
    loaded = _loaded(there, file)
    fields = {
        name: form.get(name, "") for name in form if name in ("name", "item_inputs") or name.startswith("criteria")
    }
    try:
        editing.save_item(
            loaded,
            id,
            name=fields.get("name", ""),
            inputs=_object("item_inputs", fields.get("item_inputs", "")),
            criterias={
                one.key: None if given == "null" else _object(f"criteria{number}", given)
                for number, one in enumerate(loaded.evaluators)
                if (given := fields.get(f"criteria{number}", "").strip())
            },
            seen=form.get("digest"),
        )
    except (InvalidInput, Conflict) as error:
        there_now = any(one.id == id for one in loaded.eval_set.evaluations)
        return _item_form(there, file, loaded, _item(loaded, id) if there_now else None, fields, error)
    keeping.note_edit(workspace(), there.id, by=person())
    flash("Saved in the file.", "ok")
    return redirect(url_for(".set_", project=project, file=file), 303)


def _object(field: str, given: str) -> dict[str, Any]:
    try:
        found = json.loads(given or "{}")
    except (ValueError, RecursionError) as error:
        raise InvalidInput(f"This is not valid JSON: {error}.", param=field) from error
    if not isinstance(found, dict):
        raise InvalidInput("A JSON object was expected: {…}.", param=field)
    return found


def _pretty(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2)


@pages.post("/item/remove")
def remove_item(project: str) -> Response:
    there, form = keeping.get_project(workspace(), project), request.form
    editing.remove_item(Path(there.folder), form.get("file", ""), form.get("item", ""), seen=form.get("digest"))
    keeping.note_edit(workspace(), there.id, by=person())
    flash("Taken out of the file.", "none")
    return redirect(url_for(".set_", project=project, file=form.get("file", "")), 303)


@pages.post("/to-dataset")
def to_dataset(project: str) -> Response:
    """Keep a set's items as a dataset."""
    here, file = workspace(), request.form.get("file", "")
    there = keeping.get_project(here, project)
    made = exchange.save_as_dataset(here, _loaded(there, file), by=person())
    flash(f"Kept as dataset {made.name}.", "ok")
    return redirect(url_for("datasets.show", dataset=made.id), 303)
