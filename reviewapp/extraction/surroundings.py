"""What stands around a place: its line, what is left and right of it, and the column heads above it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from reviewapp.extraction.prepared import PreparedText

REACH: Final = 120
"""How far, in characters, words beside a place are taken to belong to it."""
CLOSE: Final = 60
"""How far left of a place words still qualify it."""
HEADER_LINES: Final = 12
"""How many lines above a place are looked through for the head of its column."""
_CELL: Final = re.compile(r"[^\s|;](?:[^\n\t|;]*?[^\s|;])??(?=\s{2}|\s*[\t|;]|\s*$)")


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Pieces of the text around a span, as they stand there."""

    left: str
    """On the same line before it, at most `REACH` characters."""
    right: str
    """On the same line after it, at most `REACH` characters."""
    heads: tuple[str, ...]
    """Cells that stand above it in the same column, nearest first; only where the lines look like a table."""
    before: str
    """The last line above that is not empty."""

    @property
    def context(self) -> str:
        """Column heads or the label above, the rest of the line, last the words straight before; a line each."""
        above = self.heads or ((self.before.strip(),) if not self.left.strip() else ())
        return "\n".join((*reversed(above), self.right.strip(), self.left[-CLOSE:]))


def surroundings(prepared: PreparedText, start: int, end: int) -> Surroundings:
    """What stands around ``text[start:end]``."""
    text = prepared.text
    line = prepared.line_number(start)
    line_start = prepared.lines[line][0]
    line_end = prepared.lines[prepared.line_number(max(start, end - 1))][1]
    left = text[max(line_start, start - REACH) : start]
    right = text[end : max(end, min(line_end, end + REACH))]
    above = _lines_above(prepared, line)
    heads = _heads(prepared, line, start, end, above)
    return Surroundings(left=left, right=right, heads=heads, before=above[0] if above else "")


def _lines_above(prepared: PreparedText, line: int) -> list[str]:
    """Lines above with anything on them, nearest first."""
    found: list[str] = []
    for start, end in reversed(prepared.lines[max(0, line - HEADER_LINES) : line]):
        if end - start < 1_000 and (words := prepared.text[start:end]).strip():
            found.append(words)
    return found


def cells(line: str) -> list[tuple[int, int]]:
    """Spans of a table row's cells: parted by two spaces, a tab, a bar or a semicolon."""
    return [m.span() for m in _CELL.finditer(line)]


def _is_head(cell: str) -> bool:
    """Words without figures; the cells of other rows are none."""
    return any(c.isalpha() for c in cell) and not any(c.isdecimal() for c in cell)


def _heads(prepared: PreparedText, line: int, start: int, end: int, above: list[str]) -> tuple[str, ...]:
    line_start, line_end = prepared.lines[line]
    if line_end - line_start > 1_000:
        return ()
    own = cells(prepared.text[line_start:line_end])
    if len(own) < 2:
        return ()
    from_, to = start - line_start, end - line_start
    index = next((i for i, (s, e) in enumerate(own) if s <= from_ < e), None)
    heads: list[str] = []
    for words in above:
        if not any(c.isalnum() for c in words):
            continue  # a rule between head and rows
        row = cells(words)
        if len(row) < 2:
            break
        over = [(s, e) for s, e in row if s < to and from_ < e]
        if not over and index is not None and len(row) == len(own):
            over = [row[index]]
        heads.extend(words[s:e] for s, e in over if _is_head(words[s:e]))
    return tuple(heads)
