"""Candidates: every value of a text that a property might want, found once and shared by all properties."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import Literal

from reviewapp.extraction.rules.layout import Layout, Line

Kind = Literal["number", "date", "name", "block", "place", "code", "currency", "phrase", "option", "yesno"]


@dataclass(slots=True, eq=False)
class Candidate:
    """One value that stands in the text: ``text[start:end]``."""

    kind: Kind
    start: int
    end: int
    value: str
    """As a reading hands it on: the words of the text, on one line."""
    key: Hashable
    """Equal for candidates that state the same value."""
    line: Line
    cell: int
    first_word: int
    """First word of it; `last_word` is one after its last."""
    last_word: int
    facts: frozenset[str] = frozenset()
    """What its own look tells, whatever the property."""
    number: Decimal | None = None
    grouped: Decimal | None = None
    """The whole number that it is if its mark parts thousands: 14312 of ``14.312``."""
    ends: tuple[tuple[Decimal, str], ...] = ()
    """Lower and upper end of a range as numbers and as they would be written alone."""
    unit_span: tuple[int, int] | None = None
    """Where its unit is printed."""
    unit: str | None = None
    """Canonical unit of a number; None: a bare number."""
    label: tuple[int, int] | None = None
    """First word of its label and one after the last, where labels stand in step with numbers (`steps`, `pairs`)."""
    run: tuple[int, int] | None = None
    """Words of all the label–value pairs that it is one of; None: it is not."""
    pieces: tuple[tuple[int, int], ...] = ()
    """Where it stands, line by line, if other columns stand beside it; empty: in one piece."""
    scope: Scope | None = None
    """Where cues for it may stand; filled in when first asked for."""
    shown: dict[str, float] | None = None
    """What it shows whatever the property, likewise."""

    def looks(self) -> dict[str, float]:
        """Its facts as features; not to be changed."""
        return _looks(self.facts)

    def fitted(self, fact: str, number: Decimal, value: str | None = None) -> Candidate:
        """The same number in another unit (or one end of its range), with the fact how its own unit suits."""
        return Candidate(
            kind=self.kind,
            start=self.start,
            end=self.end,
            value=self.value if value is None else value,
            key=number.normalize() + 0,
            line=self.line,
            cell=self.cell,
            first_word=self.first_word,
            last_word=self.last_word,
            facts=self.facts | {fact},
            number=number,
            unit=self.unit,
            label=self.label,
            run=self.run,
            scope=self.scope,
        )


@lru_cache(maxsize=20_000)
def _looks(facts: frozenset[str]) -> dict[str, float]:
    """In the order of the alphabet: sums of weights must come out the same to the last bit in every process."""
    return {f"look: {fact}": 1.0 for fact in sorted(facts)}


@dataclass(slots=True)
class Scope:
    """Word ranges around a candidate in which a cue may name it (first word, one after the last word)."""

    left: tuple[int, int]
    """Before it: the same line, in running text the same sentence."""
    right: tuple[int, int]
    """Behind it, likewise."""
    heads: tuple[tuple[int, int], ...]
    """Heads of its column, nearest first."""
    above: tuple[int, int]
    """The line above, where nothing on its own line names it."""
    numbers_left: tuple[int, ...]
    """First words of other numbers on its left within `left`, nearest first."""

    @property
    def sentence(self) -> tuple[int, int]:
        """From `left` to `right`; a candidate of several lines may end behind it."""
        return self.left[0], self.right[1]


def make(
    layout: Layout,
    kind: Kind,
    start: int,
    end: int,
    *,
    line: Line | None = None,
    value: str | None = None,
    key: Hashable = None,
    **more: object,
) -> Candidate:
    """A candidate for ``text[start:end]``, with its place in the layout; `line`: where the caller knows it."""
    line = line or layout.line_at(start)
    words = value if value is not None else " ".join(layout.text[start:end].split())
    return Candidate(
        kind=kind,
        start=start,
        end=end,
        value=words,
        key=key if key is not None else words.casefold(),
        line=line,
        cell=layout.cell_index(line, start),
        first_word=layout.word_at(start),
        last_word=layout.word_at(end),
        **more,  # type: ignore[arg-type]
    )
