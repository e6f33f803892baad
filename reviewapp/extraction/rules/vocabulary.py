"""The concepts that papers are made of, and which of them a property means."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Literal

from reviewapp.domain.properties import Property
from reviewapp.extraction.rules.words import fold, spellings, split_words, table
from reviewapp.extraction.units import canonical, is_currency

Shape = Literal[
    "money",
    "number",
    "quantity",
    "duration",
    "measure",
    "unit",
    "date",
    "name",
    "address",
    "place",
    "code",
    "currency",
    "text",
    "option",
    "bool",
]
"""What the values of a property look like; there is a set of weights for each."""

NUMBER_SHAPES: tuple[Shape, ...] = ("money", "number", "quantity", "duration")
SELF_EVIDENT = frozenset(("sole", "settles"))
"""Traits of what needs no label: the only number there is, the sum that the others make."""
_TYPES: dict[str, tuple[str, ...]] = {
    "f64": (*NUMBER_SHAPES, "measure"),
    "i64": (*NUMBER_SHAPES, "measure"),
    "date": ("date",),
    "bool": (),
    "text": ("name", "address", "place", "code", "currency", "duration", "measure", "unit", "text"),
    "keyword": ("name", "address", "place", "code", "currency", "duration", "measure", "unit", "text"),
}


@dataclass(frozen=True)
class Concept:
    """One row of the vocabulary; see the head of ``vocabulary.toml``."""

    name: str
    shape: str
    names: tuple[tuple[str, ...], ...]
    cues: tuple[tuple[str, ...], ...]
    boosts: frozenset[str]
    friends: frozenset[str]
    traits: frozenset[str]
    near: frozenset[str]
    far: frozenset[str]
    behind: frozenset[str]
    far_behind: frozenset[str]


@cache
def word_set(key: str) -> frozenset[str]:
    """A list of single words (``fillers``, ``quiet``, ``street`` …), folded."""
    return frozenset(fold(spelling) for word in look_lists()[key] for spelling in spellings(word))


def look_lists() -> dict[str, list[str]]:
    """Lists of words by which a line shows what it is (``street``, ``legal_forms`` …)."""
    return table()["looks"]


@cache
def concepts() -> dict[str, Concept]:
    """All concepts by name."""
    return {
        name: Concept(
            name=name,
            shape=row["shape"],
            names=_phrases(row.get("names", ())),
            cues=_phrases(row["cues"]),
            boosts=frozenset(row.get("boosts", ())),
            friends=frozenset(row.get("friends", ())),
            traits=frozenset(row.get("traits", ())),
            near=_words(row, "near"),
            far=_words(row, "far"),
            behind=_words(row, "behind"),
            far_behind=_words(row, "far_behind"),
        )
        for name, row in table().items()
        if name != "looks"
    }


def _words(row: Mapping[str, Iterable[str]], key: str) -> frozenset[str]:
    return frozenset(fold(word) for word in row.get(key, ()))


def _phrases(written: Iterable[str]) -> tuple[tuple[str, ...], ...]:
    return tuple(dict.fromkeys(split_words(spelling) for phrase in written for spelling in spellings(phrase)))


def name_words(prop: Property) -> tuple[str, ...]:
    """The words of a property's name: ``netWeight_kg`` → ``("net", "weight", "kg")``."""
    return split_words(prop.name)


def description_words(prop: Property) -> tuple[str, ...]:
    """The telling words of a description, without those of the name."""
    own = set(name_words(prop)) | word_set("fillers")
    return tuple(w for w in dict.fromkeys(split_words(prop.description)) if len(w) > 2 and w not in own)


_WHOLE_NAME = 2.5
"""Score from which a concept's name is the whole name or a whole alias."""
_NUMBERED = frozenset(("number", "no", "nr", "nummer", "id", "code", "codice", "codigo", "numero", "numer"))
"""Words of a name that is a number's, not somebody's."""
_FORMS = frozenset(("mail", "phone", "site", "iban"))
_OF_A_FORM = frozenset(("email", "iban", "phone", "telephone", "telefon", "fax", "website", "homepage", "url"))
"""Traits and names of what is told by its form."""
_LOW = frozenset(("low", "lower", "min", "minimum", "minimal", "least", "untere", "mindest", "minimo"))
_HIGH = frozenset(("high", "upper", "max", "maximum", "maximal", "most", "obere", "hochst", "maximo"))


