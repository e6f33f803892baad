"""Records and collections through the API: what the public protocol leaves to the server."""

from __future__ import annotations

from typing import Any

from reviewapp import records as record_keeping
from reviewapp.api.cursors import decode_cursor, page
from reviewapp.api.endpoint import Call, Endpoint
from reviewapp.api.shapes.common import ListOf, Scope
from reviewapp.api.shapes.records import (
    CollectionQuery,
    CollectionShape,
    ImportShape,
    PropertiesPut,
    RecordByIri,
    RecordDeleted,
    RecordQuery,
    RecordRowShape,
    RecordShape,
    RecordsPost,
)
from reviewapp.domain.records import Collection, IncomingRecord, RecordRow


def bring_in(call: Call[Scope, RecordsPost]) -> ImportShape:
    """Bring records in. Sent again they are `same`; a changed text is `changed`, and tests keep the text they read."""
    incoming = [IncomingRecord(name=r.name, text=r.text, iri=r.iri) for r in call.body.records]
    report = record_keeping.import_records(call.workspace, call.body.collection, incoming, by=call.by)
    return ImportShape(
        collection=report.collection,
        new=report.new,
        same=report.same,
        changed=report.changed,
        iris=list(report.iris),
        notes=list(report.notes),
    )


def list_(call: Call[RecordQuery, None]) -> ListOf[RecordRowShape]:
    """Records of a collection by IRI, without their texts."""
    query = call.query
    after = decode_cursor("records", query.cursor)
    rows = record_keeping.list_records(
        call.workspace,
        query.collection,
        search=query.search,
        after=None if after is None else str(after),
        limit=query.limit + 1,
    )
    return page("records", rows, query.limit, lambda row: row.iri, _show_row)


def _show_row(row: RecordRow) -> RecordRowShape:
    return RecordRowShape(
        iri=row.iri,
        name=row.name,
        characters=row.characters,
        source=row.source,
        created=row.created,
        changed=row.changed,
    )


def get(call: Call[RecordByIri, None]) -> RecordShape:
    """A record with its text."""
    record = record_keeping.get_record(call.workspace, call.query.iri)
    return RecordShape(
        iri=record.iri,
        collection=record.collection,
        name=record.name,
        text=record.text,
        source=record.source,
        page_count=record.page_count,
        created=record.created,
        changed=record.changed,
    )


def delete(call: Call[RecordByIri, None]) -> RecordDeleted:
    """Delete a record. Tests and datasets keep the text they hold."""
    record_keeping.delete_record(call.workspace, call.query.iri, by=call.by)
    return RecordDeleted(iri=call.query.iri)


def get_collections(call: Call[CollectionQuery, None]) -> ListOf[CollectionShape] | CollectionShape:
    """Collections by name, a page at a time; with `name` that one alone."""
    query = call.query
    if query.name is not None:
        return _show_collection(record_keeping.get_collection(call.workspace, query.name))
    after = decode_cursor("collections", query.cursor)
    rows = [c for c in record_keeping.list_collections(call.workspace) if after is None or c.name > str(after)]
    return page("collections", rows[: query.limit + 1], query.limit, lambda c: c.name, _show_collection)


def put_properties(call: Call[Scope, PropertiesPut]) -> CollectionShape:
    """Declare properties: a new name is added, a known one changed. Tests keep the properties they ran with."""
    body = call.body
    return _show_collection(
        record_keeping.declare_properties(call.workspace, body.collection, body.properties, by=call.by)
    )


def _show_collection(collection: Collection) -> CollectionShape:
    return CollectionShape(
        name=collection.name,
        properties=list(collection.properties),
        record_count=collection.record_count,
        created=collection.created,
    )


def _row(method: Any, path: str, role: Any, handler: Any, answer: Any, summary: str, **more: Any) -> Endpoint:
    return Endpoint(method, path, role, handler, answer, tag="Records", summary=summary, **more)


ENDPOINTS = (
    _row(
        "POST",
        "/records",
        "author",
        bring_in,
        ImportShape,
        "Bring records in",
        body=RecordsPost,
        keyed=True,
        refusals=((400, "import_faults"),),
    ),
    _row("GET", "/records", "viewer", list_, ListOf[RecordRowShape], "List records", query=RecordQuery),
    _row("GET", "/records/get", "viewer", get, RecordShape, "A record", query=RecordByIri),
    _row(
        "DELETE",
        "/records",
        "author",
        delete,
        RecordDeleted,
        "Delete a record",
        query=RecordByIri,
        refusals=((404, "not_found"),),
    ),
    _row(
        "GET",
        "/collections",
        "viewer",
        get_collections,
        ListOf[CollectionShape],
        "List collections, or get one",
        query=CollectionQuery,
        also=CollectionShape,
    ),
    _row(
        "PUT",
        "/collections/properties",
        "author",
        put_properties,
        CollectionShape,
        "Declare properties",
        body=PropertiesPut,
        keyed=True,
    ),
)
