"""CSV and XLSX: a row per expected value, the item's own columns in its first row only.

`side` says what the row is: `writes` (a correct run writes the value) or `leaves out` (it must not; kind `none`: no
value at all); empty for an item without any. `kind` is what the value is (text, whole, number, yes/no, none), so
``02138`` stays a text and 12.0 a number. `spans` are ``14-20; 31-35`` (code points, end exclusive), `accept` is a JSON
list. An empty cell is none. Texts are never formulas (`safe_cells` in CSV, text cells in XLSX).
"""

from __future__ import annotations

import csv
import io
import json
import re
import tempfile
from collections.abc import Iterable, Iterator
from typing import Any

from reviewapp.domain.datasets import Expected, Install, Item
from reviewapp.errors import Fault, ImportFaults, TooLarge
from reviewapp.formats.answers_table import PIECE_BYTES, XLSX_CELL_CHARACTERS, XLSX_ROWS
from reviewapp.formats.csv_records import table_rows
from reviewapp.formats.datasets.form import Head, Imported, Losses, properties_lost
from reviewapp.formats.datasets.jsonl import collect, text_of
from reviewapp.formats.safe_cells import defused

COLUMNS = (
    "item", "side", "property", "value", "kind", "type", "unit", "quote", "stated", "spans", "accept", "reason",
    "case", "iri", "source_kind", "source", "text",
)  # fmt: skip
SIDES = {"writes": "values", "leaves out": "leave_out"}
_ITEM_COLUMNS = ("case", "iri", "text")
_SHEET_REFUSES = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")

Row = dict[str, str]


def write_csv(head: Head, items: Iterable[Item], losses: Losses) -> Iterator[bytes]:
    return _csv(head, items, losses, bom=False)


def write_csv_for_excel(head: Head, items: Iterable[Item], losses: Losses) -> Iterator[bytes]:
    """With a byte order mark in front, by which Excel knows UTF-8 when a file is opened with a double click."""
    return _csv(head, items, losses, bom=True)


def _csv(head: Head, items: Iterable[Item], losses: Losses, *, bom: bool) -> Iterator[bytes]:
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer)
    buffer.write("\ufeff" if bom else "")
    writer.writerow(COLUMNS)
    for item in properties_lost(head, items, losses):
        for row in rows_of(item, head.install):
            writer.writerow([_csv_cell(c, row) for c in COLUMNS])
        if buffer.tell() > PIECE_BYTES:
            yield buffer.getvalue().encode()
            buffer.seek(0)
            buffer.truncate()
    yield buffer.getvalue().encode()


def _csv_cell(column: str, row: Row) -> str:
    cell = row.get(column, "")
    return cell if column == "value" and row.get("kind") in ("whole", "number") else defused(cell)  # −5 is a number


def read_csv(data: bytes) -> Imported:
    """Raises `ImportFaults`."""
    try:
        table = list(table_rows(io.StringIO(text_of(data, "items.csv"), newline=""), ","))  # cells restored
    except csv.Error as error:
        raise ImportFaults([Fault("items.csv", f"is not valid CSV: {error}")]) from error
    return _read(table, "items.csv", "line")


def write_xlsx(head: Head, items: Iterable[Item], losses: Losses) -> Iterator[bytes]:
    """Raises `TooLarge` for more rows than a sheet can hold."""
    from openpyxl import Workbook
    from openpyxl.cell import WriteOnlyCell

    book = Workbook(write_only=True)
    sheet: Any = book.create_sheet("items")
    sheet.freeze_panes = "A2"
    sheet.append(list(COLUMNS))
    count = 0
    for item in properties_lost(head, items, losses):
        for row in rows_of(item, head.install):
            count += 1
            if count > XLSX_ROWS:
                raise TooLarge(f"An XLSX sheet holds {XLSX_ROWS:,} rows at most; export this dataset as CSV.")
            cells = []
            for column in COLUMNS:
                cell = WriteOnlyCell(sheet, "")
                cell.value = _sheet_text(row.get(column, ""), losses) or None
                cell.data_type = "s" if cell.value else "n"  # text, or openpyxl takes "=1+1" for a formula
                cell.number_format = "@"
                cells.append(cell)
            sheet.append(cells)
    with tempfile.TemporaryFile() as file:
        book.save(file)
        file.seek(0)
        while piece := file.read(PIECE_BYTES):
            yield piece


