"""Whether a match begins and ends where words and numbers do.

A quote ``2`` is not in ``2024``, ``5 kg`` not in ``15 kg``, ``12`` not in ``12.5`` and ``3.5`` not in ``-3.5``. Scans
glue things together (``Net 12 kgGross 15 kg``), so some doubtful edges are let through as `GLUED`; they count only
where the text has no clean place.
"""

from __future__ import annotations

import re
from typing import Final

import regex

CUT: Final = 0
"""Something is cut in half: no match."""
GLUED: Final = 1
"""Something is joined to the match that usually belongs to it or is parted from it by a space."""
CLEAN: Final = 2

_LOOK: Final = 24
"""Characters before and after a match that are looked at."""
_OPEN: Final = frozenset(' \n\t(":[|')
_CLOSED: Final = frozenset(["", *' \n\t.,)":;]|'])
_SIGNS: Final = frozenset("-−–+.,")

_UNSPACED: Final = regex.compile(
    r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}\p{Tibetan}]"
)
"""Scripts that write words without spaces, or put endings straight behind them."""
_MONEY_LETTERS = """
    rm rs kr sfr fr eur usd gbp chf sek nok dkk pln inr myr sgd jpy cny aud cad
"""
_MONEY: Final = frozenset(_MONEY_LETTERS.split())
"""Letters that stand straight before an amount."""

_AMOUNT_START: Final = regex.compile(r"(?:\p{Sc}|[A-Za-z]{1,3}\p{Sc}?)\s?\d")
_SIGN_BEFORE: Final = regex.compile(r"(?:^|[\s(\[=:,;*/<>~≈≤≥\p{Sc}])[-−–±]\Z|[−±]\s\Z")
_NUMBER_BEFORE: Final = re.compile(r"\d(?:[.,'’·]?|[\u00a0\u202f\u2009])\Z|(?:^|\s)[.,]\Z")
_WHOLE_BEFORE: Final = re.compile(r"\d \Z")
_JOINED_BEFORE: Final = re.compile(r"\d\s?[-−–/:]\s?\Z|\w[-−–]\Z")
_LETTERS_BEFORE: Final = re.compile(r"[^\W\d_]+\Z")
_GROUP_START: Final = re.compile(r"\d{3}(?!\d)")
_FRACTION_START: Final = re.compile(r"\d{1,2}[/⁄]\d|[½¼¾⅓⅔⅛⅜⅝⅞]")

_NUMBER_GOES_ON: Final = re.compile(
    r"[\d_½¼¾⅓⅔⅛⅜⅝⅞⁰¹²³⁴-⁹⁻^]|[.,'’·]\d|[\u00a0\u202f\u2009]\d{3}(?!\d)|[eE][-−+]?\d|⁄\d"
    r"|\s?[×x·*∙⋅]\s?10(?:[-−–^⁻⁰-⁹¹²³]|\d{1,2}(?!\d))"  # a power of ten
    r"| ?[½¼¾⅓⅔⅛⅜⅝⅞]| \d{1,2}[/⁄]\d{1,3}(?![\d/])"  # a mixed fraction
    r"|(?![xX×])(?![^\W\d_]{1,2}[23](?!\w))[^\W\d_]{1,2}\d"  # a code: 1A2B, but not 18x4 or 5cm3
)
_JOINED_AFTER: Final = re.compile(r"\s?[-−–/:]\s?\d|-(?!\w)|[ '’]\d{3}(?!\d)")
_QUANTITY_END: Final = re.compile(r"[\d½]\s?[°µ%Ω]?[^\W\d_]{0,3}(?<!\d)\Z")
_UNIT_GOES_ON: Final = re.compile(r"[²³⁻^]|[*·]?[-−]\d")
_ISO_DAY: Final = re.compile(r"\d{4}-?\d\d-?\d\d\Z")
_ISO_TIME: Final = re.compile(r"[Tt]\d\d(?::?\d\d|\b)")
_FOOTNOTE: Final = re.compile(r"(?![23](?!\d))\d{1,3}(?!\d)")
"""``750 °C14``, but not ``5 m2``."""
_NOT_AFTER: Final = re.compile(r"['’]t\b")


