from __future__ import annotations

import re
import socket
from typing import Any

import pytest
from flask import Flask

from reviewapp import accounts
from reviewapp.app import create_app
from reviewapp.domain.people import Access, Grant
from reviewapp.settings import Settings
from reviewapp.store import DataFolder, Workspace
from tests.web import team, world

ADMIN = Access(name="Root", grants=(Grant(workspace="*", role="admin"),))


@pytest.fixture
def office(data: DataFolder, workspace: Workspace) -> Flask:
    return open_to_others(data)


def open_to_others(data: DataFolder, **more: Any) -> Flask:
    app = create_app(Settings(**({"data": data.path, "host": "0.0.0.0"} | more)), data)  # noqa: S104
    app.config.update(TESTING=True)
    return app


def test_the_page_that_was_wanted_comes_after_signing_in(office, data):
    team.add(data, "Ann", "author")
    client = team.stranger(office)
    sent = client.get("/w/default/tests/?after=x")
    assert (sent.status_code, sent.location) == (303, "/sign-in?back=/w/default/tests/?after%3Dx")
    form = client.get(sent.location).text
    assert 'value="/w/default/tests/?after=x"' in form
    signed_in = client.post(
        "/sign-in", data={"name": "ann", "password": team.PASSWORD, "back": "/w/default/tests/?after=x"}
    )
    assert (signed_in.status_code, signed_in.location) == (303, "/w/default/tests/?after=x")
    assert "as Ann" in client.get("/w/default/").text


@pytest.mark.parametrize(
    "back",
    ["https://evil.example/", "//evil.example/", "/\\evil.example", "javascript:alert(1)", "", "/x\r\nSet-Cookie: a"],
)
def test_it_never_goes_on_to_another_site(office, data, back):
    team.add(data, "Ann", "author")
    client = team.stranger(office)
    got = client.post("/sign-in", data={"name": "Ann", "password": team.PASSWORD, "back": back})
    assert got.location == "/"


@pytest.mark.parametrize("headers", [{"HX-Request": "true"}, {}])
def test_a_session_that_ended_loses_nothing_that_was_typed(office, data, workspace, headers):
    test = world.sinks(workspace)
    form = {"position": "0", "name": "material", "seen": "0", "decision": "accept"}
    got = team.stranger(office).post(f"/w/default/tests/{test.id}/answers", data=form, headers=headers)
    assert got.status_code == 401
    assert "nothing was saved. Sign in again in another tab" in got.text


def test_wrong_ones_are_told_alike_and_soon_told_to_wait(office, data):
    team.add(data, "Ann", "author")
    client = team.stranger(office)
    answers = [client.post("/sign-in", data={"name": name, "password": "wrong"}) for name in ("Ann", "Who")]
    first, second = (re.sub(r"(Ann|Who)|nonce=\"[^\"]*\"", "", a.text) for a in answers)
    assert first == second
    assert {a.status_code for a in answers} == {422}
    for _ in range(10):
        last = client.post("/sign-in", data={"name": "Ann", "password": "wrong"})
    assert last.status_code == 429
    assert int(last.headers["Retry-After"]) > 0
    assert "Too many tries; wait" in last.text


@pytest.mark.parametrize(("public", "secure"), [(None, False), ("https://localhost/rev", True)])
def test_cookies_are_kept_from_scripts_and_other_sites(data, workspace, public, secure):
    app = open_to_others(data, public_url=public)
    team.add(data, "Ann", "author")
    got = team.stranger(app).post("/sign-in", data={"name": "Ann", "password": team.PASSWORD})
    cookies = got.headers.getlist("Set-Cookie")
    assert {c.partition("=")[0] for c in cookies} == {"session", "reviewapp-session", "reviewapp-browser"}
    for cookie in cookies:
        words = set(cookie.split("; "))
        assert {"HttpOnly", "SameSite=Lax"} <= words
        assert ("Secure" in words) == secure
        assert ("Path=/rev/" if public else "Path=/") in words


def test_a_browser_gets_a_new_session_and_loses_the_one_it_had(office, data):
    client = team.stranger(office)
    client.set_cookie("reviewapp-session", "planted by somebody")
    sessions = []
    for name in ("Ann", "Bo"):
        team.add(data, name, "author")
        client.post("/sign-in", data={"name": name, "password": team.PASSWORD})
        sessions.append(client.get_cookie("reviewapp-session").value)
    assert len({*sessions, "planted by somebody"}) == 3
    assert accounts.who_is_signed_in(data, sessions[0]) is None
    assert accounts.who_is_signed_in(data, sessions[1]).name == "Bo"


