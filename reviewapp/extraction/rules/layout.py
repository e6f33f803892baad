"""How a text lies on the page: its words, lines and cells.

Made once per text and shared by all properties. All positions are code points of the text.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

from reviewapp.extraction.rules.words import scan_words

_GAP = re.compile(r" {2,}|\t+ *| *\| *|\u3000+")
"""What parts two cells of a line: two spaces, a tab or a bar."""
_SEMICOLON = re.compile(r"\s*;\s*")
_BRACKETED = re.compile(r"[(\[][^()\[\]]{0,20}[)\]]")
_HEAD_WORDS = re.compile(r"\s*[^\W\d][^\d;]{0,40}")
_RULE = re.compile(r"[\s|:+=─━┼├┤-]*[-=─━]{2}[\s|:+=─━┼├┤-]*")
"""A line drawn between the rows of a table, ``|---|---|``, where it has bars or crosses."""
_LINE_END = re.compile(r"\n|\f|\r\n?")
JOINED_GAP = 2
"""Characters between cells that were joined rather than set out."""
PROSE_WORDS = 9
"""A line with at least this many words, most of them letters, is running text."""


class Cell(NamedTuple):
    """A piece of a line, parted from its neighbours by white space or a bar."""

    start: int
    end: int


def _start_of_cell(cell: Cell) -> int:
    return cell.start


class Line(NamedTuple):
    """A line that is not blank."""

    number: int
    """Counted from 0 over the lines that are not blank."""
    start: int
    """Where the line begins in the text, its indentation included."""
    end: int
    cells: tuple[Cell, ...]
    first_word: int
    """Index of its first word; `last_word` is one after its last."""
    last_word: int
    prose: bool
    """Running text rather than a label, a value or a row of a table."""
    blank_before: int
    """Blank lines between this one and the one before."""
    set_out: bool
    """Its cells stand in columns; False: they were joined by two spaces each, as scans have it."""

    @property
    def inner_start(self) -> int:
        return self.cells[0].start

    @property
    def inner_end(self) -> int:
        return self.cells[-1].end


@dataclass(slots=True)
class Layout:
    """Words, lines and cells of one text, in text order."""

    text: str
    words: list[str] = field(default_factory=list)
    """Folded."""
    starts: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)
    line_starts: list[int] = field(default_factory=list)
    heads: set[int] = field(default_factory=set)
    """Numbers of the lines that a rule marks as heads of columns, as in ``| Width | Height |`` above ``|---|---|``."""

    def word_at(self, position: int) -> int:
        """Index of the first word that begins at or after `position`."""
        return bisect_left(self.starts, position)

    def words_in(self, span: tuple[int, int] | None) -> tuple[int, int] | None:
        """First word of a span and one after its last."""
        return None if span is None else (self.word_at(span[0]), self.word_at(span[1]))

    def line_at(self, position: int) -> Line:
        """The line that holds `position` (or the nearest one before it)."""
        return self.lines[max(0, bisect_right(self.line_starts, position) - 1)]

    def cell_index(self, line: Line, position: int) -> int:
        """Which cell of `line` holds `position`."""
        if len(line.cells) == 1:
            return 0
        return max(0, bisect_right(line.cells, position, key=_start_of_cell) - 1)


def read_layout(text: str) -> Layout:
    """Lay out `text`; a blank text has no lines."""
    layout = Layout(text)
    if found := list(scan_words(text)):
        layout.starts, layout.ends, layout.words = map(list, zip(*found, strict=True))
    starts = layout.starts
    begin, blank, word = 0, 0, 0
    raws = _LINE_END.split(text)
    separated = _separated(raws) if ";" in text else frozenset[int]()
    for at, raw in enumerate(raws):
        end = begin + len(raw)
        bare = raw.strip()
        if not bare:
            blank += 1
        elif _is_rule(bare):
            if "|" in raw and layout.lines and not blank:
                layout.heads.add(len(layout.lines) - 1)
        else:
            first, word = word, bisect_left(starts, end, word)
            inner = begin + raw.index(bare[0])
            cells = _cells(text, inner, inner + len(bare), _SEMICOLON if at in separated else _GAP)
            prose = _is_prose(layout, first, word, len(cells))
            set_out = len(cells) == 1 or max(b.start - a.end for a, b in pairwise(cells)) > JOINED_GAP
            layout.lines.append(Line(len(layout.lines), begin, end, cells, first, word, prose, blank, set_out))
            layout.line_starts.append(begin)
            blank = 0
        begin = end + (2 if text.startswith("\r\n", end) else 1)
    return layout


def _is_rule(bare: str) -> bool:
    """Whether a line, without the blanks around it, is drawn between the rows of a table."""
    if bare[0] not in "|+├─" or not ("|" in bare or "+" in bare or "┼" in bare):
        return False
    return _RULE.fullmatch(bare) is not None


def _separated(raws: list[str]) -> frozenset[int]:
    """Numbers of the lines that semicolons part into cells: heads without numbers, rows with as many semicolons."""
    found: set[int] = set()
    heads: int | None = None
    for at, raw in enumerate(raws):
        count = raw.count(";")
        if heads is not None and count == raws[heads].count(";") and any(map(str.isdigit, raw)):
            found.update((heads, at))
            continue
        pieces = _BRACKETED.sub("", raw).split(";") if count else []
        is_head = len(pieces) > 1 and all(_HEAD_WORDS.fullmatch(piece) for piece in pieces)
        heads = at if is_head else None
    return frozenset(found)


def _cells(text: str, start: int, end: int, gaps: re.Pattern[str] = _GAP) -> tuple[Cell, ...]:
    """The cells of a line from its first character to its last that is not blank."""
    cells = []
    for gap in gaps.finditer(text, start, end):
        if gap.start() > start:
            cells.append(Cell(start, gap.start()))
        start = gap.end()
    if end > start:
        cells.append(Cell(start, end))
    return tuple(cells) or (Cell(start, end + 1),)  # a line of nothing but bars


def _is_prose(layout: Layout, first: int, last: int, cells: int) -> bool:
    count = last - first
    if count < PROSE_WORDS or cells > 2:
        return False
    text = layout.text
    letters = sum([text[start].islower() for start in layout.starts[first:last]])
    return letters * 2 >= count
