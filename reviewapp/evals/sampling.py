"""Which records to answer next: those whose answers say most.

A record is worth an answer when its values are near the gate (an answer moves the gate and the weights), when people
disagree on it, and when its text is unlike those answered already. Chosen one after the other, so that the chosen ones
are unlike each other too.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from reviewapp.domain.base import Model
from reviewapp.domain.evaluations import Interval
from reviewapp.evals.statistics import cases_for_margin, wilson

READ_CHARACTERS = 4_000
"""Characters of a text that likeness looks at."""
BITS = 2_048
"""Words fall into so many places by their hash: thousands of texts are then held against thousands in seconds."""
UNCERTAIN, UNLIKE, DISPUTED = 1.0, 1.0, 2.0
"""How much each reason weighs."""
MARGIN = 0.05
"""How exact a share should be known: ± this."""
_WORD = re.compile(r"[^\W\d_]{2,}|\d+")

Words = int
"""A text as likeness sees it: a bit for every place that one of its words falls into."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A record that could be answered."""

    key: str
    words: Words
    uncertainty: float
    """0 (every value surely right or surely none) to 1 (a value right at the gate); records not read yet: 0.5."""
    disputed: bool = False


class Pick(Model):
    """A record to answer, and why."""

    key: str
    worth: float
    reasons: tuple[str, ...]


class Knowledge(Model):
    """What the answers so far say of one property."""

    property: str
    answered: int
    right: int
    interval: Interval | None
    """Of the share right (Wilson, 95 %)."""
    more: int
    """Answers still wanted to know it to ± 5 %."""


def words_of(text: str) -> Words:
    bits = 0
    for word in set(map(_plain, _WORD.findall(text[:READ_CHARACTERS]))):
        bits |= 1 << zlib.crc32(word.encode()) % BITS
    return bits


def _plain(word: str) -> str:
    return "0" * len(word) if word.isdigit() else word.casefold()  # another amount is the same kind of text


def uncertainty(values: Iterable[tuple[float, float]]) -> float:
    """How near the nearest value is to its gate, by (support, gate); 0.3 where nothing was read: an answer tells if
    that is right."""
    distances = [abs(support - gate) / max(gate, 1 - gate) for support, gate in values]
    return max(0.0, 1 - min(distances)) if distances else 0.3


def likeness(a: Words, b: Words) -> float:
    """Shared words among all (Jaccard), 0 to 1."""
    whole = (a | b).bit_count()
    return (a & b).bit_count() / whole if whole else 1.0


def choose(candidates: Sequence[Candidate], answered: Iterable[Words], count: int) -> list[Pick]:
    """The `count` records most worth an answer, best first."""
    known = list(answered)
    nearest = [max((likeness(c.words, k) for k in known), default=0.0) for c in candidates]
    left = set(range(len(candidates)))
    picks: list[Pick] = []
    while left and len(picks) < count:
        best = max(left, key=lambda n: (_worth(candidates[n], nearest[n]), -n))
        chosen = candidates[best]
        picks.append(Pick(key=chosen.key, worth=_worth(chosen, nearest[best]), reasons=_reasons(chosen, nearest[best])))
        left.discard(best)
        for n in left:
            nearest[n] = max(nearest[n], likeness(candidates[n].words, chosen.words))
    return picks


def _worth(candidate: Candidate, nearest: float) -> float:
    return UNCERTAIN * candidate.uncertainty + UNLIKE * (1 - nearest) + DISPUTED * candidate.disputed


def _reasons(candidate: Candidate, nearest: float) -> tuple[str, ...]:
    reasons = []
    if candidate.disputed:
        reasons.append("people disagree")
    if candidate.uncertainty > 0.7:
        reasons.append("a value near the gate")
    if nearest < 0.5:
        reasons.append("unlike the texts answered")
    return tuple(reasons) or ("adds to what is known",)


def knowledge(property: str, right: int, answered: int) -> Knowledge:
    return Knowledge(
        property=property,
        answered=answered,
        right=right,
        interval=wilson(right, answered),
        more=max(0, cases_for_margin(right, answered, MARGIN) - answered),
    )
