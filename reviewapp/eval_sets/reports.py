"""What scoring an eval set found: a row per item and evaluator, and the figures over all."""

from __future__ import annotations

from typing import Any, Literal

from reviewapp.domain.base import Model
from reviewapp.domain.eval_sets import Dialect

Verdict = Literal["PASS", "FAIL", "ERROR"]


class ScoreRow(Model):
    """One evaluator on one item."""

    id: str
    """Of the item."""
    item: str
    evaluator: str
    """What items call it by."""
    evaluator_name: str
    verdict: Verdict
    score: float
    inputs: dict[str, Any]
    actual: Any = None
    """The output as the target gave it; None where it failed."""
    expected: Any = None
    """The criteria that the item, or the evaluator's default, has for it."""
    why: str | None = None
    """Of a row that did not pass: the slip, or the error."""
    details: Any = None
    takes_output: bool = False
    """Its criteria hold an expected output, which another output can take the place of."""
    other_dialect: Verdict | None = None
    """What exact match of the other dialect says, where that is something else."""


class ScoreReport(Model):
    """One run of an eval set."""

    kind: Literal["score"] = "score"
    eval_set: str
    """Its name."""
    id: str
    file: str
    """Within the project."""
    dialect: Dialect
    target: str
    rows: tuple[ScoreRow, ...]
    passed: int
    failed: int
    errors: int
    green: bool
    """There is at least one row, and all pass."""
    evaluator_scores: dict[str, float]
    final_score: float
    overall_score: float
    metrics: dict[str, dict[str, Any]] = {}
    result: dict[str, Any] = {}
    """In the package's own shape: evaluationSetName, evaluationSetResults, datasetEvaluatorResults."""
    notes: tuple[str, ...] = ()
    milliseconds: float = 0

    @property
    def failures(self) -> list[ScoreRow]:
        return [row for row in self.rows if row.verdict != "PASS"]

    def summary_line(self) -> str:
        """``3 of 4 pass; failing 'unpaid invoice'``"""
        if not self.rows:
            return "nothing was scored: no item has criteria for an evaluator"
        names = list(dict.fromkeys(row.item for row in self.failures))
        shown, more = ", ".join(repr(name) for name in names[:5]), len(names) - 5
        if not names:
            return f"{self.passed} of {len(self.rows)} pass"
        if more > 0:
            return f"{self.passed} of {len(self.rows)} pass; failing {shown} and {more} more"
        return f"{self.passed} of {len(self.rows)} pass; failing {shown}"
