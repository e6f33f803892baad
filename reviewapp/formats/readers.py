"""One door for everything that becomes records: files, folders and uploads in, records and notes out.

1. Folders are gone through, in sorted order; every file finds its format by its ending.
2. Every file is read once, to its end. Good records go to a spool on disk, faults and notes are collected.
3. With any fault, `ImportFaults` tells all of them and nothing is handed on. Otherwise the caller gets the spool.

Twins (same name or iri, same text) are folded with a note; the same name or iri with another text is a fault.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b

from reviewapp.domain.records import IncomingRecord
from reviewapp.formats import apart, csv_records, docx, html, json_records, jsonl, limits, pdf, plain_text, xlsx_records
from reviewapp.formats.encodings import Undecodable
from reviewapp.formats.findings import Findings
from reviewapp.formats.rows import Columns, Placed
from reviewapp.formats.sources import Source, SourceFile, find_files
from reviewapp.formats.spool import RecordSpool

_READERS: dict[str, Callable[[SourceFile, Columns, Findings], Iterator[Placed]]] = {
    "jsonl": jsonl.read,
    "json": json_records.read,
    "csv": csv_records.read,
    "xlsx": xlsx_records.read,
    "text": plain_text.read,
    "html": html.read,
    "pdf": pdf.read,
    "docx": docx.read,
}


@dataclass(frozen=True)
class Incoming:
    """What an import brings."""

    records: RecordSpool
    """Can be gone through any number of times, one record in memory at a time; ``len()`` counts them."""
    notes: tuple[str, ...]
    """Sentences for the person: encodings assumed, fields and files passed over, twins folded."""


def read_files(
    sources: Iterable[Source],
    *,
    text_columns: Sequence[str] = (),
    name_column: str | None = None,
    iri_column: str | None = None,
) -> Incoming:
    """All records of all sources, in order. Raises `ImportFaults` with every fault of every file.

    `text_columns`, `name_column` and `iri_column` say which fields of JSON and tables are what, where they do not
    have their usual names (see `rows`).
    """
    findings = Findings()
    columns = Columns(tuple(text_columns), name_column, iri_column)
    spool = RecordSpool()
    known = _KnownRecords(findings)
    files = find_files(sources, findings)
    if not files and not findings.faults:
        findings.fault("import", "nothing was handed in; expected files or folders")
    for file in files:
        reader = apart.read if file.kind in apart.KINDS else read_here
        for place, record in reader(file, columns, findings):
            if not known.is_new(record, place) or findings.faults:
                continue
            if len(spool) >= limits.RECORDS:
                findings.fault(place, f"an import takes {limits.RECORDS:,} records at most; split it")
                break
            spool.add(record)
    if not len(spool) and not findings.faults:
        findings.fault(files[0].label, "holds no record")
    known.tell_twins()
    findings.finish()
    return Incoming(spool, findings.notes)


def read_here(file: SourceFile, columns: Columns, findings: Findings) -> Iterator[Placed]:
    """The records of one file, read in this process; its faults and notes go to `findings`."""
    try:
        yield from _READERS[file.kind](file, columns, findings)
    except Undecodable as error:
        for line, message in error.lines:
            findings.fault(file.label if line is None else file.line(line), message)
    except OSError as error:
        findings.fault(file.label, f"the file cannot be read to its end: {error.strerror or error}")


class _KnownRecords:
    """What has been read so far, by iri or name, with a hash of each text."""

    def __init__(self, findings: Findings) -> None:
        self._findings = findings
        self._seen: dict[str, tuple[bytes, str]] = {}
        self._twins = 0

    def is_new(self, record: IncomingRecord, place: str) -> bool:
        key = f"iri {record.iri}" if record.iri is not None else f"name {record.name}"
        mark = blake2b(f"{record.name}\0{record.text}".encode(), digest_size=16).digest()
        known = self._seen.get(key)
        if known is None:
            self._seen[key] = (mark, place)
            return True
        if known[0] == mark:
            self._twins += 1
            return False
        if record.iri is not None:
            found, way_out = f"the iri {record.iri!r}", "make them differ"
        else:
            found = f"the name {record.name!r}"
            way_out = "rename one (files of two folders differ where the folder above both is brought in)"
        self._findings.fault(place, f"{found} stands twice with different texts, first in {known[1]}; {way_out}")
        return False

    def tell_twins(self) -> None:
        if self._twins == 1:
            self._findings.note("1 record stood twice, word for word, and was taken once.")
        elif self._twins:
            self._findings.note(f"{self._twins:,} records stood twice, word for word, and were taken once each.")
