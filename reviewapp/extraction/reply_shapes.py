"""From a reply's JSON to readings, whoever wrote it: a model, a program, or another system's export.

The shape asked for is ``{"readings": [{"property", "value", "quote"}, …]}``. What else people and models send is read
where it can mean one thing only:

- the list alone, or under another name (``values``, ``extractions``, ``results`` …), or all within one more object
- one object per property: ``{"width": {"value": "600 mm", "quote": "…"}}``, ``{"width": "600 mm"}``
- names of fields in capitals; a property by an alias that only it has, or with its unit (``width (cm)``)
- readings without a property, where the workflow has only one
- a quote as a list of pieces, as an object with its words, or none: then the value's own words are the quote
- a value as ``{"value": 600, "unit": "mm"}``, or a list of values, each a reading of its own
- a value that says that there is none (null, ``""``, ``n/a``): no reading

Everything read here is still to be found in the text and checked; nothing in a reply moves a check.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from reviewapp.domain.places import Span
from reviewapp.domain.properties import Property, Value
from reviewapp.domain.tests import Reading

LISTS: Final = ("readings", "values", "extractions", "results", "records", "items", "fields", "properties", "data")
PROPERTY: Final = ("property", "name", "field", "key", "label", "extraction_class", "class", "attribute")
VALUE: Final = ("value", "normalized_value", "normalised_value", "answer", "extraction_text")
QUOTE: Final = ("quote", "evidence", "quotation", "citation", "source_text", "excerpt", "snippet", "extraction_text")
CONFIDENCE: Final = ("confidence", "support", "probability", "score")
WORDS: Final = ("text", "quote", "words", "content")
NOTHING: Final = ("", "null", "none", "n/a", "nan", "not stated", "not found", "not given", "unknown", "undefined")
"""Values that say that there is none, when no quote stands with them."""
READINGS_LIMIT: Final = 1_000
"""Most readings of one reply."""
PROPERTY_CHARACTERS: Final = 100
_PIECES: Final = " … "
_FIELDS: Final = frozenset({*LISTS, *PROPERTY, *VALUE, *QUOTE, *CONFIDENCE, "unit", "start", "end", "char_interval"})


class Unreadable(ValueError):
    """The document is no reply; the message is one sentence without its place."""


def readings_of(document: Any, properties: Sequence[Property]) -> tuple[Reading, ...]:
    """The readings of a reply, in its order; none is a reply too. Raises `Unreadable`."""
    names = _Names(properties)
    readings = tuple(reading for row in _rows(document, names) for reading in _readings(row, names))
    if len(readings) > READINGS_LIMIT:
        raise Unreadable(f"The reply has {len(readings):,} readings; at most {READINGS_LIMIT:,} are taken.")
    return readings


class _Names:
    """The properties by name, whatever case and separators a reply writes."""

    def __init__(self, properties: Sequence[Property]) -> None:
        self._known = {_folded(p.name): p.name for p in properties}
        others = [(_folded(alias), p.name) for p in properties for alias in p.aliases]
        others += [(_folded(f"{p.name} {p.unit}"), p.name) for p in properties if p.unit]
        meant = dict(others)
        for said in {said for said, name in others if meant[said] != name}:  # of two properties
            del meant[said]
        self._known = meant | self._known
        self.only = properties[0].name if len(properties) == 1 else None

    def knows(self, said: str) -> bool:
        return _folded(said) in self._known

    def meant(self, said: Any) -> str:
        return self._known.get(_folded(str(said)), str(said))


def _folded(name: str) -> str:
    return "".join(c for c in name.casefold() if c.isalnum()) or name


def _rows(document: Any, names: _Names) -> Iterator[dict[str, Any]]:
    """One object per reading, each with its property."""
    if isinstance(document, list):
        for row in document:
            if not isinstance(row, dict):
                raise Unreadable(f"A reading in the reply is {_shown(row)}; expected an object with a value.")
            yield from _rows_of_entry(row, names)
        return
    if not isinstance(document, dict):
        raise Unreadable(f"The reply is {_shown(document)}; expected readings.")
    document = _plain(document)
    for name in LISTS:
        inner = document.get(name)
        if isinstance(inner, list | dict) and not names.knows(name):
            yield from _rows(inner, names)
            return
    if len(document) == 1 and not any(names.knows(name) for name in document):
        ((name, inner),) = document.items()
        if name == LISTS[0] and inner is None:
            return
        if isinstance(inner, dict) and inner:  # the whole reply within one more object
            yield from _rows(inner, names)
            return
    yield from _rows_of_entry(document, names)


def _plain(row: dict[str, Any]) -> dict[str, Any]:
    """With the names of our own fields in small letters."""
    return {low if (low := name.casefold()) in _FIELDS and low not in row else name: row[name] for name in row}


def _rows_of_entry(row: dict[str, Any], names: _Names) -> Iterator[dict[str, Any]]:
    row = _plain(row)
    if (said := _first(row, PROPERTY, names)) is not None and (_has(row, VALUE) or _has(row, QUOTE)):
        yield row | {"property": names.meant(said)}
    elif any(names.knows(key) for key in row):  # one object per property; what is no property says so later
        for key, content in row.items():
            for one in (
                content if isinstance(content, list) and all(isinstance(c, dict) for c in content) else [content]
            ):
                fields = _plain(one) if isinstance(one, dict) else {"value": one}
                if not (_has(fields, VALUE) or _has(fields, QUOTE)):
                    fields = {"value": one}
                yield fields | {"property": names.meant(key)}
    elif _has(row, VALUE) and names.only is not None:
        yield row | {"property": names.only}
    elif row:
        raise Unreadable(f"The reply's {_shown(row)} names no property and no value; expected both.")


def _readings(row: Mapping[str, Any], names: _Names) -> Iterator[Reading]:
    quote, hint = _quote(row)
    if quote and not any(key in row for key in VALUE):
        raise Unreadable(f"The reply's {_shown(row)} has a quote and no value; expected one, or null for none.")
    value = _get(row, VALUE)
    many = value if isinstance(value, list) and not all(isinstance(v, str) and len(v) == 1 for v in value) else [value]
    for one in many:
        said = _value(one, row.get("unit"))
        if said is None or (isinstance(said, str) and said.strip().casefold() in NOTHING and not quote):
            continue
        yield Reading(
            property=names.meant(row["property"])[:PROPERTY_CHARACTERS],
            value=said,
            quote=quote or _own_words(said),
            hint=hint or _span(row),
            confidence=_confidence(row),
        )


def _own_words(said: Value) -> str:
    """A value as a text may state it; empty where that is not to be known."""
    if isinstance(said, bool):
        return ""
    return said if isinstance(said, str) else str(said).removesuffix(".0")


def _value(said: Any, unit: Any = None) -> Value | None:
    """A value as a text, number or bool; None where there is none."""
    if isinstance(said, dict):
        if not _has(said, ("value", "amount", "number")):
            return json.dumps(said, ensure_ascii=False) if said else None
        return _value(_get(said, ("value", "amount", "number")), said.get("unit") or said.get("currency") or unit)
    if isinstance(said, list):
        return ", ".join(str(v) for v in said) if said else None
    if isinstance(said, float) and not math.isfinite(said):
        return str(said)
    if said is None or isinstance(said, bool):
        return said
    if isinstance(said, int | float | str):
        named = isinstance(unit, str) and unit.strip() and not str(said).rstrip().endswith(unit.strip())
        return f"{said} {str(unit).strip()}" if named and str(said).strip() else said
    return str(said)


def _quote(row: Mapping[str, Any]) -> tuple[str, Span | None]:
    """The quote's words, and where it says they stand."""
    said = _get(row, QUOTE)
    if isinstance(said, dict):
        return str(_get(said, WORDS) or ""), _span(said)
    if isinstance(said, list):
        pieces = [str(_get(p, WORDS) or "") if isinstance(p, dict) else str(p) for p in said if p is not None]
        return _PIECES.join(p for p in pieces if p.strip()), None
    return "" if said is None else str(said), None


