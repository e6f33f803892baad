"""Numbers: the quantity a reading means, in its property's type and unit, with everything that makes it unsure."""

from __future__ import annotations

import re
from dataclasses import replace
from decimal import Decimal

from reviewapp.domain.properties import Property, Value
from reviewapp.domain.values import finite, print_number, print_value, shorten, whole
from reviewapp.domain.workflows import Evidence, Rules
from reviewapp.errors import InvalidInput
from reviewapp.extraction.meant import Meant, Quoted, find_meant, range_words
from reviewapp.extraction.normal_form import Invalid, Normalised
from reviewapp.extraction.quantities import Quantity
from reviewapp.extraction.unit_fit import in_unit

_UPPER_NAMES = re.compile(r"max|upper|highest|peak|limit|up to|höchst|obere", re.IGNORECASE)
_LOWER_NAMES = re.compile(r"min(?!ut)|lower|least|lowest|mindest|untere", re.IGNORECASE)


def normalise_number(
    raw: Value,
    printed: str,
    quote: Quoted,
    prop: Property,
    rules: Rules,
    evidence: Evidence,
    context: str,
    currency: str | None,
) -> Normalised | Invalid:
    """See `normalise.normalise`."""
    meant = find_meant(raw, printed, quote, prop, rules, evidence)
    if isinstance(meant, Invalid):
        return meant
    number, stated, unit_reason = in_unit(meant, prop, context, currency)
    if prop.value_type == "i64" and prop.unit is None and (thousands := _only_whole(meant)) is not None:
        number = thousands
    reasons = [reason for reason in (_doubt(meant, raw, prop), unit_reason) if reason]
    if rules.decimal_mark == "auto" and not _within(prop, number):
        fitting = _within_bounds(meant, prop, context, currency)
        if fitting is not None:
            number, stated, reason = fitting
            reasons = [reason] if unit_reason is None else [reason, unit_reason]
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


def _only_whole(meant: Meant) -> Decimal | None:
    """The whole number that ``14.312`` is where one is expected; None: it is whole, or none of its readings is."""
    numbers = meant.quantity.numbers if meant.quantity is not None else ()
    others = next((n.alternatives for n in numbers if n.value == meant.number), ())
    if meant.number == meant.number.to_integral_value():
        return None
    return next((other for other in others if other == other.to_integral_value()), None)


def _within(prop: Property, number: Decimal) -> bool:
    return (prop.minimum is None or number >= prop.minimum) and (prop.maximum is None or number <= prop.maximum)


def _within_bounds(
    meant: Meant, prop: Property, context: str, currency: str | None
) -> tuple[Decimal, str | None, str] | None:
    """The one other reading (``2.010 mm``: 2010) that lies within the property's bounds, where the likelier does not.

    (number in the property's unit, its stated words, why it is not sure).
    """
    numbers = meant.quantity.numbers if meant.quantity is not None else ()
    others = next((n.alternatives for n in numbers if meant.number == n.value), ())
    told = [in_unit(replace(meant, number=other), prop, context, currency) for other in others]
    fitting = [(number, stated) for number, stated, _ in told if _within(prop, number)]
    if len(fitting) != 1:
        return None
    unit = f" {prop.unit}" if prop.unit else ""
    reading, instead = print_number(fitting[0][0]), print_number(meant.number)
    low, high = (None if b is None else print_value(b, "f64") for b in (prop.minimum, prop.maximum))
    if low is None:
        why = f"the number can also be read as {instead}; only {reading}{unit} is at most {high}"
    elif high is None:
        why = f"the number can also be read as {instead}; only {reading}{unit} is at least {low}"
    else:
        why = f"the number can also be read as {instead}; only {reading}{unit} is within {low} to {high}"
    return *fitting[0], why


def _sentence(reason: str) -> str:
    return reason[0].upper() + reason[1:] + ("" if reason.endswith(".") else ".")


def _doubt(meant: Meant, raw: Value, prop: Property) -> str | None:
    """Why the number is not a single sure value: bound, hedge, end of a range, or a second reading."""
    quantity = meant.quantity
    if quantity is None:
        return None
    phrase = " ".join(meant.text[quantity.start : quantity.end].split())
    if quantity.kind == "range":
        return range_words(quantity, meant.text)
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


def _second_reading(meant: Meant, raw: Value) -> str | None:
    if meant.quantity is None:
        return None
    for number in meant.quantity.numbers:
        if number.ambiguous and meant.number in (number.value, *number.alternatives):
            return number.ambiguous
        if meant.number in number.alternatives:
            read = print_number(number.value)
            return f"the reader gave {shorten(str(raw))}, but the quote's number is read as {read} in these texts"
    return None
