"""From spans in a text to boxes on a page."""

from __future__ import annotations

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
