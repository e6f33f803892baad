"""Figures over all rows of a set: precision, recall, F of classifications, aggregators, matrices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from reviewapp.evals.eval_sets.configs import Aggregator, ExactMatchConfig, FScore, Matrix
from reviewapp.evals.eval_sets.rows import RowScore

Grid = list[list[int]]
"""``grid[predicted][expected]``."""
Counts = tuple[int, int, int]
"""True positives, false positives, false negatives."""


@dataclass(frozen=True, slots=True)
class Triple:
    precision: float
    recall: float
    f: float

    def plain(self) -> dict[str, float]:
        return {"precision": self.precision, "recall": self.recall, "fScore": self.f}

    def named(self, metric: str) -> float:
        return {"precision": self.precision, "recall": self.recall}.get(metric, self.f)


def triple(counts: Counts, beta: float) -> Triple:
    """Where a denominator is 0 the figure is 0."""
    tp, fp, fn = counts
    precision = tp / (tp + fp) if tp + fp else 0.0
    recall = tp / (tp + fn) if tp + fn else 0.0
    return Triple(precision, recall, _f(precision, recall, beta))


def _f(precision: float, recall: float, beta: float) -> float:
    square = beta * beta
    denominator = square * precision + recall
    return (1 + square) * precision * recall / denominator if denominator > 0 else 0.0


def labels(score: RowScore) -> tuple[str, str] | None:
    """(expected, predicted) of a row; None where it has none (an error, a line-by-line score)."""
    details = score.details
    if not isinstance(details, dict):
        return None
    expected, actual = details.get("expected"), details.get("actual")
    return (expected, actual) if isinstance(expected, str) and isinstance(actual, str) else None


def binary(scores: Sequence[RowScore], positive: str, beta: float) -> Triple:
    """Of one label against all others; rows without labels drop out."""
    positive = positive.lower()
    tp = fp = fn = 0
    for found in map(labels, scores):
        if found is not None:
            expected, predicted = (label == positive for label in found)
            tp += expected and predicted
            fp += predicted and not expected
            fn += expected and not predicted
    return triple((tp, fp, fn), beta)


def multiclass(scores: Sequence[RowScore], classes: Sequence[str], averaging: str, beta: float) -> Triple:
    """Over rows with both labels among the classes. A label listed twice counts twice, its copy with nothing."""
    folded = [label.lower() for label in classes]
    place = {label: number for number, label in reversed(list(enumerate(folded)))}
    grid: Grid = [[0] * len(folded) for _ in folded]
    for found in map(labels, scores):
        if found is not None and found[0] in place and found[1] in place:
            grid[place[found[1]]][place[found[0]]] += 1
    counts = _counts(grid)
    if averaging == "micro":
        return triple(_summed(counts), beta)
    return _mean([triple(row, beta) for row in counts])


def _summed(counts: Sequence[Counts]) -> Counts:
    return sum(row[0] for row in counts), sum(row[1] for row in counts), sum(row[2] for row in counts)


def _counts(grid: Grid) -> list[Counts]:
    """By class."""
    expected = [sum(column) for column in zip(*grid, strict=True)]
    return [(row[n], sum(row) - row[n], expected[n] - row[n]) for n, row in enumerate(grid)]


def _mean(triples: Sequence[Triple]) -> Triple:
    if not triples:
        return Triple(0.0, 0.0, 0.0)
    number = len(triples)
    return Triple(
        sum(one.precision for one in triples) / number,
        sum(one.recall for one in triples) / number,
        sum(one.f for one in triples) / number,
    )


# -- aggregators of exact match ------------------------------------------------------------------------------------


def aggregated(name: str, config: ExactMatchConfig, scores: Sequence[RowScore]) -> dict[str, dict[str, Any]]:
    """``{"<evaluator>::<type>": {"score", "details"}}`` beside the evaluator's mean; empty without aggregators."""
    wanted = list({one.model_dump_json(): one for one in config.aggregators or ()}.values())
    if not wanted:
        return {}
    classes = config.classes or []
    grid, missed, skipped = _grid(classes, scores)
    head: dict[str, Any] = {
        "classes": list(classes),
        "confusionMatrix": grid,
        "nTotal": len(scores),
        "nScored": len(scores) - skipped,
        "nSkipped": skipped,
    }
    kinds = [one.type for one in wanted]
    found: dict[str, dict[str, Any]] = {}
    for one in wanted:
        key = f"{name}::{one.type}"
        if isinstance(one, Matrix):
            found[key] = {"score": 0.0, "details": {"metric": one.type, **head}}
            continue
        if kinds.count(one.type) > 1:
            key += f".{one.averaging}" + (f".fb{one.f_value}" if isinstance(one, FScore) else "")
        found[key] = _figures(one, head, classes, grid, missed)
    return found


def _grid(classes: Sequence[str], scores: Sequence[RowScore]) -> tuple[Grid, list[int], int]:
    """The matrix, the misses outside its labels by expected class, and the rows passed over."""
    place = {label.lower(): number for number, label in enumerate(classes)}
    grid: Grid = [[0] * len(classes) for _ in classes]
    missed = [0] * len(classes)
    skipped = 0
    for score in scores:
        found = labels(score)
        expected = None if found is None else place.get(found[0].lower())
        if found is None or expected is None:
            skipped += 1
            continue
        predicted = place.get(found[1].lower())
        if predicted is None:
            missed[expected] += 1
        else:
            grid[predicted][expected] += 1
    return grid, missed, skipped


def _figures(
    one: Aggregator, head: dict[str, Any], classes: Sequence[str], grid: Grid, missed: Sequence[int]
) -> dict[str, Any]:
    assert not isinstance(one, Matrix)  # noqa: S101 - the caller has parted it
    beta = one.f_value if isinstance(one, FScore) else 1.0
    counts = [(tp, fp, fn + missed[n]) for n, (tp, fp, fn) in enumerate(_counts(grid))]
    each = [triple(row, beta) for row in counts]
    macro = _mean(each)
    micro = triple(_summed(counts), beta)
    per_class = {
        label: {
            "tp": tp,
            "tn": head["nScored"] - tp - fp - fn,
            "fp": fp,
            "fn": fn,
            "support": tp + fn,
            **figures.plain(),
        }
        for label, (tp, fp, fn), figures in zip(classes, counts, each, strict=True)
    }
    chosen = micro if one.averaging == "micro" else macro
    details = {
        "metric": one.type,
        **head,
        "averaging": one.averaging,
        "fValue": beta,
        "perClass": per_class,
        "macro": macro.plain(),
        "micro": micro.plain(),
    }
    return {"score": chosen.named(one.type), "details": details}
