"""Several people on the pages: filters and orders, blind review, queues, disputes, second looks, many at once."""

from __future__ import annotations

import csv
import io
import json
import re

import pytest
from flask import Flask
from flask.testing import FlaskClient
from selectolax.lexbor import LexborHTMLParser
from werkzeug.test import TestResponse

from reviewapp import answers, disputes, reviewers, tests
from reviewapp.domain.answers import in_force
from reviewapp.domain.tests import Test
from reviewapp.workspaces import Workspace
from tests.web import world
from tests.web.reviewing import HTMX, parsed, path, send

SECRET = "the draining board's, see drawing 7"
"""A note that nobody may see before they answered."""


def as_person(app: Flask, name: str) -> FlaskClient:
    client = app.test_client()
    client.set_cookie("reviewapp-name", name)
    return client


def shown(response: TestResponse) -> tuple[str, list[str]]:
    """(input at hand, properties of the cards)"""
    page = parsed(response)
    head = page.css_first(".text-head h2")
    return (head.text() if head else ""), [
        card.css_first("h3").text().split(" · ")[0] for card in page.css("section.card")
    ]


# -- finding -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("query", "input", "cards"),
    [
        ("?order=weakest", "4.1 kitchen", ["bowl width"]),
        ("?order=property", "4.1 kitchen", ["material"]),
        ("?order=property&property=width", "4.1 kitchen", ["width"]),
        ("?order=weakest&show=review", "4.1 kitchen", ["depth"]),
        ("?order=weakest&show=passed&input=1&value=width", "4.2 laundry", ["width"]),
        ("?from=0.6&below=0,75", "4.2 laundry", ["colour"]),
        ("?from=0.6&below=0.75&show=passed", "", []),
        ("?below=0.6", "4.1 kitchen", ["depth"]),
        ("?by=Mara", "4.2 laundry", ["width"]),
        ("?by=Mara&show=unanswered", "", []),
        ("?from=much", "4.1 kitchen", ["material", "width", "depth", "colour", "bowl width"]),
        ("?order=sideways", "4.1 kitchen", ["material", "width", "depth", "colour", "bowl width"]),
    ],
)
def test_filters_and_orders_are_in_the_address(
    client: FlaskClient, sinks: Test, workspace: Workspace, query: str, input: str, cards: list[str]
) -> None:
    answers.save_answer(workspace, sinks.id, 1, "width", "accept", by="Mara")
    assert shown(client.get(path(sinks, query))) == (input, cards)


@pytest.mark.parametrize(
    ("view", "start", "expected"),
    [
        ({"order": "property"}, (0, "material"), (1, "material")),
        ({"order": "property"}, (1, "material"), (0, "width")),
        ({"order": "weakest"}, (0, "bowl width"), (0, "depth")),
        ({"order": "weakest"}, (1, "bowl width"), (0, "bowl width")),
        ({"order": "property", "property": "width"}, (0, "width"), (1, "width")),
        ({"order": "weakest", "show": "review"}, (0, "depth"), (1, "colour")),
    ],
)
def test_after_an_answer_the_next_of_the_order_is_shown(
    client: FlaskClient, sinks: Test, view: dict[str, str], start: tuple[int, str], expected: tuple[int, str]
) -> None:
    position, name = start
    response = send(client, sinks, name, "cant_tell", position=position, **view)
    card = parsed(response).css_first("section.card[aria-current]")
    values = {str(i.attributes["name"]): i.attributes["value"] for i in card.css("input[type=hidden]")}
    assert (int(str(values["position"])), values["name"]) == expected
    assert all(values[key] == value for key, value in view.items())
    assert f"value={expected[1].replace(' ', '+')}" in response.headers["HX-Push-Url"]


def test_next_and_previous_walk_the_order(client: FlaskClient, sinks: Test) -> None:
    page = LexborHTMLParser(client.get(path(sinks, "?order=property&input=1&value=material")).text)
    assert "input=0&value=width" in str(page.css_first("a[rel=next]").attributes["href"])
    assert "input=0&value=material" in str(page.css_first("a[rel=prev]").attributes["href"])


