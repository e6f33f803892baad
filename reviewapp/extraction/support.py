"""How well a quote supports a value: a score from 0 to 1 out of features that a person can read.

::

    speaks for it (adds up to 1)                 speaks against it (factors)
    states    the quote states this very value   rivals    other values of the kind in the quote
    names     quote or place name the property   unplaced  several places, none of which names the property
    alone     no rivals in the quote
    grounded  how exactly the quote was found    makes it doubtful (factors, whatever the reader says)
                                                 negated   a negation that the value does not share
                                                 hedged    words that are not firm, or leave it open
                                                 either    another value of the kind behind an "or"
                                                 omitted   a negation behind the quote's ellipsis

A value that its quote states, at a place that names the property, reaches 1; one that the quote states where nothing
names the property gets 0.6 and goes to a person; one that the quote does not state stays below 0.5. The weights are
judgement, checked by a table of cases; answers of people calibrate the gate above them. A reader that knows its own
reliability is believed before the score, but for the doubts.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Final

import regex

from reviewapp.domain.places import Grounding
from reviewapp.domain.properties import Property, Value
from reviewapp.domain.workflows import Evidence, Rules
from reviewapp.extraction.cues import key_words, mentions, naming, phrases, weights, words
from reviewapp.extraction.prepared import PreparedText, normalised
from reviewapp.extraction.stated import stated
from reviewapp.extraction.surroundings import Surroundings
from reviewapp.extraction.wording import HEDGES, is_left_open, negations

WEIGHTS: Final = {"states": 0.45, "names": 0.40, "alone": 0.075, "grounded": 0.075}
FACTORS: Final = {"rivals": 0.85, "unplaced": 0.90}
DOUBTS: Final = {"negated": 0.55, "hedged": 0.75, "either": 0.75, "omitted": 0.45}
UNSTATED: Final = 0.45
"""Most support for a value of which its quote says nothing."""
UNSTATED_TRUSTED: Final = 0.7
"""The same for a reader with calibrated confidence: it may know that one word means the other."""
CALIBRATED: Final = 0.9
"""Weight of a reader's calibrated confidence against the score."""
UNCALIBRATED: Final = 0.2
"""Weight of a reader's own guess at its confidence."""
DESCRIBED: Final = 0.45
"""Most that words of the description are worth as a name."""
NAMED: Final = 0.35
"""From this much on a place counts as naming the property."""
PLACES: Final = 5
"""Decimals of a support: what is shown, exported and compared with the gate is one number."""
_WORDS_BEFORE: Final = 4
"""Words left of a quote that may negate or hedge it."""
_OR = r"(?:or|oder|ou|o|u|bzw\.?|alternatively|wahlweise)"
_OR_AFTER: Final = regex.compile(rf"^[\s,(]*{_OR}\b[^.;\n]{{0,30}}\d", regex.IGNORECASE)
_OR_BEFORE: Final = regex.compile(rf"\d[^.;\n]{{0,30}}\b{_OR}\s*$", regex.IGNORECASE)
_OR_INSIDE: Final = regex.compile(rf"\b{_OR}\b", regex.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Features:
    """What there is to say about a value and its quote; every field is 0 to 1."""

    states: float
    names: float
    alone: float
    grounded: float
    rivals: float
    unplaced: float
    negated: float
    hedged: float
    either: float
    omitted: float


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
    before = _clause_before(around)
    own = set(words(str(value)))
    said_before = words(before)
    around_it = (*said_before[:1], *said_before[-_WORDS_BEFORE:], *words(quote))
    return Features(
        states=said.share,
        names=names,
        alone=float(said.rivals == 0),
        grounded=1.0 if grounding.method != "fuzzy" else max(0.0, (grounding.score - 80) / 20),
        rivals=float(said.rivals > 0),
        unplaced=float(bool(grounding.others) and names < NAMED),
        negated=_negated(prop, value, f"{' '.join(before.split()[-_WORDS_BEFORE:])} {quote}", own),
        hedged=float(
            any(w in HEDGES and w not in own for w in around_it)
            or is_left_open(f"{normalised(around.left)} ", normalised(around.right))
        ),
        either=float(_either(prop, phrase, said.rivals, around)),
        omitted=float(_omits_negation(prepared, grounding)),
    )


def support(found: Features, confidence: float | None = None, *, calibrated: bool = True) -> float:
    """The support, 0 to 1: the score, or mostly the reader's own confidence where it has one, less the doubts.

    It has `PLACES` decimals."""
    total = score(found)
    if confidence is not None:
        weight = CALIBRATED if calibrated else UNCALIBRATED
        total = weight * confidence + (1 - weight) * total
    for name, factor in DOUBTS.items():
        total *= 1 - (1 - factor) * getattr(found, name)
    if found.states == 0:
        trusted = confidence is not None and calibrated
        total = min(total, UNSTATED_TRUSTED if trusted else UNSTATED)
    return round(total, PLACES)


def score(found: Features) -> float:
    """What the features say without the reader and before the doubts, 0 to 1."""
    total: float = sum(weight * getattr(found, name) for name, weight in WEIGHTS.items())
    for name, factor in FACTORS.items():
        total *= 1 - (1 - factor) * getattr(found, name)
    return min(total, 1.0)


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


def _clause_before(around: Surroundings) -> str:
    """What stands left of the place since the last pause."""
    clause = around.left
    for end in (". ", "; ", ": ", ", "):
        clause = clause.rpartition(end)[2]
    return clause


def _negated(prop: Property, value: Value, said: str, own: set[str]) -> float:
    found = [word for word in negations(normalised(said)) if word not in own]
    if prop.value_type == "bool" and not value:
        return 0.0
    return float(bool(found))


def _either(prop: Property, phrase: str, rivals: int, around: Surroundings) -> bool:
    if prop.value_type in ("i64", "f64", "date") and (_OR_AFTER.match(around.right) or _OR_BEFORE.search(around.left)):
        return True
    return rivals > 0 and _OR_INSIDE.search(phrase) is not None


def _omits_negation(prepared: PreparedText, grounding: Grounding) -> bool:
    pairs = zip(grounding.place, grounding.place[1:], strict=False)
    return any(negations(normalised(prepared.text[a.end : b.start])) for a, b in pairs)


FEATURE_NAMES: Final = tuple(field.name for field in fields(Features))
