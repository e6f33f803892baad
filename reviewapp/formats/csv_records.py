"""CSV with a heading row, parted by comma, semicolon, tab or bar; quoted cells may hold line ends.

Rows above the headings (a title, a date of export) are passed over with a note. Rows are read one by one. Cells that
an export of ours defused (``'=…``) get their text back. The first fault of quoting ends the reading of the file, since
where rows begin is no longer known.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence
from typing import TextIO

from reviewapp.formats import limits
from reviewapp.formats.encodings import detect, opened_text
from reviewapp.formats.findings import Findings
from reviewapp.formats.lines import TOO_LONG, numbered_lines
from reviewapp.formats.rows import NAME_FIELDS, TEXT_FIELDS, Columns, Placed, RowReader, names_text
from reviewapp.formats.safe_cells import restored
from reviewapp.formats.sources import SourceFile

DELIMITERS = ",;\t|"
SAMPLE_CHARACTERS = 1 << 16
SAMPLE_ROWS = 20
_QUOTE_THEM = "put cells that hold the delimiter in quotes"
HEADING_ROWS = 20
"""Rows that are not empty within which the headings must come."""
_STATED = re.compile(r'"?sep=(.)"?\r?\n', re.IGNORECASE)


def read(source: SourceFile, columns: Columns, findings: Findings) -> Iterator[Placed]:
    """Records in file order; faults and notes go to `findings`. Raises `Undecodable`."""
    with source.opened() as stream:
        encoding = detect(stream)
        if encoding.note:
            findings.note(f"{source.label} {encoding.note}.")
        with opened_text(stream, encoding, newline="") as text:
            sample = text.read(SAMPLE_CHARACTERS)
        stream.seek(0)
        with opened_text(stream, encoding, newline="") as text:
            yield from _records(source, columns, findings, text, find_delimiter(sample, columns.chosen))


def table_rows(text: TextIO, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """Rows that are not empty, with the number of the line where each begins. Raises `csv.Error`."""
    csv.field_size_limit(limits.LINE_BYTES)  # process-wide; 131,072 by default, less than a long text
    reader = csv.reader(_lines(text), delimiter=delimiter, strict=True)
    while True:
        begins = reader.line_num + 1
        try:
            row = next(reader)
        except StopIteration:
            return
        if any(cell.strip() for cell in row):
            yield begins, [restored(cell) for cell in row]


def find_delimiter(sample: str, wanted: Sequence[str] = ()) -> str:
    """The delimiter with which the heading holds known names and the rows are most alike; a comma for one column."""
    stated = _STATED.match(sample.lstrip("\ufeff"))
    if stated:
        return stated[1]
    known = {name.casefold() for name in (*wanted, *TEXT_FIELDS, *NAME_FIELDS, "iri")}

    def score(delimiter: str) -> tuple[int, float, int]:
        rows = _sample_rows(sample, delimiter)
        heading, *others = rows[heading_at(rows, Columns(tuple(wanted))) or heading_at(rows, Columns()) or 0 :] or [[]]
        if len(heading) < 2:
            return (0, 0.0, 0)
        names = {cell.strip("\ufeff \t").casefold() for cell in heading}
        alike = sum(len(row) == len(heading) for row in [heading, *others]) / (1 + len(others))
        return (len(names & known), alike, len(heading))

    return max(DELIMITERS, key=score)


def _sample_rows(sample: str, delimiter: str) -> list[list[str]]:
    csv.field_size_limit(limits.LINE_BYTES)
    rows: list[list[str]] = []
    try:
        for row in csv.reader(io.StringIO(sample, newline=""), delimiter=delimiter):
            if row:
                rows.append(row)
            if len(rows) > SAMPLE_ROWS:
                break
    except csv.Error:
        return rows
    return rows[:-1] if 1 < len(rows) <= SAMPLE_ROWS and len(sample) == SAMPLE_CHARACTERS else rows


def heading_at(rows: Sequence[Sequence[str]], columns: Columns) -> int | None:
    """Which of the first rows is the heading: one that names a text column and is no shorter than those above it."""
    longest = 0
    for i, row in enumerate(rows):
        filled = sum(1 for cell in row if cell.strip())
        if filled >= longest and names_text(row, columns):
            return i
        longest = max(longest, filled)
    return None


def tell_passed_over(count: int, place: str, findings: Findings) -> None:
    if count == 1:
        findings.note(f"{place}: passed over the row above the headings.")
    elif count:
        findings.note(f"{place}: passed over {count} rows above the headings.")


class _LineTooLong(Exception):
    pass


def _lines(text: TextIO) -> Iterator[str]:
    for number, line in numbered_lines(text):
        if line is None:
            raise _LineTooLong(number)
        if number == 1:
            line = line.lstrip("\ufeff")
            if _STATED.fullmatch(line):
                line = "\n"
        yield line


def _records(
    source: SourceFile, columns: Columns, findings: Findings, text: TextIO, delimiter: str
) -> Iterator[Placed]:
    rows = RowReader(source, columns, findings)
    headings: list[str] | None = None
    line = 0
    try:
        for line, cells in _from_headings(table_rows(text, delimiter), source, columns, findings):
            if headings is None:
                headings = headings_of(cells, source.line(line), findings)
                if headings is None:
                    return
                continue
            fields = fields_of(headings, cells, source.line(line), findings)
            record = rows.record(fields, source.line(line), source.row_name(f"line {line}")) if fields else None
            if record is not None:
                yield Placed(source.line(line), record)
    except csv.Error as error:
        what = "a quoted cell is never closed" if "end of data" in str(error) else str(error)
        findings.fault(
            source.line(line + 1), f"in the row that begins after line {line}: {what}; the rest was not read"
        )
        return
    except _LineTooLong as error:
        findings.fault(source.line(error.args[0]), f"{TOO_LONG}; the rest was not read")
        return
    if headings is None:
        findings.fault(source.label, "the file is empty; expected a heading row with 'name' and 'text'")
    rows.finish()


def _from_headings(
    rows: Iterator[tuple[int, list[str]]], source: SourceFile, columns: Columns, findings: Findings
) -> Iterator[tuple[int, list[str]]]:
    """The rows from the headings on; all of them where the first ones name no text column."""
    above: list[tuple[int, list[str]]] = []
    at: int | None = None
    try:
        for row in rows:
            above.append(row)
            at = heading_at([cells for _, cells in above], columns)
            if at is not None or len(above) >= HEADING_ROWS:
                break
    except (csv.Error, _LineTooLong):
        yield from above
        raise
    tell_passed_over(at or 0, source.label, findings)
    yield from above[at or 0 :]
    yield from rows


def headings_of(cells: Sequence[str], place: str, findings: Findings) -> list[str] | None:
    """The names of a table's columns; None after a fault. A column without a name gets its number."""
    headings = [cell.strip("\ufeff \t\r\n") or f"column {n}" for n, cell in enumerate(cells, start=1)]
    folded = [heading.casefold() for heading in headings]
    twins = sorted({h for h, f in zip(headings, folded, strict=True) if folded.count(f) > 1})
    if twins:
        findings.fault(place, f"two columns have the heading {twins[0]!r}; rename one")
        return None
    if len(headings) > limits.COLUMNS:
        findings.fault(place, f"the table has {len(headings):,} columns; at most {limits.COLUMNS:,}")
        return None
    return headings


def fields_of(
    headings: list[str], cells: Sequence[str], place: str, findings: Findings, way_out: str = _QUOTE_THEM
) -> dict[str, str] | None:
    """The cells of a row under their headings; None after a fault. Missing cells at the end are empty."""
    if len(cells) > len(headings):
        filled = max((n for n, cell in enumerate(cells, start=1) if cell.strip()), default=0)
        if filled > len(headings):
            findings.fault(place, f"the row has {filled} cells, the heading {len(headings)}; {way_out}")
            return None
        cells = cells[: len(headings)]
    return dict(zip(headings, [*cells, *[""] * (len(headings) - len(cells))], strict=True))
