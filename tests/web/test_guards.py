"""What comes from outside and what every answer carries: sizes of bodies, origins, addresses, headers."""

from __future__ import annotations

import io

import pytest
from flask import Flask
from flask.testing import FlaskClient

from reviewapp.app import FORM_PARTS, FORM_TEXT_BYTES, create_app
from reviewapp.keys import create_key
from reviewapp.safe_headers import HEADERS
from reviewapp.settings import Settings
from reviewapp.store import DataFolder, Workspace
from reviewapp.web.guards import FORM, STRANGERS_BYTES
from tests.web import team, world


@pytest.fixture
def office(data: DataFolder, workspace: Workspace) -> Flask:
    app = create_app(Settings(data=data.path, host="0.0.0.0"), data)  # noqa: S104
    app.config.update(TESTING=True)
    return app


@pytest.fixture
def ann(office: Flask, data: DataFolder) -> FlaskClient:
    return team.signed_in(office, data, team.add(data, "Ann", "admin"))


class TestSizes:
    """A form is refused before it is taken apart: eight million empty fields would take a gigabyte."""

    @pytest.mark.parametrize("path", ["/sign-in", "/sign-out", "/link/nothing"])
    @pytest.mark.parametrize(
        ("body", "kind"),
        [
            (b"a&" * STRANGERS_BYTES, FORM),
            (b"name=" + b"%41" * STRANGERS_BYTES, FORM),
            (b"--B\r\n" + b"A: b\r\n" * STRANGERS_BYTES, "multipart/form-data; boundary=B"),
        ],
    )
    def test_of_strangers(self, office: Flask, path: str, body: bytes, kind: str) -> None:
        sent = io.BytesIO(body)
        got = team.stranger(office).post(path, input_stream=sent, content_length=len(body), content_type=kind)
        assert got.status_code in ((413,) if path == "/sign-in" else (303, 404, 413)), (
            got.status_code
        )  # two read no form
        assert sent.tell() == 0, "nothing of it was read"

    @pytest.mark.parametrize(
        ("body", "status"),
        [
            (b"a=1&" * (FORM_PARTS - 1), 422),
            (b"a=1&" * (FORM_PARTS + 1), 413),
            (b"text=" + b"x" * FORM_TEXT_BYTES, 413),
        ],
    )
    def test_of_people(self, ann: FlaskClient, body: bytes, status: int) -> None:
        sent = io.BytesIO(body)
        answer = ann.post("/people", input_stream=sent, content_length=len(body), content_type=FORM)
        assert answer.status_code == status
        assert sent.tell() == (len(body) if len(body) <= FORM_TEXT_BYTES else 0)

    def test_a_long_text_is_pasted_in_any_script(self, ann: FlaskClient, workspace: Workspace) -> None:
        form = {"collection": "tenders", "name": "long", "kind": "text", "text": "寸" * 3_000_000}
        body = "".join(
            f'--B\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n' for name, value in form.items()
        )
        got = ann.post(
            "/w/default/records/pasted", data=f"{body}--B--".encode(), content_type="multipart/form-data; boundary=B"
        )
        assert got.status_code == 303


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 303),
        ({"Origin": "http://localhost"}, 303),
        ({"Origin": "http://localhost", "Sec-Fetch-Site": "same-origin"}, 303),
        ({"Sec-Fetch-Site": "none"}, 303),
        ({"Origin": "null"}, 403),
        ({"Origin": ""}, 403),
        ({"Origin": "http://localhost:81"}, 403),
        ({"Origin": "http://localhost.evil.example"}, 403),
        ({"Origin": "http://evil.example@localhost"}, 403),
        ({"Origin": "http://localhost@evil.example"}, 403),
        ({"Origin": "localhost"}, 403),
        ({"Origin": "file://"}, 403),
        ({"Origin": "http://[::1"}, 403),
        ({"Origin": "http://localhost", "Sec-Fetch-Site": "same-site"}, 403),
        ({"Origin": "http://localhost", "Sec-Fetch-Site": "cross-site"}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Sec-Fetch-Site": ""}, 403),
        ({"Sec-Fetch-Site": "SAME-ORIGIN"}, 403),
    ],
)
def test_forms_of_other_sites_change_nothing(ann: FlaskClient, data: DataFolder, headers: dict[str, str], status: int):
    made = ann.post("/w/", data={"name": "made"}, headers=headers)
    assert made.status_code == status
    assert ("made" in data.workspaces()) == (status == 303)


