"""Features of numbers: amounts of money, counts, quantities, terms."""

from __future__ import annotations

import re
from decimal import Decimal
from functools import lru_cache

from reviewapp.extraction.rules.candidates import Candidate
from reviewapp.extraction.rules.cases import Case, plain_features
from reviewapp.extraction.rules.features import Features, names_it
from reviewapp.extraction.rules.sums import Sums
from reviewapp.extraction.units import canonical, same_kind

STATED_ELSEWHERE = 0.5
"""How much a number counts as one without a unit whose label or head states it: ``Net weight (kg)`` over ``12``."""


def number_features(case: Case, features: Features) -> None:
    """Of an amount, a count or a quantity; `facts` already say how its unit fits."""
    candidate, crowd = case.candidate, case.crowd
    plain_features(case, features)
    if (number := candidate.number) is None:
        return
    if not candidate.line.prose:
        _in_its_row(features, case)
    if "no unit" in candidate.facts and case.query.prop.unit and _unit_named(case, case.query.prop.unit):
        features["its label or head states the unit"] = 1.0
        features["look: no unit"] = STATED_ELSEWHERE
    if case.query.end is not None:
        features.update(_end_features(candidate, case.query.end))
    if number == crowd.largest and crowd.count > 1:
        features["largest number"] = 1.0
    places = [f for f in candidate.facts if " of " in f or f.startswith("legend: ")]
    if candidate.label is not None and candidate.run is None:
        named = names_it(candidate, case.sight)
        features["its place among the measures" if named else "another place among the measures"] = 1.0
    elif places and case.query.concept is not None and case.query.shape == "quantity":
        fits = (case.query.concept.traits | {f"legend: {case.query.concept.name}"}) & set(places)
        features["its place among the measures" if fits else "another place among the measures"] = 1.0
    if "amount" in candidate.facts and crowd.amounts == 1:
        features["the only amount"] = 1.0
    if number == 0:
        features["zero"] = 1.0
    elif number < 0:
        features["below zero"] = 1.0
    if case.query.shape == "money":
        _sums(case, number, features)


def _sums(case: Case, number: Decimal, features: Features) -> None:
    """What an amount is to the sums that the bill proves by itself."""
    sums: Sums = case.view.sums
    traits = case.query.concept.traits if case.query.concept else frozenset()
    if "settles" in traits:
        if number in sums.settled:
            features["is what was paid less the change"] = 1.0
        if number in sums.composed:
            features["is the sum of net and tax"] = 1.0
        if number in sums.change:
            features["is the change"] = 1.0
    if number in sums.net and ("net" in traits or "settles" in traits):
        features["net: makes another amount with tax" if "net" in traits else "makes another amount with tax"] = 1.0
    if number in sums.unrounded:
        features["is rounded to another amount"] = 1.0
    if number in sums.rounded:
        features["is another amount rounded"] = 1.0


def _unit_named(case: Case, unit: str) -> bool:
    """Whether the label or the head of the column has the property's unit in brackets: ``Weight (kg)``."""
    scope, layout = case.view.scope(case.candidate), case.view.layout
    begin = layout.starts[scope.left[0]] if scope.left[1] > scope.left[0] else case.candidate.start
    pieces = [layout.text[begin : case.candidate.start]]
    for first, last in scope.heads:
        pieces.append(layout.text[layout.starts[first] : layout.ends[last - 1] + 1])
    return any(_agrees(found, unit) for piece in pieces for found in _BRACKETED.findall(piece))


@lru_cache(maxsize=4_096)
def _agrees(written: str, unit: str) -> bool:
    return canonical(written) is not None and same_kind(written, unit)


_BRACKETED = re.compile(r"[(\[]([^()\[\]]{1,14})[)\]]")


def _in_its_row(features: Features, case: Case) -> None:
    """Whether other amounts stand on its line: what a label states stands last."""
    scope, view = case.view.scope(case.candidate), case.view
    if "amount" not in case.candidate.facts:
        return
    if view.numbers_between(case.candidate.last_word, scope.right[1]):
        features["another number behind it on its line"] = 1.0
    elif scope.numbers_left:
        features["last number of its line"] = 1.0


def _end_features(candidate: Candidate, end: str) -> Features:
    """Of a number for a property that asks for one end of a range."""
    facts = candidate.facts
    if "range" in facts:
        return {"an end of a range, as asked for": 1.0}
    if facts & {"at least it", "above it"}:
        return {"the bound asked for" if end == "low" else "the other bound": 1.0}
    if facts & {"at most it", "below it"}:
        return {"the bound asked for" if end == "high" else "the other bound": 1.0}
    return {"no end of a range": 1.0}
