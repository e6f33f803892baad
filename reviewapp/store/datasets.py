"""Datasets and their items."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from reviewapp.domain.datasets import Dataset, DatasetVersion, Install, Item
from reviewapp.store.connections import Connections
from reviewapp.store.rows import now, to_json, when
from reviewapp.store.texts import drop_unused, keep_text, read_text

_DATASET = """select d.id, d.name, d.created, d.changed, d.about, d.install, d.test, d.version,
    (select count(*) from dataset_items i where i.dataset = d.number) from datasets d"""
_NUMBER = "(select number from datasets where id = ?)"
_ADD = """insert into dataset_items (dataset, since, position, name, by_hand, text_hash, data)
    values (?, ?, ?, ?, ?, ?, ?)"""
_OF_VERSION = """select position, name, by_hand, text_hash, data from dataset_items
    where dataset = (select number from datasets where id = :id) and (:version is null or since <= :version)
    union all
    select position, name, by_hand, text_hash, data from past_items
    where dataset = (select number from datasets where id = :id) and since <= :version and until > :version"""


@dataclass(frozen=True)
class Entry:
    """An item as it is kept: its text lies elsewhere, under its hash."""

    item: Item
    """With an empty text."""
    text_hash: str
    by_hand: bool
    """Made or edited by a person or program; False: made from a test's answers."""


