"""Label Studio: a JSON list of tasks, each with the answers as an annotation.

A value is a region: a label (the property) over its quote, and a text field of the same id with the value. Label Studio
counts positions in UTF-16 units, as browsers do; here they are code points, so they are converted both ways. A value
without a place in the text is a text field of the whole task. The labelling interface must have
``<Labels name="property" toName="text">`` and ``<TextArea name="value" toName="text" perRegion="true">``;
`interface_for` makes it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from html import escape
from typing import Any

from reviewapp.domain.datasets import Expected, Install, Item
from reviewapp.domain.tests import InputResult
from reviewapp.errors import Fault, ImportFaults
from reviewapp.formats.datasets.form import Head, Imported, Losses, item_fields, json_bytes, read_head
from reviewapp.formats.datasets.jsonl import collect, json_of

FILE = "tasks.json"
OURS = "reviewapp"


def write(head: Head, items: Iterable[Item], losses: Losses) -> Iterator[bytes]:
    return write_tasks(head, ((item, None) for item in items), losses)


def write_tasks(
    head: Head,
    tasks: Iterable[tuple[Item, InputResult | None]],
    losses: Losses,  # noqa: ARG001 - holds everything
) -> Iterator[bytes]:
    """Items as annotations; with a result beside an item, what the test read is its prediction."""
    separator = b"[\n"
    for item, result in tasks:
        yield separator + json_bytes(_task(head if separator == b"[\n" else None, item, result, head.install))
        separator = b",\n"
    yield b"\n]\n" if separator == b",\n" else b"[]\n"


def _task(head: Head | None, item: Item, result: InputResult | None, install: Install) -> dict[str, Any]:
    fields = item_fields(item, install)
    data = {name: fields.pop(name) for name in ("text", "name", "iri") if name in fields}
    if head is not None:
        fields["head"] = head.model_dump(mode="json", exclude={"name"}, exclude_defaults=True)
    task: dict[str, Any] = {"data": data, "meta": {OURS: fields}}
    units = Utf16(item.text)
    task["annotations"] = [{"result": [r for n, e in enumerate(item.values) for r in _region(n, e, units)]}]
    if result is not None:
        task["predictions"] = [_prediction(result, units)]
    return task


def _prediction(result: InputResult, units: Utf16) -> dict[str, Any]:
    regions: list[dict[str, Any]] = []
    supports = []
    for number, value in enumerate(result.values):
        expected = Expected(property=value.property, value=value.printed, quote=value.quote or None, spans=value.spans)
        score = {} if value.support is None else {"score": value.support}
        regions += [{**region, **score} for region in _region(number, expected, units)]
        supports += [] if value.support is None else [value.support]
    lowest = {"score": min(supports)} if supports else {}
    return {"model_version": "reviewapp", **lowest, "result": regions}


def _region(number: int, expected: Expected, units: Utf16) -> Iterator[dict[str, Any]]:
    """The results that stand for one value: its label and its text field."""
    id = f"value-{number}"
    printed = expected.value if isinstance(expected.value, str) else json.dumps(expected.value)
    if not expected.spans:
        name = f"{expected.property}: {printed}"
        yield {"id": id, "from_name": "unplaced", "to_name": "text", "type": "textarea", "value": {"text": [name]}}
        return
    start, end = expected.spans[0].start, expected.spans[-1].end
    place = {"start": units.of(start), "end": units.of(end), "text": units.text[start:end]}
    labelled = {**place, "labels": [expected.property]}
    yield {"id": id, "from_name": "property", "to_name": "text", "type": "labels", "value": labelled}
    told = {**place, "text": [printed]}
    yield {"id": id, "from_name": "value", "to_name": "text", "type": "textarea", "value": told}


class Utf16:
    """Positions of a text in UTF-16 units and back."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._wide = [] if text.isascii() else [n for n, c in enumerate(text) if c > "\uffff"]

    def of(self, position: int) -> int:
        """Code points → UTF-16 units."""
        return position + sum(wide < position for wide in self._wide)

    def back(self, units: int) -> int:
        """UTF-16 units → code points; a position within a pair is that of its character."""
        position = units
        for wide in self._wide:
            if wide >= position - 1:
                return position if wide >= position else position - 1
            position -= 1
        return position


