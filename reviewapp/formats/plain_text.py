"""Plain text and Markdown: the file as it is is the record's text."""

from __future__ import annotations

from collections.abc import Iterator

from reviewapp.domain.texts import refused_character
from reviewapp.formats.encodings import decode
from reviewapp.formats.findings import Findings
from reviewapp.formats.rows import Columns, Placed, make_record
from reviewapp.formats.sources import SourceFile


def read(source: SourceFile, _columns: Columns, findings: Findings) -> Iterator[Placed]:
    """The one record of the file; faults and notes go to `findings`. Raises `Undecodable`."""
    with source.opened() as stream:
        data = stream.read()
    if data.startswith(b"%PDF-"):
        findings.fault(source.label, "is a PDF file under another name; let its name end in .pdf")
        return
    text, note = decode(data)
    if note:
        findings.note(f"{source.label} {note}.")
    refused = refused_character(text)
    if refused is not None:
        position, character = refused
        findings.fault(source.line(text.count("\n", 0, position) + 1), f"holds {character}; is it a text file?")
        return
    record = make_record(source, findings, place=source.label, name=source.record_name, text=text)
    if record is not None:
        yield Placed(source.label, record)
