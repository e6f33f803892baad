from __future__ import annotations

import io
import json
import logging
from collections.abc import Iterator

import pytest

from reviewapp import accounts
from reviewapp.app import create_app
from reviewapp.domain.people import Access, Grant
from reviewapp.keys import create_key
from reviewapp.logs import start_log
from reviewapp.settings import Settings
from tests.web import team, world

SECRETS = ("sink for the tea kitchen", "stainless steel", "my secret note", team.PASSWORD, "rk_", "secret-name")


@pytest.fixture
def lines() -> Iterator[io.StringIO]:
    """What a server writes that was told to log as JSON."""
    stream = io.StringIO()
    handler = start_log("json", stream)
    yield stream
    logging.getLogger().removeHandler(handler)
    logging.getLogger("reviewapp").setLevel(logging.NOTSET)


def test_requests_are_told_without_what_is_in_them(data_folder, lines, monkeypatch):
    workspace = data_folder.workspace("default", create=True)
    test = world.sinks(workspace)
    app = create_app(Settings(data=data_folder.path, host="0.0.0.0"), data_folder)  # noqa: S104
    client = team.signed_in(app, data_folder, team.add(data_folder, "Ann", "admin"))
    stranger = team.stranger(app)
    _, link = accounts.invite(
        data_folder, "default", role="viewer", access=Access(name="Ann", grants=(Grant(workspace="*", role="admin"),))
    )
    _, key = create_key(data_folder, "nightly", by="Ann")
    form = {"position": "0", "name": "material", "seen": "0", "decision": "accept", "note": "my secret note"}
    client.post(f"/w/default/tests/{test.id}/answers", data=form, headers={"X-Request-Id": "abc-1"})
    client.get("/w/default/records/tenders/record?iri=secret-name")
    client.get("/w/secret-name/")
    stranger.post("/sign-in", data={"name": "secret-name", "password": team.PASSWORD})
    stranger.get(f"/link/{link}")
    stranger.get("/v1/workflows/named?id=secret-name", headers={"Authorization": f"Bearer {key}"})
    monkeypatch.setattr("reviewapp.web.workspaces.tests.list_tests", _fail)
    assert client.get("/w/default/").status_code == 500

    told = [json.loads(line) for line in lines.getvalue().splitlines()]
    assert not [secret for secret in (*SECRETS, link, key) if secret in lines.getvalue()]
    answer = next(line for line in told if line.get("request_id") == "abc-1")
    assert (answer["method"], answer["route"], answer["status"], answer["person"]) == (
        "POST",
        "/w/<workspace>/tests/<test>/answers",
        303,
        "Ann",
    )
    assert answer["milliseconds"] > 0
    failed = next(line for line in told if "error" in line)
    assert failed["error"][0] == "builtins.ValueError"
    assert any("in _fail" in place for place in failed["error"])
    assert any(line.get("person") == "nightly" and line["route"].startswith("/v1/") for line in told)


def _fail(*words: object, **more: object) -> None:
    raise ValueError("the text says: stainless steel")


def test_every_answer_has_its_request_id(data_folder):
    data_folder.workspace("default", create=True)
    client = create_app(Settings(data=data_folder.path), data_folder).test_client()
    for path in ("/w/default/", "/nowhere", "/v1/nowhere"):
        assert client.get(path, headers={"X-Request-Id": "abc-1"}).headers["X-Request-Id"] == "abc-1"
        for sent in ("a b", "x" * 129, "é", ""):
            assert client.get(path, headers={"X-Request-Id": sent}).headers["X-Request-Id"].startswith("req_")
