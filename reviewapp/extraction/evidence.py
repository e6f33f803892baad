"""What texts say about their own way of writing numbers and dates."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal

from reviewapp.domain.dates import dates_in
from reviewapp.domain.workflows import Evidence, Rules
from reviewapp.domain.writing import fold

_RULES = Rules()

_DIGITS = re.compile(r"\d(?<![\w.,/:'-]\d)[\d.,]*(?<=\d)(?![\d'/:]|\s?(?:[ap]\.?m\b|Uhr))")
"""Digits with marks that stand alone and are no time."""
_DECISIVE = re.compile(
    r"""
        (?P<both>\d{1,3}(?:\.\d{3})+,\d{1,2}) | (?P<both_point>\d{1,3}(?:,\d{3})+\.\d{1,2})
      | (?P<groups>\d{1,3}(?:\.\d{3}){2,}) | (?P<groups_point>\d{1,3}(?:,\d{3}){2,})
      | (?P<comma>\d{1,9},(?:\d\d?|\d{4,6})) | (?P<point>\d{1,9}\.(?:\d\d?|\d{4,6}))
      | (?P<zero_comma>0,\d{3}) | (?P<zero_point>0\.\d{3})
    """,
    re.VERBOSE,
)
_COMMA = frozenset(("both", "groups", "comma", "zero_comma"))
_BRACKETED = re.compile(r"\[[\d,;\s–-]*\]")


def observe(text: str) -> Evidence:
    """How many writings of this text allow one reading only: decimal comma or point, day or month first.

    Lists (``[3,14]``), dates, times and version numbers are not counted. About 1 ms for 5,000 characters of receipts.
    """
    folded = fold(text)
    comma = point = day_first = month_first = 0
    dated: list[tuple[int, int]] = []
    for reading in dates_in(folded, _RULES, None):
        dated.append((reading.start, reading.end))
        day_first += reading.proves == "day_first"
        month_first += reading.proves == "month_first"
    skipped = {p for s, e in dated for p in range(s, e)}
    skipped.update(p for m in _BRACKETED.finditer(folded) for p in range(*m.span()))
    for digits in _DIGITS.finditer(folded):
        mark = None if digits[0].isdigit() or digits.start() in skipped else _mark_of(digits[0])
        comma += mark == ","
        point += mark == "."
    return Evidence(decimal_comma=comma, decimal_point=point, day_first=day_first, month_first=month_first)


@lru_cache(maxsize=8_192)
def _mark_of(digits: str) -> Literal[".", ","] | None:
    """The decimal mark that digits with marks leave no doubt about."""
    match = _DECISIVE.fullmatch(digits)
    return None if match is None else "," if match.lastgroup in _COMMA else "."


def evidence_for(text: str, collection: Evidence) -> Evidence:
    """What decides ambiguous writings in this text: its own signs and, where it gives none, its collection's."""
    own = observe(text)
    marks = own if own.decimal_comma + own.decimal_point else collection
    orders = own if own.day_first + own.month_first else collection
    return Evidence(
        decimal_comma=marks.decimal_comma,
        decimal_point=marks.decimal_point,
        day_first=orders.day_first,
        month_first=orders.month_first,
    )
