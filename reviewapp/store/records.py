"""Collections and records."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from pydantic import TypeAdapter

from reviewapp.domain.properties import Property
from reviewapp.domain.records import Collection, Page, Record, RecordRow
from reviewapp.domain.workflows import Evidence
from reviewapp.store.connections import Connections
from reviewapp.store.rows import now, when
from reviewapp.store.texts import drop_unused, read_text

_properties = TypeAdapter(tuple[Property, ...])

_COLLECTION = """select c.name, c.properties, c.created,
    (select count(*) from records r where r.collection = c.name) as record_count from collections c"""

_ROW = """select r.iri, r.name, t.characters, r.source, r.created, r.changed
    from records r join texts t on t.hash = r.text_hash"""


class RecordStore:
    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    # -- collections -------------------------------------------------------------------------------------------

    def collections(self) -> list[Collection]:
        """All of them, by name."""
        with self._connections.read() as c:
            return [_collection(row) for row in c.execute(f"{_COLLECTION} order by c.name").fetchall()]

    def collection(self, name: str) -> Collection | None:
        with self._connections.read() as c:
            row = c.execute(f"{_COLLECTION} where c.name = ?", (name,)).fetchone()
        return None if row is None else _collection(row)

    def make_collection(self, name: str, by: str) -> None:
        """Make it where it is not there yet; without properties."""
        with self._connections.write() as c:
            c.execute(
                "insert or ignore into collections (name, properties, created, created_by) values (?, '[]', ?, ?)",
                (name, now(), by),
            )

    def declare(self, collection: str, properties: tuple[Property, ...]) -> None:
        """Replace what is declared for a collection."""
        with self._connections.write() as c:
            c.execute(
                "update collections set properties = ? where name = ?",
                (_properties.dump_json(properties, exclude_defaults=True).decode(), collection),
            )

    def evidence(self, collection: str) -> Evidence:
        """What all texts of a collection say together about number and date writing."""
        with self._connections.read() as c:
            row = c.execute(
                """select coalesce(sum(decimal_comma), 0), coalesce(sum(decimal_point), 0),
                    coalesce(sum(day_first), 0), coalesce(sum(month_first), 0)
                    from records where collection = ?""",
                (collection,),
            ).fetchone()
        return Evidence(decimal_comma=row[0], decimal_point=row[1], day_first=row[2], month_first=row[3])

    # -- records -----------------------------------------------------------------------------------------------

    def rows(self, collection: str, *, search: str = "", after: str | None = None, limit: int = 100) -> list[RecordRow]:
        """Records by IRI; `search` in name and text, whatever the case."""
        where, values = _search(collection, search)
        with self._connections.read() as c:
            found = c.execute(
                f"{_ROW} where {where} and r.iri > :after order by r.iri limit :limit",
                {**values, "after": after or "", "limit": limit},
            ).fetchall()
        return [
            RecordRow(iri=r[0], name=r[1], characters=r[2], source=r[3], created=when(r[4]), changed=when(r[5]))
            for r in found
        ]

    def count(self, collection: str, *, search: str = "") -> int:
        where, values = _search(collection, search)
        with self._connections.read() as c:
            found = c.execute(
                f"select count(*) from records r join texts t on t.hash = r.text_hash where {where}", values
            )
            return int(found.fetchone()[0])

    def get(self, iri: str) -> Record | None:
        with self._connections.read() as c:
            row = c.execute(
                """select r.iri, r.collection, r.name, t.text, r.text_hash, r.source, r.created, r.changed,
                    coalesce(d.page_count, 0)
                    from records r join texts t on t.hash = r.text_hash
                    left join documents d on d.iri = r.iri and d.text_hash = r.text_hash
                    where r.iri = ?""",
                (iri,),
            ).fetchone()
        if row is None:
            return None
        return Record(
            iri=row[0],
            collection=row[1],
            name=row[2],
            text=row[3],
            text_hash=row[4],
            source=row[5],
            created=when(row[6]),
            changed=when(row[7]),
            page_count=row[8],
        )

    def beginnings(self, iris: Sequence[str], characters: int) -> dict[str, str]:
        """The first characters of the records' texts."""
        marks = ", ".join("?" * len(iris))
        with self._connections.read() as c:
            found = c.execute(
                f"""select r.iri, substr(t.text, 1, ?) from records r join texts t on t.hash = r.text_hash
                    where r.iri in ({marks})""",
                (characters, *iris),
            )
            return dict(found.fetchall())

    def called(self, name: str, limit: int) -> list[str]:
        """IRIs of the first records of that name, of all collections."""
        with self._connections.read() as c:
            rows = c.execute("select iri from records where name = ? order by iri limit ?", (name, limit)).fetchall()
        return [iri for (iri,) in rows]

    def delete(self, iri: str) -> bool:
        """Remove a record; what tests and datasets hold of its text stays."""
        with self._connections.write() as c:
            row = c.execute("delete from records where iri = ? returning text_hash", (iri,)).fetchall()
            if not row:
                return False
            drop_documents(c, [(iri, row[0][0])])
            drop_unused(c, [row[0][0]])
            return True

    def text(self, text_hash: str) -> str | None:
        with self._connections.read() as c:
            return read_text(c, text_hash)

    def text_hash(self, iri: str) -> str | None:
        """Of the record's present text; None where there is no such record."""
        with self._connections.read() as c:
            row = c.execute("select text_hash from records where iri = ?", (iri,)).fetchone()
        return None if row is None else str(row[0])

    # -- pages -------------------------------------------------------------------------------------------------

    def file(self, iri: str, text_hash: str) -> bytes | None:
        """The original PDF that gave this text."""
        with self._connections.read() as c:
            row = c.execute("select file from documents where iri = ? and text_hash = ?", (iri, text_hash)).fetchone()
        return None if row is None else row[0]

    def pages(self, iri: str, text_hash: str) -> list[Page]:
        """Pages with their words' boxes, in order; none for a text that came without."""
        with self._connections.read() as c:
            rows = c.execute(
                "select data from pages where iri = ? and text_hash = ? order by number", (iri, text_hash)
            ).fetchall()
        return [Page.model_validate_json(row[0]) for row in rows]


def drop_documents(connection: sqlite3.Connection, keys: Sequence[tuple[str, str]]) -> None:
    """Remove files and pages of (iri, text hash) that no record and no test shows any more."""
    connection.executemany(
        """delete from documents where iri = ?1 and text_hash = ?2
            and not exists (select 1 from records where iri = ?1 and text_hash = ?2)
            and not exists (select 1 from test_inputs where text_hash = ?2 and iri = ?1)""",
        keys,
    )


def _search(collection: str, search: str) -> tuple[str, dict[str, object]]:
    words = search.strip().casefold()
    if not words:
        return "r.collection = :collection", {"collection": collection}
    where = "r.collection = :collection and (folded_contains(r.name, :words) or folded_contains(t.text, :words))"
    return where, {"collection": collection, "words": words}


def _collection(row: sqlite3.Row | tuple[str, str, str, int]) -> Collection:
    name, properties, created, record_count = row
    return Collection(
        name=name, properties=_properties.validate_json(properties), created=when(created), record_count=record_count
    )
