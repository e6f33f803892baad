"""The answer key as one of the forms: a zip with ``records.json`` and ``expected.json`` (`formats.answer_key`).

Equal items give equal bytes.
"""

from __future__ import annotations

import json
import tempfile
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from reviewapp.domain.datasets import Dataset, DatasetFiles, Install, Item
from reviewapp.formats.answer_key import EXPECTED, POSITIONS, RECORDS, read_zip
from reviewapp.formats.answers_table import PIECE_BYTES
from reviewapp.formats.datasets.form import Head, Imported, Losses, item_fields
from reviewapp.formats.zips import put


def write(head: Head, items: Iterable[Item], losses: Losses) -> Iterator[bytes]:  # noqa: ARG001 - holds everything
    """Items are gone through once, with two files on disk, so that memory stays small."""
    with tempfile.TemporaryFile() as texts, tempfile.TemporaryFile() as values, tempfile.TemporaryFile() as archive:
        texts.write(b"[")
        values.write((_indented(_opening(head.about, head.install))[:-2] + ',\n  "records": [').encode())
        separator = "\n"
        for item in items:
            record, expected = _halves(item)
            texts.write((separator + _indented(record, 2)).encode())
            values.write((separator + _indented(expected, 4)).encode())
            separator = ",\n"
        texts.write(b"\n]\n")
        values.write(b"\n  ]\n}\n")
        with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as zipped:
            put(zipped, RECORDS, texts)
            put(zipped, EXPECTED, values)
        archive.seek(0)
        while piece := archive.read(PIECE_BYTES):
            yield piece


def read(data: bytes) -> Imported:
    """Raises `ImportFaults`."""
    key = read_zip(data)
    return Imported(about=key.about, install=key.install, items=key.items)


def dataset_files(dataset: Dataset, items: Iterable[Item]) -> DatasetFiles:
    """Both files as plain data."""
    halves = [_halves(item) for item in items]
    return DatasetFiles(
        records=[record for record, _ in halves],
        expected={**_opening(dataset.about, dataset.install), "records": [expected for _, expected in halves]},
    )


def _opening(about: Sequence[str], install: Install) -> dict[str, Any]:
    told = {"about": list(about)} if about else {}
    return {**told, "install": install.model_dump(mode="json", exclude_defaults=True), "positions": POSITIONS}


def _halves(item: Item) -> tuple[dict[str, Any], dict[str, Any]]:
    """An item's record, and what is expected of it."""
    expected = item_fields(item, Install())
    record: dict[str, Any] = {"name": item.name}
    record |= {name: expected.pop(name) for name in ("text", "iri") if name in expected}
    return record, expected


def _indented(content: Any, by: int = 0) -> str:
    text = json.dumps(content, ensure_ascii=False, indent=2, allow_nan=False)
    return " " * by + text.replace("\n", "\n" + " " * by)
