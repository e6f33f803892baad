"""Cues: the words that say what a value is, found in one pass over a text.

A cue belongs to a property (its name, aliases, concept, description) or to a concept of the vocabulary that no property
asks for; the latter are there as rivals: the amount after "change" is not the total.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import regex

from reviewapp.domain.properties import Property
from reviewapp.extraction.rules.layout import Layout
from reviewapp.extraction.rules.names import called, telling_apart, told_by_number, what_is_numbered
from reviewapp.extraction.rules.vocabulary import Concept, concepts, description_words, name_words
from reviewapp.extraction.rules.words import split_words
from reviewapp.extraction.units import canonical

FULL, HEAD, PART, WEAK = 1.0, 0.6, 0.5, 0.25
"""Strength of a cue: the whole name, its last word, another of its words, a word of the description."""
_CONCEPT_ONE_WORD = 0.85
_NUMBERED = 0.75
"""Of ``report`` for a ``report_number``."""
COMPOUND, FIRST_PART, LAST_PART = 9, 3, 5
"""Letters of a compound at least, of its first and of its last part."""
LONGEST_COMPOUND, COMPOUNDS_KEPT = 40, 20_000
_BREAK = regex.compile(r"[:;|\t\f]|  |\n")
"""What a cue of several words may not run across (a line end it may, in running text)."""

Hit = tuple[int, int, float]
"""First word, one after the last word, strength."""
PROPERTY = "p:"
"""What the targets of properties begin with."""
_END = ""
"""Key of a node of the trie that holds what ends there; no word is empty."""


@dataclass(frozen=True)
class Hits:
    """The places of one target's cues in a text, in text order."""

    firsts: tuple[int, ...] = ()
    hits: tuple[Hit, ...] = ()

    @classmethod
    def of(cls, hits: Iterable[Hit]) -> Hits:
        return cls.of_ordered(sorted(set(hits)))

    @classmethod
    def of_ordered(cls, hits: Iterable[Hit]) -> Hits:
        """The same of hits in order, each once."""
        ordered = tuple(hits)
        return cls(tuple([h[0] for h in ordered]), ordered)

    def before(self, word: int, since: int) -> Hit | None:
        """The nearest hit that ends at or before `word` and begins at or after `since`."""
        index = bisect_left(self.firsts, word) - 1
        while index >= 0 and self.firsts[index] >= since:
            if self.hits[index][1] <= word:
                return self.hits[index]
            index -= 1
        return None

    def after(self, word: int, until: int) -> Hit | None:
        """The nearest hit that begins at or after `word` and ends at or before `until`."""
        index = bisect_left(self.firsts, word)
        if index < len(self.firsts) and self.hits[index][1] <= until:
            return self.hits[index]
        return None

    def within(self, first: int, last: int) -> list[Hit]:
        """The hits that lie within words first to last."""
        index = bisect_left(self.firsts, first)
        found = []
        while index < len(self.firsts) and self.firsts[index] < last:
            if self.hits[index][1] <= last:
                found.append(self.hits[index])
            index += 1
        return found

    def around(self, first: int, last: int) -> float:
        """Strength of the hit that words first to last stand in the middle of: ``19`` in ``plus 19 % VAT``; 0: none."""
        index = bisect_left(self.firsts, first) - 1
        return self.hits[index][2] if index >= 0 and self.hits[index][1] > last else 0.0

    def strongest(self, first: int, last: int) -> float:
        """The greatest strength of the hits within words first to last; 0 without any."""
        best = 0.0
        if first >= last or not self.firsts or self.firsts[-1] < first:
            return best
        for index in range(bisect_left(self.firsts, first), len(self.firsts)):
            hit = self.hits[index]
            if hit[0] >= last:
                break
            if hit[1] <= last and hit[2] > best:
                best = hit[2]
        return best


NO_HITS = Hits()


@dataclass
class CueBook:
    """All cues of a workflow's properties and of the vocabulary, as a trie over folded words."""

    trie: dict[str, Any] = field(default_factory=dict)
    compounds: dict[str, dict[str, float]] = field(default_factory=dict)
    """Compounds met so far and what their last parts point to."""

    def add(self, phrase: Sequence[str], target: str, strength: float) -> None:
        """Let `phrase` point to `target`; the greater strength counts where it does so twice."""
        if not phrase:
            return
        node = self.trie
        for word in phrase:
            node = node.setdefault(word, {})
        ends: dict[str, float] = node.setdefault(_END, {})
        ends[target] = max(strength, ends.get(target, 0.0))

    def strength(self, phrase: Sequence[str], target: str) -> float:
        """How strongly a phrase points to a target; 0: not at all."""
        node = self.trie
        for word in phrase:
            node = node.get(word, {})
        ends: dict[str, float] = node.get(_END, {})
        return ends.get(target, 0.0)

    def find(self, layout: Layout) -> dict[str, Hits]:
        """All hits by target. A hit inside a longer one does not count: "total" of "sub total" is no total."""
        found: dict[str, list[Hit]] = {}
        words, trie, count = layout.words, self.trie, len(layout.words)
        covered = 0
        for first in range(count):
            node = trie.get(words[first])
            if node is None:
                if COMPOUND <= len(words[first]) <= LONGEST_COMPOUND:
                    for target, strength in self._compound(words[first]).items():
                        found.setdefault(target, []).append((first, first + 1, strength))
                continue
            last, ends = self._longest(layout, first, node)
            if ends is None or last <= covered:
                continue
            if last == first + 1 and len(words[first]) == 1 and layout.text[layout.starts[first]].islower():
                continue  # "a" names nothing, "A" may
            covered = last
            for target, strength in ends.items():
                found.setdefault(target, []).append((first, last, strength))
        return {target: Hits.of_ordered(hits) for target, hits in found.items()}

    def _compound(self, word: str) -> dict[str, float]:
        """What the last part of a compound points to: ``Angebotssumme`` is a ``Summe``."""
        known = self.compounds.get(word)
        if known is None:
            known = {}
            if len(self.compounds) >= COMPOUNDS_KEPT:
                self.compounds.clear()
            for at in range(FIRST_PART, len(word) - LAST_PART + 1):
                node = self.trie.get(word[at:])
                if node is not None and _END in node:
                    known = {target: min(strength, HEAD) for target, strength in node[_END].items()}
                    break
            self.compounds[word] = known
        return known

    def _longest(self, layout: Layout, first: int, node: dict[str, Any]) -> tuple[int, dict[str, float] | None]:
        words, count = layout.words, len(layout.words)
        best: dict[str, float] | None = node.get(_END)
        last = at = first + 1
        while at < count:
            word = words[at]
            if word in node:
                if not _runs_on(layout, at):
                    break
                node = node[word]
                at += 1
                if _END in node:
                    best, last = node[_END], at
            elif word.isdigit() and at + 1 < count and words[at + 1] in node:
                at += 1
            else:
                break
        return last, best


