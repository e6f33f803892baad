"""A test's values and answers as one table, for spreadsheets: CSV and XLSX.

One row per property of each input. What the test read, what was decided, what the person gave and what stands are
columns of their own. ``""`` means no value and nothing else: 0, false and 0.0 are written out. Numbers are numbers
(whole ones beyond 15 digits are text cells in XLSX, which would round them); texts are never formulas (`safe_cells`
in CSV, text cells in XLSX). Positions are code points in the input's text, start inclusive, end exclusive; a quote
with an ellipsis runs from its first piece to its last.
"""

from __future__ import annotations

import csv
import io
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from functools import partial
from typing import Any, NamedTuple

from reviewapp.domain.answers import Decision
from reviewapp.domain.base import Model
from reviewapp.domain.properties import Value, ValueType
from reviewapp.domain.tests import Outcome
from reviewapp.errors import TooLarge
from reviewapp.formats.safe_cells import defused
from reviewapp.formats.xlsx_cells import allowed, cut, escaped

PIECE_BYTES = 1 << 16
"""About the size of the pieces that a table is handed out in."""
XLSX_ROWS = 1_048_575
"""Rows below the heading that a sheet can hold."""
XLSX_EXACT_INTEGER = 10**15
"""Whole numbers from here on are text in XLSX: a spreadsheet keeps 15 digits."""
_WIDTHS = {"input": 28, "iri": 28, "property": 20, "read": 20, "quote": 40, "detail": 30, "answer": 20, "note": 30}


class AnswerRow(Model):
    """One property of one input: a row of the table, its fields the columns in order."""

    input: str
    """The input's name."""
    iri: str
    property: str
    type: ValueType
    unit: str | None = None
    read: Value | None = None
    """What the test read; where it did not fit the type, as it was found."""
    stated: str | None = None
    quote: str | None = None
    start: int | None = None
    end: int | None = None
    support: float | None = None
    outcome: Outcome | None = None
    detail: str | None = None
    """Which check failed, or why the value is unconfirmed."""
    decision: Decision | None = None
    answer: Value | None = None
    """The value a person gave in correcting."""
    expected: Value | None = None
    """The value that stands after the answer; None where none does."""
    note: str | None = None
    reviewer: str | None = None
    at: datetime | None = None


COLUMNS = tuple(AnswerRow.model_fields)


def answers_csv(rows: Iterable[AnswerRow], *, bom: bool = False, semicolons: bool = False) -> Iterator[bytes]:
    """The table as CSV in UTF-8: commas, quotes where needed, CR LF after each row.

    `bom` puts a byte order mark in front, by which Excel knows UTF-8 when a file is opened with a double click;
    `semicolons` parts cells as Excel expects it where decimals have a comma, and writes decimals so.
    """
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer, delimiter=";" if semicolons else ",")
    if bom:
        buffer.write("\ufeff")
    writer.writerow(COLUMNS)
    for row in rows:
        writer.writerow([_csv_cell(cell, decimal_comma=semicolons) for cell in row.__dict__.values()])
        if buffer.tell() > PIECE_BYTES:
            yield buffer.getvalue().encode()
            buffer.seek(0)
            buffer.truncate()
    yield buffer.getvalue().encode()


def answers_xlsx(rows: Iterable[AnswerRow]) -> Iterator[bytes]:
    """The table as XLSX with one sheet. Raises `TooLarge` for more rows than a sheet can hold."""
    from openpyxl import Workbook
    from openpyxl.cell import WriteOnlyCell
    from openpyxl.styles import Font

    book = Workbook(write_only=True)
    sheet: Any = book.create_sheet("answers")
    sheet.freeze_panes = "A2"
    for n, column in enumerate(COLUMNS):
        sheet.column_dimensions[chr(ord("A") + n)].width = _WIDTHS.get(column, 12)
    headings = [WriteOnlyCell(sheet, column) for column in COLUMNS]
    for heading in headings:
        heading.font = Font(bold=True)
    sheet.append(headings)
    for number, row in enumerate(rows, start=1):
        if number > XLSX_ROWS:
            raise TooLarge(f"An XLSX sheet holds {XLSX_ROWS:,} rows at most; export this test as CSV.")
        sheet.append([_xlsx_cell(sheet, cell) for cell in row.__dict__.values()])
    with tempfile.TemporaryFile() as file:
        book.save(file)
        file.seek(0)
        while piece := file.read(PIECE_BYTES):
            yield piece


class AnswerSheet(NamedTuple):
    """One form of the table."""

    suffix: str
    media_type: str
    write: Callable[[Iterable[AnswerRow]], Iterator[bytes]]


_CSV = "text/csv; charset=utf-8"
SHEETS: Mapping[str, AnswerSheet] = {
    "csv": AnswerSheet(".csv", _CSV, partial(answers_csv, bom=True)),
    "csv-semicolon": AnswerSheet(".csv", _CSV, partial(answers_csv, bom=True, semicolons=True)),
    "xlsx": AnswerSheet(".xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", answers_xlsx),
}
"""Forms of the table, by name."""


def _csv_cell(value: Value | datetime | None, *, decimal_comma: bool) -> str:
    if isinstance(value, str):
        return defused(value)
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime):
        return value.isoformat()
    return repr(value).replace(".", ",") if decimal_comma else repr(value)


def _xlsx_cell(sheet: Any, value: Value | datetime | None) -> Any:
    from openpyxl.cell import WriteOnlyCell

    if value is None or value == "":
        return None
    if isinstance(value, datetime):
        value = value.isoformat()
    exact = not isinstance(value, int) or isinstance(value, bool) or abs(value) < XLSX_EXACT_INTEGER
    if not isinstance(value, str) and exact:
        return WriteOnlyCell(sheet, value)
    cell = WriteOnlyCell(sheet, "")
    cell.value = escaped(cut(allowed(str(value)), mark="…"))
    cell.data_type = "s"  # or openpyxl takes "=1+1" for a formula and "#N/A" for an error
    cell.number_format = "@"
    return cell
