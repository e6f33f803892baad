"""What writes with a key answered."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from reviewapp.store.connections import Connections
from reviewapp.store.rows import now, to_json, when

KEPT_DAYS = 30
"""Keys older than this are forgotten; a client repeats within seconds or, by hand, within days."""


@dataclass(frozen=True)
class KeptAnswer:
    fingerprint: str
    answer: dict[str, Any]
    at: datetime


class IdempotencyStore:
    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    def find(self, scope: str, key: str) -> KeptAnswer | None:
        with self._connections.read() as db:
            row = db.execute(
                "select fingerprint, answer, at from idempotency_keys where scope = ? and key = ?", (scope, key)
            ).fetchone()
        return None if row is None else KeptAnswer(row[0], json.loads(row[1]), when(row[2]))

    def keep(self, scope: str, key: str, fingerprint: str, answer: dict[str, Any]) -> None:
        """Keep an answer, and forget those that are too old."""
        oldest = (datetime.now(UTC) - timedelta(days=KEPT_DAYS)).isoformat(timespec="microseconds")
        with self._connections.write() as db:
            db.execute("delete from idempotency_keys where at < ?", (oldest,))
            db.execute(
                "insert into idempotency_keys (scope, key, fingerprint, answer, at) values (?, ?, ?, ?, ?)",
                (scope, key, fingerprint, to_json(answer), now()),
            )
