"""Every route of the pages and of the API, every tool of MCP × every role × a stranger."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from selectolax.lexbor import LexborHTMLParser
from werkzeug.routing import AnyConverter, IntegerConverter
from werkzeug.routing import Rule as Route

from reviewapp import accounts, answers, datasets
from reviewapp.api.routes import ENDPOINTS
from reviewapp.app import create_app
from reviewapp.domain.people import ROLES, Access, Grant, may
from reviewapp.domain.tests import Test
from reviewapp.keys import create_key
from reviewapp.mcp.calling import Refused, Tool, call_tool
from reviewapp.mcp.tools import TOOLS
from reviewapp.settings import Settings
from reviewapp.store import DataFolder, Workspace
from reviewapp.web.roles import RULES, check
from tests.web import team, world

REFUSED = (401, 403)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DataFolder]:
    with DataFolder(tmp_path_factory.mktemp("roles") / "data") as folder:
        folder.workspace("default", create=True)
        folder.workspace("other", create=True)
        yield folder


@pytest.fixture(scope="module")
def app(data: DataFolder) -> Flask:
    app = create_app(Settings(data=data.path, host="0.0.0.0"), data)  # noqa: S104
    app.config.update(TESTING=True)
    return app


@pytest.fixture(scope="module")
def clients(app: Flask, data: DataFolder) -> dict[str, FlaskClient]:
    """A browser for each role in the workspace `default`, and others."""
    people = {role: team.add(data, role.title(), role, "default") for role in ROLES}
    people["server admin"] = team.add(data, "Root", "admin")
    people["somebody else"] = team.add(data, "Else", "admin", "other")
    people["without a role"] = team.add(data, "Nobody")
    found = {who: team.signed_in(app, data, person) for who, person in people.items()}
    found["stranger"] = team.stranger(app)
    return found


def routes() -> list[tuple[str, Route]]:
    app = create_app(Settings(data=Path("unused")), DataFolderStandIn())
    return [
        (method, route)
        for route in app.url_map.iter_rules()
        for method in sorted((route.methods or set()) - {"HEAD", "OPTIONS"})
    ]


class DataFolderStandIn:
    """Enough of a data folder to build the map of routes, which opens nothing."""

    def __getattr__(self, name: str) -> Any:
        raise AssertionError(f"the map of routes needs no {name}")


ROUTES = routes()


def address(route: Route) -> str:
    """An address of the route, in the workspace that there is, about a thing that there is not."""
    values: dict[str, Any] = {}
    for name in route.arguments:
        converter = route._converters[name]
        if isinstance(converter, IntegerConverter):
            values[name] = 999_999
        elif isinstance(converter, AnyConverter):
            values[name] = sorted(converter.items)[0]
        else:
            values[name] = "default" if name == "workspace" else "nothing"
    _, path = route.build(values) or ("", "")
    return path


def test_every_route_has_a_rule():
    endpoints = {route.endpoint for _, route in ROUTES}
    assert endpoints - set(RULES) == set(), "give these a row in reviewapp/web/roles.py"
    assert set(RULES) - endpoints == set(), "these have a row and no route"


def test_no_page_is_for_admins_by_forgetting():
    with pytest.raises(Exception, match="needs the role admin"):
        check("new.page", Access(name="Bo", grants=(Grant(workspace="default", role="author"),)), "default", None)


@pytest.mark.parametrize(("method", "route"), ROUTES, ids=lambda v: v if isinstance(v, str) else v.endpoint)
def test_who_may(clients: dict[str, FlaskClient], method: str, route: Route):
    rule = RULES[route.endpoint]
    if rule == "open" or route.endpoint in ("accounts.sign_out_everywhere", "accounts.change_password"):
        return  # below
    of_workspace = "workspace" in route.arguments
    found = {}
    for who, client in clients.items():
        with client.open(address(route), method=method) as answered:
            found[who] = answered.status_code
    let_in = {who for who, status in found.items() if status not in (*REFUSED, 303)} | {
        who for who, status in found.items() if status == 303 and who != "stranger"
    }
    unseen = {"somebody else", "without a role"} if of_workspace else set()
    assert "stranger" not in let_in
    assert "server admin" in let_in
    for who in clients.keys() - {"stranger", "server admin"}:
        if rule == "signed-in":
            expected = True
        elif not of_workspace or who in unseen:
            expected = False
        else:
            expected = rule == "guest" or may(who, rule)  # type: ignore[arg-type]
        if expected:
            assert who in let_in, (who, found)
        elif who in unseen:
            assert found[who] == 404, (who, found)
        else:
            assert found[who] == 403, (who, found)


@pytest.mark.parametrize("endpoint", ENDPOINTS, ids=lambda e: e.operation_id)
def test_who_may_call(app: Flask, data: DataFolder, endpoint):
    path = "/v1" + re.sub(r"<[^>]*>", "nothing", endpoint.path) + "?graph=default"
    client = team.stranger(app)
    keys = {role: _key(data, role, "default") for role in ROLES} | {"other": _key(data, "admin", "other")}
    assert client.open(path, method=endpoint.method).status_code == 401
    assert client.open(path, method=endpoint.method, headers={"Authorization": "Bearer rk_no"}).status_code == 401
    for who, secret in keys.items():
        status = client.open(
            path, method=endpoint.method, headers={"Authorization": f"Bearer {secret}"}, json={"nothing": 1}
        ).status_code
        refused = who == "other" or not may(who, endpoint.role)  # type: ignore[arg-type]
        assert (status == 403) == refused, (who, status)
        assert status != 401


@pytest.mark.parametrize("tool", TOOLS, ids=lambda t: t.name)
def test_who_may_use_a_tool(data: DataFolder, tool: Tool):
    """The same answer by stdio and by HTTP: both come through `call_tool`."""
    for role in (*ROLES, "other", "stranger"):
        where, held = ("other", "admin") if role == "other" else ("default", role)
        grants = () if role == "stranger" else (Grant.model_validate({"workspace": where, "role": held}),)
        who = Access(name=role, grants=grants)
        with pytest.raises(Refused) as refused:
            call_tool(tool, {"graph": "default", "no such argument": 1}, who, data, Settings(data=data.path))
        forbidden = role not in ROLES or not may(role, tool.endpoint.role)
        assert (refused.value.code == "forbidden") == forbidden, (role, refused.value.said)


def _key(data: DataFolder, role: str, workspace: str) -> str:
    name = f"{role} of {workspace}"
    if name in _keys:
        return _keys[name]
    _keys[name] = create_key(data, name, role=role, workspace=workspace, by="setup")[1]
    return _keys[name]


_keys: dict[str, str] = {}


PAGES = (
    "", "tests/", "records/", "records/tenders/", "workflows/", "workflows/sinks/", "datasets/", "datasets/DATASET/",
    "tests/TEST/", "person", "evaluations/", "workflows/sinks/learning/",
)  # fmt: skip


@pytest.mark.parametrize("path", PAGES)
def test_what_a_reviewer_may_not_do_is_not_offered(app: Flask, data: DataFolder, path: str):
    """Every form and link of the page leads where its reader may go."""
    workspace = data.workspace("offers", create=True)
    if not workspace.tests.rows():
        test = world.sinks(workspace)
        answers.save_answer(workspace, test.id, 0, "material", "accept", by="Ann")
        datasets.save_dataset(workspace, test.id, by="Ann")
        team.add(data, "Offered", "reviewer", "offers")
    client = team.signed_in(app, data, accounts.get_person(data, "Offered"))
    test = workspace.tests.rows()[0]
    page = client.get("/w/offers/" + path.replace("TEST", test.id).replace("DATASET", test.dataset or ""))
    assert page.status_code == 200
    routes = app.url_map.bind("localhost")
    refused = []
    shown = LexborHTMLParser(page.text)
    places = [(form.attributes.get("action"), "POST") for form in shown.css("form[method=post]")]
    places += [(link.attributes.get("href"), "GET") for link in shown.css("a[href^='/']")]
    for address, method in places:
        endpoint, _ = routes.match((address or "").partition("#")[0].partition("?")[0], method=method)
        rule = RULES[endpoint]
        if rule not in ("open", "signed-in", "guest") and not may("reviewer", rule):  # type: ignore[arg-type]
            refused.append(endpoint)
    assert refused == []


def test_a_session_is_no_key(clients: dict[str, FlaskClient]):
    """Cookies open pages only."""
    assert clients["server admin"].get("/v1/evals/datasets").status_code == 401


class TestGuestOfOneTest:
    @pytest.fixture
    def tests(self, data: DataFolder) -> list[Test]:
        workspace: Workspace = data.workspace("default")
        name = f"sinks{len(workspace.tests.rows())}"
        first = world.run(workspace, world.fill(workspace, workflow=name), [world.kitchen_result()])
        return [first, world.run(workspace, world.fill(workspace, workflow=f"{name}-b"), [world.kitchen_result()])]

    @pytest.fixture
    def guest(self, app: Flask, data: DataFolder, tests: list[Test]) -> FlaskClient:
        admin = Access(name="Root", grants=(Grant(workspace="*", role="admin"),))
        _, secret = accounts.invite(data, "default", role="reviewer", access=admin, test=tests[0].id)
        client = team.stranger(app)
        name = f"Guest {len(accounts.list_people(data))}"
        joined = client.post(f"/link/{secret}", data={"name": name, "password": team.PASSWORD})
        assert joined.location == f"/w/default/tests/{tests[0].id}/"
        return client

    def test_sees_and_answers_that_test_and_nothing_else(self, guest: FlaskClient, tests: list[Test]):
        page = guest.get(f"/w/default/tests/{tests[0].id}/")
        assert page.status_code == 200
        assert "Workflows</a>" not in page.text
        form = {"position": "0", "name": "material", "seen": "0", "decision": "accept"}
        assert guest.post(f"/w/default/tests/{tests[0].id}/answers", data=form).status_code == 303
        for path in ("", "tests/", f"tests/{tests[1].id}/", "records/", "workflows/", "datasets/", "people/", "trail"):
            assert guest.get(f"/w/default/{path}").status_code == 403, path
        assert guest.post(f"/w/default/tests/{tests[0].id}/dataset").status_code == 403
        assert guest.post(f"/w/default/tests/{tests[0].id}/cancel").status_code == 403
        assert guest.get("/w/other/").status_code == 404

    def test_finds_it_again(self, guest: FlaskClient, tests: list[Test]):
        assert guest.get("/").location == "/w/default/person"
        page = guest.get("/w/default/person").text
        assert f"/w/default/tests/{tests[0].id}/" in page
        assert tests[1].id not in page
        assert guest.get("/w/default/person?name=Root").status_code == 404

    def test_learns_nothing_of_what_was_answered_on_the_same_text_in_another_test(
        self, app: Flask, data: DataFolder, guest: FlaskClient, tests: list[Test]
    ):
        workspace = data.workspace("default")
        test = world.run(workspace, world.fill(workspace, workflow="once-more"), [world.kitchen_result()])
        answers.save_answer(workspace, tests[1].id, 0, "material", "cant_tell", by="Root", note="between us")
        name = next(p.name for p in accounts.list_people(data) if tests[0].id in p.access.tests_in("default"))
        admin = Access(name="Root", grants=(Grant(workspace="*", role="admin"),))
        person = accounts.get_person(data, name)
        accounts.accept_as(
            data, accounts.invite(data, "default", role="reviewer", access=admin, test=test.id)[1], person
        )
        before = {"position": "0", "name": "material", "seen": "0", "decision": "as_before"}
        page = guest.get(f"/w/default/tests/{test.id}/").text
        assert "between us" not in page
        assert guest.post(f"/w/default/tests/{test.id}/answers", data=before).status_code == 422
        reviewer = team.signed_in(app, data, team.add(data, "Reads all", "reviewer", "default"))
        assert "between us" in reviewer.get(f"/w/default/tests/{test.id}/").text

    def test_can_be_sent_away(self, guest: FlaskClient, data: DataFolder, tests: list[Test]):
        name = next(p.name for p in accounts.list_people(data) if tests[0].id in p.access.tests_in("default"))
        accounts.leave_test(data, name, "default", tests[0].id, by="Root")
        assert guest.get(f"/w/default/tests/{tests[0].id}/").status_code == 404


def test_whoever_may_only_look_is_offered_no_answer(clients: dict[str, FlaskClient], data: DataFolder) -> None:
    test = world.sinks(data.workspace("default"))
    answers.save_answer(data.workspace("default"), test.id, 0, "width", "reject", by="Bo", note="bowl?")
    pages = {role: clients[role].get(f"/w/default/tests/{test.id}/?input=0") for role in ("viewer", "reviewer")}
    shown = {role: LexborHTMLParser(page.text) for role, page in pages.items()}
    for selector in (".answers button", ".correct", ".look", "#undo", "#redo", "input[name=note]"):
        assert shown["reviewer"].css_first(selector) is not None, selector
        assert shown["viewer"].css_first(selector) is None, selector
    said = shown["viewer"].css_first("#value-1 .said").text()
    assert "Rejected" in said
    assert "bowl?" in said


def test_own_keys_go_with_the_account(app: Flask, data: DataFolder, clients: dict[str, FlaskClient]) -> None:
    """From one browser to the next, and nobody else's."""
    assert clients["reviewer"].post("/my-keys/", data={"a": "g"}).status_code == 303
    person = accounts.get_person(data, "Reviewer")
    another_browser = team.signed_in(app, data, person)
    assert 'value="g"' in another_browser.get("/my-keys/").text
    assert 'value="g"' not in clients["author"].get("/my-keys/").text
    assert "keys" not in person.model_dump()
    another_browser.post("/my-keys/", data={"usual": "1"})
    assert 'value="g"' not in clients["reviewer"].get("/my-keys/").text
