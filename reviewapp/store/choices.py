"""Model choices that people made."""

from __future__ import annotations

import json
from typing import Any

from reviewapp.domain.choices import ModelChoice, ModelName, Use
from reviewapp.store.connections import Connections
from reviewapp.store.rows import now, when

_COLUMNS = "use, workflow, model, previous, person, since, created"


class ChoiceStore:
    """Each call is one transaction. The workspace's own rows have the empty workflow."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    def all(self) -> list[ModelChoice]:
        """The workspace's rows first, then the workflows' by name."""
        with self._connections.read() as db:
            rows = db.execute(f"select {_COLUMNS} from model_choices order by workflow, use").fetchall()
        return [_choice(row) for row in rows]

    def get(self, use: Use, workflow: str | None) -> ModelChoice | None:
        with self._connections.read() as db:
            row = db.execute(
                f"select {_COLUMNS} from model_choices where use = ? and workflow = ?", (use, workflow or "")
            ).fetchone()
        return None if row is None else _choice(row)

    def put(self, use: Use, workflow: str | None, model: ModelName, by: str) -> ModelChoice:
        """Choose; choosing the same again changes nothing."""
        with self._connections.write() as db:
            present = self.get(use, workflow)
            if present is not None and present.model == model:
                return present
            at = now()
            previous = None if present is None or present.model is None else present.model.model_dump_json()
            db.execute(
                """insert into model_choices (use, workflow, model, previous, person, since, created)
                    values (?, ?, ?, ?, ?, ?, ?) on conflict (workflow, use) do update set model = excluded.model,
                    previous = excluded.previous, person = excluded.person, since = excluded.since""",
                (use, workflow or "", model.model_dump_json(), previous, by, at, at),
            )
            stored = self.get(use, workflow)
        assert stored is not None  # noqa: S101 - written above
        return stored

    def delete(self, use: Use, workflow: str | None) -> None:
        with self._connections.write() as db:
            db.execute("delete from model_choices where use = ? and workflow = ?", (use, workflow or ""))


def _choice(row: tuple[Any, ...]) -> ModelChoice:
    return ModelChoice(
        use=row[0],
        workflow=row[1] or None,
        model=ModelName.model_validate(json.loads(row[2])),
        previous=None if row[3] is None else ModelName.model_validate(json.loads(row[3])),
        by=row[4],
        since=when(row[5]),
        created=when(row[6]),
    )
