"""One text as all properties of a workflow see it: layout, cues and candidates, each found once."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Hashable, Set
from dataclasses import dataclass
from functools import cached_property

from reviewapp.domain.properties import Property
from reviewapp.domain.workflows import Evidence, Rules
from reviewapp.extraction.prepared import PreparedText
from reviewapp.extraction.rules.candidates import Candidate, Scope
from reviewapp.extraction.rules.codes import Codes
from reviewapp.extraction.rules.cues import FULL, NO_HITS, PROPERTY, CueBook, Hit, Hits, concept_key
from reviewapp.extraction.rules.layout import Layout, read_layout
from reviewapp.extraction.rules.looks import LineLooks
from reviewapp.extraction.rules.marks import find_yes_no
from reviewapp.extraction.rules.names import Phrase
from reviewapp.extraction.rules.records import Section, find_sections
from reviewapp.extraction.rules.scopes import HeadsSoFar, Sentences, read_sentences, scope_of
from reviewapp.extraction.rules.sums import Sums, find_sums
from reviewapp.extraction.rules.texts import find_blocks, find_names, find_places
from reviewapp.extraction.rules.values import (
    find_currencies,
    find_days,
    find_measures,
    find_units,
    find_values,
    fit_unit,
)
from reviewapp.extraction.rules.vocabulary import End, Shape

LETTER_LINES, STREET_LOOK = 24, 0.3
"""Lines of a letter in which addressees stand; how much a line above a postal code looks like a street at least."""


@dataclass
class View:
    """Everything that is found once per text; made when first asked for."""

    prepared: PreparedText
    book: CueBook
    rules: Rules
    evidence: Evidence
    records: frozenset[Phrase] = frozenset()
    """Shapes of what may head a section (`records`)."""

    def __post_init__(self) -> None:
        self._heads = HeadsSoFar()
        self._fitted: dict[Hashable, Candidate | None] = {}

    @cached_property
    def layout(self) -> Layout:
        return self.prepared.once("rules.layout", lambda p: read_layout(p.text))

    @cached_property
    def sentences(self) -> Sentences:
        return self.prepared.once("rules.sentences", lambda _: read_sentences(self.layout))

    @cached_property
    def has_prose(self) -> bool:
        return any(line.prose for line in self.layout.lines)

    @cached_property
    def hits(self) -> dict[str, Hits]:
        return self.book.find(self.layout)

    @cached_property
    def sections(self) -> list[Section]:
        return find_sections(self.layout, self.records) if self.records else []

    @cached_property
    def looks(self) -> LineLooks:
        return self.prepared.once("rules.looks", lambda _: LineLooks(self.layout))

    def hits_of(self, *targets: str) -> Hits:
        """The hits of several targets as one."""
        found = [self.hits[t] for t in targets if t in self.hits]
        if len(found) == 1:
            return found[0]
        return Hits.of(h for hits in found for h in hits.hits) if found else NO_HITS

    @cached_property
    def _ordered_hits(self) -> list[tuple[Hit, str]]:
        """Every hit with its target, in text order."""
        return sorted((hit, target) for target, hits in self.hits.items() for hit in hits.hits)

    def hits_beside(self, targets: frozenset[str], spans: Set[tuple[int, int]]) -> Hits:
        """The hits of the targets as one, without those at the spans."""
        found = [hit for hit, target in self._ordered_hits if target in targets and hit[:2] not in spans]
        return Hits.of_ordered(dict.fromkeys(found))

    @cached_property
    def _cued(self) -> dict[tuple[int, int], float]:
        """Words that cues cover, and the strength with which they name a property; 0: only what nobody asks for."""
        found: dict[tuple[int, int], float] = {}
        for hit, target in self._ordered_hits:
            strength = hit[2] if target.startswith(PROPERTY) else 0.0
            found[hit[:2]] = max(strength, found.get(hit[:2], 0.0))
        return found

    def is_cue(self, first: int, last: int) -> bool:
        """Whether words first to last are a cue, whatever for."""
        return (first, last) in self._cued

    def is_property(self, first: int, last: int) -> bool:
        """Whether some property is called just like words first to last."""
        return self._cued.get((first, last), 0.0) >= FULL

    @cached_property
    def fillers(self) -> Hits:
        """``in the amount of``: what may stand between a label and its value without parting them."""
        return self.hits_of(concept_key("filler"))

    @cached_property
    def days(self) -> list[Candidate]:
        return self._once("days", lambda: find_days(self.layout, self.rules, self.evidence))

    @cached_property
    def numbers(self) -> list[Candidate]:
        return self._once("numbers", lambda: find_values(self.layout, self.rules, self.evidence))

    @cached_property
    def number_ends(self) -> frozenset[int]:
        """Where numbers with their units end."""
        return frozenset(c.end for c in self.numbers if c.unit is not None)

    def fitted(self, candidate: Candidate, prop: Property, shape: Shape, end: End) -> Candidate | None:
        """A number in the property's unit, shared by properties that ask alike; None where it cannot be meant."""
        wanted = (id(candidate), prop.unit, shape, prop.value_type, end)
        if wanted not in self._fitted:
            fit = fit_unit(candidate, prop, shape, end)
            if fit is not None:
                self.scope(candidate)  # once for all units that it is fitted to
            self._fitted[wanted] = None if fit is None else candidate.fitted(*fit)
        return self._fitted[wanted]

    @cached_property
    def measures(self) -> list[Candidate]:
        return self._once("measures", lambda: find_measures(self.layout, self.numbers))

    @cached_property
    def units(self) -> list[Candidate]:
        return self._once("units", lambda: find_units(self.layout, self.numbers))

    @cached_property
    def names(self) -> list[Candidate]:
        return self._once("names", lambda: find_names(self.layout, self.looks))

    @cached_property
    def blocks(self) -> list[Candidate]:
        return self._once("blocks", lambda: find_blocks(self.layout, self.looks))

    @cached_property
    def first_address_end(self) -> int:
        """Where the first line with a postal code ends; the end of the text where there is none."""
        lines = self.layout.lines
        return next((line.end for line in lines if self.looks[line.number].postcode), len(self.layout.text))

    @cached_property
    def addressees(self) -> frozenset[int]:
        """Numbers of the lines right above the second and later addresses at the top of a letter: whom it goes to."""
        lines, looks = self.layout.lines, self.looks
        found = set[int]()
        for line in lines[:LETTER_LINES]:
            if line.start > self.first_address_end and looks[line.number].postcode:
                first = line.number
                while not lines[first].blank_before and looks[first - 1].addressy > STREET_LOOK:
                    first -= 1
                if not lines[first].blank_before:
                    found.add(first - 1)
        return frozenset(found)

    @cached_property
    def codes(self) -> Codes:
        return self.prepared.once("rules.codes", lambda _: Codes(self.layout))

    @cached_property
    def places(self) -> list[Candidate]:
        return self._once("places", lambda: find_places(self.layout))

    @cached_property
    def currencies(self) -> list[Candidate]:
        return self._once("currencies", lambda: find_currencies(self.layout))

    @cached_property
    def yes_no(self) -> list[Candidate]:
        return self._once("yes_no", lambda: find_yes_no(self.layout))

    def _once(self, what: str, make: Callable[[], list[Candidate]]) -> list[Candidate]:
        return self.prepared.once(
            ("rules", what, self.rules, self.evidence), lambda _: make() if self.layout.lines else []
        )

    @cached_property
    def number_words(self) -> list[int]:
        """First words of all numbers written in digits, in text order; ``9.00`` is one number."""
        return self.prepared.once("rules.number_words", lambda _: _number_words(self.layout))

    @cached_property
    def sums(self) -> Sums:
        return find_sums(self)

    def scope(self, candidate: Candidate) -> Scope:
        if candidate.scope is None:
            candidate.scope = scope_of(candidate, self.layout, self.sentences, self.number_words, self._heads)
        return candidate.scope

    def numbers_between(self, first: int, last: int) -> int:
        """How many numbers begin within words first to last."""
        words = self.number_words
        return bisect_left(words, last) - bisect_left(words, first)


def _number_words(layout: Layout) -> list[int]:
    found = []
    end = -2
    for index, word in enumerate(layout.words):
        if word.isdigit():
            start = layout.starts[index]
            if not (start == end + 1 and layout.text[end] in ".,'"):
                found.append(index)
            end = layout.ends[index]
    return found
