"""What stands where a value would and is none: another label, a blank to fill in, words that say nothing is stated."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import regex

from reviewapp.extraction.rules.cues import FULL, Hits
from reviewapp.extraction.rules.layout import Cell, Layout, Line
from reviewapp.extraction.rules.vocabulary import look_lists
from reviewapp.extraction.rules.words import fold, spellings, split_words

if TYPE_CHECKING:
    from reviewapp.extraction.rules.views import View

_BLANK = regex.compile(r"[\s._…·–—*?/\\()\[\]☐□\"'“”„-]*")
"""Dots, lines and boxes that nobody filled in."""
_TEMPLATE = regex.compile(r"<[^<>@]+>|\[\D+\]|\{+[^{}]*\}+|«[^«»]*»")
"""``[name]``, ``<Name eintragen>``, ``{{manager}}``: what somebody was to replace."""
_PAIR = regex.compile(r"\p{L}[\p{L}\p{N} ./&'’()-]{0,30}?\s?:(?=\s|$)")
"""``Finish: matt``: another label, with its value or without."""
_ENDS_LABEL = ".)°"
"""What a label may end with: ``I.R.P.F.``, ``No.)``."""
LABEL_WORDS, NEIGHBOURS = 4, 4
"""Words of a head at most; rows on either side that tell pairs in two columns from a table with heads."""
OFF = 2
"""Characters by which cells of one column may begin apart."""


def says_nothing(words: str) -> bool:
    """``n/a``, ``siehe Anlage``, ``______``: no value, whatever the label."""
    return (
        _BLANK.fullmatch(words) is not None
        or _TEMPLATE.fullmatch(words) is not None
        or _folded(words) in _phrases("says_nothing")
    )


def says_none(words: str) -> bool:
    """``none``, ``keine``: an answer in words, and no number, date or code."""
    return _folded(words) in _phrases("says_none")


def _folded(words: str) -> tuple[str, ...]:
    bare = words.strip(" .()[]")
    return split_words(bare) if len(bare) <= 40 and not any(map(str.isdigit, bare)) else ()


@cache
def _phrases(key: str) -> frozenset[tuple[str, ...]]:
    return frozenset(tuple(map(fold, s.split())) for phrase in look_lists()[key] for s in spellings(phrase))


def begins_with_a_label(view: View, start: int, end: int, *, known: bool) -> bool:
    """Whether ``text[start:end]`` is or begins with a label and its colon; `known`: only one that some cue names."""
    pair = _PAIR.match(view.layout.text, start, end)
    if pair is None:
        return False
    return not known or view.is_cue(view.layout.word_at(start), view.layout.word_at(pair.end()))


def is_label(view: View, cell: Cell, own: Hits) -> bool:
    """Whether a cell holds nothing but the label of something else: it ends with a colon, or another property is
    called so."""
    layout = view.layout
    if layout.text[cell.end - 1] == ":":
        return True
    first, last = layout.word_at(cell.start), layout.word_at(cell.end)
    return view.is_property(first, last) and own.strongest(first, last) < FULL


def heads_a_column(view: View, line: Line, index: int, own: Hits) -> bool | None:
    """Whether a label, the cell `index` of a line, heads the column below it rather than states what stands beside it.

    True where the cell beside it is a label too; False where the rows around show labels with their values beside them;
    None: both are possible, ``Shipper   Consignee`` over ``Foo Ltd   Bar KG``.
    """
    following = line.cells[index + 1]
    if is_label(view, following, own) or (index > 0 and is_label(view, line.cells[index - 1], own)):
        return True
    layout = view.layout
    words = layout.words[layout.word_at(following.start) : layout.word_at(following.end)]
    if len(words) > LABEL_WORDS or any(map(str.isdigit, layout.words[line.first_word : line.last_word])):
        return False
    below = layout.lines[line.number + 1] if line.number + 1 < len(layout.lines) else None
    if below is None or below.blank_before or not _alike(line, below):
        return False
    block = layout.lines[max(0, line.number - NEIGHBOURS) : line.number + NEIGHBOURS + 1]
    rows = [row for row in block if row is not line and _alike(line, row)]
    return False if any(is_label(view, row.cells[index], own) for row in rows) else None


def _alike(line: Line, other: Line) -> bool:
    """Whether two lines have cells in the same columns."""
    if other.prose or len(other.cells) != len(line.cells):
        return False
    shift = other.start - line.start
    return all(abs(b.start - shift - a.start) <= OFF for a, b in zip(line.cells, other.cells, strict=True))


def states_nothing(view: View, own: Hits, *, none_too: bool) -> bool:
    """Whether every label of a property says that nothing is stated: ``Flash point: not applicable``."""
    layout, found = view.layout, False
    best = max((hit[2] for hit in own.hits), default=0.0)
    for hit in own.hits:
        if hit[2] < best:
            continue
        said = stated_by(layout, hit[0], hit[1])
        if said is None or not (says_nothing(said) or (none_too and says_none(said))):
            return False
        found = True
    return found


def stated_by(layout: Layout, first: int, last: int) -> str | None:
    """What a label states: the rest of its cell, or the next one; None: it begins no cell, or nothing follows."""
    start, end = layout.starts[first], layout.ends[last - 1]
    line = layout.line_at(start)
    index = layout.cell_index(line, start)
    cell = line.cells[index]
    if line.prose or start > cell.start + OFF or end > line.end:
        return None
    rest = layout.text[end : cell.end].strip(" :=")
    if len(rest) <= len(_ENDS_LABEL) and not rest.strip(_ENDS_LABEL):
        rest = ""
    if not rest and index + 1 < len(line.cells):
        following = line.cells[index + 1]
        rest = layout.text[following.start : following.end].strip(" :=")
    return rest or None
