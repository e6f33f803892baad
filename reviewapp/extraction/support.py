"""How well a quote supports a value: a score from 0 to 1 out of features that a person can read.

::

    what speaks for it (adds up to 1)         what speaks against it (factors)
    states    the quote states this value     rivals     other values of the kind in the quote
    names     quote or place name the property negated   a negation that the value does not share
    alone     no rivals in the quote          hedged     words that are not firm
    grounded  how exactly the quote was found  omitted    a negation behind the quote's ellipsis
                                              unplaced   several places, none of which names the property

A value that its quote states, at a place that names the property, reaches 1; one that the quote states where nothing
names the property gets 0.6 and goes to a person; one that the quote does not state stays below 0.5. The weights
are judgement, checked by a table of cases; answers of people calibrate the gate above them.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Final

from reviewapp.domain.places import Grounding
from reviewapp.domain.properties import Property, Value
from reviewapp.domain.workflows import Evidence, Rules
from reviewapp.extraction.cues import key_words, mentions, naming, phrases, weights, words
from reviewapp.extraction.prepared import PreparedText
from reviewapp.extraction.stated import stated
from reviewapp.extraction.surroundings import Surroundings
from reviewapp.extraction.wording import HEDGES, negates

WEIGHTS: Final = {"states": 0.45, "names": 0.40, "alone": 0.075, "grounded": 0.075}
FACTORS: Final = {"rivals": 0.85, "negated": 0.55, "hedged": 0.85, "omitted": 0.45, "unplaced": 0.90}
UNSTATED: Final = 0.45
"""Most support for a value of which its quote says nothing."""
CALIBRATED: Final = 0.9
"""Weight of a reader's calibrated confidence against the score."""
UNCALIBRATED: Final = 0.2
"""Weight of a reader's own guess at its confidence."""
DESCRIBED: Final = 0.45
"""Most that words of the description are worth as a name."""
NAMED: Final = 0.35
"""From this much on a place counts as naming the property."""
_WORDS_BEFORE: Final = 4
"""Words left of a quote that may negate or hedge it."""


@dataclass(frozen=True, slots=True)
class Features:
    """What there is to say about a value and its quote; every field is 0 to 1."""

    states: float
    names: float
    alone: float
    grounded: float
    rivals: float
    negated: float
    hedged: float
    omitted: float
    unplaced: float


def features(
    prop: Property,
    value: Value,
    quote: str,
    phrase: str,
    grounding: Grounding,
    around: Surroundings,
    prepared: PreparedText,
    rules: Rules,
    evidence: Evidence,
) -> Features:
    """What there is to say; `value` is in type and unit.

    `quote` is what stands at the place found, `phrase` the same with its whole quantities (`stated.whole_phrase`),
    `around` what stands around it.
    """
    said = stated(prop, value, phrase, rules, evidence)
    names = _names(prop, quote, around)
    inside = words(quote)
    before = _words_before(around)
    own = set(words(str(value)))
    return Features(
        states=said.share,
        names=names,
        alone=float(said.rivals == 0),
        grounded=1.0 if grounding.method != "fuzzy" else max(0.0, (grounding.score - 80) / 20),
        rivals=float(said.rivals > 0),
        negated=_negated(prop, value, inside, before, own),
        hedged=float(any(w in HEDGES and w not in own for w in (*before, *inside))),
        omitted=float(_omits_negation(prepared, grounding)),
        unplaced=float(bool(grounding.others) and names < NAMED),
    )


def score(found: Features) -> float:
    """The embedded score out of the features, 0 to 1."""
    total: float = sum(weight * getattr(found, name) for name, weight in WEIGHTS.items())
    for name, factor in FACTORS.items():
        total *= 1 - (1 - factor) * getattr(found, name)
    return min(total, UNSTATED) if found.states == 0 else min(total, 1.0)


def blend(embedded: float, confidence: float | None, *, calibrated: bool) -> float:
    """The support: the score, and the reader's own confidence where it has one."""
    if confidence is None:
        return embedded
    weight = CALIBRATED if calibrated else UNCALIBRATED
    return weight * confidence + (1 - weight) * embedded


def _names(prop: Property, quote: str, around: Surroundings) -> float:
    """How clearly the quote or its place names the property: by name and aliases, else by its description."""
    named = phrases(prop)
    inside = max((_share(name, quote) for name in named), default=0.0)
    best = max(inside, naming(around, named))
    if best < DESCRIBED and (wanted := key_words(prop.description)):
        hits = mentions(f"{around.left} {quote} {' '.join(around.heads)}", wanted)
        best = max(best, DESCRIBED * min(1.0, hits / min(3, len(wanted))))
    return min(1.0, best)


def _share(name: str, there: str) -> float:
    """How much of a name these words bear."""
    wanted = weights(name)
    total = sum(wanted.values())
    return sum(much for cue, much in wanted.items() if mentions(there, (cue,))) / total if total else 0.0


def _words_before(around: Surroundings) -> tuple[str, ...]:
    clause = around.left
    for end in (". ", "; ", ": ", ", "):
        clause = clause.rpartition(end)[2]
    return words(clause)[-_WORDS_BEFORE:]


def _negated(prop: Property, value: Value, inside: tuple[str, ...], before: tuple[str, ...], own: set[str]) -> float:
    if prop.value_type == "bool":
        return float(bool(value) and any(negates(w) for w in (*before, *inside)))
    return float(any(negates(w) and w not in own for w in (*before, *inside)))


def _omits_negation(prepared: PreparedText, grounding: Grounding) -> bool:
    pairs = zip(grounding.place, grounding.place[1:], strict=False)
    return any(negates(w) for a, b in pairs for w in words(prepared.text[a.end : b.start]))


FEATURE_NAMES: Final = tuple(field.name for field in fields(Features))
