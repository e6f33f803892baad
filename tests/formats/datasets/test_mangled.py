"""Files of other hands: whatever stands in them, a fault is told with its place, and nothing is a traceback."""

from __future__ import annotations

import csv
import io
import json
import random
import zipfile
from typing import Any

import pytest
import yaml

from reviewapp.domain.datasets import Expected, Item
from reviewapp.domain.places import Span
from reviewapp.errors import ImportFaults
from reviewapp.formats.datasets import FORMATS
from tests.formats.datasets.test_round_trips import ODD
from tests.formats.datasets.worlds import there

PLAIN = Item(
    name="Item 1",
    text="💩 Width 60 cm",
    values=(Expected(property="width", value=60.0, quote="60 cm", spans=(Span(start=8, end=13),)),),
)
OTHERS: list[Any] = [None, True, 0, -1, 1.5, "", "1-", "a-b", [], {}, [1], {"a": 1}, [None], 10**400, {"start": 1}]
CELLS = ["", "x", "1-", "{}", "[1]", "null", "true", "9" * 5_000, "1,2,3", "-"]


def mangled(value: Any, draw: random.Random) -> Any:
    """The JSON with some values of another kind and some left out."""
    if draw.random() < 0.06:
        return draw.choice(OTHERS)
    if isinstance(value, dict):
        return {key: mangled(inner, draw) for key, inner in value.items() if draw.random() > 0.03}
    if isinstance(value, list):
        return [mangled(inner, draw) for inner in value if draw.random() > 0.03]
    return value


def mangled_file(name: str, data: bytes, draw: random.Random) -> bytes:
    match FORMATS[name].suffix:
        case ".jsonl":
            return b"\n".join(json.dumps(mangled(json.loads(line), draw)).encode() for line in data.splitlines())
        case ".json":
            return json.dumps(mangled(json.loads(data), draw)).encode()
        case ".yaml":
            return json.dumps(mangled(yaml.safe_load(data), draw)).encode()
        case ".csv":
            delimiter = ";" if "semicolon" in name else ","
            rows = list(csv.reader(io.StringIO(data.decode("utf-8-sig")), delimiter=delimiter))
            sheet = io.StringIO()
            writer = csv.writer(sheet, delimiter=delimiter)
            writer.writerows([draw.choice(CELLS) if draw.random() < 0.04 else cell for cell in row] for row in rows)
            return sheet.getvalue().encode()
        case ".zip":
            made = io.BytesIO()
            with zipfile.ZipFile(io.BytesIO(data)) as archive, zipfile.ZipFile(made, "w") as again:
                for file in archive.namelist():
                    content = archive.read(file)
                    if file.endswith(".json"):
                        content = json.dumps(mangled(json.loads(content), draw)).encode()
                    again.writestr(file, content)
            return made.getvalue()
    return data


def with_other_bytes(data: bytes, draw: random.Random) -> bytes:
    changed = bytearray(data)
    for _ in range(draw.randint(1, 6)):
        changed[draw.randrange(len(changed))] = draw.randrange(256)
    return bytes(changed)


@pytest.mark.parametrize("name", [form.name for form in FORMATS.values() if form.read is not None])
def test_a_mangled_file_is_read_or_its_faults_are_told(name: str) -> None:
    draw = random.Random(name)
    read = FORMATS[name].read
    assert read is not None
    whole = there(name, [PLAIN, ODD])
    told: list[ImportFaults] = []
    for _ in range(10 if name == "xlsx" else 60):
        for data in (mangled_file(name, whole, draw), with_other_bytes(whole, draw)):
            try:
                read(data)
            except ImportFaults as faults:
                told.append(faults)
    assert len(told) > 5
    assert all(fault.place and fault.message for faults in told for fault in faults.faults)
