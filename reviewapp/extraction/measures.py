"""Numbers with units: which quantity of the quote a reading means, and that quantity in the property's unit."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal

from reviewapp.domain.properties import Property, Value
from reviewapp.domain.values import EXAMPLES, finite, print_number, print_value, shorten, whole
from reviewapp.domain.workflows import Evidence, Rules
from reviewapp.errors import InvalidInput
from reviewapp.extraction.normal_form import Invalid, Normalised
from reviewapp.extraction.quantities import Quantity, find_quantities
from reviewapp.extraction.units import canonical, convert, currency_of, same_kind

_DIFFERENCE_BEFORE = re.compile(
    r"(?:\b(?:rises?|increases?|increments?|differences?|drops?|decreases?|falls?|gradients?|deltas?|changes?|warming|cooling|heating"
    r"|elevations?|reductions?|spreads?|deviations?|tolerances?|hystereses|hysteresis|Anstieg|Erhöhung|Differenz|Temperaturdifferenz"
    r"|Abfall|Abnahme|Zunahme|Erwärmung|Abkühlung|écart|élévation|diferencia|aumento|differenza)\b|[ΔδΔ∆])"
    r"(?:[ ]?[\w()]{0,12}){0,4}[ :=≈~<>]*$",
    re.IGNORECASE,
)
_DIFFERENCE_BY = re.compile(r"\b(?:by|um|de plus)\s(?:about |up to |approximately |ca\. |~)?$", re.IGNORECASE)
_DIFFERENCE_AFTER = re.compile(
    r"\s*(?:higher|lower|warmer|colder|hotter|cooler|above|below|rise|increase|drop|difference)\b", re.IGNORECASE
)
_ABSOLUTE_BEFORE = re.compile(r"\b(?:to|at|from|auf|bei|von|à|until)\s$", re.IGNORECASE)
_TEMPERATURE_KINDS = frozenset(("°C", "°F", "K", "°R"))
_DIFFERENCE_NAMES = re.compile(
    r"rise|increase|difference|delta|gradient|drop|tolerance|anstieg|differenz|Δ", re.IGNORECASE
)
_UPPER_NAMES = re.compile(r"max|upper|highest|peak|limit|up to|höchst|obere", re.IGNORECASE)
_LOWER_NAMES = re.compile(r"min(?!ut)|lower|least|lowest|mindest|untere", re.IGNORECASE)
_HEADER_UNIT = re.compile(
    r"[(\[]\s*(?:in\s+)?([^\s()\[\]][^()\[\]]{0,15}?)\s*[)\]]"
    r"|(?:,|\bin)\s+([^\s,;:()]{1,12})\s*:?\s*(?:$|\n)"
)
NUMBERS_SHOWN = 3


@dataclass(frozen=True, slots=True)
class _Meant:
    """The number a reading means and where it stands."""

    number: Decimal
    quantity: Quantity | None
    """In `where`; None: the number stands neither in the value nor in the quote as a quantity."""
    where: str
    in_quote: bool


def normalise_number(
    raw: Value, printed: str, quote: str, prop: Property, rules: Rules, evidence: Evidence, context: str
) -> Normalised | Invalid:
    """See `normalise.normalise`."""
    meant = _meant(raw, printed, quote, prop, rules, evidence)
    if isinstance(meant, Invalid):
        return meant
    reasons: list[str] = []
    number, stated, unit_reason = _in_unit(meant, quote, prop, context)
    reasons += [reason for reason in (_doubt(meant, raw, prop), unit_reason) if reason]
    shown = stated if stated is not None else print_number(meant.number)
    try:
        value: Value = whole(number, print_number(number)) if prop.value_type == "i64" else finite(number, shown)
    except InvalidInput as error:
        converted = "" if stated is None else f"{stated!r} is {print_number(number)} {prop.unit}; "
        return Invalid(converted + error.message, printed)
    return Normalised(
        value,
        print_value(value, prop.value_type),
        stated=stated,
        unconfirmed=" ".join(_sentence(r) for r in reasons) or None,
        in_quote=meant.in_quote,
    )


def _sentence(reason: str) -> str:
    return reason[0].upper() + reason[1:] + ("" if reason.endswith(".") else ".")


def _meant(raw: Value, printed: str, quote: str, prop: Property, rules: Rules, evidence: Evidence) -> _Meant | Invalid:
    if isinstance(raw, bool):
        return Invalid(f"{printed!r} is not a number; {EXAMPLES[prop.value_type]} is expected.", printed)
    in_quote = find_quantities(quote, rules, evidence)
    if isinstance(raw, str):
        own = _own_quantity(printed, prop, rules, evidence)
        if isinstance(own, Invalid):
            return own
        numbers = [own.numbers[0].value, *own.numbers[0].alternatives]
    else:
        own = None
        numbers = [Decimal(str(raw)) if isinstance(raw, float) else Decimal(raw)]
    found = _find(numbers, in_quote, prop)
    if found is not None and (own is None or own.unit is None or own.unit == found.unit):
        return _Meant(_as_the_quote_reads(numbers, found, own), found, quote, True)
    if own is not None:
        converted = _converted(numbers[0], own.unit, in_quote)
        return _Meant(numbers[0], own, printed, converted is not None)
    other = _converted(numbers[0], prop.unit, in_quote)
    if other is not None:
        return _Meant(other.value, other, quote, True)
    return _Meant(numbers[0], None, quote, False)


def _own_quantity(printed: str, prop: Property, rules: Rules, evidence: Evidence) -> Quantity | Invalid:
    """The one quantity that the reader's words state."""
    expected = f"{EXAMPLES[prop.value_type]} is expected."
    found = find_quantities(printed, rules, evidence)
    if not found:
        return Invalid(f"{shorten(printed)} is not a number; {expected}", printed)
    if len(found) > 1 and prop.unit is not None:
        fitting = [q for q in found if q.unit is not None and same_kind(q.unit, prop.unit)]
        found = fitting if len(fitting) == 1 else found
    if len({(q.numbers[0].value, q.kind) for q in found}) > 1:
        shown = " and ".join(print_number(q.value) for q in found[:NUMBERS_SHOWN])
        return Invalid(f"{shorten(printed)} holds several numbers ({shown}); one number is expected.", printed)
    if found[0].kind == "range":
        return Invalid(f"{_range_words(found[0], printed)}; one number is expected.", printed)
    return found[0]


