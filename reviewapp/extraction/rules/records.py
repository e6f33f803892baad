"""Several records in one text: a name such as ``pump_2_flow`` or ``b_200_weight`` in two parts, of which one heads a
section or a row and the other labels the value there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from reviewapp.domain.properties import Property
from reviewapp.extraction.rules.candidates import Candidate, Scope
from reviewapp.extraction.rules.cues import FULL, Hit
from reviewapp.extraction.rules.layout import Layout, Line
from reviewapp.extraction.rules.names import Phrase, called

if TYPE_CHECKING:
    from reviewapp.extraction.rules.views import View

LONGEST_NAME = 7
DIGITS_OF_A_CODE = 4
_GOES_ON = "(:-–—,"
"""What may stand behind the name of a section on its line."""
_ANY_NUMBER = "#"


class Parts(NamedTuple):
    """A name taken apart: ``record`` heads a section or a row, ``label`` names the value in it."""

    record: Phrase
    label: Phrase


class Section(NamedTuple):
    """Words ``first`` to ``last`` of a text stand under a line that says ``record``."""

    record: Phrase
    first: int
    last: int


def parts_of(prop: Property) -> tuple[Parts, ...]:
    """Every way to take the property's name or an alias apart."""
    found: dict[Parts, None] = {}
    for phrase in called(prop, numbers=True):
        if 2 <= len(phrase) <= LONGEST_NAME:
            for at in range(1, len(phrase)):
                found[Parts(phrase[:at], phrase[at:])] = None
                found[Parts(phrase[at:], phrase[:at])] = None
    return tuple(parts for parts in found if _may_head(parts.record) and any(len(w) > 2 for w in parts.label))


def _may_head(record: Phrase) -> bool:
    """Whether it has letters, or digits as an article's number has: ``4711-20``."""
    return not all(word.isdigit() for word in record) or len("".join(record)) >= DIGITS_OF_A_CODE


def shape_of_record(record: Phrase) -> Phrase:
    """``pump 1`` and ``pump 2`` are alike."""
    return tuple(_ANY_NUMBER if word.isdigit() else word for word in record)


def find_sections(layout: Layout, shapes: frozenset[Phrase]) -> list[Section]:
    """The sections of a text whose heads look like a part of some property's name, each up to the next."""
    firsts = {shape[0] for shape in shapes}
    numbered = _ANY_NUMBER in firsts
    lines = (
        line
        for line in layout.lines
        if len(line.cells) == 1 and not line.prose and line.first_word < line.last_word
        if layout.words[line.first_word] in firsts or (numbered and layout.words[line.first_word].isdigit())
    )
    heads = [(line, record) for line in lines if (record := _head(layout, line, shapes)) is not None]
    ends = [line.first_word for line, _ in heads[1:]]
    ends.append(len(layout.words))
    return [Section(record, line.last_word, end) for (line, record), end in zip(heads, ends, strict=False)]


def _head(layout: Layout, line: Line, shapes: frozenset[Phrase]) -> Phrase | None:
    words = tuple(layout.words[line.first_word : line.first_word + LONGEST_NAME])[: line.last_word - line.first_word]
    shape = shape_of_record(words)
    for count in range(len(words), 0, -1):
        if shape[:count] in shapes:
            behind = layout.text[layout.ends[line.first_word + count - 1] : line.end].strip()
            return words[:count] if not behind or (behind[0] in _GOES_ON and not _states(behind)) else None
    return None


def _states(behind: str) -> bool:
    """``Pump 2: 8 l/min`` is a label with its value."""
    return behind[0] == ":" and len(behind) > 1


def hits_in_sections(parts: Iterable[Parts], own: tuple[Hit, ...], view: View) -> Iterable[Hit]:
    """The hits of a property, where the text has sections: in its own section the other part of its name is a cue as
    good as the whole; in sections of the like nothing is. Without such sections the same hits."""
    if not view.sections:
        return own
    mine: list[Hit] = []
    others: list[Section] = []
    for record, label in parts:
        like = [s for s in view.sections if shape_of_record(s.record) == shape_of_record(record)]
        added = [hit for s in like if s.record == record for hit in _labels(label, s, view)]
        if added:
            mine += added
            others += [s for s in like if s.record != record]
    if not mine:
        return own
    kept = [hit for hit in own if not any(s.first <= hit[0] < s.last for s in others)]
    return (*kept, *mine)


def _labels(label: Phrase, section: Section, view: View) -> Iterator[Hit]:
    words, count = view.layout.words, len(label)
    for first in range(section.first, section.last - count + 1):
        if words[first] == label[0] and tuple(words[first : first + count]) == label:
            yield first, first + count, FULL


def row_and_column_name_it(parts: Iterable[Parts], candidate: Candidate, scope: Scope, layout: Layout) -> bool:
    """Whether the first cell of its row is one part of the name and a head of its column, or the words before it in its
    cell, are the other."""
    line = candidate.line
    if candidate.cell == 0:
        return False
    row = tuple(layout.words[layout.word_at(line.cells[0].start) : layout.word_at(line.cells[0].end)])
    labels = [set(layout.words[first:last]) for first, last in scope.heads]
    labels.append(set(layout.words[layout.word_at(line.cells[candidate.cell].start) : candidate.first_word]))
    return any(record == row and any(words.issuperset(label) for words in labels) for record, label in parts)
