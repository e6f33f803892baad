"""XLSX: every visible sheet whose first row names a text column; a row is a record.

Numbers and dates become text the way the sheet shows them (`cell_display`). Nothing is computed: a formula counts
with the result saved in the file, and one without is a fault. Sheets without a text column are passed over with a
note, unless no sheet has one.
"""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from reviewapp.errors import ImportFaults
from reviewapp.formats import limits
from reviewapp.formats.archives import ArchiveFault, opened_archive
from reviewapp.formats.cell_display import shown
from reviewapp.formats.csv_records import fields_of, headings_of
from reviewapp.formats.findings import Findings
from reviewapp.formats.rows import TEXT_FIELDS, Columns, Placed, RowReader
from reviewapp.formats.sources import SourceFile

if TYPE_CHECKING:
    from openpyxl.workbook.workbook import Workbook

KIND = "XLSX"
_FORMULA = re.compile(rb"<(?:\w+:)?f[ />]")
_ESCAPED = re.compile(r"_x([0-9A-Fa-f]{4})_")


def read(source: SourceFile, columns: Columns, findings: Findings) -> Iterator[Placed]:
    """Records sheet by sheet; faults and notes go to `findings`."""
    try:
        with source.opened() as stream, opened_archive(stream, KIND) as archive:
            yield from _records(source, columns, findings, archive)
    except ArchiveFault as fault:
        findings.fault(source.label, str(fault))


def _records(source: SourceFile, columns: Columns, findings: Findings, archive: zipfile.ZipFile) -> Iterator[Placed]:
    from openpyxl import load_workbook  # 150 ms to import

    try:
        stream: Any = archive.fp
        book = load_workbook(stream, read_only=True, data_only=True, keep_links=False)
        formulas = load_workbook(stream, read_only=True, keep_links=False) if _has_formulas(archive) else None
        sheets = [s for s in book.worksheets if s.sheet_state == "visible"]
        usable = [s.title for s in sheets if _names_text(_first_row(s), columns)]
        for sheet in sheets:
            if sheet.title in usable or not usable:
                twin = formulas[sheet.title] if formulas is not None else None
                place = f"{source.label}, sheet {sheet.title}" if len(sheets) > 1 else source.label
                where = f"{sheet.title} row" if len(usable) > 1 else "row"
                yield from _sheet_records(source, columns, findings, sheet, twin, place, where)
            else:
                findings.note(f"{source.label}: passed over the sheet {sheet.title!r}, which has no text column.")
        for sheet in book.worksheets:
            if sheet.sheet_state != "visible":
                findings.note(f"{source.label}: passed over the hidden sheet {sheet.title!r}.")
        _close(book, formulas)
    except (ArchiveFault, ImportFaults, zipfile.BadZipFile):
        raise
    except Exception as error:  # openpyxl lets whatever a damaged part makes Python raise come through
        raise ArchiveFault(f"is damaged or no {KIND} file: {type(error).__name__}: {error}") from error


def _close(*books: Workbook | None) -> None:
    for book in books:
        if book is not None:
            book.close()


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


def _first_row(sheet: Any) -> list[str]:
    for row in sheet.iter_rows(max_row=1, max_col=limits.COLUMNS):
        return [_cell_text(cell) for cell in row]
    return []


def _names_text(headings: Sequence[str], columns: Columns) -> bool:
    wanted = {name.strip().casefold() for name in (columns.text or TEXT_FIELDS)}
    return any(heading.strip().casefold() in wanted for heading in headings)


def _sheet_records(
    source: SourceFile, columns: Columns, findings: Findings, sheet: Any, twin: Any, place: str, where: str
) -> Iterator[Placed]:
    rows = RowReader(source, columns, findings)
    headings: list[str] | None = None
    sheet.reset_dimensions()  # what the file claims is often wrong
    formula_rows = _formula_rows(twin) if twin is not None else None
    for number, row in enumerate(sheet.iter_rows(max_col=limits.COLUMNS), start=1):
        formulas = next(formula_rows, ()) if formula_rows is not None else ()
        row_place = f"{place}, row {number}"
        if unsaved := _unsaved(row, formulas):
            findings.fault(
                row_place, f"cell {unsaved} is a formula without a saved result; open and save the file once"
            )
            continue
        cells = [_cell_text(cell) for cell in row]
        if not any(cell.strip() for cell in cells):
            continue
        if headings is None:
            while cells and not cells[-1].strip():
                cells.pop()
            headings = headings_of(cells, row_place, findings)
            if headings is None:
                return
            continue
        fields = fields_of(headings, cells, row_place, findings)
        record = rows.record(fields, row_place, source.row_name(f"{where} {number}")) if fields else None
        if record is not None:
            yield Placed(row_place, record)
    if headings is None:
        findings.fault(place, "the sheet is empty; expected a heading row with 'name' and 'text'")
    rows.finish()


def _formula_rows(sheet: Any) -> Iterator[Sequence[Any]]:
    sheet.reset_dimensions()
    yield from sheet.iter_rows(max_col=limits.COLUMNS)


def _unsaved(row: Sequence[Any], formulas: Sequence[Any]) -> str | None:
    """The first cell of a row that is a formula without a result."""
    for cell, formula in zip(row, formulas, strict=False):
        if formula.data_type == "f" and cell.value is None:
            return str(formula.coordinate)
    return None


def _cell_text(cell: Any) -> str:
    value = cell.value
    if isinstance(value, str):
        return _ESCAPED.sub(lambda m: chr(int(m[1], 16)), value) if "_x" in value else value
    return shown(value, getattr(cell, "number_format", None) or "General")
