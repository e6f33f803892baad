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
class KeptItem:
    """An item and where it comes from."""

    item: Item
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

    def make(self, id: str, *, name: str, about: Sequence[str], install: Install, test: str | None, by: str) -> None:
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
            self._remove_items(c, id)
            return True

    def was_deleted(self, id: str) -> bool:
        with self._connections.read() as c:
            return (
                c.execute("select 1 from datasets where id = ? and deleted is not null", (id,)).fetchone() is not None
            )

    # -- items -------------------------------------------------------------------------------------------------

    def items(self, id: str, *, after: int = -1, limit: int | None = None) -> list[tuple[int, KeptItem]]:
        """(position, item) in order, behind position `after`."""
        with self._connections.read() as c:
            rows = c.execute(
                f"""select i.position, i.by_hand, t.text, i.data from dataset_items i join texts t on t.hash = i.text_hash
                    where i.dataset = {_NUMBER} and i.position > ? order by i.position limit ?""",
                (id, after, -1 if limit is None else limit),
            ).fetchall()
        return [
            (position, KeptItem(Item.model_validate({**json.loads(data), "text": text}), bool(by_hand)))
            for position, by_hand, text, data in rows
        ]

    def replace_items(self, id: str, items: Iterable[KeptItem]) -> None:
        """Put these items, in this order, in place of all others."""
        with self._connections.write() as c:
            (number,) = c.execute("select number from datasets where id = ?", (id,)).fetchone()
            old = {
                row[0]
                for row in c.execute("select text_hash from dataset_items where dataset = ?", (number,)).fetchall()
            }
            c.execute("delete from dataset_items where dataset = ?", (number,))
            for position, kept in enumerate(items):
                c.execute(
                    """insert into dataset_items (dataset, position, name, by_hand, text_hash, data)
                        values (?, ?, ?, ?, ?, ?)""",
                    (
                        number,
                        position,
                        kept.item.name,
                        kept.by_hand,
                        keep_text(c, kept.item.text),
                        kept.item.model_dump_json(exclude={"text"}, exclude_defaults=True),
                    ),
                )
            drop_unused(c, old)

    def _remove_items(self, c: Any, id: str) -> None:
        rows = c.execute(f"delete from dataset_items where dataset = {_NUMBER} returning text_hash", (id,)).fetchall()
        drop_unused(c, {row[0] for row in rows})


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
