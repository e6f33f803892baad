"""Corrected values: what a person types or a program sends, brought into the property's type and unit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from reviewapp.domain.numbers import read_number
from reviewapp.domain.places import Span, cut_out
from reviewapp.domain.properties import Property, Value
from reviewapp.domain.stated import stated_words
from reviewapp.domain.tests import Test
from reviewapp.domain.values import parse_typed, print_value
from reviewapp.errors import InvalidInput


def corrected_value(test: Test, prop: Property, value: Value | None, *, marked: str | None = None) -> Value:
    """The value in the property's type and unit, with all its checks passed.

    Without a unit it counts in the property's; with one (``600 mm``) it is converted exactly. `marked` are the words of
    the text that a person marked: where they are the value as well, it is the one value that they state (``Date:
    03/04/2024``). Raises InvalidInput with one sentence.
    """
    if value is None or (isinstance(value, str) and not value.strip()):
        raise InvalidInput(f"`correct` needs the right value of {prop.name!r}; none was given.", param="value")
    try:
        return _checked(prop, _typed(test, prop, value))
    except InvalidInput:
        stated = _stated(test, prop, value, marked)
        if stated is None:
            raise
    return _checked(prop, _typed(test, prop, stated))


def _typed(test: Test, prop: Property, value: Value) -> Value:
    try:
        return parse_typed(value, prop.value_type, test.settings.rules, test.evidence)
    except InvalidInput as error:
        if not isinstance(value, str) or prop.unit is None:
            raise InvalidInput(error.message, param="value") from None
        return _with_unit(test, prop, value.strip(), error.message)


def _checked(prop: Property, typed: Value) -> Value:
    from reviewapp.extraction.checks import failed_check, option_meant

    detail = failed_check(prop, typed, print_value(typed, prop.value_type))
    if detail is not None:
        raise InvalidInput(detail, param="value")
    return (option_meant(prop, typed) or typed) if prop.options else typed


def _stated(test: Test, prop: Property, value: Value, marked: str | None) -> str | None:
    """What the marked words state, where only they were typed; a number with a unit was read from them already."""
    if not isinstance(value, str) or marked is None or value.split() != marked.split() or prop.unit is not None:
        return None
    stated = stated_words(prop, value, test.settings.rules, test.evidence)
    return None if stated == value.strip() else stated


def _with_unit(test: Test, prop: Property, value: str, otherwise: str) -> Value:
    """The converted number of ``600 mm``; `otherwise` is what is wrong with a value that has no unit."""
    from reviewapp.extraction.normalise import Invalid, normalise

    normal = normalise(value, value, prop, test.settings.rules, test.evidence)
    if not any(c.isdigit() for c in value) or read_number(value, test.settings.rules, test.evidence) is not None:
        raise InvalidInput(otherwise, param="value")
    if isinstance(normal, Invalid):
        raise InvalidInput(normal.detail, param="value")
    if normal.unconfirmed is not None:
        why = normal.unconfirmed.rstrip(".").replace("The text", "it", 1)
        raise InvalidInput(f"{value!r} cannot be taken: {why}. Write one number in {prop.unit}.", param="value")
    return normal.value


def marked_words(text: str, quote: str | None, spans: Sequence[Span]) -> dict[str, Any]:
    """`quote` and `spans` of words that a person marked in the text, as fields of an answer.

    Marks settle the quote; a quote alone is looked up and then written as the text has it. Raises InvalidInput for
    marks beyond the text's end or a quote that is not in it.
    """
    if spans:
        ordered = tuple(sorted(spans, key=lambda s: s.start))
        if ordered[-1].end > len(text):
            raise InvalidInput(
                f"The marked words end at {ordered[-1].end}, but the text has {len(text)} characters; mark them again.",
                param="spans",
            )
        return {"quote": cut_out(text, ordered), "spans": ordered}
    if quote is None or not quote.strip():
        return {}
    from reviewapp.extraction.grounding import locate
    from reviewapp.extraction.prepared import PreparedText

    found = locate(PreparedText(text), quote)
    if found is None:
        raise InvalidInput(f"The text does not hold the quote {quote[:80]!r}; mark the words in it.", param="quote")
    return {"quote": cut_out(text, found.place), "spans": found.place}
