"""Leases: rows in the server file that say which process does a thing that only one may do."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from dataclasses import asdict, dataclass

from reviewapp.store.connections import Connections


@dataclass(frozen=True)
class Holder:
    """A process that has a lease, or would like to."""

    token: str
    """Random; tells two holders within one process apart."""
    host: str
    pid: int
    begun: str
    """When the process began, as its system tells it, so that a reused process id is not taken for it; may be empty."""
    what: str
    """How people know it: ``reviewapp serve``."""
    address: str = ""
    """What people at other machines type to reach it; empty: it serves nobody."""


@dataclass(frozen=True)
class HeldLease:
    holder: Holder
    until: float
    """When it ends unless its holder says that it is alive, in seconds since 1970."""


class Leases:
    """Each call is one transaction."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    def held(self, name: str) -> HeldLease | None:
        """A lease as it stands; None where nobody has it."""
        with self._connections.read() as db:
            return _held(db, name)

    def take(self, name: str, holder: Holder, until: float, is_over: Callable[[HeldLease], bool]) -> HeldLease | None:
        """Take a lease that is free, or whose holder is gone by the word of `is_over`.

        None: taken. Else the lease that stands in the way; nothing is written then.
        """
        with self._connections.write() as db:
            held = _held(db, name)
            if held is not None and not is_over(held):
                return held
            db.execute(
                "insert or replace into leases (name, holder, until) values (?, ?, ?)", (name, _json(holder), until)
            )
            return None

    def prolong(self, name: str, holder: Holder, until: float) -> bool:
        """Keep a lease for longer; False where somebody else has taken it since."""
        with self._connections.write() as db:
            changed = db.execute(
                "update leases set until = ? where name = ? and holder = ?", (until, name, _json(holder))
            )
            return changed.rowcount == 1

    def release(self, name: str, holder: Holder) -> None:
        """Give a lease back; nothing happens where it is another's."""
        with self._connections.write() as db:
            db.execute("delete from leases where name = ? and holder = ?", (name, _json(holder)))


def _held(db: sqlite3.Connection, name: str) -> HeldLease | None:
    row = db.execute("select holder, until from leases where name = ?", (name,)).fetchone()
    return None if row is None else HeldLease(Holder(**json.loads(row[0])), until=row[1])


def _json(holder: Holder) -> str:
    return json.dumps(asdict(holder), sort_keys=True)
