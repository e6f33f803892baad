"""One JSON object of a file of results: which system wrote it, and what it says in our shape.

- ours: ``{"record": "…", "readings": [{"property", "value", "quote"}, …]}``, or ``"failed": "why"`` instead of readings
- langextract: ``{"document_id", "text", "extractions": [{"extraction_class", "extraction_text", "char_interval"}]}``;
  null instead of the list where it did not read the document
- Label Studio: ``{"data": {…}, "predictions": [{"result": […]}]}``; of several predictions the newest counts
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from reviewapp.formats.replays.rows import RECORD_FIELDS, TEXT_FIELDS, ReplayRow, failure_of, record_of, text_of

_ADDRESS: Final = (*RECORD_FIELDS, *TEXT_FIELDS, "graph", "collection")


class NotResults(ValueError):
    """The object holds no results; the message is a sentence without its place."""


def row_of(content: Any, place: str, properties: Sequence[str] = ()) -> ReplayRow:
    """The row of one object; `properties` are what fields may be named as. Raises NotResults."""
    if not isinstance(content, dict):
        raise NotResults("expected an object with a record and its readings")
    if isinstance(content.get("extractions"), list):
        return _of_langextract(content, place)
    if isinstance(content.get("data"), dict) and ("predictions" in content or "annotations" in content):
        return _of_label_studio(content, place)
    if content.get("extractions", "") is None:
        return ReplayRow(place, record_of(content), text_of(content), [], failed="langextract read nothing here.")
    said = {name: value for name, value in content.items() if name not in _ADDRESS}
    if why := failure_of(said, properties):
        return ReplayRow(place, record_of(content), text_of(content), [], failed=why)
    if not said:
        raise NotResults('holds no results; expected "readings", each with property, value and quote')
    if record_of(content) is None and text_of(content) is None:
        raise NotResults(f"does not say which record it speaks of; name it in a field {RECORD_FIELDS[1]!r}")
    return ReplayRow(place, record_of(content), text_of(content), said)


def _of_langextract(content: dict[str, Any], place: str) -> ReplayRow:
    readings = []
    for extraction in content["extractions"]:
        if not isinstance(extraction, dict):
            raise NotResults("an entry of its extractions is no object")
        words = extraction.get("extraction_text")
        attributes = extraction.get("attributes") or {}
        value = attributes.get("value", words) if isinstance(attributes, dict) else words
        unit = attributes.get("unit") if isinstance(attributes, dict) and "value" in attributes else None
        readings.append(
            {
                "property": extraction.get("extraction_class"),
                "value": value,
                "unit": unit,
                "quote": words,
                "char_interval": extraction.get("char_interval"),
            }
        )
    return ReplayRow(place, record_of(content), text_of(content), {"readings": readings})


def _of_label_studio(content: dict[str, Any], place: str) -> ReplayRow:
    data: dict[str, Any] = content["data"]
    made = [p for p in content.get("predictions") or [] if isinstance(p, dict) and isinstance(p.get("result"), list)]
    if not made:
        raise NotResults("the task has no predictions; export it with them")
    newest = max(enumerate(made), key=lambda p: (str(p[1].get("created_at") or ""), p[0]))[1]
    text = text_of(data) or next((v for v in data.values() if isinstance(v, str) and len(v) > 1), None)
    readings = [r for result in newest["result"] for r in _label_studio_readings(result, newest.get("score"), text)]
    named = record_of(data)
    return ReplayRow(place, named if named != text else None, text, {"readings": readings})


def _label_studio_readings(result: Any, score: Any, text: str | None) -> list[dict[str, Any]]:
    """A label on a piece of text names the property; a choice, number or text field is a property by its name.

    Raises NotResults for a label without its words, where they cannot be cut out of the text either.
    """
    value = result.get("value") if isinstance(result, dict) else None
    if not isinstance(value, dict):
        return []
    confidence = result.get("score", score)
    labels = value.get("labels") or value.get("hypertextlabels")
    if labels:
        place = {"start": value.get("start"), "end": value.get("end")}
        words = value.get("text") or _cut(text, **place)
        if not words:
            raise NotResults(f"the label {labels!r} says neither its words nor where they stand in the text")
        return [
            {"property": name, "value": words, "quote": words, "confidence": confidence, **place} for name in labels
        ]
    said = next((value[kind] for kind in ("choices", "text", "number", "rating", "datetime") if kind in value), None)
    many = said if isinstance(said, list) else [said]
    return [{"property": result.get("from_name"), "value": v, "confidence": confidence} for v in many if v is not None]


def _cut(text: str | None, start: Any, end: Any) -> str:
    whole = all(isinstance(at, int) and not isinstance(at, bool) for at in (start, end))
    return text[start:end] if text is not None and whole and 0 <= start < end else ""
