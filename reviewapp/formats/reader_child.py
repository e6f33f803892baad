"""The child process that reads whole documents: one file a request, what it holds as lines of a file, faults answered.

Run as ``python -P reader_child.py``.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

# This file's folder is not on the path (-P): reviewapp is found as installed, or beside it.
sys.path.append(str(Path(__file__).resolve().parents[2]))

from reviewapp.child import line_of, private_pipes, write
from reviewapp.errors import ImportFaults
from reviewapp.formats.datasets.xlsx_sheet import cells
from reviewapp.formats.findings import Findings
from reviewapp.formats.readers import read_here
from reviewapp.formats.rows import Columns
from reviewapp.formats.sources import SourceFile


def main() -> None:
    """Answer until stdin ends; a file that takes too much memory ends the process."""
    requests, answers = private_pipes()
    for line in requests:
        write(answers, line_of(_answer(json.loads(line))))


def _answer(asked: dict[str, Any]) -> dict[str, Any]:
    path, findings = Path(asked["file"]), Findings()
    with Path(asked["to"]).open("w", encoding="utf-8") as made:
        try:
            for row in cells(path.read_bytes()) if asked["do"] == "cells" else _records(asked, path, findings):
                made.write(json.dumps(row) + "\n")
        except ImportFaults as stopped:  # of records so many that looking on is of no use
            findings.faults = [*stopped.faults]
    return {"notes": findings.notes, "faults": [(fault.place, fault.message) for fault in findings.faults]}


def _records(asked: dict[str, Any], path: Path, findings: Findings) -> Iterator[tuple[str, dict[str, Any]]]:
    source = SourceFile(**asked["source"], opened=lambda: path.open("rb"))
    chosen = asked["columns"]
    columns = Columns(tuple(chosen["text"]), chosen["name"], chosen["iri"])
    for place, record in read_here(source, columns, findings):
        yield place, record.model_dump(exclude_defaults=True)


if __name__ == "__main__":
    main()
