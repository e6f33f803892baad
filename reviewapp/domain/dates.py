"""The date grammar: dates as texts write them, read as days; what is missing or ambiguous is said, never filled in.

Read are ISO dates, day, month and year in any order with ``/ . -`` or spaces around them, month names (`months`),
ordinals, "18th day of April, 2001", ``2024年3月5日``, two-digit years. A time beside a date is left alone. Nothing here
knows what day it is today.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from functools import lru_cache
from typing import Literal

from reviewapp.domain.date_company import LONGEST_BEFORE, SEVERAL_DAYS, in_company, of_several_days
from reviewapp.domain.date_patterns import (
    DATE_LABEL,
    DAY_AFTER,
    DIGIT_FOR_LETTER,
    DIGITS,
    DIGITS_FIRST,
    GAP_BEFORE,
    MISREAD,
    MISREAD_DATE,
    NAME_FIRST,
    ORDINALS,
    ROMAN_MONTHS,
    WORD_BEFORE,
    WORDED_DAY,
)
from reviewapp.domain.date_readings import DateReading
from reviewapp.domain.months import month_number
from reviewapp.domain.workflows import Evidence, Rules
from reviewapp.domain.writing import EN_DASH, fold, settled_date_order

Order = Literal["dmy", "mdy", "ymd"]

FIRST_YEAR = 1000
LONGEST_DIGITS = 4


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
        return _day(0, len(text), int(compact[1]), int(compact[2]), int(compact[3]), stripped)
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
    position = 0
    for digits in DIGITS.finditer(folded):
        start, end = digits.span()
        if start < position:
            continue
        if end - start > LONGEST_DIGITS:
            reading = _compact(folded, start, end)
        else:
            reading = _digits_first(folded, start, rules, None)
            reading = reading or _digits_last(folded, start, end, position, rules)
        if reading is not None:
            reading = of_several_days(reading, folded, position)
            position = reading.end
            yield reading


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
    if end - start != 8 or not DATE_LABEL.search(folded, max(0, start - 14), start):
        return None
    year, month, day = int(folded[start : start + 4]), int(folded[start + 4 : start + 6]), int(folded[start + 6 : end])
    return DateReading(start, end, value) if (value := _valid(year, month, day)) else None


def _digits_first(folded: str, start: int, rules: Rules, order: Order | None) -> DateReading | None:
    if start and (folded[start - 1].isalnum() or folded[start - 1] == "_"):
        return None
    match = DIGITS_FIRST.match(folded, start)
    return None if match is None else _read(match, folded, rules, order)


def _digits_last(folded: str, start: int, end: int, position: int, rules: Rules) -> DateReading | None:
    """A date that begins with a month's name, or with the signs for an unknown day."""
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
    return None if match is None else _name_first(match, folded, rules)


def _worded_day(folded: str, start: int, end: int, position: int) -> DateReading | None:
    """``the fifth day of March, 2024``"""
    if "of" not in folded[max(position, start - _LONGEST_WORDED) : start]:
        return None
    words = WORDED_DAY.search(folded, max(position, start - _LONGEST_WORDED), start)
    month = None if words is None else month_number(words["month"])
    if words is None or month is None:
        return None
    day = ORDINALS[" ".join(re.split(r"[\s-]+", words["day"].casefold()))]
    return _day(words.start(), end, int(folded[start:end]), month, day, folded[words.start() : end])


def _read(match: re.Match[str], folded: str, rules: Rules, order: Order | None) -> DateReading | None:
    start, end = match.span()
    shown = match[0].strip()
    if match["a"]:
        return _three_numbers(match, folded, rules, order)
    if match["mon"]:
        return _day_and_name(match, folded, rules)
    if match["y"]:
        return _year_first(match, start, end, shown)
    if match["iso_y"] or match["my_y"]:
        if start and folded[start - 1] in "/-.":
            return None
        return DateReading(start, end, None, incomplete="day missing")
    if match["gap"]:
        return DateReading(start, end, None, incomplete="month missing")
    if match["week_y"]:
        return _day_of_week(match, shown)
    if match["roman"]:
        return _roman_month(match, shown)
    if match["cjk_y"]:
        return _day(start, end, int(match["cjk_y"]), int(match["cjk_m"]), int(match["cjk_d"]), shown)
    month = month_number(match["ymon"])
    return _day(start, end, int(match["yy"]), month, int(match["ydd"]), shown) if month else None


def _year_first(match: re.Match[str], start: int, end: int, shown: str) -> DateReading | None:
    year, month, day = int(match["y"]), int(match["ym"]), int(match["yd"])
    if month > 12 >= day and match["ysep"].strip() != "-":
        month, day = day, month
    if not FIRST_YEAR <= year <= 2999:
        return None
    return _day(start, end, year, month, day, shown)


def _roman_month(match: re.Match[str], shown: str) -> DateReading:
    """``5.III.2024``; a scan may have put ``II`` for 11."""
    month, year, day = ROMAN_MONTHS.index(match["roman"]) + 1, int(match["roman_y"]), int(match["roman_d"])
    reading = _day(*match.span(), year, month, day, shown)
    value, other = reading.value, _valid(year, 11, day) if match["roman"] == "II" else None
    if value is None or other is None:
        return reading
    return replace(reading, ambiguous=f"{shown!r} can be read as {value} or {other}", alternatives=(other,))