def test_properties_say_how_many_values_are_left(client: FlaskClient, sinks: Test) -> None:
    send(client, sinks, "width", "accept")
    assert "width (1 left)" in client.get(path(sinks)).text
    assert "depth (2 left)" in client.get(path(sinks)).text


# -- answering ---------------------------------------------------------------------------------------------------


def test_redo_gives_back_what_was_undone(client: FlaskClient, sinks: Test, workspace: Workspace) -> None:
    send(client, sinks, "width", "correct", value="61")
    client.post(path(sinks, "undo"), headers=HTMX)
    assert "Given again: your answer on width." in client.post(path(sinks, "redo"), headers=HTMX).text
    steps = answers.answers_of_input(workspace, sinks.id, 0)["width"]
    assert in_force(steps)["Ann"].value == 61
    assert "nothing that you took back" in client.post(path(sinks, "redo"), headers=HTMX).text


def test_the_history_of_a_value(client: FlaskClient, sinks: Test, workspace: Workspace) -> None:
    send(client, sinks, "width", "accept", note="measured")
    answers.save_answer(workspace, sinks.id, 0, "width", "correct", by="Mara", value=61)
    page = LexborHTMLParser(client.get(path(sinks, "?value=width")).text)
    told = [" ".join(li.text().split()) for li in page.css("#value-1 .history li")]
    assert len(told) == 2
    assert "Ann: accepted · “measured”" in told[0]
    assert "Mara: corrected to 61 cm" in told[1]


def test_an_option_is_chosen_by_its_button(client: FlaskClient, sinks: Test, workspace: Workspace) -> None:
    page = LexborHTMLParser(client.get(path(sinks)).text)
    assert [b.attributes["value"] for b in page.css("#value-3 .options button")] == ["white", "black"]
    form = {"position": 0, "name": "colour", "seen": 0, "choice": "black"}
    assert client.post(path(sinks, "answers"), data=form).status_code == 303
    (step,) = answers.answers_of_input(workspace, sinks.id, 0)["colour"]
    assert (step.decision, step.value) == ("correct", "black")


def test_own_keys_are_shown_and_sent_to_the_script(client: FlaskClient, sinks: Test) -> None:
    assert client.post("/my-keys/", data={"a": "g", "r": "x"}).status_code == 303
    page = LexborHTMLParser(client.get(path(sinks)).text)
    keys = json.loads(str(page.css_first("#review").attributes["data-keys"]))
    assert (keys["g"], keys["x"], keys["c"]) == ("a", "r", "c")
    assert "a" not in keys
    assert page.css_first("#value-0 [data-key=a] kbd").text() == "g"
    client.post("/my-keys/", data={"usual": "1"})
    page = LexborHTMLParser(client.get(path(sinks)).text)
    assert page.css_first("#value-0 [data-key=a] kbd").text() == "a"


@pytest.mark.parametrize(
    ("form", "fault"),
    [({"a": "c"}, "also the key of"), ({"a": "ab"}, "not one character"), ({"a": "1"}, "chooses an option")],
)
def test_keys_that_cannot_be_are_refused(client: FlaskClient, form: dict[str, str], fault: str) -> None:
    response = client.post("/my-keys/", data=form)
    assert response.status_code == 422
    assert fault in response.text
    assert "Set-Cookie" not in response.headers


