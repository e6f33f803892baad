"""Records and the collections they lie in."""

from __future__ import annotations

from datetime import datetime

from pydantic import Field

from reviewapp.domain.base import Model, Name, Slug
from reviewapp.domain.places import Region
from reviewapp.domain.properties import Property

API_TEXT_LIMIT = 40_000
"""Longest text a record may have when it comes through the API, in characters."""
FILE_TEXT_LIMIT = 4_000_000
"""Longest text a record may have when it comes from a file, in characters."""


class Word(Model):
    """One word of a page and its box."""

    start: int
    """Position of the word in the record's text (code points)."""
    end: int
    region: Region


class Page(Model):
    """One page of a record that came from a file with pages (PDF)."""

    number: int = Field(ge=0)
    """Counted from 0."""
    start: int
    """Where the page begins in the record's text; pages are parted by a form feed."""
    end: int
    width: float
    """In points (1/72 inch)."""
    height: float
    words: tuple[Word, ...] = ()


class IncomingRecord(Model):
    """A record as a file or a caller hands it in, before the workspace has seen it."""

    name: Name
    text: str = Field(max_length=FILE_TEXT_LIMIT)
    """Line ends are ``\\n`` everywhere; a form feed parts pages."""
    iri: str | None = Field(default=None, max_length=2_000)
    """None: made from collection and name."""
    source: str | None = None
    """Base name of the file it came from, never a path."""
    pages: tuple[Page, ...] = ()
    file: bytes | None = None
    """The original PDF, kept so that its pages can be shown."""


class Record(Model):
    """One input of a collection."""

    iri: str
    collection: Slug
    name: Name
    text: str
    text_hash: str
    """SHA-256 of the text, hex; equal texts have equal hashes."""
    source: str | None = None
    created: datetime
    changed: datetime
    """When the text last changed."""
    page_count: int = 0
    """Pages with boxes that can be shown; 0 for records without."""


class RecordRow(Model):
    """A record in a list, without its text."""

    iri: str
    name: str
    characters: int
    source: str | None
    created: datetime
    changed: datetime


class Collection(Model):
    """A named set of records and the properties declared for them."""

    name: Slug
    properties: tuple[Property, ...] = ()
    record_count: int = 0
    created: datetime


class ImportReport(Model):
    """What an import did. Importing the same file again gives only `same`."""

    collection: Slug
    new: int = 0
    same: int = 0
    changed: int = 0
    iris: tuple[str, ...] = ()
    """Of all records of the file, in file order."""
    notes: tuple[str, ...] = ()
    """Sentences for the person: encodings assumed, columns passed over, twins folded."""
