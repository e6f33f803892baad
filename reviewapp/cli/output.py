"""What a command prints: one JSON document, or lines and tables for a person, on stdout; the rest on stderr."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Sequence
from datetime import datetime
from itertools import islice
from typing import Any

import click

CELL_LIMIT = 60
"""Widest cell of a table, in columns of the terminal."""
ROWS_PER_PIECE = 100
CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
"""What would move the cursor, recolour the terminal or turn the line round."""


def print_json(document: Any) -> None:
    """One document, UTF-8, strict JSON (NaN is refused)."""
    click.echo(_indented(document))


def print_json_list(document: dict[str, Any], name: str, rows: Iterable[Any]) -> None:
    """The document with one more field, a list of any length, of which some rows at a time are in memory."""
    head = _indented(document).removesuffix("\n}")
    click.echo(f'{head},\n  "{name}": [', nl=False)
    separator = ""
    remaining = iter(rows)
    while piece := [_indented(row) for row in islice(remaining, ROWS_PER_PIECE)]:
        # Line ends within strings are escaped, so these are all between tokens.
        lines = ",\n".join(piece).replace("\n", "\n    ")
        click.echo(f"{separator}\n    {lines}", nl=False)
        separator = ","
    click.echo("\n  ]\n}")


def _indented(document: Any) -> str:
    return json.dumps(document, ensure_ascii=False, indent=2, allow_nan=False)


def printable(text: object) -> str:
    """The text on one line, safe for a terminal: texts of records may hold anything."""
    return CONTROLS.sub(" ", str(text)).strip()


def say(message: str) -> None:
    """A word to the person, on stderr."""
    click.echo(message, err=True)


def when(time: datetime | None) -> str:
    """A time in the reader's zone, to the minute; empty where there is none."""
    return "" if time is None else time.astimezone().strftime("%Y-%m-%d %H:%M")


def counted(number: int, one: str, many: str = "") -> str:
    """``1 record``, ``2 records``, ``12,000 records``."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def print_table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Columns under their heads, numbers to the right; nothing but the heads when there is no row."""
    cells = [[_cut(printable(cell)) for cell in row] for row in rows]
    widths = [max(_columns(row[i]) for row in [list(head), *cells]) for i in range(len(head))]
    to_the_right = [bool(cells) and all(_is_number(row[i]) for row in cells) for i in range(len(head))]
    for row in [list(head), *cells]:
        padded = (_pad(cell, width, right) for cell, width, right in zip(row, widths, to_the_right, strict=True))
        click.echo("  ".join(padded).rstrip())


def _is_number(cell: str) -> bool:
    return cell.replace(",", "").replace(".", "").isdigit()


def _columns(text: str) -> int:
    """How many columns a terminal gives the text: wide East Asian characters take two, combining marks none."""
    wide = sum(unicodedata.east_asian_width(c) in "WF" for c in text)
    return len(text) + wide - sum(unicodedata.combining(c) > 0 for c in text)


def _pad(cell: str, width: int, right: bool) -> str:
    space = " " * (width - _columns(cell))
    return space + cell if right else cell + space


def _cut(text: str) -> str:
    return text if len(text) <= CELL_LIMIT else text[: CELL_LIMIT - 1] + "…"
