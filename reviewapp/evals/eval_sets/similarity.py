"""JSON similarity: how many of the expected leaves are there, in part where numbers or texts come near."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from rapidfuzz.distance import Levenshtein

from reviewapp.evals.eval_sets.configs import SimilarityConfig
from reviewapp.evals.eval_sets.criteria import OutputCriteria
from reviewapp.evals.eval_sets.faults import Fault
from reviewapp.evals.eval_sets.outputs import ExpectedOutputEvaluator
from reviewapp.evals.eval_sets.rows import Row, RowScore, failed
from reviewapp.evals.eval_sets.values import text_form

NEARLY_ZERO = 1e-12
CELLS = 40_000_000_000
"""Most pairs of characters of texts that differ, all of a row together, a second or two; beyond it it is an error."""
TOO_LONG = "OverflowError"
_left: ContextVar[list[int]] = ContextVar("left")
"""Of them for the row at hand, as the one entry of a list."""


@contextmanager
def limited() -> Iterator[None]:
    """Within it, `compare` counts what it compares."""
    token = _left.set([CELLS])
    try:
        yield
    finally:
        _left.reset(token)


class JsonSimilarity(ExpectedOutputEvaluator[SimilarityConfig]):
    """Matched share of the leaves of the expected output; keys and entries beyond it are free."""

    type_id = "uipath-json-similarity"
    class_name = "JsonSimilarityEvaluator"
    config_type = SimilarityConfig

    def evaluate(self, row: Row, criteria: Any) -> RowScore:
        with limited():  # all lines of a row together
            scored = super().evaluate(row, criteria)
        over = next((line.error for line in scored.lines if line.error and line.error.type == TOO_LONG), None)
        return scored if over is None else failed(over)

    def score(self, row: Row, criteria: OutputCriteria) -> RowScore:
        expected, actual = self.expected(criteria), self.actual(row)
        matched, total = compare(expected, actual)
        similarity = matched / total if total else 1.0
        return RowScore(
            max(0.0, min(1.0, similarity)),
            lambda: {
                "expected": text_form(expected),
                "actual": text_form(actual),
                "matched_leaves": matched,
                "total_leaves": total,
            },
        )


def compare(expected: Any, actual: Any) -> tuple[float, float]:
    """(matched, total) leaves of the expected value. Both with floats as their only numbers. Within `limited`.

    Sums are made level by level, as the package makes them: floats added in another order end in another digit.
    """
    kind = type(expected)
    if kind is not type(actual):
        return 0.0, float(leaves(expected))
    if kind is str:
        return (1.0 if expected == actual else _text_similarity(expected, actual)), 1.0
    if kind is float:
        return _number_similarity(expected, actual), 1.0
    matched = total = 0.0
    if kind is dict:
        for key, value in expected.items():
            if key in actual:
                # Leaves are settled here: a call for each would cost more than the comparison.
                other = actual[key]
                inner = type(value)
                if (inner is str or inner is float) and value == other and inner is type(other):
                    matched += 1.0
                    total += 1.0
                    continue
                part, whole = compare(value, other)
                matched += part
                total += whole
            else:
                total += leaves(value)
        return matched, total
    if kind is list:
        for value, other in zip(expected, actual, strict=False):
            part, whole = compare(value, other)
            matched += part
            total += whole
        for value in expected[len(actual) :]:
            total += leaves(value)
        return matched, total
    return float(expected == actual), 1.0


def leaves(value: Any) -> float:
    """How many leaves it has; an empty object or list has none."""
    if isinstance(value, dict):
        return sum(leaves(inner) for inner in value.values())
    if isinstance(value, list):
        return sum(leaves(inner) for inner in value)
    return 1.0


def _number_similarity(expected: float, actual: float) -> float:
    """Falls off in a line with the relative difference; no band of tolerance."""
    if abs(expected) <= NEARLY_ZERO:
        return float(abs(actual) <= NEARLY_ZERO)
    return max(0.0, min(1.0, 1.0 - abs(expected - actual) / abs(expected)))


def _text_similarity(expected: str, actual: str) -> float:
    longest, left = max(len(expected), len(actual)), _left.get()
    left[0] -= len(expected) * len(actual)
    if left[0] < 0:
        raise Fault(
            "evaluate",
            f"Two texts of {len(expected):,} and {len(actual):,} characters, with those before them, are too long to "
            "compare by edits; use exact match or contains for them, or a targetOutputKey that names a shorter part.",
            type=TOO_LONG,
        )
    return max(0.0, min(1.0, 1.0 - Levenshtein.distance(expected, actual) / longest))
