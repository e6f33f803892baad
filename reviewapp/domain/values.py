"""Typed values: read from what a person types or a program sends, printed, compared."""

from __future__ import annotations

import math
import re
import unicodedata
from datetime import date
from decimal import Decimal

from reviewapp.domain.booleans import read_bool
from reviewapp.domain.date_readings import DateReading
from reviewapp.domain.dates import read_date
from reviewapp.domain.numbers import NumberReading, read_number
from reviewapp.domain.properties import Value, ValueType
from reviewapp.domain.texts import clean_text, refused_character
from reviewapp.domain.workflows import Evidence, Rules
from reviewapp.errors import InvalidInput

I64_MIN, I64_MAX = -(2**63), 2**63 - 1
RELATIVE_TOLERANCE = 1e-9
"""Numbers nearer to each other than this are equal."""
SHOWN_CHARACTERS = 60
_ISO_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
"""The one form in which days are printed; any year that has four digits."""

TYPE_WORDS: dict[ValueType, str] = {
    "text": "a text",
    "keyword": "a keyword",
    "i64": "a whole number",
    "f64": "a number",
    "bool": "yes or no",
    "date": "a date",
}
"""The types in words, for messages."""

EXAMPLES: dict[ValueType, str] = {
    "text": "a text",
    "keyword": "a keyword",
    "i64": "a whole number such as 12",
    "f64": "a number such as 12.5",
    "bool": "yes or no",
    "date": "a date such as 2024-03-31",
}
"""What is expected, for messages."""


