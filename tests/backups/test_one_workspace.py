"""One workspace comes back beside what there is, while the server goes on."""

from __future__ import annotations

import pytest

from reviewapp import records, tests
from reviewapp.backups import make_backup, restore_workspace, workspaces_in
from reviewapp.errors import Conflict, InvalidInput, NotFound
from reviewapp.running.runner import Runner
from reviewapp.store import DataFolder
from reviewapp.store.health import look_at_workspace
from tests.backups.conftest import changed, names_of


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
