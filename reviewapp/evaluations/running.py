"""Runs of the kernel that are kept: started, followed, cancelled, gone on with."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Executor
from typing import Any

from reviewapp.domain.evaluations import CaseResult, Evaluation
from reviewapp.errors import Busy, NotFound, StorageError
from reviewapp.evals.kernel import FORGETFUL, IN_FLIGHT, Case, Evaluator, Target, TargetStopped, evaluate, in_a_line
from reviewapp.store.workspace import Workspace

COMMIT_SECONDS = 0.25
"""Results are committed this often; so much work is done again after a kill."""
COMMIT_RESULTS = 500
PIECE = 500
"""Results read at a time."""


def get_evaluation(workspace: Workspace, id: str) -> Evaluation:
    """Raises NotFound."""
    found = workspace.evaluations.get(id)
    if found is None:
        raise NotFound("evaluation", id)
    return found


def get_grading(workspace: Workspace, id: str) -> Evaluation:
    """One of a dataset. Raises NotFound, also for other kinds."""
    found = get_evaluation(workspace, id)
    if found.header.kind != "dataset":
        raise NotFound("evaluation of a dataset", id)
    return found


def find_evaluation(workspace: Workspace, name: str) -> Evaluation:
    """By id, by number, or ``latest`` (of a dataset). Raises NotFound."""
    if name == "latest":
        newest = workspace.evaluations.rows(kind="dataset", limit=1)
        if not newest:
            raise NotFound("evaluation", name, way_out="There is none yet.")
        return newest[0]
    found = workspace.evaluations.by_number(int(name)) if name.isascii() and name.isdecimal() else None
    return found or get_evaluation(workspace, name)


def list_evaluations(
    workspace: Workspace,
    *,
    dataset: str | None = None,
    kind: str | None = None,
    after: str | None = None,
    limit: int = 50,
) -> list[Evaluation]:
    """Newest first, behind the one with the id `after`; of one dataset, of one kind."""
    return workspace.evaluations.rows(dataset=dataset, kind=kind, after=after, limit=limit)


def results(
    workspace: Workspace, id: str, *, after: int = -1, limit: int = PIECE, faulty: bool = False
) -> list[CaseResult]:
    """Results by position, behind position `after`; `faulty`: with a failure or a score below 1. Raises NotFound."""
    get_evaluation(workspace, id)
    return workspace.evaluations.results(id, after=after, limit=limit, faulty=faulty)


def all_results(workspace: Workspace, id: str, *, after: int = -1, outputs: bool = True) -> Iterator[CaseResult]:
    """All of them behind position `after`, read in pieces."""
    while found := workspace.evaluations.results(id, after=after, limit=PIECE, outputs=outputs):
        yield from found
        after = found[-1].position


def cancel_evaluation(workspace: Workspace, id: str, *, by: str) -> Evaluation:
    """End it and keep what is there; one that has ended stays as it is. Raises NotFound."""
    with workspace.atomic():
        get_evaluation(workspace, id)
        if workspace.evaluations.finish(id, "cancelled"):
            workspace.trail.note(by, "cancel evaluation", id)
    return get_evaluation(workspace, id)


def delete_evaluation(workspace: Workspace, id: str, *, by: str) -> None:
    """Remove it with its results. Raises NotFound."""
    with workspace.atomic():
        if not workspace.evaluations.delete(id):
            raise NotFound("evaluation", id)
        workspace.trail.note(by, "delete evaluation", id)


def run_cases(
    workspace: Workspace,
    id: str,
    cases: Iterable[Case],
    target: Target,
    evaluators: Mapping[str, Evaluator],
    *,
    summarise: Callable[[Iterator[CaseResult]], Any],
    fresh: bool = False,
    go_on: Callable[[], bool] = lambda: True,
    executor: Executor | None = None,
    in_flight: int = IN_FLIGHT,
) -> Evaluation:
    """Run what an evaluation has not run yet, keep every result, and end it with what `summarise` makes of them all.

    Stopped by `go_on` it stays `running` and the next call goes on where it was; cancelled meanwhile it stays
    `cancelled`. With `fresh` nothing is taken over from earlier runs. A bug of ours makes it `failed`, with a word.
    Raises Busy or StorageError as the store does; then it can be gone on with.
    """
    workspace.evaluations.mark_running(id)
    keeper = _Keeper(workspace, id, go_on)
    done = workspace.evaluations.done(id)
    try:
        complete = evaluate(
            cases,
            target,
            evaluators,
            keep=keeper.keep,
            memory=FORGETFUL if fresh else workspace.evaluations,
            done=lambda case: case.position in done,
            go_on=keeper.goes_on,
            executor=executor,
            in_flight=in_flight,
        )
        keeper.flush()
        if complete and keeper.is_open:
            workspace.evaluations.finish(id, "done", summary=summarise(all_results(workspace, id, outputs=False)))
    except (Busy, StorageError):
        raise
    except TargetStopped as stopped:
        keeper.flush()
        workspace.evaluations.finish(id, "failed", error=stopped.message)
    except Exception as error:
        keeper.flush()
        workspace.evaluations.finish(id, "failed", error=f"The evaluation stopped with an error: {in_a_line(error)}")
    return get_evaluation(workspace, id)


class _Keeper:
    """Commits results a few times a second, and learns thereby whether the run was cancelled."""

    def __init__(self, workspace: Workspace, id: str, go_on: Callable[[], bool]) -> None:
        self._workspace = workspace
        self._id = id
        self._go_on = go_on
        self._waiting: list[CaseResult] = []
        self._next = time.monotonic() + COMMIT_SECONDS
        self.is_open = True

    def keep(self, result: CaseResult) -> None:
        self._waiting.append(result)
        if len(self._waiting) >= COMMIT_RESULTS or time.monotonic() >= self._next:
            self.flush()

    def flush(self) -> None:
        self._next = time.monotonic() + COMMIT_SECONDS
        waiting, self._waiting = self._waiting, []
        if waiting and self.is_open:
            self.is_open = self._workspace.evaluations.keep(self._id, waiting)

    def goes_on(self) -> bool:
        if time.monotonic() >= self._next:
            self.flush()
            self.is_open = self.is_open and self._workspace.evaluations.status(self._id) == "running"
        return self.is_open and self._go_on()
