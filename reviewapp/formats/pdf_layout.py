"""From glyphs with boxes to the text of a page as people see it: lines from top to bottom, columns kept apart.

1. Glyphs that follow each other become words: a space, a gap or a jump parts them.
2. Words that overlap in height become a line; in a line they stand from left to right (right to left in Arabic and
   Hebrew lines).
3. Prose in two or more columns is read column by column. A stretch of lines counts as such when a gutter runs
   through all of it and both sides are filled with running text; tables are not.
4. In a line, a usual gap is one space. A wider one is two or more: as many as bring the word to the column where it
   stands on the page, so that the cells of a table stand below each other.

All coordinates here are points from the top left of the page as it is shown.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from reviewapp.formats.raised import SUBSCRIPTS, SUPERSCRIPTS

WORD_GAP = 0.22
"""Part of the font size: a wider gap between two glyphs parts words (a space is about 0.25)."""
ASSUMED_GAP = 0.08
"""The same where PDFium assumes a space that the file does not have; it does so around raised digits too."""
NO_GAP = -1e9
"""The same where the file has a space or a line end."""
SMALLEST, SMALLER = 0.35, 0.92
"""Parts of the height of the letter before it that a raised one has at least and at most."""
RAISED = 0.15
"""Part of that height by which its line is higher."""
BELOW_LINE = 0.2
"""Part of a letter's box that is below its line."""
_NUMERATOR = re.compile(r"[⁰¹²³⁴-⁹][/⁄][₀-₉]*$")
COLUMN_GAP = 1.9
"""Widths of a letter: a wider gap between two words is more than one space."""
WIDEST_GAP = 200
"""Spaces at most."""
JUSTIFIED_GAP = 2.5
"""Heights of a line: gaps up to this width that are all alike, over the whole width of a block, are one space each."""
PROSE_LINES = 6
"""Lines on each side from which on a gutter can part columns of prose."""
PROSE_LETTERS = 22
"""Characters that a line of a prose column has on average, at least."""
PROSE_FILL = 0.75
"""Part of its column that the median line of prose fills, at least."""


@dataclass(frozen=True, slots=True)
class Glyph:
    char: str
    x0: float
    y0: float
    x1: float
    y1: float
    widest_gap: float
    """To the glyph before, up to which both are one word: WORD_GAP, ASSUMED_GAP or NO_GAP."""
    upright: bool


@dataclass(slots=True)
class PlacedWord:
    text: str
    x0: float
    y0: float
    x1: float
    y1: float
    upright: bool = True

    @property
    def height(self) -> float:
        return self.y1 - self.y0

    @property
    def right_to_left(self) -> bool:
        return _right_to_left(self.text)


Line = list[PlacedWord]


def page_text(glyphs: Iterable[Glyph]) -> tuple[str, list[tuple[int, int, PlacedWord]]]:
    """The page's text and its words, each with start and end in that text."""
    words = list(_words(glyphs))
    if not words:
        return "", []
    blocks = _reading_order(_lines([word for word in words if word.upright]))
    if leaning := _leaning_lines([word for word in words if not word.upright]):
        blocks.append(leaning)
    letter = median((w.x1 - w.x0) / len(w.text) for w in words) or 1.0
    pieces: list[str] = []
    placed: list[tuple[int, int, PlacedWord]] = []
    length = 0
    for block in blocks:
        left, right = _extent(block)
        above: Line | None = None
        for line in block:
            parts = [("" if not pieces else _line_ends(above, line), None), *_spaced(line, (left, right), letter)]
            for part, word in parts:
                if word is not None:
                    placed.append((length, length + len(part), word))
                pieces.append(part)
                length += len(part)
            above = line
    return "".join(pieces), placed


def _words(glyphs: Iterable[Glyph]) -> Iterator[PlacedWord]:
    word: PlacedWord | None = None
    last: Glyph | None = None
    base: Glyph | None = None
    for glyph in glyphs:
        if word is not None and last is not None and _continues(last, glyph):
            height = 0 if base is None else _height_on_line(glyph, base)
            word.text += _written(glyph.char, height, word.text)
            base = base if height else glyph
            word.x0, word.x1 = min(word.x0, glyph.x0), max(word.x1, glyph.x1)
            word.y0, word.y1 = min(word.y0, glyph.y0), max(word.y1, glyph.y1)
        else:
            if word is not None:
                yield word
            word = PlacedWord(glyph.char, glyph.x0, glyph.y0, glyph.x1, glyph.y1, glyph.upright)
            base = glyph if glyph.upright else None
        last = glyph
    if word is not None:
        yield word


def _height_on_line(glyph: Glyph, base: Glyph) -> int:
    """1: smaller than `base` and set above its line; -1: smaller, and not above it; 0: as large."""
    size, own = base.y1 - base.y0, glyph.y1 - glyph.y0
    if not SMALLEST * size <= own <= SMALLER * size:
        return 0
    raised_by = (base.y1 - BELOW_LINE * size) - (glyph.y1 - BELOW_LINE * own)
    return 1 if raised_by > RAISED * size else -1