End = Literal["low", "high"] | None
"""Which end of a range is asked for; None: a single number."""


def end_of(prop: Property) -> End:
    """Which end of a range the property asks for, by the words of its name; None: a single number."""
    words = set(name_words(prop))
    if words & _LOW:
        return "low"
    return "high" if words & _HIGH else None


_SHORT_UNITS = frozenset(
    ("kg", "mg", "mm", "cm", "km", "kw", "mw", "kwh", "mb", "gb", "tb", "ml", "hz", "khz", "mhz", "ghz")
)
"""Units of two or three letters that are no other word in a name; ``min`` and ``no`` are."""
_UNIT_WORD = 4
"""Letters of a unit's name that a property's name may end with: ``payment_days``."""


def unit_in_name(prop: Property) -> str | None:
    """The unit that the name of a number ends with where the property has none of its own: ``weight_kg``."""
    words = name_words(prop)
    if prop.unit is not None or prop.value_type not in ("f64", "i64") or len(words) < 2:
        return None
    last = words[-1]
    unit = canonical(last) if last in _SHORT_UNITS or len(last) >= _UNIT_WORD else None
    return None if unit is None or is_currency(unit) or unit in ("pcs", "%") else unit


def concept_of(prop: Property) -> Concept | None:
    """The concept that a property's name, aliases or description mean, if it is one of the vocabulary's.

    The name counts most, then aliases, then the first clause of the description; a concept must fit the value type.
    """
    shapes = _TYPES[prop.value_type]
    measured = unit_in_name(prop) is not None  # `payment_days` are no payment
    words = set(name_words(prop))
    best: tuple[float, str] | None = None
    first_clause = split_words(prop.description.split(".")[0].split(",")[0].split(";")[0])
    for concept in concepts().values():
        if concept.shape not in shapes or (concept.shape == "money" and measured):
            continue
        if concept.shape == "name" and words & _NUMBERED:
            continue  # a `client_number` is no client
        score = max(
            3 * _fit(concept.names, name_words(prop)),
            max((2.5 * _fit(concept.names, split_words(a)) for a in prop.aliases), default=0.0),
            1.2 * _fit(concept.names, first_clause),
        )
        if score and concept.traits & _FORMS and words & _OF_A_FORM:
            score += 1.0  # the `email` of whomever has a form of its own
        if "sole" in concept.traits and score < _WHOLE_NAME:
            continue  # "value" by itself is any number; "order value" is not
        if score >= 1.0 and (best is None or (score, concept.name) > best):
            best = (score, concept.name)
    return concepts()[best[1]] if best else None


def _fit(names: Iterable[tuple[str, ...]], words: tuple[str, ...]) -> float:
    """How much of `words` a name covers, 0..1; the name must stand in them whole and in order."""
    best = 0.0
    joined = f" {' '.join(words)} "
    for name in names:
        phrase = " ".join(name)
        if words == name:
            return 1.0 + 0.01 * len(name)
        if len(words) <= 12 and f" {phrase} " in joined:
            ends = joined.endswith(f" {phrase} ")
            best = max(best, (len(name) / len(words)) ** 0.5 * (0.95 if ends else 0.8))
    return best


def shape_of(prop: Property, concept: Concept | None) -> Shape:
    """What the property's values look like."""
    if prop.value_type == "bool":
        return "bool"
    if prop.value_type == "date":
        return "date"
    if concept is not None and concept.shape == "duration":
        return "duration"
    if prop.value_type in ("f64", "i64"):
        if prop.unit is not None:
            return "money" if is_currency(prop.unit) else "quantity"
        if unit_in_name(prop) is not None:
            return "quantity"
        return "money" if concept is not None and concept.shape == "money" else "number"
    if prop.options:
        return "option"
    if concept is not None and concept.shape in ("name", "address", "place", "code", "currency", "measure", "unit"):
        return concept.shape  # type: ignore[return-value]
    return "text"
