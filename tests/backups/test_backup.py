"""All of a data folder goes into one file and comes back, while people work and where nothing can be written."""

from __future__ import annotations

import itertools
import os
import shutil
import sqlite3
import subprocess
import threading
from contextlib import closing

import pytest

from reviewapp import answers, records, tests
from reviewapp.backups import make_backup, restore_backup
from reviewapp.domain.records import IncomingRecord
from reviewapp.errors import Conflict, DamagedFile, NotFound, StorageError
from reviewapp.running.runner import Runner
from reviewapp.store import DataFolder
from reviewapp.store.health import look_at_server, look_at_workspace
from tests.backups.conftest import names_of


def test_everything_comes_back(backup, tmp_path):
    again = tmp_path / "again"
    done = restore_backup(backup, again, by="Ann")
    assert (done.workspaces, done.kept) == (("default", "other"), None)
    with DataFolder(again) as data:
        assert names_of(data.workspace("default")) == ["4.1 kitchen", "4.2 laundry"]
        assert [e.did for e in data.trail.latest()] == ["restore backup"]


def test_what_was_there_is_kept(folder, backup):
    with DataFolder(folder) as data:
        records.import_records(data.workspace("default"), "tenders", [IncomingRecord(name="new", text="x")], by="Ann")
        data.workspace("third", create=True)
    with pytest.raises(Conflict, match="give --replace"):
        restore_backup(backup, folder, by="Ann")
    kept = [restore_backup(backup, folder, replace=True, by="Ann").kept for _ in range(2)]
    with DataFolder(folder) as data:
        assert data.workspaces() == ["default", "other"]
        assert names_of(data.workspace("default")) == ["4.1 kitchen", "4.2 laundry"]
    with DataFolder(folder / str(kept[0])) as before:
        assert before.workspaces() == ["default", "other", "third"]
        assert "new" in names_of(before.workspace("default"))
    with DataFolder(folder / str(kept[1])) as before:
        assert before.workspaces() == ["default", "other"]


def test_a_server_at_work_is_in_the_way(folder, backup):
    with DataFolder(folder) as data, Runner(data), pytest.raises(Conflict, match="works on this data folder; stop it"):
        restore_backup(backup, folder, replace=True, by="Ann")
    restore_backup(backup, folder, replace=True, by="Ann")
    assert look_at_workspace(folder / "workspaces" / "default.db").faults == ()


def test_while_people_answer(folder, tmp_path):
    """Each backup holds whole answers only, and at least those given before it began."""
    with DataFolder(folder) as data:
        workspace = data.workspace("default")
        test = tests.list_tests(workspace)[0]
        given: set[int] = set()
        stop = threading.Event()

        def answer(person: str) -> None:
            for number in itertools.count():
                if stop.is_set():
                    return
                decision = "accept" if number % 2 else "cant_tell"
                given.add(answers.save_answer(workspace, test.id, 0, "material", decision, by=person).id)

        people = [threading.Thread(target=answer, args=(f"person {n}",)) for n in range(3)]
        for person in people:
            person.start()
        try:
            for number in range(5):
                before = set(given)
                make_backup(data, tmp_path / f"{number}.zip", by="Ann")
                restore_backup(tmp_path / f"{number}.zip", tmp_path / f"again-{number}", by="Ann")
                with closing(sqlite3.connect(tmp_path / f"again-{number}" / "workspaces" / "default.db")) as db:
                    assert before <= {row[0] for row in db.execute("select id from answers")}
                    assert db.execute("pragma foreign_key_check").fetchall() == []
        finally:
            stop.set()
            for person in people:
                person.join()
    assert len(given) > 5


def test_nobody_else_of_the_machine_reads_it(folder, backup):
    """It holds hashes of passwords and all texts. Who opened an older one to others keeps it open."""
    assert backup.stat().st_mode & 0o777 == 0o600
    backup.chmod(0o640)
    with DataFolder(folder) as data:
        make_backup(data, backup, by="Ann")
    assert backup.stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize("name", ["backup.zip", "backup.zip.part"])
def test_a_link_that_somebody_put_there_is_not_followed(folder, tmp_path, name):
    victim = tmp_path / "victim"
    victim.write_text("mine")
    (tmp_path / name).symlink_to(victim)
    with DataFolder(folder) as data:
        make_backup(data, tmp_path / "backup.zip", by="Ann")
    assert victim.read_text() == "mine"
    assert not (tmp_path / "backup.zip").is_symlink()


def test_what_is_no_workspace_is_left_out_and_what_could_not_be_restored_is_said(folder, tmp_path):
    workspaces = folder / "workspaces"
    shutil.copy(workspaces / "default.db", workspaces / "default - Copy.db")
    (workspaces / "nowhere.db").symlink_to(tmp_path / "not there.db")
    (workspaces / "folder.db").mkdir()
    with DataFolder(folder) as data:
        made = make_backup(data, tmp_path / "backup.zip", by="Ann")
        assert [file.name for file in made.files] == ["reviewapp.db", "workspaces/default.db", "workspaces/other.db"]
        assert restore_backup(tmp_path / "backup.zip", tmp_path / "again", by="Ann").workspaces == ("default", "other")
        for content in (b"", b"x" * 5_000):
            (workspaces / "bad.db").write_bytes(content)
            with pytest.raises(DamagedFile, match=r"bad\.db is"):
                make_backup(data, tmp_path / "backup.zip", by="Ann")
    assert not (tmp_path / "not there.db").exists()
    assert restore_backup(tmp_path / "backup.zip", tmp_path / "once more", by="Ann").workspaces == ("default", "other")


def test_what_a_killed_backup_left_goes_with_the_next(folder, backup):
    old, new = backup.parent / ".backup-old", backup.parent / ".backup-new"
    for room in (old, new):
        room.mkdir()
        (room / "copy.db").write_bytes(b"half")
    os.utime(old, (0, 0))
    with DataFolder(folder) as data:
        make_backup(data, backup, by="Ann")
    assert [room.name for room in backup.parent.glob(".backup-*")] == [".backup-new"]


def test_over_a_damaged_folder_it_restores(folder, backup):
    (folder / "reviewapp.db").write_bytes(b"damaged" * 1000)
    restore_backup(backup, folder, replace=True, by="Ann")
    assert look_at_server(folder / "reviewapp.db").faults == ()


@pytest.mark.parametrize("place", ["nowhere/backup.zip", "/proc/backup.zip"])
def test_where_nothing_can_be_written(folder, tmp_path, place):
    with DataFolder(folder) as data, pytest.raises((StorageError, NotFound)) as refused:
        make_backup(data, tmp_path / place, by="Ann")
    assert "\n" not in refused.value.message


@pytest.mark.skipif(os.geteuid() != 0, reason="needs to mount a small disk")
def test_a_full_disk_is_said_and_leaves_nothing(folder, tmp_path):
    disk = tmp_path / "small"
    disk.mkdir()
    if subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=200k", "tmpfs", disk], check=False, capture_output=True
    ).returncode:
        pytest.skip("mounting is not allowed here")
    try:
        with DataFolder(folder) as data, pytest.raises(StorageError) as refused:
            make_backup(data, disk / "backup.zip", by="Ann")
        assert "room" in refused.value.message or "No space left" in refused.value.message
        assert list(disk.iterdir()) == []
    finally:
        subprocess.run(["umount", disk], check=True)
