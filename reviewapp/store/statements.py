"""Several SQL statements one after the other, as migrations have them."""

from __future__ import annotations

from sqlite_utils import Database


def run(db: Database, *statements: str) -> None:
    for statement in statements:
        db.conn.execute(statement)
