"""The date grammar: dates as texts write them, read as days; what is missing or ambiguous is said, never filled in.

Read are ISO dates and week dates; day, month and year in any order with ``/ . -`` or spaces around them; names of
months (`months`) and Roman ones; ordinals, "18th day of April, 2001", ``2024年3月5日``, two-digit years. A time beside
a date is left alone. Nothing here knows what day it is today.

What is found here is read by `date_writings`; `date_company` looks at what stands beside it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache, lru_cache

from reviewapp.domain.date_company import LONGEST_BEFORE, in_company, of_several_days
from reviewapp.domain.date_patterns import (
    DATE_LABEL,
    DIGIT_FOR_LETTER,
    DIGITS,
    DIGITS_FIRST,
    GAP_BEFORE,
    MISREAD,
    MISREAD_DATE,
    NAME_FIRST,
    ORDINALS,
    WORD_BEFORE,
    WORDED_DAY,
)
from reviewapp.domain.date_readings import DateReading, Order
from reviewapp.domain.date_writings import day_of, name_first, read_written, valid_day
from reviewapp.domain.months import month_names, month_number
from reviewapp.domain.workflows import Evidence, Rules
from reviewapp.domain.writing import any_of, fold, settled_date_order

LONGEST_DIGITS, COMPACT = 4, 8
"""Digits of a year, and of a day written without marks."""
_LEADS_TO_A_MONTH = frozenset(("da", "of", "de", "d'"))
"""Letters that begin ``day``, ``of the month of``, ``den`` … between a day and the month's name."""
_LONGEST_WORDED = 48
"""Characters before a year that a day in words and a month's name can take."""
_AFTER_A_NAME = " \u00a0\t\n-/."
"""What parts a month's name from the digits behind it."""
KEPT_FROM = 400
"""Characters of a text whose dates are kept for the next who asks."""


def find_dates(text: str, rules: Rules, evidence: Evidence) -> list[DateReading]:
    """All dates in text order, the incomplete and impossible ones included."""
    return list(dates_in(fold(text), rules, settled_date_order(rules, evidence)))


def dates_in(folded: str, rules: Rules, order: Order | None) -> tuple[DateReading, ...]:
    """Dates of a text that went through `fold`, in order.

    Those of a long text are kept while it is read: who looks for dates and who looks for numbers both ask for them.
    """
    if len(folded) < KEPT_FROM:
        return tuple(scan_dates(folded, rules, order))
    repaired, found = _kept(folded, rules)
    return tuple(in_company((_settled(reading, folded, repaired, rules, order) for reading in found), folded))


@lru_cache(maxsize=4)
def _kept(folded: str, rules: Rules) -> tuple[str, tuple[DateReading, ...]]:
    """(the text as its dates were read, its dates where no order is settled)."""
    repaired = _repaired(folded)
    return repaired, tuple(_found(repaired, rules))


def read_date(text: str, rules: Rules, evidence: Evidence) -> DateReading | None:
    """The one date that the whole text is (a time or weekday beside it aside), or None.

    Eight digits that make a day (``20181225``) count here, though not in a running text.
    """
    folded = fold(text)
    stripped = folded.strip()
    compact = re.fullmatch(r"(\d{4})(\d{2})(\d{2})", stripped)
    if compact:
        return day_of(0, len(text), int(compact[1]), int(compact[2]), int(compact[3]), stripped)
    found = list(scan_dates(folded, rules, settled_date_order(rules, evidence)))
    if len(found) != 1 or not _BESIDE.fullmatch(folded[: found[0].start] + " " + folded[found[0].end :]):
        return None
    return found[0]


_BESIDE = re.compile(
    r"""[\s,;.()]*(?:[^\W\d_]{2,10}[.,]?\s*)?(?:(?:den|the|le|el|il|г\.?)\s*)?
    (?:[\sT,]*(?:at\ |um\ |à\ )?\d{1,2}[:.h]\d{2}(?:[:.]\d{2})?(?:\.\d+)?\s*
    (?:[ap]\.?m\.?|Uhr|h|Z|UTC|GMT|[+-]\d{2}:?\d{2})?)?[\s,;.()]*""",
    re.VERBOSE | re.IGNORECASE,
)


def scan_dates(folded: str, rules: Rules, order: Order | None) -> Iterator[DateReading]:
    """Dates of a text that went through `fold`; `order` is the settled one, if one is."""
    repaired = _repaired(folded)
    settled = (_settled(reading, folded, repaired, rules, order) for reading in _found(repaired, rules))
    yield from in_company(settled, folded)


def _found(folded: str, rules: Rules) -> Iterator[DateReading]:
    """Dates as they read where no order is settled; where they stand does not depend on it."""
    position, may_go_on = 0, _may_go_on()
    for digits in DIGITS.finditer(folded):
        start, end = digits.span()
        if start < position:
            continue
        if end - start > LONGEST_DIGITS:
            reading = _compact(folded, start, end)
        else:
            reading = _digits_first(folded, start, rules, None) if may_go_on.match(folded, end) else None
            reading = reading or _digits_last(folded, start, end, position, rules)
        if reading is not None:
            reading = of_several_days(reading, folded, position)
            position = reading.end
            yield reading


