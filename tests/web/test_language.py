"""The language of the pages: which one, how it is chosen, and that German pages are German and their data as it was."""

from __future__ import annotations

import re

import pytest
from flask import Flask
from flask.testing import FlaskClient
from selectolax.lexbor import LexborHTMLParser

from reviewapp import answers, datasets
from reviewapp.app import create_app
from reviewapp.domain.tests import Test
from reviewapp.settings import Settings
from reviewapp.workspaces import DataFolder, Workspace
from tests.web import german, team

GERMAN = {"Accept-Language": "de-CH,de;q=0.9,en;q=0.5"}


def language_of(html: str) -> str:
    return str(LexborHTMLParser(html).css_first("html").attributes["lang"])


@pytest.mark.parametrize(
    ("accepted", "language"),
    [
        (None, "en"),
        ("", "en"),
        ("de", "de"),
        ("de-CH,de;q=0.9,en;q=0.5", "de"),
        ("DE-at", "de"),
        ("en-GB,de;q=0.5", "en"),
        ("fr,de;q=0.5,en;q=0.4", "de"),
        ("fr,it;q=0.5", "en"),
        ("de;q=0,fr", "en"),
        ("*", "en"),
        ("de;q=x,;;,", "en"),
    ],
)
def test_the_browser_s_wishes_decide_at_first(client: FlaskClient, accepted: str | None, language: str):
    response = client.get("/w/default/tests/", headers={} if accepted is None else {"Accept-Language": accepted})
    assert language_of(response.text) == language
    assert {"accept-language", "cookie"} <= {name.lower() for name in response.vary}


def test_a_choice_wins_over_the_browser_and_is_kept(client: FlaskClient):
    chosen = client.post("/language", data={"language": "de", "back": "/w/default/tests/?before=3"})
    assert (chosen.status_code, chosen.location) == (303, "/w/default/tests/?before=3")
    assert "HttpOnly" in chosen.headers["Set-Cookie"]
    assert "SameSite=Lax" in chosen.headers["Set-Cookie"]
    assert language_of(client.get("/w/default/tests/", headers={"Accept-Language": "en"}).text) == "de"
    client.post("/language", data={"language": "en", "back": "/"})
    assert language_of(client.get("/w/default/tests/", headers=GERMAN).text) == "en"


def test_the_page_offers_the_other_language_and_comes_back_to_itself(client: FlaskClient):
    page = LexborHTMLParser(client.get("/w/default/records/?q=a b", headers=GERMAN).text)
    button = page.css_first("button[name=language]")
    assert (button.attributes["value"], button.attributes["lang"], button.text()) == ("en", "en", "English")
    back = page.css_first("form[action='/language'] input[name=back]").attributes["value"]
    assert client.post("/language", data={"language": "en", "back": back}).location == "/w/default/records/?q=a%20b"


def test_back_is_where_the_script_has_moved_on_to(client: FlaskClient):
    moved = {"Referer": "http://localhost/w/default/tests/?input=7"}
    chosen = client.post("/language", data={"language": "de", "back": "/w/default/tests/?input=1"}, headers=moved)
    assert chosen.location == "/w/default/tests/?input=7"


@pytest.mark.parametrize("back", ["https://evil.example/", "//evil.example/", "/\\evil.example", "javascript:1"])
def test_back_never_leaves_the_server(client: FlaskClient, back: str):
    assert client.post("/language", data={"language": "de", "back": back}).location == "/"


@pytest.mark.parametrize("language", ["", "xx", "../de", "de\n", "de" * 500])
def test_no_other_language_is_kept_or_spoken(client: FlaskClient, language: str):
    assert "Set-Cookie" not in client.post("/language", data={"language": language}).headers
    client.set_cookie("reviewapp-language", language.strip() + "x")
    assert language_of(client.get("/w/default/tests/").text) == "en"


def test_one_request_s_language_is_not_the_next_one_s(app: Flask):
    assert language_of(app.test_client().get("/w/default/tests/", headers=GERMAN).text) == "de"
    assert language_of(app.test_client().get("/w/default/tests/").text) == "en"


def test_a_value_is_answered_in_german_without_script(client: FlaskClient, sinks: Test):
    page = client.get(f"/w/default/tests/{sinks.id}/", headers=GERMAN)
    assert "Korrigieren" in page.text
    sent = {"position": "0", "name": "width", "decision": "correct", "seen": "0", "value": "breit"}
    refused = client.post(f"/w/default/tests/{sinks.id}/answers", data=sent, headers=GERMAN)
    assert refused.status_code == 422
    assert "✕ &#39;breit&#39; ist keine Zahl; erwartet wird eine Zahl wie 12,5." in refused.text
    taken = client.post(f"/w/default/tests/{sinks.id}/answers", data=sent | {"value": "61,5"}, headers=GERMAN)
    assert taken.status_code == 303
    shown = client.get(taken.location, headers=GERMAN).text
    assert "Korrigiert" in shown
    assert "61,5 cm" in shown


