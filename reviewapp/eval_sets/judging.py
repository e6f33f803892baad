"""Evaluators of eval sets as evaluators of the kernel."""

from __future__ import annotations

from typing import Any

from reviewapp.domain.evaluations import Score
from reviewapp.eval_sets.custom import CustomEvaluator
from reviewapp.eval_sets.made_inputs import inputs_in
from reviewapp.evals.eval_sets.base import RowEvaluator
from reviewapp.evals.eval_sets.faults import Fault
from reviewapp.evals.eval_sets.rows import Row, RowScore
from reviewapp.evals.eval_sets.strict import strict_verdict, wrapped

BEHAVIOUR = "behaviour"
"""In a case's inputs: the item's ``expectedAgentBehavior``."""
OUTSIDE = "outside"
"""In the details of a score: it was not scoring that failed, so the item failed for every evaluator."""


class PackageEvaluator:
    """One of the thirteen types. Details: ``{"details", "counted"?, "lines": [{"score", "details", "counted"?}],
    "outside"?: true}``."""

    fingerprint = None

    def __init__(self, evaluator: RowEvaluator[Any, Any]) -> None:
        self._evaluator = evaluator

    def score(self, inputs: Any, output: Any, trace: tuple[Any, ...], criteria: Any) -> Score:
        try:
            scored = self._evaluator.evaluate(Row(output or {}, _inputs(inputs, trace), trace), criteria or None)
        except Fault as fault:
            return Score(value=0, error=fault.said, details={OUTSIDE: True})
        return Score(
            value=scored.score,
            details={**_told(scored), "lines": [_told(line) | {"score": line.score} for line in scored.lines]},
            error=None if scored.error is None else scored.error.said,
        )


class CustomJudging:
    """A custom evaluator, with the details in the same shape."""

    fingerprint = None

    def __init__(self, evaluator: CustomEvaluator) -> None:
        self._evaluator = evaluator

    def score(self, inputs: Any, output: Any, trace: tuple[Any, ...], criteria: Any) -> Score:
        try:
            behaviour = inputs.get(BEHAVIOUR)
            scored = self._evaluator.score(
                _inputs(inputs, trace), output or {}, trace, criteria or None, behaviour=behaviour
            )
        except Fault as fault:
            return Score(value=0, error=fault.said, details={OUTSIDE: True})
        return scored.model_copy(update={"details": {"details": scored.details, "lines": []}})


class StrictEvaluator:
    """The API workflows' exact match."""

    fingerprint = None

    def __init__(self, target: Any) -> None:
        self._target = target

    def score(self, inputs: Any, output: Any, trace: tuple[Any, ...], criteria: Any) -> Score:  # noqa: ARG002
        if not isinstance(criteria, dict) or criteria.get("expectedOutput") is None:
            return Score(value=0, error="The item has no expectedOutput for this evaluator.")
        verdict = strict_verdict(wrapped(output), criteria["expectedOutput"], self._target)
        details = {"expected": criteria["expectedOutput"], "actual": wrapped(output)}
        return Score(value=float(verdict == "PASS"), details={"details": details, "lines": []})


class FaultyEvaluator:
    """Stands for one that is missing or cannot be read: every row is an error."""

    fingerprint = None

    def __init__(self, fault: str) -> None:
        self._fault = fault

    def score(self, inputs: Any, output: Any, trace: tuple[Any, ...], criteria: Any) -> Score:  # noqa: ARG002
        return Score(value=0, error=self._fault)


def _inputs(inputs: Any, trace: tuple[Any, ...]) -> Any:
    """The item's own, or those that were made for it, out of a case's."""
    return inputs_in(inputs["inputs"], trace)


def _told(scored: RowScore) -> dict[str, Any]:
    return {"details": scored.details} | ({} if scored.counted == scored.score else {"counted": scored.counted})
