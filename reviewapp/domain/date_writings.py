"""One date as it is written, matched by the patterns of `date_patterns`, read as a day."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date
from typing import Literal

from reviewapp.domain.date_company import SEVERAL_DAYS
from reviewapp.domain.date_patterns import DAY_AFTER, ROMAN_MONTHS
from reviewapp.domain.date_readings import DateReading, Order
from reviewapp.domain.months import month_number
from reviewapp.domain.workflows import Rules
from reviewapp.domain.writing import EN_DASH

FIRST_YEAR, LAST_YEAR = 1000, 2999


def read_written(match: re.Match[str], folded: str, rules: Rules, order: Order | None) -> DateReading | None:
    """What `date_patterns.DIGITS_FIRST` matched, read in the settled order; None: no date after all."""
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
        return day_of(start, end, int(match["cjk_y"]), int(match["cjk_m"]), int(match["cjk_d"]), shown)
    month = month_number(match["ymon"])
    return day_of(start, end, int(match["yy"]), month, int(match["ydd"]), shown) if month else None


def _year_first(match: re.Match[str], start: int, end: int, shown: str) -> DateReading | None:
    year, month, day = int(match["y"]), int(match["ym"]), int(match["yd"])
    if month > 12 >= day and match["ysep"].strip() != "-":
        month, day = day, month
    if not FIRST_YEAR <= year <= LAST_YEAR:
        return None
    return day_of(start, end, year, month, day, shown)


def _roman_month(match: re.Match[str], shown: str) -> DateReading:
    """``5.III.2024``; a scan may have put ``II`` for 11."""
    month, year, day = ROMAN_MONTHS.index(match["roman"]) + 1, int(match["roman_y"]), int(match["roman_d"])
    reading = day_of(*match.span(), year, month, day, shown)
    value, other = reading.value, valid_day(year, 11, day) if match["roman"] == "II" else None
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
        if day := valid_day(y, m, d):
            readings[name] = day
    if (
        raw_year.isdigit()
        and len(raw_year) == 2
        and len(match["a"]) == len(match["b"]) == 2
        and (order == "ymd" or may_begin_with_year or not readings)
        and (day := valid_day(_year(match["a"], rules), b, int(raw_year)))
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
        return day_of(match.start(), match.end(), _year(match["dy"], rules), month, day, match[0].strip())
    end = match.end("mon")
    if folded[max(0, match.start() - 1) : match.start()] in ("-", "/", EN_DASH, ".") or match["glue"] not in (
        " ",
        "\u00a0",
    ):
        return None
    if not match["mon"][0].isupper() or len(match["mon"]) < 3:
        return None
    return DateReading(match.start(), end, None, incomplete="year missing")


def name_first(match: re.Match[str], folded: str, rules: Rules) -> DateReading | None:
    """What `date_patterns.NAME_FIRST` matched; None: no date after all."""
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
        return day_of(start, match.end(), _year(match["wy"], rules), month, day, match[0].strip())
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


def valid_day(year: int, month: int, day: int) -> date | None:
    """The day of a year that texts speak of; None: there is no such day."""
    if not FIRST_YEAR <= year <= LAST_YEAR:
        return None
    try:
        return date(year, month, day)
    except ValueError:
        return None


def day_of(start: int, end: int, year: int, month: int, day: int, shown: str) -> DateReading:
    """The day at ``text[start:end]``, or that there is none."""
    value = valid_day(year, month, day)
    if value is None:
        return DateReading(start, end, None, impossible=f"{shown!r} is no day of the calendar")
    return DateReading(start, end, value)
