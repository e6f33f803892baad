"""What a property may be called in a text: its name and aliases, spelt and shortened as people do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import regex

from reviewapp.domain.properties import Property
from reviewapp.extraction.rules.vocabulary import name_words
from reviewapp.extraction.rules.words import all_words, spellings, split_words

Phrase = tuple[str, ...]

NUMBER_WORDS = ("number", "no", "nr", "nummer", "num")
"""Words for "number" of which texts and properties take now the one, now the other."""
SHORT = (3, 4)
"""Letters that are left of a word before "No."."""
_NUMBER_COMPOUND = regex.compile(r"(\p{L}{4,}?)(?:s?nummer|s?nr)")
"""``vergabenummer``; the text may have ``Vergabe-Nr.``."""
_SPELT_OUT = regex.compile(r"(?<![aeouq])([aou])e(?=\p{L})", regex.IGNORECASE)
"""``ae``, ``oe``, ``ue`` that may stand for an umlaut, as in ``waermeleistung``; not in ``value``."""


def called(prop: Property, *, numbers: bool = False) -> tuple[Phrase, ...]:
    """Its name and its aliases, with umlauts as letters and spelt out; with the numbers in them, or without."""
    words = all_words if numbers else split_words
    said = dict.fromkeys(words(s) for phrase in (prop.name, *prop.aliases) for s in _spellings(phrase))
    return tuple(said | dict.fromkeys(other for phrase in said for other in _with_other_number_word(phrase)))


def _spellings(phrase: str) -> tuple[str, ...]:
    return (*spellings(phrase), _SPELT_OUT.sub(r"\1", phrase))


def _with_other_number_word(phrase: Phrase) -> Iterator[Phrase]:
    """``report number`` → ``report no``, ``report nr`` …; ``vergabenummer`` → ``vergabe nr`` …"""
    if not phrase:
        return
    *first, last = phrase
    if first and last in NUMBER_WORDS:
        yield from ((*first, word) for word in NUMBER_WORDS if word != last)
        yield from _shortened(first)
    elif compound := _NUMBER_COMPOUND.fullmatch(last):
        stem = compound[1]
        yield from ((*first, stem, word) for word in NUMBER_WORDS)
        yield from _shortened([*first, stem])
        yield from ((*first, f"{stem}{tail}") for tail in ("nummer", "nr", "snummer", "snr"))


def _shortened(words: Sequence[str]) -> Iterator[Phrase]:
    """``Ser. No.``, ``Art.-Nr.``"""
    *before, last = words
    if len(last) > SHORT[-1]:
        yield from ((*before, last[:letters], word) for letters in SHORT for word in NUMBER_WORDS)


def what_is_numbered(prop: Property) -> Iterator[Phrase]:
    """``report`` of ``report_number``: beside a code it names it nearly as well."""
    for phrase in dict.fromkeys(split_words(said) for said in (prop.name, *prop.aliases)):
        if len(phrase) > 1 and phrase[-1] in NUMBER_WORDS:
            yield phrase[:-1]


def told_by_number(properties: Sequence[Property]) -> frozenset[str]:
    """Names that nothing but a number tells from another one's: ``width 1`` and ``width 2``, ``pump_1_flow``."""
    like = Counter(name_words(prop) for prop in properties)
    return frozenset(p.name for p in properties if like[name_words(p)] > 1 and all_words(p.name) != name_words(p))


def telling_apart(prop: Property, properties: Sequence[Property]) -> frozenset[str]:
    """Words of one or two letters that alone tell a property from its like: ``flow_a`` and ``flow_b``."""
    words = name_words(prop)
    like = [name_words(p) for p in properties if p.name != prop.name and len(name_words(p)) == len(words)]
    short = {w for w in words if len(w) <= 2}
    return frozenset(w for w in short if any(set(words) - {w} and set(words) - {w} <= set(o) for o in like))
