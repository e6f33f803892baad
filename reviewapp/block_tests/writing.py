"""From what the kernel found to results that stay."""

from __future__ import annotations

import logging
import time
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from reviewapp.block_tests.drafts import Draft
from reviewapp.block_tests.targets import ASSERTION, not_judged
from reviewapp.domain.block_tests import AssertionResult, BlockError, BlockTest, Fingerprints, TestResult
from reviewapp.domain.blocks import Block
from reviewapp.domain.choices import ModelName
from reviewapp.domain.conditions import Assertion
from reviewapp.domain.evaluations import CaseResult, Score
from reviewapp.domain.ids import content_hash, new_id
from reviewapp.evals.conditions.outcomes import BLOCK_FAILED, EXECUTION_ERROR
from reviewapp.store.block_test_runs import KeptResult
from reviewapp.store.workspace import Workspace

log = logging.getLogger(__name__)
COMMIT_SECONDS: Final = 0.25
COMMIT_RESULTS: Final = 200


def assertion_fingerprint(assertion: Assertion, judge: ModelName | None) -> str:
    """Of what is asserted and, where a model judges, of that model."""
    content = assertion.model_dump(mode="json", by_alias=True)
    inner: Any = assertion.condition
    while (deeper := getattr(inner, "condition", None)) is not None:
        inner = deeper
    asks = inner.kind in ("llm_judged_as", "llm_not_judged_as")
    return content_hash([content, judge.model_dump() if asks and judge else None])


class Writer:
    """Commits results a few times a second, and learns thereby whether the run was cancelled."""

    def __init__(self, workspace: Workspace, run: str) -> None:
        self._workspace = workspace
        self._run = run
        self._waiting: list[tuple[int, KeptResult]] = []
        self._next = 0.0
        self.is_open = True
        """False once the run was cancelled: nothing is kept any more."""

    @property
    def is_due(self) -> bool:
        return time.monotonic() >= self._next

    def begin(self, draft: Draft, block: Block, tests: Mapping[int, BlockTest]) -> None:
        """Whose results come now, by position."""
        self._draft, self._block, self._tests = draft, block, tests

    def keep(self, case: CaseResult) -> None:
        test = self._tests[case.position]
        self._waiting.append((case.position, self._kept(test, case)))
        if len(self._waiting) >= COMMIT_RESULTS or self.is_due:
            self.flush()

    def flush(self) -> bool:
        """False where the run has ended meanwhile."""
        self._next = time.monotonic() + COMMIT_SECONDS
        waiting, self._waiting = self._waiting, []
        if self.is_open:
            if waiting:
                self.is_open = self._workspace.block_test_runs.keep(self._run, waiting)
            else:
                self.is_open = self._workspace.block_test_runs.status(self._run) == "running"
        return self.is_open

    def _kept(self, test: BlockTest, case: CaseResult) -> KeptResult:
        execution = case.execution
        prints = self._draft.fingerprints(self._block, test.inputs_fingerprint)
        if execution.failed is not None:
            raw = next((piece for piece in execution.trace if isinstance(piece, str)), None)
            error = BlockError(message=execution.failed, code=BLOCK_FAILED, raw=raw)
            milliseconds = execution.milliseconds
            return _kept(self._run, test, self._block.type, prints, error=error, milliseconds=milliseconds)
        score = case.scores[ASSERTION]
        verdict = self._verdict(test, score)
        return _kept(
            self._run,
            test,
            self._block.type,
            prints,
            judge=self._draft.settings.decide,
            verdict=verdict,
            output=execution.output,
            milliseconds=execution.milliseconds,
            block_work=case.execution_fingerprint,
        )

    def _verdict(self, test: BlockTest, score: Score) -> AssertionResult:
        """A rule of ours that raises costs its own test only."""
        if score.error is None:
            return AssertionResult.model_validate(score.details)
        log.error("Block test %s could not be judged: %s", test.id, score.error)
        return not_judged(test.assertion, EXECUTION_ERROR, f"The condition stopped with an error ({score.error}).")


def _kept(
    run: str,
    test: BlockTest,
    block_type: str,
    prints: Fingerprints,
    *,
    judge: ModelName | None = None,
    verdict: AssertionResult | None = None,
    error: BlockError | None = None,
    output: Any = None,
    milliseconds: float = 0,
    block_work: str | None = None,
) -> KeptResult:
    finished = datetime.now(UTC)
    result = TestResult(
        id=new_id("wfnodetestrun"),
        run=run,
        test=test.id,
        workflow=test.workflow,
        block=test.block,
        block_type=block_type,
        source=test.source,
        inputs_fingerprint=test.inputs_fingerprint,
        lifecycle="error" if error else "completed",
        outcome=None if verdict is None else verdict.outcome,
        error=error,
        outputs=None if output is None else output["values"],
        routing=() if output is None else tuple(output["routing"]),
        warnings=() if output is None else tuple(output["warnings"]),
        assertion_result=verdict or (not_judged(test.assertion, BLOCK_FAILED, error.message) if error else None),
        fingerprints=prints,
        started=finished - timedelta(milliseconds=milliseconds),
        finished=finished,
        milliseconds=max(0, round(milliseconds)),
    )
    return KeptResult(
        result=result,
        assertion_fingerprint=assertion_fingerprint(test.assertion, judge),
        block_work=block_work,
        to_reuse=block_work is not None and verdict is not None and verdict.status != "error",
    )


def result_without_block(run: str, test: BlockTest, draft: Draft) -> KeptResult:
    there = ", ".join(block.id for block in draft.blocks)
    message = f"Workflow {test.workflow!r} has no block {test.block!r} any more; it has {there}."
    return _kept(run, test, "unknown", _prints(test, draft), error=BlockError(message=message, code="block_not_found"))


def result_of_cancelled(run: str, test: BlockTest, draft: Draft) -> KeptResult:
    block = draft.block(test.block)
    kept = _kept(run, test, block.type if block else "unknown", _prints(test, draft))
    result = kept.result.model_copy(update={"lifecycle": "cancelled"})
    return KeptResult(result, kept.assertion_fingerprint, None, False)


def _prints(test: BlockTest, draft: Draft) -> Fingerprints:
    block = draft.block(test.block)
    if block is not None:
        return draft.fingerprints(block, test.inputs_fingerprint)
    return Fingerprints(
        handle_inputs=test.inputs_fingerprint,
        block_config="",
        workflow_draft=draft.fingerprint,
        execution="",
    )
