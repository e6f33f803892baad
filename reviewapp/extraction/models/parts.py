"""Long texts in overlapping parts, and the readings of the parts as one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from reviewapp.domain.places import Span
from reviewapp.domain.tests import Reading

_ENDS: Final = ("\f", "\n\n", "\n", ". ", " ")
"""Where a part may end, the best first."""


@dataclass(frozen=True)
class Part:
    """A piece of a text."""

    start: int
    """Where it begins in the text, in code points."""
    text: str


def parts_of(text: str, most: int, overlap: int) -> list[Part]:
    """Parts of at most `most` characters that cover the text; neighbours share up to `overlap` of them.

    A part ends at a page, paragraph, line, sentence or word, whichever is found in its last third.
    """
    parts: list[Part] = []
    start = 0
    while len(text) - start > most:
        end = _end(text, start, most)
        parts.append(Part(start, text[start:end]))
        following = max(start + 1, end - overlap)
        if overlap:
            space = text.rfind("\n", following, end)
            following = space + 1 if space > following else following
        start = following
    return [*parts, Part(start, text[start:])]


def _end(text: str, start: int, most: int) -> int:
    for mark in _ENDS:
        at = text.rfind(mark, start + most * 2 // 3, start + most)
        if at > 0:
            return at + len(mark)
    return start + most


def merged(read: Iterable[tuple[Part, tuple[Reading, ...]]]) -> tuple[Reading, ...]:
    """The readings of all parts with places in the whole text. What two parts say alike is one reading; what they say
    differently stays, and the first one counts."""
    kept: list[Reading] = []
    known: set[tuple[str, str]] = set()
    for part, readings in read:
        said_here = [(r.property, _folded(r.value)) for r in readings]
        for reading, said in zip(readings, said_here, strict=True):
            if said in known:
                continue
            at = part.text.find(reading.quote) if reading.quote else -1
            place = None
            if at >= 0 and part.text.find(reading.quote, at + 1) < 0:
                place = Span(start=part.start + at, end=part.start + at + len(reading.quote))
            kept.append(reading.model_copy(update={"hint": place, "confidence": None}))
        known.update(said_here)
    return tuple(kept)


def _folded(value: object) -> str:
    return " ".join(str(value).split()).casefold()
