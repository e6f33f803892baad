"""Which candidates of a text a property chooses from."""

from __future__ import annotations

from decimal import Decimal

from reviewapp.extraction.rules.candidates import Candidate, make
from reviewapp.extraction.rules.features import Query, Sight
from reviewapp.extraction.rules.phrases import find_options, find_phrases
from reviewapp.extraction.rules.texts import CUT_AT_FORM, name_facts
from reviewapp.extraction.rules.views import View

MANY = 30
"""Up to so many candidates of a text are looked at in full; of more, those that a cue may name."""
MOST = 120


def pool_of(query: Query, sight: Sight, view: View) -> list[Candidate]:
    """All candidates of the property's shape."""
    match query.shape:
        case "money" | "number" | "quantity" | "duration":
            return _numbers(query, sight, view)
        case "measure":
            return view.measures
        case "unit":
            return view.units
        case "date":
            return view.days
        case "name":
            return _names(query, sight, view)
        case "address":
            return view.blocks + find_phrases(sight, view)
        case "place":
            return view.places or find_phrases(sight, view)
        case "code":
            return view.codes.on_lines(None if len(view.codes) <= MANY else sight.lines)[:MOST]
        case "currency":
            return view.currencies
        case "option":
            return find_options(query, view)
        case "bool":
            return _named(view.yes_no, sight)
        case _:
            return find_phrases(sight, view)


def _numbers(query: Query, sight: Sight, view: View) -> list[Candidate]:
    found = view.numbers
    if len(found) > MANY:
        proven = view.sums.settled if query.shape == "money" else frozenset[Decimal]()
        near = [c for c in found if c.line.number in sight.lines or c.number in proven][:MOST]
        if len(near) > MANY:  # on a dense page nearly every line lies below some head
            near = [c for c in near if c.number in proven or _is_named(c, sight, view)]
        found = near or found[:MANY]
    fitted = (view.fitted(c, query.prop, query.shape, query.end) for c in found)
    return [c for c in fitted if c is not None]


def _is_named(candidate: Candidate, sight: Sight, view: View) -> bool:
    """Whether a cue of the property stands where it may name the candidate; what none names cannot win among many."""
    scope, own = view.scope(candidate), sight.own
    beside = own.strongest(scope.left[0], max(scope.right[1], candidate.last_word))
    return beside > 0 or own.strongest(*scope.above) > 0 or any(own.strongest(*head) > 0 for head in scope.heads)


def _names(query: Query, sight: Sight, view: View) -> list[Candidate]:
    """Names that a letterhead or a label gives; of another party than whose paper it is, where a cue points only."""
    names = view.names
    if query.concept is not None and "letterhead" not in query.concept.traits:
        lines = sight.lines | view.addressees if "addressee" in query.concept.traits else sight.lines
        names = [c for c in names if c.line.number in lines]
    return _cut_at_firms(names + [_as_name(c, view) for c in find_phrases(sight, view)], view)


def _cut_at_firms(names: list[Candidate], view: View) -> list[Candidate]:
    """Without those that go on behind a firm's form and a comma: of ``Pohl GmbH, Baunatal`` the firm alone."""
    text = view.layout.text
    ends = {c.start: c.end for c in names if CUT_AT_FORM in c.facts and text[c.end] == ","}
    return [c for c in names if c.end <= ends.get(c.start, c.end) or c.end > c.line.end]


def _as_name(candidate: Candidate, view: View) -> Candidate:
    facts = name_facts(view.layout, view.looks, candidate.start, candidate.end)
    return make(view.layout, "name", candidate.start, candidate.end, facts=candidate.facts | facts)


def _named(found: list[Candidate], sight: Sight) -> list[Candidate]:
    """Of many candidates those on lines that a cue names."""
    if len(found) <= MANY:
        return found
    return [c for c in found if c.line.number in sight.lines][:MOST]
