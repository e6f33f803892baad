"""Finds a quote letter for letter, then in the normalised form."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Final

from reviewapp.domain.places import MatchMethod
from reviewapp.extraction.grounding.boundaries import CLEAN, CUT, edges
from reviewapp.extraction.grounding.spacing import loosely_spaced
from reviewapp.extraction.prepared import PreparedText

MOST_PLACES: Final = 200
"""Places of one quote that are kept; a quote with more says little."""
MOST_TRIES: Final = 10_000
"""Places that are looked at, cut ones included: a bound for ``2`` in a million digits."""
_INNER_HYPHEN: Final = re.compile(r"(?<=[^\W\d_])-(?=[^\W\d_])")


@dataclass(frozen=True, slots=True)
class Match:
    """One place of one unbroken piece of a quote; start and end count in the text."""

    start: int
    end: int
    edge: int
    method: MatchMethod
    score: float = 100.0


def is_whole(prepared: PreparedText, start: int, end: int) -> int:
    """The edge of ``text[start:end]``; 0 where a word, a number or a character is cut."""
    text = prepared.text
    if not text.isascii() and (prepared.cuts_text(start) or prepared.cuts_text(end)):
        return CUT
    return edges(text, start, end)


def exact_matches(prepared: PreparedText, quote: str) -> list[Match]:
    """Letter for letter, in text order; clean ones only, where there are any."""
    text, size = prepared.text, len(quote)
    found: list[tuple[int, int]] = []
    at, tries = text.find(quote), 0
    while at >= 0 and len(found) < MOST_PLACES and tries < MOST_TRIES:
        tries += 1
        if edge := is_whole(prepared, at, at + size):
            found.append((at, edge))
        at = text.find(quote, at + size if edge else at + 1)
    best = max((edge for _, edge in found), default=CUT)
    return [Match(at, at + size, edge, "exact") for at, edge in found if edge == best]


def normalised_matches(prepared: PreparedText, folded: str) -> list[Match]:
    """Places whose normalised form is `folded` (which is a quote in its normalised form)."""
    if not folded:
        return []
    spans = list(islice(_plain_spans(prepared.norm, folded), MOST_TRIES))
    if not spans and _INNER_HYPHEN.search(folded):
        # A hyphen that parts a word at a line end is gone from the text's normalised form, the quote may have kept it.
        pattern = "-?".join(map(re.escape, _INNER_HYPHEN.split(folded)))
        spans = [m.span() for m in re.finditer(pattern, prepared.norm)]
    if not spans and (loose := loosely_spaced(folded)):
        spans = [m.span() for m in islice(re.finditer(loose, prepared.norm), MOST_TRIES)]
    found: list[Match] = []
    for start, end in spans:
        if len(found) == MOST_PLACES:
            break
        if prepared.cuts_norm(start) or prepared.cuts_norm(end):
            continue
        edge = edges_of_both(prepared, start, end)
        if edge:
            found.append(Match(*prepared.to_text(start, end), edge, "normalised"))
    best = max((match.edge for match in found), default=CUT)
    return [match for match in found if match.edge == best]


def _plain_spans(norm: str, folded: str) -> Iterator[tuple[int, int]]:
    at = norm.find(folded)
    while at >= 0:
        yield at, at + len(folded)
        at = norm.find(folded, at + 1)


def edges_of_both(prepared: PreparedText, start: int, end: int) -> int:
    """The better of the edges in both forms: case parts words in the text, joined words are whole in the other.

    A number must be whole in both.
    """
    folded = edges(prepared.norm, start, end)
    begin, until = prepared.to_text(start, end)
    original = edges(prepared.text, begin, until)
    norm = prepared.norm
    if norm[start].isdecimal() or norm[end - 1].isdecimal() or not original:
        return min(folded, original)
    return CLEAN if CLEAN in (folded, original) else max(folded, original)
