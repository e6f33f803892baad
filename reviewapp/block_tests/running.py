"""Runs of block tests: started here, run in the background or at once, followed, cancelled.

For every test of a run, the first of these that holds:

1. A result of the same test, inputs, block, draft and assertion is there: it is the result again.
2. The same block has worked on the same inputs: its outputs are taken, and judged anew.
3. The block is run, and its outputs are judged.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence

from reviewapp.block_tests.drafts import block_of, draft_of
from reviewapp.block_tests.judging import judges_of
from reviewapp.block_tests.keeping import get_test
from reviewapp.block_tests.targets import ASSERTION, AssertionJudge, BlockTarget
from reviewapp.block_tests.writing import Writer, assertion_fingerprint, result_of_cancelled, result_without_block
from reviewapp.domain.block_tests import (
    ENDED,
    BlockScope,
    BlockTest,
    BlockTestRun,
    Scope,
    SingleScope,
    TestResult,
    Trigger,
    WorkflowScope,
)
from reviewapp.domain.evaluations import Execution, Score
from reviewapp.domain.ids import new_id
from reviewapp.errors import Busy, NotFound, StorageError
from reviewapp.evals.kernel import Case, evaluate, in_a_line
from reviewapp.store.block_test_runs import KeptResult, RunFilter
from reviewapp.store.workspace import Workspace
from reviewapp.workflows import get_workflow

__all__ = ["cancel_run", "execute_run", "get_result", "get_run", "list_runs", "results", "start_run"]
log = logging.getLogger(__name__)


def start_run(
    workspace: Workspace, workflow: str, scope: Scope | None = None, *, trigger: Trigger = "manual", by: str
) -> BlockTestRun:
    """Queue a run of every test of a workflow, of one block's, or of one test.

    Raises NotFound (workflow, block, test; also a test of another workflow).
    """
    wanted = scope or WorkflowScope()
    with workspace.atomic():
        active = get_workflow(workspace, workflow).active
        tests = _tests_of(workspace, workflow, wanted)
        id = new_id("wftestrun")
        workspace.block_test_runs.add(id, workflow, active.id, wanted, trigger, tests, by)
        workspace.changed_tests()
    return get_run(workspace, id)


def _tests_of(workspace: Workspace, workflow: str, scope: Scope) -> list[str]:
    if isinstance(scope, SingleScope):
        test = get_test(workspace, scope.test_id)
        if test.workflow != workflow:
            raise NotFound(f"block test of workflow {workflow!r}", scope.test_id, code="test_not_found")
        return [test.id]
    block = scope.block_id if isinstance(scope, BlockScope) else None
    found = [test.id for test in workspace.block_tests.rows(workflow, block=block, newest_first=False)]
    if block is not None and not found:
        block_of(draft_of(workspace, workflow), block)
    return found


def get_run(workspace: Workspace, id: str) -> BlockTestRun:
    """Raises NotFound."""
    found = workspace.block_test_runs.get(id)
    if found is None:
        raise NotFound("run of block tests", id, code="run_not_found")
    return found


def list_runs(workspace: Workspace, workflow: str | None = None, *, limit: int = 50) -> list[BlockTestRun]:
    """Newest first."""
    return workspace.block_test_runs.rows(RunFilter(workflow=workflow), limit=limit)


def results(workspace: Workspace, id: str) -> list[TestResult]:
    """All there are so far, in the order of the run. Raises NotFound."""
    get_run(workspace, id)
    return workspace.block_test_runs.results(id)


def get_result(workspace: Workspace, id: str) -> TestResult:
    """Raises NotFound."""
    found = workspace.block_test_runs.result(id)
    if found is None:
        raise NotFound("result of a block test", id, code="result_not_found")
    return found


def cancel_run(workspace: Workspace, id: str, *, by: str) -> BlockTestRun:
    """End a run; results that are there stay, nothing is added after it. Raises NotFound, also for one that ended."""
    with workspace.atomic():
        run = get_run(workspace, id)
        if run.status in ENDED:
            raise NotFound("open run of block tests", id, code="run_not_found", way_out=f"It has ended ({run.status}).")
        workspace.block_test_runs.cancel(id, _not_run(workspace, run), f"Cancelled by {by}.")
        workspace.trail.note(by, "cancel block tests", id)
        workspace.changed_tests()
    return get_run(workspace, id)


def _not_run(workspace: Workspace, run: BlockTestRun) -> list[tuple[int, KeptResult]]:
    """What a cancelled run did not come to; nothing where its workflow is gone."""
    try:
        draft = draft_of(workspace, run.workflow, run.revision)
    except NotFound:
        return []
    tests = [(place, workspace.block_tests.get(test)) for place, test in workspace.block_test_runs.waiting(run.id)]
    return [(place, result_of_cancelled(run.id, test, draft)) for place, test in tests if test is not None]


def execute_run(workspace: Workspace, id: str, *, go_on: Callable[[], bool] = lambda: True) -> BlockTestRun:
    """Run what a run has not run yet, in this thread, keep every result as it comes, and end the run.

    Stopped by `go_on` it stays `running`, and the next call goes on where it was. A bug of ours makes it `error`, with
    a word. Raises Busy or StorageError as the store does; then it can be gone on with.
    """
    run = get_run(workspace, id)
    if run.status in ENDED:
        return run
    workspace.block_test_runs.mark_running(id)
    try:
        if _Running(workspace, run, go_on).do():
            workspace.block_test_runs.finish(id, "completed")
    except (Busy, StorageError):
        raise
    except Exception as error:
        log.exception("Block tests %s stopped with an error.", id)
        workspace.block_test_runs.finish(id, "error", f"The run stopped with an error: {in_a_line(error)}")
    return get_run(workspace, id)


class _Running:
    """One run at work."""

    def __init__(self, workspace: Workspace, run: BlockTestRun, go_on: Callable[[], bool]) -> None:
        self._workspace = workspace
        self._run = run
        self._draft = draft_of(workspace, run.workflow, run.revision)
        self._judges = judges_of(workspace, self._draft)
        self._writer = Writer(workspace, run.id)
        self._go_on = go_on

    def do(self) -> bool:
        """False where it was stopped or cancelled."""
        waiting = [(p, test) for p, id in self._waiting() if (test := self._workspace.block_tests.get(id)) is not None]
        by_block: dict[str, list[tuple[int, BlockTest]]] = {}
        for position, test in waiting:
            by_block.setdefault(test.block, []).append((position, test))
        return all(self._do_block(id, tests) for id, tests in by_block.items())

    def _waiting(self) -> list[tuple[int, str]]:
        return self._workspace.block_test_runs.waiting(self._run.id)

    def _do_block(self, id: str, tests: Sequence[tuple[int, BlockTest]]) -> bool:
        block = self._draft.block(id)
        if block is None:
            gone = [(position, result_without_block(self._run.id, test, self._draft)) for position, test in tests]
            return self._workspace.block_test_runs.keep(self._run.id, gone)
        target = BlockTarget(self._workspace, self._draft, block)
        left = self._without_reusable(block, tests, takes_over=target.fingerprint is not None)
        judge = AssertionJudge(self._draft.outputs(id), self._judges)
        self._writer.begin(self._draft, block, dict(left))
        try:
            complete = evaluate(
                self._cases(left),
                target,
                {ASSERTION: judge},
                keep=self._writer.keep,
                memory=_Work(self._workspace),
                go_on=lambda: self._writer.is_open and self._go_on(),
            )
            return self._writer.flush() and complete
        finally:
            target.close()

    def _without_reusable(
        self, block: object, tests: Sequence[tuple[int, BlockTest]], *, takes_over: bool
    ) -> list[tuple[int, BlockTest]]:
        """The tests that have no result of before; those that have get it."""
        if not takes_over:
            return list(tests)
        found: list[tuple[int, str]] = []
        left: list[tuple[int, BlockTest]] = []
        for position, test in tests:
            prints = self._draft.fingerprints(block, test.inputs_fingerprint)  # type: ignore[arg-type]
            earlier = self._workspace.block_test_runs.reusable(
                test.id, prints.execution, assertion_fingerprint(test.assertion, self._draft.settings.decide)
            )
            if earlier is None:
                left.append((position, test))
            else:
                found.append((position, earlier))
        if found:
            self._writer.is_open = self._workspace.block_test_runs.take_over(self._run.id, found)
        return left

    def _cases(self, tests: Sequence[tuple[int, BlockTest]]) -> Iterator[Case]:
        for position, test in tests:
            if self._writer.is_due:  # a block that takes long is seen at work
                self._writer.flush()
                self._workspace.block_test_runs.mark_test(self._run.id, test.id)
            yield Case(
                position=position,
                name=test.id,
                inputs={"handle_inputs": test.inputs},
                criteria={ASSERTION: test.assertion},
                inputs_fingerprint=test.inputs_fingerprint,
            )


class _Work:
    """The kernel's memory: outputs of the same block on the same inputs."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    def execution(self, fingerprint: str) -> Execution | None:
        found = self._workspace.block_test_runs.work(fingerprint)
        if found is None:
            return None
        return Execution(
            output={
                "values": found.outputs or {},
                "routing": list(found.routing),
                "warnings": list(found.warnings),
            },
            milliseconds=found.milliseconds,
        )

    def score(self, fingerprint: str) -> Score | None:  # noqa: ARG002 - judged anew every time
        return None
