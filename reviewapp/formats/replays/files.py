"""A file of results, read row by row; all faults of the file are told at once."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from typing import Any, TextIO

from reviewapp.formats.csv_records import fields_of, find_delimiter, headings_of, table_rows
from reviewapp.formats.encodings import Undecodable, decode, detect, opened_text
from reviewapp.formats.findings import Findings
from reviewapp.formats.lines import TOO_LONG, numbered_lines
from reviewapp.formats.replays.documents import NotResults, row_of
from reviewapp.formats.replays.rows import RECORD_FIELDS, ReplayRow
from reviewapp.formats.replays.tables import has_results, rows_of_table
from reviewapp.formats.sources import Source, SourceFile, find_files
from reviewapp.formats.strict_json import JsonFault, loads

_SAMPLE = 1 << 16
_KINDS = ("jsonl", "json", "csv")


def read_replay(source: Source, properties: Sequence[str]) -> Iterator[ReplayRow]:
    """The rows of one file (.jsonl, .json, .csv, .tsv), in its order; `properties` name the columns of a wide table.

    Raises ImportFaults with every fault, after the last row.
    """
    findings = Findings()
    for file in find_files([source], findings):
        if file.kind not in _KINDS:
            findings.fault(file.label, "is no file of results; expected .jsonl, .json, .csv or .tsv")
            continue
        try:
            read = _table(file, properties, findings) if file.kind == "csv" else _objects(file, properties, findings)
            yield from read
        except Undecodable as error:
            for line, message in error.lines:
                findings.fault(file.label if line is None else file.line(line), message)
        except OSError as error:
            findings.fault(file.label, f"the file cannot be read to its end: {error.strerror or error}")
    findings.finish()


def _objects(file: SourceFile, properties: Sequence[str], findings: Findings) -> Iterator[ReplayRow]:
    for place, said in _json_lines(file) if file.kind == "jsonl" else _json_entries(file):
        try:
            yield row_of(loads(said, typed=True) if isinstance(said, str) else said, place, properties)
        except (JsonFault, NotResults) as fault:
            findings.fault(place, str(fault))


def _json_lines(file: SourceFile) -> Iterator[tuple[str, str]]:
    with file.opened() as stream, opened_text(stream, detect(stream)) as text:
        for number, line in numbered_lines(text):
            if line is None:
                raise Undecodable([(number, TOO_LONG)])
            if content := line.strip("\ufeff \t\r\n"):
                yield file.line(number), content


def _json_entries(file: SourceFile) -> Iterator[tuple[str, Any]]:
    with file.opened() as stream:
        text, _ = decode(stream.read())
    try:
        document = loads(text.strip("\ufeff \t\r\n"), typed=True)
    except JsonFault as fault:
        raise Undecodable([(None, str(fault))]) from fault
    if isinstance(document, dict):
        document = document.get("records", document.get("results", [document]))
    entries = document if isinstance(document, list) else [document]
    for number, entry in enumerate(entries, start=1):
        yield f"{file.label}, record {number}", entry


def _table(file: SourceFile, properties: Sequence[str], findings: Findings) -> Iterator[ReplayRow]:
    wanted = ("property", "value", "quote", *RECORD_FIELDS, *properties)
    with file.opened() as stream:
        encoding = detect(stream)
        with opened_text(stream, encoding, newline="") as text:
            delimiter = find_delimiter(text.read(_SAMPLE), wanted)
        stream.seek(0)
        with opened_text(stream, encoding, newline="") as text:
            yield from _table_rows(file, text, delimiter, properties, findings)


def _table_rows(
    file: SourceFile, text: TextIO, delimiter: str, properties: Sequence[str], findings: Findings
) -> Iterator[ReplayRow]:
    lines = table_rows(text, delimiter)
    headings: list[str] | None = None
    line = 0

    def cells() -> Iterator[tuple[str, dict[str, str]]]:
        nonlocal line
        for line, row in lines:
            fields = fields_of(headings or [], row, file.line(line), findings)
            if fields is not None:
                yield file.line(line), fields

    try:
        first = next(lines, None)
        if first is None:
            findings.fault(file.label, "the file is empty; expected a heading row")
            return
        line = first[0]
        headings = headings_of(first[1], file.line(line), findings)
        if headings is None:
            return
        if not {h.casefold() for h in headings} & {*RECORD_FIELDS, "text"}:
            findings.fault(file.line(line), "no column says which record a row speaks of; expected 'record' or 'iri'")
            return
        if not has_results(headings, properties):
            wanted = ", ".join(properties)
            message = (
                f"no column holds results; expected 'property' and 'value', or columns named as properties ({wanted})"
            )
            findings.fault(file.line(line), message)
            return
        yield from rows_of_table(cells(), headings, properties)
    except csv.Error as error:
        findings.fault(file.line(line + 1), f"is not valid CSV: {error}")
