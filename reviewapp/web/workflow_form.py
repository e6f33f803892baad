"""A workflow as a form: a row per property, empty rows passed over."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, get_args

from pydantic import ValidationError
from werkzeug.datastructures import MultiDict

from reviewapp.domain.properties import VALUE_TYPES, Property
from reviewapp.domain.workflows import (
    DEFAULT_GATE,
    ExtractorChoice,
    Rules,
    RulesExtractor,
    WorkflowDefinition,
    WorkflowSettings,
)
from reviewapp.errors import InvalidInput
from reviewapp.web.forms import first_fault, is_slug, split_list

EMPTY_ROWS = 3
"""Rows to fill in below those that are there."""
COLUMNS = (
    "name", "value_type", "unit", "aliases", "options", "description", "minimum", "maximum", "pattern", "min_length",
    "max_length",
)  # fmt: skip
"""The fields of a row, each sent as ``p-`` + its name."""
MARKS = get_args(Rules.model_fields["decimal_mark"].annotation)
ORDERS = get_args(Rules.model_fields["date_order"].annotation)

Row = dict[str, str]


@dataclass
class WorkflowForm:
    """What stands in the form, as typed."""

    name: str = ""
    collection: str = ""
    context: str = ""
    gate: str = f"{DEFAULT_GATE:g}"
    decimal_mark: str = "auto"
    date_order: str = "auto"
    two_digit_years: str = "69"
    note: str = ""
    text: str = ""
    """A text to try it on."""
    rows: Sequence[Row] = ()

    @classmethod
    def of(cls, form: MultiDict[str, str]) -> WorkflowForm:
        plain = {name: form.get(name, default) for name, default in _PLAIN.items()}
        columns = [form.getlist(f"p-{column}") for column in COLUMNS]
        rows = [dict(zip(COLUMNS, cells, strict=True)) for cells in zip(*columns, strict=False)]
        return cls(**plain, rows=[row for row in rows if row["name"].strip()])

    @classmethod
    def from_settings(cls, name: str, settings: WorkflowSettings) -> WorkflowForm:
        rules = settings.rules
        return cls(
            name=name,
            collection=settings.collection,
            context=settings.context,
            gate=f"{settings.gate:g}",
            decimal_mark=rules.decimal_mark,
            date_order=rules.date_order,
            two_digit_years=str(rules.two_digit_years),
            rows=[row_from(prop) for prop in settings.properties],
        )

    @classmethod
    def for_collection(cls, name: str, properties: Sequence[Property]) -> WorkflowForm:
        return cls(collection=name, rows=[row_from(prop) for prop in properties])

    @property
    def shown_rows(self) -> list[Row]:
        """The rows and some empty ones."""
        empty = dict.fromkeys(COLUMNS, "") | {"value_type": "text"}
        return [*self.rows, *(dict(empty) for _ in range(EMPTY_ROWS))]

    def definition(self, extractor: ExtractorChoice | None = None) -> WorkflowDefinition:
        """The workflow it describes. Raises InvalidInput with one sentence; `param` is a field or ``row-2``."""
        if not is_slug(self.name.strip()):
            raise InvalidInput(
                f"{self.name.strip()!r} is no workflow name; use small letters, digits and dashes.", param="name"
            )
        if not is_slug(self.collection.strip()):
            raise InvalidInput("Choose the collection that it reads.", param="collection")
        properties = tuple(_property(number, row) for number, row in enumerate(self.rows))
        if not properties:
            raise InvalidInput("Name at least one property to read.", param="properties")
        names = [prop.name for prop in properties]
        for number, name in enumerate(names):
            if name in names[:number]:
                raise InvalidInput(f"{name!r} is there twice; name each property once.", param=f"row-{number}")
        try:
            return WorkflowDefinition(
                name=self.name.strip(),
                collection=self.collection.strip(),
                properties=properties,
                context=self.context.replace("\r\n", "\n"),
                gate=_number(self.gate, "gate") or DEFAULT_GATE,
                rules=Rules.model_validate(
                    {
                        "decimal_mark": self.decimal_mark,
                        "date_order": self.date_order,
                        "two_digit_years": _whole(self.two_digit_years, "two_digit_years"),
                    }
                ),
                extractor=extractor or RulesExtractor(),
            )
        except ValidationError as error:
            field, sentence = first_fault(error)
            raise InvalidInput(sentence, param=field) from None


_PLAIN = {
    field: getattr(WorkflowForm, field)
    for field in (
        "name", "collection", "context", "gate", "decimal_mark", "date_order", "two_digit_years", "note", "text"
    )
}  # fmt: skip


def row_from(prop: Property) -> Row:
    """A property as a row."""

    def printed(value: Any) -> str:
        if value is None:
            return ""
        return (
            "; ".join(value) if isinstance(value, tuple) else f"{value:g}" if isinstance(value, float) else str(value)
        )

    return {column: printed(getattr(prop, column)) for column in COLUMNS}


def _property(number: int, row: Row) -> Property:
    place = f"row-{number}"
    try:
        if row["value_type"] not in VALUE_TYPES:
            raise InvalidInput(f"{row['value_type']!r} is no type; choose one.", param=place)
        return Property.model_validate(
            {
                "name": row["name"],
                "value_type": row["value_type"],
                "unit": row["unit"].strip() or None,
                "aliases": split_list(row["aliases"]),
                "options": split_list(row["options"]),
                "description": row["description"].strip(),
                "minimum": _number(row["minimum"], place),
                "maximum": _number(row["maximum"], place),
                "pattern": row["pattern"] or None,
                "min_length": _whole(row["min_length"], place),
                "max_length": _whole(row["max_length"], place),
            }
        )
    except ValidationError as error:
        field, sentence = first_fault(error)
        raise InvalidInput(
            f"{field.replace('_', ' ').capitalize()}: {sentence}" if field else sentence, param=place
        ) from None


def _number(typed: str, place: str) -> float | None:
    if not typed.strip():
        return None
    try:
        return float(typed.strip().replace(",", "."))
    except ValueError:
        raise InvalidInput(f"{typed.strip()!r} is no number.", param=place) from None


def _whole(typed: str, place: str) -> int | None:
    if not typed.strip():
        return None
    if not typed.strip().isdecimal():
        raise InvalidInput(f"{typed.strip()!r} is no whole number.", param=place)
    return int(typed)
