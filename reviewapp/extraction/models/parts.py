"""Long texts in overlapping parts, and the readings of the parts as one."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from reviewapp.domain.places import Span
from reviewapp.domain.tests import Reading

_ENDS: Final = ("\f", "\n\n", "\n", ". ", " ")
"""Where a part may end, the best first."""
_OF_A_WORD: Final = r"(?![\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff])[\w.,:/'’\u0300-\u036f-]"
"""A character of a word or number, but in scripts that write no spaces."""
_IN_A_WORD: Final = re.compile(_OF_A_WORD * 2)


@dataclass(frozen=True)
class Part:
    """A piece of a text."""

    start: int
    """Where it begins in the text, in code points."""
    text: str


def parts_of(text: str, most: int, overlap: int) -> list[Part]:
    """Parts of at most `most` characters that cover the text; neighbours share up to `overlap` of them.

    A part ends at a page, paragraph, line, sentence or word, whichever is found in its last third, and begins at a line
    or word where one begins in the overlap; where a script has no spaces, no number and no Latin word is cut.
    """
    parts: list[Part] = []
    start = 0
    while len(text) - start > most:
        end = _end(text, start, most)
        parts.append(Part(start, text[start:end]))
        following = max(start + 1, end - overlap)
        if overlap:
            line = text.rfind("\n", following, end)
            following = line + 1 if line > following else _between_words(text, following, end)
        start = following
    return [*parts, Part(start, text[start:])]


def _end(text: str, start: int, most: int) -> int:
    for mark in _ENDS:
        at = text.rfind(mark, start + most * 2 // 3, start + most)
        if at > 0:
            return at + len(mark)
    return _between_words(text, start + most, start + most * 2 // 3)


def _between_words(text: str, at: int, limit: int) -> int:
    """The place nearest to `at`, towards `limit`, that cuts no word and no number; `at` where there is none."""
    step = 1 if limit > at else -1
    return next((p for p in range(at, limit, step) if not _IN_A_WORD.match(text[p - 1 : p + 1])), at)


def merged(read: Iterable[tuple[Part, tuple[Reading, ...]]]) -> tuple[Reading, ...]:
    """The readings of all parts with places in the whole text.

    What two parts say alike is one reading; what they say differently stays, and the first one counts. Of two quotes of
    which one holds the other, as where a part ended within ``1 234,50``, only the longer is kept.
    """
    kept: list[Reading] = []
    known: set[tuple[str, str]] = set()
    for part, readings in read:
        said_here = [(r.property, _folded(r.value)) for r in readings]
        earlier = len(kept)
        for reading, said in zip(readings, said_here, strict=True):
            if said in known:
                continue
            placed = reading.model_copy(update={"hint": _place(part, reading.quote), "confidence": None})
            if not _takes_the_place(placed, kept, earlier):
                kept.append(placed)
        known.update(said_here)
    return tuple(kept)


def _place(part: Part, quote: str) -> Span | None:
    """Where a quote stands in the whole text; None where the part has it nowhere or more than once."""
    at = part.text.find(quote) if quote else -1
    if at < 0 or part.text.find(quote, at + 1) >= 0:
        return None
    return Span(start=part.start + at, end=part.start + at + len(quote))


def _takes_the_place(reading: Reading, kept: list[Reading], earlier: int) -> bool:
    """Whether an earlier part's reading of the property stands within this one's quote; then this one replaces it."""
    place = reading.hint
    for at, other in enumerate(kept[:earlier]):
        within = other.hint
        if place is None or within is None or other.property != reading.property:
            continue
        if place.start <= within.start and within.end <= place.end:
            kept[at] = reading
            return True
    return False


def _folded(value: object) -> str:
    return " ".join(str(value).split()).casefold()
