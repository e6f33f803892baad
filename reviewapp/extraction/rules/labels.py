"""Labels and what they state: a label that begins its line or cell, and a value that is all the rest of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import regex

from reviewapp.extraction.rules.candidates import Candidate
from reviewapp.extraction.rules.cues import PART, Hit, Hits
from reviewapp.extraction.rules.layout import Cell, Layout, Line
from reviewapp.extraction.rules.texts import before_a_tail

if TYPE_CHECKING:
    from reviewapp.extraction.rules.views import View

BEGINS = 2
"""Characters, bullets say, before a label that still begins its cell."""
_WORDS = ("name", "phrase", "block", "place")
"""Kinds whose values are words: only a colon or a gap tells them from a label that goes on."""
_NOTHING = regex.compile(r"[\W_]*")
_BETWEEN = regex.compile(r"(?:[^\W_]{1,3}\b)?[\W_]*?(?:[(\[][^()\[\]\n]{0,40}[)\]])?(?P<marks>[\W_]*)")
"""Between a label and its value: marks, a remark in brackets; ``No`` of ``Report No``."""
_QUALIFIES = regex.compile(
    r"\s?(?:[(\[][^()\[\]\n]{1,40}[)\]]|\b(?:of|by|per|at|on|for|incl\.?|including|de|du|des|à|au|pour|par|am|bis|zum"
    r"|für|bei|auf|inkl\.?|al|del|por|para|di|per|van|voor|op)\b[^:\n]{0,40}?)\s?(?::[ ]{0,8}|\s{2,80}|\t+)",
    regex.IGNORECASE,
)
_PARTS = regex.compile(r"\s*[,;]\s*(?:(?:and|und|et|y|e|en)\s)?|\s(?:and|und|et|y|e|en|&)\s")
_CLOSED = regex.compile(r"[\"”“'’»]?\s*[)\]]")


def whole_label(candidate: Candidate, own: Hits, view: View) -> float:
    """How strongly a cue is the whole label of a candidate that is all that the label states; 0: none is.

    The label stands before it in its cell (``Warranty: 24 months``), fills the cell before, or the line above or below.
    """
    layout, line = view.layout, candidate.line
    if line.prose or not _NOTHING.fullmatch(layout.text, candidate.end, _end_of_cell(candidate, layout)):
        return 0.0
    cell = line.cells[candidate.cell]
    if _NOTHING.fullmatch(layout.text, cell.start, candidate.start):
        if candidate.cell > 0:
            return _fills(line.cells[candidate.cell - 1], own, layout)
        label = _line_of_its_label(line, layout) if len(line.cells) == 1 else None
        return 0.0 if label is None else _fills(label.cells[0], own, layout)
    hit = own.before(candidate.first_word, layout.word_at(cell.start))
    if hit is None or layout.starts[hit[0]] > cell.start + BEGINS:
        return 0.0
    between = _BETWEEN.fullmatch(layout.text, layout.ends[hit[1] - 1], candidate.start)
    if between is None or (candidate.kind in _WORDS and not any(mark in between["marks"] for mark in ":=")):
        return 0.0
    return hit[2]


def _line_of_its_label(line: Line, layout: Layout) -> Line | None:
    """The line above; or the one below, where blank lines part such pairs: ``180 mm`` over ``height``."""
    lines, number = layout.lines, line.number
    label: Line | None = None
    if number and not line.blank_before:
        label = lines[number - 1]
    elif not any(following.blank_before for following in lines[number + 1 : number + 2]):
        ends_there = all(following.blank_before for following in lines[number + 2 : number + 3])
        label = lines[number + 1] if ends_there and number + 1 < len(lines) else None
    return None if label is None or label.prose or len(label.cells) > 1 else label


def _end_of_cell(candidate: Candidate, layout: Layout) -> int:
    """Where the cell ends in which the candidate ends; of a name, what more is said of somebody aside."""
    line = candidate.line if candidate.end <= candidate.line.end else layout.line_at(candidate.end - 1)
    end = max(candidate.end, line.cells[layout.cell_index(line, candidate.end - 1)].end)
    return before_a_tail(layout.text, candidate.start, end) if candidate.kind in _WORDS else end


def _fills(cell: Cell, own: Hits, layout: Layout) -> float:
    """The strongest cue that is all there is in a cell, a remark in brackets aside."""
    best = 0.0
    for first, last, strength in own.within(layout.word_at(cell.start), layout.word_at(cell.end)):
        begins = strength > best and strength >= PART and layout.starts[first] <= cell.start + BEGINS
        if begins and _BETWEEN.fullmatch(layout.text, layout.ends[last - 1], cell.end):
            best = strength
    return best


def is_qualified(hit: Hit, candidate: Candidate, view: View) -> bool:
    """Whether all that stands between a cue and a value qualifies the label, which begins its cell and ends with a
    colon or a gap: ``Acompte de 30 % à la commande : 306,57 €``, ``Amount due by 4 November     $116.39``."""
    layout, line = view.layout, candidate.line
    start, end = layout.starts[hit[0]], layout.ends[hit[1] - 1]
    if line.prose or start < line.start or start > line.cells[layout.cell_index(line, start)].start + BEGINS:
        return False
    return _QUALIFIES.fullmatch(layout.text, end, candidate.start) is not None


def in_closed_brackets(hit: Hit, until: int, view: View) -> bool:
    """Whether a cue is a role in brackets: in ``Acme Inc. ("Client"), and Halvorsen`` it names what stands before."""
    layout = view.layout
    return _CLOSED.match(layout.text, layout.ends[hit[1] - 1], until) is not None


def belongs_to_the_number_before(hit: Hit, candidate: Candidate, view: View) -> bool:
    """Whether a cue stands right behind another number and a comma or "and" parts it from this one.

    In ``60 cm breit, 85 cm hoch und 55 cm tief`` the words stand behind their numbers.
    """
    layout = view.layout
    if not _PARTS.fullmatch(layout.text, layout.ends[hit[1] - 1], candidate.start):
        return False
    start = layout.starts[hit[0]]
    return any(start - blanks in view.number_ends for blanks in (1, 2)) and layout.text[start - 1].isspace()
