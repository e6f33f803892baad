"""Words as cues are compared: folded, and split where scans glue them together."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Iterator
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

import regex

WORD = regex.compile(r"\p{Lu}+(?!\p{Ll})\p{M}*|\p{Lu}?[\p{Ll}\p{M}]+|[\p{L}\p{M}]+|\d+")
"""Runs of letters and runs of digits; a capital inside a word begins a new one (``kgGross``)."""


_ASCII_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+", re.ASCII)
"""The same in a text of ASCII, found in half the time."""
SOFT_HYPHEN = "\u00ad"
_STROKES = str.maketrans({"ł": "l", "ø": "o", "đ": "d", "ħ": "h", "ı": "i", "æ": "ae", "œ": "oe"})
"""Letters that Unicode does not take apart."""
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe", "æ": "ae"})


@cache
def table() -> dict[str, dict[str, Any]]:
    """``vocabulary.toml`` as it stands there."""
    raw: dict[str, dict[str, Any]] = tomllib.loads((files(__package__) / "vocabulary.toml").read_text("utf-8"))
    return raw


@lru_cache(maxsize=65_536)
def fold(word: str) -> str:
    """A word without case and accents: ``Fällig`` → ``fallig``."""
    folded = word.casefold()
    if folded.isascii():
        return folded
    bare = "".join(c for c in unicodedata.normalize("NFKD", folded) if not unicodedata.combining(c))
    return bare.translate(_STROKES)


@cache
def known() -> frozenset[str]:
    """Every word of the vocabulary, folded: those with capitals inside stay whole (``GmbH``, ``MwSt``)."""
    lists = (v for row in table().values() for v in row.values() if isinstance(v, list))
    return frozenset(fold(w) for phrases in lists for phrase in phrases for s in spellings(phrase) for w in s.split())


_MISREAD = str.maketrans({"0": "o", "1": "i", "5": "s"})
_TORN = regex.compile(
    r"(?<![\p{L}\d])(?:(?:\p{Lu}[ ]){3,12}\p{Lu}(?![\p{L}\d])|\p{Lu}[ ]\p{Lu}{3,12}(?![\p{L}\d])"
    r"|\p{Lu}{1,10}[015](?:\p{Lu}{1,10}[015]?){1,3}(?![\p{L}\d])|(?P<glued>\p{Lu}{3,12})(?:RM|EUR|USD|CHF)(?=\d))"
)
"""What scans make of words in capitals: ``T O T A L``, ``T OTAL``, ``T0TAL``, ``TOTALRM9.00``."""


def _mended(text: str) -> dict[int, tuple[int, str]]:
    """Where such words begin, where they end and what they are, if the vocabulary has them."""
    found: dict[int, tuple[int, str]] = {}
    for match in _TORN.finditer(text):
        end = match.end("glued") if match["glued"] else match.end()
        written = text[match.start() : end]
        word = fold(written.replace(" ", "").translate(_MISREAD))
        if word in known() and (" " not in written or fold(written.split()[-1]) not in known()):
            found[match.start()] = end, word
    return found


def scan_words(text: str) -> Iterator[tuple[int, int, str]]:
    """(start, end, folded word) of every word and number of a text."""
    vocabulary, mended = known(), _mended(text)
    start = end = skipped = 0
    word = ""
    for match in (_ASCII_WORD if text.isascii() else WORD).finditer(text):
        begin, until = match.span()
        if begin < skipped:
            if until > skipped:  # `RM` of `TOTALRM`
                start, end, word = skipped, until, fold(text[skipped:until])
            continue
        if begin in mended:
            if word:
                yield start, end, word
            skipped, whole = mended[begin]
            yield begin, skipped, whole
            word = ""
            if until > skipped:
                start, end, word = skipped, until, fold(text[skipped:until])
            continue
        piece = fold(match[0])
        if begin - end <= 1 and word:
            glued = word + piece in vocabulary if begin == end else text[end] == SOFT_HYPHEN
            if glued:
                word, end = word + piece, until
                continue
        if word:
            yield start, end, word
        start, end, word = begin, until, piece
    if word:
        yield start, end, word


def spellings(phrase: str) -> tuple[str, ...]:
    """A phrase as written, and with its umlauts spelt out: ``fällig``, ``faellig``."""
    spelt_out = phrase.translate(_UMLAUTS)
    return (phrase,) if spelt_out == phrase else (phrase, spelt_out)


@lru_cache(maxsize=16_384)
def split_words(phrase: str) -> tuple[str, ...]:
    """The folded words of a phrase, numbers left out: ``Fällig am 3.`` → ``("fallig", "am")``."""
    return tuple(word for _, _, word in scan_words(phrase) if not word.isdigit())


def all_words(phrase: str) -> tuple[str, ...]:
    """The folded words of a phrase, numbers included: ``IP 67`` → ``("ip", "67")``."""
    return tuple(word for _, _, word in scan_words(phrase))
