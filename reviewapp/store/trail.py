"""Who did what, in the file that it concerns: a workspace's own, or the server's. Rows are only ever added."""

from __future__ import annotations

from collections.abc import Iterator

from reviewapp.domain.people import EVERYWHERE, TrailEntry
from reviewapp.store.connections import Connections
from reviewapp.store.rows import now, when

PIECE = 500
"""Entries that are in memory at a time."""


class Trail:
    """The trail of a workspace."""

    def __init__(self, connections: Connections, workspace: str) -> None:
        self._connections = connections
        self._workspace = workspace

    def note(self, by: str, did: str, subject: str) -> None:
        with self._connections.write() as db:
            db.execute("insert into trail (at, person, did, subject) values (?, ?, ?, ?)", (now(), by, did, subject))

    def latest(self, limit: int = 100, *, before: int | None = None) -> list[TrailEntry]:
        """Newest first; `before` goes on where a list ended, by its last number."""
        with self._connections.read() as db:
            rows = db.execute(
                "select id, at, person, did, subject from trail where id < ? order by id desc limit ?",
                (before or 2**62, limit),
            ).fetchall()
        return [
            TrailEntry(number=row[0], at=when(row[1]), by=row[2], did=row[3], subject=row[4], workspace=self._workspace)
            for row in rows
        ]


class ServerTrail:
    """The trail of the server: people, roles, keys, links, backups."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    def note(self, by: str, did: str, subject: str, workspace: str = EVERYWHERE) -> None:
        with self._connections.write() as db:
            db.execute(
                "insert into server_trail (at, person, did, subject, workspace) values (?, ?, ?, ?, ?)",
                (now(), by, did, subject, workspace),
            )

    def latest(self, limit: int = 100, *, before: int | None = None, workspace: str | None = None) -> list[TrailEntry]:
        """Newest first, of one workspace or of all; `before` goes on where a list ended, by its last number."""
        with self._connections.read() as db:
            rows = db.execute(
                """select id, at, person, did, subject, workspace from server_trail
                    where id < ? and (? is null or workspace = ?) order by id desc limit ?""",
                (before or 2**62, workspace, workspace, limit),
            ).fetchall()
        return [
            TrailEntry(number=row[0], at=when(row[1]), by=row[2], did=row[3], subject=row[4], workspace=row[5])
            for row in rows
        ]


def whole(trail: Trail | ServerTrail) -> Iterator[TrailEntry]:
    """Every entry, newest first, a piece at a time."""
    before: int | None = None
    while piece := trail.latest(PIECE, before=before):
        yield from piece
        before = piece[-1].number