def _written(char: str, height: int, before: str) -> str:
    """A raised digit as superscript (10³ is not 103); one under a raised digit and a stroke as subscript (¹/₂)."""
    if height > 0:
        return char.translate(SUPERSCRIPTS)
    return char.translate(SUBSCRIPTS) if height < 0 and _NUMERATOR.search(before) else char


def _continues(last: Glyph, glyph: Glyph) -> bool:
    if glyph.upright != last.upright:
        return False
    if not glyph.upright:
        return glyph.widest_gap == WORD_GAP
    size = max(last.y1 - last.y0, glyph.y1 - glyph.y0)
    if min(last.y1, glyph.y1) - max(last.y0, glyph.y0) < 0.3 * min(last.y1 - last.y0, glyph.y1 - glyph.y0):
        return False
    gap = glyph.x0 - last.x1
    if "L" not in (unicodedata.bidirectional(glyph.char), unicodedata.bidirectional(last.char)):
        gap = max(gap, last.x0 - glyph.x1)  # signs and digits go either way
    return -size < gap <= glyph.widest_gap * size


def _lines(words: Sequence[PlacedWord]) -> list[Line]:
    """Words that stand side by side, lines from top to bottom, each from left to right."""
    lines: list[Line] = []
    bands: list[tuple[float, float]] = []
    for word in sorted(words, key=lambda w: (w.y0 + w.y1, w.x0)):
        best, best_overlap = -1, 0.0
        for i in range(len(lines) - 1, max(-1, len(lines) - 6), -1):
            top, bottom = bands[i]
            overlap = (min(bottom, word.y1) - max(top, word.y0)) / max(min(bottom - top, word.height), 0.01)
            if overlap > best_overlap:
                best, best_overlap = i, overlap
        if best_overlap >= 0.5:
            lines[best].append(word)
        else:
            lines.append([word])
            bands.append((word.y0, word.y1))
    order = sorted(range(len(lines)), key=lambda i: bands[i])
    return [sorted(lines[i], key=lambda w: w.x0) for i in order]


def _leaning_lines(words: Sequence[PlacedWord]) -> list[Line]:
    """Lines that run up or down the page, in the file's order; they come after everything else."""
    lines: list[Line] = []
    for word in words:
        above = lines[-1][-1] if lines else None
        if above is not None and min(above.x1, word.x1) - max(above.x0, word.x0) > 0.5 * (word.x1 - word.x0):
            lines[-1].append(word)
        else:
            lines.append([word])
    return lines


def _reading_order(lines: list[Line], depth: int = 0) -> list[list[Line]]:
    """Blocks of lines; columns of prose are blocks of their own, one after the other."""
    found = _prose_columns(lines) if depth < 3 else None
    if found is None:
        return [lines] if lines else []
    begin, end, gutter = found
    words = [word for line in lines[begin:end] for word in line]
    halves = ([w for w in words if w.x1 <= gutter], [w for w in words if w.x1 > gutter])
    columns = [block for half in halves for block in _reading_order(_lines(half), depth + 1)]
    above = _reading_order(lines[:begin], depth + 1)
    return [*above, *columns, *_reading_order(lines[end:], depth)]


def _prose_columns(lines: list[Line]) -> tuple[int, int, float] | None:
    """First line, line after the last, and gutter of the longest stretch of prose columns."""
    if len(lines) < PROSE_LINES:
        return None
    left, right = _extent(lines)
    centre_from, centre_to = left + 0.2 * (right - left), right - 0.2 * (right - left)
    gutters = {
        round((a.x1 + b.x0) / 2 / 4) * 4.0
        for line in lines
        for a, b in pairwise(line)
        if b.x0 - a.x1 > 0.6 * max(a.height, b.height) and centre_from < (a.x1 + b.x0) / 2 < centre_to
    }
    best: tuple[int, int, float] | None = None
    for gutter in sorted(gutters):
        for begin, end in _stretches(lines, gutter):
            begin, end = _without_short_ends(lines, begin, end, gutter)
            longer = best is None or end - begin > best[1] - best[0]
            if longer and _is_prose(lines[begin:end], gutter):
                best = (begin, end, gutter)
    return best


def _stretches(lines: list[Line], gutter: float) -> Iterator[tuple[int, int]]:
    """Stretches of lines in which no word stands on the gutter."""
    begin = 0
    for i, line in enumerate(lines):
        if any(word.x0 < gutter < word.x1 for word in line):
            if i > begin:
                yield begin, i
            begin = i + 1
    if len(lines) > begin:
        yield begin, len(lines)


