"""Workflows, their revisions and their history."""

from __future__ import annotations

from typing import Any

from reviewapp.domain.workflows import Action, Activation, Revision, Workflow, WorkflowSettings
from reviewapp.store.connections import Connections
from reviewapp.store.rows import now, when

_WORKFLOW = """select w.name, w.collection, w.created, w.paused,
    r.id, r.workflow, r.number, r.settings, r.created, r.created_by, r.note,
    (select count(*) from revisions n where n.workflow = w.name)
    from workflows w join revisions r on r.id = w.active where w.deleted is null"""
_REVISION = "select id, workflow, number, settings, created, created_by, note from revisions"


class WorkflowStore:
    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    def all(self) -> list[Workflow]:
        """By name; deleted ones are not among them."""
        with self._connections.read() as c:
            return [_workflow(row) for row in c.execute(f"{_WORKFLOW} order by w.name").fetchall()]

    def get(self, name: str) -> Workflow | None:
        with self._connections.read() as c:
            row = c.execute(f"{_WORKFLOW} and w.name = ?", (name,)).fetchone()
        return None if row is None else _workflow(row)

    def keep_revision(self, id: str, workflow: str, settings: WorkflowSettings, by: str, note: str) -> bool:
        """Keep a revision under its id; False where it is there already. The workflow must be there."""
        with self._connections.write() as c:
            made = c.execute(
                """insert into revisions (id, workflow, number, settings, created, created_by, note)
                    select ?1, ?2, 1 + (select count(*) from revisions where workflow = ?2), ?3, ?4, ?5, ?6
                    where not exists (select 1 from revisions where id = ?1)""",
                (id, workflow, settings.model_dump_json(), now(), by, note),
            )
            return made.rowcount == 1

    def make(self, name: str, collection: str, revision: str, by: str) -> None:
        """Make a workflow, or bring a deleted one back; its revision may follow in the same transaction."""
        with self._connections.write() as c:
            c.execute(
                """insert into workflows (name, collection, active, created, created_by) values (?, ?, ?, ?, ?)
                    on conflict (name) do update set collection = excluded.collection, active = excluded.active,
                    created = excluded.created, created_by = excluded.created_by, paused = 0, deleted = null""",
                (name, collection, revision, now(), by),
            )

    def activate(self, workflow: str, revision: Revision, action: Action, by: str, previous: str | None) -> None:
        """Put a revision in use and write the row of the history."""
        with self._connections.write() as c:
            c.execute(
                "update workflows set active = ?, collection = ? where name = ?",
                (revision.id, revision.settings.collection, workflow),
            )
            c.execute(
                """insert into activations (workflow, number, revision, action, at, person, previous)
                    select ?1, 1 + (select count(*) from activations where workflow = ?1), ?2, ?3, ?4, ?5, ?6""",
                (workflow, revision.id, action, now(), by, previous),
            )

    def pause(self, name: str, paused: bool) -> None:
        with self._connections.write() as c:
            c.execute("update workflows set paused = ? where name = ?", (paused, name))

    def delete(self, name: str) -> bool:
        with self._connections.write() as c:
            gone = c.execute("update workflows set deleted = ? where name = ? and deleted is null", (now(), name))
            return gone.rowcount == 1

    def revisions(self, workflow: str) -> list[Revision]:
        """All ever made, newest first."""
        with self._connections.read() as c:
            rows = c.execute(f"{_REVISION} where workflow = ? order by number desc", (workflow,)).fetchall()
        return [_revision(row) for row in rows]

    def revision(self, workflow: str, id: str) -> Revision | None:
        with self._connections.read() as c:
            row = c.execute(f"{_REVISION} where workflow = ? and id = ?", (workflow, id)).fetchone()
        return None if row is None else _revision(row)

    def history(self, workflow: str) -> list[Activation]:
        """Newest first."""
        with self._connections.read() as c:
            rows = c.execute(
                """select number, workflow, revision, action, at, person, previous
                    from activations where workflow = ? order by number desc""",
                (workflow,),
            ).fetchall()
        return [
            Activation(number=r[0], workflow=r[1], revision=r[2], action=r[3], at=when(r[4]), by=r[5], previous=r[6])
            for r in rows
        ]


def _revision(row: tuple[Any, ...]) -> Revision:
    id, workflow, number, settings, created, created_by, note = row
    return Revision(
        id=id,
        workflow=workflow,
        number=number,
        settings=WorkflowSettings.model_validate_json(settings),
        created=when(created),
        created_by=created_by,
        note=note,
    )


def _workflow(row: tuple[Any, ...]) -> Workflow:
    name, collection, created, paused, *revision, revision_count = row
    return Workflow(
        name=name,
        collection=collection,
        active=_revision(tuple(revision)),
        created=when(created),
        paused=bool(paused),
        revision_count=revision_count,
    )
