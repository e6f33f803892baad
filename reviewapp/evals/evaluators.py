"""All evaluators, by name. A further one is a class with `score` and a line here."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from reviewapp.domain.evaluations import Score
from reviewapp.domain.values import RELATIVE_TOLERANCE
from reviewapp.evals.grading import ANSWER_KEY, AnswerKey
from reviewapp.evals.kernel import Evaluator


class Judgement:
    """An evaluator out of a plain function ``(output, criteria) -> Score``; quick ones, made anew every time."""

    fingerprint = None

    def __init__(self, judge: Callable[[Any, Any], Score]) -> None:
        self._judge = judge

    def score(self, inputs: Any, output: Any, trace: tuple[Any, ...], criteria: Any) -> Score:  # noqa: ARG002
        return self._judge(output, criteria)


def equal(output: Any, criteria: Any) -> Score:
    """1 where output and ``criteria["expected"]`` are the same JSON: 1 and 1.0 are, 0.1 + 0.2 and 0.3 are (1e-9
    relative), 1 and true are not; the order of an object's keys does not matter.

    ``criteria["tolerance"]``: two numbers this far apart are equal still (the edge itself included, up to the
    grain of floating point).
    """
    tolerance = criteria.get("tolerance", 0)
    where = _difference(criteria["expected"], output, tolerance, "")
    return Score(value=1) if where is None else Score(value=0, justification=where)


def contains(output: Any, criteria: Any) -> Score:
    """1 where the output, a text, holds ``criteria["text"]``, whatever the case."""
    if not isinstance(output, str):
        return Score(value=0, error=f"the output is {type(output).__name__}, a text was expected")
    wanted = str(criteria["text"])
    if wanted.casefold() in output.casefold():
        return Score(value=1)
    return Score(value=0, justification=f"{wanted!r} is not in the output")


def _difference(expected: Any, found: Any, tolerance: float, place: str) -> str | None:
    """Where and how two JSON values differ first, in words; None: nowhere."""
    at = place or "the output"
    if isinstance(expected, dict) and isinstance(found, dict):
        if odd := sorted(expected.keys() ^ found.keys()):
            return f"{at}: {odd[0]!r} is {'missing' if odd[0] in expected else 'not expected'}"
        return next((d for k in expected if (d := _difference(expected[k], found[k], tolerance, f"{place}.{k}"))), None)
    if isinstance(expected, list) and isinstance(found, list):
        if len(expected) != len(found):
            return f"{at}: {len(found)} entries, expected {len(expected)}"
        inner = enumerate(zip(expected, found, strict=True))
        return next((d for n, (e, f) in inner if (d := _difference(e, f, tolerance, f"{place}[{n}]"))), None)
    if _is_number(expected) and _is_number(found):
        alike = expected == found or math.isclose(expected, found, rel_tol=RELATIVE_TOLERANCE)
        alike = alike or abs(expected - found) <= tolerance * (1 + RELATIVE_TOLERANCE)
    else:
        alike = type(expected) is type(found) and expected == found
    return None if alike else f"{at}: found {found!r}, expected {expected!r}"


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


EVALUATORS: Mapping[str, Evaluator] = {
    ANSWER_KEY: AnswerKey(),
    "equal": Judgement(equal),
    "contains": Judgement(contains),
}
