"""From a quote to its place in the text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from rapidfuzz.distance import Indel

from reviewapp.domain.places import Grounding, Place, Span
from reviewapp.domain.properties import Value
from reviewapp.extraction.cues import place_worth
from reviewapp.extraction.grounding.blocks import Blocks
from reviewapp.extraction.grounding.boundaries import CLEAN
from reviewapp.extraction.grounding.fuzzy import fuzzy_match, nearest_span
from reviewapp.extraction.grounding.search import Match, exact_matches, is_whole, normalised_matches
from reviewapp.extraction.prepared import PreparedText, normalised

NEAREST_LEAST: Final = 55.0
"""Similarity (0 to 100) from which on a place is worth showing for a quote that is not there."""
_ELLIPSIS: Final = re.compile(r"[\[(<] ?(?:\.{3,}|…) ?[\])>]|…|\.{3,}")
_EMPHASIS: Final = re.compile(r"\*\*|__|`")
_OPENING: Final = "\"'“„«‘‹`*"
_CLOSING: Final = "\"'”“»’›`*"
_NEAR: Final = 200
"""Characters on the same line in which a value that the quote leaves out is looked for."""
_MOST_OTHERS: Final = 50

Chain = tuple[Match, ...]
"""The pieces of one place in order; more than one for a quote with an ellipsis."""


def locate(
    prepared: PreparedText,
    quote: str,
    *,
    value: Value | None = None,
    hint: Span | None = None,
    cues: Sequence[str] = (),
) -> Grounding | None:
    """Where the quote stands; None when the text does not say it.

    Of several places with the same words the one that states the value is chosen: the one the reader hinted at, else
    the one whose surroundings hold the value (where the quote does not) and name the property best (`cues`: its name
    and aliases), else the first; the others are kept. Takes time linear in the text.
    """
    quote = quote.strip()
    if not quote:
        return None
    at = prepared.once(Blocks, Blocks).only_place(quote)
    if at is not None and is_whole(prepared, at, at + len(quote)):
        # The common case on the shortest way: these words once, letter for letter.
        return Grounding.exact(at, at + len(quote))
    chains = _search(prepared, quote)
    if not chains:
        return None
    if len(chains) == 1:
        chosen = chains[0]
        others: tuple[Place, ...] = ()
    else:
        chosen = _choose(prepared, chains, quote, value, hint, cues)
        others = tuple(_place(chain) for chain in chains[:_MOST_OTHERS] if chain is not chosen)
    return Grounding(
        method=max((m.method for m in chosen), key=_WEAKEST.__getitem__),
        place=_place(chosen),
        others=others,
        score=min(m.score for m in chosen),
    )


_WEAKEST: Final = {"exact": 0, "normalised": 1, "fuzzy": 2}


def nearest(prepared: PreparedText, quote: str) -> Span | None:
    """The most similar place for a quote that is not in the text, to show a person; None where nothing is like it."""
    folded = normalised(max(_parts(quote), key=len, default=""))
    found = nearest_span(prepared, folded, NEAREST_LEAST) if folded else None
    return None if found is None or found[1] <= found[0] else Span(start=found[0], end=found[1])


def _search(prepared: PreparedText, quote: str) -> list[Chain]:
    if found := exact_matches(prepared, quote):
        return [(match,) for match in found]
    unwrapped = _unwrap(quote)
    for words in (quote, unwrapped) if unwrapped else (quote,):
        if words is not quote and (found := exact_matches(prepared, words)):
            return [(match,) for match in found]
        if found := normalised_matches(prepared, normalised(words)):
            return [(match,) for match in found]
    words = unwrapped or quote
    parts = _parts(words)
    if parts != [words]:
        return _chains(prepared, parts)
    return [(match,) for match in _fuzzy(prepared, normalised(words))]


def _fuzzy(prepared: PreparedText, folded: str) -> list[Match]:
    """The best place with small slips, and every other with the same words as that one."""
    best = fuzzy_match(prepared, folded)
    if best is None:
        return []
    twins = normalised_matches(prepared, normalised(prepared.text[best.start : best.end]))
    return [replace(twin, method="fuzzy", score=best.score) for twin in twins] or [best]


def _parts(quote: str) -> list[str]:
    """The pieces of a quote between its ellipses, without empty ones."""
    return [part.strip() for part in _ELLIPSIS.split(quote) if part.strip()]


def _unwrap(quote: str) -> str:
    """Without the quote marks and the emphasis that a model puts into a quote; empty where there are none."""
    plain = _EMPHASIS.sub("", quote)
    if plain and plain[0] in _OPENING and plain[-1] in _CLOSING:
        plain = plain.lstrip(_OPENING).rstrip(_CLOSING)
    return plain.strip() if plain != quote else ""


def _chains(prepared: PreparedText, parts: list[str]) -> list[Chain]:
    """Every way the parts stand in order, each as tight as can be; of two that end alike the tighter."""
    found = [_matches(prepared, part) for part in parts]
    if not found or not all(found):
        return []
    chains: dict[int, Chain] = {}
    for first in found[0]:
        chain = [first]
        for matches in found[1:]:
            following = next((m for m in matches if m.start >= chain[-1].end), None)
            if following is None:
                break
            chain.append(following)
        else:
            chains[chain[-1].end] = tuple(chain)
    return list(chains.values())


def _matches(prepared: PreparedText, part: str) -> list[Match]:
    folded = normalised(part)
    return exact_matches(prepared, part) or normalised_matches(prepared, folded) or _fuzzy(prepared, folded)


def _choose(
    prepared: PreparedText,
    chains: list[Chain],
    quote: str,
    value: Value | None,
    hint: Span | None,
    cues: Sequence[str],
) -> Chain:
    if hint is not None:
        hinted = [c for c in chains if any(m.start < hint.end and hint.start < m.end for m in c)]
        if hinted:
            return max(hinted, key=lambda c: -abs(c[0].start - hint.start))
    stated = normalised(str(value)) if value is not None and not isinstance(value, bool) else ""
    if stated in normalised(quote):
        stated = ""

    def worth(chain: Chain) -> float:
        start, end = chain[0].start, chain[-1].end
        points = place_worth(prepared, start, end, cues) + (chain[0].edge == CLEAN) * 0.1
        if stated:
            line_start, line_end = prepared.lines[prepared.line_number(start)]
            beside = prepared.text[max(line_start, start - _NEAR) : min(line_end, end + _NEAR)]
            points += 0.5 * (stated in normalised(beside))
        # Of equal places the one that is written most like the quote: the same line ends, the same case.
        return points + 0.02 * Indel.normalized_similarity(quote, prepared.text[start:end])

    return max(chains, key=worth)


def _place(chain: Chain) -> Place:
    return tuple(Span(start=m.start, end=m.end) for m in chain)