@pytest.mark.parametrize(
    ("query", "numbers"),
    [
        ("?property=depth", {"all": 2, "passed": 1, "review": 1, "no_value": 0, "failed": 0, "unanswered": 1}),
        ("?q=laundry", {"all": 5, "passed": 3, "review": 1, "no_value": 1, "failed": 0, "unanswered": 5}),
        ("?from=0.5&below=0.75", {"all": 2, "passed": 0, "review": 2, "no_value": 0, "failed": 0, "unanswered": 1}),
        ("?by=Ann", {"all": 1, "passed": 0, "review": 1, "no_value": 0, "failed": 0, "unanswered": 0}),
        ("?property=width&q=sink&show=passed", {"all": 2, "passed": 2, "review": 0, "no_value": 0, "failed": 1}),
    ],
)
def test_chips_count_within_the_other_parts_of_the_filter(
    client: FlaskClient, sinks: Test, query: str, numbers: dict[str, int]
) -> None:
    send(client, sinks, "depth", "accept")
    page = LexborHTMLParser(client.get(path(sinks, query)).text)
    for show, count in numbers.items():
        assert page.css_first(f"#chip-{show}").text().split()[-1] == str(count), show


# -- blind review ------------------------------------------------------------------------------------------------


def test_blind_review_leaks_nothing(app: Flask, sinks: Test, workspace: Workspace) -> None:
    reviewers.set_overlap(workspace, sinks.id, 2, by="Eve")
    ann, ben = as_person(app, "Ann"), as_person(app, "Ben")
    send(ann, sinks, "width", "correct", value="77", note=SECRET)
    mine = world.KITCHEN.index("Width")
    send(ann, sinks, "depth", "correct", value="500", start=mine, end=mine + 5, quote="Width")
    for address in ("", "?value=width", "?order=weakest", "?order=property&property=width", "?by=Ann", "?show=disputed",
                    "?show=look", "?show=unanswered", "changes?version=0&input=0&at=1", "answers.csv", "reviewers/",
                    "reviewers/disputes", "many/"):  # fmt: skip
        seen = ben.get(path(sinks, address)).text
        assert SECRET not in seen
        assert not re.search(r"\b77\b", seen)
        assert "by Ann" not in seen
        assert "marked by" not in seen
    assert "0 of 10 answered" in ben.get(path(sinks)).text
    assert "2 of 10 answered" in ann.get(path(sinks)).text
    assert ">0/5<" in ben.get(path(sinks)).text
    send(ben, sinks, "width", "accept")
    after = ben.get(path(sinks, "?value=width")).text
    assert "Disputed: an adjudicator decides" in after
    assert "the draining board" in after


def test_blind_review_leaks_nothing_by_the_api(app: Flask, sinks: Test, workspace: Workspace) -> None:
    reviewers.set_overlap(workspace, sinks.id, 2, by="Eve")
    answers.save_answer(workspace, sinks.id, 0, "width", "correct", by="Mara", value=77, note=SECRET)
    iri = tests.get_input(workspace, sinks.id, 0).iri
    client = app.test_client()
    at = {"graph": "default", "id": sinks.id}
    whole = client.get("/v1/workflows/named/tests/get", query_string=at)
    asked = {**at, "iri": iri, "property": "width"}
    history = client.get("/v1/workflows/named/tests/history", query_string=asked)
    for response in (whole, history):
        assert response.status_code == 200
        assert SECRET not in response.text
        assert "Mara" not in response.text


def test_the_table_holds_what_the_person_may_see(app: Flask, sinks: Test, workspace: Workspace) -> None:
    reviewers.set_overlap(workspace, sinks.id, 2, by="Eve")
    send(as_person(app, "Ann"), sinks, "width", "reject")

    def decisions(name: str) -> list[str]:
        table = as_person(app, name).get(path(sinks, "answers.csv")).data.decode("utf-8-sig")
        return [row["decision"] for row in csv.DictReader(io.StringIO(table)) if row["decision"]]

    assert decisions("Ann") == ["reject"]
    assert decisions("Ben") == []


# -- who is asked, disputes, agreement ---------------------------------------------------------------------------


