"""What every format of results becomes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

RECORD_FIELDS: Final = ("iri", "record", "name", "document_id", "doc_id", "id", "file", "filename", "title")
"""Fields that say which record a row speaks of, the surest first."""
FAILURES: Final = ("failed", "error")
"""Fields that say why a record could not be read."""
SAID_LIMIT: Final = 500
"""Most characters kept of that."""
TEXT_FIELDS: Final = ("text", "document", "content", "body")


@dataclass(frozen=True)
class ReplayRow:
    """What another system read in one record, or a piece of it."""

    place: str
    """For faults: ``results.csv, line 3``."""
    record: str | None
    """IRI or name of the record; None where only its text says which it is."""
    text: str | None
    """The text that was read, where the file holds it."""
    document: Any
    """The reply, in the shape that programs answer in (docs/programs.md) or near it."""
    failed: str | None = None
    """Why the other system could not read the record; None: it could."""


def record_of(fields: dict[str, Any]) -> str | None:
    """The record that a row's fields name."""
    said = next((fields[f] for f in RECORD_FIELDS if fields.get(f) not in (None, "")), None)
    return None if said is None or isinstance(said, dict | list) else str(said).strip()


def text_of(fields: dict[str, Any]) -> str | None:
    """The text that was read."""
    return next((fields[f] for f in TEXT_FIELDS if isinstance(fields.get(f), str) and fields[f].strip()), None)


def failure_of(fields: dict[str, Any], properties: Sequence[str]) -> str | None:
    """Why the record could not be read, in a line; None: it could. A property of such a name is one."""
    named = [name for name in FAILURES if name not in properties]
    why = next((fields[f] for f in named if isinstance(fields.get(f), str) and fields[f].strip()), None)
    return None if why is None else " ".join(why.split())[:SAID_LIMIT]
