"""From the choice's own probability to the support that people's answers bear out (Platt scaling)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, log

ROUNDS = 50
_SURE = 1e-6
KNEE = 0.7
"""Support up to which a ceiling changes nothing."""
SLOPE_SPREAD, SHIFT_SPREAD = 0.2, 1.0
"""How far a few answers may bend the scale (standard deviations of the prior around the one before)."""
LONGEST_STEP = 1.0
"""Of slope and shift together; far from the answer a full step of Newton's method overshoots."""
BORNE_OUT = 3.0
"""A new scale must make the outcomes likelier by so much (nats), which two parameters do by chance once in twenty times
(the likelihood-ratio test at 95 %)."""


@dataclass(frozen=True)
class Scale:
    """support = logistic(slope × logit(probability) + shift)."""

    slope: float = 1.0
    shift: float = 0.0
    ceiling: float = 1.0
    """Most support there is, however sure the choice; what lies above `KNEE` is pressed together below it."""

    def __call__(self, probability: float) -> float:
        support = _logistic(self.slope * _logit(probability) + self.shift)
        if support <= KNEE or self.ceiling >= 1:
            return support
        return KNEE + (support - KNEE) * (self.ceiling - KNEE) / (1 - KNEE)


PLAIN = Scale()
DEFAULT = Scale(0.9, -0.2)
"""The choice is a little surer of itself on texts unlike those its weights were fitted to."""
CAUTIOUS = 0.775
"""Below the usual gate, the quote's own score included (`support`): a person looks at it first."""
BY_SHAPE: dict[str, Scale] = {
    "name": Scale(0.85, 0.0),
    "money": Scale(0.65, 0.2),
    "date": Scale(0.9, 0.9),
    "quantity": Scale(0.45, 1.2),
    "number": Scale(0.8, 0.8),
    "place": Scale(1.2, 0.5),
    "unit": Scale(0.6, 0.5),
    "address": Scale(0.45, 0.6, CAUTIOUS),
    "duration": Scale(0.85, 0.0, CAUTIOUS),
    "measure": Scale(0.3, 0.1, CAUTIOUS),
    "text": Scale(1.3, -1.2),
}
"""Set by what weights gave that had never seen the papers' issuers (``bench.held_out``), a little below that where sets
that had no part at all were right less often. Of words without a form of their own (where an address begins and ends,
what a term is called) nothing is written without a person, until answers bear it out; of other texts only what stands
behind a label of the property's own name."""
BY_CONCEPT: dict[str, Scale] = {"effective_date": Scale(0.5, 0.0)}
"""An agreement has several dates, of which its readers themselves do not always agree which one counts."""
SURE, SURE_ENOUGH = 0.8, 100
"""A shape's ceiling is lifted when so many sure values were answered and all were right."""


def default_scale(shape: str, concept: str | None) -> Scale:
    """The scale of a property that nothing was learnt about."""
    return BY_CONCEPT.get(concept or "") or BY_SHAPE.get(shape, DEFAULT)


def _logit(p: float) -> float:
    p = min(1 - _SURE, max(_SURE, p))
    return log(p / (1 - p))


def _logistic(x: float) -> float:
    return 1 / (1 + exp(-x)) if x >= 0 else exp(x) / (1 + exp(x))


def fit_scale(outcomes: Sequence[tuple[float, bool]], before: Scale = PLAIN) -> Scale:
    """The scale that makes (probability, was it right) likeliest, near the one `before` where there are few outcomes.

    Where the outcomes are hardly likelier by it, which chance alone would bring about, the scale `before` stays. Its
    ceiling stays unless outcomes lift it.
    """
    points = [(_logit(p), right) for p, right in outcomes]
    fitted = _fitted(points, before)
    gained = _likelihood(points, fitted) - _likelihood(points, before)
    scale = fitted if gained >= BORNE_OUT else Scale(before.slope, before.shift)
    sure = [right for p, right in outcomes if scale(p) >= SURE]
    lifted = len(sure) >= SURE_ENOUGH and all(sure)
    return scale if lifted else Scale(scale.slope, scale.shift, before.ceiling)


def _likelihood(points: Sequence[tuple[float, bool]], scale: Scale) -> float:
    """Log of the probability that the scale, without its ceiling, gives to what came out."""
    chances = (_logistic(scale.slope * x + scale.shift) for x, _ in points)
    return sum(log(max(_SURE, p if right else 1 - p)) for p, (_, right) in zip(chances, points, strict=True))


def _fitted(points: Sequence[tuple[float, bool]], before: Scale) -> Scale:
    """Newton's method on slope and shift, with a Gaussian prior around those before; the same without points."""
    slope, shift = before.slope, before.shift
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
        stride = min(1.0, LONGEST_STEP / (abs(step0) + abs(step1) + _SURE))
        slope, shift = max(0.05, slope - stride * step0), shift - stride * step1
        if abs(step0) + abs(step1) < 1e-9:
            break
    return Scale(slope, shift)
