"""The pages of a PDF as pictures, with the words of every mark boxed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from reviewapp.domain.records import Page
from reviewapp.domain.regions import boxes_of
from reviewapp.web.highlighting import Mark, Tone


@dataclass(frozen=True)
class Box:
    """One stretch of words on a page; coordinates in thousandths of the page's width and height."""

    key: str
    """Of the value it belongs to."""
    tone: Tone
    label: str
    current: bool
    x: float
    y: float
    width: float
    height: float
    anchor: bool
    """The first box of its value: what its quote leads to."""


@dataclass(frozen=True)
class Sheet:
    """One page."""

    number: int
    """Counted from 1."""
    width: int
    height: int
    """In points, for the picture's shape before it is there."""
    boxes: tuple[Box, ...]


def sheets_of(pages: Sequence[Page], marks: Sequence[Mark]) -> list[Sheet]:
    """Every page, in order, with the boxes of the marks whose words stand on it."""
    boxes: dict[int, list[Box]] = {}
    named: set[str] = set()
    for mark in sorted(marks, key=lambda m: m.start):
        for region in boxes_of(pages, mark.start, mark.end):
            box = Box(
                key=mark.key,
                tone=mark.tone,
                label=mark.label,
                current=mark.current,
                x=round(1000 * region.x0, 1),
                y=round(1000 * region.y0, 1),
                width=round(1000 * (region.x1 - region.x0), 1),
                height=round(1000 * (region.y1 - region.y0), 1),
                anchor=bool(mark.key) and mark.key not in named,
            )
            named.add(mark.key)
            boxes.setdefault(region.page, []).append(box)
    return [Sheet(p.number + 1, round(p.width), round(p.height), tuple(boxes.get(p.number, ()))) for p in pages]
