"""Records: bring them in, look at them, remove them; and the properties declared for a collection."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pydantic import TypeAdapter, ValidationError

from reviewapp.domain.base import SLUG_EXPECTED, Slug
from reviewapp.domain.ids import record_iri, text_hash
from reviewapp.domain.properties import Property
from reviewapp.domain.records import Collection, ImportReport, IncomingRecord, Record, RecordRow
from reviewapp.domain.texts import clean_text, refused_character
from reviewapp.errors import Fault, ImportFaults, InvalidInput, NotFound
from reviewapp.extraction.evidence import observe
from reviewapp.store.importing import Moved, Staging
from reviewapp.store.workspace import Workspace

_slug: TypeAdapter[str] = TypeAdapter(Slug)
_NAMED_TWINS = 5
BEGINNING_CHARACTERS = 200
TWINS_NAMED = 5
"""Records of one name that a message lists."""


def import_records(
    workspace: Workspace,
    collection: str,
    records: Iterable[IncomingRecord],
    *,
    by: str,
    notes: Sequence[str] = (),
) -> ImportReport:
    """Bring records in: new ones are added, changed ones get the new text, the same ones stay; all of them or none.

    A record is known by its IRI, made from collection and name where it brings none. What tests and datasets hold of
    a changed record's old text stays. The collection is made where it is not there. Records are taken one at a time,
    so that memory does not grow with the file. Twins with the same text are taken once, with a note.

    Raises ImportFaults with all faults (twins with different texts, half characters, an IRI that belongs to another
    collection), InvalidInput for no records or a bad collection name, Busy.
    """
    _check_slug(collection)
    faults: list[Fault] = []
    twins: list[str] = []
    with Staging(workspace.connections) as staging:
        staged = 0
        for seq, record in enumerate(records, start=1):
            fault = _stage(staging, collection, seq, record, twins)
            if fault is not None:
                faults.append(fault)
            staged += 1
        if not staged:
            raise InvalidInput("There are no records in it; at least one with a name and a text is expected.")
        with staging.moving() as connection:
            for stray in staging.elsewhere(connection, collection):
                faults.append(
                    Fault(
                        f"record {stray.seq}",
                        f"{stray.iri!r} belongs to collection {stray.collection!r}; leave it out or import it there.",
                    )
                )
            if faults:
                raise ImportFaults(faults)
            workspace.records.make_collection(collection, by)
            moved = staging.move(connection, collection, by)
            workspace.trail.note(by, "import records", f"{collection}: {staged}")
    return _report(collection, moved, notes, twins)


def _stage(staging: Staging, collection: str, seq: int, record: IncomingRecord, twins: list[str]) -> Fault | None:
    place = f"record {seq} ({record.name!r})"
    for what, text in (("name", record.name), ("text", record.text), ("IRI", record.iri or "")):
        refused = refused_character(text)
        if refused is not None:
            return Fault(f"record {seq}", f"its {what} holds {refused[1]} at position {refused[0]}; take it out.")
    if not record.pages:  # pages count positions in the text as their reader made it
        record = record.model_copy(update={"text": clean_text(record.text).text})
    iri = record.iri or record_iri(collection, record.name)
    twin = staging.add(seq, iri, record, observe(record.text))
    if twin is None:
        return None
    if twin == text_hash(record.text):
        twins.append(record.name)
        return None
    what = f"IRI {iri!r}" if record.iri else f"name {record.name!r}"
    return Fault(place, f"{what} came before with another text; give each record a name of its own.")


def _report(collection: str, moved: Moved, notes: Sequence[str], twins: list[str]) -> ImportReport:
    said = list(notes)
    if twins:
        names = ", ".join(repr(n) for n in twins[:_NAMED_TWINS]) + (", …" if len(twins) > _NAMED_TWINS else "")
        count = "1 record" if len(twins) == 1 else f"{len(twins)} records"
        said.append(f"{count} came again with the same text and were taken once: {names}.")
    return ImportReport(
        collection=collection,
        new=moved.new,
        same=moved.same,
        changed=moved.changed,
        iris=moved.iris,
        notes=tuple(said),
    )


def list_collections(workspace: Workspace) -> list[Collection]:
    """By name."""
    return workspace.records.collections()


def get_collection(workspace: Workspace, name: str) -> Collection:
    """Raises NotFound, naming what there is."""
    found = workspace.records.collection(name)
    if found is None:
        raise NotFound("collection", name, way_out=there_are([c.name for c in list_collections(workspace)]))
    return found


def declare_properties(workspace: Workspace, collection: str, properties: Sequence[Property], by: str) -> Collection:
    """Declare properties for a collection, made where it is not there; a twin name is replaced in its place."""
    _check_slug(collection)
    with workspace.atomic():
        workspace.records.make_collection(collection, by)
        declared = {p.name: p for p in get_collection(workspace, collection).properties}
        declared.update({p.name: p for p in properties})
        workspace.records.declare(collection, tuple(declared.values()))
        workspace.trail.note(by, "declare properties", collection)
    return get_collection(workspace, collection)


def list_records(
    workspace: Workspace, collection: str, *, search: str = "", after: str | None = None, limit: int = 100
) -> list[RecordRow]:
    """Records by IRI, behind the IRI `after`; `search` in names and texts, whatever the case. Raises NotFound."""
    get_collection(workspace, collection)
    return workspace.records.rows(collection, search=search, after=after, limit=limit)


def beginnings(workspace: Workspace, iris: Sequence[str]) -> dict[str, str]:
    """How the texts of these records begin, each in one line of `BEGINNING_CHARACTERS` at most."""
    found = workspace.records.beginnings(iris, BEGINNING_CHARACTERS)
    return {iri: " ".join(text.split()) for iri, text in found.items()}


def count_records(workspace: Workspace, collection: str, *, search: str = "") -> int:
    """How many records `list_records` goes through in all."""
    return workspace.records.count(collection, search=search)


def get_record(workspace: Workspace, iri: str) -> Record:
    """Raises NotFound."""
    found = workspace.records.get(iri)
    if found is None:
        raise NotFound("record", iri)
    return found


def delete_record(workspace: Workspace, iri: str, by: str) -> None:
    """Remove a record. Tests keep what they read of it, datasets their items. Raises NotFound."""
    with workspace.atomic():
        if not workspace.records.delete(iri):
            raise NotFound("record", iri)
        workspace.trail.note(by, "delete record", iri)


def find_record(workspace: Workspace, named: str) -> Record:
    """A record by IRI, or by its name where only one has it. Raises NotFound, InvalidInput."""
    found = workspace.records.get(named)
    if found is not None:
        return found
    called = workspace.records.called(named, TWINS_NAMED)
    if called:
        return get_record(workspace, the_one(called, named))
    raise NotFound("record", named, way_out="`reviewapp records list --collection NAME` shows IRIs and names.")


def the_one(iris: Sequence[str], name: str) -> str:
    """The IRI, where there is but one. Raises InvalidInput, which names them."""
    if len(iris) > 1:
        raise InvalidInput(f"Several records are called {name!r}; name one by its IRI: {', '.join(iris)}.", param="iri")
    return iris[0]


def page_image(workspace: Workspace, iri: str, page: int, *, of_text: str | None = None) -> bytes:
    """A page of the record's PDF as PNG; `page` counts from 0.

    `of_text` is the hash of an older text of the record that a test read; None: the present one. Raises NotFound.
    """
    digest = of_text or get_record(workspace, iri).text_hash
    file = workspace.records.file(iri, digest)
    if file is None:
        raise NotFound("page picture", f"{iri} page {page + 1}", way_out="The record was not read from a PDF.")
    from reviewapp.formats.pdf import render_page

    return render_page(file, page)


def there_are(names: Sequence[str]) -> str:
    """The way out of a NotFound: what there is."""
    return f"There are: {', '.join(names)}." if names else "There are none yet."


def _check_slug(collection: str) -> None:
    try:
        _slug.validate_python(collection)
    except ValidationError:
        raise InvalidInput(f"{collection!r} is no collection name; use {SLUG_EXPECTED}.", param="collection") from None