def _runs_on(layout: Layout, word: int) -> bool:
    """Whether a cue may go on from the word before to `word`."""
    start, end = layout.ends[word - 1], layout.starts[word]
    if end - start <= 1 and layout.text[start:end] not in (":", ";", "\n", "\t"):
        return True
    broken = _BREAK.search(layout.text, start, end)
    if broken is None:
        return True
    return "\n" in broken[0] and layout.line_at(start).prose


def property_key(name: str) -> str:
    return f"{PROPERTY}{name}"


def concept_key(name: str) -> str:
    return f"c:{name}"


def like_key(prop: Property) -> str:
    """The target of what properties are called that only a number tells apart; it names none of them."""
    return f"n:{' '.join(name_words(prop))}"


def build_book(properties: Sequence[Property], meant: dict[str, Concept | None]) -> CueBook:
    """The cue book of a workflow; `meant` gives the concept of every property."""
    book = CueBook()
    for concept in concepts().values():
        for cue in concept.cues:
            _add_with_joined(book, cue, concept_key(concept.name), FULL if len(cue) > 1 else _CONCEPT_ONE_WORD)
    numbered = told_by_number(properties)
    names = {phrase for prop in properties for phrase in called(prop)}
    """What a property is called by name is no cue for another one, though both mean the same concept."""
    for prop in properties:
        key = property_key(prop.name)
        if prop.name in numbered:
            for phrase in called(prop, numbers=True):
                _add_with_joined(book, phrase, key, FULL)
            _add_with_joined(book, name_words(prop), like_key(prop), FULL)
            continue  # its other words name its like as well
        mine = called(prop)
        for phrase in mine:
            _add_with_joined(book, phrase, key, FULL)
        own = meant[prop.name]
        if own is not None:
            for cue in own.cues:
                if cue not in names or cue in mine:
                    _add_with_joined(book, cue, key, _strength(cue, own, mine))
        _add_parts(book, prop, key, own, telling_apart(prop, properties))
    return book


def _strength(cue: tuple[str, ...], concept: Concept, called: tuple[tuple[str, ...], ...]) -> float:
    """How strongly a concept's cue names a property: less where the property is called something more particular.

    A ``rated voltage`` is no ``test_voltage``, though both are voltages.
    """
    kind = {word for name in concept.names for word in name}
    particular = [{word for word in name if word not in kind and canonical(word) is None} for name in called]
    if all(particular) and not any(words & set(cue) for words in particular):
        return HEAD if len(cue) > 1 else PART
    return FULL if len(cue) > 1 else _CONCEPT_ONE_WORD


def _rival_words(own: Concept | None) -> frozenset[str]:
    """Single words by which texts label something else of the same shape: no cues, though a description has them."""
    if own is None:
        return frozenset()
    others = (c for c in concepts().values() if c.shape == own.shape and c.name != own.name)
    return frozenset(cue[0] for concept in others for cue in concept.cues if len(cue) == 1)


def _add_parts(book: CueBook, prop: Property, key: str, own: Concept | None, apart: frozenset[str]) -> None:
    words = name_words(prop)
    if len(words) > 1:
        initials = "".join(w[0] for w in words)
        if len(initials) > 2:
            book.add((initials,), key, HEAD)
        for word in words:
            if len(word) > 2 or word in apart:
                book.add((word,), key, HEAD if word == words[-1] and word not in apart else PART)
    for phrase in what_is_numbered(prop):
        book.add(phrase, key, _NUMBERED)
    for alias in prop.aliases:
        parts = split_words(alias)
        if len(parts) > 1:
            book.add((parts[-1],), key, PART)
    for word in description_words(prop):
        if word not in _rival_words(own):
            book.add((word,), key, WEAK)


def _add_with_joined(book: CueBook, phrase: tuple[str, ...], target: str, strength: float) -> None:
    """Scans and designers run words together: ``GRANDTOTAL``."""
    book.add(phrase, target, strength)
    if len(phrase) == 2 and sum(map(len, phrase)) > 5:
        book.add(("".join(phrase),), target, strength)
