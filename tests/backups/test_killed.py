"""Killed on the way: all of the old or all of the new."""

from __future__ import annotations

from pathlib import Path

import pytest

from reviewapp import records
from reviewapp.backups import make_backup, restore_backup, restore_workspace
from reviewapp.domain.records import IncomingRecord
from reviewapp.store import DataFolder
from reviewapp.store.health import look_at_workspace
from tests.backups.conftest import names_of
from tests.killing import Steps, killed


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
