"""A run of an eval set: what each item's evaluators gave, and the figures that follow."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from reviewapp.domain.eval_sets import EvalItem
from reviewapp.evals.eval_sets.base import RowEvaluator
from reviewapp.evals.eval_sets.configs import ExactMatchConfig
from reviewapp.evals.eval_sets.metrics import aggregated, labels
from reviewapp.evals.eval_sets.rows import RowScore

Loaded = tuple[str, RowEvaluator[Any, Any]]
"""(id, evaluator)."""


@dataclass(frozen=True, slots=True)
class Result:
    """One line of an item's results."""

    evaluator_id: str
    evaluator_name: str
    score: RowScore
    is_line: bool = False


@dataclass(frozen=True, slots=True)
class ItemResult:
    """One item of a run."""

    id: str
    name: str
    results: tuple[Result, ...]
    failed: str | None = None
    """Why the item as a whole failed; every evaluator then has a bare 0."""

    @property
    def score(self) -> float:
        """Plain mean of all results, those of lines included; 0 without any."""
        return sum(one.score.score for one in self.results) / len(self.results) if self.results else 0.0


@dataclass(frozen=True, slots=True)
class RunSummary:
    """What all items come to."""

    evaluator_scores: dict[str, float]
    """By evaluator name."""
    final_score: float
    """Weighted mean over the evaluators that have results."""
    overall_score: float
    """Mean of the items' scores."""
    metrics: dict[str, dict[str, Any]] = field(default_factory=dict)
    """Of aggregators: ``{"<evaluator>::<type>": {"score", "details"}}``."""


def criteria_of(item: EvalItem, id: str, evaluator: RowEvaluator[Any, Any]) -> dict[str, Any] | None:
    """The item's own criteria, filled up with its ``expectedOutput``; None (also for ``{}``): the default's turn."""
    given = item.evaluation_criterias[id]
    if evaluator.takes_expected_output and item.expected_output is not None:
        given = {"expectedOutput": item.expected_output, **(given or {})}
    return given or None


def summarise(
    items: Sequence[ItemResult], evaluators: Iterable[Loaded], weights: Mapping[str, float] | None = None
) -> RunSummary:
    """The figures of a run. `weights` by evaluator name, 1 where it has none."""
    by_name = {evaluator.name: evaluator for _, evaluator in evaluators}
    merged = _merged(items)
    scores = {name: by_name[name].reduce([_mean(group) for group in groups]) for name, groups in merged.items()}
    given = weights or {}
    whole = sum(given.get(name, 1.0) for name in scores)
    final = sum(score * given.get(name, 1.0) for name, score in scores.items()) / whole if whole else 0.0
    overall = sum(item.score for item in items) / len(items) if items else 0.0
    return RunSummary(scores, final, overall, _metrics(by_name, merged))


def _merged(items: Sequence[ItemResult]) -> dict[str, list[list[RowScore]]]:
    """By evaluator name: the scores of each item name, those of equal names together, without lines.

    In the package's order, item name by item name: sums of floats in another order end in another digit.
    """
    by_item: dict[str, dict[str, list[RowScore]]] = {}
    for item in items:
        groups = by_item.setdefault(item.name, {})
        for one in item.results:
            if not one.is_line:
                groups.setdefault(one.evaluator_name, []).append(one.score)
    found: dict[str, list[list[RowScore]]] = {}
    for groups in by_item.values():
        for name, scores in groups.items():
            found.setdefault(name, []).append(scores)
    return found


def _mean(group: Sequence[RowScore]) -> RowScore:
    if len(group) == 1:
        return group[0]
    return RowScore(sum(score.score for score in group) / len(group), group[0].details)


def _metrics(
    by_name: Mapping[str, RowEvaluator[Any, Any]], merged: Mapping[str, list[list[RowScore]]]
) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    for name, evaluator in by_name.items():
        if isinstance(evaluator.config, ExactMatchConfig):
            # Of several scores of one item, one that has labels.
            rows = [next((one for one in group if labels(one)), group[0]) for group in merged.get(name, [])]
            found |= aggregated(name, evaluator.config, rows)
    return found
