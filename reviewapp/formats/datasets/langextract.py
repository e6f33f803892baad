"""langextract: examples for its prompts (few-shot), and annotated documents.

An extraction has the property as its class, the quote as its text, and the value, type, unit … as attributes (texts, as
langextract has them). ``examples.json`` is a list of ``{"text", "extractions"}`` whose objects are the arguments of
``ExampleData`` and ``Extraction``; only values with a quote in the text can be examples. ``documents.jsonl`` loads with
``langextract.io.load_annotated_documents_jsonl``. Positions are code points, end exclusive, as everywhere here.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from reviewapp.domain.datasets import Expected, Install, Item
from reviewapp.formats.datasets.form import Head, Imported, Losses, expected_fields, json_bytes, properties_lost
from reviewapp.formats.datasets.jsonl import collect, rows_of

DOCUMENTS = "documents.jsonl"
CANNOT_HOLD = (
    "values that must be left out",
    "what an item is there to try, its IRI and its source",
)


def write_examples(head: Head, items: Iterable[Item], losses: Losses) -> Iterator[bytes]:
    separator = b"[\n"
    for item in properties_lost(head, items, losses):
        shown = [e for e in item.values if e.quote and e.quote in item.text and len(e.spans) < 2]
        if len(shown) < len(item.values):
            losses.note("values without a quote in one piece, which cannot be examples", len(item.values) - len(shown))
        _note(item, losses)
        if not shown:
            losses.note("items without any such value")
            continue
        extractions = [_extraction(e, item, head.install, n) for n, e in enumerate(shown)]
        example = {"text": item.text, "extractions": [_argument(e) for e in extractions]}
        yield separator + json_bytes(example, indent=1)
        separator = b",\n"
    yield b"\n]\n" if separator == b",\n" else b"[]\n"


def _argument(extraction: dict[str, Any]) -> dict[str, Any]:
    return {name: extraction[name] for name in ("extraction_class", "extraction_text", "attributes")}


def write_documents(head: Head, items: Iterable[Item], losses: Losses) -> Iterator[bytes]:
    for item in properties_lost(head, items, losses):
        _note(item, losses)
        document = {
            "extractions": [_extraction(e, item, head.install, n) for n, e in enumerate(item.values)],
            "text": item.text,
            "document_id": item.name,
        }
        yield json_bytes(document) + b"\n"


def _note(item: Item, losses: Losses) -> None:
    if item.leave_out:
        losses.note(CANNOT_HOLD[0], len(item.leave_out))
    if item.case or item.iri or item.source:
        losses.note(CANNOT_HOLD[1])


def _extraction(expected: Expected, item: Item, install: Install, index: int) -> dict[str, Any]:
    fields = expected_fields(expected, install)
    value = fields.pop("value")
    attributes: dict[str, Any] = {
        "value": value if isinstance(value, str) else json.dumps(value),
        "json": json.dumps(value, ensure_ascii=False),
    }
    attributes |= {name: fields[name] for name in ("type", "unit", "stated", "reason", "accept") if name in fields}
    interval, status = None, None
    if expected.quote is not None:
        spans = expected.spans
        if spans:
            interval = {"start_pos": spans[0].start, "end_pos": spans[-1].end}
        elif expected.quote and (start := item.text.find(expected.quote)) >= 0:
            interval = {"start_pos": start, "end_pos": start + len(expected.quote)}
        attributes["spans"] = "; ".join(f"{s.start}-{s.end}" for s in spans)
        status = "match_exact" if interval else None
    return {
        "extraction_class": expected.property,
        "extraction_text": attributes["value"] if expected.quote is None else expected.quote,
        "char_interval": interval,
        "alignment_status": status,
        "extraction_index": index + 1,
        "group_index": index,
        "description": None,
        "attributes": attributes,
    }


def read_documents(data: bytes) -> Imported:
    """Documents of ours come back as they were, but for what this form cannot hold; those of others give a value for
    every extraction: its attribute `value`, else its text. Raises `ImportFaults`."""
    return collect(rows_of(data, DOCUMENTS), DOCUMENTS, _fields)


def _fields(row: dict[str, Any], place: str) -> dict[str, Any]:
    extractions = row.get("extractions") or []
    return {
        "name": row.get("document_id") or place,
        "text": row.get("text"),
        "values": [_entry(e) for e in extractions if isinstance(e, dict)],
    }


def _entry(extraction: dict[str, Any]) -> dict[str, Any]:
    attributes = extraction.get("attributes") or {}
    entry: dict[str, Any] = {"property": extraction.get("extraction_class")}
    entry |= {name: attributes[name] for name in ("type", "unit", "stated", "reason", "accept") if name in attributes}
    ours = "json" in attributes
    entry["value"] = _value(attributes, extraction.get("extraction_text"))
    if ours and "spans" not in attributes:
        return entry  # no quote
    entry["quote"] = extraction.get("extraction_text")
    interval = extraction.get("char_interval") or {}
    if ours:
        pairs = (piece.split("-") for piece in attributes["spans"].split("; ") if piece)
        entry["spans"] = [{"start": int(a), "end": int(b)} for a, b in pairs]
    elif interval.get("start_pos") is not None and interval.get("end_pos", 0) > interval["start_pos"]:
        entry["spans"] = [{"start": interval["start_pos"], "end": interval["end_pos"]}]
    return entry


def _value(attributes: dict[str, Any], text: Any) -> Any:
    try:
        return json.loads(attributes["json"])
    except (KeyError, TypeError, ValueError):
        return attributes.get("value", text)
