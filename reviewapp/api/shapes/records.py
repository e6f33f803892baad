"""Records and collections on the wire."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from reviewapp.api.shapes.common import Moment, Paging, Scope, Shape
from reviewapp.domain.properties import Property
from reviewapp.domain.records import API_TEXT_LIMIT

RECORDS_PER_REQUEST = 500


class RecordIn(Shape):
    name: str = Field(min_length=1, max_length=200)
    text: str = Field(min_length=1, max_length=API_TEXT_LIMIT)
    iri: str | None = Field(default=None, min_length=1, max_length=2_000)
    """Made from collection and name when it is left out."""


class RecordsPost(Shape):
    """Bring records in, all or none."""

    collection: str = Field(min_length=1, max_length=63)
    records: list[RecordIn] = Field(min_length=1, max_length=RECORDS_PER_REQUEST)


class ImportShape(Shape):
    object: Literal["import_report"] = "import_report"
    collection: str
    new: int
    same: int
    changed: int
    iris: list[str]
    """Of the records sent, in their order."""
    notes: list[str]


class RecordQuery(Paging):
    collection: str = Field(min_length=1, max_length=63)
    search: str = Field(default="", max_length=200)
    """Words in name or text."""
    limit: int = Field(default=100, ge=1, le=200)


class RecordByIri(Scope):
    iri: str = Field(min_length=1, max_length=2_000)


class RecordRowShape(Shape):
    iri: str
    object: Literal["record"] = "record"
    name: str
    characters: int
    source: str | None
    created: Moment
    changed: Moment


class RecordShape(Shape):
    iri: str
    object: Literal["record"] = "record"
    collection: str
    name: str
    text: str
    source: str | None
    page_count: int
    created: Moment
    changed: Moment


class RecordDeleted(Shape):
    iri: str
    object: Literal["record"] = "record"
    deleted: Literal[True] = True


class CollectionShape(Shape):
    name: str
    object: Literal["collection"] = "collection"
    properties: list[Property]
    record_count: int
    created: Moment


class CollectionQuery(Paging):
    """Without `name` a page of all collections, with it that one."""

    name: str | None = Field(default=None, max_length=63)
    limit: int = Field(default=100, ge=1, le=200)


class PropertiesPut(Shape):
    """Declare properties for a collection; those it has and that are not named stay."""

    collection: str = Field(min_length=1, max_length=63)
    properties: list[Property] = Field(min_length=1, max_length=500)
