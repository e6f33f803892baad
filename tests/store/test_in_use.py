"""A data folder that somebody has open is not replaced under them, and one that is being replaced is not opened."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from reviewapp.backups import make_backup, restore_backup
from reviewapp.errors import Busy, Conflict
from reviewapp.store.data_folder import DataFolder
from reviewapp.store.in_use import InUse
from reviewapp.store.ownership import give_to_owner
from reviewapp.workspaces import open_data

OPENS = """
import sys
from pathlib import Path
from reviewapp.workspaces import open_data
with open_data(Path(sys.argv[1])):
    print("open", flush=True)
    sys.stdin.read()
"""


def test_nothing_is_restored_under_a_program_that_has_the_folder_open(tmp_path: Path) -> None:
    folder, backup = tmp_path / "data", tmp_path / "backup.zip"
    with open_data(folder) as data:
        make_backup(data, backup, by="Ann")
    before = (folder / "reviewapp.db").stat().st_ino
    command = [sys.executable, "-c", OPENS, str(folder)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "open\n"
        with pytest.raises(Conflict, match="Another program has this data folder open"):
            restore_backup(backup, folder, replace=True, by="Ann")
        assert (folder / "reviewapp.db").stat().st_ino == before
    assert restore_backup(backup, folder, replace=True, by="Ann").kept is not None


def test_a_folder_that_is_being_replaced_is_not_opened(tmp_path: Path) -> None:
    with closing(InUse(tmp_path, busy_seconds=0)) as restoring:
        assert restoring.make_alone()
        with pytest.raises(Busy, match="just being put back"):
            DataFolder(tmp_path, busy_seconds=0.1)
    with open_data(tmp_path) as first, open_data(tmp_path) as second:
        assert first.workspaces() == second.workspaces()


@pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="only root can give files away")
def test_what_root_restores_belongs_to_the_account_that_has_the_folder(tmp_path: Path) -> None:
    folder, backup, elsewhere = tmp_path / "data", tmp_path / "backup.zip", tmp_path / "elsewhere"
    with open_data(folder) as data:
        data.workspace("w", create=True)
        make_backup(data, backup, by="Ann")
    os.chown(folder, 12_345, 23_456)
    elsewhere.write_text("root's")
    (folder / "second-name").hardlink_to(elsewhere)
    (folder / "link").symlink_to(elsewhere)
    restore_backup(backup, folder, replace=True, by="root")
    give_to_owner(folder)  # again changes nothing
    theirs = [path for path in folder.rglob("*") if path.name not in ("second-name", "link")]
    assert len(theirs) >= 6
    assert {(path.stat().st_uid, path.stat().st_gid) for path in theirs} == {(12_345, 23_456)}
    assert elsewhere.stat().st_uid == 0
