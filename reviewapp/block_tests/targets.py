"""A block as a target of the evaluation kernel, and an assertion as its evaluator.

Case inputs: ``{"handle_inputs": HandleInputs}``. Output: ``{"values", "routing", "warnings"}``. Criteria: an
`Assertion`; the score is 1 where it passed and its details are an `AssertionResult`.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from reviewapp.block_tests.drafts import Draft
from reviewapp.calls import CallDesk
from reviewapp.domain.block_tests import AssertionFailure, AssertionResult, HandleInputs
from reviewapp.domain.blocks import Block, Schema
from reviewapp.domain.conditions import Assertion
from reviewapp.domain.evaluations import Execution, Score
from reviewapp.evals.conditions import Judges, judge_assertion
from reviewapp.evals.conditions.outcomes import EXECUTION_ERROR
from reviewapp.evals.kernel import Case
from reviewapp.extraction.blocks import BlockFailed, Given, Runner, make_runner
from reviewapp.store.workspace import Workspace

ASSERTION = "assertion"
"""The one evaluator of a block test."""


class BlockTarget:
    """One block of a draft. Its runner is made at the first case that needs it; `close` it at the end."""

    def __init__(self, workspace: Workspace, draft: Draft, block: Block) -> None:
        self._workspace = workspace
        self._draft = draft
        self._block = block
        self._runner: Runner | None = None
        config = draft.config(block)
        self.fingerprint: str | None = config.fingerprint if config.is_whole else None

    def run(self, case: Case) -> Execution:
        begun = time.perf_counter()
        try:
            made = self._made().run(given(self._workspace, case.inputs["handle_inputs"]))
        except BlockFailed as failed:
            return Execution(failed=failed.message, trace=(failed.raw,), milliseconds=_since(begun))
        return Execution(
            output={"values": dict(made.values), "routing": list(made.routing), "warnings": list(made.warnings)},
            milliseconds=_since(begun),
            cost_micro_usd=made.cost_micro_usd,
        )

    def _made(self) -> Runner:
        if self._runner is None:
            self._runner = make_runner(
                self._block,
                self._draft.settings,
                self._draft.evidence,
                desk_of(self._workspace, self._draft.workflow),
            )
        return self._runner

    def close(self) -> None:
        close = getattr(self._runner, "close", None)
        if close is not None:
            close()


def desk_of(workspace: Workspace, workflow: str) -> CallDesk:
    """Where the models of a workflow's blocks are asked; every call is in the log."""
    return CallDesk(workspace, scope="trial", workflow=workflow)


def _since(begun: float) -> float:
    return round((time.perf_counter() - begun) * 1e3, 3)


def given(workspace: Workspace, inputs: HandleInputs) -> dict[str, Given]:
    """Frozen inputs as a block takes them."""
    found: dict[str, Given] = {}
    for handle, value in inputs.items():
        if value.type == "json":
            found[handle] = Given(value.data)
        else:
            document = value.document
            text = workspace.block_tests.file_text(document.content_fingerprint or "")
            found[handle] = Given(document.model_dump(mode="json"), text, document.filename)
    return found


class AssertionJudge:
    """Judges what a block gave; quick, so always made anew."""

    fingerprint = None

    def __init__(self, declared: Mapping[str, Schema], judges: Judges) -> None:
        self._declared = declared
        self._judges = judges

    def score(self, inputs: Any, output: Any, trace: tuple[Any, ...], criteria: Assertion) -> Score:  # noqa: ARG002
        result = judged(output["values"], self._declared, criteria, self._judges)
        return Score(value=float(result.outcome == "passed"), details=result.model_dump(mode="json"))


def judged(
    values: Mapping[str, Any], declared: Mapping[str, Schema], assertion: Assertion, judges: Judges
) -> AssertionResult:
    judgement = judge_assertion(values, declared, assertion, judges)
    failure = judgement.failure
    unreachable = failure is not None and failure.code == EXECUTION_ERROR
    return AssertionResult(
        assertion_id=assertion.id or "",
        condition_kind=assertion.condition.kind,
        outcome=judgement.outcome,
        status="error" if unreachable else judgement.outcome,
        actual_value=judgement.actual,
        expected_value=judgement.expected,
        score=judgement.score,
        threshold=judgement.threshold,
        metric_kind=judgement.metric,
        assertion_label=assertion.label,
        failure=None
        if failure is None
        else AssertionFailure(code=failure.code, message=failure.message, details=failure.details),
    )


def not_judged(assertion: Assertion, code: str, message: str) -> AssertionResult:
    """What there is to say of an assertion whose block gave nothing (`BLOCK_FAILED`), or that could not be judged."""
    from reviewapp.evals.conditions.rules import expected_of

    return AssertionResult(
        assertion_id=assertion.id or "",
        condition_kind=assertion.condition.kind,
        outcome="blocked",
        status="error" if code == EXECUTION_ERROR else "blocked",
        expected_value=expected_of(assertion.condition),
        assertion_label=assertion.label,
        failure=AssertionFailure(code=code, message=message, details={"partial_path": "", "partial_value": None}),
    )
