from __future__ import annotations

import itertools
import json
import os
import shutil
import sqlite3
import subprocess
import threading
import zipfile
from contextlib import closing
from pathlib import Path

import pytest

from reviewapp import answers, records, tests
from reviewapp.backups import make_backup, restore_backup, restore_workspace, workspaces_in
from reviewapp.domain.records import IncomingRecord
from reviewapp.errors import Conflict, DamagedFile, InvalidInput, NewerFile, NotFound, StorageError
from reviewapp.running.runner import Runner
from reviewapp.store import DataFolder
from reviewapp.store.health import look_at_server, look_at_workspace
from tests.killing import Steps, killed
from tests.web import world


def fill(folder: Path, names=("default", "other")) -> None:
    with DataFolder(folder) as data:
        for name in names:
            world.sinks(data.workspace(name, create=True))


def names_of(workspace) -> list[str]:
    return [row.name for row in records.list_records(workspace, "tenders")]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    fill(tmp_path / "data")
    return tmp_path / "data"


@pytest.fixture
def backup(folder: Path) -> Path:
    target = folder.parent / "backup.zip"
    with DataFolder(folder) as data:
        make_backup(data, target, by="Ann")
    return target


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


def changed(source: Path, target: Path, change) -> Path:
    """The archive with its members changed: `change(name, content)` gives (name, content) or None."""
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            made = change(name, old.read(name))
            if made is not None:
                new.writestr(*made)
    return target


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


@pytest.mark.parametrize(
    "statement",
    [
        "create trigger owned after insert on texts begin delete from trail; end",
        "create view owned as select * from records",
        "drop trigger trail_stays; create trigger trail_stays before delete on trail begin select 1; end",
    ],
)
def test_statements_that_came_with_a_backup_do_not_run(folder, tmp_path, statement):
    with closing(sqlite3.connect(folder / "workspaces" / "other.db")) as db:
        triggers = {row[0] for row in db.execute("select name from sqlite_master where type = 'trigger'")}
        statement = statement.replace("trail_stays", next(name for name in triggers if "trail" in name))
        db.executescript(statement)
    hostile = tmp_path / "hostile.zip"
    with DataFolder(folder) as data:
        make_backup(data, hostile, by="Ann")
    with pytest.raises(InvalidInput, match="runs statements that reviewapp did not put there"):
        restore_backup(hostile, tmp_path / "again", by="Ann")
    assert not (tmp_path / "again").exists()


def _renamed(to: str):
    def change(name: str, content: bytes) -> tuple[str, bytes]:
        if name == "manifest.json":
            return name, content.replace(b"workspaces/other.db", to.encode())
        return (to if name == "workspaces/other.db" else name), content

    return change


def _sized(size: int):
    def change(name: str, content: bytes) -> tuple[str, bytes]:
        if name == "manifest.json":
            manifest = json.loads(content)
            manifest["files"][1]["bytes"] = size
            content = json.dumps(manifest).encode()
        return name, content

    return change


@pytest.mark.parametrize(
    "change",
    [
        _renamed("../outside.db"),
        _renamed("/etc/cron.d/x.db"),
        _renamed("workspaces/../../x.db"),
        _renamed("workspaces/A B.db"),
        lambda name, content: None if name == "manifest.json" else (name, content),
        lambda name, content: None if name == "reviewapp.db" else (name, content),
        lambda name, content: (name, content[:-1] + b"x") if name.endswith("other.db") else (name, content),
        lambda name, content: (name, content + bytes(10**7)) if name.endswith("other.db") else (name, content),
        lambda name, content: (name, b"[]") if name == "manifest.json" else (name, content),
        lambda name, content: (name, b"x" * 10_000_001) if name == "manifest.json" else (name, content),
        lambda name, content: (name, b"[" * 100_000) if name == "manifest.json" else (name, content),
        _sized(-5),
        _sized(10**19),
        _sized(10**400),
    ],
)
def test_an_archive_that_is_no_whole_backup_changes_nothing(folder, backup, tmp_path, change):
    hostile = changed(backup, tmp_path / "hostile.zip", change)
    before = sorted(p.relative_to(tmp_path) for p in tmp_path.rglob("*"))
    with pytest.raises((InvalidInput, DamagedFile)):
        restore_backup(hostile, folder, replace=True, by="Ann")
    assert sorted(p.relative_to(tmp_path) for p in tmp_path.rglob("*")) == before


