"""What a fuzzy match may never change: numbers, units, signs, comparisons, negations, single letters, opposites.

Two wordings that differ in one of these are two statements, however alike they look.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import Final

import regex

from reviewapp.extraction.wording import COMPARISONS, negates

_TOKEN: Final = regex.compile(
    r"(?P<number>\d+(?:[.,'/^:]\d+)*)(?:\s?(?P<unit>[\p{L}°%µ]{1,4})(?![\p{L}\p{M}]))?"
    r"|(?P<sign>(?<![\p{L}\p{N}])[-+±](?=\s?\d))|(?P<mark>[<>≤≥=≠±~≈%‰°]|\p{Sc})"
    r"|(?P<word>[\p{L}\p{M}]+(?:'t)?)"
)
_PREFIXES_IN_WORDS: Final = """
    in im il ir un non dis de des ab anti ex under over up down pre post inter intra ent ein aus auf an zu be vor nach
    miss mis fe dé mé mal sin on ont kilo milli mikro micro mega centi nano mono di bi tri semi sub super hyper hypo
"""
_PREFIXES: Final = frozenset(_PREFIXES_IN_WORDS.split())
"""What makes the opposite, or another size, of the same word."""
_STEM: Final = 4
"""Letters that two words have in common behind such a beginning."""
_TITLES: Final = frozenset(("mr", "mrs", "ms", "miss"))
_WORDS: Final = regex.compile(r"[\p{L}\p{M}]+")
_NUMBER: Final = re.compile(r"\d+(?:[.,'/^:]\d+)*")


def guarded(norm: str) -> list[str]:
    """What must not change, in order, out of a text in its normalised form."""
    kept = []
    for match in _TOKEN.finditer(norm):
        if match["word"]:
            word = match["word"]
            if len(word) == 1 or word in COMPARISONS or negates(word):
                kept.append(word)
        elif match["number"]:
            kept.append(match["number"])
            if match["unit"]:
                kept.append(match["unit"])
        else:
            kept.append(match[0])
    return kept


def numbers(norm: str) -> list[str]:
    """The numbers of a text in its normalised form, as written."""
    return _NUMBER.findall(norm)


def turns_round(one: str, other: str) -> bool:
    """Whether words of the one are opposites of those that stand in their place in the other.

    ``valid`` and ``invalid``, ``inclusive`` and ``exclusive``, ``kilogram`` and ``milligram``; both texts are in the
    normalised form.
    """
    return any(_are_opposites(a, b) for a, b in _exchanged(_WORDS.findall(one), _WORDS.findall(other)))


def _exchanged(one: list[str], other: list[str]) -> Iterator[tuple[str, str]]:
    for what, a, b, c, d in SequenceMatcher(None, one, other, autojunk=False).get_opcodes():
        if what == "replace":
            yield from ((word, twin) for word in one[a:b] for twin in other[c:d])


def _are_opposites(one: str, other: str) -> bool:
    if {one, other} <= _TITLES:
        return True
    stem = 0
    while stem < min(len(one), len(other)) and one[-1 - stem] == other[-1 - stem]:
        stem += 1
    heads = {one[: len(one) - stem], other[: len(other) - stem]}
    return stem >= _STEM and heads <= {*_PREFIXES, ""}
