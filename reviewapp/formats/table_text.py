"""Tables of documents as text: a row is a line, its cells parted by tabs, so that an empty cell keeps its column."""

from __future__ import annotations

from collections.abc import Iterable

WIDEST_SPAN = 100
"""Columns that one cell may claim to span; more is a mistake or an attack."""


def row_line(cells: Iterable[tuple[str, int]]) -> str:
    """``[("Total", 2), ("9.00", 1)]`` (text, columns spanned) → ``Total\\t\\t9.00``."""
    parts: list[str] = []
    for text, span in cells:
        parts.append(" ".join(text.split()))
        parts += [""] * (min(max(span, 1), WIDEST_SPAN) - 1)
    return "\t".join(parts).rstrip("\t")