def test_times_and_figures_are_written_as_germans_write_them(client: FlaskClient, sinks: Test):
    page = LexborHTMLParser(client.get(f"/w/default/tests/{sinks.id}/", headers=GERMAN).text)
    assert page.css_first(".support .number").text() == "0,94"
    listed = LexborHTMLParser(client.get("/w/default/tests/", headers=GERMAN).text).css_first("time")
    assert re.fullmatch(r"\d{1,2}\. [A-ZÄ]\w+\.? \d{4}, \d\d:\d\d", listed.text())
    english = LexborHTMLParser(client.get("/w/default/tests/").text).css_first("time")
    assert re.fullmatch(r"\d{1,2} [A-Z]\w\w \d{4}, \d\d:\d\d", english.text())


def test_an_error_is_said_in_german(client: FlaskClient):
    missing = client.get("/w/default/tests/wtest_none/", headers=GERMAN)
    assert (missing.status_code, language_of(missing.text)) == (404, "de")
    assert "Nicht gefunden: Test &#39;wtest_none&#39;." in missing.text


def test_the_api_and_what_is_downloaded_stay_english(client: FlaskClient, sinks: Test, workspace: Workspace):
    missing = "/v1/graphs/default/workflows/none"
    in_german, in_english = (client.get(missing, headers=headers).json["error"] for headers in (GERMAN, {}))
    assert in_german | {"request_id": ""} == in_english | {"request_id": ""}
    table = f"/w/default/tests/{sinks.id}/answers.csv"
    assert client.get(table, headers=GERMAN).data == client.get(table).data


@pytest.fixture
def full(client: FlaskClient, sinks: Test, workspace: Workspace) -> FlaskClient:
    """A workspace with a test answered in part, disputed in one place, and kept as a dataset."""
    answers.save_answer(workspace, sinks.id, 0, "material", "accept", by="Ann")
    answers.save_answer(workspace, sinks.id, 0, "width", "correct", by="Ann", value="61", note="seen twice")
    answers.save_answer(workspace, sinks.id, 0, "colour", "cant_tell", by="Bo")
    datasets.save_dataset(workspace, sinks.id, by="Ann")
    return client


def test_german_pages_hold_no_english_of_ours(full: FlaskClient):
    pages = walk(full, ["/", "/my-keys/", "/keys/", "/people/", "/name", "/nothing-here"])
    assert len(pages) > 40
    assert {(said, path) for path, html in pages.items() for said in german.english_left(html)} == set()


def walk(client: FlaskClient, begin: list[str]) -> dict[str, str]:
    """The German pages that links lead to, one of each kind of address."""
    todo, seen, pages = list(begin), set[str](), {}
    while todo:
        path = todo.pop(0)
        address, _, query = path.partition("?")
        kind = re.sub(r"\d+|wtest_\w+|rev_\w+|[0-9a-f]{8,}", "#", address) + "&".join(re.findall(r"(\w+)=", query))
        if kind in seen or path.startswith(("/v1", "/patterns")):
            continue
        seen.add(kind)
        response = client.get(path, headers=GERMAN)
        if response.mimetype != "text/html" or response.status_code == 303:
            todo += [response.location] if response.status_code == 303 and response.location else []
            continue
        pages[path] = response.text
        links = LexborHTMLParser(response.text).css("a[href^='/']")
        todo += [str(link.attributes["href"]).partition("#")[0] for link in links if "download" not in link.attributes]
    return pages


def test_the_choice_goes_with_the_account_to_other_browsers(data: DataFolder, workspace: Workspace):
    app = create_app(Settings(data=data.path, host="0.0.0.0"), data)  # noqa: S104
    eve = team.add(data, "Eve", "admin")
    at_work, at_home = (team.signed_in(app, data, eve) for _ in range(2))
    assert language_of(at_home.get("/w/default/tests/").text) == "en"
    at_work.post("/language", data={"language": "de"})
    assert language_of(at_home.get("/w/default/tests/").text) == "de"
    assert language_of(at_home.get("/nothing-here").text) == "de"
    assert language_of(team.signed_in(app, data, team.add(data, "Bo", "admin")).get("/w/default/tests/").text) == "en"
