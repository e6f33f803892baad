"""Projects that a workspace knows, and scored runs that it keeps."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

from reviewapp.domain.eval_sets import Dialect, Project
from reviewapp.domain.evaluations import Evaluation, OtherHeader
from reviewapp.domain.ids import new_id
from reviewapp.errors import Conflict, InvalidInput, NotAllowed, NotFound, ReviewappError
from reviewapp.eval_sets.cases import cases_of, evaluators_of_set
from reviewapp.eval_sets.editing import eval_set_file
from reviewapp.eval_sets.loading import LoadedSet, load_set
from reviewapp.eval_sets.made_inputs import MakeInputs
from reviewapp.eval_sets.model_judge import ModelSimulator, inputs_of, judge_of
from reviewapp.eval_sets.projects import OpenProject, needs_a_yes
from reviewapp.eval_sets.reporting import report_of
from reviewapp.eval_sets.reports import ScoreReport
from reviewapp.eval_sets.scoring import guarded
from reviewapp.eval_sets.target_base import EvalTarget
from reviewapp.eval_sets.targets import make_target
from reviewapp.eval_sets.workflow_targets import workflow_target
from reviewapp.evals.eval_sets.judges import Judge, no_judge
from reviewapp.evaluations.running import all_results, get_evaluation, list_evaluations, run_cases
from reviewapp.formats.eval_sets.projects import find_project
from reviewapp.store.workspace import Workspace

KIND = "eval_set"


def open_project(workspace: Workspace, folder: Path, *, by: str) -> Project:
    """Let the workspace know a project; nothing is written into its folder. Raises NotFound, InvalidInput."""
    layout = find_project(folder)
    made = Project(id=new_id("eproj"), folder=str(layout.root), name=layout.root.name)
    with workspace.atomic():
        kept = workspace.eval_projects.add(made, by)
        if kept.id == made.id:
            workspace.trail.note(by, "open eval project", kept.id)
    return kept


def list_projects(workspace: Workspace) -> list[Project]:
    return workspace.eval_projects.all()


def get_project(workspace: Workspace, id: str) -> Project:
    """Raises NotFound."""
    found = workspace.eval_projects.get(id)
    if found is None:
        raise NotFound("eval project", id)
    return found


def change_project(
    workspace: Workspace,
    id: str,
    *,
    by: str,
    dialect: Dialect | None = None,
    target: str = "",
    pattern: str = "",
    fix: str = "",
) -> Project:
    """Say how its sets are scored and mended. A project that runs something else than before loses the leave to run.

    Raises NotFound, InvalidInput.
    """
    before = get_project(workspace, id)
    target, pattern, fix = target.strip(), pattern.strip(), fix.strip()
    if target:
        made = make_target(
            target, Path(before.folder), workflow=lambda n: workflow_target(workspace, n), pattern=pattern or None
        )
        made.close()
    same = (target, pattern, fix) == (before.target, before.pattern, before.fix)
    settings = {"dialect": dialect, "target": target, "pattern": pattern, "fix": fix}
    after = before.model_copy(update={**settings, "trusted": before.trusted and same})
    with workspace.atomic():
        workspace.eval_projects.put(after)
        workspace.trail.note(by, "change eval project", id)
    return after


def note_edit(workspace: Workspace, id: str, *, by: str) -> None:
    """One of the project's files was edited on a page."""
    with workspace.atomic():
        workspace.trail.note(by, "change eval project", id)


def allow_project(workspace: Workspace, id: str, *, allowed: bool, by: str) -> Project:
    """Let the project's own programs run, or no longer. Raises NotFound."""
    after = get_project(workspace, id).model_copy(update={"trusted": allowed})
    with workspace.atomic():
        workspace.eval_projects.put(after)
        workspace.trail.note(by, "allow eval project" if allowed else "disallow eval project", id)
    return after


def forget_project(workspace: Workspace, id: str, *, by: str) -> None:
    """The workspace no longer knows it; its files and the runs stay. Raises NotFound."""
    with workspace.atomic():
        if not workspace.eval_projects.delete(id):
            raise NotFound("eval project", id)
        workspace.trail.note(by, "forget eval project", id)


def opened(project: Project, judge: Judge = no_judge, make_inputs: MakeInputs | None = None) -> OpenProject:
    """The project's folder as it is now. Raises NotFound, InvalidInput."""
    return OpenProject(Path(project.folder), dialect=project.dialect, judge=judge, make_inputs=make_inputs)


