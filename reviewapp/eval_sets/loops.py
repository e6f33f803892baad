"""Loops that a workspace keeps: started from a page, or run on the command line for a project that it knows."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from reviewapp.domain.evaluations import CaseResult, Evaluation, Execution, OtherHeader
from reviewapp.domain.ids import new_id
from reviewapp.errors import InvalidInput, NotAllowed, ReviewappError
from reviewapp.eval_sets.keeping import content_of, get_project, loaded_set, opened, target_of
from reviewapp.eval_sets.looping import FixCommand, Iteration, LoopReport, run_loop
from reviewapp.eval_sets.model_judge import inputs_of, judge_of
from reviewapp.eval_sets.reports import ScoreReport
from reviewapp.evals.kernel import in_a_line
from reviewapp.evaluations.running import all_results, get_evaluation
from reviewapp.store.workspace import Workspace

log = logging.getLogger(__name__)
LOOP = "eval_loop"
"""Their kind among evaluations. An iteration is a case of it."""
LOOK_SECONDS = 0.5
"""How often a loop looks whether it was cancelled."""


def start_loop(workspace: Workspace, project: str, file: str, *, most: int, by: str) -> Evaluation:
    """Queue a loop over one set. Raises NotFound, InvalidInput, NotAllowed without leave for the project."""
    found = get_project(workspace, project)
    if not found.target or not found.fix:
        raise InvalidInput("Say first what the sets are run on, and the fix command.", param="fix")
    if not found.trusted:
        raise NotAllowed(
            "A loop runs the project's own programs, which nobody has allowed yet; allow the project first."
        )
    loaded = loaded_set(found, file)
    loaded.close()
    target_of(workspace, found).close()
    run = new_id("erun")
    content = {
        "project": project,
        "folder": found.name,
        "file": file,
        "dialect": loaded.dialect,
        "target": found.target,
        "fix": found.fix,
        "most": most,
    }
    workspace.evaluations.add(run, OtherHeader(kind=LOOP, name=loaded.eval_set.name, content=content), most, by)
    workspace.changed_tests()  # wakes the runners
    return get_evaluation(workspace, run)


def run_kept_loop(workspace: Workspace, run: str, *, go_on: Callable[[], bool] = lambda: True) -> Evaluation:
    """Run a started loop to its end; its summary is the report.

    One that was under way when the server stopped is not gone on with: nobody knows what its fix command has done by
    then. It ends as failed, and says so; so does one that meets an error, of ours too.
    """
    found = get_evaluation(workspace, run)
    if found.status == "running":
        said = "The server stopped while this loop ran. Look at what its fix command has changed, then start it again."
        workspace.evaluations.finish(run, "failed", error=said)
        return get_evaluation(workspace, run)
    workspace.evaluations.mark_running(run)
    watch = _Watch(workspace, run, go_on)
    try:
        report = _run(workspace, run, content_of(found), watch)
    except ReviewappError as error:
        workspace.evaluations.finish(run, "failed", error=error.message)
    except Exception as error:
        log.exception("Loop %s stopped with an error.", run)
        workspace.evaluations.finish(run, "failed", error=f"The loop stopped with an error: {in_a_line(error)}")
    else:
        if go_on():  # else the server stops, and the next start says so
            workspace.evaluations.finish(run, "done", summary=report.model_dump(mode="json"))
    return get_evaluation(workspace, run)


def _run(workspace: Workspace, run: str, content: dict[str, Any], watch: _Watch) -> LoopReport:
    project = get_project(workspace, content["project"])
    if not project.trusted or (project.target, project.fix) != (content["target"], content["fix"]):
        raise NotAllowed(
            "What the project runs was changed, or may no longer run; look at it and start the loop again."
        )
    there = opened(project, judge_of(workspace), inputs_of(workspace))
    wanted = content["file"]

    def scored() -> Sequence[ScoreReport]:
        with closing(target_of(workspace, project)) as target:
            return there.score(target, target_name=project.target, wanted=wanted, allowed=True, go_on=watch.goes_on)

    return run_loop(
        scored,
        FixCommand(project.fix, there.root, go_on=watch.goes_on),
        guarded=there.expectations,
        most=content["most"],
        seen=lambda iteration: _keep(workspace, run, iteration),
        go_on=watch.goes_on,
    )


class _Watch:
    """Whether the loop is still wanted; looks into the workspace now and then."""

    def __init__(self, workspace: Workspace, run: str, go_on: Callable[[], bool]) -> None:
        self._workspace = workspace
        self._run = run
        self._go_on = go_on
        self._next = 0.0
        self._is_open = True

    def goes_on(self) -> bool:
        if self._is_open and time.monotonic() >= self._next:
            self._next = time.monotonic() + LOOK_SECONDS
            self._is_open = self._workspace.evaluations.status(self._run) == "running"
        return self._is_open and self._go_on()


def keep_loop(
    workspace: Workspace, root: Path, report: LoopReport, *, target: str, fix: str, most: int, by: str
) -> Evaluation | None:
    """Keep a loop that was run on the command line, where the workspace knows the project; else None."""
    project = next((one for one in workspace.eval_projects.all() if one.folder == str(root)), None)
    if project is None or not report.reports:
        return None
    run, first = new_id("erun"), report.reports[0]
    content = {
        "project": project.id,
        "folder": project.name,
        "file": first.file if len(report.reports) == 1 else "",
        "dialect": first.dialect,
        "target": target,
        "fix": fix,
        "most": most,
    }
    name = first.eval_set if len(report.reports) == 1 else project.name
    with workspace.atomic():
        workspace.evaluations.add(run, OtherHeader(kind=LOOP, name=name, content=content), most, by)
        workspace.evaluations.mark_running(run)
        for iteration in report.iterations:
            _keep(workspace, run, iteration)
        workspace.evaluations.finish(run, "done", summary=report.model_dump(mode="json"))
    return get_evaluation(workspace, run)


def _keep(workspace: Workspace, run: str, iteration: Iteration) -> None:
    execution = Execution(output=iteration.model_dump(mode="json"))
    case = CaseResult(position=iteration.number - 1, name=f"iteration {iteration.number}", execution=execution)
    workspace.evaluations.keep(run, [case])


def iterations_of(workspace: Workspace, run: str) -> list[Iteration]:
    """As far as the loop is."""
    return [Iteration.model_validate(one.execution.output) for one in all_results(workspace, run)]


def report_of_loop(run: Evaluation) -> LoopReport | None:
    """The report of a loop that ended by itself."""
    return None if run.summary is None else LoopReport.model_validate(run.summary)
