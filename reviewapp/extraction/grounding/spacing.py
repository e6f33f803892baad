"""Spaces that say nothing: ``12kg`` and ``12 kg``, ``€12`` and ``€ 12``, ``Net :5`` and ``Net: 5``, ``( 5 kg )``.

Whoever quotes sets them as is usual, and texts out of PDFs have them or lack them at random. A space between two words
or two digits parts them and stays; so does one at a sign, a point or a hyphen. Scripts that set none between words have
them where a line ends.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

import regex

_OPENING: Final = frozenset("([{<>=≤≥")
_CLOSING: Final = frozenset(")]};%‰<>=≤≥")
_AFTER_WORDS: Final = frozenset(":,")
"""Between digits they belong to the number: ``12:30``, ``12,5``."""


_UNSPACED: Final = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}\p{Tibetan}]")


def loosely_spaced(folded: str) -> str | None:
    """A pattern for a quote in its normalised form, whatever spaces say nothing; None where all of them count."""
    pieces: list[str] = []
    before = last = ""
    free = False
    for word in folded.split(" "):
        for at, character in enumerate(word):
            if last:
                if _says_nothing(before, last, character):
                    pieces.append(" ?")
                    free = True
                elif at == 0:
                    pieces.append(" ")
            pieces.append(re.escape(character))
            before, last = last, character
    return "".join(pieces) if free else None


def _says_nothing(before: str, one: str, other: str) -> bool:
    """Whether a space between these two characters would; `before` stands before them."""
    if one in _OPENING or other in _CLOSING or one == "°":
        return True
    if one in _AFTER_WORDS and not (before.isdecimal() and other.isdecimal()):
        return True
    if one.isdecimal():
        return other == "°" or other.isalpha() or _is_currency(other)
    if other.isdecimal():
        return _is_currency(one) or _UNSPACED.match(one) is not None
    if one.isalpha() and other.isalpha():
        return _UNSPACED.match(one) is not None and _UNSPACED.match(other) is not None
    return "/" in (one, other) or other in _AFTER_WORDS


def _is_currency(character: str) -> bool:
    return unicodedata.category(character) == "Sc"
