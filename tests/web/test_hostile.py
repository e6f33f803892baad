"""Hostile strings come back as text: in every field of the address and of forms, and in every export."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from flask.testing import FlaskClient

from reviewapp import datasets
from reviewapp.app import create_app
from reviewapp.domain.tests import Test
from reviewapp.formats.safe_cells import restored
from reviewapp.settings import Settings
from reviewapp.store import DataFolder
from tests import hostile_pages
from tests.hostile import STRINGS
from tests.hostile_pages import NAMES, faults

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DataFolder]:
    with DataFolder(tmp_path_factory.mktemp("hostile") / "data") as folder:
        yield folder


@pytest.fixture(scope="module")
def test(data: DataFolder) -> Test:
    return hostile_pages.fill(data, data.path.parent)


@pytest.fixture(scope="module")
def client(data: DataFolder, test: Test) -> FlaskClient:
    return create_app(Settings(data=data.path, person="Ann"), data).test_client()


ADDRESSES = (
    "/w/default/records/?q={}",
    "/w/default/records/tenders/?q={}",
    "/w/default/records/tenders/record?iri={}",
    "/w/default/tests/?after={}",
    "/w/default/tests/new?workflow={}&iri={}",
    "/w/default/tests/{}/",
    "/w/default/tests/TEST/?q={}&show={}&property={}&value={}&input={}",
    "/w/default/tests/TEST/reading?name={}&value={}",
    "/w/default/datasets/{}/",
    "/w/default/workflows/{}/",
    "/w/default/person?name={}",
    "/w/{}/",
    "/sign-in?back={}",
    "/name?back={}",
    "/link/{}",
    "/{}",
    "/w/default/trail?before={}",
)
FORMS = (
    ("/w/", ("name",)),
    ("/name", ("name", "back")),
    ("/sign-in", ("name", "password", "back")),
    ("/keys/", ("name", "role")),
    ("/people", ("name", "role")),
    ("/people/role", ("name", "role")),
    ("/w/default/people/invitations", ("role", "uses", "days")),
    ("/w/default/people/role", ("name", "role")),
    ("/w/default/records/pasted", ("collection", "name", "text")),
    ("/w/default/workflows/", ("name", "collection", "context")),
    ("/w/default/workflows/paste", ("text", "definition", "name")),
    ("/w/default/tests/", ("workflow", "inputs", "sample", "iri")),
    ("/w/default/tests/TEST/answers", ("name", "value", "note")),
)


@pytest.mark.parametrize("address", ADDRESSES)
def test_in_an_address(client: FlaskClient, test: Test, address: str):
    for number, string in enumerate(STRINGS):
        path = address.replace("TEST", test.id).replace("{}", quote(string, safe=""))
        got = client.get(path, headers={"HX-Request": "true"} if number % 2 else {})
        assert got.status_code < 500, (string, got.text[:300])
        assert faults(got.text) == [], string
        assert "\n" not in got.headers.get("Location", "")
        assert got.headers.get("Location", "/").startswith(("/", "http://localhost/")), string


@pytest.mark.parametrize(("path", "fields"), FORMS)
def test_in_a_form(client: FlaskClient, test: Test, path: str, fields: tuple[str, ...]):
    address = path.replace("TEST", test.id)
    for string in STRINGS:
        got = client.post(address, data={"position": "0", "seen": "0"} | dict.fromkeys(fields, string))
        assert got.status_code < 500, (string, got.text[:300])
        assert faults(got.text) == [], string
        for header in ("Location", "Set-Cookie", "HX-Push-Url"):
            assert "owned=1\n" not in got.headers.get(header, "")
        assert "owned" not in {c.partition("=")[0] for c in got.headers.getlist("Set-Cookie")}


def test_in_headers(client: FlaskClient):
    for string in STRINGS:
        sent = string.encode().decode("latin-1")
        if "\r" in sent or "\n" in sent:
            continue  # no server hands such a header on
        for header in ("Host", "Origin", "Referer", "X-Request-Id", "Cookie", "Accept-Language", "X-Forwarded-User"):
            got = client.get("/name", headers={header: sent})
            assert got.status_code in (200, 403)
            assert faults(got.text) == []


def test_in_exports(client: FlaskClient, data: DataFolder, test: Test):
    table = client.get(f"/w/default/tests/{test.id}/answers.csv").data.decode("utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(table, newline="")))
    assert {restored(row["input"]) for row in rows} <= set(NAMES)
    assert {restored(row["note"]) for row in rows} > set(list(STRINGS)[-9:])
    for row in rows:
        for name, cell in row.items():
            if name not in ("support", "start", "end") and cell:
                assert not cell.lstrip(" \"'").startswith(("=", "+", "@", "\t")) or cell.startswith("'"), (name, cell)
    kept = datasets.list_datasets(data.workspace("default"))[0]
    with zipfile.ZipFile(io.BytesIO(client.get(f"/w/default/datasets/{kept.id}/dataset.zip").data)) as archive:
        assert sorted(archive.namelist()) == ["expected.json", "records.json"]
        held = json.loads(archive.read("records.json"))
    names = {row["name"] for row in (held if isinstance(held, list) else held["records"])}
    assert names <= set(NAMES)
    assert len(names) == 9


def test_in_file_names(client: FlaskClient, tmp_path: Path, data: DataFolder):
    """A name becomes a label, never a path."""
    before = sorted(p for p in data.path.rglob("*") if p.is_file())
    for number, string in enumerate(STRINGS):
        upload = {"collection": f"files-{number}", "files": (io.BytesIO(b"Width: 600 mm"), f"{string}.txt")}
        got = client.post("/w/default/records/files", data=upload, content_type="multipart/form-data")
        assert got.status_code < 500, string
        assert faults(got.text) == [], string
    after = sorted(p for p in data.path.rglob("*") if p.is_file())
    assert [p for p in after if p not in before and not p.name.endswith(("-wal", "-shm"))] == []
