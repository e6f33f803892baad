"""Bringing records in: staged one by one in a temporary table, then moved over in one short transaction.

The staging table lies in SQLite's temporary file, so that memory stays bounded and nobody waits while a large file is
read; only the move takes the write lock.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import TracebackType
from typing import Self

from reviewapp.domain.ids import text_hash
from reviewapp.domain.records import IncomingRecord
from reviewapp.domain.workflows import Evidence
from reviewapp.store.connections import Connections
from reviewapp.store.records import drop_documents
from reviewapp.store.rows import now
from reviewapp.store.texts import drop_unused

_STAGED = """create temp table staged (
    seq integer primary key,
    iri text not null unique,
    name text not null,
    text text not null,
    hash text not null,
    characters integer not null,
    blank integer not null,
    source text,
    decimal_comma integer not null,
    decimal_point integer not null,
    day_first integer not null,
    month_first integer not null,
    file blob,
    page_count integer not null
)"""
_STAGED_PAGES = "create temp table staged_pages (iri text not null, number integer not null, data text not null)"


@dataclass(frozen=True)
class Elsewhere:
    """A staged record whose IRI belongs to another collection."""

    seq: int
    iri: str
    collection: str


@dataclass
class Moved:
    new: int = 0
    same: int = 0
    changed: int = 0
    iris: tuple[str, ...] = field(default=())


class Staging:
    """Use it as a context manager, in one thread; without `move` nothing has happened."""

    COMMIT_CHARACTERS = 4_000_000

    def __init__(self, connections: Connections) -> None:
        self._connections = connections
        self._staged_characters = 0
        self._inside = False
        """Inside a transaction of the caller: then staging is part of it, and ends with it."""

    def __enter__(self) -> Self:
        with self._connections.read() as c:
            self._inside = c.in_transaction
            self._drop(c)
            c.execute(_STAGED)
            c.execute(_STAGED_PAGES)
            if not self._inside:
                c.execute("begin")
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        with self._connections.read() as c:
            if c.in_transaction and not self._inside:
                c.execute("rollback")
            self._drop(c)

    def _drop(self, c: sqlite3.Connection) -> None:
        c.execute("drop table if exists temp.staged")
        c.execute("drop table if exists temp.staged_pages")

    def add(self, seq: int, iri: str, record: IncomingRecord, evidence: Evidence) -> str | None:
        """Stage a record; where its IRI is staged already, nothing is done and the hash of that text comes back."""
        digest = text_hash(record.text)
        with self._connections.read() as c:
            twin = c.execute("select hash from temp.staged where iri = ?", (iri,)).fetchone()
            if twin is not None:
                return str(twin[0])
            c.execute(
                "insert into temp.staged values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    seq,
                    iri,
                    record.name,
                    record.text,
                    digest,
                    len(record.text),
                    not record.text.strip(),
                    record.source,
                    evidence.decimal_comma,
                    evidence.decimal_point,
                    evidence.day_first,
                    evidence.month_first,
                    record.file,
                    len(record.pages),
                ),
            )
            if record.pages:
                c.executemany(
                    "insert into temp.staged_pages values (?, ?, ?)",
                    ((iri, page.number, page.model_dump_json()) for page in record.pages),
                )
            self._staged_characters += len(record.text)
            if self._staged_characters > self.COMMIT_CHARACTERS and not self._inside:
                c.execute("commit")
                c.execute("begin")
                self._staged_characters = 0
        return None

    @contextmanager
    def moving(self) -> Iterator[sqlite3.Connection]:
        """The transaction in which `elsewhere` is asked and `move` is done."""
        with self._connections.read() as c:
            if c.in_transaction and not self._inside:
                c.execute("commit")
        with self._connections.write() as c:
            yield c

    def elsewhere(self, c: sqlite3.Connection, collection: str) -> list[Elsewhere]:
        rows = c.execute(
            """select s.seq, s.iri, r.collection from temp.staged s join records r on r.iri = s.iri
                where r.collection <> ? order by s.seq""",
            (collection,),
        )
        return [Elsewhere(*row) for row in rows.fetchall()]

    def move(self, c: sqlite3.Connection, collection: str, by: str) -> Moved:
        """New records are added, changed ones get the new text; tests keep the text they read."""
        at = now()
        changed = c.execute(
            """select s.iri, r.text_hash from temp.staged s join records r on r.iri = s.iri
                where r.text_hash <> s.hash"""
        ).fetchall()
        (total,) = c.execute("select count(*) from temp.staged").fetchone()
        c.execute(
            """insert or ignore into texts (hash, text, characters, blank)
                select hash, text, characters, blank from temp.staged
                where hash not in (select hash from texts)"""
        )
        (known,) = c.execute("select count(*) from temp.staged s join records r on r.iri = s.iri").fetchone()
        c.execute(
            """insert into records (iri, collection, name, text_hash, source, decimal_comma, decimal_point,
                    day_first, month_first, created, created_by, changed)
                select iri, ?1, name, hash, source, decimal_comma, decimal_point, day_first, month_first, ?2, ?3, ?2
                from temp.staged where true
                on conflict (iri) do update set
                    changed = case when text_hash = excluded.text_hash then changed else excluded.changed end,
                    name = excluded.name, source = excluded.source, text_hash = excluded.text_hash,
                    decimal_comma = excluded.decimal_comma, decimal_point = excluded.decimal_point,
                    day_first = excluded.day_first, month_first = excluded.month_first""",
            (collection, at, by),
        )
        self._move_documents(c)
        drop_documents(c, changed)
        drop_unused(c, [digest for _, digest in changed])
        iris = tuple(row[0] for row in c.execute("select iri from temp.staged order by seq").fetchall())
        return Moved(new=total - known, same=known - len(changed), changed=len(changed), iris=iris)

    def _move_documents(self, c: sqlite3.Connection) -> None:
        c.execute(
            """insert into documents (iri, text_hash, file, page_count)
                select iri, hash, file, page_count from temp.staged where file is not null or page_count > 0
                on conflict (iri, text_hash) do update set
                    file = coalesce(excluded.file, file), page_count = excluded.page_count"""
        )
        c.execute(
            """insert or replace into pages (iri, text_hash, number, data)
                select p.iri, s.hash, p.number, p.data from temp.staged_pages p join temp.staged s on s.iri = p.iri"""
        )