@pytest.mark.parametrize(
    "path",
    [
        "/", "/sign-in", "/nowhere", "/w//default/", "/w/default/", "/w/nowhere/", "/static/app.css", "/static/nowhere",
        "/link/nothing", "/people", "/trail.csv", "/w/default/trail.csv", "/v1/evals/datasets", "/v1/nowhere",
        "/v1/openapi.json", "/v1/reference", "/w/default/tests/TEST/", "/w/default/tests/TEST/answers.csv",
        "/w/default/tests/TEST/changes?version=0&input=0",
    ],
)  # fmt: skip
@pytest.mark.parametrize("who", ["ann", "stranger"])
def test_every_answer_has_its_headers(
    office: Flask, ann: FlaskClient, workspace: Workspace, who: str, path: str
) -> None:
    path = path.replace("TEST", world.sinks(workspace).id)
    client = ann if who == "ann" else team.stranger(office)
    for got in (client.get(path), client.get(path, headers={"HX-Request": "true"}), client.put(path)):
        policy = got.headers["Content-Security-Policy"]
        assert policy.startswith("default-src 'none'; ")
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy
        assert {name: got.headers.get(name) for name in HEADERS} == HEADERS
        assert got.headers.get("Cache-Control") == "no-store" or path.startswith("/static/")
        assert len(got.headers.getlist("Content-Security-Policy")) == 1
        if got.location:
            assert got.location.startswith("/")
        got.close()


@pytest.mark.parametrize(
    "headers",
    [
        {"X-Forwarded-Host": "evil.example"},
        {"X-Forwarded-Proto": "https"},
        {"X-Forwarded-Prefix": "/evil"},
        {"X-Forwarded-For": "127.0.0.1"},
        {"X-Forwarded-User": "Ann"},
        {"X-Original-URL": "/people"},
        {"X-Rewrite-URL": "/people"},
        {"X-HTTP-Method-Override": "DELETE"},
        {"Forwarded": "for=127.0.0.1;host=evil.example;proto=https"},
        {"Authorization": "Basic QW5uOng="},
        {"Cookie": "reviewapp-session=../../x; reviewapp-name=Ann"},
    ],
)
def test_headers_of_a_stranger_are_nobodys_word(office: Flask, ann: FlaskClient, headers: dict[str, str]) -> None:
    got = team.stranger(office).get("/w/default/", headers=headers)
    assert (got.status_code, got.location) == (303, "/sign-in?back=/w/default/")


@pytest.mark.parametrize(("role", "megabytes"), [("reviewer", 10), ("author", 64)])
def test_bodies_of_those_who_only_answer_are_shorter(
    office: Flask, data: DataFolder, role: str, megabytes: int
) -> None:
    """JSON takes many times its length once it is read."""
    _, secret = create_key(data, role, role=role, by="Ann")
    got = team.stranger(office).post(
        "/v1/workflows/named/tests/answer",
        data=b"[" + b"[]," * (megabytes * 340_000) + b"[]]",
        headers={"Authorization": f"Bearer {secret}", "Content-Type": "application/json"},
    )
    assert got.status_code == 413
    assert f"longer than {megabytes} MB" in got.text


HUGE = "9" * 30


@pytest.mark.parametrize(
    "address",
    [
        "/trail?before=HUGE", "/w/default/trail?before=HUGE", "/w/default/models/calls?before=HUGE",
        "/w/default/models/calls/HUGE", "/w/default/tests/TEST/?input=HUGE",
        "/w/default/tests/TEST/changes?version=HUGE&input=0", "/w/default/tests/TEST/changes?version=0&input=HUGE",
        "/w/default/tests/TEST/inputs/HUGE/page/0.png", "/w/default/tests/TEST/inputs/0/page/HUGE.png",
        "/w/default/tests/?after=HUGE", "/w/default/records/tenders/?after=HUGE", "/w/default/datasets/?after=HUGE",
        "/w/default/evaluations/?after=HUGE",
    ],
)  # fmt: skip
def test_a_number_beyond_all_is_no_fault_of_ours(ann: FlaskClient, workspace: Workspace, address: str) -> None:
    address = address.replace("TEST", world.sinks(workspace).id).replace("HUGE", HUGE)
    assert ann.get(address).status_code < 500


@pytest.mark.parametrize("field", ["position", "seen"])
def test_an_answer_to_a_number_beyond_all_is_refused(ann: FlaskClient, workspace: Workspace, field: str) -> None:
    form = {"position": "0", "name": "material", "seen": "0", "decision": "accept"} | {field: HUGE}
    got = ann.post(f"/w/default/tests/{world.sinks(workspace).id}/answers", data=form)
    assert 400 <= got.status_code < 500
