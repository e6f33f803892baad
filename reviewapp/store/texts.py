"""Texts under their hashes, shared by the stores that point at them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable

from reviewapp.domain.ids import text_hash


def keep_text(connection: sqlite3.Connection, text: str) -> str:
    """Keep a text (once, however often it is kept) and give its hash; inside a transaction."""
    digest = text_hash(text)
    connection.execute(
        "insert or ignore into texts (hash, text, characters, blank) values (?, ?, ?, ?)",
        (digest, text, len(text), not text.strip()),
    )
    return digest


def read_text(connection: sqlite3.Connection, digest: str) -> str | None:
    row = connection.execute("select text from texts where hash = ?", (digest,)).fetchone()
    return None if row is None else str(row[0])


def drop_unused(connection: sqlite3.Connection, digests: Iterable[str]) -> None:
    """Remove those of the texts that no record, test input or dataset item points at; inside a transaction."""
    connection.executemany(
        """delete from texts where hash = :hash
            and not exists (select 1 from records where text_hash = :hash)
            and not exists (select 1 from test_inputs where text_hash = :hash)
            and not exists (select 1 from dataset_items where text_hash = :hash)
            and not exists (select 1 from past_items where text_hash = :hash)""",
        ({"hash": d} for d in digests),
    )