def _range_words(quantity: Quantity, text: str) -> str:
    first, second = (print_number(n.value) for n in quantity.numbers)
    unit = f" {quantity.unit}" if quantity.unit else ""
    return f"{shorten(text[quantity.start : quantity.end])} is a range {first} to {second}{unit}, not a single value"


def _find(numbers: list[Decimal], quantities: list[Quantity], prop: Property) -> Quantity | None:
    """The quantity of the quote that states the number; of several the one in a unit of the property's kind."""
    exact = [q for q in quantities if any(n.value == numbers[0] for n in q.numbers)]
    hits = exact or [q for q in quantities if any(set(numbers) & {n.value, *n.alternatives} for n in q.numbers)]
    if not hits:
        return None
    if prop.unit is not None:
        for hit in hits:
            if hit.unit is not None and same_kind(hit.unit, prop.unit):
                return hit
    return hits[0]


def _as_the_quote_reads(numbers: list[Decimal], found: Quantity, own: Quantity | None) -> Decimal:
    """The reader's number; where its words have two readings, the likelier one in the quote (``1.234 EUR``)."""
    if own is None or own.ambiguous is None:
        return numbers[0]
    return next((n.value for n in found.numbers if n.value in numbers), numbers[0])


def _converted(number: Decimal, unit: str | None, quantities: list[Quantity]) -> Quantity | None:
    """A quantity of the quote that is this number once it is brought into the unit."""
    if unit is None or canonical(unit) is None:
        return None
    for quantity in quantities:
        if quantity.kind != "range" and quantity.unit is not None and same_kind(quantity.unit, unit):
            there = convert(quantity.value, quantity.unit, unit)
            if abs(there - number) <= abs(number) * Decimal("1e-6"):
                return quantity
    return None


def _in_unit(meant: _Meant, quote: str, prop: Property, context: str) -> tuple[Decimal, str | None, str | None]:
    """(number in the property's unit, its stated words when converted, why the unit is not sure)."""
    if prop.unit is None:
        return meant.number, None, None
    quantity = meant.quantity
    unit = quantity.unit if quantity is not None else None
    own = canonical(prop.unit)
    if own is None:
        return meant.number, None, _unknown_unit(meant, prop.unit)
    if unit is None and _header_unit(meant, quote, prop.unit, context) is not None:
        unit = _header_unit(meant, quote, prop.unit, context)
    if unit is None:
        return meant.number, None, _no_unit(meant, prop.unit)
    if not same_kind(unit, own):
        return meant.number, None, f"the text states {_unit_words(meant)!r}, which cannot be told in {prop.unit}"
    ambiguous = quantity.unit_ambiguous if quantity is not None else None
    if canonical(unit) == own or currency_of(unit) is not None:
        return meant.number, None, ambiguous
    difference = _is_difference(meant, prop, context)
    number = convert(meant.number, unit, own, difference=difference)
    return number, _stated(meant, unit), ambiguous