def test_whoever_is_asked_gets_their_queue(app: Flask, client: FlaskClient, sinks: Test) -> None:
    response = client.post(path(sinks, "reviewers/assign"), data={"names": "Ann\nBen", "inputs": "shares"})
    assert response.status_code == 303
    ben = as_person(app, "Ben")
    assert shown(ben.get(path(sinks)))[0] == "4.2 laundry"
    assert "My queue" in ben.get(path(sinks)).text
    assert shown(ben.get(path(sinks, "?inputs=all")))[0] == "4.1 kitchen"
    for name in ("material", "width", "depth", "colour"):
        send(ben, sinks, name, "cant_tell", position=1)
    last = send(ben, sinks, "bowl width", "accept", position=1)
    assert "Every value that you were asked for is answered" in last.text
    assert "1 input" in client.get(path(sinks, "reviewers/")).text


def test_the_summary_is_that_of_ones_own_queue(client: FlaskClient, sinks: Test, workspace: Workspace) -> None:
    reviewers.assign(workspace, sinks.id, ["Ann", "Bob"], shares=True, by="Eve")
    answers.save_answer(workspace, sinks.id, 0, "material", "accept", by="Ann")
    mine, whole = (client.get(path(sinks, query)).text for query in ("", "?inputs=all"))
    assert ("1 of 5 answered" in mine, "1 of 10 answered" in whole) == (True, True)
    for words in ("All 5", "Checks passed 2", "Needs review 1", "No value 1", "Failed 2", "Unanswered 4"):
        assert words in mine, words
    people = client.get(path(sinks, "reviewers/")).text
    assert ("1 of 5" in people, "0 of 5" in people) == (True, True)
    counts = tests.counts(workspace, sinks.id)
    both = [reviewers.queue_counts(workspace, sinks.id, name) for name in ("Ann", "Bob")]
    for field in type(counts).model_fields:
        assert sum(getattr(each, field) for each in both) == getattr(counts, field), field


@pytest.mark.parametrize(
    ("rest", "form", "fault"),
    [
        ("reviewers/assign", {"names": ""}, "Name at least one person"),
        ("reviewers/overlap", {"overlap": "99"}, "1 to 20"),
        ("reviewers/overlap", {"overlap": "many"}, "1 to 20"),
    ],
)
def test_what_cannot_be_asked_is_said_on_the_form(
    client: FlaskClient, sinks: Test, rest: str, form: dict[str, str], fault: str
) -> None:
    response = client.post(path(sinks, rest), data=form)
    assert response.status_code == 422
    assert fault in response.text


def disputed(workspace: Workspace, test: Test) -> None:
    reviewers.set_overlap(workspace, test.id, 2, by="Eve")
    answers.save_answer(workspace, test.id, 0, "width", "accept", by="Ben")
    answers.save_answer(workspace, test.id, 0, "width", "correct", by="Mara", value=61, note="with the rim")


def test_an_adjudicator_decides_on_the_page_of_disputes(client: FlaskClient, sinks: Test, workspace: Workspace) -> None:
    disputed(workspace, sinks)
    page = client.get(path(sinks, "reviewers/disputes"))
    for words in ("4.1 kitchen", "by Ben", 'to <strong dir="auto">61</strong> by Mara', "with the rim"):
        assert words in page.text
    seen = LexborHTMLParser(page.text).css_first("input[name=seen]").attributes["value"]
    form = {"position": 0, "name": "width", "seen": seen, "decision": "correct", "value": "wide"}
    refused = client.post(path(sinks, "reviewers/disputes"), data=form)
    assert refused.status_code == 422
    assert "wide" in refused.text
    assert client.post(path(sinks, "reviewers/disputes"), data={**form, "value": "610 mm"}).status_code == 303
    assert disputes.count_disputes(workspace, sinks.id) == 0
    assert "No disputes" in client.get(path(sinks, "reviewers/disputes")).text


def test_the_page_of_agreement(client: FlaskClient, sinks: Test, workspace: Workspace) -> None:
    assert "Nothing to compare yet" in client.get(path(sinks, "reviewers/agreement")).text
    disputed(workspace, sinks)
    page = LexborHTMLParser(client.get(path(sinks, "reviewers/agreement")).text)
    rows = [[cell.text() for cell in row.css("th, td")] for row in page.css("tbody tr")]
    assert ["width", "1", "0", "0 %", "-1.00"] in rows
    assert ["Ben and Mara", "all properties", "1", "0", "0 %", "0.00"] in rows


