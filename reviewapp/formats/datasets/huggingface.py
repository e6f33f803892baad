"""A Hugging Face dataset: a zip to be unpacked into a folder that ``datasets.load_dataset("FOLDER")`` reads.

``README.md`` is the data card; its header names the columns with their types, so that no column's type is guessed from
the first rows. ``data/items.jsonl`` has a row per item. Types of values differ, so `value` is their text and `json` the
value itself.
"""

from __future__ import annotations

import json
import tempfile
import zipfile
from collections.abc import Iterable, Iterator
from copy import deepcopy
from typing import Any

import yaml

from reviewapp.domain.datasets import Expected, Install, Item
from reviewapp.formats.answer_key import POSITIONS
from reviewapp.formats.answers_table import PIECE_BYTES
from reviewapp.formats.datasets.form import Head, Imported, Losses, expected_fields, json_bytes, read_head
from reviewapp.formats.datasets.jsonl import collect, json_of, rows_of
from reviewapp.formats.zips import opened, put

ROWS, CARD, HEAD = "data/items.jsonl", "README.md", "dataset.json"
_TEXTS = ("property", "value", "json", "type", "unit", "quote", "stated", "reason")
_EXPECTED = [
    *({"name": name, "dtype": "string"} for name in _TEXTS),
    {"name": "accept", "sequence": "string"},
    {"name": "spans", "list": [{"name": "start", "dtype": "int64"}, {"name": "end", "dtype": "int64"}]},
]
FEATURES = [
    *({"name": name, "dtype": "string"} for name in ("name", "text", "iri", "case", "source_kind", "source")),
    {"name": "values", "list": _EXPECTED},
    {"name": "leave_out", "list": deepcopy(_EXPECTED)},  # YAML would write a second mention as an alias
]


def write(head: Head, items: Iterable[Item], losses: Losses) -> Iterator[bytes]:  # noqa: ARG001 - holds everything
    with tempfile.TemporaryFile() as rows, tempfile.TemporaryFile() as archive:
        count = 0
        for item in items:
            rows.write(json_bytes(_row(item, head.install)) + b"\n")
            count += 1
        with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as zipped:
            put(zipped, CARD, _card(head, count).encode())
            put(zipped, HEAD, json_bytes(head.model_dump(mode="json"), indent=2) + b"\n")
            put(zipped, ROWS, rows)
        archive.seek(0)
        while piece := archive.read(PIECE_BYTES):
            yield piece


def _row(item: Item, install: Install) -> dict[str, Any]:
    return {
        "name": item.name,
        "text": item.text,
        "iri": item.iri,
        "case": item.case,
        "source_kind": None if item.source is None else item.source.kind,
        "source": None if item.source is None else item.source.id,
        "values": [_expected(e, install) for e in item.values],
        "leave_out": [_expected(e, install) for e in item.leave_out],
    }


def _expected(expected: Expected, install: Install) -> dict[str, Any]:
    fields = expected_fields(expected, install)
    value = fields.pop("value")
    printed = None if value is None else value if isinstance(value, str) else json.dumps(value)
    fields |= {"value": printed, "json": json.dumps(value, ensure_ascii=False)}
    return {name: fields.get(name) for name in (*_TEXTS, "accept")} | {"spans": fields.get("spans", [])}


def _card(head: Head, count: int) -> str:
    about = {
        "pretty_name": head.name,
        "task_categories": ["token-classification"],
        "size_categories": [_size(count)],
        "configs": [{"config_name": "default", "data_files": [{"split": "train", "path": ROWS}]}],
        "dataset_info": {"features": FEATURES},
    }
    header = yaml.safe_dump(about, allow_unicode=True, sort_keys=False)
    properties = "\n".join(
        f"- `{name}`: {kind}{f' in {head.install.units[name]}' if name in head.install.units else ''}"
        for name, kind in head.install.properties.items()
    )
    lines = "\n".join(head.about)
    return f"""---
{header}---

# {head.name}

{count:,} texts with the values that a correct run reads in them (`values`) and those that it must leave out
(`leave_out`; a `json` of `null`: any value). Answers of people, exported from reviewapp.

{lines}

Properties:

{properties or "- none are named"}

`spans` say where a quote stands: {POSITIONS}. `accept`, where it is there, lists the spellings that count as right, in
lower case. Licence and origin of the texts are those of whoever collected them; name them here before publishing.
"""


def _size(count: int) -> str:
    for limit, words in ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M")):
        if count < limit:
            return words
    return "1M<n<10M"


def read(data: bytes) -> Imported:
    """The zip that `write` made. Raises `ImportFaults`."""
    with opened(data, "the zip", kind="Hugging Face folder", expected=f"{CARD}, {HEAD} and {ROWS}") as archive:
        rows, told = archive.read(ROWS), archive.read(HEAD)
    head = read_head(json_of(told, HEAD), HEAD)
    found = collect(rows_of(rows, ROWS), ROWS, _fields, install=head.install)
    return found.model_copy(update={"about": head.about})


def _fields(row: dict[str, Any], place: str) -> dict[str, Any]:  # noqa: ARG001
    fields = {name: row.get(name) for name in ("name", "text", "iri", "case")}
    if row.get("source_kind"):
        fields["source"] = {"kind": row["source_kind"], "id": row.get("source")}
    for side in ("values", "leave_out"):
        fields[side] = [_entry(entry) for entry in row.get(side) or []]
    return {name: value for name, value in fields.items() if value is not None}


def _entry(entry: dict[str, Any]) -> dict[str, Any]:
    kept = {name: value for name, value in entry.items() if value is not None and name not in ("value", "json")}
    return {**kept, "value": json.loads(entry["json"])}
