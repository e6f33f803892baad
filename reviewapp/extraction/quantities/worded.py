"""Quantities in words: ``two years``, ``a gallon``, ``the second anniversary``, ``absolute zero``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

from reviewapp.domain.number_words import scan_number_words, words_of
from reviewapp.domain.numbers import NumberReading
from reviewapp.domain.writing import any_of
from reviewapp.extraction.quantities.attach import with_multiplier, with_unit
from reviewapp.extraction.quantities.term import Term

_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_ANNIVERSARY = re.compile(
    rf"(?<![^\W_])(?P<ordinal>{'|'.join(_ORDINALS)}|\d{{1,2}}(?:st|nd|rd|th))\s(?:\(\d{{1,2}}(?:st|nd|rd|th)\)\s)?"
    r"(?P<unit>anniversary)",
    re.IGNORECASE,
)
_WITH_ARTICLE = frozenset((
    "gallon", "litre", "liter", "mile", "kilo", "kilometer", "kilometre", "pound", "ounce", "penny", "year", "month",
    "week", "day", "hour", "meter", "metre", "ton", "tonne", "inch", "foot", "acre", "hectare", "gram", "decade",
    "century",
))  # fmt: skip
"""Units that "a" counts; not "second", "minute", "stone" and the like, which are other words as well."""
_ARTICLE = re.compile(
    rf"(?<![^\W_])(?P<article>an?)[ \u00a0](?={any_of(sorted(_WITH_ARTICLE))}(?![^\W_]))", re.IGNORECASE
)
_RATE_BEFORE = re.compile(
    r"(?:\b(?:once|twice|times|per|each|every|such|half|within)|[\d%€$£])[ \u00a0]*$", re.IGNORECASE
)


def worded_terms(folded: str) -> Iterator[Term]:
    """All of them; they may overlap with each other and with terms in digits."""
    whole, there = folded.strip(" .,;:\n"), words_of(folded)
    for number, needs_unit in scan_number_words(folded, there):
        term = Term(number.start, number.end, number, in_words=True)
        term = with_unit(folded, with_multiplier(folded, term))
        if number.value == 0 and folded[max(0, number.start - 9) : number.start].casefold() == "absolute ":
            term = term._replace(start=number.start - 9, unit="K", unit_span=(number.start - 9, number.start - 1))
        if term.unit is not None or not needs_unit or folded[number.start : number.end] == whole:
            yield term
    if not _WITH_ARTICLE.isdisjoint(there):
        yield from _articles(folded)
    if "anniversary" in there:
        yield from _anniversaries(folded)


def _articles(folded: str) -> Iterator[Term]:
    """``a year`` is one, but not in ``twice a year`` or ``$4 a gallon``."""
    for match in _ARTICLE.finditer(folded):
        if not _RATE_BEFORE.search(folded[max(0, match.start() - 12) : match.start()]):
            number = NumberReading(match.start("article"), match.end("article"), Decimal(1))
            yield with_unit(folded, Term(number.start, number.end, number, in_words=True))


def _anniversaries(folded: str) -> Iterator[Term]:
    """``until the second (2nd) anniversary`` is two years."""
    for match in _ANNIVERSARY.finditer(folded):
        word = match["ordinal"].casefold()
        value = _ORDINALS.index(word) + 1 if word in _ORDINALS else int(word[:-2])
        number = NumberReading(match.start(), match.end("ordinal"), Decimal(value))
        yield Term(match.start(), match.end(), number, "yr", match.span("unit"), in_words=True)
