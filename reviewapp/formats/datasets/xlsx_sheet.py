"""XLSX: the rows of `sheets`, all cells text, so that nothing is a formula and ``02138`` keeps its zero."""

from __future__ import annotations

import io
import json
import tempfile
from collections.abc import Iterable, Iterator
from datetime import date, datetime, time
from typing import Any

from reviewapp.domain.datasets import Item
from reviewapp.errors import Fault, ImportFaults, TooLarge
from reviewapp.formats.answers_table import PIECE_BYTES, XLSX_ROWS
from reviewapp.formats.archives import is_want_of_memory
from reviewapp.formats.datasets.form import Head, Imported, Losses, properties_lost
from reviewapp.formats.datasets.sheets import COLUMNS, read_rows, rows_of
from reviewapp.formats.limits import DOCUMENT_SECONDS
from reviewapp.formats.processes import TooCostly, made_by
from reviewapp.formats.xlsx_cells import CELL_UNITS, allowed, cut, escaped, unescaped
from reviewapp.formats.zips import opened

FILE = "items.xlsx"


def write(head: Head, items: Iterable[Item], losses: Losses) -> Iterator[bytes]:
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
                text = row.get(column, "")
                cell.value = _text(_list(text, losses) if column == "accept" else text, losses) or None
                cell.data_type = "s" if cell.value else "n"  # text, or openpyxl takes "=1+1" for a formula
                cell.number_format = "@"
                cells.append(cell)
            sheet.append(cells)
    with tempfile.TemporaryFile() as file:
        book.save(file)
        file.seek(0)
        while piece := file.read(PIECE_BYTES):
            yield piece


def _list(written: str, losses: Losses) -> str:
    """A JSON list of texts with as many of them as a cell holds; half a list could not be read."""
    if cut(written) == written:
        return written
    spellings = json.loads(written)
    while cut(written) != written:
        losses.note("spellings beyond what a cell holds")
        written = json.dumps(spellings := spellings[:-1], ensure_ascii=False)
    return written


def _text(text: str, losses: Losses) -> str:
    held = allowed(text.replace("\r\n", "\n").replace("\r", "\n"))
    if held != text:
        losses.note("control characters and single carriage returns in cells")
    short = cut(held)
    if short != held:
        losses.note(f"texts beyond {CELL_UNITS:,} characters, which were cut")
    return escaped(short)


def read(data: bytes) -> Imported:
    """The first sheet. Raises `ImportFaults`."""
    try:
        with made_by("reader_child.py", io.BytesIO(data), DOCUMENT_SECONDS, do="cells") as (answer, made):
            if answer["faults"]:
                raise ImportFaults([Fault(*fault) for fault in answer["faults"]])
            with made.open(encoding="utf-8") as lines:
                return read_rows(enumerate(map(json.loads, lines), start=1), FILE, "row")
    except TooCostly as fault:
        raise ImportFaults([Fault(FILE, f"{fault}; bring in less of it, or as CSV")]) from fault


def cells(data: bytes) -> Iterator[list[str]]:
    """The rows of the first sheet, read in this process. Raises `ImportFaults`."""
    from openpyxl import load_workbook

    with opened(data, FILE, kind="XLSX file", expected="a sheet"):
        try:
            book = load_workbook(io.BytesIO(data), read_only=True, data_only=True)
            for row in book.worksheets[0].iter_rows(values_only=True):
                yield [_as_text(cell) for cell in row]
        except (IndexError, SyntaxError, TypeError, AttributeError) as error:  # XML of another shape, or none
            if is_want_of_memory(error):
                raise MemoryError from error
            raise ImportFaults([Fault(FILE, f"is damaged or no XLSX file: {error}")]) from error


def _as_text(cell: Any) -> str:
    """A cell as `sheets` has it; a spreadsheet makes dates and numbers of what is typed in."""
    match cell:
        case None:
            return ""
        case bool():
            return "true" if cell else "false"
        case datetime() if cell.time() == time():
            return cell.date().isoformat()
        case date() | time():
            return cell.isoformat()
        case _:
            return unescaped(str(cell))