def _without_short_ends(lines: list[Line], begin: int, end: int, gutter: float) -> tuple[int, int]:
    """The stretch without the headings and table rows above it and what stands apart below it."""
    widths = [_extent(side)[1] - _extent(side)[0] if side else 1.0 for side in _sides(lines[begin:end], gutter)]

    def short(line: Line) -> bool:
        halves = [half[0] if half else [] for half in _sides([line], gutter)]
        return not any(_fills(half, width) for half, width in zip(halves, widths, strict=True))

    while begin < end and short(lines[begin]):
        begin += 1
    while end > begin + 1 and short(lines[end - 1]) and _line_ends(lines[end - 2], lines[end - 1]) == "\n\n":
        end -= 1
    return begin, end


def _fills(line: Line, width: float) -> bool:
    """Whether the words run over half of a column's width without a gap as wide as a table's."""
    gaps = (b.x0 - a.x1 for a, b in pairwise(line))
    return bool(line) and line[-1].x1 - line[0].x0 >= 0.5 * width and max(gaps, default=0.0) < 1.5 * line[0].height


def _sides(lines: list[Line], gutter: float) -> tuple[list[Line], list[Line]]:
    return (
        [side for line in lines if (side := [w for w in line if w.x1 <= gutter])],
        [side for line in lines if (side := [w for w in line if w.x1 > gutter])],
    )


def _extent(lines: list[Line]) -> tuple[float, float]:
    return min(line[0].x0 for line in lines), max(line[-1].x1 for line in lines)


def _is_prose(lines: list[Line], gutter: float) -> bool:
    return all(_is_running_text(side) for side in _sides(lines, gutter))


def _is_running_text(lines: list[Line]) -> bool:
    if len(lines) < PROSE_LINES:
        return False
    left, right = _extent(lines)
    letters = sum(len(w.text) + 1 for line in lines for w in line) / len(lines)
    fill = median((line[-1].x1 - line[0].x0) / (right - left or 1.0) for line in lines)
    widest_gap = median(max((b.x0 - a.x1 for a, b in pairwise(ln)), default=0.0) for ln in lines)
    height = median(line[0].height for line in lines)
    return letters >= PROSE_LETTERS and fill >= PROSE_FILL and widest_gap < 1.5 * height


def _line_ends(above: Line | None, line: Line) -> str:
    """What parts a line from the one above it: a paragraph's distance is an empty line."""
    if above is None:
        return "\n\n"
    height = max(min(w.height for w in line), 0.01)
    distance = min(w.y0 for w in line) - max(w.y1 for w in above)
    return "\n\n" if distance > 0.9 * height else "\n"


def _spaced(line: Line, block: tuple[float, float], letter: float) -> Iterator[tuple[str, PlacedWord | None]]:
    """The words of a line and the white space before each; `block`: from where to where its block runs."""
    left = block[0]
    column = round((line[0].x0 - left) / letter)
    indent = min(column, WIDEST_GAP) if column >= 2 else 0
    length = indent
    if indent:
        yield " " * indent, None
    gaps = [0.0, *(b.x0 - a.x1 for a, b in pairwise(line))]
    words: Iterable[tuple[float, PlacedWord]] = zip(gaps, line, strict=True)
    justified = _is_justified(line, gaps[1:], block, letter)
    turned = _runs_from_the_right(line)
    if turned:
        words = _turned(line)
    for i, (gap, word) in enumerate(words):
        if i:
            spaces = 1
            if gap > COLUMN_GAP * letter and not justified:
                target = 0 if turned else round((word.x0 - left) / letter) - length
                spaces = min(max(2, target or round(gap / letter)), WIDEST_GAP)
            yield " " * spaces, None
            length += spaces
        yield word.text, word
        length += len(word.text)


def _is_justified(line: Line, gaps: list[float], block: tuple[float, float], letter: float) -> bool:
    """Whether the gaps of a line of prose were only stretched to bring it to its width."""
    full = line[0].x0 < block[0] + 2 * letter and line[-1].x1 > block[1] - 2 * letter
    alike = len(gaps) >= 4 and max(gaps) < 1.4 * min(gaps)
    return full and alike and max(gaps) < JUSTIFIED_GAP * line[0].height


def _turned(line: Line) -> Iterator[tuple[float, PlacedWord]]:
    """The words of a right-to-left line as they are read, with the gap before each: from the right, runs of Latin
    words from the left."""
    runs: list[Line] = []
    for word in reversed(line):
        if runs and not word.right_to_left and not runs[-1][0].right_to_left:
            runs[-1].insert(0, word)
        else:
            runs.append([word])
    edge = runs[0][-1].x1
    for run in runs:
        gap = edge - run[-1].x1
        for before, word in zip([None, *run], run, strict=False):
            yield gap if before is None else word.x0 - before.x1, word
        edge = run[0].x0


def _runs_from_the_right(line: Line) -> bool:
    """Whether most letters of the line are Arabic, Hebrew or the like."""
    kinds = [unicodedata.bidirectional(char) for word in line for char in word.text]
    return sum(kind in ("R", "AL") for kind in kinds) > kinds.count("L")


def _right_to_left(text: str) -> bool:
    return any(unicodedata.bidirectional(char) in ("R", "AL") for char in text)
