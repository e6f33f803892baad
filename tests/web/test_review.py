"""The test page as it is shown: whole and in pieces, every kind of card, filters, its tables."""

from __future__ import annotations

import csv
import html
import io

import pytest
from flask.testing import FlaskClient
from openpyxl import load_workbook
from werkzeug.test import TestResponse

from reviewapp.domain.properties import Property
from reviewapp.domain.tests import InputResult, Test
from reviewapp.workspaces import Workspace
from tests.web import world
from tests.web.reviewing import HTMX, parsed, path, send


def card(response: TestResponse, index: int) -> str:
    """The words on a card, white space folded."""
    found = parsed(response).css_first(f"#value-{index}")
    assert found is not None
    return " ".join(found.text().split())


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
