"""The answer key as one of the forms: a zip with ``records.json`` and ``expected.json`` (`formats.answer_key`)."""

from __future__ import annotations

import json
import tempfile
import zipfile
from collections.abc import Iterable, Iterator
from typing import Any

from reviewapp.domain.datasets import Item
from reviewapp.formats.answer_key import EXPECTED, POSITIONS, RECORDS, read_zip
from reviewapp.formats.answers_table import PIECE_BYTES
from reviewapp.formats.datasets.form import Head, Imported, Losses, item_fields
from reviewapp.formats.zips import put


def write(head: Head, items: Iterable[Item], losses: Losses) -> Iterator[bytes]:  # noqa: ARG001 - holds everything
    """Items are gone through once, with two files on disk, so that memory stays small."""
    with tempfile.TemporaryFile() as texts, tempfile.TemporaryFile() as values, tempfile.TemporaryFile() as archive:
        texts.write(b"[")
        opening: dict[str, Any] = {"about": list(head.about)} if head.about else {}
        opening |= {"install": head.install.model_dump(mode="json", exclude_defaults=True), "positions": POSITIONS}
        values.write((_indented(opening)[:-2] + ',\n  "records": [').encode())
        separator = "\n"
        for item in items:
            fields = item_fields(item, EMPTY)
            record = {name: fields.pop(name) for name in ("text", "iri") if name in fields}
            texts.write((separator + _indented({"name": item.name, **record}, 2)).encode())
            values.write((separator + _indented(fields, 4)).encode())
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


def _indented(content: Any, by: int = 0) -> str:
    text = json.dumps(content, ensure_ascii=False, indent=2, allow_nan=False)
    return " " * by + text.replace("\n", "\n" + " " * by)


EMPTY = Head(name="none").install
