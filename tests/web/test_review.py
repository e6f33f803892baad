"""The test page: whole and in pieces, every kind of card, answering with and without htmx, faults, clashes."""

from __future__ import annotations

import csv
import html
import io
import json
import re
import sqlite3
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from openpyxl import load_workbook
from selectolax.lexbor import LexborHTMLParser
from werkzeug.test import TestResponse

from reviewapp import answers
from reviewapp.app import create_app
from reviewapp.domain.answers import in_force
from reviewapp.domain.properties import Property
from reviewapp.domain.tests import InputResult, Test
from reviewapp.settings import Settings
from reviewapp.workspaces import DataFolder, Workspace
from tests.web import world

HTMX = {"HX-Request": "true"}


def path(test: Test, rest: str = "") -> str:
    return f"/w/default/tests/{test.id}/{rest}"


def parsed(response: TestResponse) -> LexborHTMLParser:
    return LexborHTMLParser(response.text)


def card(response: TestResponse, index: int) -> str:
    """The words on a card, white space folded."""
    found = parsed(response).css_first(f"#value-{index}")
    assert found is not None
    return " ".join(found.text().split())


def send(
    client: FlaskClient, test: Test, name: str, decision: str, *, htmx: bool = True, **more: object
) -> TestResponse:
    form = {"position": 0, "name": name, "decision": decision, "seen": 0, **more}
    return client.post(path(test, "answers"), data=form, headers=HTMX if htmx else {})


def given(workspace: Workspace, test: Test, name: str, position: int = 0) -> list[tuple[str, str | None]]:
    steps = answers.answers_of_input(workspace, test.id, position).get(name, [])
    return [(step.by, step.decision) for step in in_force(steps).values()]


def test_the_page_shows_every_kind_of_card(client: FlaskClient, sinks: Test) -> None:
    response = client.get(path(sinks))
    assert response.status_code == 200
    for index, words in enumerate(
        [
            ("material", "✓ Checks passed", "stainless steel", "Stainless steel 1.4301, brushed", "0.94"),
            ("width · cm", "60", "600 mm → 60 cm", "0.91"),
            ("◐ Needs review", "50", "The unit is not stated; mm was assumed.", "0.58"),
            ("– No value", "the text states none?", "None stated", "It states…"),
            ("✕ Quote not found", "36", "These words are not in the text.", "Nearest: “bowl 340 x 400 mm”"),
        ]
    ):
        shown = card(response, index)
        for expected in words:
            assert expected in shown
    assert "Second reading" in response.text
    assert "0 of 10 answered" in response.text


def test_a_card_says_why_no_block_looked_for_a_value(client: FlaskClient, workspace: Workspace) -> None:
    why = "Block 'read' was passed over: 'kind' found the category 'letter'."
    test = world.fill(workspace, [("odd", "Dear all")], world.PROPERTIES[1:2])
    world.run(workspace, test, [InputResult(passed_over={"width": why})])
    shown = card(client.get(path(test)), 0)
    assert "– No value" in shown
    assert why in shown
    assert "None stated" in shown


def test_the_text_is_the_record_letter_for_letter(client: FlaskClient, workspace: Workspace) -> None:
    text = "\n\n  <b>&amp; \f💩 مرحبا Width 600 mm  \n"
    test = world.fill(workspace, [("odd", text)], world.PROPERTIES[1:2])
    world.run(workspace, test, [InputResult(values=(world.value(text, "width", 60.0, "Width 600 mm"),))])
    article = parsed(client.get(path(test))).css_first("article")
    assert article is not None
    assert article.text() == text
    assert article.attributes["dir"] == "auto"


def test_only_the_text_of_the_input_at_hand_is_in_the_page(client: FlaskClient, sinks: Test) -> None:
    page = client.get(path(sinks, "?input=1")).text
    assert "Utility sink" in page
    assert "Built-in sink" not in page


