"""API keys, in the server's file."""

from __future__ import annotations

import sqlite3
from typing import Any

from reviewapp.domain.people import ApiKey, Role
from reviewapp.errors import Conflict, NotFound
from reviewapp.store.connections import Connections
from reviewapp.store.rows import maybe_when, now, when

COLUMNS = "id, name, role, shown, created, created_by, last_used, revoked, workspace"


class KeyStore:
    """Each call is one transaction."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    def add(self, key_id: str, name: str, role: Role, secret_hash: str, shown: str, by: str, workspace: str) -> ApiKey:
        """Raises Conflict where a live key has the name."""
        with self._connections.write() as db:
            try:
                db.execute(
                    """insert into api_keys (id, name, role, hash, shown, created, created_by, workspace)
                        values (?, ?, ?, ?, ?, ?, ?, ?)""",
                    (key_id, name, role, secret_hash, shown, now(), by, workspace),
                )
            except sqlite3.IntegrityError:
                message = f"There is a live API key {name!r} already; revoke it first or choose another name."
                raise Conflict(message, param="name") from None
            return _key(db.execute(f"select {COLUMNS} from api_keys where id = ?", (key_id,)).fetchone())

    def all(self) -> list[ApiKey]:
        """Oldest first, revoked ones included."""
        with self._connections.read() as db:
            return [_key(row) for row in db.execute(f"select {COLUMNS} from api_keys order by created, id")]

    def any_live(self) -> bool:
        with self._connections.read() as db:
            return db.execute("select 1 from api_keys where revoked is null limit 1").fetchone() is not None

    def live_by_hash(self, secret_hash: str) -> ApiKey | None:
        with self._connections.read() as db:
            row = db.execute(
                f"select {COLUMNS} from api_keys where hash = ? and revoked is null", (secret_hash,)
            ).fetchone()
        return None if row is None else _key(row)

    def touch(self, key_id: str) -> None:
        """The key was used now."""
        with self._connections.write() as db:
            db.execute("update api_keys set last_used = ? where id = ?", (now(), key_id))

    def revoke(self, name_or_id: str) -> ApiKey:
        """Raises NotFound where no live key has that name or id."""
        with self._connections.write() as db:
            row = db.execute(
                f"update api_keys set revoked = ? where (name = ? or id = ?) and revoked is null returning {COLUMNS}",
                (now(), name_or_id, name_or_id),
            ).fetchone()
        if row is None:
            raise NotFound("API key", name_or_id, way_out="`reviewapp key list` shows those there are.")
        return _key(row)


def _key(row: Any) -> ApiKey:
    return ApiKey(
        id=row[0],
        name=row[1],
        role=row[2],
        shown=row[3],
        created=when(row[4]),
        created_by=row[5],
        last_used=maybe_when(row[6]),
        revoked=maybe_when(row[7]),
        workspace=row[8],
    )
