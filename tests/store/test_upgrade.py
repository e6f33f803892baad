"""Files of older versions: a copy first, then the upgrade; killed at any moment, the file opens, whole."""

from __future__ import annotations

import random
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest
from sqlite_utils import Database

from reviewapp.errors import StorageError
from reviewapp.store import DataFolder
from reviewapp.store.health import look_at_workspace
from reviewapp.store.schema import WORKSPACE_ID, workspace_migrations

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


KILLED = """
import os, sqlite3, sys
from pathlib import Path
from reviewapp.store import DataFolder, connections
left = int(sys.argv[2])
opened = connections.Connections._open
def traced(self):
    db = opened(self)
    def count(statement):
        global left
        left -= 1
        if left < 0 and self.path.name == "default.db":
            os.kill(os.getpid(), 9)
    db.conn.set_trace_callback(count)
    return db
connections.Connections._open = traced
with DataFolder(Path(sys.argv[1])) as data:
    data.workspace("default")
"""


@pytest.mark.slow
def test_killed_while_upgrading_it_opens_whole(tmp_path):
    """At a statement in seventeen, from the first to the last."""
    ended = -9
    statements = 0
    while ended == -9:
        folder = tmp_path / str(statements)
        path = old_file(folder)
        words = [sys.executable, "-c", KILLED, str(folder), str(statements)]
        ended = subprocess.run(words, check=False, timeout=60).returncode
        assert ended in (0, -9)
        health = look_at_workspace(path)
        assert health.faults == ()
        assert health.pending == () or SINCE in health.pending, "all of the upgrade or nothing of it"
        with DataFolder(folder) as data:
            data.workspace("default")
        assert collections(path) == ["tenders"]
        statements += 17
    assert statements > 100


IMPORTING = """
import sys
from pathlib import Path
from reviewapp.domain.records import IncomingRecord
from reviewapp.records import import_records
from reviewapp.store import DataFolder
with DataFolder(Path(sys.argv[1])) as data:
    workspace = data.workspace("default")
    print("begun", flush=True)
    import_records(workspace, "tenders", [IncomingRecord(name=str(n), text=f"{n} mm") for n in range(3000)], by="Ann")
    print("done", flush=True)
"""


@pytest.mark.slow
def test_killed_while_importing_it_has_all_or_nothing(tmp_path):
    rng = random.Random(6)
    with DataFolder(tmp_path) as data:
        data.workspace("default", create=True)
    path = tmp_path / "workspaces" / "default.db"
    for _ in range(6):
        words = [sys.executable, "-c", IMPORTING, str(tmp_path)]
        with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            assert process.stdout.readline() == "begun\n"
            time.sleep(rng.uniform(0, 0.8))
            process.kill()
            done = "done" in process.stdout.read()
        with closing(sqlite3.connect(path)) as db:
            (found,) = db.execute("select count(*) from records").fetchone()
        assert found in ((3000,) if done else (0, 3000))
        assert look_at_workspace(path).faults == ()
