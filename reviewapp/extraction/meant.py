"""Which quantity a reading means: its own words, and the place in its quote that states the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from reviewapp.domain.properties import Property, Value
from reviewapp.domain.values import EXAMPLES, print_number, shorten
from reviewapp.domain.workflows import Evidence, Rules
from reviewapp.extraction.normal_form import Invalid
from reviewapp.extraction.quantities import Quantity, find_quantities
from reviewapp.extraction.units import canonical, convert, same_kind

NUMBERS_SHOWN = 3
SAME_AFTER_CONVERSION = Decimal("1e-6")
"""Relative difference up to which a converted number is taken for the reader's own conversion."""
REACH = 60
"""Characters beside the quote that are looked at: a bound, a currency or a unit can stand just outside it."""


@dataclass(frozen=True, slots=True)
class Quoted:
    """A quote with the words directly beside it, as they stand in the text."""

    text: str
    start: int
    """Of the quote in `text`."""
    end: int
    quantities: tuple[Quantity, ...]
    """Those whose number lies in the quote; bounds and units may reach beyond it."""


def quoted(quote: str, before: str, after: str, rules: Rules, evidence: Evidence) -> Quoted:
    left, right = before[-REACH:], after[:REACH]
    text, start, end = left + quote + right, len(left), len(left) + len(quote)
    quantities = find_quantities(text, rules, evidence)
    inside = [q for q in quantities if any(start <= n.start and n.end <= end for n in q.numbers)]
    return Quoted(text, start, end, tuple(inside))


@dataclass(frozen=True, slots=True)
class Meant:
    """The number a reading means and where it stands."""

    number: Decimal
    quantity: Quantity | None
    """In `text`; None: the number stands neither in the value nor in the quote as a quantity."""
    text: str
    in_quote: bool

    @property
    def unit_words(self) -> str:
        """What stands in the unit's place, as printed; empty: nothing."""
        span = None if self.quantity is None else self.quantity.unit_span
        return "" if span is None else self.text[slice(*span)]


def find_meant(
    raw: Value, printed: str, quote: Quoted, prop: Property, rules: Rules, evidence: Evidence
) -> Meant | Invalid:
    """The number of the reading, with the quantity that states it; Invalid where the reading is not one number."""
    if isinstance(raw, bool):
        return Invalid(f"{printed!r} is not a number; {EXAMPLES[prop.value_type]} is expected.", printed)
    own: Quantity | None = None
    if isinstance(raw, str):
        stated = _own_quantity(printed, prop, rules, evidence)
        if isinstance(stated, Invalid):
            return stated
        own = stated
        numbers = [own.numbers[0].value, *own.numbers[0].alternatives]
    else:
        numbers = [Decimal(str(raw)) if isinstance(raw, float) else Decimal(raw)]
    found = _find(numbers, quote.quantities, prop)
    if found is not None and (own is None or own.unit is None or own.unit == found.unit):
        return Meant(_as_the_quote_reads(numbers, found, own), found, quote.text, True)
    if own is not None:
        converted = _converted(numbers[0], own.unit, quote.quantities)
        return Meant(numbers[0], own, printed, converted is not None)
    other = _converted(numbers[0], prop.unit, quote.quantities)
    return Meant(numbers[0], None, quote.text, False) if other is None else Meant(other.value, other, quote.text, True)


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
        return Invalid(f"{range_words(found[0], printed)}; one number is expected.", printed)
    return found[0]


def range_words(quantity: Quantity, text: str) -> str:
    first, second = (print_number(n.value) for n in quantity.numbers)
    unit = f" {quantity.unit}" if quantity.unit else ""
    return f"{shorten(text[quantity.start : quantity.end])} is a range {first} to {second}{unit}, not a single value"


def _find(numbers: list[Decimal], quantities: Sequence[Quantity], prop: Property) -> Quantity | None:
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


def _converted(number: Decimal, unit: str | None, quantities: Sequence[Quantity]) -> Quantity | None:
    """A quantity of the quote that is this number once it is brought into the unit."""
    if unit is None or canonical(unit) is None:
        return None
    for quantity in quantities:
        if quantity.kind != "range" and quantity.unit is not None and same_kind(quantity.unit, unit):
            there = convert(quantity.value, quantity.unit, unit)
            if abs(there - number) <= abs(number) * SAME_AFTER_CONVERSION:
                return quantity
    return None
