"""pydantic-evals: the YAML file that ``pydantic_evals.Dataset.from_file`` reads.

A case has the text as input and an object of property → value (a list, where several are expected) as expected output;
what else is known of them stands in the metadata, under `reviewapp`. The whole set has the evaluator `EqualsExpected`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from reviewapp.domain.datasets import Item
from reviewapp.errors import Fault, ImportFaults
from reviewapp.formats.datasets.form import Head, Imported, Losses, item_fields, read_head
from reviewapp.formats.datasets.jsonl import collect, text_of
from reviewapp.formats.datasets.yamls import as_list_entry, quoted, read_document

FILE = "dataset.yaml"
OURS = "reviewapp"


def write(head: Head, items: Iterable[Item], losses: Losses) -> Iterator[bytes]:  # noqa: ARG001 - holds everything
    yield f"name: {quoted(head.name)}\nevaluators:\n- EqualsExpected\n".encode()
    # `report_evaluators` and the like are the reader's; ours rides on the first case.
    empty = True
    for item in items:
        if empty:
            yield b"cases:\n"
        fields = item_fields(item, head.install)
        inputs = {name: fields.pop(name) for name in ("text", "iri") if name in fields}
        del fields["name"]
        about = {"head": head.model_dump(mode="json", exclude={"name"}, exclude_defaults=True)} if empty else {}
        case = {
            "name": item.name,
            "inputs": inputs,
            "metadata": {OURS: {**fields, **{k: v for k, v in about.items() if v}}},
            "expected_output": by_property(item),
        }
        yield as_list_entry(case).encode()
        empty = False
    if empty:
        yield b"cases: []\n"


def by_property(item: Item) -> dict[str, Any]:
    """Property → value, or a list of values where several are expected."""
    found: dict[str, list[Any]] = {}
    for expected in item.values:
        found.setdefault(expected.property, []).append(expected.value)
    return {name: values[0] if len(values) == 1 else values for name, values in found.items()}


def read(data: bytes) -> Imported:
    """Cases of ours come back as they were, unless their expected output was changed: then that counts. Cases of
    others give a text (the input itself, or its `text`) and what they expect. Raises `ImportFaults`."""
    document = read_document(text_of(data, FILE), FILE)
    cases = document.get("cases") if isinstance(document, dict) else None
    if not isinstance(cases, list):
        raise ImportFaults([Fault(FILE, "expected `cases: [...]`")])
    told: Any = next((ours["head"] for case in cases if "head" in (ours := _ours(case))), {})
    head = read_head(told, FILE)
    rows = ((f"case {n}", case) for n, case in enumerate(cases, start=1))
    return collect(rows, FILE, _case, install=head.install).model_copy(update={"about": head.about})


def _ours(case: Any) -> dict[str, Any]:
    """What reviewapp keeps of a case in its metadata; nothing of a case of others."""
    metadata = case.get("metadata") if isinstance(case, dict) else None
    found = metadata.get(OURS) if isinstance(metadata, dict) else None
    return found if isinstance(found, dict) else {}


def _case(case: Any, place: str) -> dict[str, Any]:
    inputs = case["inputs"]
    ours = _ours(case)
    fields: dict[str, Any] = {"name": case.get("name") or place, "text": inputs}
    if isinstance(inputs, dict):
        fields["text"] = inputs["text"]
        fields |= {"iri": inputs["iri"]} if inputs.get("iri") else {}
    fields |= {name: ours[name] for name in ("case", "source", "values", "leave_out") if name in ours}
    wanted = case.get("expected_output")
    if wanted is not None and not _same_output(wanted, fields.get("values", [])):
        fields["values"] = [{"property": name, "value": value} for name, value in _expected(wanted)]
    return fields


def _same_output(wanted: Any, values: list[dict[str, Any]]) -> bool:
    """Whether an expected output is the one that these values give (0 is not false)."""
    ours: dict[str, list[Any]] = {}
    for entry in values:
        ours.setdefault(str(entry.get("property")), []).append(entry.get("value"))
    theirs: dict[str, list[Any]] = {}
    for name, value in _expected(wanted):
        theirs.setdefault(str(name), []).append(value)
    return json.dumps(ours, sort_keys=True, default=str) == json.dumps(theirs, sort_keys=True, default=str)


def _expected(output: Any) -> list[tuple[str, Any]]:
    """(property, value) of an expected output; one that is no object is the property `output`."""
    if not isinstance(output, dict):
        return [] if output is None else [("output", output)]
    pairs = []
    for name, value in output.items():
        pairs += [(name, v) for v in (value if isinstance(value, list) else [value]) if v is not None]
    return pairs
