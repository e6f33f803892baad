"""Results as a table: a row for every reading, or a row for every record.

Long: ``record, property, value, quote, confidence`` (``start``, ``end``, ``unit`` too). Wide: ``record`` and for each
property a column of its name, with ``width quote`` and ``width confidence`` (also ``width_quote``) beside it. A column
``failed`` (or ``error``) says why a record could not be read.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from reviewapp.formats.replays.rows import ReplayRow, failure_of, record_of, text_of

LONG: Final = ("property", "value")
_BESIDE: Final = ("quote", "confidence", "support", "unit", "start", "end")
_NUMBERS: Final = ("start", "end")


def has_results(columns: Sequence[str], properties: Sequence[str]) -> bool:
    """Whether a table's columns hold readings: the long form's, or one for a property of the workflow."""
    folded = {c.strip().casefold() for c in columns}
    return all(name in folded for name in LONG) or bool({_key(c) for c in columns} & {_key(p) for p in properties})


def rows_of_table(
    rows: Iterator[tuple[str, dict[str, str]]], columns: Sequence[str], properties: Sequence[str]
) -> Iterator[ReplayRow]:
    """`rows`: (place, cells under their headings); `properties` are the workflow's, for the wide form."""
    folded = [c.strip().casefold() for c in columns]
    long = all(name in folded for name in LONG)
    for place, cells in rows:
        fields = {name.strip().casefold() if long else name.strip(): cell for name, cell in cells.items()}
        address = {name.strip().casefold(): cell for name, cell in cells.items()}
        said = [_long(fields)] if long else _wide(fields, properties)
        readings = [r for r in said if str(r.get("value", "")).strip()]
        failed = failure_of(address, properties)
        yield ReplayRow(place, record_of(address), text_of(address), {"readings": readings}, failed=failed)


def _long(fields: dict[str, str]) -> dict[str, Any]:
    kept = {name: fields[name] for name in (*LONG, *_BESIDE) if fields.get(name, "").strip()}
    return {name: _whole(cell) if name in _NUMBERS else cell for name, cell in kept.items()}


def _wide(fields: dict[str, str], properties: Sequence[str]) -> list[dict[str, Any]]:
    by_key = {_key(name): cell for name, cell in fields.items()}
    found = []
    for name in properties:
        beside = {part: by_key.get(_key(f"{name} {part}"), "") for part in _BESIDE}
        more = {p: _whole(c) if p in _NUMBERS else c for p, c in beside.items() if c.strip()}
        found.append({"property": name, "value": by_key.get(_key(name), ""), **more})
    return found


def _key(name: str) -> str:
    return "".join(c for c in name.casefold() if c.isalnum())


def _whole(cell: str) -> int | str:
    return int(cell) if cell.strip().isdecimal() else cell