def _span(row: Mapping[str, Any]) -> Span | None:
    interval = row.get("char_interval")
    at = interval if isinstance(interval, dict) else row
    start, end = _get(at, ("start", "start_pos", "begin")), _get(at, ("end", "end_pos"))
    whole = all(isinstance(p, int) and not isinstance(p, bool) for p in (start, end))
    return Span(start=start, end=end) if whole and 0 <= start < end else None


def _confidence(row: Mapping[str, Any]) -> float | None:
    """0 to 1; what is out of range says nothing."""
    return probability_of(_get(row, CONFIDENCE))


def probability_of(said: Any) -> float | None:
    """A number from 0 to 1, also as ``"0.9"`` or ``"90%"``; None: it is none."""
    if isinstance(said, str):
        try:
            said = float(said.strip().removesuffix("%")) / (100 if said.strip().endswith("%") else 1)
        except ValueError:
            return None
    if isinstance(said, bool) or not isinstance(said, int | float) or not 0 <= said <= 1:
        return None
    return float(said)


def _has(row: Mapping[str, Any], keys: Sequence[str]) -> bool:
    return any(key in row for key in keys)


def _get(row: Mapping[str, Any], keys: Sequence[str]) -> Any:
    """The first of these fields that is there and not null."""
    return next((row[key] for key in keys if row.get(key) is not None), None)


def _first(row: Mapping[str, Any], keys: Sequence[str], names: _Names) -> str | None:
    """What names the property: a field of these with a text, first one with a name that the workflow has."""
    listed = [v[0] if isinstance(v, list) and len(v) == 1 else v for key in keys if (v := row.get(key)) is not None]
    said = [v for v in listed if isinstance(v, str) and v.strip()]
    return next((s for s in said if names.knows(s)), said[0] if said else None)


def _shown(said: Any) -> str:
    words = json.dumps(said, ensure_ascii=False, default=str)
    return words if len(words) <= 80 else f"{words[:77]}…"
