"""Eval-set projects: opening a folder, its sets and items, scoring them, what came out, editing cases and criteria."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from flask import Blueprint, flash, g, redirect, request, url_for
from werkzeug.wrappers import Response

from reviewapp import evaluations
from reviewapp.domain.eval_sets import DIALECT_WORDS, Dialect, EvalItem, Project
from reviewapp.domain.evaluations import Evaluation
from reviewapp.errors import Conflict, InvalidInput, NotAllowed, NotFound, ReviewappError
from reviewapp.eval_sets import editing, exchange, keeping
from reviewapp.eval_sets.loading import LoadedSet
from reviewapp.eval_sets.reports import ScoreRow
from reviewapp.eval_sets.scoring import stale
from reviewapp.web.context import page, person, settings, workspace

pages = Blueprint("eval_sets", __name__, url_prefix="/w/<workspace>/eval-sets")

TONES = {"PASS": ("ok", "✓"), "FAIL": ("bad", "✕"), "ERROR": ("warn", "!")}
RUNS = 20
ROWS = 500
"""Most rows of a report on one page; those that did not pass come first."""
NO_FOLDERS = (
    "Folders of this machine are opened from the command line here: reviewapp eval-set open PROJECT. "
    "(REVIEWAPP_PROGRAMS=true lets pages do so.)"
)


@pages.get("/")
def index() -> Response:
    """The projects that the workspace knows."""
    return _index()


def _index(folder: str = "", error: ReviewappError | None = None) -> Response:
    return page(
        "eval_projects.html",
        projects=keeping.list_projects(workspace()),
        folder=folder,
        fault=error.message if error else None,
        folders=_folders_may_be_named(),
        status=422 if error else 200,
    )


@pages.post("/")
def open_() -> Response:
    """Open a folder of the server's machine."""
    folder = request.form.get("folder", "").strip()
    try:
        if not _folders_may_be_named():
            raise InvalidInput(NO_FOLDERS)
        if not folder:
            raise InvalidInput("Type the folder of a project, the one beside Workflow.json or uipath.json.")
        project = keeping.open_project(workspace(), Path(folder), by=person())
    except (InvalidInput, NotFound) as error:
        return _index(folder, error)
    return redirect(url_for(".show", project=project.id), 303)


def _folders_may_be_named() -> bool:
    """Whether a page may name a place on this machine: where nobody signs in (it is one's own), or by the settings."""
    return settings().programs or g.get("account") is None


@pages.get("/<project>/")
def show(project: str) -> Response:
    """Its dialect and target, its sets, the last runs."""
    return _project(keeping.get_project(workspace(), project))


def _project(project: Project, error: ReviewappError | None = None) -> Response:
    fault, sets, opened = None, [], None
    try:
        opened = keeping.opened(project)
        sets = [_set_row(project, path) for path in _files(opened)]
    except ReviewappError as problem:
        fault = problem.message
    return page(
        "eval_project.html",
        project=project,
        opened=opened,
        sets=sets,
        unreadable=fault,
        fault=error.message if error else None,
        form=request.form
        if error
        else {"target": project.target, "pattern": project.pattern, "dialect": project.dialect},
        runs=[(run, keeping.report_of_run(run)) for run in keeping.list_runs(workspace(), project.id, limit=RUNS)],
        words=DIALECT_WORDS,
        may_run=settings().programs or project.trusted,
        status=422 if error else 200,
    )


def _files(opened: Any) -> list[str]:
    return [path.relative_to(opened.root).as_posix() for path in opened.layout.sets]


def _set_row(project: Project, file: str) -> tuple[str, LoadedSet | None, str]:
    """(file, set, why it cannot be read)."""
    try:
        loaded = keeping.loaded_set(project, file)
    except ReviewappError as error:
        return file, None, error.message
    loaded.close()
    return file, loaded, ""