@pytest.mark.parametrize("content", [b"", b"no archive", b"PK\x03\x04" + bytes(100)])
def test_a_file_that_is_no_archive(folder, tmp_path, content):
    (tmp_path / "x.zip").write_bytes(content)
    with pytest.raises(InvalidInput, match=r"x\.zip is no whole backup of reviewapp"):
        restore_backup(tmp_path / "x.zip", folder, replace=True, by="Ann")
    with pytest.raises(NotFound):
        restore_backup(tmp_path / "nowhere.zip", folder, replace=True, by="Ann")


@pytest.mark.parametrize("kind", ["encrypted", zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_what_is_packed_as_we_never_pack_is_no_backup(folder, backup, tmp_path, kind):
    odd = tmp_path / "odd.zip"
    if kind == "encrypted":
        content = bytearray(backup.read_bytes())
        for head, flags in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
            at = -1
            while (at := content.find(head, at + 1)) >= 0:
                content[at + flags] |= 1
        odd.write_bytes(content)
    else:
        with zipfile.ZipFile(backup) as old, zipfile.ZipFile(odd, "w", kind) as new:
            for name in old.namelist():
                new.writestr(name, old.read(name))
    with pytest.raises(InvalidInput, match=r"odd\.zip is no whole backup"):
        restore_backup(odd, folder, replace=True, by="Ann")


def test_half_of_a_backup_is_no_backup(folder, backup, tmp_path):
    whole = backup.read_bytes()
    for part in (len(whole) // 2, len(whole) - 1, 100):
        (tmp_path / "half.zip").write_bytes(whole[:part])
        with pytest.raises(InvalidInput):
            restore_backup(tmp_path / "half.zip", folder, replace=True, by="Ann")


def test_a_newer_one_is_refused(folder, backup, tmp_path):
    with closing(sqlite3.connect(folder / "reviewapp.db")) as db, db:
        db.execute("insert into _sqlite_migrations (migration_set, name, applied_at) values ('server', 'future', 'x')")
    with pytest.raises(NewerFile):
        DataFolder(folder)
    newer = tmp_path / "newer.zip"
    with zipfile.ZipFile(backup) as old:
        manifest = json.loads(old.read("manifest.json"))
    from reviewapp.backups.archive import sha256_of as _sha256

    for file in manifest["files"]:
        path = folder / file["name"]
        with closing(sqlite3.connect(path)) as db:
            db.execute("pragma journal_mode = delete")
        file.update(bytes=path.stat().st_size, sha256=_sha256(path))
    with zipfile.ZipFile(newer, "w") as archive:
        for file in manifest["files"]:
            archive.write(folder / file["name"], file["name"])
        archive.writestr("manifest.json", json.dumps(manifest))
    with pytest.raises(NewerFile, match="made by a newer reviewapp"):
        restore_backup(newer, tmp_path / "again", by="Ann")


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


# -- one workspace, while the server goes on -----------------------------------------------------------------------


def test_a_workspace_comes_back_beside_what_there_is(folder, backup):
    with DataFolder(folder) as data, Runner(data):
        default = data.workspace("default")
        waiting = tests.start_test(default, workflow="sinks", everything=True, by="Ann")
        make_backup(data, backup, by="Ann")
        records.delete_record(default, records.list_records(default, "tenders")[0].iri, "Ann")
        made, names = workspaces_in(backup)
        assert names == ("default", "other")
        assert restore_workspace(backup, data, "default", into="default-before", by="Ann") == made
        assert data.workspaces() == ["default", "default-before", "other"]
        again = data.workspace("default-before")
        assert names_of(again) == ["4.1 kitchen", "4.2 laundry"]
        assert names_of(default) == ["4.2 laundry"]
        assert tests.get_test(again, waiting.id).status in ("cancelled", "done")
        assert [(e.did, e.workspace) for e in data.trail.latest(1)] == [("bring back workspace", "default-before")]
    assert look_at_workspace(folder / "workspaces" / "default-before.db").faults == ()
    assert list(folder.glob(".backup-*")) == []


@pytest.mark.parametrize(
    ("name", "into", "error"),
    [
        ("default", "other", Conflict),
        ("nowhere", "new", NotFound),
        ("default", "../new", InvalidInput),
        ("default", "", InvalidInput),
        ("../reviewapp", "new", NotFound),
    ],
)
def test_a_workspace_that_cannot_come_back(folder, backup, name, into, error):
    before = sorted(folder.rglob("*.db"))
    with DataFolder(folder) as data:
        with pytest.raises(error):
            restore_workspace(backup, data, name, into=into, by="Ann")
        assert data.workspaces() == ["default", "other"]
    assert sorted(folder.rglob("*.db")) == before


def test_of_a_hostile_backup_no_workspace_comes_back(folder, backup, tmp_path):
    spoilt = changed(backup, tmp_path / "spoilt.zip", lambda n, c: (n, c[:-1] + b"x" if n.endswith("other.db") else c))
    with DataFolder(folder) as data, pytest.raises(InvalidInput, match="not as it was written"):
        restore_workspace(spoilt, data, "other", into="new", by="Ann")


# -- killed on the way -------------------------------------------------------------------------------------------


def _back_up(steps: int, folder: Path, file: Path) -> None:
    Steps(steps).count_files()
    with DataFolder(folder) as data:
        make_backup(data, file, by="Ann")


def _restore(steps: int, folder: Path, file: Path) -> None:
    Steps(steps).count_files()
    restore_backup(file, folder, replace=True, by="Ann")


@pytest.mark.slow
def test_killed_while_restoring_it_is_all_old_or_all_new(folder, backup):
    """After a kill at a step in five the folder opens with the one or the other, never with a mixture."""
    seen = set()
    for steps in range(0, 400, 5):
        with DataFolder(folder) as data:
            for name in ("default", "other"):
                incoming = [IncomingRecord(name="later", text=f"at step {steps}")]
                records.import_records(data.workspace(name, create=True), "tenders", incoming, by="Ann")
        was_killed = killed(_restore, steps, folder, backup)
        with DataFolder(folder) as data:
            found = {"later" in names_of(data.workspace(name)) for name in ("default", "other")}
        assert len(found) == 1, steps
        seen |= found
        assert all(look_at_workspace(path).faults == () for path in (folder / "workspaces").glob("*.db"))
        if not was_killed:
            break
    assert not was_killed
    assert seen == {True, False}


@pytest.mark.slow
def test_killed_while_backing_up_the_file_is_whole_or_the_one_before(folder, backup, tmp_path):
    for steps in range(0, 400, 5):
        was_killed = killed(_back_up, steps, folder, backup)
        again = tmp_path / f"again-{steps}"
        assert restore_backup(backup, again, by="Ann").workspaces == ("default", "other")
        if not was_killed:
            break
    assert not was_killed
    assert steps > 3


def _bring_back(steps: int, folder: Path, file: Path) -> None:
    with DataFolder(folder) as data:
        Steps(steps).count_files()
        restore_workspace(file, data, "default", into="again", by="Ann")


@pytest.mark.slow
def test_killed_while_bringing_a_workspace_back_it_is_there_whole_or_not_at_all(folder, backup):
    seen = set()
    for steps in range(0, 200, 3):
        was_killed = killed(_bring_back, steps, folder, backup)
        with DataFolder(folder) as data:
            there = "again" in data.workspaces()
            assert data.workspaces() == (["again"] if there else []) + ["default", "other"]
        assert all(look_at_workspace(path).faults == () for path in (folder / "workspaces").glob("*.db"))
        (folder / "workspaces" / "again.db").unlink(missing_ok=True)
        seen.add(there)
        if not was_killed:
            break
    assert not was_killed
    assert seen == {True, False}