@pytest.mark.parametrize(
    ("query", "input", "cards"),
    [
        ("", "4.1 kitchen", [0, 1, 2, 3, 4]),
        ("?show=passed", "4.1 kitchen", [0, 1]),
        ("?show=review", "4.1 kitchen", [2]),
        ("?show=no_value", "4.1 kitchen", [3]),
        ("?show=failed", "4.1 kitchen", [4]),
        ("?property=depth", "4.1 kitchen", [2]),
        ("?show=review&input=1", "4.2 laundry", [3]),
        ("?q=LAUNDRY", "4.2 laundry", [0, 1, 2, 3, 4]),
        ("?show=nonsense", "4.1 kitchen", [0, 1, 2, 3, 4]),
    ],
)
def test_filters(client: FlaskClient, sinks: Test, query: str, input: str, cards: list[int]) -> None:
    page = parsed(client.get(path(sinks, query)))
    assert page.css_first(".text-head h2").text() == input
    assert [int(str(c.attributes["data-index"])) for c in page.css(".card")] == cards
    assert len(page.css(".card[aria-current]")) == 1


def test_a_filter_that_nothing_passes_says_so(client: FlaskClient, sinks: Test) -> None:
    assert "No text with “nowhere” is among these." in client.get(path(sinks, "?q=nowhere")).text


def test_htmx_gets_a_piece_and_history_a_page(client: FlaskClient, sinks: Test) -> None:
    piece = client.get(path(sinks, "?input=1"), headers=HTMX)
    assert piece.text.lstrip().startswith('<div id="review"')
    assert "HX-Request" in piece.headers["Vary"]
    back = client.get(path(sinks, "?input=1"), headers=HTMX | {"HX-History-Restore-Request": "true"})
    assert back.text.startswith("<!doctype html>")


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


def test_a_poll_is_empty_until_something_changes(client: FlaskClient, workspace: Workspace) -> None:
    test = world.fill(workspace)
    page = client.get(path(test))
    poll = parsed(page).css_first("#poll")
    address = str(poll.attributes["hx-get"])
    assert client.get(address, headers=HTMX).status_code == 204
    world.run(workspace, test, [world.kitchen_result()], finish=False)
    response = client.get(address, headers=HTMX)
    assert response.status_code == 200
    assert 'hx-target="#review"' in response.text
    assert "stainless steel" in response.text
    assert 'id="poll"' in response.text
    world.run(workspace, test, [world.kitchen_result(), world.laundry_result()])
    ended = client.get(address.replace("unread=1&", ""), headers=HTMX)
    assert 'hx-trigger="every 3s"' in ended.text  # from now on only for what others do


def test_an_input_that_failed_shows_why_and_what_came(client: FlaskClient, workspace: Workspace) -> None:
    test = world.fill(workspace)
    world.run(
        workspace, test, [InputResult(failed="The reply was cut off.", raw='{"value": "12 k'), world.laundry_result()]
    )
    response = client.get(path(test, "?input=0"))
    for words in ("The reply was cut off.", html.escape('{"value": "12 k', quote=True), "✕ failed"):
        assert words in response.text.replace("&#34;", "&quot;")


def test_the_answers_as_a_table(client: FlaskClient, sinks: Test) -> None:
    send(client, sinks, "width", "correct", value="61", note="measured, twice")
    response = client.get(path(sinks, "answers.csv"))
    rows = list(csv.DictReader(io.StringIO(response.data.decode("utf-8-sig"))))
    assert len(rows) == 10
    width = next(row for row in rows if row["property"] == "width")
    assert [float(width[key]) for key in ("read", "answer", "expected")] == [60, 61, 61]
    assert width["decision"] == "correct"
    assert (width["note"], width["reviewer"], width["quote"]) == ("measured, twice", "Ann", "Width of the sink 600 mm")
    start, end = int(width["start"]), int(width["end"])
    assert world.KITCHEN[start:end] == "Width of the sink 600 mm"


