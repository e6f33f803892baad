"""All terms of a text in order, without those that are parts of dates, times or each other."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from itertools import pairwise

from reviewapp.domain.dates import dates_in
from reviewapp.domain.months import month_number
from reviewapp.domain.numbers import NumberReading, scan_numbers
from reviewapp.domain.workflows import Evidence, Rules
from reviewapp.domain.writing import settled_date_order, settled_decimal_mark
from reviewapp.extraction.quantities.alone import stands_alone
from reviewapp.extraction.quantities.attach import PARTS, attach, feet_and_inches
from reviewapp.extraction.quantities.term import Term
from reviewapp.extraction.quantities.worded import worded_terms
from reviewapp.extraction.units import convert

_CLOCK = re.compile(
    r"(?P<hour>\d(?<![\d.,:]\d)\d?)(?::[0-5]\d(?::[0-5]\d(?:[.,]\d+)?)?"
    r"(?![\d:]|[ \u00a0]?(?:kr|SEK|NOK|DKK)\b)(?:[ \u00a0]?[aApP]\.?[mM]\b)?"
    r"|(?:\.[0-5]\d)?[ \u00a0]?[aApP]\.?[mM]\.?(?![^\W_])|(?:[.:][0-5]\d)?[ \u00a0]Uhr\b|h[0-5]\d(?!\d))"
)
_MONTH_FOLLOWS = re.compile(
    r"(?:[ ]?(?:[-–/]|to|and|bis|und)[ ]?\d{1,2})?(?:st|nd|rd|th|\.)?[ \u00a0](?:of )?([^\W\d_]{3,13})"
)
_MONTH_MAY_FOLLOW = frozenset(" \u00a0-–/tabusnr.")
"""What `_MONTH_FOLLOWS` may begin with."""
HOURS = 24
_COMMA = re.compile(r",? ")
_BETWEEN = re.compile(r"\b(?:between|zwischen|entre|tra|fra|tussen) $", re.IGNORECASE)


def scan_terms(folded: str, rules: Rules, evidence: Evidence) -> list[Term]:
    """The terms of a text that went through `fold`."""
    mark = settled_decimal_mark(rules, evidence)
    ruled = None if rules.decimal_mark == "auto" else rules.decimal_mark
    numbers = (number for number in scan_numbers(folded, mark) if stands_alone(folded, number))
    terms = [attach(folded, number, mark, ruled) for number in numbers]
    if others := [*feet_and_inches(folded), *worded_terms(folded)]:
        terms += others
        terms.sort(key=lambda term: (term.start, -term.end))
    found = list(_without_overlaps(folded, _without_repeats(terms), _taken(folded, rules, evidence)))
    found = _in_two_parts(folded, found)
    return _of_arc(folded, found) if "'" in folded else found


def _in_two_parts(folded: str, terms: list[Term]) -> list[Term]:
    """``12 kg 500 g``, ``2 years, 6 months``: one quantity, told in the smaller unit; with an "and" they stay two."""
    joined: list[Term] = []
    at = 0
    while at < len(terms):
        parts = 1
        while at + parts < len(terms) and _goes_on(folded, terms[at + parts - 1], terms[at + parts]):
            parts += 1
        joined += [_together(*terms[at : at + 2])] if parts == 2 else terms[at : at + parts]
        at += parts
    return joined


def _goes_on(folded: str, first: Term, second: Term) -> bool:
    if first.unit is None or second.unit is None or second.unit not in PARTS.get(first.unit, ()):
        return False
    if first.number.decimals or first.number.ambiguous or second.number.ambiguous or first.unit_first:
        return False
    if second.start <= first.end or not _COMMA.fullmatch(folded, first.end, second.start):
        return False
    if _BETWEEN.search(folded, max(0, first.start - 9), first.start):
        return False
    return 0 < second.number.value < convert(Decimal(1), first.unit, second.unit)


def _together(first: Term, second: Term) -> Term:
    """Both as one number in the second one's unit."""
    if first.unit is None or second.unit is None or first.unit_span is None:
        raise ValueError("both terms need a unit")
    total = convert(first.number.value, first.unit, second.unit) + second.number.value
    number = NumberReading(first.number.start, second.number.end, total, decimals=second.number.decimals)
    span = (first.unit_span[0], second.end)
    return Term(first.start, second.end, number, second.unit, span, in_words=first.in_words)


def _of_arc(folded: str, terms: list[Term]) -> list[Term]:
    """``2½' (150")``: where the same is told in a sixtieth beside it, the signs mean minutes and seconds of arc."""
    for at, (first, second) in enumerate(pairwise(terms)):
        told = first.unit_span is not None and folded[slice(*first.unit_span)] == "'"
        told_again = second.unit_span is not None and folded[slice(*second.unit_span)] in ('"', "”")
        beside = folded[first.end : second.start].strip() in ("(", "=", "≈", ",")
        if told and told_again and beside and second.number.value == 60 * first.number.value:
            terms[at : at + 2] = [first._replace(unit="arcmin"), second._replace(unit="arcsec")]
    return terms


def _taken(folded: str, rules: Rules, evidence: Evidence) -> list[tuple[int, int]]:
    """Spans of dates and times, in order."""
    dates = dates_in(folded, rules, settled_date_order(rules, evidence))
    taken = [(d.start, d.end) for d in dates]
    taken += [m.span() for m in _CLOCK.finditer(folded) if int(m["hour"]) <= HOURS]
    return sorted(taken)


def _without_repeats(terms: list[Term]) -> Iterator[Term]:
    """``two (2) years`` is one number: the words fall away where the same number follows in brackets."""
    for at, term in enumerate(terms):
        if not term.in_words:
            yield term
            continue
        following = terms[at + 1] if at + 1 < len(terms) else None
        repeated = (
            following is not None
            and following.number.value == term.number.value
            and 1 <= following.number.start - term.end <= 3
        )
        if not repeated:
            yield term
        elif following is not None and following.number.ambiguous:  # the words say how the number is meant
            terms[at + 1] = following._replace(number=following.number._replace(ambiguous=None, alternatives=()))


def _without_overlaps(folded: str, terms: Iterator[Term], taken: list[tuple[int, int]]) -> Iterator[Term]:
    """Of two terms that overlap the first and longer one; none whose number touches a date or a time."""
    position, at = 0, 0
    for term in terms:
        while at < len(taken) and taken[at][1] <= term.start:
            at += 1
        in_taken = at < len(taken) and taken[at][0] < term.number.end and term.number.start < taken[at][1]
        if in_taken or term.start < position or _is_day_of_month(folded, term):
            continue
        position = term.end
        yield term


def _is_day_of_month(folded: str, term: Term) -> bool:
    """``22-23 February``: days, though no date."""
    following = folded[term.end : term.end + 2]
    if following[:1] not in _MONTH_MAY_FOLLOW or (following[0] == " " and following[1:].isdigit()):
        return False
    if term.unit is not None or term.number.decimals or not 1 <= term.number.value <= 31:
        return False
    month = _MONTH_FOLLOWS.match(folded, term.end)
    return month is not None and month_number(month[1]) is not None
