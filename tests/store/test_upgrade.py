"""Files of older versions: a copy first, then the upgrade; killed at any moment, the file opens, whole."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from sqlite_utils import Database

from reviewapp.domain.records import IncomingRecord
from reviewapp.errors import StorageError
from reviewapp.records import import_records
from reviewapp.store import DataFolder
from reviewapp.store.connections import Connections
from reviewapp.store.health import look_at_workspace
from reviewapp.store.schema import WORKSPACE_ID, workspace_migrations
from tests.killing import Steps, killed

SINCE = "idempotency_keys"
"""The old version of these tests knew the migrations before this one."""


def old_file(folder: Path) -> Path:
    """A workspace as an older version left it, with a record."""
    (folder / "workspaces").mkdir(parents=True)
    path = folder / "workspaces" / "default.db"
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        db = Database(connection, execute_plugins=False)
        workspace_migrations.apply(db, stop_before=SINCE)
        connection.execute(f"pragma application_id = {WORKSPACE_ID}")
        connection.execute("pragma journal_mode = wal")
        connection.execute("insert into collections values ('tenders', '[]', '2026-01-01T00:00:00+00:00', 'Ann')")
    return path


def collections(path: Path) -> list[str]:
    with closing(sqlite3.connect(path)) as db:
        return [row[0] for row in db.execute("select name from collections")]


def test_a_copy_is_kept_before_the_upgrade(tmp_path):
    path = old_file(tmp_path)
    assert SINCE in look_at_workspace(path).pending
    with DataFolder(tmp_path) as data:
        data.workspace("default")
        assert data.workspaces() == ["default"]
    assert look_at_workspace(path).pending == ()
    kept = path.with_name(f"default.db.before-{SINCE}.bak")
    assert SINCE in look_at_workspace(kept).pending
    assert collections(kept) == ["tenders"]


def test_a_new_file_and_one_of_today_leave_no_copy(tmp_path):
    for _ in range(2):
        with DataFolder(tmp_path) as data:
            data.workspace("default", create=True)
    assert list(tmp_path.rglob("*.bak")) == []


def test_without_a_copy_nothing_is_upgraded(tmp_path):
    path = old_file(tmp_path)
    path.with_name(f"default.db.before-{SINCE}.bak").mkdir()
    with DataFolder(tmp_path) as data, pytest.raises(StorageError, match="cannot be written"):
        data.workspace("default")
    assert SINCE in look_at_workspace(path).pending


def _upgrade(statements: int, folder: Path) -> None:
    """Open the workspace, killed before the statement of that number."""
    steps = Steps(statements)
    open_ = Connections._open

    def counted(self: Connections) -> Database:
        db = open_(self)
        if self.name == "default.db":
            db.conn.set_trace_callback(lambda _: steps.take())
        return db

    Connections._open = counted  # type: ignore[method-assign]
    with DataFolder(folder) as data:
        data.workspace("default")


@pytest.mark.slow
def test_killed_while_upgrading_it_opens_whole(tmp_path):
    """At a statement in seventeen, from the first to the last."""
    was_killed, statements = True, 0
    while was_killed:
        folder = tmp_path / str(statements)
        path = old_file(folder)
        was_killed = killed(_upgrade, statements, folder)
        health = look_at_workspace(path)
        assert health.faults == ()
        assert health.pending == () or SINCE in health.pending, "all of the upgrade or nothing of it"
        with DataFolder(folder) as data:
            data.workspace("default")
        assert collections(path) == ["tenders"]
        statements += 17
    assert statements > 100


def _import(statements: int, folder: Path) -> None:
    with DataFolder(folder) as data:
        workspace = data.workspace("default")
        steps = Steps(statements)
        workspace.trace(lambda _: steps.take())
        incoming = (IncomingRecord(name=str(n), text=f"{n} mm") for n in range(300))
        import_records(workspace, "tenders", incoming, by="Ann")


@pytest.mark.slow
def test_killed_while_importing_it_has_all_or_nothing(tmp_path):
    """At a statement in ninety-seven, from the first to the last."""
    was_killed, statements, seen = True, 0, set()
    while was_killed:
        folder = tmp_path / str(statements)
        with DataFolder(folder) as data:
            data.workspace("default", create=True)
        was_killed = killed(_import, statements, folder)
        path = folder / "workspaces" / "default.db"
        with closing(sqlite3.connect(path)) as db:
            (found,) = db.execute("select count(*) from records").fetchone()
        assert found in ((0, 300) if was_killed else (300,))
        assert look_at_workspace(path).faults == ()
        seen.add(found)
        statements += 97
    assert seen == {0, 300}
