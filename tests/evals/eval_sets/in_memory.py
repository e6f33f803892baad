"""A set scored on outputs that are there, as `reviewapp score` does it, without files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from reviewapp.domain.eval_sets import EvalSet
from reviewapp.domain.evaluations import Execution
from reviewapp.eval_sets.loading import LoadedEvaluator, LoadedSet
from reviewapp.eval_sets.reports import ScoreReport
from reviewapp.eval_sets.scoring import score_set
from reviewapp.evals.kernel import Case
from reviewapp.formats.eval_sets.documents import Document


class Given:
    """A target whose executions are there, by item id."""

    fingerprint = None
    runs_code = reads_inputs = False

    def __init__(self, executions: Mapping[str, Execution]) -> None:
        self._executions = executions

    def run(self, case: Case) -> Execution:
        return self._executions[case.inputs["id"]]

    def close(self) -> None: ...


def scored_in_memory(
    eval_set: EvalSet,
    evaluators: Iterable[tuple[str, Any]],
    executions: Mapping[str, Execution],
    weights: Mapping[str, float] | None,
) -> ScoreReport:
    """`evaluators`: (id, evaluator); `weights` by evaluator name."""
    loaded = LoadedSet(
        Path(),
        "package",
        Document(Path("s.json"), "", {}, ""),
        eval_set,
        tuple(LoadedEvaluator(id, one.name, None, one) for id, one in evaluators),
        weights or {},
    )
    return score_set(loaded, Given(executions), target_name="given")


def items_of(report: ScoreReport) -> list[dict[str, Any]]:
    """The items in the package's own shape."""
    found: list[dict[str, Any]] = report.result["evaluationSetResults"]
    return found
