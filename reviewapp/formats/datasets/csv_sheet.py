"""CSV: the rows of `sheets`, in UTF-8. Texts are never formulas (`safe_cells`); −5 stays a number.

Excel opens a file with a double click only where it knows the encoding (by a byte order mark) and where cells are
parted and decimals marked as its country has it: by comma and point, or by semicolon and comma. Read is any of them.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator

from reviewapp.domain.datasets import Item
from reviewapp.errors import Fault, ImportFaults
from reviewapp.formats.answers_table import PIECE_BYTES
from reviewapp.formats.csv_records import SAMPLE_CHARACTERS, find_delimiter, table_rows
from reviewapp.formats.datasets.form import Head, Imported, Losses, properties_lost
from reviewapp.formats.datasets.jsonl import text_of
from reviewapp.formats.datasets.sheets import COLUMNS, NUMBERS, Row, read_rows, rows_of
from reviewapp.formats.safe_cells import defused

FILE = "items.csv"


def write(head: Head, items: Iterable[Item], losses: Losses) -> Iterator[bytes]:
    return _written(head, items, losses, bom=False, delimiter=",")


def write_for_excel(head: Head, items: Iterable[Item], losses: Losses) -> Iterator[bytes]:
    """With a byte order mark in front."""
    return _written(head, items, losses, bom=True, delimiter=",")


def write_for_excel_with_semicolons(head: Head, items: Iterable[Item], losses: Losses) -> Iterator[bytes]:
    """For countries that write ``12,5``: semicolons between cells, decimal commas, a byte order mark in front."""
    return _written(head, items, losses, bom=True, delimiter=";")


def _written(head: Head, items: Iterable[Item], losses: Losses, *, bom: bool, delimiter: str) -> Iterator[bytes]:
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer, delimiter=delimiter)
    buffer.write("\ufeff" if bom else "")
    writer.writerow(COLUMNS)
    for item in properties_lost(head, items, losses):
        for row in rows_of(item, head.install):
            writer.writerow([_cell(column, row, decimal_comma=delimiter == ";") for column in COLUMNS])
        if buffer.tell() > PIECE_BYTES:
            yield buffer.getvalue().encode()
            buffer.seek(0)
            buffer.truncate()
    yield buffer.getvalue().encode()


def _cell(column: str, row: Row, *, decimal_comma: bool) -> str:
    cell = row.get(column, "")
    if column == "value" and row.get("kind") in NUMBERS:
        return cell.replace(".", ",") if decimal_comma else cell
    return defused(cell)


def read(data: bytes) -> Imported:
    """Raises `ImportFaults`."""
    text = text_of(data, FILE)
    delimiter = find_delimiter(text[:SAMPLE_CHARACTERS], COLUMNS)
    try:
        table = list(table_rows(io.StringIO(text, newline=""), delimiter))  # cells restored
    except csv.Error as error:
        raise ImportFaults([Fault(FILE, f"is not valid CSV: {error}")]) from error
    return read_rows(table, FILE, "line")