def _day_of_week(match: re.Match[str], shown: str) -> DateReading:
    """``2024-W10-2``, the Tuesday of the tenth week."""
    try:
        day = date.fromisocalendar(int(match["week_y"]), int(match["week"]), int(match["week_d"]))
    except ValueError:
        return DateReading(*match.span(), None, impossible=f"{shown!r} is no day of the calendar")
    return DateReading(*match.span(), day)


def _three_numbers(match: re.Match[str], folded: str, rules: Rules, order: Order | None) -> DateReading | None:
    raw_year = match["c"]
    seps = {match["sep"].strip(), match["sep2"].strip()}
    loose = "" in seps
    if len(seps) > 1 and not (loose and len(raw_year) == 4):
        return None
    if loose and (len(raw_year) != 4 or match["sep"] == " " or not 1900 <= int(raw_year) <= 2099):
        return None
    before = folded[max(0, match.start() - 2) : match.start()]
    if before[-1:] in ("-", "/", ".", ",", EN_DASH, "+") and before[:1].isalnum():
        own = match["sep"].strip()
        if before[-1] in (own, "/", ".", ",", "+") or not before[0].isdigit():
            return None
    year = _year(raw_year, rules)
    if order is None and seps == {"."}:
        order = "dmy"  # nobody writes month first with dots, unless the rules or the other dates say so
    may_begin_with_year = match["sep"].strip() == "-"
    return _ordered(match, year, order, rules, may_begin_with_year=may_begin_with_year)


def _ordered(
    match: re.Match[str], year: int, order: Order | None, rules: Rules, *, may_begin_with_year: bool
) -> DateReading:
    """Day, month and year of ``a/b/year`` in the one order that is possible, settled, or likelier.

    `may_begin_with_year`: ``24-03-05`` may as well be 5 March 2024.
    """
    a, b, raw_year, shown = int(match["a"]), int(match["b"]), match["c"], match[0].strip()
    readings: dict[str, date] = {}
    for name, (y, m, d) in {"dmy": (year, b, a), "mdy": (year, a, b)}.items():
        if day := _valid(y, m, d):
            readings[name] = day
    if (
        raw_year.isdigit()
        and len(raw_year) == 2
        and len(match["a"]) == len(match["b"]) == 2
        and (order == "ymd" or may_begin_with_year or not readings)
        and (day := _valid(_year(match["a"], rules), b, int(raw_year)))
    ):
        readings["ymd"] = day
    if not readings:
        return DateReading(match.start(), match.end(), None, impossible=f"{shown!r} is no day of the calendar")
    proves: Literal["day_first", "month_first"] | None = None
    if len(readings) == 1 and a != b:
        proves = "day_first" if "dmy" in readings else "month_first" if "mdy" in readings else None
    chosen = order if order in readings else next(iter(readings))
    value = readings[chosen]
    others = tuple(dict.fromkeys(d for d in readings.values() if d != value))
    ambiguous = None
    if others and order not in readings:
        other = " or ".join(map(str, others))
        ambiguous = f"{shown!r} can be read as {value} or {other}"
    return DateReading(match.start(), match.end(), value, ambiguous, alternatives=others, proves=proves)


def _day_and_name(match: re.Match[str], folded: str, rules: Rules) -> DateReading | None:
    month = month_number(match["mon"])
    day = int(match["dd"])
    if month is None or not 1 <= day <= 31:
        return None
    if match["dy"]:
        return _day(match.start(), match.end(), _year(match["dy"], rules), month, day, match[0].strip())
    end = match.end("mon")
    if folded[max(0, match.start() - 1) : match.start()] in ("-", "/", EN_DASH, ".") or match["glue"] not in (
        " ",
        "\u00a0",
    ):
        return None
    if not match["mon"][0].isupper() or len(match["mon"]) < 3:
        return None
    return DateReading(match.start(), end, None, incomplete="year missing")


def _name_first(match: re.Match[str], folded: str, rules: Rules) -> DateReading | None:
    month = month_number(match["word"])
    if month is None:
        return None
    start = match.start()
    if match["only_y"]:
        if not match["word"][0].isupper() and len(match["word"]) < 4:
            return None
        return DateReading(start, match.end(), None, incomplete="day missing")
    day = int(match["wd"])
    more = DAY_AFTER.match(folded, match.end("wd"))
    if more is not None and day < int(more["day"]) <= 31:
        return DateReading(start, more.end(), None, incomplete=SEVERAL_DAYS)
    if match["wy"]:
        return _day(start, match.end(), _year(match["wy"], rules), month, day, match[0].strip())
    end = match.end("word_ord") if match["word_ord"] else match.end("wd")
    follows = folded[end : end + 2]
    if not match["word"][0].isupper() or not 1 <= day <= 31 or re.match(rf"\s?[-{EN_DASH}/.,]\d|\w{{2}}", follows):
        return None
    return DateReading(start, end, None, incomplete="year missing")


def _year(raw: str, rules: Rules) -> int:
    digits = raw.lstrip("'")
    number = int(digits)
    if len(digits) == 4:
        return number
    return number + (2000 if number <= rules.two_digit_years else 1900)


def _valid(year: int, month: int, day: int) -> date | None:
    if not FIRST_YEAR <= year <= 2999:
        return None
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _day(start: int, end: int, year: int, month: int, day: int, shown: str) -> DateReading:
    value = _valid(year, month, day)
    if value is None:
        return DateReading(start, end, None, impossible=f"{shown!r} is no day of the calendar")
    return DateReading(start, end, value)
