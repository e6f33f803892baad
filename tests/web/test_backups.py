"""A backup taken away and a workspace brought back, on the page of server admins."""

from __future__ import annotations

import io
import re
import zipfile

import pytest
from flask import Flask
from flask.testing import FlaskClient

from reviewapp import records
from reviewapp.app import create_app
from reviewapp.settings import Settings
from reviewapp.store import DataFolder, Workspace
from tests.web import team, world


@pytest.fixture
def office(data: DataFolder, workspace: Workspace) -> Flask:
    world.sinks(workspace)
    app = create_app(Settings(data=data.path, host="0.0.0.0"), data)  # noqa: S104
    app.config.update(TESTING=True)
    return app


@pytest.fixture
def root(office: Flask, data: DataFolder) -> FlaskClient:
    return team.signed_in(office, data, team.add(data, "Root", "admin"))


def bring_back(client: FlaskClient, content: bytes, **form: str):
    sent = {"workspace": "default", "into": "before", "file": (io.BytesIO(content), "backup.zip")} | form
    return client.post("/backups/workspace", data=sent, content_type="multipart/form-data")


def test_a_workspace_is_lost_and_found(root: FlaskClient, data: DataFolder, workspace: Workspace) -> None:
    taken = root.post("/backups/")
    content = taken.get_data()
    taken.close()
    assert taken.headers["Content-Disposition"].startswith("attachment; filename=reviewapp-")
    assert set(zipfile.ZipFile(io.BytesIO(content)).namelist()) == {
        "reviewapp.db",
        "workspaces/default.db",
        "manifest.json",
    }
    for row in records.list_records(workspace, "tenders"):
        records.delete_record(workspace, row.iri, "Root")
    back = bring_back(root, content)
    assert (back.status_code, back.location) == (303, "/w/before/")
    assert "4.1 kitchen" in root.get("/w/before/records/tenders/").text
    assert [(e.by, e.did) for e in data.trail.latest(2)] == [("Root", "bring back workspace"), ("Root", "make backup")]
    assert list(data.path.glob(".backup-*")) == []


@pytest.mark.parametrize(
    ("form", "field", "said"),
    [
        ({"into": "default"}, "into", "There is a workspace &#39;default&#39; already"),
        ({"into": "../x"}, "into", "is no workspace name"),
        ({"into": ""}, "into", "is no workspace name"),
        ({"workspace": "nowhere"}, "workspace", "The backup has: default."),
        ({"workspace": "../default"}, "workspace", "The backup has: default."),
    ],
)
def test_what_does_not_fit_is_said_at_its_field(root: FlaskClient, data: DataFolder, form, field, said) -> None:
    taken = root.post("/backups/")
    refused = bring_back(root, taken.get_data(), **form)
    taken.close()
    assert refused.status_code == 422
    told = re.search(rf'<div id="{field}-help"><p class="fault">(.*?)</p>', refused.text, re.DOTALL)
    assert told is not None
    assert said in told[1]
    assert data.workspaces() == ["default"]
    assert list(data.path.glob(".backup-*")) == []


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 no archive", b"x" * 1_000])
def test_what_is_no_backup_changes_nothing(root: FlaskClient, data: DataFolder, content: bytes) -> None:
    refused = bring_back(root, content)
    assert refused.status_code == 422
    assert "is no whole backup of reviewapp; nothing was changed" in refused.text
    assert data.workspaces() == ["default"]


def test_an_admin_of_a_workspace_takes_no_backup_of_the_server(office: Flask, data: DataFolder) -> None:
    client = team.signed_in(office, data, team.add(data, "Wanda", "admin", "default"))
    assert client.get("/backups/").status_code == 403
    assert client.post("/backups/").status_code == 403
    assert "Backups" not in client.get("/w/default/people/").text
