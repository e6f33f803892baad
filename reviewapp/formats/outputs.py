"""Outputs of another system, to be graded on a dataset: by item name, the values it wrote.

JSONL (an object a line) or one JSON list or object::

    {"name": "Item 1", "values": {"width": 60, "colour": ["red", "blue"]}}
    {"name": "Item 2", "values": [{"property": "width", "value": 60, "quote": "600 mm", "outcome": "written"}]}
    {"Item 1": {"width": 60}}

`outcome` says what would happen to the value (`written` by default, `review` …); a null value is none.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, get_args

from reviewapp.domain.tests import Outcome
from reviewapp.errors import Fault, ImportFaults
from reviewapp.formats.datasets.jsonl import rows_of, text_of
from reviewapp.formats.strict_json import JsonFault, kind_of, loads

OUTCOMES = get_args(Outcome)
_FIELDS = ("property", "value", "quote", "outcome", "support")

Outputs = dict[str, list[dict[str, Any]]]


def read_outputs(data: bytes, file: str) -> Outputs:
    """Values by item name. Raises `ImportFaults` with all faults; `file` is what they call it."""
    faults: list[Fault] = []
    found: Outputs = {}
    for place, row in _rows(data, file):
        if isinstance(row, Fault):
            faults.append(row)
            continue
        name = row.get("name")
        if not isinstance(name, str) or not name.strip():
            faults.append(Fault(place, "expected `name`, the item's name, and `values`"))
        elif name.strip() in found:
            faults.append(Fault(place, f"the name {name!r} stands twice; keep one"))
        else:
            found[name.strip()] = _values(row.get("values", row.get("output")), place, faults)
    if not found and not faults:
        faults.append(Fault(file, "holds no output"))
    if faults:
        raise ImportFaults(faults)
    return found


def _rows(data: bytes, file: str) -> Iterable[tuple[str, dict[str, Any] | Fault]]:
    try:
        whole = loads(text_of(data, file), typed=True)
    except JsonFault:
        return rows_of(data, file)
    if isinstance(whole, dict) and not {"values", "output"} & whole.keys():
        whole = [{"name": name, "values": values} for name, values in whole.items()]
    rows = whole if isinstance(whole, list) else [whole]
    places = [f"{file}, entry {n}" for n in range(1, len(rows) + 1)]
    return [
        (place, row if isinstance(row, dict) else Fault(place, f"expected an object, found {kind_of(row)}"))
        for place, row in zip(places, rows, strict=True)
    ]


def _values(values: Any, place: str, faults: list[Fault]) -> list[dict[str, Any]]:
    if isinstance(values, Mapping):
        pairs = [(name, v) for name, value in values.items() for v in (value if isinstance(value, list) else [value])]
        entries = [{"property": name, "value": value} for name, value in pairs]
    elif isinstance(values, list):
        entries = [{f: e.get(f) for f in _FIELDS if f in e} if isinstance(e, dict) else {} for e in values]
    else:
        faults.append(Fault(place, f"`values` must be an object or a list, found {kind_of(values)}"))
        return []
    kept = []
    for entry in entries:
        value = entry.get("value")
        if not isinstance(entry.get("property"), str) or isinstance(value, list | dict):
            faults.append(
                Fault(place, "every value needs `property` (a text) and `value` (a text, number, true or false)")
            )
        elif entry.get("outcome", "written") not in OUTCOMES:
            faults.append(Fault(place, f"outcome {entry['outcome']!r} is none of {', '.join(OUTCOMES)}"))
        elif value is not None:
            kept.append({name: v for name, v in entry.items() if v is not None})
    return kept
