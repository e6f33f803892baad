"""JSONL: one JSON object a line. Blank lines are skipped; every faulty line is told."""

from __future__ import annotations

from collections.abc import Iterator

from reviewapp.formats.encodings import detect, opened_text
from reviewapp.formats.findings import Findings
from reviewapp.formats.lines import TOO_LONG, numbered_lines
from reviewapp.formats.rows import Columns, Placed, RowReader
from reviewapp.formats.sources import SourceFile
from reviewapp.formats.strict_json import JsonFault, kind_of, loads


def read(source: SourceFile, columns: Columns, findings: Findings) -> Iterator[Placed]:
    """Records in file order; faults and notes go to `findings`. Raises `Undecodable`."""
    rows = RowReader(source, columns, findings)
    with source.opened() as stream:
        encoding = detect(stream)
        if encoding.note:
            findings.note(f"{source.label} {encoding.note}.")
        with opened_text(stream, encoding) as text:
            for number, line in numbered_lines(text):
                place = source.line(number)
                if line is None:
                    findings.fault(place, TOO_LONG)
                elif (content := line.strip("\ufeff \t\r\n")) and (
                    fields := _object(content, place, findings)
                ) is not None:
                    record = rows.record(fields, place, source.row_name(f"line {number}"))
                    if record is not None:
                        yield Placed(place, record)
    rows.finish()


def _object(line: str, place: str, findings: Findings) -> dict[str, object] | None:
    try:
        value = loads(line)
    except JsonFault as fault:
        findings.fault(place, str(fault))
        return None
    if not isinstance(value, dict):
        way_out = "; a file that is one JSON list must end in .json" if isinstance(value, list) else ""
        findings.fault(place, f"expected an object with name and text, found {kind_of(value)}{way_out}")
        return None
    return value
