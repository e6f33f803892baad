"""Real disks that are full or cannot be written: one clear sentence on the page and the command line, nothing lost."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from reviewapp import answers, records
from reviewapp.app import create_app
from reviewapp.backups import make_backup, restore_backup, restore_workspace
from reviewapp.doctor import examine
from reviewapp.domain.records import IncomingRecord
from reviewapp.errors import StorageError
from reviewapp.settings import Settings
from reviewapp.store import DataFolder
from tests.web import world

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(os.geteuid() != 0, reason="needs to mount a small disk"),
]


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 4 MB."""
    place = tmp_path / "disk"
    place.mkdir()
    words = ["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", str(place)]
    if subprocess.run(words, check=False, capture_output=True).returncode:
        pytest.skip("mounting is not allowed here")
    yield place
    subprocess.run(["umount", "-l", str(place)], check=True)


def fill_up(disk: Path) -> Path:
    """Take all the room there is."""
    ballast = disk / "ballast"
    with ballast.open("wb", buffering=0) as stream, suppress(OSError):
        while True:
            stream.write(bytes(4096))
    return ballast


def test_a_full_disk_refuses_answers_until_there_is_room(disk: Path) -> None:
    with DataFolder(disk / "data") as data:
        workspace = data.workspace("default", create=True)
        test = world.sinks(workspace)
        answers.save_answer(workspace, test.id, 0, "material", "accept", by="Ann")
        client = create_app(Settings(data=data.path, person="Ann"), data).test_client()
        ballast = fill_up(disk)
        form = {"position": "0", "name": "depth", "seen": "0", "decision": "cant_tell", "note": "x" * 900}
        said = set()
        for _ in range(600):  # until the room within the file is used up
            got = client.post(f"/w/default/tests/{test.id}/answers", data=form)
            form["seen"] = str(_latest(workspace, test.id))
            form["decision"] = "accept" if form["decision"] == "cant_tell" else "cant_tell"
            if got.status_code >= 500:
                said.add(got.text.partition('<p class="note bad">')[2].partition("</p>")[0])
                break
        assert len(said) == 1
        assert "The disk that holds default.db is full; nothing was saved, make room and try again." in said
        kept = _latest(workspace, test.id)
        ballast.unlink()
        form["seen"] = str(kept)
        assert client.post(f"/w/default/tests/{test.id}/answers", data=form).status_code == 303
        assert _latest(workspace, test.id) > kept
        assert answers.history(workspace, test.id, 0, "material")[0].decision == "accept"


def test_a_full_disk_is_told_from_a_damaged_file(disk: Path) -> None:
    """SQLite says "disk I/O error" where it has no room beside the file; nobody is sent to a backup for that."""
    with DataFolder(disk / "data") as data:
        world.sinks(data.workspace("default", create=True))
    fill_up(disk)
    with pytest.raises(StorageError, match="is full; nothing was saved, make room and try again"):
        DataFolder(disk / "data")
    found = {f.check: f for f in examine(disk / "data")}
    for name in ("reviewapp.db", "workspace default"):
        assert (found[name].state, "damaged" in found[name].found) in (("ok", False), ("fault", False))
        assert "backup" not in found[name].way_out


def test_an_import_and_a_restore_onto_a_full_disk_change_nothing(disk: Path, tmp_path: Path) -> None:
    with DataFolder(disk / "data") as data:
        workspace = data.workspace("default", create=True)
        world.sinks(workspace)
        make_backup(data, tmp_path / "backup.zip", by="Ann")
        incoming = (IncomingRecord(name=str(n), text=f"{n} " * 5_000) for n in range(1_000))
        with pytest.raises(StorageError, match="full"):
            records.import_records(workspace, "tenders", incoming, by="Ann")
        assert records.count_records(workspace, "tenders") == 2
        ballast = fill_up(disk)
        with pytest.raises(StorageError, match="room"):
            restore_workspace(tmp_path / "backup.zip", data, "default", into="again", by="Ann")
        assert data.workspaces() == ["default"]
        ballast.unlink()
    fill_up(disk)
    with pytest.raises(StorageError, match=r"room|full"):
        restore_backup(tmp_path / "backup.zip", disk / "data", replace=True, by="Ann")
    (disk / "ballast").unlink()
    with DataFolder(disk / "data") as data:
        assert records.count_records(data.workspace("default"), "tenders") == 2


def _latest(workspace: object, test: str) -> int:
    found = answers.history(workspace, test, 0, "depth")  # type: ignore[arg-type]
    return found[-1].id if found else 0


def test_a_disk_that_cannot_be_written_is_said(disk: Path) -> None:
    with DataFolder(disk / "data") as data:
        world.sinks(data.workspace("default", create=True))
    subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
    with pytest.raises(StorageError) as refused, DataFolder(disk / "data") as data:
        data.workspace("default")
    assert "\n" not in refused.value.message
    assert "cannot be read and written" in refused.value.message


def test_a_backup_onto_a_disk_that_cannot_be_written_is_said(disk: Path, tmp_path: Path) -> None:
    subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
    with DataFolder(tmp_path / "data") as data, pytest.raises(StorageError, match="Read-only file system"):
        make_backup(data, disk / "backup.zip", by="Ann")
