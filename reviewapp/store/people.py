"""People and their roles, in the server's file."""

from __future__ import annotations

import sqlite3
from typing import Any

from reviewapp.domain.people import Grant, Person, folded_name
from reviewapp.errors import Conflict, NotFound
from reviewapp.store.connections import Connections
from reviewapp.store.rows import maybe_when, now, when

COLUMNS = "number, name, password is not null, created, created_by, disabled, signed_in, keys, language"


class PeopleStore:
    """Each call is one transaction."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    def add(self, name: str, password_hash: str | None, by: str) -> Person:
        """Raises Conflict where somebody has the name, or one that looks the same."""
        with self._connections.write() as db:
            try:
                db.execute(
                    "insert into people (name, folded, password, created, created_by) values (?, ?, ?, ?, ?)",
                    (name, folded_name(name), password_hash, now(), by),
                )
            except sqlite3.IntegrityError:
                raise Conflict(
                    f"There is somebody called {name!r} already; choose another name.", param="name"
                ) from None
            return self._one(db, "folded = ?", folded_name(name))

    def all(self) -> list[Person]:
        """By name, closed accounts included."""
        with self._connections.snapshot() as db:
            rows = db.execute(f"select {COLUMNS} from people order by folded").fetchall()
            return [_person(row, _grants(db, row[0])) for row in rows]

    def find(self, name: str) -> Person | None:
        with self._connections.snapshot() as db:
            row = db.execute(f"select {COLUMNS} from people where folded = ?", (folded_name(name),)).fetchone()
            return None if row is None else _person(row, _grants(db, row[0]))

    def get(self, name: str) -> Person:
        """Raises NotFound."""
        found = self.find(name)
        if found is None:
            raise NotFound("person", name, way_out="`reviewapp user list` shows those there are.")
        return found

    def by_number(self, number: int) -> Person | None:
        with self._connections.snapshot() as db:
            row = db.execute(f"select {COLUMNS} from people where number = ?", (number,)).fetchone()
            return None if row is None else _person(row, _grants(db, number))

    def set_keys(self, number: int, keys: str) -> None:
        with self._connections.write() as db:
            db.execute("update people set keys = ? where number = ?", (keys, number))

    def set_language(self, number: int, language: str) -> None:
        with self._connections.write() as db:
            db.execute("update people set language = ? where number = ?", (language, number))

    def any_admin(self) -> bool:
        """Whether somebody who can sign in runs the server."""
        with self._connections.read() as db:
            found = db.execute(
                """select 1 from people join grants on person = number
                    where workspace = '*' and test = '' and role = 'admin' and disabled is null limit 1"""
            ).fetchone()
        return found is not None

    def password_hash(self, number: int) -> str | None:
        with self._connections.read() as db:
            row = db.execute("select password from people where number = ?", (number,)).fetchone()
        return None if row is None else row[0]

    def set_password(self, number: int, password_hash: str | None) -> None:
        with self._connections.write() as db:
            db.execute("update people set password = ? where number = ?", (password_hash, number))

    def set_disabled(self, number: int, disabled: bool) -> None:
        with self._connections.write() as db:
            db.execute("update people set disabled = ? where number = ?", (now() if disabled else None, number))

    def note_sign_in(self, number: int) -> None:
        with self._connections.write() as db:
            db.execute("update people set signed_in = ? where number = ?", (now(), number))

    def grant(self, number: int, grant: Grant, by: str) -> None:
        """In place of the role that the person had there."""
        with self._connections.write() as db:
            db.execute(
                "insert or replace into grants (person, workspace, test, role, at, given_by) values (?, ?, ?, ?, ?, ?)",
                (number, grant.workspace, grant.test or "", grant.role, now(), by),
            )

    def take_back(self, number: int, workspace: str, test: str | None) -> bool:
        """False where there was nothing to take back."""
        with self._connections.write() as db:
            gone = db.execute(
                "delete from grants where person = ? and workspace = ? and test = ?", (number, workspace, test or "")
            )
            return gone.rowcount == 1

    def _one(self, db: sqlite3.Connection, where: str, value: Any) -> Person:
        row = db.execute(f"select {COLUMNS} from people where {where}", (value,)).fetchone()
        return _person(row, _grants(db, row[0]))


def _grants(db: sqlite3.Connection, number: int) -> tuple[Grant, ...]:
    rows = db.execute("select workspace, test, role from grants where person = ? order by workspace, test", (number,))
    return tuple(Grant(workspace=row[0], test=row[1] or None, role=row[2]) for row in rows)


def _person(row: Any, grants: tuple[Grant, ...]) -> Person:
    return Person(
        number=row[0],
        name=row[1],
        grants=grants,
        has_password=bool(row[2]),
        created=when(row[3]),
        created_by=row[4],
        disabled=maybe_when(row[5]),
        signed_in=maybe_when(row[6]),
        keys=row[7],
        language=row[8],
    )
