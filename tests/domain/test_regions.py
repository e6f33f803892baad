"""Boxes on pages: one a line, words joined as they follow each other, pages apart."""

from __future__ import annotations

import pytest

from reviewapp.domain.places import Region
from reviewapp.domain.records import Page, Word
from reviewapp.domain.regions import boxes_of


def word(start: int, x: float, y: float, page: int = 0) -> Word:
    """Four letters wide, one line high."""
    return Word(start=start, end=start + 4, region=Region(page=page, x0=x, y0=y, x1=x + 0.1, y1=y + 0.02))


FIRST = (word(0, 0.1, 0.1), word(5, 0.25, 0.1), word(10, 0.1, 0.2))
SECOND = (word(15, 0.1, 0.1, 1), word(20, 0.3, 0.1, 1))
PAGES = (
    Page(number=0, start=0, end=15, width=600, height=800, words=FIRST),
    Page(number=1, start=15, end=25, width=600, height=800, words=SECOND),
)


@pytest.mark.parametrize(
    ("start", "end", "boxes"),
    [
        (0, 4, [(0, 0.1, 0.2)]),
        (0, 9, [(0, 0.1, 0.35)]),
        (2, 6, [(0, 0.1, 0.35)]),
        (5, 14, [(0, 0.25, 0.35), (0, 0.1, 0.2)]),
        (10, 19, [(0, 0.1, 0.2), (1, 0.1, 0.2)]),
        (15, 24, [(1, 0.1, 0.4)]),
        (4, 5, []),
        (24, 90, []),
        (90, 99, []),
    ],
)
def test_boxes(start: int, end: int, boxes: list[tuple[int, float, float]]) -> None:
    found = [(b.page, round(b.x0, 3), round(b.x1, 3)) for b in boxes_of(PAGES, start, end)]
    assert found == boxes