def interface_for(install: Install) -> str:
    """The labelling interface (XML) for tasks of a dataset."""
    labels = "\n".join(f'    <Label value="{escape(name)}"/>' for name in install.properties)
    return f"""<View>
  <Labels name="property" toName="text">
{labels}
  </Labels>
  <Text name="text" value="$text" granularity="character"/>
  <TextArea name="value" toName="text" perRegion="true" maxSubmissions="1"/>
  <TextArea name="unplaced" toName="text"/>
</View>
"""


def read(data: bytes) -> Imported:
    """Tasks of ours come back as they were, unless their first annotation was changed: then its regions count.

    Tasks of others need `data.text` and regions as above. Raises `ImportFaults`.
    """
    tasks = json_of(data, FILE)
    if not isinstance(tasks, list):
        raise ImportFaults([Fault(FILE, "expected a list of tasks")])
    # Label Studio may give the tasks back in another order.
    told: Any = next((ours["head"] for task in tasks if "head" in (ours := _ours(task))), {})
    head = read_head(told, FILE)
    rows = ((f"task {n}", task) for n, task in enumerate(tasks, start=1))
    found = collect(rows, FILE, lambda task, place: _fields(task, place, head.install), install=head.install)
    return found.model_copy(update={"about": head.about})


def _ours(task: Any) -> dict[str, Any]:
    meta = task.get("meta") if isinstance(task, dict) else None
    found = meta.get(OURS) if isinstance(meta, dict) else None
    return found if isinstance(found, dict) else {}


def _fields(task: Any, place: str, install: Install) -> dict[str, Any]:
    data = task["data"]
    if not isinstance(data["text"], str):
        raise TypeError(data["text"])
    fields = {k: v for k, v in _ours(task).items() if k != "head"}
    fields |= {"name": data.get("name") or place, "text": data["text"]}
    fields |= {"iri": data["iri"]} if data.get("iri") else {}
    units = Utf16(data["text"])
    annotations = [a for a in task.get("annotations") or [] if isinstance(a, dict) and not a.get("was_cancelled")]
    if not annotations:
        return fields
    drawn = _values(annotations[0].get("result") or [], units, install)
    try:
        ours = Item.model_validate({**fields, "values": [_plain(v) for v in fields.get("values", [])], "leave_out": []})
        kept = [r for n, e in enumerate(ours.values) for r in _region(n, e, units)]
        unchanged = _values(kept, units, install) == drawn
    except ValueError:
        unchanged = True  # the faults are told by whoever takes the fields
    return fields if unchanged else {**fields, "values": drawn}


def _plain(entry: Any) -> Any:
    return {k: v for k, v in entry.items() if k not in ("type", "unit")} if isinstance(entry, dict) else entry


def _values(results: list[Any], units: Utf16, install: Install) -> list[dict[str, Any]]:
    """The values that regions stand for, in their order."""
    by_id: dict[str, dict[str, Any]] = {}
    for result in results:
        value = result.get("value") or {}
        entry = by_id.setdefault(str(result.get("id")), {})
        if result.get("type") == "labels" and value.get("labels"):
            start, end = units.back(int(value["start"])), units.back(int(value["end"]))
            entry |= {"property": value["labels"][0], "spans": [{"start": start, "end": end}]}
            entry["quote"] = units.text[start:end]
        elif result.get("from_name") == "unplaced":
            for told in value.get("text") or []:
                name, _, printed = str(told).partition(": ")
                entry |= {"property": name, "printed": printed}
        elif result.get("type") == "textarea":
            entry["printed"] = " ".join(map(str, value.get("text") or []))
    found = []
    for entry in by_id.values():
        if "property" in entry:
            printed = entry.pop("printed", entry.get("quote", ""))
            kind = install.properties.get(entry["property"])
            found.append({**entry, "value": _typed(printed, kind)})
    return found


def _typed(printed: str, kind: str | None) -> Any:
    if kind in ("i64", "f64", "bool"):
        try:
            value = json.loads(printed)
        except ValueError:
            return printed
        return value if isinstance(value, int | float) else printed
    return printed
