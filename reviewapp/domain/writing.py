"""How texts write things: one alphabet of digits, spaces and dashes, and what settles a writing with two readings."""

from __future__ import annotations

import re
import sys
import unicodedata
from collections.abc import Iterable
from functools import cache
from typing import Any, Literal

from reviewapp.domain.workflows import Evidence, Rules

DOMINANCE = 8
"""One way of writing settles an ambiguous one when it occurs at least this many times as often as the other."""

HARD_SPACE = "\u00a0"
EN_DASH = "–"

_HARD_SPACES = "\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"
_MINUSES = "\u2010\u2011\u2212\ufe63\uff0d\u207b\u208b"
_DASHES = "\u2012\u2013\u2014\u2015\u2e3a\ufe58"
_APOSTROPHES = "\u2019\u2018\u02bc\u00b4\uff07"
_PUNCTUATION = {
    "\uff0e": ".", "\uff0c": ",", "\u066b": ".", "\u066c": "'", "\uff1a": ":", "\uff0f": "/", "\u2044": "/",
    "\u2215": "/", "\uff08": "(", "\uff09": ")", "\uff05": "%", "\u066a": "%", "\u03bc": "µ", "\u2126": "Ω",
    "\u212b": "Å", "\u2715": "×", "\u2a2f": "×", "\u2a09": "×", "\u22c5": "·", "\u2219": "·", "\u223c": "~",
    "\u02dc": "~", "\uff5e": "~", "\u2248": "~", "\u2033": '"', "\u2032": "'", "\u02bb": "'",
    "\uff04": "$", "\uff0b": "+", "\uffe5": "¥", "\u00ba": "°", "\u02da": "°",
    "\u2a7d": "≤", "\u2a7e": "≥", "\u2266": "≤", "\u2267": "≥",
}  # fmt: skip


@cache
def _table() -> dict[int, str]:
    """One character for one character, so that positions in the folded text are those of the text."""
    table = {cp: str(d) for cp in range(128, sys.maxunicode) if (d := unicodedata.decimal(chr(cp), None)) is not None}
    table |= {ord(c): HARD_SPACE for c in _HARD_SPACES}
    table |= {ord(c): "-" for c in _MINUSES if c not in "\u207b\u208b"}
    table |= {ord(c): EN_DASH for c in _DASHES}
    table |= {ord(c): "'" for c in _APOSTROPHES}
    table |= {ord(k): v for k, v in _PUNCTUATION.items()}
    return table


def fold(text: str) -> str:
    """The text with one kind of digit, hard space, minus, dash, apostrophe, tilde and micro sign; same length.

    Minus signs and (non-breaking) hyphens become ``-``, longer dashes ``–``; superscripts and fractions stay.
    """
    return text if text.isascii() else text.translate(_table())


def settled_decimal_mark(rules: Rules, evidence: Evidence) -> Literal[".", ","] | None:
    """The decimal mark of these texts; None: nothing settles it."""
    if rules.decimal_mark != "auto":
        return rules.decimal_mark
    if evidence.decimal_point >= max(1, DOMINANCE * evidence.decimal_comma):
        return "."
    if evidence.decimal_comma >= max(1, DOMINANCE * evidence.decimal_point):
        return ","
    return None


def settled_date_order(rules: Rules, evidence: Evidence) -> Literal["dmy", "mdy", "ymd"] | None:
    """The order of day, month and year in these texts; None: nothing settles it."""
    if rules.date_order != "auto":
        return rules.date_order
    if evidence.day_first >= max(1, DOMINANCE * evidence.month_first):
        return "dmy"
    if evidence.month_first >= max(1, DOMINANCE * evidence.day_first):
        return "mdy"
    return None


def any_of(words: Iterable[str]) -> str:
    """A regular expression for the longest of these words; a tree, so that other words fail at their first letters.

    A space in a word stands for any white space.
    """
    tree: dict[str, Any] = {}
    for word in words:
        node = tree
        for character in word:
            node = node.setdefault(character, {})
        node[""] = {}
    return _pattern_of(tree)


def _pattern_of(node: dict[str, Any]) -> str:
    branches = []
    for character, below in node.items():
        if character:
            branches.append((r"\s+" if character == " " else re.escape(character)) + _pattern_of(below))
    if not branches:
        return ""
    joined = branches[0] if len(branches) == 1 and "" not in node else f"(?:{'|'.join(branches)})"
    return joined + ("?" if "" in node else "")