def test_the_table_comes_with_semicolons_and_as_a_workbook(client: FlaskClient, sinks: Test) -> None:
    table = client.get(path(sinks, "answers.csv?form=csv-semicolon"))
    heading, *rows = csv.reader(io.StringIO(table.data.decode("utf-8-sig")), delimiter=";")
    assert {len(row) for row in rows} == {len(heading)}
    supports = [row[heading.index("support")] for row in rows]
    assert any("," in s for s in supports)
    assert not any("." in s for s in supports)
    book = load_workbook(io.BytesIO(client.get(path(sinks, "answers.csv?form=xlsx")).data))
    assert [cell.value for cell in next(iter(book.worksheets[0].rows))] == heading


@pytest.mark.parametrize("rest", ["", "changes?version=1", "answers.csv", "?input=99"])
def test_what_is_not_there_is_404(client: FlaskClient, sinks: Test, rest: str) -> None:
    test = sinks.id if rest == "?input=99" else "wtest_0"
    response = client.get(f"/w/default/tests/{test}/{rest}")
    assert response.status_code == 404
    assert "There is no" in response.text


def test_what_others_say_is_shown_as_text(client: FlaskClient, workspace: Workspace) -> None:
    evil = "</article><script>alert(1)</script>\"'&"
    text = f"{evil} 600 mm"
    test = world.fill(workspace, [(evil, text)], [Property(name="<i>x", value_type="text", description=evil)])
    world.run(workspace, test, [InputResult(values=(world.value(text, "<i>x", evil, evil, detail=evil),))])
    client.set_cookie("reviewapp-name", "%3Cb%3EAnn")
    send(client, test, "<i>x", "accept", note=evil)
    response = client.get(path(test, "?q=%3Cscript"))
    assert "<script>alert" not in response.text
    assert "<i>x" not in response.text
    assert "<b>Ann" not in response.text
    assert parsed(response).css_first("article").text() == text


def count_queries(workspace: Workspace, client: FlaskClient, address: str) -> int:
    statements: list[str] = []
    workspace.trace(statements.append)
    try:
        assert client.get(address).status_code == 200
    finally:
        workspace.trace(None)
    return sum(statement.lstrip().lower().startswith(("select", "with")) for statement in statements)


def test_the_page_costs_the_same_queries_for_two_inputs_and_for_two_hundred(
    client: FlaskClient, workspace: Workspace, sinks: Test
) -> None:
    few = count_queries(workspace, client, path(sinks))
    many = world.fill(workspace, [(f"r{i:03}", world.LAUNDRY) for i in range(200)], workflow="many", collection="many")
    world.run(workspace, many, [world.laundry_result()] * 200)
    assert count_queries(workspace, client, path(many)) == few
    assert few <= 30


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


def test_a_pdf_shows_its_pages_with_the_words_boxed(client: FlaskClient, workspace: Workspace) -> None:
    test = world.offer(workspace)
    assert parsed(client.get(path(test))).css_first("#sheets") is None
    page = parsed(client.get(path(test, "?pane=page&value=depth")))
    assert page.css_first("article") is None
    figures = page.css("#sheets figure")
    assert [len(figure.css("rect")) for figure in figures] == [1, 1]
    assert "data-now" in page.css_first("#box-1").attributes
    assert parsed(client.get(path(test, "?pane=both"))).css_first("article") is not None
    picture = client.get(str(figures[1].css_first("img").attributes["src"]))
    assert picture.content_type == "image/png"
    assert picture.data.startswith(b"\x89PNG")
    assert client.get(path(test, "inputs/0/page/3.png")).status_code == 404


def test_a_text_without_pages_has_no_choice_of_pages(client: FlaskClient, sinks: Test) -> None:
    page = parsed(client.get(path(sinks, "?pane=page")))
    assert page.css_first("article") is not None
    assert page.css_first(".panes-choice") is None


def test_what_could_not_be_read_is_run_again(client: FlaskClient, workspace: Workspace) -> None:
    test = world.fill(workspace)
    world.run(workspace, test, [InputResult(failed="The reply was cut off."), world.laundry_result()])
    assert "Run again the 1 not read" in client.get(path(test)).text
    response = client.post(path(test, "again"))
    assert response.status_code == 303
    assert "/wtest_" in response.headers["Location"]
    assert test.id not in response.headers["Location"]
    assert client.post(path(test, "again")).status_code == 303
