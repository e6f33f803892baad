"""What is no whole backup of ours changes nothing."""

from __future__ import annotations

import json
import sqlite3
import zipfile
from contextlib import closing

import pytest

from reviewapp.backups import make_backup, restore_backup
from reviewapp.errors import DamagedFile, InvalidInput, NewerFile, NotFound
from reviewapp.store import DataFolder
from tests.backups.conftest import changed


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