def test_answers_of_others_come_with_the_poll(app: Flask, sinks: Test) -> None:
    ann, ben = as_person(app, "Ann"), as_person(app, "Ben")
    page = LexborHTMLParser(ann.get(path(sinks)).text)
    poll = str(page.css_first("#poll").attributes["hx-get"])
    assert ann.get(poll, headers=HTMX).status_code == 204
    send(ben, sinks, "width", "correct", value="61")
    brought = ann.get(poll + "&at=0&open=2", headers=HTMX)
    targets = re.findall(r'<hx-partial hx-target="([^"]+)"', brought.text)
    assert "#value-1" in targets
    assert "#value-0" not in targets
    assert "Corrected" in brought.text
    assert "Ben is here" in brought.text
    typing = ann.get(poll + "&at=1&open=1", headers=HTMX)
    assert 'hx-target="#value-1"' not in typing.text


def test_a_second_look_on_the_page(app: Flask, sinks: Test, workspace: Workspace) -> None:
    ann, ben = as_person(app, "Ann"), as_person(app, "Ben")
    send(ann, sinks, "width", "accept")
    page = LexborHTMLParser(ben.get(path(sinks, "?show=look")).text)
    form = page.css_first("#value-1 form.look")
    fields = {str(i.attributes["name"]): i.attributes.get("value", "") for i in form.css("input")}
    assert ann.get(path(sinks, "?show=look")).text.count('class="row look"') == 0
    sent = ben.post(path(sinks, "looks"), data={**fields, "verdict": "send_back", "note": "bowl?"}, headers=HTMX)
    assert sent.status_code == 200
    assert "Sent back: width" in sent.text
    back = ann.get(path(sinks, "?show=sent_back"))
    assert shown(back) == ("4.1 kitchen", ["width"])
    assert "Sent back by Ben" in back.text
    assert "bowl?" in back.text


# -- many at once ------------------------------------------------------------------------------------------------


def test_many_at_once_show_a_sample_and_are_undone_as_one(
    client: FlaskClient, sinks: Test, workspace: Workspace
) -> None:
    page = client.get(path(sinks, "many/?support=0.9"))
    assert "5 values" in page.text
    assert "Width of the sink 600 mm" in page.text
    assert client.post(path(sinks, "many/"), data={"support": "0.9", "count": "4"}).status_code == 422
    assert client.post(path(sinks, "many/"), data={"support": "0.9", "count": "5"}).status_code == 303
    assert tests.counts(workspace, sinks.id).answered == 5
    assert "all that you accepted at once" in client.post(path(sinks, "undo"), headers=HTMX).text
    assert tests.counts(workspace, sinks.id).answered == 0
    assert "Nothing to accept" in client.get(path(sinks, "many/?support=1")).text


def test_what_was_answered_before_is_taken_over(client: FlaskClient, sinks: Test, workspace: Workspace) -> None:
    answers.save_answer(workspace, sinks.id, 0, "width", "correct", by="Mara", value=61, note="with the rim")
    again = world.fill(workspace)
    world.run(workspace, again, [world.kitchen_result(), world.laundry_result()])
    page = LexborHTMLParser(client.get(path(again, "?value=width")).text)
    assert "in test 1 by Mara: corrected 61" in " ".join(page.css_first("#value-1 .before").text().split())
    assert page.css_first("#value-0 .before") is None
    response = send(client, again, "width", "as_before")
    assert response.status_code == 200
    assert "as in test 1, by Mara" in response.text
    given = in_force(answers.answers_of_input(workspace, again.id, 0)["width"])["Ann"]
    assert (given.decision, given.value, given.note) == ("correct", 61, "with the rim")
    refused = send(client, again, "depth", "as_before")
    assert refused.status_code == 422
    assert "No earlier answer" in refused.text
