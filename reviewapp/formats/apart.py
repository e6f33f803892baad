"""Readers of whole documents, run in a process of their own: 91 kB of XLSX can unfold to gigabytes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict

from reviewapp.domain.records import IncomingRecord
from reviewapp.formats.findings import Findings
from reviewapp.formats.limits import DOCUMENT_SECONDS
from reviewapp.formats.processes import TooCostly, made_by
from reviewapp.formats.rows import Columns, Placed
from reviewapp.formats.sources import SourceFile

KINDS = frozenset(("docx", "html", "xlsx"))
"""Formats whose readers hold more in memory than the file has; PDF has a process of its own kind."""


def read(source: SourceFile, columns: Columns, findings: Findings) -> Iterator[Placed]:
    """What the reader of the file's kind finds, one record in memory at a time; see `readers`."""
    known = {"label": source.label, "kind": source.kind, "size": source.size, "record_name": source.record_name}
    asked = {"do": "records", "source": known, "columns": asdict(columns)}
    try:
        with (
            source.opened() as stream,
            made_by("reader_child.py", stream, DOCUMENT_SECONDS, **asked) as (answer, made),
        ):
            with made.open(encoding="utf-8") as lines:
                for line in lines:
                    place, record = json.loads(line)
                    yield Placed(place, IncomingRecord.model_validate(record))
            for sentence in answer["notes"]:
                findings.note(sentence)
            for place, message in answer["faults"]:
                findings.fault(place, message)
    except TooCostly as fault:
        findings.fault(source.label, f"{fault}; save it anew, or bring in less of it")