def _stated(meant: _Meant, unit: str) -> str:
    """Number and unit in the text's words."""
    quantity = meant.quantity
    if quantity is None or quantity.unit_span is None or quantity.unit is None:
        return f"{print_number(meant.number)} {unit}"
    text = meant.where
    if quantity.kind in ("range", "tolerance") or quantity.shared_unit:
        number = next((n for n in quantity.numbers if n.value == meant.number), quantity.numbers[0])
        return f"{text[number.start : number.end]} {text[slice(*quantity.unit_span)]}"
    start, end = quantity.core_span
    return " ".join(text[start:end].split())


def _unit_words(meant: _Meant) -> str:
    quantity = meant.quantity
    if quantity is None or quantity.unit_span is None:
        return print_number(meant.number)
    return meant.where[slice(*quantity.unit_span)]


def _no_unit(meant: _Meant, unit: str) -> str:
    quantity = meant.quantity
    if quantity is not None and quantity.unit_span is not None:
        words = _unit_words(meant)
        return f"the text states no unit that is known (after the number stands {words!r}); the property is in {unit}"
    return f"the text states no unit; the property is in {unit}"


def _unknown_unit(meant: _Meant, unit: str) -> str | None:
    """Why a property's unit that only its people know (``passages``) is not confirmed by the words at the number."""
    words = _unit_words(meant).casefold() if meant.quantity is not None and meant.quantity.unit_span else ""
    wanted = unit.casefold()
    if words and (words == wanted or words.rstrip("s") == wanted.rstrip("s")):
        return None
    found = f"{words!r}" if words else "no unit"
    return f"the text states {found}; the property is in {unit}"


def _header_unit(meant: _Meant, quote: str, unit: str, context: str) -> str | None:
    """A unit of the property's kind in a heading: ``Weight (kg)``, ``Gewicht [t]``, ``Width, mm``."""
    before = quote if meant.where != quote or meant.quantity is None else quote[: meant.quantity.start]
    for text in (before, context):
        for match in _HEADER_UNIT.finditer(text):
            found = (match[1] or match[2]).strip().rstrip(":.")
            if canonical(found) is not None and same_kind(found, unit):
                return found
    return None


def _is_difference(meant: _Meant, prop: Property, context: str) -> bool:
    """Whether a temperature is a rise, a tolerance or the like, not a point of the scale."""
    quantity = meant.quantity
    if canonical(prop.unit or "") not in _TEMPERATURE_KINDS:
        return False
    if quantity is None:
        return _DIFFERENCE_NAMES.search(prop.name) is not None
    if quantity.kind == "deviation" or _DIFFERENCE_NAMES.search(prop.name):
        return True
    before = meant.where[: quantity.start]
    if not before.strip():
        before = context[-60:] if meant.where in ("", before) else context.split("\n")[-1][:60] + before
    before = before[-60:]
    if _DIFFERENCE_BY.search(before):
        return True
    if _ABSOLUTE_BEFORE.search(before):
        return False
    return bool(_DIFFERENCE_BEFORE.search(before) or _DIFFERENCE_AFTER.match(meant.where, quantity.end))


def _doubt(meant: _Meant, raw: Value, prop: Property) -> str | None:
    """Why the number is not a single sure value: bound, hedge, end of a range, or a second reading."""
    quantity = meant.quantity
    if quantity is None:
        return None
    phrase = " ".join(meant.where[quantity.start : quantity.end].split())
    if quantity.kind == "range":
        return f"{_range_words(quantity, meant.where)}"
    if quantity.kind == "deviation":
        return f"{phrase!r} is a deviation, not a value"
    if quantity.kind == "bound" and not _asked_for(quantity, prop):
        side = "an upper" if quantity.bound in ("at most", "below") else "a lower"
        return f"the text says {phrase!r}: {side} bound, not a single value"
    if quantity.hedge:
        return f"the text says {phrase!r}: not an exact value"
    return _second_reading(meant, raw)


def _asked_for(quantity: Quantity, prop: Property) -> bool:
    """A property that is a maximum is stated by ``max. 85 °C``."""
    names = " ".join((prop.name, *prop.aliases))
    pattern = _UPPER_NAMES if quantity.bound in ("at most", "below") else _LOWER_NAMES
    return pattern.search(names.replace("_", " ")) is not None


def _second_reading(meant: _Meant, raw: Value) -> str | None:
    if meant.quantity is None:
        return None
    for number in meant.quantity.numbers:
        if number.ambiguous and meant.number in (number.value, *number.alternatives):
            return number.ambiguous
        if meant.number in number.alternatives:
            read = print_number(number.value)
            return f"the reader gave {shorten(str(raw))}, but the quote's number is read as {read} in these texts"
    return None