def test_signing_out_here_and_everywhere(office, data):
    ann = team.add(data, "Ann", "author")
    here, there = team.signed_in(office, data, ann), team.signed_in(office, data, ann)
    assert "Sign out everywhere (2 sessions)" in here.get("/me").text
    here.post("/sign-out")
    assert here.get("/w/default/").status_code == 303
    assert there.get("/w/default/").status_code == 200
    there.post("/me/sign-out-everywhere")
    assert there.get("/w/default/").status_code == 303


def test_a_password_is_changed(office, data):
    client = team.signed_in(office, data, team.add(data, "Ann", "author"))
    for old, new, said in (
        ("no", "four other words", "not your password of now"),
        (team.PASSWORD, "short", "at least 10"),
    ):
        refused = client.post("/me/password", data={"old": old, "password": new})
        assert refused.status_code == 422
        assert said in refused.text
    assert client.post("/me/password", data={"old": team.PASSWORD, "password": "four other words"}).status_code == 303
    fresh = team.stranger(office)
    assert fresh.post("/sign-in", data={"name": "Ann", "password": "four other words"}).status_code == 303


def test_an_invitation_from_the_page_to_the_first_answer(office, data, workspace):
    test = world.sinks(workspace)
    admin = team.signed_in(office, data, team.add(data, "Root", "admin", "default"))
    made = admin.post("/w/default/people/invitations", data={"role": "reviewer", "uses": "10", "days": "2", "test": ""})
    link = re.search(r'value="http://[^/"]+(/link/[^"]+)"', made.text)
    assert link is not None
    assert link[1] not in admin.get("/w/default/people/").text
    guest = team.stranger(office)
    assert "Root invites you" in guest.get(link[1]).text
    assert guest.post(link[1], data={"name": "Bo", "password": "short"}).status_code == 422
    joined = guest.post(link[1], data={"name": "Bo", "password": team.PASSWORD})
    assert joined.location == "/w/default/"
    form = {"position": "0", "name": "material", "seen": "0", "decision": "accept"}
    assert guest.post(f"/w/default/tests/{test.id}/answers", data=form).status_code == 303
    assert "Bo" in guest.get(f"/w/default/tests/{test.id}/").text
    assert "author" not in guest.get("/me").text
    ended = guest.get(link[1][:-1] + "x")
    assert ended.status_code == 404
    assert "This link has ended" in ended.text


@pytest.mark.parametrize(
    ("called", "public", "begins"),
    [
        ("192.168.1.7:8000", None, "http://192.168.1.7:8000"),
        ("review.local", None, "http://review.local"),
        ("127.0.0.1:8000", None, f"http://{socket.gethostname()}:8000"),
        ("localhost", None, f"http://{socket.gethostname()}"),
        ("[::1]:8000", None, f"http://{socket.gethostname()}:8000"),
        ("localhost", "https://review.example/rev/", "https://review.example/rev"),
    ],
)
def test_a_link_is_for_somebody_at_another_machine(data, workspace, called, public, begins):
    """Whoever opened the page by 127.0.0.1, as the server said at its start, sends no link that leads to oneself."""
    app = open_to_others(data, public_url=public)
    root = team.add(data, "Root", "admin")
    client = app.test_client(use_cookies=False)
    client.environ_base["REMOTE_ADDR"] = "192.0.2.7"
    headers = {"Host": "review.example" if public else called}
    headers["Cookie"] = f"reviewapp-session={accounts.begin_session(data, root).session}"
    made = client.post("/people", data={"name": "Bo", "role": "author"}, headers=headers)
    assert re.search(r'value="([^"]+)/link/', made.text)[1] == begins


@pytest.mark.parametrize(
    ("field", "typed"), [("uses", "ten"), ("uses", "0"), ("days", "-1"), ("role", "boss"), ("days", "1e9")]
)
def test_a_wrong_invitation_keeps_its_form(office, data, workspace, field, typed):
    admin = team.signed_in(office, data, team.add(data, "Root", "admin", "default"))
    form = {"role": "reviewer", "uses": "3", "days": "4", "test": ""} | {field: typed}
    got = admin.post("/w/default/people/invitations", data=form)
    assert got.status_code == 422
    assert 'class="fault"' in got.text
    assert accounts.list_invitations(data, "default") == []