def edges(text: str, start: int, end: int) -> int:
    """`CLEAN`, `GLUED` or `CUT` for the match ``text[start:end]``."""
    first, last = text[start], text[end - 1]
    # The common case, quickly: words between spaces. Where it says nothing, the long way tells.
    if (start == 0 or text[start - 1] in _OPEN) and text[end : end + 1] in _CLOSED and first not in _SIGNS:
        begins = not first.isdecimal() or start < 2 or not _may_go_before(text[start - 2])
        if begins and (not last.isdecimal() or _may_follow(text[end + 1 : end + 2])):
            return CLEAN
    left = _left_edge(text, start, end) if start else CLEAN
    return left and min(left, _right_edge(text, start, end))


def _may_go_before(before: str) -> bool:
    """Whether this, one character away from a number, could be a part of it."""
    return before.isdecimal() or before in "-−–±"


def _may_follow(beyond: str) -> bool:
    """Whether this, one character behind a number, is surely no part of it."""
    return not beyond or beyond.isspace() or (beyond.isalpha() and beyond not in "xX")


def _left_edge(text: str, start: int, end: int) -> int:
    first, before = text[start], text[start - 1]
    behind = text[max(0, start - _LOOK) : start]
    quote = text[start : min(end, start + _LOOK)]
    if first in "-−–+" and quote[1:2].isdecimal():
        return CUT if before.isdecimal() else CLEAN
    if first.isdecimal() or first in "½¼¾⅓⅔⅛⅜⅝⅞" or (first in ".," and quote[1:2].isdecimal()):
        return _number_begins(quote, behind)
    if _AMOUNT_START.match(quote) and _SIGN_BEFORE.search(behind):
        return CUT
    return _word_begins(first, before) if first.isalnum() or first == "_" else CLEAN


def _number_begins(quote: str, behind: str) -> int:
    if _SIGN_BEFORE.search(behind):
        return CUT
    if number := _NUMBER_BEFORE.search(behind):
        return GLUED if number[0][-1:] in "\u00a0\u202f\u2009" and not _GROUP_START.match(quote) else CUT
    if _WHOLE_BEFORE.search(behind):
        return CUT if _FRACTION_START.match(quote) else GLUED if _GROUP_START.match(quote) else CLEAN
    if letters := _LETTERS_BEFORE.search(behind):
        word = letters[0]
        if _UNSPACED.match(word[-1]):
            return CLEAN
        return GLUED if word.casefold() in _MONEY or word in "xX" or (len(word) > 2 and not word.isupper()) else CUT
    if behind.endswith("_"):
        return CUT
    return GLUED if _JOINED_BEFORE.search(behind) else CLEAN


def _word_begins(first: str, before: str) -> int:
    if before == "_":
        return CUT
    if not before.isalnum() or _UNSPACED.match(first) or _UNSPACED.match(before):
        return CLEAN
    if before.isalpha():
        return GLUED if before.islower() and first.isupper() else CUT
    return GLUED  # "kg" out of "12kg", "Cash" out of "5.00Cash"


def _right_edge(text: str, start: int, end: int) -> int:
    ahead = text[end : end + _LOOK]
    if not ahead:
        return CLEAN
    last, after = text[end - 1], ahead[0]
    if last.isdecimal():
        if after in "Tt" and _ISO_TIME.match(ahead) and _ISO_DAY.search(text, max(start, end - 10), end):
            return CLEAN  # 2024-03-03T23:59
        return _number_ends(ahead)
    if not (last.isalnum() or last == "_"):
        return CLEAN
    quantity = _QUANTITY_END.search(text, max(start, end - 5), end)
    if _NOT_AFTER.match(ahead) or after == "_" or (quantity and _UNIT_GOES_ON.match(ahead)):
        return CUT
    if after.isalpha() and not (_UNSPACED.match(last) or _UNSPACED.match(after)):
        return GLUED if last.islower() and after.isupper() else CUT
    if after.isdecimal() and not _UNSPACED.match(last):
        word = _LETTERS_BEFORE.search(text[max(start, end - _LOOK) : end])
        footnote = quantity and _FOOTNOTE.match(ahead)
        return GLUED if footnote or (word and len(word[0]) > 2) else CUT
    return GLUED if quantity and after == "/" else CLEAN


def _number_ends(ahead: str) -> int:
    if _NUMBER_GOES_ON.match(ahead):
        return CUT
    if _UNSPACED.match(ahead):
        return CLEAN
    return GLUED if _JOINED_AFTER.match(ahead) or ahead[0].isalpha() else CLEAN