@pages.post("/<project>/change")
def change(project: str) -> Response:
    """Say the dialect and what the sets are run on."""
    here, form = workspace(), request.form
    dialect: Dialect | None = next((d for d in DIALECT_WORDS if d == form.get("dialect")), None)
    try:
        keeping.change_project(
            here,
            project,
            dialect=dialect,
            target=form.get("target", ""),
            pattern=form.get("pattern", ""),
            by=person(),
        )
    except InvalidInput as error:
        return _project(keeping.get_project(here, project), error)
    flash("Saved.", "ok")
    return redirect(url_for(".show", project=project), 303)


@pages.post("/<project>/allow")
def allow(project: str) -> Response:
    """Let the project's own programs run, or no longer."""
    allowed = request.form.get("allowed") == "yes"
    if allowed and not settings().programs:
        raise NotAllowed(
            "Pages of this server do not run programs. Allow the project from the command line: "
            "reviewapp eval-set open PROJECT --allow."
        )
    keeping.allow_project(workspace(), project, allowed=allowed, by=person())
    flash("Its programs may run." if allowed else "Its programs no longer run.", "ok" if allowed else "none")
    return redirect(url_for(".show", project=project), 303)


@pages.post("/<project>/forget")
def forget(project: str) -> Response:
    keeping.forget_project(workspace(), project, by=person())
    flash("The project is off the list; its files stay.", "none")
    return redirect(url_for(".index"), 303)


@pages.post("/<project>/score")
def score(project: str) -> Response:
    """Queue a run of one set."""
    here = workspace()
    try:
        run = keeping.start_score(here, project, request.form.get("file", ""), by=person())
    except (InvalidInput, NotAllowed, Conflict) as error:
        return _project(keeping.get_project(here, project), error)
    return redirect(url_for(".run", project=project, run=run.id), 303)


@pages.get("/<project>/runs/<run>")
def run(project: str, run: str) -> Response:
    """What a run found; while it goes on, how far it is."""
    here = workspace()
    found = evaluations.get_evaluation(here, run)
    report = keeping.report_of_run(found)
    before = keeping.run_before(here, found) if report else None
    earlier = keeping.report_of_run(before) if before else None
    rows = sorted(report.rows, key=lambda row: row.verdict == "PASS") if report else []
    return page(
        "eval_run.html",
        block="body",
        project=keeping.get_project(here, project),
        run=found,
        content=_content(found),
        report=report,
        rows=rows[:ROWS],
        left_off=max(0, len(rows) - ROWS),
        before=before,
        earlier=earlier,
        stale=stale(earlier, report) if earlier and report else [],
        **_words(),
    )


def _content(run: Evaluation) -> dict[str, Any]:
    content = getattr(run.header, "content", None)
    if content is None:
        raise NotFound("run of an eval set", run.id)
    found: dict[str, Any] = content
    return found


def _words() -> dict[str, Any]:
    return {"tones": TONES, "words": DIALECT_WORDS, "as_json": as_json}


def as_json(value: Any) -> str:
    """Indented where it does not fit a line."""
    line = json.dumps(value, ensure_ascii=False)
    return line if len(line) <= 60 else json.dumps(value, ensure_ascii=False, indent=2)


@pages.post("/<project>/runs/<run>/cancel")
def cancel(project: str, run: str) -> Response:
    evaluations.cancel_evaluation(workspace(), run, by=person())
    flash("Cancelled.", "none")
    return redirect(url_for(".run", project=project, run=run), 303)


@pages.post("/<project>/runs/<run>/settle")
def settle(project: str, run: str) -> Response:
    """Of a row whose behaviour changed: the output is right, so it becomes the expectation."""
    here = workspace()
    row = _row(evaluations.get_evaluation(here, run), request.form.get("item", ""), request.form.get("evaluator", ""))
    there = keeping.get_project(here, project)
    file = _content(evaluations.get_evaluation(here, run))["file"]
    editing.set_expected(Path(there.folder), file, row.id, row.evaluator, row.actual)
    flash(f"{row.item}: the expectation is now what the target gave.", "ok")
    return redirect(url_for(".run", project=project, run=run), 303)


