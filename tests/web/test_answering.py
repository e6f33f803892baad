"""Answering on the test page, with and without htmx: faults, clashes, undo."""

from __future__ import annotations

import html
import json
import re
import sqlite3
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from reviewapp import answers
from reviewapp.app import create_app
from reviewapp.domain.answers import in_force
from reviewapp.domain.tests import InputResult, Test
from reviewapp.settings import Settings
from reviewapp.workspaces import DataFolder, Workspace
from tests.web import world
from tests.web.reviewing import HTMX, parsed, path, send


def given(workspace: Workspace, test: Test, name: str, position: int = 0) -> list[tuple[str, str | None]]:
    steps = answers.answers_of_input(workspace, test.id, position).get(name, [])
    return [(step.by, step.decision) for step in in_force(steps).values()]


def test_an_answer_brings_back_what_it_changed(client: FlaskClient, sinks: Test, workspace: Workspace) -> None:
    response = send(client, sinks, "material", "accept")
    assert response.status_code == 200
    targets = re.findall(r'<hx-partial hx-target="([^"]+)"', response.text)
    assert targets == ["#value-0", "#chip-unanswered", "#progress", "#save", "#input-0", "#status"]
    assert "Accepted by Ann" in response.text
    assert "1 of 10 answered" in response.text
    assert json.loads(response.headers["HX-Trigger"]) == {"next-value": {"value": "value-1"}}
    assert len(response.data) < 10_000
    assert given(workspace, sinks, "material") == [("Ann", "accept")]


def test_without_htmx_an_answer_redirects_to_the_next_value(client: FlaskClient, sinks: Test) -> None:
    response = send(client, sinks, "material", "accept", htmx=False)
    assert response.status_code == 303
    assert response.headers["Location"].endswith("?input=0&value=width#value-1")


def test_the_last_answer_of_an_input_brings_the_next_input(client: FlaskClient, sinks: Test) -> None:
    for name in ("material", "width", "depth", "colour"):
        send(client, sinks, name, "accept")
    response = send(client, sinks, "bowl width", "reject")
    assert 'hx-target="#review"' in response.text
    assert "Utility sink" in response.text
    assert response.headers["HX-Push-Url"].endswith("?input=1")
    assert "Saved: bowl width of 4.1 kitchen." in response.text


def test_skipped_values_come_again(client: FlaskClient, sinks: Test) -> None:
    response = send(client, sinks, "bowl width", "reject")
    assert json.loads(response.headers["HX-Trigger"]) == {"next-value": {"value": "value-0"}}


@pytest.mark.parametrize(
    ("name", "form", "fault"),
    [
        ("width", {"decision": "correct", "value": "wide"}, "'wide'"),
        ("width", {"decision": "correct", "value": "NaN"}, "'NaN'"),
        ("width", {"decision": "correct", "value": "0.1"}, "1"),
        ("width", {"decision": "correct", "value": ""}, "Type the right value of width"),
        ("colour", {"decision": "correct", "value": "green"}, "green"),
        ("colour", {"decision": "reject"}, "nothing to reject"),
        ("width", {"decision": "maybe"}, "Choose an answer"),
        ("width", {"decision": "typed", "note": "why"}, "the note is saved with it"),
        ("width", {"decision": "accept", "note": "n" * 1_001}, "1,000 is the limit"),
    ],
)
@pytest.mark.parametrize("htmx", [True, False])
def test_what_does_not_fit_comes_back_with_what_was_typed(
    client: FlaskClient, sinks: Test, workspace: Workspace, name: str, form: dict[str, str], fault: str, htmx: bool
) -> None:
    response = send(client, sinks, name, htmx=htmx, **form)
    assert response.status_code == 422
    found = parsed(response).css_first(f"#value-{1 if name == 'width' else 3} .fault, .fault")
    assert fault in found.text()
    for key in ("value", "note"):
        assert f'name="{key}"' in response.text
        assert html.escape(form.get(key, "")) in response.text
    assert given(workspace, sinks, name) == []


def test_a_form_that_names_no_value_is_refused(client: FlaskClient, sinks: Test) -> None:
    response = client.post(path(sinks, "answers"), data={"decision": "accept"})
    assert response.status_code == 422
    assert "reload the page" in response.text


def test_a_clash_is_told_and_overwrites_nothing(client: FlaskClient, sinks: Test, workspace: Workspace) -> None:
    answers.save_answer(workspace, sinks.id, 0, "width", "reject", by="Mara")
    response = send(client, sinks, "width", "correct", value="61")
    assert response.status_code == 409
    assert "Mara answered this in the meantime (rejected)" in response.text
    assert 'value="61"' in response.text
    assert given(workspace, sinks, "width") == [("Mara", "reject")]


def test_a_clash_with_oneself_says_so(client: FlaskClient, sinks: Test, workspace: Workspace) -> None:
    answers.save_answer(workspace, sinks.id, 0, "width", "reject", by="Ann")
    response = send(client, sinks, "width", "accept", seen=0)
    assert response.status_code == 409
    assert "You answered this in another window (rejected)" in response.text


