"""XLSX: every visible sheet with a heading row that names a text column; a row below it is a record.

Rows above the headings (a title, a date) are passed over with a note.
Numbers and dates become text the way the sheet shows them (`cell_display`). Nothing is computed: a formula counts
with the result saved in the file, and one without is a fault. Sheets without a text column are passed over with a
note, unless no sheet has one.
"""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from reviewapp.formats import limits
from reviewapp.formats.archives import ArchiveFault, is_want_of_memory, opened_archive
from reviewapp.formats.cell_display import shown
from reviewapp.formats.csv_records import HEADING_ROWS, fields_of, heading_at, headings_of, tell_passed_over
from reviewapp.formats.findings import Findings
from reviewapp.formats.rows import Columns, Placed, RowReader, names_text
from reviewapp.formats.sources import SourceFile
from reviewapp.formats.xlsx_cells import unescaped

KIND = "XLSX"
HEADING_WITHIN = 1_000
"""Rows within which the headings must come."""
_NAME_THEM = "give their columns a heading, or empty the cells"
FULL_CELL = 32_767
"""Characters that a cell holds at most; programs cut longer texts there without a word."""
CELLS_BEYOND = 16
"""Columns to the right of the headings that are looked at: a cell without a heading there is a fault."""
_FORMULA = re.compile(rb"<(?:\w+:)?f[ />]")


def read(source: SourceFile, columns: Columns, findings: Findings) -> Iterator[Placed]:
    """Records sheet by sheet; faults and notes go to `findings`."""
    try:
        with source.opened() as stream, opened_archive(stream, KIND) as archive:
            yield from _records(source, columns, findings, archive)
    except ArchiveFault as fault:
        findings.fault(source.label, str(fault))


@dataclass(frozen=True)
class _Sheet:
    """A visible sheet and its heading row."""

    title: str
    values: Any
    formulas: Any
    """The same sheet with formulas in the place of their results; None where the file has no formula."""
    number: int
    """Of the heading row, counted from 1; 0: the sheet is empty."""
    headings: tuple[str, ...]
    above: int
    """Rows that are not empty above the headings."""


def _records(source: SourceFile, columns: Columns, findings: Findings, archive: zipfile.ZipFile) -> Iterator[Placed]:
    with _damage_told():
        sheets, hidden = _sheets(archive, columns)
    usable = [sheet for sheet in sheets if names_text(sheet.headings, columns)]
    for sheet in usable or sheets:
        place = f"{source.label}, sheet {sheet.title}" if len(sheets) > 1 else source.label
        where = f"{sheet.title} row" if len(usable) > 1 else "row"
        yield from _sheet_records(source, columns, findings, sheet, place, where)
    for sheet in sheets if usable else ():
        if sheet not in usable:
            findings.note(f"{source.label}: passed over the sheet {sheet.title!r}, which has no text column.")
    for title in hidden:
        findings.note(f"{source.label}: passed over the hidden sheet {title!r}.")


@contextmanager
def _damage_told() -> Iterator[None]:
    """Nothing but openpyxl's work goes in here: it lets whatever a damaged part makes Python raise come through."""
    try:
        yield
    except Exception as error:
        if is_want_of_memory(error):
            raise MemoryError from error  # no fault of the file's form; it ends the process that reads it
        raise ArchiveFault(f"is damaged or no {KIND} file: {type(error).__name__}: {error}") from error


def _sheets(archive: zipfile.ZipFile, columns: Columns) -> tuple[list[_Sheet], list[str]]:
    """The visible sheets, and the titles of the hidden ones."""
    from openpyxl import load_workbook  # 150 ms to import

    stream: Any = archive.fp
    book = load_workbook(stream, read_only=True, data_only=True, keep_links=False)
    formulas = load_workbook(stream, read_only=True, keep_links=False) if _has_formulas(archive) else None
    found: list[_Sheet] = []
    for sheet in book.worksheets:
        if sheet.sheet_state == "visible":
            twin = formulas[sheet.title] if formulas is not None else None
            found.append(_Sheet(sheet.title, sheet, twin, *_heading_row(sheet, columns)))
    return found, [sheet.title for sheet in book.worksheets if sheet.sheet_state != "visible"]