def _row(run: Evaluation, item: str, evaluator: str) -> ScoreRow:
    report = keeping.report_of_run(run)
    for row in report.rows if report else ():
        if (row.id, row.evaluator) == (item, evaluator):
            return row
    raise NotFound("row", item)


# -- a set and its items -------------------------------------------------------------------------------------------


@pages.get("/<project>/set")
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


@pages.get("/<project>/item")
def item(project: str) -> Response:
    """The form of one item; without one, of a new one."""
    there, file = keeping.get_project(workspace(), project), request.args.get("file", "")
    loaded = _loaded(there, file)
    found = _item(loaded, request.args.get("item"))
    fields = {"name": found.name if found else "", "item_inputs": _pretty(found.inputs if found else {})}
    for number, one in enumerate(loaded.evaluators):
        criteria = found.evaluation_criterias.get(one.key) if found else None
        fields[f"criteria{number}"] = "" if criteria is None else _pretty(criteria)
    return _item_form(there, file, loaded, found, fields)


def _item(loaded: LoadedSet, id: str | None) -> EvalItem | None:
    if not id:
        return None
    for one in loaded.eval_set.evaluations:
        if one.id == id.lower() or one.id == id:
            return one
    raise NotFound("item", id)


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


@pages.post("/<project>/item")
def save_item(project: str) -> Response:
    """Write what changed of an item into its file, or a new item at the end."""
    there, form = keeping.get_project(workspace(), project), request.form
    file, root = form.get("file", ""), Path(there.folder)
    loaded = _loaded(there, file)
    found = _item(loaded, form.get("item"))
    fields = {
        name: form.get(name, "") for name in form if name in ("name", "item_inputs") or name.startswith("criteria")
    }
    try:
        if form.get("digest") != loaded.document.digest:
            raise Conflict(
                f"{loaded.document.path.name} was changed since you opened it; nothing was written. Copy what you "
                "typed, open the item again, and repeat your change."
            )
        inputs = _object("item_inputs", fields.get("item_inputs", ""))
        criterias = {
            one.key: _object(f"criteria{number}", given)
            for number, one in enumerate(loaded.evaluators)
            if (given := fields.get(f"criteria{number}", "").strip())
        }
        if found is None:
            name, seen = fields.get("name", ""), form.get("digest")
            editing.add_item(root, file, name=name, inputs=inputs, criterias=criterias, seen=seen)
        else:
            changed = {
                one.key: criterias.get(one.key)
                for one in loaded.evaluators
                if criterias.get(one.key) != found.evaluation_criterias.get(one.key)
            }
            name = fields.get("name", "")
            editing.set_item(root, file, found.id, name=name, inputs=inputs, criterias=changed, seen=form.get("digest"))
    except (InvalidInput, Conflict) as error:
        return _item_form(there, file, loaded, found, fields, error)
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


@pages.post("/<project>/item/remove")
def remove_item(project: str) -> Response:
    there, form = keeping.get_project(workspace(), project), request.form
    editing.remove_item(Path(there.folder), form.get("file", ""), form.get("item", ""), seen=form.get("digest"))
    flash("Taken out of the file.", "none")
    return redirect(url_for(".set_", project=project, file=form.get("file", "")), 303)


@pages.post("/<project>/to-dataset")
def to_dataset(project: str) -> Response:
    """Keep a set's items as a dataset."""
    here, file = workspace(), request.form.get("file", "")
    there = keeping.get_project(here, project)
    made = exchange.save_as_dataset(here, _loaded(there, file), by=person())
    flash(f"Kept as dataset {made.name}.", "ok")
    return redirect(url_for("datasets.show", dataset=made.id), 303)