def _sheet_text(text: str, losses: Losses) -> str:
    held = _SHEET_REFUSES.sub("\ufffd", text.replace("\r\n", "\n").replace("\r", "\n"))
    if held != text:
        losses.note("control characters and single carriage returns in cells")
    if len(held) > XLSX_CELL_CHARACTERS:
        losses.note(f"texts beyond {XLSX_CELL_CHARACTERS:,} characters, which were cut")
        held = held[:XLSX_CELL_CHARACTERS]
    return held


def read_xlsx(data: bytes) -> Imported:
    """The first sheet. Raises `ImportFaults`."""
    from zipfile import BadZipFile

    from openpyxl import load_workbook

    try:
        book = load_workbook(io.BytesIO(data), read_only=True, data_only=True)
        rows = [[_as_text(cell) for cell in row] for row in book.worksheets[0].iter_rows(values_only=True)]
    except (BadZipFile, KeyError, ValueError, IndexError) as error:
        raise ImportFaults([Fault("items.xlsx", f"is damaged or no XLSX file: {error}")]) from error
    return _read(enumerate(rows, start=1), "items.xlsx", "row")


def _as_text(cell: Any) -> str:
    if isinstance(cell, bool):
        return "true" if cell else "false"
    return "" if cell is None else str(cell)


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
    """Raises ValueError for what is none of its kind."""
    match kind:
        case "none":
            return None
        case "yes/no":
            return {"true": True, "false": False}[cell.strip().lower()]
        case "whole":
            return int(cell)
        case "number":
            return float(cell)
        case "text" | "":
            return cell
    raise ValueError(kind)


def _read(table: Iterable[tuple[int, list[str]]], file: str, unit: str) -> Imported:
    lines = iter(table)
    heads = [head.strip() for head in next(lines, (0, []))[1]]
    if missing := [c for c in ("item", "side", "property", "value", "text") if c not in heads]:
        raise ImportFaults(
            [Fault(f"{file}, {unit} 1", f"the column {missing[0]!r} is missing; export one to see them")]
        )
    items: dict[str, tuple[str, dict[str, Any]]] = {}
    faults: list[Fault] = []
    for number, cells in lines:
        row = dict(zip(heads, cells, strict=False))
        if not any(row.values()):
            continue
        place = f"{file}, {unit} {number}"
        name = row.get("item", "").strip()
        if name not in items:
            items[name] = (place, _own_fields(name, row))
        try:
            _add_side(items[name][1], row)
        except (ValueError, KeyError, TypeError):
            said = f"value {row.get('value', '')[:40]!r} of kind {row.get('kind', '')!r}, side {row.get('side', '')!r}"
            faults.append(Fault(place, f"cannot be read: {said}, spans {row.get('spans', '')!r}"))
    if faults:
        raise ImportFaults(faults)
    return collect(items.values(), file)


def _own_fields(name: str, row: Row) -> dict[str, Any]:
    fields: dict[str, Any] = {"name": name, **{c: row[c] for c in _ITEM_COLUMNS if row.get(c)}}
    fields.setdefault("text", "")
    if row.get("source_kind"):
        fields["source"] = {"kind": row["source_kind"], "id": row.get("source") or None}
    return fields


def _add_side(fields: dict[str, Any], row: Row) -> None:
    if not row.get("side"):
        return
    entry: dict[str, Any] = {"property": row["property"], "value": _value(row["value"], row.get("kind", ""))}
    entry |= {c: row[c] for c in ("type", "unit", "quote", "stated", "reason") if row.get(c)}
    if row.get("accept"):
        entry["accept"] = json.loads(row["accept"])
    if row.get("spans"):
        pairs = (piece.split("-") for piece in row["spans"].split(";"))
        entry["spans"] = [{"start": int(start), "end": int(end)} for start, end in pairs]
    fields.setdefault(SIDES[row["side"]], []).append(entry)
