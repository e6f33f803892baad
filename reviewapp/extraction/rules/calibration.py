"""From the choice's own probability to the support that people's answers bear out (Platt scaling)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, log

ROUNDS = 50
_SURE = 1e-6
SLOPE_SPREAD, SHIFT_SPREAD = 0.2, 0.4
"""How far a few answers may bend the scale (standard deviations of the prior around the one before)."""


@dataclass(frozen=True)
class Scale:
    """support = logistic(slope × logit(probability) + shift)."""

    slope: float = 1.0
    shift: float = 0.0
    ceiling: float = 1.0
    """Most support there is, however sure the choice."""

    def __call__(self, probability: float) -> float:
        return self.ceiling * _logistic(self.slope * _logit(probability) + self.shift)


PLAIN = Scale()
DEFAULT = Scale(0.9, -0.2)
"""The choice is a little surer of itself on texts unlike those its weights were fitted to (sets left out, bench)."""
CAUTIOUS = 0.79
"""Below the usual gate: a person looks at it first."""
BY_SHAPE: dict[str, Scale] = {
    **dict.fromkeys(("quantity", "number"), Scale(0.9, 0.3)),
    "date": Scale(0.75, 0.2),
    "place": PLAIN,
    **dict.fromkeys(("address", "text", "duration"), Scale(DEFAULT.slope, DEFAULT.shift, CAUTIOUS)),
}
"""Numbers with the right unit and places were right more often than the choice said, also on sets left out
(``bench.fit_weights --scale``); days less often where it was very sure and more often where it was not. Of words
without a form of their own (where an address begins and ends, what a term is called) nothing is written without a
person, until answers bear it out."""
SURE, SURE_ENOUGH = 0.8, 100
"""A shape's ceiling is lifted when so many sure values were answered and all were right."""


def _logit(p: float) -> float:
    p = min(1 - _SURE, max(_SURE, p))
    return log(p / (1 - p))


def _logistic(x: float) -> float:
    return 1 / (1 + exp(-x)) if x >= 0 else exp(x) / (1 + exp(x))


def fit_scale(outcomes: Sequence[tuple[float, bool]], before: Scale = PLAIN) -> Scale:
    """The scale that makes (probability, was it right) likeliest, near the one `before` where there are few outcomes.

    Newton's method on two parameters; without outcomes the scale `before`. Its ceiling stays unless outcomes lift it.
    """
    slope, shift = before.slope, before.shift
    points = [(_logit(p), float(right)) for p, right in outcomes]
    for _ in range(ROUNDS if points else 0):
        g0, g1 = (slope - before.slope) / SLOPE_SPREAD**2, (shift - before.shift) / SHIFT_SPREAD**2
        h00, h01, h11 = 1 / SLOPE_SPREAD**2, 0.0, 1 / SHIFT_SPREAD**2
        for x, right in points:
            p = _logistic(slope * x + shift)
            g0 += (p - right) * x
            g1 += p - right
            bend = p * (1 - p)
            h00 += bend * x * x
            h01 += bend * x
            h11 += bend
        determinant = h00 * h11 - h01 * h01
        step0, step1 = (h11 * g0 - h01 * g1) / determinant, (h00 * g1 - h01 * g0) / determinant
        slope, shift = max(0.05, slope - step0), shift - step1
        if abs(step0) + abs(step1) < 1e-9:
            break
    scale = Scale(slope, shift)
    sure = [right for p, right in outcomes if scale(p) >= SURE]
    lifted = len(sure) >= SURE_ENOUGH and all(sure)
    return scale if lifted else Scale(slope, shift, before.ceiling)
