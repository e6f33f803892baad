"""Sessions and known browsers, in the server's file. Only hashes of what browsers hold are kept."""

from __future__ import annotations

from dataclasses import dataclass

from reviewapp.store.connections import Connections
from reviewapp.store.rows import now


@dataclass(frozen=True)
class Session:
    person: int
    """Number of the person."""
    seen: float
    """When it was last used, in seconds since 1970; written now and then only."""
    until: float
    """When it ends at the latest."""


class SessionStore:
    """Each call is one transaction. Times are seconds since 1970."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    def begin(self, hash_: str, person: int, seen: float, until: float) -> None:
        """Those that are over are removed with it."""
        with self._connections.write() as db:
            db.execute("delete from sessions where until < ?", (seen,))
            db.execute(
                "insert into sessions (hash, person, begun, seen, until) values (?, ?, ?, ?, ?)",
                (hash_, person, now(), seen, until),
            )

    def find(self, hash_: str) -> Session | None:
        with self._connections.read() as db:
            row = db.execute("select person, seen, until from sessions where hash = ?", (hash_,)).fetchone()
        return None if row is None else Session(*row)

    def touch(self, hash_: str, seen: float) -> None:
        with self._connections.write(lasting=False) as db:
            db.execute("update sessions set seen = ? where hash = ?", (seen, hash_))

    def end(self, hash_: str) -> None:
        with self._connections.write() as db:
            db.execute("delete from sessions where hash = ?", (hash_,))

    def end_all(self, person: int, *, but: str | None = None) -> int:
        """End the sessions of a person, `but` one; how many that were. Known browsers are forgotten, too."""
        with self._connections.write() as db:
            db.execute("delete from devices where person = ?", (person,))
            return db.execute("delete from sessions where person = ? and hash is not ?", (person, but)).rowcount

    def count(self, person: int, at: float) -> int:
        """Sessions that are open."""
        with self._connections.read() as db:
            row = db.execute("select count(*) from sessions where person = ? and until > ?", (person, at)).fetchone()
        return int(row[0])

    def know_device(self, hash_: str, person: int, at: float, until: float) -> None:
        """A browser in which that person signed in."""
        with self._connections.write() as db:
            db.execute("delete from devices where until < ?", (at,))
            db.execute("insert or replace into devices (hash, person, until) values (?, ?, ?)", (hash_, person, until))

    def is_known_device(self, hash_: str, person: int, at: float) -> bool:
        with self._connections.read() as db:
            row = db.execute(
                "select 1 from devices where hash = ? and person = ? and until > ?", (hash_, person, at)
            ).fetchone()
        return row is not None
