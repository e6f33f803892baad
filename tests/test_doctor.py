from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from reviewapp import accounts
from reviewapp.doctor import examine
from reviewapp.errors import DamagedFile
from reviewapp.store import DataFolder
from reviewapp.store.snapshots import STAGING


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "data"
    with DataFolder(path) as data:
        data.workspace("default", create=True)
    path.chmod(0o700)
    return path


def told(folder: Path) -> dict[str, tuple[str, str, str]]:
    return {f.check: (f.state, f.found, f.way_out) for f in examine(folder)}


def test_all_is_well(folder):
    found = told(folder)
    assert {state for state, _, _ in found.values()} == {"ok"}
    assert found["people"][1] == "0 with an account, 0 admins"


def test_a_locked_file(folder):
    with closing(sqlite3.connect(folder / "workspaces" / "default.db", isolation_level=None)) as other:
        other.execute("begin immediate")
        state, found, way_out = told(folder)["workspace default"]
        assert (state, found) == ("warning", "another program is writing to it and has not ended for a second")
        assert "end that program" in way_out
    assert told(folder)["workspace default"][0] == "ok"


def test_people_without_an_admin(folder):
    with DataFolder(folder) as data:
        accounts.add_person(data, "Ann", None, by="setup")
    assert told(folder)["people"] == (
        "warning",
        "1 with an account, 0 admins",
        "Nobody can let people in: `reviewapp user role NAME admin`.",
    )


def test_a_folder_that_everybody_may_read(folder):
    folder.chmod(0o755)
    assert [f.state for f in examine(folder) if f.check == "data folder"] == ["ok", "warning"]


def test_a_restore_that_was_stopped_and_old_copies(folder):
    (folder / STAGING).mkdir()
    (folder / STAGING / "complete.json").write_text("{}")
    (folder / "workspaces" / "default.db.before-x.bak").write_bytes(b"")
    found = told(folder)
    assert found["restore"] == (
        "warning",
        "a restore was stopped in its last step",
        "Nothing to do: the next start completes it.",
    )
    assert found["old copies"][1] == "1 from restores and upgrades (default.db.before-x.bak)"


def test_what_nobody_sees_and_no_backup_has(folder):
    workspaces = folder / "workspaces"
    (workspaces / "default - Copy.db").write_bytes(b"")
    (workspaces / "gone.db").symlink_to(folder / "nowhere.db")
    found = told(folder)
    assert found["file default - Copy.db"][:2] == ("warning", "not named as a workspace")
    assert found["file gone.db"][:2] == ("warning", "a link that leads nowhere")


def test_triggers_that_somebody_took_out_or_put_in(folder):
    with closing(sqlite3.connect(folder / "workspaces" / "default.db")) as db:
        (name,) = db.execute("select name from sqlite_master where type = 'trigger' and name like '%trail%'").fetchone()
        db.execute(f"drop trigger {name}")
        db.execute("create trigger owned after insert on texts begin select 1; end")
    state, found, way_out = told(folder)["workspace default"]
    assert (state, found) == ("fault", f"has trigger owned that we did not make; lacks trigger {name}")
    assert "Restore it from a backup" in way_out


def test_an_emptied_server_file_is_not_filled_anew(folder):
    """Everybody's account would be gone without a word."""
    with DataFolder(folder) as data:
        accounts.add_person(data, "Ann", None, by="setup")
    (folder / "reviewapp.db").write_bytes(b"")
    with pytest.raises(DamagedFile, match=r"reviewapp\.db is empty \(0 bytes\); restore it from a backup"):
        DataFolder(folder)
    assert told(folder)["reviewapp.db"][0] == "fault"
    (folder / "reviewapp.db").unlink()
    with DataFolder(folder) as data:
        assert data.workspaces() == ["default"]


@pytest.mark.parametrize(
    ("content", "said"),
    [(b"damaged" * 999, "damaged"), (b"", "did not write"), (b"SQLite format 3\x00" + b"\x01" * 900, "damaged")],
)
def test_damaged_files(folder, content, said):
    (folder / "workspaces" / "default.db").write_bytes(content)
    state, found, way_out = told(folder)["workspace default"]
    assert state == "fault"
    assert said in found
    assert way_out
