"""One file, many threads, other programs."""

from __future__ import annotations

import multiprocessing
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlite_utils import Database, Migrations

from reviewapp.errors import Busy, DamagedFile, NewerFile, NotFound, StorageError
from reviewapp.store import DataFolder, Workspace
from reviewapp.store.connections import Connections

migrations = Migrations("numbers")


@migrations()
def numbers(db: Database) -> None:
    db.conn.execute("create table numbers (number integer not null) strict")


ID = 0x1234


def opened(path: Path | None, seconds: float = 5.0) -> Connections:
    return Connections(path, migrations, ID, busy_seconds=seconds)


def add(connections: Connections, number: int) -> None:
    with connections.write() as c:
        c.execute("insert into numbers values (?)", (number,))


def add_and_fail(connections: Connections, number: int, call: Callable[[], object] = int) -> None:
    with connections.write():
        add(connections, number)
        connections.after_commit(call)
        raise ZeroDivisionError


def total(connections: Connections) -> int:
    with connections.read() as c:
        return int(c.execute("select count(*) from numbers").fetchone()[0])


@pytest.mark.parametrize("in_memory", [False, True])
def test_many_threads_write_and_read(tmp_path, in_memory):
    connections = opened(None if in_memory else tmp_path / "n.db")
    errors: list[BaseException] = []

    def work() -> None:
        try:
            for number in range(50):
                add(connections, number)
                total(connections)
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    assert total(connections) == 400
    connections.close()


def _add_fifty(path: Path) -> None:
    connections = opened(path)
    for number in range(50):
        add(connections, number)
    connections.close()


def test_two_processes_write(tmp_path):
    connections = opened(tmp_path / "n.db")
    processes = [
        multiprocessing.get_context("spawn").Process(target=_add_fifty, args=(tmp_path / "n.db",)) for _ in range(2)
    ]
    for process in processes:
        process.start()
    for number in range(50):
        add(connections, number)
    for process in processes:
        process.join()
    assert [p.exitcode for p in processes] == [0, 0]
    assert total(connections) == 150
    connections.close()


@pytest.mark.parametrize(("held", "waits", "saved"), [(0.3, 5.0, True), (1.0, 0.1, False)])
def test_another_program_holds_the_file(tmp_path, held, waits, saved):
    connections = opened(tmp_path / "n.db", waits)
    other = sqlite3.connect(tmp_path / "n.db", isolation_level=None, check_same_thread=False)
    other.execute("begin immediate")
    release = threading.Timer(held, lambda: other.execute("rollback"))
    release.start()
    if saved:
        add(connections, 1)
    else:
        with pytest.raises(Busy, match="nothing was saved, try again"):
            add(connections, 1)
    release.join()
    assert total(connections) == int(saved)
    add(connections, 2)
    assert total(connections) == int(saved) + 1
    other.close()
    connections.close()


def test_another_thread_holds_the_lock(tmp_path):
    connections = opened(tmp_path / "n.db", 0.1)
    within, leave = threading.Event(), threading.Event()

    def hold() -> None:
        with connections.write():
            within.set()
            leave.wait(5)

    thread = threading.Thread(target=hold)
    thread.start()
    within.wait(5)
    assert total(connections) == 0  # reading does not wait
    with pytest.raises(Busy):
        add(connections, 1)
    leave.set()
    thread.join()
    add(connections, 1)
    connections.close()


def test_an_error_undoes_the_transaction_and_a_nested_one_alone():
    connections = opened(None)
    with pytest.raises(ZeroDivisionError):
        add_and_fail(connections, 1)
    assert total(connections) == 0
    with connections.write():
        add(connections, 1)
        with pytest.raises(ZeroDivisionError):
            add_and_fail(connections, 2)
    assert total(connections) == 1
    connections.close()


def test_a_full_disk_loses_nothing_that_was_saved(tmp_path):
    connections = opened(tmp_path / "n.db")
    add(connections, 1)
    with connections.read() as c:
        (pages,) = c.execute("pragma page_count").fetchone()
        c.execute(f"pragma max_page_count = {pages}")

    def fill() -> None:
        with connections.write() as c:
            c.executemany("insert into numbers values (?)", ((n,) for n in range(100_000)))

    with pytest.raises(StorageError, match=r"disk that holds n\.db is full; nothing was saved"):
        fill()
    with pytest.raises(StorageError), connections.write():
        fill()  # nested: the whole transaction is undone
    assert total(connections) == 1
    add(connections, 2)
    assert total(connections) == 2
    connections.close()


def test_a_snapshot_sees_one_state(tmp_path):
    connections = opened(tmp_path / "n.db")
    with connections.snapshot():
        assert total(connections) == 0
        thread = threading.Thread(target=add, args=(connections, 1))
        thread.start()
        thread.join()
        assert total(connections) == 0
        with pytest.raises(RuntimeError, match="write within a snapshot"):
            add(connections, 2)
    assert total(connections) == 1
    connections.close()


def test_calls_after_the_commit():
    connections = opened(None)
    calls: list[str] = []
    connections.after_commit(lambda: calls.append("at once"))
    with connections.write(), connections.write():
        connections.after_commit(lambda: calls.append("after"))
        assert calls == ["at once"]
    assert calls == ["at once", "after"]
    with pytest.raises(ZeroDivisionError):
        add_and_fail(connections, 1, lambda: calls.append("never"))
    assert calls == ["at once", "after"]
    connections.close()


def test_connections_of_ended_threads_are_closed(tmp_path):
    connections = opened(tmp_path / "n.db")
    for _ in range(20):
        thread = threading.Thread(target=total, args=(connections,))
        thread.start()
        thread.join()
    assert len(connections._by_thread) <= 2
    connections.close()


