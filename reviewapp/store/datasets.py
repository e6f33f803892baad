"""Datasets and their items."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from reviewapp.domain.datasets import Dataset, Install, Item
from reviewapp.store.connections import Connections
from reviewapp.store.rows import now, to_json, when
from reviewapp.store.texts import drop_unused, keep_text

_DATASET = """select d.id, d.name, d.created, d.changed, d.about, d.install, d.test, d.version,
    (select count(*) from dataset_items i where i.dataset = d.number) from datasets d"""
_NUMBER = "(select number from datasets where id = ?)"


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
        self, id: str, *, name: str, install: Install, by: str, about: Sequence[str] = (), test: str | None = None
    ) -> None:
        """Make an empty dataset, version 1."""
        with self._connections.write() as c:
            at = now()
            c.execute(
                """insert into datasets (id, name, created, created_by, changed, about, install, test, version)
                    values (?, ?, ?, ?, ?, ?, ?, ?, 1)""",
                (id, name, at, by, at, to_json(list(about)), install.model_dump_json(), test),
            )

    def change(self, id: str, *, name: str | None = None, items_changed: bool) -> None:
        """Note that it changed; `name` renames it, with `items_changed` the version grows."""
        with self._connections.write() as c:
            c.execute(
                "update datasets set name = coalesce(?, name), changed = ?, version = version + ? where id = ?",
                (name, now(), items_changed, id),
            )

    def delete(self, id: str) -> bool:
        """Remove the items; the id stays known. False where it is unknown or was deleted before."""
        with self._connections.write() as c:
            gone = c.execute("update datasets set deleted = ? where id = ? and deleted is null", (now(), id))
            if gone.rowcount != 1:
                return False
            rows = c.execute(f"delete from dataset_items where dataset = {_NUMBER} returning text_hash", (id,))
            drop_unused(c, {row[0] for row in rows.fetchall()})
            return True

    def was_deleted(self, id: str) -> bool:
        with self._connections.read() as c:
            return (
                c.execute("select 1 from datasets where id = ? and deleted is not null", (id,)).fetchone() is not None
            )

    # -- items -------------------------------------------------------------------------------------------------

    def items(self, id: str, *, after: int = -1, limit: int | None = None) -> list[tuple[int, Item]]:
        """(position, item) in order, behind position `after`."""
        with self._connections.read() as c:
            rows = c.execute(
                f"""select i.position, i.data, t.text from dataset_items i join texts t on t.hash = i.text_hash
                    where i.dataset = {_NUMBER} and i.position > ? order by i.position limit ?""",
                (id, after, -1 if limit is None else limit),
            ).fetchall()
        return [(position, _item(data, text)) for position, data, text in rows]

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

    def replace(self, id: str, entries: Sequence[Entry]) -> None:
        """Put these items, in this order, in place of all others."""
        with self._connections.write() as c:
            (number,) = c.execute("select number from datasets where id = ?", (id,)).fetchone()
            old = c.execute("delete from dataset_items where dataset = ? returning text_hash", (number,)).fetchall()
            c.executemany(
                """insert into dataset_items (dataset, position, name, by_hand, text_hash, data)
                    values (?, ?, ?, ?, ?, ?)""",
                (
                    (
                        number,
                        position,
                        entry.item.name,
                        entry.by_hand,
                        entry.text_hash,
                        entry.item.model_dump_json(exclude={"text"}, exclude_defaults=True),
                    )
                    for position, entry in enumerate(entries)
                ),
            )
            drop_unused(c, {row[0] for row in old} - {entry.text_hash for entry in entries})


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
