"""Which candidates of a text a property chooses from."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

from reviewapp.extraction.rules.candidates import Candidate
from reviewapp.extraction.rules.features import Query, Sight
from reviewapp.extraction.rules.phrases import find_options, find_phrases
from reviewapp.extraction.rules.values import fit_unit
from reviewapp.extraction.rules.views import View

MOST_NUMBERS = 120
"""Numbers looked at in full; of more, those nearest to a cue."""


def pool_of(query: Query, sight: Sight, view: View) -> list[Candidate]:
    """All candidates of the property's shape."""
    match query.shape:
        case "money" | "number" | "quantity" | "duration":
            return _numbers(query, sight, view)
        case "date":
            return view.days
        case "name":
            return view.names + find_phrases(sight, view)
        case "address":
            return view.blocks
        case "place":
            return view.places
        case "code":
            return view.codes
        case "currency":
            return view.currencies
        case "option":
            return find_options(query, view)
        case "bool":
            return view.yes_no
        case _:
            return find_phrases(sight, view)


def _numbers(query: Query, sight: Sight, view: View) -> list[Candidate]:
    found = []
    for candidate in view.numbers:
        fit = fit_unit(candidate, query.prop, query.shape)
        if fit is None:
            continue
        fact, number = fit
        if query.prop.value_type == "i64" and number != number.to_integral_value():
            continue
        found.append(_fitted(candidate, fact, number, view))
    if len(found) > MOST_NUMBERS:
        found = _nearest(found, sight)
    return found


def _fitted(candidate: Candidate, fact: str, number: Decimal, view: View) -> Candidate:
    return replace(
        candidate,
        facts=candidate.facts | {fact},
        number=number,
        key=number.normalize() + 0,
        scope=view.scope(candidate),
    )


def _nearest(found: list[Candidate], sight: Sight) -> list[Candidate]:
    """The candidates whose line, or the line above or a head of whose column, has a cue."""
    near = []
    for candidate in found:
        scope = candidate.scope
        if scope is None:
            continue
        ranges = [(scope.left[0], scope.right[1]), scope.above, *scope.heads]
        if any(sight.own.strongest(*r) for r in ranges if r[1] > r[0]):
            near.append(candidate)
    return near[:MOST_NUMBERS] if near else found[:MOST_NUMBERS]
