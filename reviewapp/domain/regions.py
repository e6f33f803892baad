"""From spans in a text to boxes on a page."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from reviewapp.domain.places import Region, Span
from reviewapp.domain.records import Page


def region_of(pages: Sequence[Page], place: Sequence[Span]) -> Region | None:
    """The box around the words of a place, on the page where it begins; None where no word of it has a box."""
    for page in pages:
        boxes = [
            word.region for word in page.words if any(word.start < span.end and span.start < word.end for span in place)
        ]
        if boxes:
            return Region(
                page=page.number,
                x0=min(b.x0 for b in boxes),
                y0=min(b.y0 for b in boxes),
                x1=max(b.x1 for b in boxes),
                y1=max(b.y1 for b in boxes),
            )
    return None


def boxes_of(pages: Sequence[Page], start: int, end: int) -> list[Region]:
    """Boxes around the words from `start` to `end` of the text: one a line of the page, as words follow each other."""
    boxes: list[Region] = []
    for page in pages:
        if page.end <= start or page.start >= end:
            continue
        first = max(0, bisect_right(page.words, start, key=lambda word: word.start) - 1)
        for word in page.words[first:]:
            if word.start >= end:
                break
            if word.end > start:
                _add(boxes, word.region)
    return boxes


def _add(boxes: list[Region], region: Region) -> None:
    """Widen the last box where the word goes on in its line, else begin a new one."""
    last = boxes[-1] if boxes else None
    if last is None or last.page != region.page or region.x0 < last.x0 or not _same_line(last, region):
        boxes.append(region)
        return
    boxes[-1] = Region(
        page=last.page,
        x0=last.x0,
        y0=min(last.y0, region.y0),
        x1=max(last.x1, region.x1),
        y1=max(last.y1, region.y1),
    )


def _same_line(a: Region, b: Region) -> bool:
    """Whether two boxes overlap in height by at least half of the lower one."""
    shared = min(a.y1, b.y1) - max(a.y0, b.y0)
    return shared >= 0.5 * min(a.y1 - a.y0, b.y1 - b.y0)
