"""Where words that name a candidate may stand: beside it, in the head of its column, on the line above."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field

import regex

from reviewapp.extraction.rules.candidates import Candidate, Scope
from reviewapp.extraction.rules.layout import JOINED_GAP, Cell, Layout, Line

REACH_WORDS = 24
"""How far, in words of running text, a cue may stand from its value."""
HEADING_WORDS = 5
HEADING_BEFORE = 4
"""How many sentences back a heading is looked for, and how many words."""
HEADING_REACH = 90
HEAD_LINES = 14
"""How many lines above a row of a table are looked through for its heads."""
MOST_HEADS = 3
INDENTED = 8
"""A lone cell set in this far, in characters, stands in a column of what is above it."""
_SENTENCE_END = regex.compile(
    r"(?<![ (][A-Z])(?<!\b(?:No|Nr|Inc|Co|vs|al|Fig|ca|approx|St|Mr|Dr))[.!?;]['\"”’)\]]*\s+(?=[\p{Lu}(“\"‘\d])|\n\s*\n"
)


@dataclass(frozen=True, slots=True)
class Sentences:
    """Word indices at which a sentence or a line of its own begins."""

    begins: tuple[int, ...]

    def around(self, word: int, count: int) -> tuple[int, int]:
        """First word of the sentence that holds `word`, and one after its last."""
        index = bisect_right(self.begins, word) - 1
        end = self.begins[index + 1] if index + 1 < len(self.begins) else count
        return self.begins[index], end

    def heading(self, word: int) -> tuple[int, int] | None:
        """The short sentence that heads the paragraph of `word`, as in "7. Term. This agreement …"."""
        index = bisect_right(self.begins, word) - 1
        for at in range(index - 1, max(-1, index - 1 - HEADING_BEFORE), -1):
            first, last = self.begins[at], self.begins[at + 1]
            if 0 < last - first <= HEADING_WORDS and word - last <= HEADING_REACH:
                return first, last
        return None


def read_sentences(layout: Layout) -> Sentences:
    """Sentences of running text; every other line is one by itself."""
    begins = {0}
    prose_before = False
    for line in layout.lines:
        if line.blank_before or not (prose_before or line.prose):
            begins.add(line.first_word)
        prose_before = line.prose
    if any(line.prose for line in layout.lines):
        begins.update(layout.word_at(m.end()) for m in _SENTENCE_END.finditer(layout.text))
    return Sentences(tuple(sorted(begins)))


Words = tuple[int, int]
"""First word and one after the last."""
Heads = tuple[Words, ...]


@dataclass(slots=True)
class HeadsSoFar:
    """What was found out about the heads of columns, kept for the other candidates of a text."""

    of_place: dict[tuple[int, int], Heads] = field(default_factory=dict)
    """By (line, cell)."""
    words: dict[int, Words | None] = field(default_factory=dict)
    """Of a cell by where it begins; None: it is nothing but numbers, and heads nothing."""

    def words_of(self, cell: Cell, layout: Layout) -> Words | None:
        if cell.start not in self.words:
            first, last = layout.word_at(cell.start), layout.word_at(cell.end)
            numbers_only = all(word.isdigit() for word in layout.words[first:last])
            self.words[cell.start] = None if numbers_only else (first, last)
        return self.words[cell.start]


def scope_of(
    candidate: Candidate,
    layout: Layout,
    sentences: Sentences,
    number_words: list[int],
    heads_so_far: HeadsSoFar,
) -> Scope:
    """The scope of a candidate.

    `number_words` are the first words of all numbers of the text, in order.
    """
    line, first, last, count = candidate.line, candidate.first_word, candidate.last_word, len(layout.words)
    begin, end = sentences.around(first if first < count else count - 1, count)
    if not line.prose and begin >= line.first_word and end <= line.last_word:
        begin, end = line.first_word, line.last_word
    left = (max(begin, first - REACH_WORDS), first)
    right = (last, min(end, last + REACH_WORDS))
    numbers = number_words[bisect_left(number_words, left[0]) : bisect_left(number_words, first)]
    numbers.reverse()
    place = (line.number, candidate.cell)
    heads = heads_so_far.of_place.get(place)
    if heads is None:
        heads = heads_so_far.of_place[place] = () if line.prose else _heads(candidate, layout, heads_so_far)
    return Scope(left, right, heads, _above(candidate, layout), tuple(numbers))


def _above(candidate: Candidate, layout: Layout) -> tuple[int, int]:
    line = candidate.line
    if line.number == 0 or line.prose:
        return (0, 0)
    for index in range(line.first_word, candidate.first_word):
        if not layout.words[index].isdigit():
            return (0, 0)
    before = layout.lines[line.number - 1]
    if before.prose or line.blank_before > 1 or (line.blank_before and before.number and not before.blank_before):
        return (0, 0)  # the last line of the block above it belongs to that block
    return (before.first_word, before.last_word)


def _heads(candidate: Candidate, layout: Layout, so_far: HeadsSoFar) -> Heads:
    line = candidate.line
    if line.number == 0 or (len(line.cells) < 2 and line.inner_start - line.start < INDENTED):
        return ()
    heads: list[Words] = []
    text, index = layout.text, candidate.cell
    bars = text.count("|", line.start, line.cells[index].start)
    joined = not bars and not line.set_out
    for number in range(line.number - 1, max(-1, line.number - 1 - HEAD_LINES), -1):
        other = layout.lines[number]
        if other.prose:
            break
        head = _by_number(other, line, index) if joined else _cell_over(other, line, index, text, bars)
        words = None if head is None else so_far.words_of(head, layout)
        if words is not None:
            heads.append(words)
            if len(heads) == MOST_HEADS:
                break
    return tuple(heads)


def _cell_over(other: Line, row: Line, index: int, text: str, bars: int) -> Cell | None:
    """The cell of the line above that stands over a cell of a row.

    Between bars by how many (`bars`) stand before it; else by position where the row is set out in columns; where a
    scan put two spaces between all cells, by number, and the last under the last.
    """
    cells = other.cells
    if bars and "|" in text[other.start : other.end]:
        return next((c for c in cells if text.count("|", other.start, c.start) == bars), None)
    if row.set_out:
        cell = row.cells[index]
        shift = other.start - row.start
        start, end = cell.start + shift, cell.end + shift
        best, best_overlap = cells[0], -JOINED_GAP
        for over in cells:
            overlap = min(end, over.end) - max(start, over.start)
            if overlap > best_overlap:
                best, best_overlap = over, overlap
        if best_overlap > -JOINED_GAP:
            return best
    return _by_number(other, row, index)


def _by_number(other: Line, row: Line, index: int) -> Cell | None:
    cells, count = other.cells, len(row.cells)
    if len(cells) == count:
        return cells[index]
    return cells[-1] if len(cells) > 1 and index == count - 1 else None
