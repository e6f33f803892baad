"""Fits weights to examples: the most probable weights under a Gaussian prior around those that were there before.

The likelihood is that of the choice (`choose`): a conditional logit over the candidates of a text, with "none" at
score 0. Limited-memory BFGS (Nocedal, 1980) with a backtracking line search; everything is summed in a fixed
order, so the same examples give the same weights.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import exp, log

from reviewapp.extraction.rules.choose import score
from reviewapp.extraction.rules.features import Features
from reviewapp.extraction.rules.weights import BIAS, Weights

MEMORY = 8
STEPS = 60
NONE = -1
"""Stands for "the text states none" among the right ones of an example."""
TOLERANCE = 1e-6
"""Relative gain at which fitting ends."""
_SHRINK = 0.5
_ENOUGH = 1e-4
_TRIES = 20
_STRIDE = 1.0
"""How far one step may move a bias."""


@dataclass(frozen=True)
class Example:
    """One property of one text, and which of its candidates are right."""

    features: Sequence[Features]
    right: frozenset[int]
    """Numbers of the candidates that may be chosen; `NONE` among them: it is right to choose none."""
    weight: float = 1.0


@dataclass(frozen=True)
class _Packed:
    """An example with features as indices."""

    rows: list[list[tuple[int, float]]]
    right: list[int]
    none_right: bool
    weight: float


def fit(examples: Sequence[Example], prior: Weights, spread: Callable[[str], float], *, steps: int = STEPS) -> Weights:
    """Weights for `examples`. `spread` gives, by feature name, how far its weight may stray from the prior (a standard
    deviation); a feature that the prior does not hold starts at 0."""
    names = sorted({BIAS, *prior, *(name for e in examples for f in e.features for name in f)})
    index = {name: i for i, name in enumerate(names)}
    packed = [_pack(e, index) for e in examples]
    start = [prior.get(name, 0.0) for name in names]
    precision = [1.0 / spread(name) ** 2 for name in names]

    def loss(weights: list[float]) -> tuple[float, list[float]]:
        return _loss(weights, packed, start, precision)

    return dict(zip(names, _minimise(loss, start, steps), strict=True))


def fit_bias(examples: Sequence[Example], prior: Weights, spread: float) -> Weights:
    """The prior with nothing but its bias moved: how readily any value is read at all. Newton's method."""
    packed = []
    for example in examples:
        scores = [score(f, prior) for f in example.features]
        right = sum(exp(s) for i, s in enumerate(scores) if i in example.right)
        packed.append((sum(map(exp, scores)), right, float(NONE in example.right), example.weight))
    shift = 0.0
    for _ in range(STEPS):
        slope, bend = shift / spread**2, 1 / spread**2
        for everything, right, none, weight in packed:
            shifted = exp(shift)
            all_share = everything * shifted / (1 + everything * shifted)
            right_share = right * shifted / (none + right * shifted) if right else 0.0
            slope += weight * (all_share - right_share)
            bend += weight * all_share * (1 - all_share)
        step = max(-_STRIDE, min(_STRIDE, slope / bend))
        shift -= step
        if abs(step) < TOLERANCE:
            break
    return {**prior, BIAS: prior.get(BIAS, 0.0) + shift}


def _pack(example: Example, index: Mapping[str, int]) -> _Packed:
    bias = index[BIAS]
    rows = [[(bias, 1.0), *((index[n], v) for n, v in f.items() if v)] for f in example.features]
    return _Packed(rows, sorted(example.right - {NONE}), NONE in example.right, example.weight)


def _loss(
    weights: list[float], examples: Sequence[_Packed], start: Sequence[float], precision: Sequence[float]
) -> tuple[float, list[float]]:
    """Minus log posterior and its gradient."""
    gradient = [p * (w - s) for w, s, p in zip(weights, start, precision, strict=True)]
    total = 0.5 * sum(p * (w - s) ** 2 for w, s, p in zip(weights, start, precision, strict=True))
    for example in examples:
        scores = [sum(weights[i] * v for i, v in row) for row in example.rows]
        top = max([0.0, *scores])
        masses = [exp(s - top) for s in scores]
        everything = exp(-top) + sum(masses)
        right = sum(masses[i] for i in example.right) + (exp(-top) if example.none_right else 0.0)
        total -= example.weight * (log(max(right, 1e-300)) - log(everything))
        chosen = set(example.right)
        for number, row in enumerate(example.rows):
            pull = masses[number] / everything
            if number in chosen:
                pull -= masses[number] / max(right, 1e-300)
            if abs(pull) > 1e-9:
                pull *= example.weight
                for i, v in row:
                    gradient[i] += pull * v
    return total, gradient


def _minimise(
    loss: Callable[[list[float]], tuple[float, list[float]]], start: Sequence[float], steps: int
) -> list[float]:
    point = list(start)
    value, gradient = loss(point)
    memory: deque[tuple[list[float], list[float], float]] = deque(maxlen=MEMORY)
    for _ in range(steps):
        direction = _direction(gradient, memory)
        slope = _dot(direction, gradient)
        if slope >= 0:
            memory.clear()
            direction, slope = [-g for g in gradient], -_dot(gradient, gradient)
        size = 1.0 if memory else min(1.0, 1.0 / (sum(map(abs, gradient)) + 1e-12))
        for _ in range(_TRIES):
            trial = [p + size * d for p, d in zip(point, direction, strict=True)]
            new_value, new_gradient = loss(trial)
            if new_value <= value + _ENOUGH * size * slope:
                break
            size *= _SHRINK
        else:
            break
        moved = [a - b for a, b in zip(trial, point, strict=True)]
        turned = [a - b for a, b in zip(new_gradient, gradient, strict=True)]
        bend = _dot(moved, turned)
        if bend > 1e-10:
            memory.append((moved, turned, bend))
        gained = value - new_value
        point, value, gradient = trial, new_value, new_gradient
        if gained <= TOLERANCE * max(1.0, abs(value)):
            break
    return point


def _direction(gradient: Sequence[float], memory: deque[tuple[list[float], list[float], float]]) -> list[float]:
    """Two-loop recursion: the quasi-Newton step for what the last steps told about the curvature."""
    step = [-g for g in gradient]
    factors = []
    for moved, turned, bend in reversed(memory):
        factor = _dot(moved, step) / bend
        factors.append(factor)
        step = [s - factor * t for s, t in zip(step, turned, strict=True)]
    if memory:
        moved, turned, bend = memory[-1]
        scale = bend / _dot(turned, turned)
        step = [s * scale for s in step]
    for (moved, turned, bend), factor in zip(memory, reversed(factors), strict=True):
        back = _dot(turned, step) / bend
        step = [s + (factor - back) * m for s, m in zip(step, moved, strict=True)]
    return step


def _dot(a: Sequence[float], b: Sequence[float]) -> float:
    return sum(x * y for x, y in zip(a, b, strict=True))
