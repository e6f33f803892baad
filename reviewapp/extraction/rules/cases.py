"""One candidate for one property among all others of its text, and what there is to say of it whatever its shape."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple

from reviewapp.extraction.rules.candidates import Candidate
from reviewapp.extraction.rules.features import Features, Query, Sight
from reviewapp.extraction.rules.views import View


class Crowd:
    """What the candidates of one property have in common: how often a value stands there, which is largest, first …"""

    def __init__(self, candidates: Sequence[Candidate], view: View) -> None:
        self.count = len({c.key for c in candidates})
        self.times = Counter(c.key for c in candidates)
        self.first = min((c.start for c in candidates), default=-1)
        self.last = max((c.start for c in candidates), default=-1)
        self.amounts = len({c.key for c in candidates if "amount" in c.facts})
        numbers = [c.number for c in candidates if c.number is not None]
        self.largest = max(numbers, default=None)
        days = [c.value for c in candidates if c.kind == "date"]
        self.latest = max(days, default=None)
        self.earliest = min(days, default=None)
        self.length = max(1, len(view.layout.text))


class Case(NamedTuple):
    """One candidate for one property, among all others, in its text."""

    query: Query
    candidate: Candidate
    crowd: Crowd
    view: View
    sight: Sight


ShapeFeatures = Callable[[Case, Features], None]
"""Adds what there is to say about a candidate to its features."""


def plain_features(case: Case, features: Features) -> None:
    """Of anything: how it looks and where it stands among the others."""
    features |= case.candidate.looks()
    _place_in_text(case, features)


def _place_in_text(case: Case, features: Features) -> None:
    candidate, crowd = case.candidate, case.crowd
    features["how far down the text"] = candidate.start / crowd.length
    if candidate.start == crowd.first:
        features["first of its kind"] = 1.0
    if candidate.start == crowd.last:
        features["last of its kind"] = 1.0
    times = crowd.times[candidate.key]
    if times > 1:
        features["stands several times"] = min(times, 4) / 4
    features["only one of its kind" if crowd.count == 1 else "one of several"] = 1.0
    if case.query.concept is not None and "sole" in case.query.concept.traits and crowd.count == 1:
        features["the only one there is, of any kind"] = 1.0
    if crowd.count > 3:
        features["one of many"] = 1.0