class DatasetStore:
    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    def get(self, id: str) -> Dataset | None:
        with self._connections.read() as c:
            row = c.execute(f"{_DATASET} where d.id = ? and d.deleted is null", (id,)).fetchone()
        return None if row is None else _dataset(row)

    def of_test(self, test: str) -> Dataset | None:
        """The test's one dataset; None before the first save and after a delete."""
        with self._connections.read() as c:
            row = c.execute(f"{_DATASET} where d.test = ? and d.deleted is null", (test,)).fetchone()
        return None if row is None else _dataset(row)

    def named(self, name: str) -> list[Dataset]:
        """Those of exactly this name, oldest first."""
        with self._connections.read() as c:
            rows = c.execute(f"{_DATASET} where d.name = ? and d.deleted is null order by d.number", (name,)).fetchall()
        return [_dataset(row) for row in rows]

    def rows(self, *, after: str | None = None, limit: int = 50) -> list[Dataset]:
        """Newest first by creation; `after` is the id of the last one seen."""
        with self._connections.read() as c:
            rows = c.execute(
                f"""{_DATASET} where d.deleted is null
                    and (:after is null or d.number < (select number from datasets where id = :after))
                    order by d.number desc limit :limit""",
                {"after": after, "limit": limit},
            ).fetchall()
        return [_dataset(row) for row in rows]

    def make(
        self,
        id: str,
        *,
        name: str,
        install: Install,
        entries: Iterable[Entry] = (),
        by: str,
        about: Sequence[str] = (),
        test: str | None = None,
        note: str = "",
    ) -> None:
        """Make a dataset with these items, version 1."""
        with self._connections.write() as c:
            at = now()
            made = c.execute(
                """insert into datasets (id, name, created, created_by, changed, about, install, test, version)
                    values (?, ?, ?, ?, ?, ?, ?, ?, 1)""",
                (id, name, at, by, at, to_json(list(about)), install.model_dump_json(), test),
            )
            assert made.lastrowid is not None  # noqa: S101 - an insert has one
            c.executemany(_ADD, ((made.lastrowid, 1, p, *_columns(entry)) for p, entry in enumerate(entries)))
            _keep_version(c, made.lastrowid, 1, at, by, note)

    def rename(self, id: str, name: str) -> None:
        with self._connections.write() as c:
            c.execute("update datasets set name = ?, changed = ? where id = ?", (name, now(), id))

    def replace(self, id: str, entries: Sequence[Entry], *, by: str, note: str = "") -> None:
        """Put these items, in this order, in place of all others: the next version. Those that change are kept."""
        with self._connections.write() as c:
            number, before = c.execute("select number, version from datasets where id = ?", (id,)).fetchone()
            version, at = before + 1, now()
            there = {
                row[0]: tuple(row[1:])
                for row in c.execute(
                    "select position, name, by_hand, text_hash, data from dataset_items where dataset = ?", (number,)
                )
            }
            wanted = {position: _columns(entry) for position, entry in enumerate(entries)}
            gone = [(version, number, p) for p, row in there.items() if wanted.get(p) != row]
            c.executemany(
                """insert into past_items (dataset, since, until, position, name, by_hand, text_hash, data)
                    select dataset, since, ?, position, name, by_hand, text_hash, data from dataset_items
                    where dataset = ? and position = ?""",
                gone,
            )
            c.executemany("delete from dataset_items where dataset = ? and position = ?", (row[1:] for row in gone))
            c.executemany(_ADD, ((number, version, p, *row) for p, row in wanted.items() if there.get(p) != row))
            c.execute("update datasets set version = ?, changed = ? where number = ?", (version, at, number))
            _keep_version(c, number, version, at, by, note)

    def describe(self, id: str, install: Install) -> None:
        """Set what a workflow needs to be graded on it."""
        with self._connections.write() as c:
            c.execute("update datasets set install = ? where id = ?", (install.model_dump_json(), id))

    def versions(self, id: str) -> list[DatasetVersion]:
        """Newest first; those before versions were kept are not among them."""
        with self._connections.read() as c:
            rows = c.execute(
                f"""select version, at, person, note, item_count from dataset_versions where dataset = {_NUMBER}
                    order by version desc""",
                (id,),
            ).fetchall()
        return [DatasetVersion(version=r[0], at=when(r[1]), by=r[2], note=r[3], item_count=r[4]) for r in rows]

    def delete(self, id: str) -> bool:
        """Remove the items; the id stays known. False where it is unknown or was deleted before."""
        with self._connections.write() as c:
            gone = c.execute("update datasets set deleted = ? where id = ? and deleted is null", (now(), id))
            if gone.rowcount != 1:
                return False
            hashes: set[str] = set()
            for table in ("dataset_items", "past_items"):
                rows = c.execute(f"delete from {table} where dataset = {_NUMBER} returning text_hash", (id,))
                hashes.update(row[0] for row in rows.fetchall())
            c.execute(f"delete from dataset_versions where dataset = {_NUMBER}", (id,))
            drop_unused(c, hashes)
            return True

    def was_deleted(self, id: str) -> bool:
        with self._connections.read() as c:
            return (
                c.execute("select 1 from datasets where id = ? and deleted is not null", (id,)).fetchone() is not None
            )

    # -- items -------------------------------------------------------------------------------------------------

    def items(
        self, id: str, *, version: int | None = None, after: int = -1, limit: int | None = None
    ) -> list[tuple[int, Item]]:
        """(position, item) in order, behind position `after`; of the present version or an earlier one."""
        with self._connections.read() as c:
            rows = c.execute(
                f"""select i.position, i.data, t.text from ({_OF_VERSION}) i join texts t on t.hash = i.text_hash
                    where i.position > :after order by i.position limit :limit""",
                {"id": id, "version": version, "after": after, "limit": -1 if limit is None else limit},
            ).fetchall()
        return [(position, _item(data, text)) for position, data, text in rows]

    def hashed(
        self, id: str, *, version: int | None = None, after: int = -1, limit: int | None = None
    ) -> list[tuple[int, Entry]]:
        """The same without texts: (position, entry)."""
        with self._connections.read() as c:
            rows = c.execute(
                f"""select position, data, text_hash, by_hand from ({_OF_VERSION}) i
                    where position > :after order by position limit :limit""",
                {"id": id, "version": version, "after": after, "limit": -1 if limit is None else limit},
            ).fetchall()
        return [(row[0], Entry(_item(row[1], ""), row[2], bool(row[3]))) for row in rows]

    def names(self, id: str, *, version: int | None = None) -> set[str]:
        """Names of all items of the present version or an earlier one."""
        with self._connections.read() as c:
            rows = c.execute(f"select name from ({_OF_VERSION})", {"id": id, "version": version})
            return {row[0] for row in rows}

    def text(self, text_hash: str) -> str | None:
        with self._connections.read() as c:
            return read_text(c, text_hash)

    def entries(self, id: str) -> list[Entry]:
        """All items in order, without their texts."""
        with self._connections.read() as c:
            rows = c.execute(
                f"select data, text_hash, by_hand from dataset_items where dataset = {_NUMBER} order by position", (id,)
            ).fetchall()
        return [Entry(_item(data, ""), text_hash, bool(by_hand)) for data, text_hash, by_hand in rows]

    def keep_texts(self, items: Iterable[Item], *, by_hand: bool) -> list[Entry]:
        """Keep the texts of items; they stay when `replace` follows in the same transaction."""
        with self._connections.write() as c:
            return [Entry(item.model_copy(update={"text": ""}), keep_text(c, item.text), by_hand) for item in items]


def _columns(entry: Entry) -> tuple[str, int, str, str]:
    data = entry.item.model_dump_json(exclude={"text"}, exclude_defaults=True)
    return entry.item.name, int(entry.by_hand), entry.text_hash, data


def _keep_version(c: sqlite3.Connection, number: int, version: int, at: str, by: str, note: str) -> None:
    c.execute(
        """insert into dataset_versions (dataset, version, at, person, note, item_count)
            values (?1, ?2, ?3, ?4, ?5, (select count(*) from dataset_items where dataset = ?1))""",
        (number, version, at, by, note),
    )


def _item(data: str, text: str) -> Item:
    return Item.model_validate({**json.loads(data), "text": text})


def _dataset(row: tuple[Any, ...]) -> Dataset:
    return Dataset(
        id=row[0],
        name=row[1],
        created=when(row[2]),
        changed=when(row[3]),
        about=tuple(json.loads(row[4])),
        install=Install.model_validate_json(row[5]),
        test=row[6],
        version=row[7],
        item_count=row[8],
    )
