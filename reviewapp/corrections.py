"""Corrected values: what a person types or a program sends, brought into the property's type and unit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from reviewapp.domain.places import Span
from reviewapp.domain.properties import Property, Value
from reviewapp.domain.tests import Test
from reviewapp.domain.values import parse_typed, print_value
from reviewapp.errors import InvalidInput


def corrected_value(test: Test, prop: Property, value: Value | None) -> Value:
    """The value in the property's type and unit, with all its checks passed.

    Without a unit it counts in the property's; with one (``600 mm``) it is converted exactly. Raises InvalidInput
    with one sentence.
    """
    if value is None or (isinstance(value, str) and not value.strip()):
        raise InvalidInput(f"`correct` needs the right value of {prop.name!r}; none was given.", param="value")
    try:
        typed = parse_typed(value, prop.value_type, test.settings.rules, test.evidence)
    except InvalidInput as error:
        converted = _with_unit(test, prop, value) if prop.value_type in ("i64", "f64") else None
        if converted is None:
            raise InvalidInput(error.message, param="value") from None
        typed = converted
    from reviewapp.extraction.checks import failed_check, option_meant

    detail = failed_check(prop, typed, print_value(typed, prop.value_type))
    if detail is not None:
        raise InvalidInput(detail, param="value")
    return (option_meant(prop, typed) or typed) if prop.options else typed


def _with_unit(test: Test, prop: Property, value: Value) -> Value | None:
    """The converted number of ``600 mm``; None where no number with a unit of the property's kind is all there is."""
    from reviewapp.extraction.normalise import Normalised, normalise

    if not isinstance(value, str):
        return None
    normal = normalise(value.strip(), value.strip(), prop, test.settings.rules, test.evidence)
    return normal.value if isinstance(normal, Normalised) and normal.unconfirmed is None else None


def marked_words(text: str, quote: str | None, spans: Sequence[Span]) -> dict[str, Any]:
    """`quote` and `spans` of words that a person marked in the text, as fields of an answer.

    Marks settle the quote; a quote alone is looked up. Raises InvalidInput for marks beyond the text's end or a quote
    that is not in it.
    """
    if spans:
        ordered = tuple(sorted(spans, key=lambda s: s.start))
        if ordered[-1].end > len(text):
            raise InvalidInput(
                f"The marked words end at {ordered[-1].end}, but the text has {len(text)} characters; mark them again.",
                param="spans",
            )
        return {"quote": " … ".join(s.cut(text) for s in ordered), "spans": ordered}
    if quote is None or not quote.strip():
        return {}
    from reviewapp.extraction.grounding import locate
    from reviewapp.extraction.prepared import PreparedText

    found = locate(PreparedText(text), quote)
    if found is None:
        raise InvalidInput(f"The text does not hold the quote {quote[:80]!r}; mark the words in it.", param="quote")
    return {"quote": quote, "spans": found.place}
