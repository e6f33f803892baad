"""A meant number in its property's unit: converted, or with the reason why its unit is not sure."""

from __future__ import annotations

import re
from decimal import Decimal

from reviewapp.domain.properties import Property
from reviewapp.domain.values import print_number
from reviewapp.extraction.meant import REACH, Meant
from reviewapp.extraction.units import (
    canonical,
    convert,
    currency_before,
    currency_of,
    is_currency,
    same_kind,
    sign_means,
)

_DIFFERENCE_BEFORE = re.compile(
    r"(?:\b(?:rises?|increases?|increments?|differences?|drops?|decreases?|falls?|gradients?|deltas?|changes?|warming"
    r"|cooling|heating|elevations?|reductions?|spreads?|deviations?|tolerances?|hystereses|hysteresis"
    r"|\w*(?:anstieg|erhöhung|differenz|unterschied|abfall|abnahme|zunahme|erwärmung|abkühlung|änderung|spreizung|gefälle"
    r"|abweichung|toleranz|hysterese|stijging|toename|daling|verschil)(?:e?s|en)?"
    r"|écart|élévation|hausse|augmentation|échauffement|baisse|chute|différence|variation|diferencia|aumento|incremento"
    r"|descenso|subida|caída|differenza|innalzamento|calo|variazione|diferença|elevação|queda|wzrost|przyrost|różnic\w"
    r"|spadek|ökning|skillnad|stigning|forskel)\b|[ΔδΔ∆])"
    r"(?:[ ]?[\w()]{0,12}){0,4}[ :=≈~<>]*$",
    re.IGNORECASE,
)
_DIFFERENCE_BY = re.compile(r"\b(?:by|um|de plus)\s(?:about |up to |approximately |ca\. |~)?$", re.IGNORECASE)
_DIFFERENCE_AFTER = re.compile(
    r"\s*(?:higher|lower|warmer|colder|hotter|cooler|above|below|rise|increase|drop|difference)\b", re.IGNORECASE
)
_ABSOLUTE_BEFORE = re.compile(r"\b(?:to|at|from|auf|bei|à|until|hasta|fino a|tot)\s$", re.IGNORECASE)
_FROM_BEFORE = re.compile(r"\b(?:von|van|de|da|z|från|fra)\s$", re.IGNORECASE)
_TO_AFTER = re.compile(r"\s*(?:auf|bis|naar|tot|à|a|hasta|para|do|till|til)\b", re.IGNORECASE)
"""With a word for "from" before it a temperature is a point only where the other end follows: ``von 20 auf 25 °C``."""
_TEMPERATURES = frozenset(("°C", "°F", "K", "°R"))
_DIFFERENCE_NAMES = re.compile(
    r"rise|increase|difference|delta|gradient|drop|tolerance|anstieg|erhöhung|differenz|erwärmung|spreizung|Δ",
    re.IGNORECASE,
)
_CALENDAR = frozenset(("mo", "yr"))
_NEAR = Decimal("2e-9")
"""A value in a unit a thousand million times smaller or greater than the one asked for is rather another one's."""
_HEADER_UNIT = re.compile(
    r"[(\[]\s*(?:in\s+)?([^\s()\[\]][^()\[\]]{0,15}?)\s*[)\]]"
    r"|(?:,|\bin)\s+([^\s,;:()]{1,12})\s*:?\s*(?:$|\n)"
)


def in_unit(
    meant: Meant, prop: Property, context: str, currency: str | None = None
) -> tuple[Decimal, str | None, str | None]:
    """(number in the property's unit, its stated words when converted, why the unit is not sure)."""
    if prop.unit is None:
        return meant.number, None, None
    quantity = meant.quantity
    unit = quantity.unit if quantity is not None else None
    own = canonical(prop.unit)
    if own is None:
        return meant.number, None, _unknown_unit(meant, prop.unit)
    unit = unit or _header_unit(meant, prop.unit, context)
    if unit is None and is_currency(prop.unit):
        unit = _currency_over_a_gap(meant, context) or currency
    if unit is None:
        return meant.number, None, _no_unit(meant, prop.unit)
    ambiguous = quantity.unit_ambiguous if quantity is not None else None
    if not same_kind(unit, own):
        words = meant.unit_words if quantity is not None and quantity.unit is not None else unit
        meaning = sign_means(words, own)
        if meaning is None:
            return meant.number, None, f"the text states {words!r}, which cannot be told in {prop.unit}"
        ambiguous = f"the text does not say whether {unit} or {meaning} is meant"
        unit = meaning
    if canonical(unit) == own or currency_of(unit) is not None:
        return meant.number, None, ambiguous
    difference = _is_difference(meant, prop, context)
    converted = convert(meant.number, unit, own, difference=difference)
    return converted, _stated(meant, unit), ambiguous or _far_from(unit, own, meant.number, converted)


