"""What no shape says of an item that a file holds: values fit the types of their properties, quotes stand where their
spans say."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date

from reviewapp.domain.datasets import Expected, Item
from reviewapp.domain.misfits import shown
from reviewapp.domain.places import Span
from reviewapp.domain.properties import Value, ValueType
from reviewapp.domain.values import EXAMPLES, I64_MAX, I64_MIN


def odd_about(item: Item, types: Mapping[str, ValueType]) -> Iterator[str]:
    """Sentences without their place: ``values.1.value found 'x', expected a whole number such as 12``.

    Values that are left out may be of any type: what a check dropped is kept as it was found.
    """
    if item.refused is not None:
        yield item.refused
    for number, expected in enumerate(item.values, start=1):
        kind = types.get(expected.property)
        if expected.value is None:
            yield f"values.{number}.value found nothing; only values that are left out can be nothing"
        elif kind is not None and not _fits(expected.value, kind):
            yield f"values.{number}.value found {shown(expected.value)}, expected {EXAMPLES[kind]} ({kind})"


def _fits(value: Value, kind: ValueType) -> bool:
    match kind:
        case "i64":
            return _is_number(value) and value == int(value) and I64_MIN <= int(value) <= I64_MAX
        case "f64":
            return _is_number(value)
        case "bool":
            return isinstance(value, bool)
        case "date":
            return isinstance(value, str) and _is_date(value)
        case _:
            return isinstance(value, str)


def _is_number(value: Value) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_date(text: str) -> bool:
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def with_true_places(item: Item) -> tuple[Item, int]:
    """The item, every span of which is in the text and holds its quote, and how many values had others.

    A text that was edited or cut by another program moves its quotes. One that stands in the text once is placed
    there; another keeps its words and loses its place.
    """
    moved = 0
    sides: dict[str, tuple[Expected, ...]] = {}
    for side in ("values", "leave_out"):
        placed = tuple(_placed(expected, item.text) for expected in getattr(item, side))
        moved += sum(a is not b for a, b in zip(placed, getattr(item, side), strict=True))
        sides[side] = placed
    return (item.model_copy(update=sides), moved) if moved else (item, 0)


def _placed(expected: Expected, text: str) -> Expected:
    spans, quote = expected.spans, expected.quote
    within = all(span.end <= len(text) for span in spans)
    if not spans or (within and (len(spans) > 1 or quote is None or spans[0].cut(text) == quote)):
        return expected
    once = quote is not None and len(spans) == 1 and text.count(quote) == 1
    start = text.find(quote) if once and quote else -1
    found = (Span(start=start, end=start + len(quote or "")),) if start >= 0 else ()
    return expected.model_copy(update={"spans": found})
