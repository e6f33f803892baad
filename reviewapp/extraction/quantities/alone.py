"""Which digits are a number of their own, and which belong to a word or identifier."""

from __future__ import annotations

import re
from functools import lru_cache

from reviewapp.domain.numbers import NumberReading
from reviewapp.extraction.units import currency_after, currency_before, match_unit

LONGEST_WORD = 20
_LETTERS = re.compile(r"[^\W\d_]{1,40}")
_ORDINAL = re.compile(r"(?:st|nd|rd|th)(?![^\W_])", re.IGNORECASE)
_MULTIPLIED = re.compile(r"(?:k|K|M|B|mn|mio|mln|bn|mrd|million|billion)(?![^\W\d_])", re.IGNORECASE)
CREDIT = re.compile(r"[ \u00a0]?(?:CR|Cr\.?)(?![\w/-]|[ \u00a0]?\d)")
"""Behind an amount; ``DR``, a debit, changes nothing."""
_NUMBER_BEFORE = re.compile(r"\d[ \u00a0]?$")


def stands_alone(folded: str, number: NumberReading) -> bool:
    """False for digits of a word or identifier: ``1A2B``, ``TD0116``, ``COVID-19``, ``304-0000``, ``21st``, ``007``."""
    start, end = number.start, number.end
    before = folded[start - 1] if start else " "
    after = folded[end] if end < len(folded) else " "
    if before.isalpha() and not _glued_before(folded, number):
        return False
    if before in "_#" or after == "_" or (before == "." and folded[start - 2 : start - 1].isdigit()):
        return False
    if before in "-–/" and start > 1 and folded[start - 2].isalpha() and not _joins_numbers(folded, start - 2):
        return False
    if after == "-" and folded[end + 1 : end + 2] == "0" and folded[end + 2 : end + 3].isdigit():
        return False
    if folded[start] == "0" and end - start > 1 and folded[start:end].isdigit():
        return False
    return not after.isalpha() or (_ORDINAL.match(folded, end) is None and _glued_after(folded, number))


def _joins_numbers(folded: str, last: int) -> bool:
    """Whether the word that ends at `last` is a unit or an ``x`` between numbers (``5 mg-6 mg``, ``2 x -3``)."""
    first = _word_start(folded, last)
    if not _NUMBER_BEFORE.search(folded[max(0, first - 2) : first]):
        return False
    unit = match_unit(folded, first)
    return folded[first : last + 1] in ("x", "X") or (unit is not None and unit.end == last + 1)


def _word_start(folded: str, last: int) -> int:
    start = last
    while start > 0 and folded[start - 1].isalpha() and last - start < LONGEST_WORD:
        start -= 1
    return start


def is_amount(number: NumberReading) -> bool:
    """Written with two decimals, as amounts of money are."""
    return number.decimals and number.value.as_tuple().exponent == -2


def _glued_before(folded: str, number: NumberReading) -> bool:
    """Letters straight before a number: a currency (``RM9.00``), ``2x3``, or a word and an amount (``Change1.00``)."""
    if currency_before(folded, number.start):
        return True
    start = _word_start(folded, number.start - 1)
    if number.start - start == 1 and folded[start] in "xX×":
        return start == 0 or not folded[start - 1].isalpha()
    return is_amount(number) and number.start - start >= 3


def _glued_after(folded: str, number: NumberReading) -> bool:
    """Letters straight behind a number: a unit, a multiplier, a currency, or a word run into an amount."""
    end = number.end
    letters = _LETTERS.match(folded, end)
    word = letters[0] if letters else ""
    tail = folded[end + len(word) : end + len(word) + 1]
    if word in ("x", "X") or currency_after(folded, end) or _MULTIPLIED.match(folded, end):
        return True
    if is_amount(number) and CREDIT.match(folded, end):
        return True
    unit = match_unit(folded, end)
    if unit is not None and unit.end >= end + len(word):
        return not folded[unit.end : unit.end + 1].isalnum()
    if split_word(word) is not None:
        return True
    if len(word) >= 3 and (number.decimals or not tail.isdigit()):
        return word[0].isupper() or not word.isascii() or number.decimals or len(word) >= 5
    return not word.isascii() or (1 < len(word) < 5 and not tail.isalnum() and not word.isupper())


@lru_cache(maxsize=8_192)
def split_word(word: str) -> int | None:
    """``kgGross`` → 2: where a unit ends and the next word begins with a capital."""
    for at in range(1, min(6, len(word) - 2)):
        if word[at].isupper() and word[at + 1].islower() and word[at - 1].islower():
            unit = match_unit(word[:at], 0)
            if unit is not None and unit.end == at:
                return at
    return None
