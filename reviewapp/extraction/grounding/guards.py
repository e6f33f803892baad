"""What a fuzzy match may never change: numbers, units, signs, comparisons, negations, single letters.

Two wordings that differ in one of these are two statements, however alike they look.
"""

from __future__ import annotations

import re
from typing import Final

import regex

from reviewapp.extraction.wording import COMPARISONS, negates

_TOKEN: Final = regex.compile(
    r"(?P<number>\d+(?:[.,'/^:]\d+)*)(?:\s?(?P<unit>[\p{L}°%µ]{1,4})(?![\p{L}\p{M}]))?"
    r"|(?P<sign>(?<![\p{L}\p{N}])[-+±](?=\s?\d))|(?P<mark>[<>≤≥=≠±~≈%‰°]|\p{Sc})"
    r"|(?P<word>[\p{L}\p{M}]+(?:'t)?)"
)
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
