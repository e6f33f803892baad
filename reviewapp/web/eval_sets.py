"""Eval-set projects: opening a folder, its sets, how they are scored, whose programs may run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from flask import Blueprint, flash, g, redirect, request, url_for
from werkzeug.wrappers import Response

from reviewapp.domain.eval_sets import DIALECT_WORDS, Dialect, Project
from reviewapp.errors import InvalidInput, NotAllowed, NotFound, ReviewappError
from reviewapp.eval_sets import keeping, loops
from reviewapp.eval_sets.loading import LoadedSet
from reviewapp.eval_sets.looping import MOST
from reviewapp.eval_sets.targets import is_outside
from reviewapp.web.context import page, person, settings, workspace

pages = Blueprint("eval_sets", __name__, url_prefix="/w/<workspace>/eval-sets")

RUNS = 20
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
    return show_project(keeping.get_project(workspace(), project))


def show_project(project: Project, error: ReviewappError | None = None) -> Response:
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
        choices=[(file, loaded.eval_set.name) for file, loaded, _ in sets if loaded],
        unreadable=fault,
        fault=error.message if error else None,
        form=request.form if "target" in request.form else project,
        runs=[(run, keeping.report_of_run(run)) for run in keeping.list_runs(workspace(), project.id, limit=RUNS)],
        loops=[
            (run, loops.report_of_loop(run))
            for run in keeping.list_runs(workspace(), project.id, kind=loops.LOOP, limit=RUNS)
        ],
        most=request.form.get("most", MOST),
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
        _refuse_outside(keeping.get_project(here, project), form.get("target", ""))
        keeping.change_project(
            here,
            project,
            dialect=dialect,
            target=form.get("target", ""),
            pattern=form.get("pattern", ""),
            fix=form.get("fix", ""),
            by=person(),
        )
    except InvalidInput as error:
        return show_project(keeping.get_project(here, project), error)
    flash("Saved.", "ok")
    return redirect(url_for(".show", project=project), 303)


def _refuse_outside(project: Project, target: str) -> None:
    """A page names no place on a server's machine but those inside the project."""
    if not _folders_may_be_named() and is_outside(target.strip(), Path(project.folder)):
        raise InvalidInput(
            "Pages of this server take outputs from the project's own folder only; name the file by its place in it.",
            param="target",
        )


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
