"""Items as rows of a sheet (CSV, XLSX): a row per expected value, the item's own columns in its first row only.

`side` says what the row is: `writes` (a correct run writes the value) or `leaves out` (it must not; kind `none`: no
value at all); empty for an item without any. `kind` is what the value is (text, whole, number, yes/no, none), so
``02138`` stays a text and 12.0 a number. `spans` are ``14-20; 31-35`` (code points, end exclusive), `accept` is a JSON
list. An empty cell is none.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

from reviewapp.domain.datasets import Expected, Install, Item
from reviewapp.domain.values import shorten
from reviewapp.errors import Fault, ImportFaults
from reviewapp.formats.datasets.form import Imported
from reviewapp.formats.datasets.jsonl import collect
from reviewapp.formats.strict_json import JsonFault, loads

COLUMNS = (
    "item", "side", "property", "value", "kind", "type", "unit", "quote", "stated", "spans", "accept", "reason",
    "case", "iri", "source_kind", "source", "text",
)  # fmt: skip
SIDES = {"writes": "values", "leaves out": "leave_out"}
NUMBERS = ("whole", "number")
"""Kinds whose values are numbers."""
KINDS = {
    "text": "a text",
    "whole": "a whole number such as 12",
    "number": "a number such as 12.5",
    "yes/no": "true or false",
    "none": "nothing",
}
"""What their values are in words, for messages."""
_YES_NO = {"true": True, "false": False}
_DIGITS = "[0-9]{1,400}"
_WHOLE = re.compile(rf"[-+]?{_DIGITS}(\.0+)?")
_NUMBER = re.compile(rf"[-+]?({_DIGITS}[.,]?|[.,](?=[0-9]))([0-9]{{0,1100}})([eE][-+]?[0-9]{{1,4}})?")
_SPAN = re.compile(r"([0-9]{1,9})-([0-9]{1,9})")
_ITEM_COLUMNS = ("case", "iri", "text")

Row = dict[str, str]


def rows_of(item: Item, install: Install) -> Iterator[Row]:
    """The rows of an item."""
    own: Row = {"case": item.case or "", "iri": item.iri or "", "text": item.text}
    if item.source is not None:
        own |= {"source_kind": item.source.kind, "source": item.source.id or ""}
    sides = [(words, e) for words, name in SIDES.items() for e in getattr(item, name)]
    if not sides:
        yield {"item": item.name, **own}
    for words, expected in sides:
        yield {"item": item.name, "side": words, **_expected_row(expected, install), **own}
        own = {}


def _expected_row(expected: Expected, install: Install) -> Row:
    value, kind = _printed(expected.value)
    return {
        "property": expected.property,
        "value": value,
        "kind": kind,
        "type": install.properties.get(expected.property, ""),
        "unit": install.units.get(expected.property, ""),
        "quote": expected.quote or "",
        "stated": expected.stated or "",
        "spans": "; ".join(f"{span.start}-{span.end}" for span in expected.spans),
        "accept": "" if expected.accept is None else json.dumps(list(expected.accept), ensure_ascii=False),
        "reason": expected.reason or "",
    }


def _printed(value: Any) -> tuple[str, str]:
    """(cell, kind)"""
    match value:
        case None:
            return "", "none"
        case bool():
            return ("true" if value else "false"), "yes/no"
        case int():
            return str(value), "whole"
        case float():
            return repr(value), "number"
        case _:
            return str(value), "text"


def _value(cell: str, kind: str) -> Any:
    """Raises ValueError with what was found and expected."""
    match kind:
        case "none":
            return None
        case "yes/no" if (read := _YES_NO.get(cell.strip().lower())) is not None:
            return read
        case "whole" if _WHOLE.fullmatch(cell.strip()):
            return int(cell.partition(".")[0])
        case "number" if _NUMBER.fullmatch(cell.strip()):
            return float(cell if "." in cell else cell.replace(",", "."))  # 12,5: by a spreadsheet of such a country
        case "text" | "":
            return cell
    if kind not in KINDS:
        raise ValueError(f"kind: found {kind!r}, expected {', '.join(KINDS)}, or nothing for a text")
    raise ValueError(f"value: found {shorten(cell)}, expected {KINDS[kind]} (kind {kind})")


def read_rows(table: Iterable[tuple[int, list[str]]], file: str, unit: str) -> Imported:
    """What (number, cells) rows hold, the heading first; `unit` is what a row is called. Raises `ImportFaults`."""
    lines = iter(table)
    heads = [head.strip() for head in next(lines, (0, []))[1]]
    if missing := [c for c in ("item", "side", "property", "value", "text") if c not in heads]:
        raise ImportFaults(
            [Fault(f"{file}, {unit} 1", f"the column {missing[0]!r} is missing; export one to see them")]
        )
    items: dict[str, tuple[str, dict[str, Any]]] = {}
    faults: list[tuple[str, Fault]] = []
    for number, cells in lines:
        row = dict(zip(heads, cells, strict=False))
        if not any(row.values()):
            continue
        place = f"{file}, {unit} {number}"
        name = row.get("item", "").strip()
        if name not in items:
            items[name] = (place, _own_fields(name, row))
        elif row.get("text") not in (None, "", items[name][1]["text"]):
            said = f"item {name!r} has another text than in {items[name][0]}; give it a name of its own"
            faults.append((place, Fault(place, said)))
            continue
        try:
            _add_side(items[name][1], row)
        except ValueError as error:
            faults.append((place, Fault(place, str(error))))
    return collect((*faults, *items.values()), file)


def _own_fields(name: str, row: Row) -> dict[str, Any]:
    fields: dict[str, Any] = {"name": name, **{c: row[c] for c in _ITEM_COLUMNS if row.get(c)}}
    fields.setdefault("text", "")
    if row.get("source_kind"):
        fields["source"] = {"kind": row["source_kind"], "id": row.get("source") or None}
    return fields


def _add_side(fields: dict[str, Any], row: Row) -> None:
    """Raises ValueError with what was found and expected."""
    side = row.get("side", "").strip()
    if not side:
        if any(row.get(c) for c in ("property", "value", "quote")):
            raise ValueError(f"side: found nothing, expected {' or '.join(SIDES)}")
        return
    if side not in SIDES:
        raise ValueError(f"side: found {shorten(side)}, expected {' or '.join(SIDES)}")
    if not row.get("property"):
        raise ValueError("property: found nothing, expected its name")
    entry: dict[str, Any] = {"property": row["property"], "value": _value(row.get("value", ""), row.get("kind", ""))}
    entry |= {c: row[c] for c in ("type", "unit", "quote", "stated", "reason") if row.get(c)}
    if row.get("accept"):
        entry["accept"] = _accept(row["accept"])
    if row.get("spans"):
        entry["spans"] = [_span(piece) for piece in row["spans"].split(";")]
    fields.setdefault(SIDES[side], []).append(entry)


def _accept(cell: str) -> Any:
    try:
        return loads(cell, typed=True)
    except JsonFault:
        raise ValueError(f'accept: found {shorten(cell)}, expected a list such as ["a", "b"]') from None


def _span(piece: str) -> dict[str, int]:
    found = _SPAN.fullmatch(piece.strip())
    if found is None:
        raise ValueError(f"spans: found {shorten(piece)}, expected positions such as 14-20")
    return {"start": int(found[1]), "end": int(found[2])}