def print_value(value: Value, value_type: ValueType) -> str:
    """The value as people and files read it: ``60`` for 60.0, ``true``, ISO dates, texts as they are."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if value_type == "f64" and isinstance(value, float):
        return print_number(value)
    return str(value)


def print_number(number: float | Decimal) -> str:
    """The shortest digits that read back as the same number, without ``.0`` and without an exponent below 1e16."""
    if isinstance(number, Decimal):
        number = int(number) if number == number.to_integral_value() and abs(number) < 10**30 else float(number)
    if isinstance(number, int) or (number.is_integer() and abs(number) < 1e16):
        return str(int(number))
    mantissa, _, exponent = repr(number).partition("e")
    if not exponent:
        return mantissa
    power = int(exponent)
    if -8 <= power < 0:
        return format(Decimal(repr(number)), "f")
    return f"{mantissa}e{power}"


def parse_typed(raw: Value, value_type: ValueType, rules: Rules, evidence: Evidence) -> Value:
    """The typed value of what a person typed or a program sent (no unit).

    Raises InvalidInput with one sentence where it does not fit the type, or where it can be read in two ways and
    neither the rules nor the evidence settle which.
    """
    if value_type in ("text", "keyword"):
        return _parse_text(raw if isinstance(raw, str) else print_value(raw, "f64"), value_type)
    if value_type == "bool":
        return _parse_bool(raw)
    if value_type == "date":
        return _parse_date(raw, rules, evidence)
    return _parse_number(raw, value_type, rules, evidence)


def values_equal(a: Value | None, b: Value | None, value_type: ValueType) -> bool:
    """Whether two values say the same: numbers as numbers, texts without regard to case, white space and whether an
    accent is a character of its own."""
    if a is None or b is None:
        return a is b
    if value_type in ("i64", "f64") and not isinstance(a, str) and not isinstance(b, str):
        if isinstance(a, int) and isinstance(b, int):
            return a == b
        return math.isclose(a, b, rel_tol=RELATIVE_TOLERANCE)
    if value_type == "bool" and isinstance(a, bool | int) and isinstance(b, bool | int):
        return bool(a) == bool(b)
    return _compared(str(a)) == _compared(str(b))


def _compared(text: str) -> str:
    return unicodedata.normalize("NFC", unicodedata.normalize("NFD", " ".join(text.split())).casefold())


def whole(number: Decimal, shown: str) -> int:
    """The exact integer. Raises InvalidInput where it is none, or none of 64 bits."""
    if not number.is_finite():
        raise _misfit(shown, "i64")
    if not I64_MIN <= number <= I64_MAX:
        raise InvalidInput(f"{shorten(shown)} is too large for a whole number; at most {I64_MAX} is possible.")
    if number != number.to_integral_value():
        raise InvalidInput(f"{shorten(shown)} is not a whole number; a whole number is expected.")
    return int(number)


def finite(number: Decimal, shown: str) -> float:
    """The nearest float, 0 for -0. Raises InvalidInput for what no float holds."""
    value = float(number) if number.is_finite() else math.inf
    if not math.isfinite(value):
        raise InvalidInput(f"{shorten(shown)} is not a finite number; a number up to 1.7e308 is expected.")
    if value == 0 and number:
        raise InvalidInput(f"{shorten(shown)} is too close to 0 to be kept; a number from 5e-324 is expected.")
    return value or 0.0


def _parse_number(raw: Value, value_type: ValueType, rules: Rules, evidence: Evidence) -> Value:
    if isinstance(raw, bool):
        raise _misfit("true" if raw else "false", value_type)
    if isinstance(raw, str):
        shown = raw.strip()
        reading = _only_number(shown, value_type, rules, evidence)
        number = reading.value
    else:
        shown = str(raw)
        number = Decimal(shown) if isinstance(raw, float) else Decimal(raw)
    return whole(number, shown) if value_type == "i64" else finite(number, shown)


def _only_number(text: str, value_type: ValueType, rules: Rules, evidence: Evidence) -> NumberReading:
    reading = read_number(text, rules, evidence)
    if reading is None:
        if text.casefold().lstrip("+-") in ("inf", "infinity", "nan", "∞"):
            raise InvalidInput(f"{text!r} is not a finite number; {EXAMPLES[value_type]} is expected.")
        raise _misfit(text, value_type)
    if reading.ambiguous:
        raise InvalidInput(
            f"{reading.ambiguous}; write it without thousands separators, or with one more decimal, "
            "or set the workflow's decimal mark."
        )
    return reading


def _parse_text(raw: str, value_type: ValueType) -> str:
    """In the form that texts are kept in, since it is looked for in them; white space around it is left out."""
    refused = refused_character(raw)
    if refused is not None:
        position, character = refused
        raise InvalidInput(f"The value holds {character} at character {position + 1}; take it out.")
    text = clean_text(raw).text.strip()
    if all(unicodedata.category(character)[0] in "CZ" for character in text):
        raise InvalidInput(f"The value is empty; {TYPE_WORDS[value_type]} is expected.")
    return text


def _parse_bool(raw: Value) -> bool:
    if isinstance(raw, bool):
        return raw
    read = read_bool(str(raw) if not isinstance(raw, float) else print_number(raw))
    if read is None:
        raise _misfit(str(raw), "bool")
    return read


def _parse_date(raw: Value, rules: Rules, evidence: Evidence) -> str:
    text = str(raw).strip()
    if _ISO_DAY.fullmatch(text) and _is_day(text):
        return text
    reading: DateReading | None = read_date(text, rules, evidence)
    if reading is None or isinstance(raw, bool):
        raise InvalidInput(f"{shorten(text)} is not a date; a date such as 2024-03-31 is expected.")
    if reading.impossible:
        raise InvalidInput(f"{reading.impossible}; a date such as 2024-03-31 is expected.")
    if reading.value is None:
        raise InvalidInput(f"{shorten(text)} is not a full date ({reading.incomplete}); write it as 2024-03-31.")
    if reading.ambiguous:
        ways = " or ".join(d.isoformat() for d in (reading.value, *reading.alternatives))
        if not reading.alternatives:
            raise InvalidInput(f"{reading.ambiguous}; write {ways}.")
        raise InvalidInput(f"{reading.ambiguous}; write {ways}, or set the workflow's date order.")
    return reading.value.isoformat()


def _is_day(iso: str) -> bool:
    try:
        date.fromisoformat(iso)
    except ValueError:
        return False
    return True


def _misfit(found: str, value_type: ValueType) -> InvalidInput:
    return InvalidInput(f"{shorten(found)} is not {TYPE_WORDS[value_type]}; {EXAMPLES[value_type]} is expected.")


def shorten(found: str) -> str:
    """Quoted for a message, cut where it is long."""
    return repr(found if len(found) <= SHOWN_CHARACTERS else found[: SHOWN_CHARACTERS - 1] + "…")
