"""Whether the words around a place name a property."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final

import regex

from reviewapp.domain.properties import Property
from reviewapp.extraction.prepared import PreparedText, normalised
from reviewapp.extraction.surroundings import Surroundings, surroundings

_WORDS: Final = regex.compile(r"[\p{L}\p{M}]+|\d+")
_CAMEL: Final = regex.compile(r"(?<=\p{Ll})(?=\p{Lu})")
_NUMBER: Final = regex.compile(r"\d")
_PARTED: Final = regex.compile(r"[.!?;](?:\s|$)")
_SMALL_WORDS = """
    the a an of in on at to for by with and or is are was be this that which as from it its per
    der die das des dem den ein eine von im am zum zur für mit und oder ist als
    le la les de du des un une et ou en pour par dans el los las y o del con
"""
_STOP_WORDS: Final = frozenset(_SMALL_WORDS.split())
_KINDS = """
    date day time number no nr num name value amount weight size code type id unit quantity
    datum tag zeit nummer wert betrag gewicht größe typ
    montant poids nombre numéro valeur fecha número valor peso importe
"""
_KIND_WORDS: Final = frozenset(_KINDS.split())
"""Words of a name that the value itself shows (a date, a weight); beside another word they tell little."""
_PAGE_BEFORE: Final = regex.compile(r"\b(?:page|pages|pg|p|seite|blatt|sheet|página|pagina|of|von|de|/)[\s.]*\Z")
_STATES_BEFORE: Final = regex.compile(r"[:=]\s*(?:\p{Sc}|[a-z]{2,3})?\s*\Z")

LEFT: Final = 1.0
HEAD: Final = 0.9
LABEL_ABOVE: Final = 0.6
RIGHT: Final = 0.4
LINE_ABOVE: Final = 0.2
NUMBER_BETWEEN: Final = 0.45
"""Factor for a cue word with another number, or the end of a sentence, between it and the place."""
FAR: Final = 100
"""Characters after which a cue word on the same line counts half."""


@lru_cache(maxsize=4_096)
def words(phrase: str) -> tuple[str, ...]:
    """``flow_b`` → flow, b; ``netWeight`` → net, weight; in the normalised form."""
    return tuple(_WORDS.findall(normalised(_CAMEL.sub(" ", phrase).replace("_", " "))))


def phrases(prop: Property) -> tuple[str, ...]:
    """What a text may call a property: its name and its aliases."""
    return (prop.name, *prop.aliases)


@lru_cache(maxsize=1_024)
def key_words(description: str) -> frozenset[str]:
    """Words of a description that tell something: at least four letters and no stop words."""
    return frozenset(w for w in words(description) if len(w) > 3 and w not in _STOP_WORDS and not w.isdecimal())


def alike(cue: str, word: str) -> bool:
    """The same word, a form of it (``weights``) or a compound with it (``gesamtgewicht``)."""
    if cue == word:
        return True
    if len(cue) < 4 or len(word) < 4:
        return False
    return word.startswith(cue) or (len(cue) > 4 and (word.endswith(cue) or (len(word) > 4 and cue.startswith(word))))


def naming(around: Surroundings, names: Sequence[str]) -> float:
    """0 to 1: how clearly the words around a place bear one of these names; the nearer, the more."""
    seen = _weighted(around)
    return max((_phrase(name, seen) for name in names), default=0.0)


def _phrase(name: str, seen: dict[str, float]) -> float:
    wanted = weights(name)
    total = sum(wanted.values())
    if not total:
        return 0.0
    got = sum(much * max((v for w, v in seen.items() if alike(cue, w)), default=0.0) for cue, much in wanted.items())
    return got / total


@lru_cache(maxsize=4_096)
def weights(name: str) -> dict[str, int]:
    """The words of a name with what each tells: long ones more, of several those of the kind only 1."""
    wanted = words(name)
    if len(wanted) > 1:
        wanted = tuple(w for w in wanted if w not in _STOP_WORDS or len(w) == 1) or wanted
    return {w: 1 if w in _KIND_WORDS and len(wanted) > 1 else min(len(w), 4) for w in wanted}


def _weighted(around: Surroundings) -> dict[str, float]:
    """Every word around a place with what it is worth there."""
    seen: dict[str, float] = {}

    def note(word: str, worth: float) -> None:
        if worth > seen.get(word, 0.0):
            seen[word] = worth

    left, right = normalised(around.left), normalised(around.right)
    for match in _WORDS.finditer(left):
        between = left[match.end() :]
        worth = LEFT * (1 - min(len(between), FAR) / (2 * FAR))
        note(match[0], worth * _parted(between))
    for match in _WORDS.finditer(right):
        between = right[: match.start()]
        note(match[0], RIGHT * (1 - min(len(between), FAR) / (2 * FAR)) * _parted(between))
    for rank, head in enumerate(around.heads):
        for word in words(head):
            note(word, HEAD / (1 + 0.2 * rank))
    above = normalised(around.before)
    worth = LABEL_ABOVE if not left and len(above) < 60 and not _NUMBER.search(above) else LINE_ABOVE
    for word in words(above):
        note(word, worth)
    return seen


def _parted(between: str) -> float:
    return NUMBER_BETWEEN if _NUMBER.search(between) or _PARTED.search(between) else 1.0


def place_worth(prepared: PreparedText, start: int, end: int, names: Sequence[str]) -> float:
    """How likely ``text[start:end]`` is the place that states the property, among places with the same words."""
    around = surroundings(prepared, start, end)
    left = around.left.casefold()
    worth = naming(around, names)
    if _STATES_BEFORE.search(left):
        worth += 0.1
    if _PAGE_BEFORE.search(left):
        worth -= 0.3
    return worth


def mentions(text: str, wanted: Iterable[str]) -> int:
    """How many of these words the text has."""
    there = words(text)
    return sum(any(alike(cue, word) for word in there) for cue in wanted)