def test_closing_waits_for_those_at_work_and_lets_nobody_begin(tmp_path):
    for _ in range(20):
        connections = opened(tmp_path / "n.db")
        said: list[str] = []

        def work(connections: Connections = connections, said: list[str] = said) -> None:
            try:
                while True:
                    add(connections, 1)
                    total(connections)
            except StorageError as error:
                said.append(error.message)

        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        time.sleep(0.01)
        connections.close()
        for thread in threads:
            thread.join()
        assert said == ["n.db was closed; nothing was saved."] * 4


def test_closing_lets_a_transaction_come_to_its_end(tmp_path):
    connections = opened(tmp_path / "n.db")
    within = threading.Event()

    def work() -> None:
        with connections.write():
            add(connections, 1)
            within.set()
            time.sleep(0.2)
            add(connections, 2)
            assert total(connections) == 2

    thread = threading.Thread(target=work)
    thread.start()
    within.wait(5)
    connections.close()
    thread.join()
    again = opened(tmp_path / "n.db")
    assert total(again) == 2
    again.close()


def _newer(path: Path) -> None:
    with sqlite3.connect(path) as db:
        db.execute("insert into _sqlite_migrations (migration_set, name, applied_at) values ('workspace', 'later', '')")
    db.close()


def _overwritten(path: Path) -> None:
    path.write_bytes(b"This is not a database. " * 400)


def _foreign(path: Path) -> None:
    path.unlink()
    with sqlite3.connect(path) as db:
        db.execute("create table plants (name)")
    db.close()


def _emptied(path: Path) -> None:
    path.write_bytes(b"")


def _torn(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[100:4000] = b"\xff" * 3900
    path.write_bytes(bytes(content))


@pytest.mark.parametrize(
    ("harm", "error", "says"),
    [
        (_newer, NewerFile, "default.db was written by a newer reviewapp"),
        (_overwritten, DamagedFile, "default.db is damaged"),
        (_torn, DamagedFile, "default.db is damaged"),
        (_foreign, DamagedFile, "not one that reviewapp wrote"),
        (_emptied, DamagedFile, "default.db is empty"),
    ],
)
def test_files_that_cannot_be_used(tmp_path, harm, error, says):
    with DataFolder(tmp_path) as data:
        data.workspace("default", create=True)
    harm(tmp_path / "workspaces" / "default.db")
    with DataFolder(tmp_path) as data, pytest.raises(error, match=says):
        data.workspace("default")


def test_a_folder_in_place_of_the_file(tmp_path):
    (tmp_path / "workspaces" / "default.db").mkdir(parents=True)
    with DataFolder(tmp_path) as data, pytest.raises(StorageError, match=r"default\.db"):
        data.workspace("default")


def test_the_data_folder_cannot_be_made(tmp_path):
    (tmp_path / "data").write_text("a file")
    with pytest.raises(StorageError, match="cannot be made"):
        DataFolder(tmp_path / "data")


@pytest.mark.parametrize("name", ["../evil", "a/b", "", "A", "-a", "a" * 64, "a.db", "ünder"])
def test_names_never_become_paths(data_folder, name):
    with pytest.raises(NotFound):
        data_folder.workspace(name)
    with pytest.raises(Exception, match="is no workspace name"):
        data_folder.workspace(name, create=True)
    assert data_folder.workspaces() == []


def test_a_workspace_is_opened_once(data_folder):
    first = data_folder.workspace("default", create=True)
    assert data_folder.workspace("default") is first
    assert data_folder.workspaces() == ["default"]
    with pytest.raises(NotFound, match="There are: default"):
        data_folder.workspace("other")


def test_settings_of_the_file(data_folder):
    workspace = data_folder.workspace("default", create=True)
    with workspace.connections.read() as c:
        found = {p: c.execute(f"pragma {p}").fetchone()[0] for p in ("journal_mode", "synchronous", "foreign_keys")}
        loose = c.execute(
            "select name from pragma_table_list where schema = 'main' and type = 'table' and not strict"
        ).fetchall()
    assert found == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1}
    assert {name for (name,) in loose} == {"sqlite_schema", "sqlite_sequence"}  # SQLite makes these itself


def test_opening_again_changes_nothing(tmp_path):
    for _ in range(2):
        with DataFolder(tmp_path) as data:
            data.workspace("default", create=True).records.make_collection("tenders", "eva")
    with DataFolder(tmp_path) as data:
        assert [c.name for c in data.workspace("default").records.collections()] == ["tenders"]


KILLED = """
import os, sys
from reviewapp.store.workspace import Workspace
from pathlib import Path
workspace = Workspace("default", Path(sys.argv[1]))
number = 0
while True:
    with workspace.atomic():
        workspace.records.make_collection(f"c{number}", "eva")
        workspace.records.make_collection(f"d{number}", "eva")
    print(number, flush=True)
    number += 1
"""


def test_what_was_acknowledged_survives_a_kill(tmp_path):
    path = tmp_path / "default.db"
    process = subprocess.Popen([sys.executable, "-c", KILLED, str(path)], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    seen = -1
    until = time.monotonic() + 20
    while seen < 50 and time.monotonic() < until:
        seen = int(process.stdout.readline())
    process.kill()
    rest = process.stdout.read().split()
    process.stdout.close()
    process.wait()
    seen = max([seen, *map(int, rest)])
    with Workspace("default", path) as workspace:
        names = {c.name for c in workspace.records.collections()}
    assert {f"{letter}{n}" for n in range(seen + 1) for letter in "cd"} <= names
    assert len(names) % 2 == 0  # never half a transaction