def _has_formulas(archive: zipfile.ZipFile) -> bool:
    for part in archive.infolist():
        if part.filename.startswith("xl/worksheets/") and part.filename.endswith(".xml"):
            with archive.open(part) as content:
                tail = b""
                while chunk := content.read(limits.MEGABYTE):
                    if _FORMULA.search(tail + chunk):
                        return True
                    tail = chunk[-16:]
    return False


def _heading_row(sheet: Any, columns: Columns) -> tuple[int, tuple[str, ...], int]:
    """Number and cells of the heading row, and how many rows stand above it; the first row where none names a text."""
    sheet.reset_dimensions()  # what the file says about its size is often wrong
    found: list[tuple[int, tuple[str, ...]]] = []
    for number, row in enumerate(sheet.iter_rows(max_row=HEADING_WITHIN), start=1):
        cells = [_cell_text(cell) for cell in row]
        while cells and not cells[-1].strip():
            cells.pop()
        if cells:
            found.append((number, tuple(cells)))
            at = heading_at([headings for _, headings in found], columns)
            if at is not None:
                return *found[at], at
            if len(found) >= HEADING_ROWS:
                break
    return (*found[0], 0) if found else (0, (), 0)


def _sheet_records(
    source: SourceFile, columns: Columns, findings: Findings, sheet: _Sheet, place: str, where: str
) -> Iterator[Placed]:
    if not sheet.number:
        findings.fault(place, "the sheet is empty; expected a heading row with 'name' and 'text'")
        return
    headings = headings_of(sheet.headings, f"{place}, row {sheet.number}", findings)
    if headings is None:
        return
    tell_passed_over(sheet.above, place, findings)
    rows = RowReader(source, columns, findings)
    full: list[int] = []
    for number, cells, unsaved in _rows(sheet):
        if any(len(cell) >= FULL_CELL for cell in cells):
            full.append(number)
        row_place = f"{place}, row {number}"
        if unsaved is not None:
            message = f"cell {unsaved} is a formula without a saved result; open and save the file once"
            findings.fault(row_place, message)
        elif (fields := fields_of(headings, cells, row_place, findings, _NAME_THEM)) is not None:
            record = rows.record(fields, row_place, source.row_name(f"{where} {number}"))
            if record is not None:
                yield Placed(row_place, record)
    if len(full) == 1:
        findings.note(
            f"{place}, row {full[0]}: a cell is full ({FULL_CELL:,} characters); its end may have been cut off."
        )
    elif full:
        findings.note(
            f"{place}: {len(full):,} rows have a full cell ({FULL_CELL:,} characters); ends may have been cut off."
        )
    rows.finish()


def _rows(sheet: _Sheet) -> Iterator[tuple[int, list[str], str | None]]:
    """Number and cells of every row below the headings that is not empty, and its first formula without a result."""
    reach = {"min_row": sheet.number + 1, "max_col": len(sheet.headings) + CELLS_BEYOND}
    twins = None
    if sheet.formulas is not None:
        sheet.formulas.reset_dimensions()
        twins = sheet.formulas.iter_rows(**reach)
    with _damage_told():
        values = enumerate(sheet.values.iter_rows(**reach), start=sheet.number + 1)
    while True:
        with _damage_told():
            number, row = next(values, (0, ()))
            unsaved = _unsaved(row, next(twins, ())) if twins is not None and number else None
            cells = [_cell_text(cell) for cell in row]
        if not number:
            return
        if unsaved is not None or any(cell.strip() for cell in cells):
            yield number, cells, unsaved


def _unsaved(row: Sequence[Any], formulas: Sequence[Any]) -> str | None:
    """The first cell of a row that is a formula without a result."""
    for cell, formula in zip(row, formulas, strict=False):
        if formula.data_type == "f" and cell.value is None:
            return str(formula.coordinate)
    return None


def _cell_text(cell: Any) -> str:
    value = cell.value
    if isinstance(value, str):
        return unescaped(value)
    return shown(value, getattr(cell, "number_format", None) or "General")
