"""Features of each shape: what a name, an address, a date, an amount looks like beside the words that name it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple

from reviewapp.extraction.checks import failed_check
from reviewapp.extraction.rules.candidates import Candidate
from reviewapp.extraction.rules.features import Features, Query, Sight, cue_features, names_it
from reviewapp.extraction.rules.looks import LineLooks, Look
from reviewapp.extraction.rules.sums import Sums
from reviewapp.extraction.rules.texts import FORMS
from reviewapp.extraction.rules.views import View
from reviewapp.extraction.rules.vocabulary import Shape
from reviewapp.extraction.units import canonical, same_kind


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


LETTERHEAD = 3
"""Lines at the top in which a firm puts its name on its paper."""
LETTER_HEAD = 14
"""Lines at the top of a letter in which its date stands."""


class Case(NamedTuple):
    """One candidate for one property, among all others, in its text."""

    query: Query
    candidate: Candidate
    crowd: Crowd
    view: View
    sight: Sight


ShapeFeatures = Callable[[Case, Features], None]
"""Adds what there is to say about a candidate to its features."""


def features_of(query: Query, candidate: Candidate, crowd: Crowd, view: View, sight: Sight) -> Features:
    """All there is to say about a candidate for a property."""
    case = Case(query, candidate, crowd, view, sight)
    features = cue_features(query, candidate, sight, view)
    BY_SHAPE[query.shape](case, features)
    if _fails_a_check(case):
        features["fails the property's own check"] = 1.0
    return features


def _fails_a_check(case: Case) -> bool:
    """Whether the property's own checks (bounds, pattern, length) would refuse the candidate."""
    prop, candidate = case.query.prop, case.candidate
    number = candidate.number
    if number is not None:
        low, high = prop.minimum, prop.maximum
        return (low is not None and number < low) or (high is not None and number > high)
    checked = prop.pattern or prop.min_length or prop.max_length
    return bool(checked) and failed_check(prop, candidate.value, candidate.value) is not None


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


def _line_number(candidate: Candidate, view: View) -> Features:
    number, lines = candidate.line.number, len(view.layout.lines)
    names = ("line 1", "line 2", "line 3")
    if number < 3:
        return {names[number]: 1.0}
    if number < 6:
        return {"line 4 to 6": 1.0}
    if number >= lines - 6 and number > 12:
        return {"among the last lines": 1.0}
    return {"line 7 to 12" if number < 12 else "further down": 1.0}


def _whose_paper(case: Case) -> Features:
    """Where a name stands: at the top for the firm whose paper it is, anywhere for another party or a person."""
    concept = case.query.concept
    if concept is None or "letterhead" in concept.traits:
        return _line_number(case.candidate, case.view)
    features = {"another party than whose paper it is": 1.0}
    if case.candidate.line.number < LETTERHEAD:
        features["another party's name in the letterhead"] = 1.0
    return features


def name_features(case: Case, features: Features) -> None:
    """Of the name of a firm, shop or person."""
    candidate, crowd, view = case.candidate, case.crowd, case.view
    features |= candidate.looks()
    features |= _whose_paper(case)
    layout, looks = view.layout, view.looks
    last = layout.line_at(candidate.end - 1)
    whole = looks[candidate.line.number]
    below = _look_below(last.number, looks)
    if below is not None:
        if below.addressy > 0.8:
            features["address below"] = 1.0
        if below.code and not below.addressy > 0.8:
            features["number below"] = 1.0
        if below.legal_form and not below.digits and "joined 3" not in candidate.facts:
            features["a firm's form below"] = 1.0
        if below.heading:
            features["heading below"] = 1.0
    if candidate.start == candidate.line.inner_start and candidate.line.number > 0:
        above = looks[candidate.line.number - 1]
        if above.legal_form:
            features["a firm's form above"] = 1.0
        elif candidate.line.number == 1 and not above.business and not above.digits and not above.heading:
            features["a bare line above"] = 1.0
    if "joined" in candidate.facts:
        ending = looks[last.number]
        inner = [looks[n] for n in range(candidate.line.number, last.number)]
        if any(look.legal_form for look in inner):
            features["joined past a firm's form"] = 1.0
        if any(look.digits or look.heading for look in inner) or ending.addressy > 0.5:
            features["joined with something else"] = 1.0
        if ending.legal_form:
            features["joined to a firm's form"] = 1.0
    if whole.addressy > 0.8 and "first part" not in candidate.facts:
        features["looks like an address"] = 1.0
    if crowd.times[candidate.key] > 1:
        features["stands several times"] = 1.0
    text = layout.text[candidate.start : candidate.end]
    if text.rstrip().endswith(("&", "+", "-")) or text.lower().endswith((" and", " und", " et", " of", " y")):
        features["ends in the middle"] = 1.0
    if "legal_form" in candidate.facts and candidate.last_word - candidate.first_word < 3 and len(text) < 9:
        features["hardly more than a firm's form"] = 1.0
    if text.isupper():
        features["capitals only"] = 1.0
    elif text.islower():
        features["small letters only"] = 1.0
    elif _like_a_sentence(text):
        features["like a sentence"] = 1.0


def _look_below(number: int, looks: LineLooks) -> Look | None:
    return looks.of(number + 1)


def _like_a_sentence(text: str) -> bool:
    """More small words than a name has: ``The weather is fine.``"""
    words = text.split()
    small = sum(word[0].islower() and len(word) > 1 for word in words)
    return len(words) > 3 and small * 2 >= len(words)