@cache
def _may_go_on() -> re.Pattern[str]:
    """What may stand behind the first digits of a date, told at a glance; behind most numbers something else does.

    More digits and what parts them from a year; a Roman month; signs for an unknown day; a week; three letters that a
    month's name begins with, or what leads up to one; anything that is not ASCII.
    """
    names = any_of(sorted({name[:3] for name in month_names() if name[:3].isascii()} | _LEADS_TO_A_MONTH))
    return re.compile(
        rf"""(?:\s?[-/.–]\s?|[ ])\d{{1,2}}(?:\s?[-/.–]\s?'?\d|[ ]'?\d\d) | -\d\d | [/-](?:19|20)\d\d
        | \s?[./]\s?[IVX] | [-/.][-_?x] | -?W | \s?[^\x00-\x7f]
        | (?:\s?(?:st|nd|rd|th|er|ère|re|de|ste|e|º|ª|°|\.))?[\s\-/.,–]{{0,2}}(?:[a-z]{{0,2}}[^\x00-\x7f]|{names})""",
        re.VERBOSE | re.IGNORECASE,
    )


def _settled(reading: DateReading, folded: str, repaired: str, rules: Rules, order: Order | None) -> DateReading:
    """A date as it reads in this order, and with the doubt that `folded` has other characters there than `repaired`."""
    if order is not None and (reading.alternatives or (order == "ymd" and reading.value is not None)):
        reading = _digits_first(repaired, reading.start, rules, order) or reading
    return reading if repaired is folded else _with_doubt(reading, folded, repaired)


def _repaired(folded: str) -> str:
    """The text with the digits that a scan took for letters put back, in dates only: ``25/12/2O18``, ``l2/05/2018``."""
    if not MISREAD.search(folded):
        return folded
    return MISREAD_DATE.sub(lambda m: m[0].translate(DIGIT_FOR_LETTER), folded)


def _with_doubt(reading: DateReading, folded: str, repaired: str) -> DateReading:
    seen = folded[reading.start : reading.end]
    if seen == repaired[reading.start : reading.end] or reading.value is None:
        return reading
    return replace(reading, ambiguous=f"{seen!r} has letters where digits should stand")


def _compact(folded: str, start: int, end: int) -> DateReading | None:
    """``Date: 20180428``; without the label eight digits are a number like any other."""
    if end - start != COMPACT or not DATE_LABEL.search(folded, max(0, start - 14), start):
        return None
    year, month, day = int(folded[start : start + 4]), int(folded[start + 4 : start + 6]), int(folded[start + 6 : end])
    return DateReading(start, end, value) if (value := valid_day(year, month, day)) else None


def _digits_first(folded: str, start: int, rules: Rules, order: Order | None) -> DateReading | None:
    if start and (folded[start - 1].isalnum() or folded[start - 1] == "_"):
        return None
    match = DIGITS_FIRST.match(folded, start)
    return None if match is None else read_written(match, folded, rules, order)


def _digits_last(folded: str, start: int, end: int, position: int, rules: Rules) -> DateReading | None:
    """A date that begins with a month's name, or with the signs for an unknown day."""
    if end - start < LONGEST_DIGITS and folded[start - 2 : start - 1].isdigit():
        return None  # `9.00`: a name ends in a letter
    before = folded[max(position, start - LONGEST_BEFORE) : start]
    if not before or (before[-1] not in " \u00a0\n-/." and not before[-1].isalpha()):
        return None
    if before[-1] in "-/." and end - start == 4 and (gap := GAP_BEFORE.search(before)):
        return DateReading(start - len(before) + gap.start(), end, None, incomplete="day missing")
    if end - start == LONGEST_DIGITS and (worded := _worded_day(folded, start, end, position)):
        return worded
    last = before.rstrip(_AFTER_A_NAME)[-1:]
    word = WORD_BEFORE.search(before) if last.isalpha() or last.isspace() else None
    if word is None or month_number(word[1]) is None:
        return None
    match = NAME_FIRST.match(folded, start - len(before) + word.start(1))
    return None if match is None else name_first(match, folded, rules)


def _worded_day(folded: str, start: int, end: int, position: int) -> DateReading | None:
    """``the fifth day of March, 2024``"""
    if "of" not in folded[max(position, start - _LONGEST_WORDED) : start]:
        return None
    words = WORDED_DAY.search(folded, max(position, start - _LONGEST_WORDED), start)
    month = None if words is None else month_number(words["month"])
    if words is None or month is None:
        return None
    day = ORDINALS[" ".join(re.split(r"[\s-]+", words["day"].casefold()))]
    return day_of(words.start(), end, int(folded[start:end]), month, day, folded[words.start() : end])
