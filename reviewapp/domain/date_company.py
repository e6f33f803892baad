"""What stands beside a date and makes it no single, exact day: other days of the same month, a second date, "about"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from reviewapp.domain.date_patterns import CJK_DAY_AFTER, DAY_BEFORE, DIGITS
from reviewapp.domain.date_readings import DateReading

LONGEST_BEFORE = 20
"""Characters before digits that a month's name and what parts them can take."""
LONGEST_DAY = 2
SEVERAL_DAYS = "several days"

_ESTIMATE = re.compile(
    r"""(?:~|(?<![^\W_])(?:ca|circa|approx|approximately|about|around|roughly|ungefähr|etwa|zirka|environ|vers
    |aproximadamente|hacia|ongeveer|omstreeks|około|около)(?![^\W_])\.?)\s*(?:(?:the|den|le|el|il)\s)?$""",
    re.VERBOSE | re.IGNORECASE,
)
_LONGEST_ESTIMATE = 24
_BETWEEN = re.compile(
    r"""\s*(?:-|–|/|(?:to|until|till|through|thru|bis|au|al|à|a|ao|tot|t/m|do|til|till|до|по)(?:\s(?:the|zum|den|le|el|il))?)
    \s*""",
    re.VERBOSE | re.IGNORECASE,
)
_LONGEST_BETWEEN = 16


def of_several_days(reading: DateReading, folded: str, position: int) -> DateReading:
    """``22-23 February 2024`` is no date: one of several days."""
    if reading.value is None:
        return reading
    start, end = reading.start, reading.end
    first = DIGITS.match(folded, start)
    if first is None or len(first[0]) > LONGEST_DAY:
        after = CJK_DAY_AFTER.match(folded, end) if folded[end - 1] in "日일" else None
        return reading if after is None else DateReading(start, after.end(), None, incomplete=SEVERAL_DAYS)
    before = DAY_BEFORE.search(folded, max(position, start - LONGEST_BEFORE), start)
    if before is None or not 1 <= int(before["day"]) < int(first[0]) <= 31:
        return reading
    return DateReading(before.start(), end, None, incomplete=SEVERAL_DAYS)


def in_company(found: Iterable[DateReading], folded: str) -> Iterator[DateReading]:
    """The readings in their order; an estimate, and the two ends of a span of days, with a word about it."""
    before: DateReading | None = None
    for reading in found:
        reading = _estimated(reading, folded)
        if before is not None and _is_span(before, reading, folded):
            words = folded[before.start : reading.end]
            doubt = f"{words!r} is a span of days, not a single one"
            before, reading = _doubted(before, doubt), _doubted(reading, doubt)
        if before is not None:
            yield before
        before = reading
    if before is not None:
        yield before


def _estimated(reading: DateReading, folded: str) -> DateReading:
    if reading.value is None:
        return reading
    estimate = _ESTIMATE.search(folded, max(0, reading.start - _LONGEST_ESTIMATE), reading.start)
    if estimate is None:
        return reading
    words = folded[estimate.start() : reading.end]
    return _doubted(reading, f"{words!r} is no exact day")


def _is_span(first: DateReading, second: DateReading, folded: str) -> bool:
    if first.value is None or second.value is None or second.start - first.end > _LONGEST_BETWEEN:
        return False
    return first.value < second.value and _BETWEEN.fullmatch(folded, first.end, second.start) is not None


def _doubted(reading: DateReading, doubt: str) -> DateReading:
    return reading if reading.ambiguous else replace(reading, ambiguous=doubt)
