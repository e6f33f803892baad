"""The choice: of all candidates of a property the likeliest value, or none.

A conditional logit: every candidate scores the sum of its features' weights, "the text states none" scores 0, and equal
values add up. What comes out is the probability that the chosen value is right, as far as the weights know.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from math import exp

from reviewapp.extraction.rules.candidates import Candidate
from reviewapp.extraction.rules.features import Features
from reviewapp.extraction.rules.weights import BIAS, Weights

CAP = 30.0
"""Scores beyond this make no difference any more."""
READ_FROM = 0.3
"""A value less likely than this is not read at all."""


@dataclass(frozen=True)
class Choice:
    """The chosen candidate and how sure the choice is."""

    candidate: Candidate
    index: int
    """Of the candidate among all of them."""
    probability: float
    """That its value is right, against all other values and against none."""
    rival: float
    """Probability of the best other value."""


def score(features: Features, weights: Weights) -> float:
    """Sum of weights times features, the bias included."""
    weight_of = weights.get
    total = weight_of(BIAS, 0.0)
    for name, value in features.items():
        total += weight_of(name, 0.0) * value
    return max(-CAP, min(CAP, total))


def choose(candidates: Sequence[Candidate], scores: Sequence[float]) -> Choice | None:
    """The likeliest value and the best candidate that states it; None without candidates."""
    if not candidates:
        return None
    masses: dict[Hashable, float] = {}
    best: dict[Hashable, int] = {}
    for index, (candidate, value) in enumerate(zip(candidates, scores, strict=True)):
        key = candidate.key
        masses[key] = masses.get(key, 0.0) + exp(value)
        if key not in best or value > scores[best[key]]:
            best[key] = index
    total = 1.0 + sum(masses.values())
    ranked = sorted(masses, key=lambda k: (-masses[k], candidates[best[k]].start))
    rival = masses[ranked[1]] / total if len(ranked) > 1 else 0.0
    first = best[ranked[0]]
    return Choice(candidates[first], first, masses[ranked[0]] / total, rival)
