"""An item of a dataset as its form shows and sends it."""

from __future__ import annotations

from dataclasses import dataclass

from werkzeug.datastructures import MultiDict

from reviewapp.domain.base import NAME_LIMIT
from reviewapp.domain.datasets import Dataset, Expected, Item
from reviewapp.domain.places import Span
from reviewapp.domain.properties import ValueType
from reviewapp.domain.texts import clean_text, refused_character
from reviewapp.domain.values import parse_typed, print_value
from reviewapp.domain.workflows import Evidence, Rules
from reviewapp.errors import InvalidInput

EMPTY_ROWS = 3
"""Rows offered for more values; saving offers as many again."""


@dataclass(frozen=True)
class Row:
    """One value, as typed."""

    kind: str = "value"
    """``value``: a correct run writes it; ``leave_out``: it must not; ``none``: it writes no value at all."""
    property: str = ""
    value: str = ""
    quote: str = ""
    reason: str = ""


@dataclass(frozen=True)
class ItemForm:
    name: str = ""
    text: str = ""
    rows: tuple[Row, ...] = ()

    @classmethod
    def of(cls, form: MultiDict[str, str]) -> ItemForm:
        columns = [form.getlist(name) for name in ("kind", "property", "value", "quote", "reason")]
        rows = tuple(Row(*(cell.strip() for cell in cells)) for cells in zip(*columns, strict=False))
        return cls(form.get("name", "").strip(), form.get("text", ""), rows)

    @classmethod
    def from_item(cls, item: Item, dataset: Dataset) -> ItemForm:
        rows = [_row("value", e, dataset) for e in item.values]
        rows += [_row("none" if e.value is None else "leave_out", e, dataset) for e in item.leave_out]
        return cls(item.name, item.text, tuple(rows))

    @property
    def shown(self) -> tuple[Row, ...]:
        """The rows that say something, and empty ones to fill."""
        return (*(row for row in self.rows if row.property), *(Row(),) * EMPTY_ROWS)

    def item(self, dataset: Dataset, before: Item | None) -> Item:
        """What the form says; what it does not show is kept from `before`. Raises InvalidInput."""
        text = clean_text(self.text).text
        for field, words in (("name", self.name), ("text", text)):
            if not words.strip():
                raise InvalidInput(f"An item needs a {field}.", param=field)
            if refused := refused_character(words):
                raise InvalidInput(
                    f"The {field} holds {refused[1]} at position {refused[0]}; take it out.", param=field
                )
        if len(self.name) > NAME_LIMIT:
            raise InvalidInput(
                f"A name has at most {NAME_LIMIT} characters; this one has {len(self.name)}.", param="name"
            )
        same_text = before is not None and before.text == text
        kept = {} if before is None or not same_text else _by_row(before, dataset)
        rows = [row for row in self.rows if row.property]
        expected = [(row.kind, kept.get(row) or _expected(row, text, dataset)) for row in rows]
        values = tuple(e for kind, e in expected if kind == "value")
        left_out = tuple(e for kind, e in expected if kind != "value")
        if before is None:
            return Item(name=self.name, text=text, values=values, leave_out=left_out)
        return before.model_copy(update={"text": text, "values": values, "leave_out": left_out})


def _type(property: str, dataset: Dataset) -> ValueType:
    return dataset.install.properties.get(property, "text")


def _row(kind: str, expected: Expected, dataset: Dataset) -> Row:
    value = "" if expected.value is None else print_value(expected.value, _type(expected.property, dataset))
    return Row(kind, expected.property, value, expected.quote or "", expected.reason or "")


def _by_row(item: Item, dataset: Dataset) -> dict[Row, Expected]:
    """What the item has by the row that shows it: a row that comes back unchanged stays as it was, spans and all."""
    form = ItemForm.from_item(item, dataset)
    return dict(zip(form.rows, (*item.values, *item.leave_out), strict=True))


def _expected(row: Row, text: str, dataset: Dataset) -> Expected:
    at = text.find(row.quote) if row.quote else -1
    if row.quote and at < 0:
        raise InvalidInput(
            f"The quote {row.quote!r} of {row.property} is not in the text, letter for letter.", param="rows"
        )
    value = None
    if row.kind != "none":
        if not row.value:
            raise InvalidInput(f"{row.property} has no value; type it, or choose that there is none.", param="rows")
        try:
            value = parse_typed(row.value, _type(row.property, dataset), Rules(), Evidence())
        except InvalidInput as error:
            raise InvalidInput(f"{row.property}: {error.message}", param="rows") from None
    return Expected(
        property=row.property,
        value=value,
        quote=row.quote or None,
        spans=(Span(start=at, end=at + len(row.quote)),) if row.quote else (),
        reason=row.reason or None,
    )