class TestAdminPages:
    def test_somebody_is_added_with_a_link_and_closed(self, office, data):
        root = team.signed_in(office, data, team.add(data, "Root", "admin"))
        made = root.post("/people", data={"name": "Bo", "role": "author"})
        link = re.search(r'value="http://[^/"]+(/link/[^"]+)"', made.text)
        assert link is not None
        bo = team.stranger(office)
        assert bo.post(link[1], data={"password": team.PASSWORD}).status_code == 303
        assert bo.get("/w/default/").status_code == 200
        assert root.post("/people/close", data={"name": "Bo"}).status_code == 303
        assert bo.get("/w/default/").status_code == 303
        assert root.post("/people/close", data={"name": "Root"}).status_code == 409

    def test_a_key_is_shown_once(self, office, data):
        root = team.signed_in(office, data, team.add(data, "Root", "admin"))
        made = root.post("/keys/", data={"name": "nightly", "role": "reviewer", "workspace": "default"})
        secret = re.search(r'value="(rk_[^"]+)"', made.text)
        assert secret is not None
        assert secret[1] not in root.get("/keys/").text
        headers = {"Authorization": f"Bearer {secret[1]}"}
        program = team.stranger(office)
        assert program.get("/v1/evals/datasets", headers=headers).status_code == 200
        root.post("/keys/revoke", data={"key": "nightly"})
        assert program.get("/v1/evals/datasets", headers=headers).status_code == 401

    def test_the_trail_is_a_page_and_a_table(self, office, data, workspace):
        root = team.signed_in(office, data, team.add(data, "=Root", "admin"))
        workspace.trail.note("=Root", "delete record", "=cmd|' /C calc'!A0")
        assert "delete record" in root.get("/w/default/trail").text
        table = root.get("/w/default/trail.csv").text
        assert "'=Root,delete record,'=cmd" in table
        assert "give role admin" in root.get("/trail").text
        assert "give role admin" in root.get("/trail.csv").text


class TestSingleSignOn:
    PROXY = "10.0.0.5"

    @pytest.fixture
    def app(self, data, workspace):
        return open_to_others(data, host="127.0.0.1", sso_proxy=self.PROXY)

    def ask(self, app: Flask, path: str, address: str, name: str) -> Any:
        client = app.test_client()
        client.environ_base["REMOTE_ADDR"] = address
        return client.get(path, headers={"X-Forwarded-User": name})

    def test_the_proxys_word_counts(self, app, data):
        team.add(data, "Jürgen", "author")
        page = self.ask(app, "/w/default/", self.PROXY, "Jürgen".encode().decode("latin-1"))
        assert "as Jürgen" in page.text

    @pytest.mark.parametrize("address", ["10.0.0.6", "127.0.0.1", "192.0.2.7"])
    def test_nobody_elses_does(self, app, data, address):
        team.add(data, "Ann", "admin")
        assert self.ask(app, "/w/default/", address, "Ann").status_code == 303

    def test_without_its_address_no_header_counts(self, data, workspace):
        team.add(data, "Ann", "admin")
        assert self.ask(open_to_others(data), "/w/default/", self.PROXY, "Ann").status_code == 303

    def test_somebody_without_an_account_is_told_and_can_be_invited(self, app, data):
        page = self.ask(app, "/sign-in", self.PROXY, "New")
        assert "You come as New, who has no open account here" in page.text
        _, secret = accounts.invite(data, "default", role="viewer", access=ADMIN)
        client = app.test_client()
        client.environ_base["REMOTE_ADDR"] = self.PROXY
        assert client.post(f"/link/{secret}", headers={"X-Forwarded-User": "New"}).status_code == 303
        assert self.ask(app, "/w/default/", self.PROXY, "New").status_code == 200


class TestWithoutSignIn:
    @pytest.mark.parametrize(
        ("address", "headers"),
        [
            ("192.0.2.7", {}),
            ("127.0.0.1", {"X-Forwarded-For": "192.0.2.7"}),
            ("127.0.0.1", {"X-Real-IP": "192.0.2.7"}),
            ("127.0.0.1", {"Forwarded": "for=192.0.2.7"}),
        ],
    )
    @pytest.mark.parametrize("path", ["/w/default/", "/v1/evals/datasets"])
    def test_nobody_from_elsewhere_gets_in(self, client, address, headers, path):
        client.environ_base["REMOTE_ADDR"] = address
        assert client.get(path, headers=headers).status_code in (401, 403)

    def test_an_address_is_only_the_proxys_last_word(self, data, workspace):
        app = open_to_others(data, host="127.0.0.1", public_url="https://review.example")
        team.add(data, "Ann", "author")
        for number in range(12):
            client = app.test_client()
            told = {"X-Forwarded-For": f"203.0.113.{number}, 198.51.100.7", "Host": "review.example"}
            got = client.post("/sign-in", data={"name": "Ann", "password": "wrong"}, headers=told)
        assert got.status_code == 429


@pytest.mark.parametrize(
    ("host", "public", "status"),
    [
        ("localhost", None, 200),
        ("192.168.1.7:8000", None, 200),
        ("review", None, 200),
        ("review.local", None, 200),
        ("evil.example", None, 403),
        ("review.example", "https://review.example", 200),
        ("evil.example", "https://review.example", 403),
        ("review", "https://review.example", 403),
        ("evil.example@localhost", None, 403),
        ("", None, 403),
    ],
)
def test_only_our_own_names_are_answered(data, workspace, host, public, status):
    app = open_to_others(data, public_url=public)
    assert team.stranger(app).get("/sign-in", headers={"Host": host}).status_code == status