def loaded_set(project: Project, file: str, judge: Judge = no_judge) -> LoadedSet:
    """One of its sets, by its place in the project. Raises NotFound, InvalidInput."""
    there = opened(project, judge)
    document = eval_set_file(there.root, file)
    return load_set(document.path, there.root, there.dialect, judge=judge)


# -- runs ----------------------------------------------------------------------------------------------------------


def start_score(workspace: Workspace, id: str, file: str, *, by: str) -> Evaluation:
    """Queue a run of one set. Raises NotFound, InvalidInput, NotAllowed where programs would run without leave."""
    project = get_project(workspace, id)
    if not project.target:
        raise InvalidInput("Say first what the sets are run on.", param="target")
    loaded = loaded_set(project, file)
    target = target_of(workspace, project)
    try:
        if needs_a_yes([loaded], target) and not project.trusted:
            raise NotAllowed(
                "Scoring it runs the project's own programs, which nobody has allowed yet; allow the project first."
            )
    finally:
        loaded.close()
        target.close()
    content = {
        "project": id,
        "folder": project.name,
        "file": file,
        "digest": loaded.document.digest,
        "dialect": loaded.dialect,
        "target": project.target,
    }
    run = new_id("erun")
    header = OtherHeader(kind=KIND, name=loaded.eval_set.name, content=content)
    workspace.evaluations.add(run, header, len(loaded.eval_set.evaluations), by)
    workspace.changed_tests()  # wakes the runners
    return get_evaluation(workspace, run)


def run_score(
    workspace: Workspace,
    run: str,
    *,
    go_on: Callable[[], bool] = lambda: True,
) -> Evaluation:
    """Run what a started score has not run yet; its summary is the report. Errors of the project end it as failed."""
    content = content_of(get_evaluation(workspace, run))
    try:
        project = get_project(workspace, content["project"])
        loaded = loaded_set(project, content["file"], judge_of(workspace))
        if loaded.document.digest != content["digest"]:
            raise Conflict(f"{loaded.document.path.name} was changed before it was scored; score it again.")
        target = target_of(workspace, project)
        if needs_a_yes([loaded], target) and not project.trusted:
            raise NotAllowed("The project's own programs may no longer run; allow the project again.")
    except ReviewappError as error:
        workspace.evaluations.mark_running(run)
        workspace.evaluations.finish(run, "failed", error=error.message)
        return get_evaluation(workspace, run)
    try:
        return run_cases(
            workspace,
            run,
            cases_of(loaded),
            guarded(target, inputs_of(workspace)),
            evaluators_of_set(loaded),
            summarise=lambda _: _summary(workspace, run, loaded, project.target),
            fresh=True,
            go_on=go_on,
        )
    finally:
        target.close()
        loaded.close()


def _summary(workspace: Workspace, run: str, loaded: LoadedSet, target: str) -> Any:
    return report_of(loaded, all_results(workspace, run), target_name=target).model_dump(mode="json")


def target_of(workspace: Workspace, project: Project) -> EvalTarget:
    """What the project's sets are run on, made anew. Raises InvalidInput, NotFound."""
    return make_target(
        project.target,
        Path(project.folder),
        workflow=lambda name: workflow_target(workspace, name),
        pattern=project.pattern or None,
        simulate=ModelSimulator(workspace),
    )


def list_runs(
    workspace: Workspace, project: str, *, file: str | None = None, kind: str = KIND, limit: int = 30
) -> list[Evaluation]:
    """Runs of a project's sets, or its loops (`kind`), newest first."""
    found: list[Evaluation] = []
    after: str | None = None
    while len(found) < limit and (piece := list_evaluations(workspace, kind=kind, after=after, limit=100)):
        found += [one for one in piece if _is_of(one, project, file)]
        after = piece[-1].id
    return found[:limit]


def _is_of(run: Evaluation, project: str, file: str | None) -> bool:
    content = content_of(run)
    return content.get("project") == project and file in (None, content.get("file"))


def content_of(run: Evaluation) -> dict[str, Any]:
    """What a run or a loop is about: project, file, target …"""
    return cast("OtherHeader", run.header).content


def report_of_run(run: Evaluation) -> ScoreReport | None:
    """The report of a run of an eval set that is done."""
    return None if run.summary is None else ScoreReport.model_validate(run.summary)


def run_before(workspace: Workspace, run: Evaluation) -> Evaluation | None:
    """The newest ended run of the same set before this one."""
    content = content_of(run)
    runs = list_runs(workspace, content["project"], file=content["file"], limit=200)
    return next((one for one in runs if one.number < run.number and one.status == "done"), None)