def test_the_same_answer_twice_is_one(client: FlaskClient, sinks: Test, workspace: Workspace) -> None:
    assert send(client, sinks, "width", "accept").status_code == 200
    assert send(client, sinks, "width", "accept").status_code == 200
    assert len(answers.history(workspace, sinks.id, 0, "width")) == 1


def test_enter_saves_a_typed_value_or_a_note(client: FlaskClient, sinks: Test, workspace: Workspace) -> None:
    send(client, sinks, "width", "typed", value="610 mm")
    (step,) = answers.history(workspace, sinks.id, 0, "width")
    assert (step.decision, step.value) == ("correct", 61)
    send(client, sinks, "width", "typed", value="61", note="measured", seen=step.id)
    last = answers.history(workspace, sinks.id, 0, "width")[-1]
    assert (last.decision, last.value, last.note) == ("correct", 61, "measured")


@pytest.mark.parametrize(
    ("start", "end", "quote", "spans"),
    [
        (world.KITCHEN.index("600 mm"), world.KITCHEN.index("600 mm") + 6, "600 mm", ["600 mm"]),
        (0, 6, "600 mm", []),
        (10, 5, "x", []),
        (0, 10**9, "x", []),
        ("a", "b", "x", []),
    ],
)
def test_marked_words_are_kept_only_where_they_stand(
    client: FlaskClient, sinks: Test, workspace: Workspace, start: object, end: object, quote: str, spans: list[str]
) -> None:
    send(client, sinks, "width", "correct", value="600 mm", start=start, end=end, quote=quote)
    (step,) = answers.history(workspace, sinks.id, 0, "width")
    assert [span.cut(world.KITCHEN) for span in step.spans] == spans


def test_take_back_and_undo(client: FlaskClient, sinks: Test, workspace: Workspace) -> None:
    send(client, sinks, "width", "accept")
    seen = answers.history(workspace, sinks.id, 0, "width")[-1].id
    send(client, sinks, "width", "take_back", seen=seen)
    assert given(workspace, sinks, "width") == []
    response = client.post(path(sinks, "undo"), headers=HTMX)
    assert "Taken back: your answer on width." in response.text
    assert given(workspace, sinks, "width") == [("Ann", "accept")]
    client.post(path(sinks, "undo"))
    assert "You have no answer here to take back." in client.post(path(sinks, "undo"), headers=HTMX).text


def test_saving_makes_a_dataset_and_says_so(client: FlaskClient, sinks: Test, workspace: Workspace) -> None:
    send(client, sinks, "width", "accept")
    response = client.post(path(sinks, "dataset"), headers=HTMX)
    assert "Update dataset" in response.text
    assert "Saved: 1 item in dataset" in response.text
    assert client.post(path(sinks, "dataset")).status_code == 303
    assert "Saved: 1 item in dataset" in client.get(path(sinks)).text


@pytest.mark.parametrize(
    ("name", "value", "shown"),
    [
        ("width", "600 mm", "= 60 cm"),
        ("width", "61", "= 61 cm"),
        ("width", "wide", "fault"),
        ("colour", "WHITE", "= white"),
        ("colour", "green", "fault"),
    ],
)
def test_what_a_typed_value_would_be_saved_as(
    client: FlaskClient, sinks: Test, name: str, value: str, shown: str
) -> None:
    response = client.get(path(sinks, "reading"), query_string={"name": name, "value": value}, headers=HTMX)
    assert response.status_code == 200
    assert shown in response.text


def test_a_file_that_another_program_holds_is_busy_and_nothing_is_lost(tmp_path: Path) -> None:
    with DataFolder(tmp_path, busy_seconds=0.2) as data:
        workspace = data.workspace("default", create=True)
        test = world.sinks(workspace)
        client = create_app(Settings(data=tmp_path, person="Ann"), data).test_client()
        holder = sqlite3.connect(tmp_path / "workspaces" / "default.db", isolation_level=None)
        holder.execute("begin immediate")
        response = send(client, test, "width", "accept")
        holder.execute("rollback")
        holder.close()
        assert response.status_code == 503
        assert response.headers["HX-Retarget"] == "#status"
        assert given(workspace, test, "width") == []
        assert send(client, test, "width", "accept").status_code == 200


def test_while_it_runs_the_end_of_what_was_read_is_no_end(client: FlaskClient, workspace: Workspace) -> None:
    test = world.fill(workspace)
    world.run(workspace, test, [world.kitchen_result()], finish=False)
    for prop in world.PROPERTIES:
        response = send(client, test, prop.name, "accept")
    assert "more appear in the list as they are read" in response.text


def test_what_could_not_be_read_is_run_again(client: FlaskClient, workspace: Workspace) -> None:
    test = world.fill(workspace)
    world.run(workspace, test, [InputResult(failed="The reply was cut off."), world.laundry_result()])
    assert "Run again 1 input not read" in client.get(path(test)).text
    response = client.post(path(test, "again"))
    assert response.status_code == 303
    assert "/wtest_" in response.headers["Location"]
    assert test.id not in response.headers["Location"]
    assert client.post(path(test, "again")).status_code == 303
