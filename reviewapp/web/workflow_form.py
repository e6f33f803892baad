"""A workflow as a form: a row per property, empty rows passed over."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, get_args

from pydantic import ValidationError
from werkzeug.datastructures import MultiDict

from reviewapp.domain.properties import VALUE_TYPES, Property
from reviewapp.domain.values import print_number
from reviewapp.domain.workflows import (
    DEFAULT_GATE,
    ExtractorChoice,
    ModelExtractor,
    Rules,
    RulesExtractor,
    WorkflowDefinition,
    WorkflowSettings,
)
from reviewapp.errors import InvalidInput
from reviewapp.languages import gettext
from reviewapp.web.forms import first_fault, is_slug, whole_number

UNNAMED = "unnamed"
"""What is tried before it has a name is called so."""
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
    reader: str = "rules"
    """Kind of what reads."""
    context: str = ""
    gate: str = f"{DEFAULT_GATE:g}"
    decimal_mark: str = "auto"
    date_order: str = "auto"
    two_digit_years: str = "69"
    note: str = ""
    text: str = ""
    """A text to try it on."""
    record: str = ""
    """IRI of a record to try it on."""
    rows: Sequence[Row] = ()

    @classmethod
    def of(cls, form: MultiDict[str, str]) -> WorkflowForm:
        """What was sent; ``op=drop-2`` takes a row out, ``op=up-2`` moves it up (the first row is 0)."""
        plain = {name: form.get(name, default) for name, default in _PLAIN.items()}
        columns = [form.getlist(f"p-{column}") for column in COLUMNS]
        rows = [dict(zip(COLUMNS, cells, strict=True)) for cells in zip(*columns, strict=False)]
        _rearrange(rows, form.get("op", ""))
        return cls(**plain, rows=[row for row in rows if row["name"].strip()])

    @classmethod
    def from_settings(cls, name: str, settings: WorkflowSettings) -> WorkflowForm:
        rules = settings.rules
        return cls(
            name=name,
            collection=settings.collection,
            reader=settings.extractor.kind,
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

    def checks_of(self, row: Row) -> str:
        """The checks of a row in short: ``white; black``, ``20 – 1000``, a pattern, how many characters."""
        bounds, length = (row["minimum"], row["maximum"]), (row["min_length"], row["max_length"])
        pieces = [row["options"], " – ".join(bounds) if any(bounds) else "", row["pattern"]]
        if any(length):
            pieces.append(gettext("%(how_many)s characters", how_many=" – ".join(length)))
        return " · ".join(piece for piece in pieces if piece)

    def faults(self) -> dict[str, str]:
        """Everything that has to be mended, one sentence each, by field or ``row-2``."""
        found: dict[str, str] = {}
        if not is_slug(self.name.strip()):
            found["name"] = f"{self.name.strip()!r} is no workflow name; use small letters, digits and dashes."
        if not is_slug(self.collection.strip()):
            found["collection"] = "Choose the collection that it reads."
        if not self.rows:
            found["properties"] = "Name at least one property to read."
        names: set[str] = set()
        for number, row in enumerate(self.rows):
            try:
                name = _property(number, row).name
            except InvalidInput as error:
                found[f"row-{number}"] = error.message
                continue
            if name in names:
                found[f"row-{number}"] = f"{name!r} is there twice; name each property once."
            names.add(name)
        return found

    def for_trying(self) -> WorkflowForm:
        """The same with a name and a collection: to be tried on a text it needs neither."""
        name, collection = (word if is_slug(word.strip()) else UNNAMED for word in (self.name, self.collection))
        return replace(self, name=name, collection=collection)

    def definition(self, extractor: ExtractorChoice | None = None) -> WorkflowDefinition:
        """The workflow it describes. `extractor`: what has read so far; it stays where the form names its kind.

        Raises InvalidInput with one sentence; `param` is a field or ``row-2``.
        """
        for param, sentence in self.faults().items():
            raise InvalidInput(sentence, param=param)
        try:
            return WorkflowDefinition(
                name=self.name.strip(),
                collection=self.collection.strip(),
                properties=tuple(_property(number, row) for number, row in enumerate(self.rows)),
                context=self.context.replace("\r\n", "\n"),
                gate=DEFAULT_GATE if not self.gate.strip() else _number(self.gate, "gate"),
                rules=Rules.model_validate(
                    {
                        "decimal_mark": self.decimal_mark,
                        "date_order": self.date_order,
                        "two_digit_years": _whole(self.two_digit_years, "two_digit_years"),
                    }
                ),
                extractor=self._extractor(extractor),
            )
        except ValidationError as error:
            field, sentence = first_fault(error)
            raise InvalidInput(sentence, param=field) from None

    def _extractor(self, before: ExtractorChoice | None) -> ExtractorChoice:
        if before is not None and before.kind == self.reader:
            return before
        return ModelExtractor() if self.reader == "model" else RulesExtractor()


_PLAIN = {
    field: getattr(WorkflowForm, field)
    for field in (
        "name", "collection", "reader", "context", "gate", "decimal_mark", "date_order", "two_digit_years", "note",
        "text", "record",
    )
}  # fmt: skip


def _rearrange(rows: list[Row], op: str) -> None:
    act, _, at = op.partition("-")
    number = whole_number(at)
    if number is None or number >= len(rows) or act not in ("drop", "up"):
        return
    row = rows.pop(number)
    if act == "up":
        above = [at for at in range(number) if rows[at]["name"].strip()]
        rows.insert(above[-1] if above else 0, row)


def row_from(prop: Property) -> Row:
    """A property as a row."""

    def printed(value: Any) -> str:
        if value is None:
            return ""
        if isinstance(value, tuple):
            return _listed(value)
        return print_number(value) if isinstance(value, float) else str(value)

    return {column: printed(getattr(prop, column)) for column in COLUMNS}


def _listed(entries: Sequence[str]) -> str:
    """``a; b``; one that holds a comma itself ends with a semicolon, so that it is not parted there."""
    return "; ".join(entries) + (";" if len(entries) == 1 and "," in entries[0] else "")


def _entries(typed: str) -> list[str]:
    """What semicolons part, or commas where there is no semicolon."""
    mark = ";" if ";" in typed else ","
    return [entry.strip() for entry in typed.split(mark) if entry.strip()]


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
                "aliases": _entries(row["aliases"]),
                "options": _entries(row["options"]),
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
    if (number := whole_number(typed)) is None:
        raise InvalidInput(f"{typed.strip()!r} is no whole number.", param=place)
    return number
