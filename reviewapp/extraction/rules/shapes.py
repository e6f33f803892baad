"""Features of each shape: what a name, an address, a date, an amount looks like beside the words that name it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from reviewapp.extraction.checks import failed_check
from reviewapp.extraction.rules.amounts import number_features
from reviewapp.extraction.rules.candidates import Candidate
from reviewapp.extraction.rules.cases import Case, Crowd, ShapeFeatures, plain_features
from reviewapp.extraction.rules.codes import FORMS
from reviewapp.extraction.rules.features import Features, Query, Sight, cue_features
from reviewapp.extraction.rules.looks import Look
from reviewapp.extraction.rules.views import View
from reviewapp.extraction.rules.vocabulary import Shape

LETTERHEAD = 3
"""Lines at the top in which a firm puts its name on its paper."""
LETTER_HEAD = 14
"""Lines at the top of a letter in which its date stands."""


def features_of(query: Query, candidate: Candidate, crowd: Crowd, view: View, sight: Sight) -> Features:
    """All there is to say about a candidate for a property."""
    case = Case(query, candidate, crowd, view, sight)
    features = cue_features(query, candidate, sight, view)
    BY_SHAPE[query.shape](case, features)
    if query.checked and _fails_a_check(case):
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


def _shown(case: Case, look: Callable[[Candidate, View], Features]) -> Features:
    """What a candidate shows whatever the property; looked at once for all properties."""
    candidate = case.candidate
    if candidate.shown is None:
        candidate.shown = look(candidate, case.view)
    return candidate.shown


def _line_number(candidate: Candidate, view: View) -> str:
    number, lines = candidate.line.number, len(view.layout.lines)
    if number < 3:
        return ("line 1", "line 2", "line 3")[number]
    if number < 6:
        return "line 4 to 6"
    if number >= lines - 6 and number > 12:
        return "among the last lines"
    return "line 7 to 12" if number < 12 else "further down"


def name_features(case: Case, features: Features) -> None:
    """Of the name of a firm, shop or person."""
    features |= _shown(case, _name_itself)
    _whose_paper(case, features)
    if case.crowd.times[case.candidate.key] > 1:
        features["stands several times"] = 1.0


def _whose_paper(case: Case, features: Features) -> None:
    """Where a name stands: at the top for the firm whose paper it is, anywhere for another party or a person."""
    concept, line = case.query.concept, case.candidate.line.number
    if concept is None or "letterhead" in concept.traits:
        features[_line_number(case.candidate, case.view)] = 1.0
        return
    features["another party than whose paper it is"] = 1.0
    if "addressee" in concept.traits and line in case.view.addressees:
        features["whom the letter goes to"] = 1.0
    if line < LETTERHEAD:
        features["another party's name in the letterhead"] = 1.0


def _name_itself(candidate: Candidate, view: View) -> Features:
    layout, looks = view.layout, view.looks
    features = dict(candidate.looks())
    last = layout.line_at(candidate.end - 1)
    _below_a_name(features, candidate, looks.of(last.number + 1))
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
        if ending.addressy > 0.5 or any(look.digits or look.heading for look in inner):
            features["joined with something else"] = 1.0
        if ending.legal_form:
            features["joined to a firm's form"] = 1.0
    if looks[candidate.line.number].addressy > 0.8 and "first part" not in candidate.facts:
        features["looks like an address"] = 1.0
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
    return features


def _below_a_name(features: Features, candidate: Candidate, below: Look | None) -> None:
    if below is None:
        return
    if below.addressy > 0.8:
        features["address below"] = 1.0
    elif below.code:
        features["number below"] = 1.0
    if below.legal_form and not below.digits and "joined 3" not in candidate.facts:
        features["a firm's form below"] = 1.0
    if below.heading:
        features["heading below"] = 1.0


def _like_a_sentence(text: str) -> bool:
    """More small words than a name has: ``The weather is fine.``"""
    words = text.split()
    small = sum(word[0].islower() and len(word) > 1 for word in words)
    return len(words) > 3 and small * 2 >= len(words)


def address_features(case: Case, features: Features) -> None:
    """Of a postal address of one or more lines."""
    features |= _shown(case, _address_itself)


def _address_itself(candidate: Candidate, view: View) -> Features:
    layout, looks = view.layout, view.looks
    last = layout.line_at(candidate.end - 1)
    if candidate.pieces:
        inside = [looks.within(layout.line_at(a), a, b) for a, b in candidate.pieces]
    else:
        inside = [looks[n] for n in range(candidate.line.number, last.number + 1)]
    features = dict(candidate.looks())
    features[_line_number(candidate, view)] = 1.0
    _looks_of_lines(features, [look.addressy for look in inside])
    if "cut at contact" not in candidate.facts and any(look.interrupts for look in inside):
        features["contact line inside"] = 1.0
    if any(look.legal_form for look in inside):
        features["firm's form inside"] = 1.0
    if any(look.postcode for look in inside):
        features["postcode inside"] = 1.0
    if inside[-1].postcode or inside[-1].region:
        features["ends with postcode or region"] = 1.0
    if inside[0].house_number:
        features["begins with a house number"] = 1.0
    ending = layout.text[candidate.start : candidate.end].rstrip()[-1:]
    if ending == ",":
        features["ends with a comma"] = 1.0
    elif ending == ".":
        features["ends with a full stop"] = 1.0
    if candidate.start > view.first_address_end:
        features["another address above it"] = 1.0
    _neighbours(features, candidate, last.number, view)
    return features


def _looks_of_lines(features: Features, scores: Sequence[float]) -> None:
    """How much the lines of an address look like parts of one."""
    features["address looks, in all"] = min(sum([max(0.0, min(s, 1.6)) for s in scores]), 6.0) / 3
    features["weakest line"] = max(-1.0, min(*scores, 1.0))
    features["look of the first line"] = max(-1.0, min(scores[0], 2.0)) / 2
    features["look of the last line"] = max(-1.0, min(scores[-1], 2.0)) / 2
    weak = sum([s < 0.3 for s in scores])
    if weak:
        features["lines unlike an address"] = min(weak, 3) / 3


def _neighbours(features: Features, candidate: Candidate, last: int, view: View) -> None:
    looks = view.looks
    below = looks.of(last + 1)
    if below is not None and "cut at contact" not in candidate.facts:
        if view.layout.lines[last + 1].blank_before:
            features["blank line below"] = 1.0
        if below.interrupts or below.heading:
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
