"""Eval-set projects that a workspace knows: where they lie and how they are scored. Their files stay where they are."""

from __future__ import annotations

from typing import Any

from reviewapp.domain.eval_sets import Project, Settled
from reviewapp.store.connections import Connections
from reviewapp.store.rows import now

TABLE = """create table eval_projects (
    id text primary key,
    folder text not null unique,
    name text not null,
    dialect text check (dialect in ('strict', 'package', 'old')),  -- the person's choice; null: as the files tell
    target text not null default '',
    pattern text not null default '',
    trusted integer not null default 0,
    created text not null,
    created_by text not null
) strict"""
LOOPS = (
    "alter table eval_projects add column fix text not null default ''",
    """create table eval_settled (
        run text not null,
        file text not null,
        item text not null,
        evaluator text not null,
        side text not null check (side in ('output', 'expectation')),
        by text not null,
        at text not null,
        primary key (run, file, item, evaluator)
    ) strict, without rowid""",
)
"""Fix commands of loops, and which side of a changed behaviour is right."""
_COLUMNS = "id, folder, name, dialect, target, pattern, trusted, fix"


class EvalProjectStore:
    """Each call is one transaction."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    def add(self, project: Project, by: str) -> Project:
        """Keep it; a folder that is known already stays as it is."""
        with self._connections.write() as db:
            db.execute(
                "insert into eval_projects (id, folder, name, created, created_by) values (?, ?, ?, ?, ?) "
                "on conflict (folder) do nothing",
                (project.id, project.folder, project.name, now(), by),
            )
            row = db.execute(f"select {_COLUMNS} from eval_projects where folder = ?", (project.folder,)).fetchone()
        return _project(row)

    def get(self, id: str) -> Project | None:
        with self._connections.read() as db:
            row = db.execute(f"select {_COLUMNS} from eval_projects where id = ?", (id,)).fetchone()
        return None if row is None else _project(row)

    def all(self) -> list[Project]:
        """By name."""
        with self._connections.read() as db:
            rows = db.execute(f"select {_COLUMNS} from eval_projects order by name, id").fetchall()
        return [_project(row) for row in rows]

    def put(self, project: Project) -> None:
        with self._connections.write() as db:
            db.execute(
                "update eval_projects set dialect = ?, target = ?, pattern = ?, trusted = ?, fix = ? where id = ?",
                (project.dialect, project.target, project.pattern, int(project.trusted), project.fix, project.id),
            )

    def delete(self, id: str) -> bool:
        with self._connections.write() as db:
            return db.execute("delete from eval_projects where id = ?", (id,)).rowcount == 1

    def settle(self, run: str, settled: Settled) -> None:
        """Keep the word on a row of a run; a later one stands."""
        with self._connections.write() as db:
            db.execute(
                "insert or replace into eval_settled (run, file, item, evaluator, side, by, at) "
                "values (?, ?, ?, ?, ?, ?, ?)",
                (run, *settled.key, settled.side, settled.by, now()),
            )

    def settled(self, run: str) -> list[Settled]:
        """What was said of the rows of a run."""
        with self._connections.read() as db:
            rows = db.execute(
                "select file, item, evaluator, side, by from eval_settled where run = ?", (run,)
            ).fetchall()
        return [Settled(file=row[0], item=row[1], evaluator=row[2], side=row[3], by=row[4]) for row in rows]


def _project(row: tuple[Any, ...]) -> Project:
    return Project(
        id=row[0],
        folder=row[1],
        name=row[2],
        dialect=row[3],
        target=row[4],
        pattern=row[5],
        trusted=bool(row[6]),
        fix=row[7],
    )
