"""Finds a quote with small slips in letters; never across what `guards` names.

The normalised text is searched with rapidfuzz's partial ratio (the best window of the quote's length), its ends are
brought to where the words end, and the pair has to keep every number, unit, sign, comparison and negation.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from rapidfuzz import fuzz
from rapidfuzz.distance import Indel

from reviewapp.extraction.grounding.guards import guarded, numbers, turns_round
from reviewapp.extraction.grounding.search import Match, edges_of_both
from reviewapp.extraction.prepared import PreparedText

LEAST_SCORE: Final = 90.0
"""Indel similarity (0 to 100) from which on a wording counts as the same with slips."""
SHORTEST: Final = 5
"""Characters of a quote below which nothing is a slip."""
LONGEST: Final = 2_000
"""Characters of a quote that are compared; a longer one has to be found by its parts."""
_MOST_ANCHORS: Final = 60
_MOST_TRIES: Final = 4
_WORD: Final = re.compile(r"\w+")


def fuzzy_match(prepared: PreparedText, folded: str) -> Match | None:
    """The most similar place that says the same, or None; `folded` is a quote in its normalised form."""
    if not SHORTEST <= len(folded) <= LONGEST:
        return None
    guard = guarded(folded)
    best: Match | None = None
    for start, end, best_first in _windows(prepared.norm, folded):
        found = _fit(prepared, folded, guard, start, end)
        if found and (best is None or found.score > best.score):
            best = found
        if best and best_first:
            break
    return best


def nearest_span(prepared: PreparedText, folded: str, least: float) -> tuple[int, int] | None:
    """The most similar place at all, whatever it changes, as a span of the text; None below `least`."""
    shortened = folded[:LONGEST]
    if not shortened.strip() or not prepared.norm:
        return None
    found = fuzz.partial_ratio_alignment(shortened, prepared.norm, score_cutoff=least)
    if found is None or found.dest_end <= found.dest_start:
        return None
    start, end = _whole_words(prepared.norm, found.dest_start, found.dest_end)
    return prepared.to_text(start, end)


def _windows(norm: str, folded: str) -> Iterator[tuple[int, int, bool]]:
    """Spans of the normalised text to compare with, a little wider than the quote; True: the best ones come first.

    A number of the quote has to be in the text as it is, so that the places of its rarest one are the only ones to
    look at; without a number, or with one that is everywhere, the best windows of the whole text are.
    """
    slack = 2 + len(folded) // 8
    wanted = [(norm.count(number), number) for number in set(numbers(folded))]
    if any(not count for count, _ in wanted):
        return
    count, anchor = min(wanted, default=(_MOST_ANCHORS + 1, ""))
    if count <= _MOST_ANCHORS:
        before = folded.index(anchor)
        for match in re.finditer(re.escape(anchor), norm):
            start = match.start() - before
            yield max(0, start - slack), min(len(norm), start + len(folded) + slack), False
        return
    at, end = 0, len(norm)
    for _ in range(_MOST_TRIES):
        found = fuzz.partial_ratio_alignment(folded, norm[at:end], score_cutoff=LEAST_SCORE - 4)
        if found is None:
            return
        start, stop = at + found.dest_start, at + found.dest_end
        yield max(0, start - slack), min(len(norm), stop + slack), True
        # When this one says something else, the next best lies on one side of it; the longer side is tried.
        at, end = (at, start) if start - at > end - stop else (stop, end)


def _fit(prepared: PreparedText, folded: str, guard: list[str], start: int, end: int) -> Match | None:
    norm = prepared.norm
    found = fuzz.partial_ratio_alignment(folded, norm[start:end], score_cutoff=LEAST_SCORE - 8)
    if found is None or found.dest_end <= found.dest_start:
        return None
    best: tuple[float, int, int] | None = None
    for begin, until in _ends(norm, folded[-1], start, end, start + found.dest_start, start + found.dest_end):
        score = Indel.normalized_similarity(folded, norm[begin:until], score_cutoff=LEAST_SCORE / 100) * 100
        if score >= LEAST_SCORE and (best is None or score > best[0]):
            best = score, begin, until
    if best is None or guarded(norm[best[1] : best[2]]) != guard:
        return None
    score, begin, until = best
    if turns_round(folded, norm[begin:until]):
        return None
    edge = edges_of_both(prepared, begin, until)
    if not edge:
        return None
    return Match(*prepared.to_text(begin, until), edge, "fuzzy", min(score, 99.9))


def _ends(norm: str, last: str, low: int, high: int, start: int, end: int) -> list[tuple[int, int]]:
    """The window with its ends at word ends: each end goes out to the end of a cut word, or in to the one before."""
    begins, ends = set(), set()
    for word in _WORD.finditer(norm, max(0, low - 30), min(len(norm), start + 30)):
        if abs(word.start() - start) <= max(4, len(word[0])):
            begins.add(word.start())
    for word in _WORD.finditer(norm, max(start, end - 30), min(len(norm), high + 30)):
        if abs(word.end() - end) <= max(4, len(word[0])):
            ends.add(word.end())
            if not last.isalnum() and norm.startswith(last, word.end()):
                ends.add(word.end() + 1)
    if not norm[start].isalnum() and not norm[start].isspace():
        begins.add(start)
    if not norm[end - 1].isalnum() and not norm[end - 1].isspace():
        ends.add(end)
    return [(begin, until) for begin in begins or {start} for until in ends or {end} if until > begin]


def _whole_words(norm: str, start: int, end: int) -> tuple[int, int]:
    while start > 0 and norm[start].isalnum() and norm[start - 1].isalnum() and end - start < LONGEST:
        start -= 1
    while end < len(norm) and norm[end - 1].isalnum() and norm[end].isalnum() and end - start < LONGEST:
        end += 1
    inside = norm[start:end]
    return start + len(inside) - len(inside.lstrip()), end - len(inside) + len(inside.rstrip())
