"""The numbers on the chips: within the filter, at once where few values are to be counted, else brought later."""

from __future__ import annotations

import pytest
from flask import Flask
from flask.testing import FlaskClient

from reviewapp import answers, reviewers, second_looks
from reviewapp.domain.tests import Test
from reviewapp.workspaces import Workspace
from tests.web.reviewing import HTMX, parsed, path, send
from tests.web.test_reviewers import as_person


def chips(client: FlaskClient, test: Test, query: str = "") -> list[str]:
    """What the chips say, without their signs."""
    found = parsed(client.get(path(test, query))).css("a.chip")
    return [" ".join(chip.text().translate(str.maketrans("", "", "✓◐✕–")).split()) for chip in found]


@pytest.fixture
def many(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten values are more than are counted at once."""
    monkeypatch.setattr("reviewapp.web.chips.MOST_COUNTED", 9)


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("", ["All 10", "Checks passed 5"]),
        ("?property=width", ["All 2", "Checks passed 2"]),
        ("?property=depth", ["All 2", "Checks passed 1"]),
        ("?property=nothing", ["All 0", "Checks passed 0"]),
        ("?property=width&q=laundry", ["All 1", "Checks passed 1"]),
        ("?q=laundry", ["All …", "Checks passed …"]),
        ("?from=0.1", ["All …", "Checks passed …"]),
    ],
)
@pytest.mark.usefixtures("many")
def test_many_values_are_counted_when_the_page_is_there(
    client: FlaskClient, sinks: Test, query: str, words: list[str]
) -> None:
    assert chips(client, sinks, query)[:2] == words


@pytest.mark.usefixtures("many")
def test_the_page_asks_for_what_was_not_counted_and_keeps_it(client: FlaskClient, sinks: Test) -> None:
    query = "?q=laundry"
    asks = parsed(client.get(path(sinks, query))).css_first("#counts").attributes["hx-get"]
    brought = client.get(str(asks), headers=HTMX).text
    assert "Needs review 1" in brought
    assert "hx-get" not in brought
    assert chips(client, sinks, query)[:3] == ["All 5", "Checks passed 3", "Needs review 1"]
    assert parsed(client.get(path(sinks, query))).css_first("#counts") is None


@pytest.mark.usefixtures("many")
def test_without_script_they_are_counted_by_a_link(client: FlaskClient, sinks: Test) -> None:
    page = parsed(client.get(path(sinks, "?from=0.5&below=0.8")))
    link = page.css_first("#chips noscript a")
    assert link.text() == "Count them"
    counted = client.get(str(link.attributes["href"]))
    assert "All 2 ✓" in " ".join(parsed(counted).css_first("#chips").text().split())


@pytest.mark.usefixtures("many")
def test_an_answer_counts_nothing_and_the_poll_does(client: FlaskClient, sinks: Test) -> None:
    query = "?q=sink"
    client.get(path(sinks, f"{query}&count=1"))
    assert "Unanswered 10" in chips(client, sinks, query)
    reply = send(client, sinks, "width", "accept", q="sink").text
    assert 'id="progress"' in reply
    assert "chip-unanswered" not in reply
    page = parsed(client.get(path(sinks, query)))
    assert "Unanswered 10" in " ".join(page.css_first("#chips").text().split())  # as counted last
    assert page.css_first("#counts") is not None
    assert page.css_first("#chips noscript a").text() == "Count again"
    poll = client.get(path(sinks, f"changes{query}&version=0&input=0"), headers=HTMX).text
    assert "Unanswered 9" in poll
    assert "Unanswered 9" in chips(client, sinks, query)


def test_a_text_search_through_many_texts_waits_too(
    client: FlaskClient, sinks: Test, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("reviewapp.web.chips.MOST_SEARCHED", 1)
    assert chips(client, sinks, "?q=laundry")[0] == "All …"
    assert chips(client, sinks, "?from=0.5")[0] == "All 7"


def test_disputes_and_looks_are_counted_within_the_filter(app: Flask, sinks: Test, workspace: Workspace) -> None:
    reviewers.set_overlap(workspace, sinks.id, 2, by="Eve")
    for position, name in ((0, "width"), (1, "width"), (1, "depth")):
        answers.save_answer(workspace, sinks.id, position, name, "accept", by="Ann")
        answers.save_answer(workspace, sinks.id, position, name, "reject", by="Ben")
    second_looks.look_again(workspace, sinks.id, 1, "depth", "send_back", by="Ann")
    ann = as_person(app, "Ann")
    assert {"Disputed 3", "Sent back 1", "Second look 2"} <= set(chips(ann, sinks))
    assert {"Disputed 2", "Sent back 1", "Second look 1"} <= set(chips(ann, sinks, "?q=laundry"))
    assert {"Disputed 2", "Second look 2"} <= set(chips(ann, sinks, "?property=width"))
    assert "Sent back 1" not in chips(ann, sinks, "?property=width")
