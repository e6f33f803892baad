"""Who removed or ended what: the steps that leave no other trace."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from reviewapp.store.connections import Connections
from reviewapp.store.rows import now, when


@dataclass(frozen=True)
class TrailEntry:
    at: datetime
    by: str
    did: str
    """``delete record``, ``cancel test`` …"""
    subject: str
    """Id or name of what it was done to."""


class Trail:
    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    def note(self, by: str, did: str, subject: str) -> None:
        with self._connections.write() as c:
            c.execute("insert into trail (at, person, did, subject) values (?, ?, ?, ?)", (now(), by, did, subject))

    def latest(self, limit: int = 100) -> list[TrailEntry]:
        """Newest first."""
        with self._connections.read() as c:
            rows = c.execute("select at, person, did, subject from trail order by id desc limit ?", (limit,)).fetchall()
        return [TrailEntry(at=when(row[0]), by=row[1], did=row[2], subject=row[3]) for row in rows]