def address_features(case: Case, features: Features) -> None:
    """Of a postal address of one or more lines."""
    candidate, view = case.candidate, case.view
    layout, looks = view.layout, view.looks
    last = layout.line_at(candidate.end - 1)
    inside = [looks[n] for n in range(candidate.line.number, last.number + 1)]
    scores = [look.addressy for look in inside]
    features |= candidate.looks()
    features |= _line_number(candidate, view)
    features["address looks, in all"] = min(sum(max(0.0, min(s, 1.6)) for s in scores), 6.0) / 3
    features["weakest line"] = max(-1.0, min(*scores, 1.0))
    features["look of the first line"] = max(-1.0, min(scores[0], 2.0)) / 2
    features["look of the last line"] = max(-1.0, min(scores[-1], 2.0)) / 2
    weak = sum(s < 0.3 for s in scores)
    if weak:
        features["lines unlike an address"] = min(weak, 3) / 3
    if (
        any(look.contact or (look.code and not look.postcode) for look in inside)
        and "cut at contact" not in candidate.facts
    ):
        features["contact line inside"] = 1.0
    if any(look.legal_form for look in inside):
        features["firm's form inside"] = 1.0
    if any(look.postcode for look in inside):
        features["postcode inside"] = 1.0
    if inside[-1].postcode or inside[-1].region:
        features["ends with postcode or region"] = 1.0
    if inside[0].house_number:
        features["begins with a house number"] = 1.0
    words = layout.text[candidate.start : candidate.end].rstrip()
    if words.endswith(","):
        features["ends with a comma"] = 1.0
    elif words.endswith("."):
        features["ends with a full stop"] = 1.0
    _neighbours(features, candidate, last.number, view)


def _neighbours(features: Features, candidate: Candidate, last: int, view: View) -> None:
    looks = view.looks
    below = looks.of(last + 1)
    if below is not None and "cut at contact" not in candidate.facts:
        blank = view.layout.lines[last + 1].blank_before
        if blank:
            features["blank line below"] = 1.0
        if below.contact or below.heading or (below.code and not below.postcode):
            features["contact or heading below"] = 1.0
        else:
            features["address goes on below"] = max(-0.5, min(below.addressy, 2.0)) / 2
            if below.words <= 3 and not below.digits and not below.amount:
                features["short bare line below"] = 1.0
    above = looks.of(candidate.line.number - 1)
    if above is None or candidate.start > candidate.line.inner_start:
        return
    if above.legal_form or above.business:
        features["a firm's name above"] = 1.0
    elif above.code and above.addressy < 0.5:
        features["a register number above"] = 1.0
    else:
        features["address begins above"] = max(-0.5, min(above.addressy, 2.0)) / 2


def date_features(case: Case, features: Features) -> None:
    """Of a day."""
    candidate, crowd = case.candidate, case.crowd
    plain_features(case, features)
    if candidate.value == crowd.latest and crowd.count > 1:
        features["latest day"] = 1.0
    if candidate.value == crowd.earliest and crowd.count > 1:
        features["earliest day"] = 1.0
    number = candidate.line.number
    if number < 12:
        features["near the top"] = 1 - number / 12
    if candidate.line.prose:
        features["in running text"] = 1.0
    elif candidate.start == candidate.line.inner_start and candidate.end >= candidate.line.inner_end - 1:
        features["a line of its own"] = 1.0
        if number < LETTER_HEAD and candidate.start == crowd.first:
            features["date line of a letter"] = 1.0


def code_features(case: Case, features: Features) -> None:
    """Of a number that names something; a form of its own (an e-mail address) is that of what is asked for, or not."""
    plain_features(case, features)
    form = case.candidate.facts & FORMS
    concept = case.query.concept
    asked = concept.traits & FORMS if concept else frozenset[str]()
    if asked:
        features["form of what is asked for" if form & asked else "not the form of what is asked for"] = 1.0
    elif form:
        features["form of something else"] = 1.0


def bool_features(case: Case, features: Features) -> None:
    """Of a word or box that says yes or no; a box belongs to what stands right behind it, the last one to its label."""
    plain_features(case, features)
    if "a box" in case.candidate.facts:
        last = case.candidate.last_word
        behind = case.sight.own.after(last, last + 3)
        beside = (behind is not None and behind[0] == last) or _box_ends_cell(case)
        features["a box right before the cue" if beside else "a box elsewhere"] = 1.0


def _box_ends_cell(case: Case) -> bool:
    """``Certified ✓``: the box stands right behind the cue, and nothing behind it."""
    candidate, first = case.candidate, case.candidate.first_word
    cell = candidate.line.cells[candidate.cell]
    before = case.sight.own.before(first, case.view.layout.word_at(cell.start))
    return candidate.end >= cell.end and before is not None and before[1] == first


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
    if number in sums.net:
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


def plain_features(case: Case, features: Features) -> None:
    """Of anything: how it looks and where it stands among the others."""
    features |= case.candidate.looks()
    _place_in_text(case, features)


BY_SHAPE: dict[Shape, ShapeFeatures] = {
    "name": name_features,
    "address": address_features,
    "date": date_features,
    "place": plain_features,
    "code": code_features,
    "money": number_features,
    "number": number_features,
    "quantity": number_features,
    "duration": number_features,
    "measure": plain_features,
    "unit": plain_features,
    "currency": plain_features,
    "text": plain_features,
    "option": plain_features,
    "bool": bool_features,
}
