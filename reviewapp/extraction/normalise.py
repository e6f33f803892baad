"""From what was read to the property's type and unit, with everything that keeps it from being sure said in words."""

from __future__ import annotations

from datetime import date

from reviewapp.domain.booleans import is_no_answer, read_bool
from reviewapp.domain.date_readings import DateReading
from reviewapp.domain.dates import find_dates, read_date
from reviewapp.domain.properties import Property, Value
from reviewapp.domain.values import EXAMPLES, parse_typed, print_value, shorten
from reviewapp.domain.workflows import Evidence, Rules
from reviewapp.errors import InvalidInput
from reviewapp.extraction.meant import quoted
from reviewapp.extraction.measures import normalise_number
from reviewapp.extraction.normal_form import Invalid, Normalised

__all__ = ["Invalid", "Normalised", "normalise"]


def normalise(
    raw: Value,
    quote: str,
    prop: Property,
    rules: Rules,
    evidence: Evidence,
    context: str | None = None,
    *,
    before: str = "",
    after: str = "",
    currency: str | None = None,
) -> Normalised | Invalid:
    """The typed value of a reading, in the property's unit.

    `raw` is what the reader gave (``"600 mm"``, ``600``, ``"ja"``), `quote` the words of the text that state it; unit,
    bounds and hedges count from both. `before` and `after` are the words directly beside the quote: a currency, a unit
    or "up to" that stands there belongs to the number as well. `context` is more of the text around it (column heads,
    the rest of the line): units in headings (``Weight (kg)``) and words such as "temperature rise" count from it too.
    `currency` is the only one that the whole text names (`units.sole_currency`): the unit of amounts that state none.
    `evidence` settles ambiguous writings where the rules do not: what the text says about itself, then its collection
    (`evidence.evidence_for`).
    """
    printed = raw.strip() if isinstance(raw, str) else print_value(raw, "f64")
    match prop.value_type:
        case "text" | "keyword":
            return Normalised(printed, printed) if printed else Invalid("The value is empty; a text is expected.", "")
        case "bool":
            return _bool(raw, printed, quote)
        case "date":
            return _date(raw, printed, quote, rules, evidence)
        case _:
            place = quoted(quote, before, after, rules, evidence)
            return normalise_number(raw, printed, place, prop, rules, evidence, context or "", currency)


def _bool(raw: Value, printed: str, quote: str) -> Normalised | Invalid:
    try:
        value = parse_typed(raw, "bool", Rules(), Evidence())
    except InvalidInput as error:
        return Invalid(error.message, printed)
    said = read_bool(quote)
    if is_no_answer(quote):
        words = f"The text says {shorten(quote)}, which is neither yes nor no."
        return Normalised(value, print_value(value, "bool"), unconfirmed=words)
    if said is not None and said != value:
        words = f"The text says {shorten(quote)}, the reader {print_value(value, 'bool')}."
        return Normalised(value, print_value(value, "bool"), unconfirmed=words)
    return Normalised(value, print_value(value, "bool"))


def _date(raw: Value, printed: str, quote: str, rules: Rules, evidence: Evidence) -> Normalised | Invalid:
    if not isinstance(raw, str):
        return Invalid(f"{printed!r} is not a date; {EXAMPLES['date']} is expected.", printed)
    reading = _only_date(printed, rules, evidence)
    if isinstance(reading, str):
        return Invalid(reading, printed)
    if reading.impossible:
        return Invalid(f"{reading.impossible}; {EXAMPLES['date']} is expected.", printed)
    if reading.value is None:
        missing = f"{shorten(printed)} is not a full date ({reading.incomplete})"
        return Invalid(f"{missing}; day, month and year are expected.", printed)
    stated = find_dates(quote, rules, evidence)
    value, unconfirmed, in_quote = _agreed(reading, stated)
    return Normalised(value.isoformat(), value.isoformat(), unconfirmed=unconfirmed, in_quote=in_quote)


def _only_date(text: str, rules: Rules, evidence: Evidence) -> DateReading | str:
    """The date of the text, or why there is not exactly one."""
    whole = read_date(text, rules, evidence)
    if whole is not None:
        return whole
    found = find_dates(text, rules, evidence)
    if not found:
        return f"{shorten(text)} is not a date; {EXAMPLES['date']} is expected."
    if len({(f.value, f.incomplete) for f in found}) > 1:
        return f"{shorten(text)} holds {len(found)} dates; one date is expected."
    return found[0]


def _agreed(reading: DateReading, stated: list[DateReading]) -> tuple[date, str | None, bool]:
    """(day, why unconfirmed, whether the quote states it) from the reader's date and the dates of its quote."""
    value = reading.value
    if value is None:
        raise ValueError("an incomplete date agrees with nothing")
    same = [s for s in stated if s.value == value]
    if same:
        return value, same[0].ambiguous or None, True
    for other in stated:
        if value in other.alternatives and other.value is not None:
            words = f"The reader gave {value}, but the quote's date is read as {other.value} in these texts."
            return value, other.ambiguous or words, True
    return value, reading.ambiguous, False
