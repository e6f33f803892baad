"""From the fields of one row (a JSON object, a table's row) to a record.

=====  ================================  ====================================================================
field  also called                       rules
=====  ================================  ====================================================================
text   content                           must be there and not empty; several columns join as ``column: value``
name   label, title, id (in this order)  made from file and place where it is missing
iri    id, where it is an IRI and the    no white space; without one the record is known by its name
       name comes from another field
=====  ================================  ====================================================================

Field names are compared without regard to case and surrounding spaces. Other fields are passed over with a note.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from reviewapp.domain.records import FILE_TEXT_LIMIT, IncomingRecord, Page
from reviewapp.domain.texts import clean_text, refused_character
from reviewapp.formats.findings import Findings
from reviewapp.formats.limits import FAULTS
from reviewapp.formats.sources import NAME_CHARACTERS, SourceFile
from reviewapp.formats.strict_json import kind_of

TEXT_FIELDS = ("text", "content")
NAME_FIELDS = ("name", "label", "title", "id")
IRI_CHARACTERS = 2_000
FIELDS_NAMED = 20
"""Fields that one message lists."""
_IRI = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:\S+")
_LAYOUTS_KEPT = 1_000


@dataclass(frozen=True)
class Columns:
    """Which columns the person chose; empty or None: found by their usual names."""

    text: tuple[str, ...] = ()
    name: str | None = None
    iri: str | None = None

    @property
    def chosen(self) -> tuple[str, ...]:
        return tuple(c for c in (*self.text, self.name, self.iri) if c)


@dataclass(frozen=True)
class _Layout:
    """Which field of a row is what."""

    text: tuple[str, ...]
    name: str | None
    iri: str | None
    perhaps_iri: str | None
    extra: tuple[str, ...]


def names_text(fields: Iterable[str], columns: Columns) -> bool:
    """Whether one of the fields holds the text: a chosen one, or one of the usual names."""
    wanted = {_folded(name) for name in (columns.text or TEXT_FIELDS)}
    return any(_folded(field) in wanted for field in fields)


class Placed(NamedTuple):
    """A record and where it came from, for messages."""

    place: str
    """``records.jsonl, line 3``"""
    record: IncomingRecord


class RowReader:
    """Makes the records of one file; `finish` tells what was found about the file as a whole."""

    def __init__(self, source: SourceFile, columns: Columns, findings: Findings) -> None:
        self._source = source
        self._columns = columns
        self._findings = findings
        self._layouts: dict[tuple[str, ...], _Layout] = {}
        self._without_text: list[tuple[str, tuple[str, ...]]] = []
        self._with_text = False
        self._seen: set[str] = set()
        self._extra: dict[str, None] = {}

    def record(self, fields: Mapping[str, Any], place: str, made_name: str) -> IncomingRecord | None:
        """The record of one row; None after a fault has been kept."""
        layout = self._layout(tuple(fields))
        if not layout.text:
            if len(self._without_text) < FAULTS:
                self._without_text.append((place, tuple(fields)))
            return None
        self._with_text = True
        try:
            text = self._text(fields, layout.text)
            name = _one_line(_as_text(fields, layout.name)) or made_name
            iri = _as_text(fields, layout.iri)
        except _NotText as error:
            self._findings.fault(place, str(error))
            return None
        if layout.perhaps_iri is not None:
            candidate = fields[layout.perhaps_iri]
            if isinstance(candidate, str) and _IRI.fullmatch(candidate.strip()):
                iri = candidate
            else:
                self._extra[layout.perhaps_iri] = None
        return make_record(self._source, self._findings, place=place, name=name, text=text, iri=iri)

    def finish(self) -> None:
        """Tell of rows without text, of chosen columns that never came, and of fields passed over."""
        missing = [c for c in self._columns.chosen if _folded(c) not in self._seen]
        if missing and self._seen:
            found = _listed([key for key in self._seen if key])
            self._findings.fault(self._source.label, f"there is no column {_listed(missing)}; found {found}")
        elif self._without_text and not self._with_text:
            place, found_fields = self._without_text[0]
            if len(self._without_text) == 1:
                fault = f"has no text: {_text_expected(found_fields)}"
            else:
                fault = f"has no text (nor has any other row): {_text_expected(found_fields)}"
            self._findings.fault(place, fault)
        else:
            for place, found_fields in self._without_text:
                self._findings.fault(place, f"has no text: {_text_expected(found_fields)}")
        if self._extra:
            self._findings.note(f"{self._source.label}: passed over the fields {_listed(self._extra)}.")

    def _text(self, fields: Mapping[str, Any], keys: tuple[str, ...]) -> str:
        if len(self._columns.text) < 2:
            return _as_text(fields, keys[0]) or ""
        parts = [(key.strip(), _as_text(fields, key)) for key in keys]
        return "\n".join(f"{key}: {value}" for key, value in parts if value and value.strip())

    def _layout(self, keys: tuple[str, ...]) -> _Layout:
        layout = self._layouts.get(keys)
        if layout is None:
            if len(self._layouts) >= _LAYOUTS_KEPT:
                self._layouts.clear()
            layout = self._layouts[keys] = self._find_layout(keys)
            self._seen.update(_folded(key) for key in keys)
        for key in layout.extra if len(self._extra) <= FIELDS_NAMED else ():
            self._extra[key] = None
        return layout

    def _find_layout(self, keys: tuple[str, ...]) -> _Layout:
        by_name = {_folded(key): key for key in reversed(keys)}

        def first(names: tuple[str, ...]) -> str | None:
            return next((by_name[name] for name in names if name in by_name), None)

        def chosen_or(choice: str | None, names: tuple[str, ...]) -> str | None:
            return by_name.get(_folded(choice)) if choice else first(names)

        if self._columns.text:
            text = tuple(by_name[_folded(c)] for c in self._columns.text if _folded(c) in by_name)
        else:
            usual = first(TEXT_FIELDS)
            text = (usual,) if usual is not None else ()
        name = chosen_or(self._columns.name, NAME_FIELDS)
        iri = chosen_or(self._columns.iri, ("iri",))
        spare = by_name.get("id")
        perhaps = spare if iri is None and spare not in (name, *text) else None
        used = {*text, name, iri, perhaps}
        return _Layout(text, name, iri, perhaps, tuple(key for key in keys if key not in used))


def make_record(
    source: SourceFile,
    findings: Findings,
    *,
    place: str,
    name: str,
    text: str,
    iri: str | None = None,
    pages: tuple[Page, ...] = (),
    file: bytes | None = None,
) -> IncomingRecord | None:
    """A record whose text is in the form that is kept; None after its faults have been kept.

    With `pages` the text is taken as it is, since boxes point into it.
    """
    faults: list[str] = []
    for what, value in (("text", text), ("name", name), ("iri", iri or "")):
        refused = refused_character(value)
        if refused is not None:
            position, character = refused
            faults.append(f"the {what} holds {character} at character {position + 1}; remove it")
    clean = clean_text(text)
    if not clean.text.strip():
        faults.append("the text is empty")
    if len(clean.text) > FILE_TEXT_LIMIT:
        faults.append(f"the text has {len(clean.text):,} characters; at most {FILE_TEXT_LIMIT:,}. Split it.")
    if len(name) > NAME_CHARACTERS:
        faults.append(f"the name has {len(name):,} characters; at most {NAME_CHARACTERS}")
    iri = (iri or "").strip() or None
    if iri is not None and (len(iri) > IRI_CHARACTERS or re.search(r"\s", iri)):
        faults.append(f"the iri is not one word of at most {IRI_CHARACTERS:,} characters; found {iri[:60]!r}")
    if faults:
        for fault in faults:
            findings.fault(place, fault)
        return None
    if clean.replaced:
        codes = ", ".join(f"U+{ord(c):04X}" for c in clean.replaced)
        findings.note(f"{source.label}: control characters ({codes}) became spaces.")
    kept = text if pages else clean.text
    return IncomingRecord(name=name, text=kept, iri=iri, source=source.base_name, pages=pages, file=file)


class _NotText(ValueError):
    pass


def _as_text(fields: Mapping[str, Any], key: str | None) -> str | None:
    value = fields.get(key) if key is not None else None
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    raise _NotText(f"the field {key!r} holds {kind_of(value)}; expected a text")


def _one_line(name: str | None) -> str:
    return " ".join(clean_text(name).text.split()) if name else ""


def _folded(name: str) -> str:
    return name.replace("\ufeff", "").strip().casefold()


def _listed(names: Any) -> str:
    shown = [repr(name.encode("utf-8", "replace").decode()) for name in list(names)[:FIELDS_NAMED]]
    return ", ".join(shown) + (", …" if len(names) > FIELDS_NAMED else "")


def _text_expected(found: tuple[str, ...]) -> str:
    return (
        f"found the fields {_listed(found) or '(none)'}; expected 'text', or say which columns hold the text: "
        "with --text COLUMN, or on the page under Columns of tables and JSON"
    )
