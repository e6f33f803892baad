"""JSON: a list of objects, ``{"records": [...]}``, or one object with a text, which is one record.

Our own exported ``records.json`` is such a list.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from reviewapp.formats.encodings import decode
from reviewapp.formats.findings import Findings
from reviewapp.formats.rows import Columns, Placed, RowReader, names_text
from reviewapp.formats.sources import SourceFile
from reviewapp.formats.strict_json import JsonFault, kind_of, loads


def read(source: SourceFile, columns: Columns, findings: Findings) -> Iterator[Placed]:
    """Records in file order; faults and notes go to `findings`. Raises `Undecodable`."""
    with source.opened() as stream:
        text, note = decode(stream.read())
    if note:
        findings.note(f"{source.label} {note}.")
    try:
        document = loads(text.strip("\ufeff \t\r\n"))
        is_record = isinstance(document, dict) and "records" not in document and names_text(document, columns)
        entries = [document] if is_record else _entries(document)
    except JsonFault as fault:
        way_out = "; one object a line is JSONL: let the file end in .jsonl" if "Extra data" in str(fault) else ""
        findings.fault(source.label, f"{fault}{way_out}")
        return
    rows = RowReader(source, columns, findings)
    for number, entry in enumerate(entries, start=1):
        place = source.label if is_record else f"{source.label}, record {number}"
        if not isinstance(entry, dict):
            findings.fault(place, f"expected an object with name and text, found {kind_of(entry)}")
            continue
        made_name = source.record_name if is_record else source.row_name(f"record {number}")
        record = rows.record(entry, place, made_name)
        if record is not None:
            yield Placed(place, record)
    rows.finish()


def _entries(document: Any) -> list[Any]:
    if isinstance(document, dict):
        document = document.get("records", document)
    if not isinstance(document, list):
        raise JsonFault(f'expected a list of objects or {{"records": [...]}}, found {kind_of(document)}')
    return document