def _far_from(unit: str, own: str, number: Decimal, converted: Decimal) -> str | None:
    """Why a conversion is to be looked at: the calendar has no fixed ratio, or the units are worlds apart."""
    if (unit in _CALENDAR) != (own in _CALENDAR) and {unit, own} & _CALENDAR:
        return f"the text states {unit}, which has no fixed ratio to {own}"
    if number and converted and not _NEAR < abs(converted / number) < 1 / _NEAR:
        return f"the text states {unit}, which is far from {own}"
    return None


def _stated(meant: Meant, unit: str) -> str:
    """Number and unit in the text's words."""
    quantity = meant.quantity
    if quantity is None or quantity.unit_span is None or quantity.unit is None:
        return f"{print_number(meant.number)} {unit}"
    text = meant.text
    if quantity.kind in ("range", "tolerance") or quantity.shared_unit:
        number = next((n for n in quantity.numbers if n.value == meant.number), quantity.numbers[0])
        return f"{text[number.start : number.end]} {text[slice(*quantity.unit_span)]}"
    start, end = quantity.core_span
    return " ".join(text[start:end].split())


def _no_unit(meant: Meant, unit: str) -> str:
    words = meant.unit_words
    if words:
        return f"the text states no unit that is known (after the number stands {words!r}); the property is in {unit}"
    return f"the text states no unit; the property is in {unit}"


def _unknown_unit(meant: Meant, unit: str) -> str | None:
    """Why a property's unit that only its people know (``passages``) is not confirmed by the words at the number."""
    words = meant.unit_words.casefold()
    wanted = unit.casefold()
    if words and (words == wanted or words.rstrip("s") == wanted.rstrip("s")):
        return None
    found = f"{words!r}" if words else "no unit"
    return f"the text states {found}; the property is in {unit}"


def _header_unit(meant: Meant, unit: str, context: str) -> str | None:
    """A unit of the property's kind in a heading: ``Weight (kg)``, ``Gewicht [t]``, ``Width, mm``."""
    before = meant.text if meant.quantity is None else meant.text[: meant.quantity.start]
    for text in (before, context):
        for match in _HEADER_UNIT.finditer(text):
            found = (match[1] or match[2]).strip().rstrip(":.")
            if canonical(found) is not None and same_kind(found, unit):
                return found
    return None


def _currency_over_a_gap(meant: Meant, context: str) -> str | None:
    """The currency that stands before the number on its line, as far away as columns are: ``Sum EUR        9.90``."""
    before = meant.text if meant.quantity is None else meant.text[: meant.quantity.start]
    for text in (before, context):
        beside = text.rstrip(" \t\u00a0") + " "
        found = currency_before(beside, len(beside))
        if found is not None:
            return found.currency
    return None


def _is_difference(meant: Meant, prop: Property, context: str) -> bool:
    """Whether a temperature is a rise, a tolerance or the like, not a point of the scale."""
    quantity = meant.quantity
    if canonical(prop.unit or "") not in _TEMPERATURES:
        return False
    if quantity is None:
        return _DIFFERENCE_NAMES.search(prop.name) is not None
    if quantity.kind == "deviation" or _DIFFERENCE_NAMES.search(prop.name):
        return True
    before = meant.text[: quantity.start][-REACH:]
    if not before.strip():
        before = context.rstrip()[-REACH:] + " "
    if _DIFFERENCE_BY.search(before):
        return True
    if _ABSOLUTE_BEFORE.search(before) or (_FROM_BEFORE.search(before) and _TO_AFTER.match(meant.text, quantity.end)):
        return False
    return bool(_DIFFERENCE_BEFORE.search(before) or _DIFFERENCE_AFTER.match(meant.text, quantity.end))
