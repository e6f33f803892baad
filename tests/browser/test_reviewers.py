"""Two people on one test in two browsers, an adjudicator, own keys, options by digit, places, pages of a PDF."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from reviewapp import answers, disputes, reviewers
from reviewapp.domain.answers import in_force
from reviewapp.domain.places import Grounding, Span
from reviewapp.domain.tests import InputResult, Test
from tests.browser.conftest import RunningServer
from tests.browser.test_answering import expect_active, open_test, press
from tests.web import world

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture
def mara(browser: Browser, server: RunningServer) -> Iterator[Page]:
    """Another person's browser."""
    context = browser.new_context(base_url=server.url, viewport={"width": 1440, "height": 900})
    context.add_cookies([{"name": "reviewapp-name", "value": "Mara", "url": server.url}])
    yield context.new_page()
    context.close()


def test_answers_of_others_appear_without_a_reload(page: Page, mara: Page, sinks: Test) -> None:
    open_test(page, sinks)
    open_test(mara, sinks, "?value=width")
    press(mara, "a")
    expect(page.locator("#value-1")).to_contain_text("Accepted by Mara", timeout=8_000)
    expect(page.locator("#input-0")).to_contain_text("Mara is here")
    expect_active(page, "material")
    expect(page.locator("#progress")).to_contain_text("1 of 10 answered")


def test_what_somebody_types_is_not_taken_by_anothers_answer(page: Page, mara: Page, sinks: Test) -> None:
    open_test(page, sinks, "?value=width")
    press(page, "c")
    page.keyboard.type("61")
    open_test(mara, sinks, "?value=width")
    press(mara, "r")
    expect(page.locator("#progress")).to_contain_text("1 of 10 answered", timeout=8_000)
    expect(page.locator("#typed-1")).to_have_value("61")
    page.keyboard.press("Enter")
    expect(page.locator("#value-1")).to_contain_text("Mara answered this in the meantime (rejected)")
    expect(page.locator("#typed-1")).to_have_value("61")


def test_a_note_that_somebody_types_is_not_taken_by_anothers_answer(page: Page, mara: Page, sinks: Test) -> None:
    open_test(page, sinks, "?value=width")
    press(page, "m")
    page.keyboard.type("see drawing 7")
    open_test(mara, sinks, "?value=width")
    press(mara, "r")
    expect(page.locator("#progress")).to_contain_text("1 of 10 answered", timeout=8_000)
    expect(page.get_by_label("Note on width")).to_have_value("see drawing 7")
    page.keyboard.press("Escape")
    expect(page.locator("#value-1")).to_contain_text("Rejected by Mara", timeout=8_000)


def test_blind_review_a_dispute_and_its_adjudication(
    page: Page, mara: Page, server: RunningServer, sinks: Test
) -> None:
    reviewers.set_overlap(server.workspace, sinks.id, 2, by="Eve")
    open_test(page, sinks, "?value=width")
    open_test(mara, sinks, "?value=width")
    press(page, "a")
    expect(page.locator("#value-1")).to_contain_text("Accepted by Ann")
    mara.wait_for_timeout(3_500)
    expect(mara.locator("#value-1")).not_to_contain_text("Ann")
    assert "Accepted by Ann" not in mara.content()
    press(mara, "r")
    expect(mara.locator("#value-1")).to_contain_text("Accepted by Ann")
    expect(mara.locator("#value-1")).to_contain_text("Disputed")
    page.goto(f"/w/default/tests/{sinks.id}/reviewers/disputes")
    page.get_by_label("Right value of width").fill("610 mm")
    page.get_by_role("button", name="Correct").click()
    expect(page.get_by_role("heading", name="No disputes")).to_be_visible()
    assert disputes.count_disputes(server.workspace, sinks.id) == 0
    steps = answers.answers_of_input(server.workspace, sinks.id, 0)["width"]
    assert [(s.by, s.role, s.value) for s in steps if s.role == "adjudicator"] == [("Ann", "adjudicator", 61)]


def test_a_second_look_by_key_wherever_the_answer_is_seen(page: Page, server: RunningServer, sinks: Test) -> None:
    for name in ("material", "width"):
        answers.save_answer(server.workspace, sinks.id, 0, name, "accept", by="Mara")
    open_test(page, sinks, "?input=0&value=material")
    press(page, "v")
    expect(page.locator("#value-0")).to_contain_text("Confirmed by Ann")
    open_test(page, sinks, "?input=0&value=width")
    page.locator("#value-1").get_by_text("second look").click()
    page.get_by_label("Why width is sent back").fill("the bowl's")
    page.keyboard.press("Escape")
    press(page, "z")
    expect(page.locator("#value-1")).to_contain_text("Sent back by Ann · “the bowl's”")


def test_all_widths_in_a_row(page: Page, server: RunningServer, sinks: Test) -> None:
    open_test(page, sinks)
    page.get_by_label("Order").select_option("by property")
    expect_active(page, "material")
    expect(page.locator(".card")).to_have_count(1)
    press(page, "a")
    expect(page.locator("article")).to_contain_text("Utility sink")
    expect_active(page, "material")
    press(page, "a")
    expect_active(page, "width")
    expect(page.locator("article")).to_contain_text("Built-in sink")
    press(page, "n")
    expect(page.locator("article")).to_contain_text("Utility sink")
    expect_active(page, "width")
    assert "order=property" in page.url


def test_an_option_by_its_digit(page: Page, server: RunningServer, sinks: Test) -> None:
    open_test(page, sinks, "?value=colour")
    press(page, "c")
    press(page, "2")
    expect(page.locator("#value-3 .said")).to_contain_text("Corrected to black by Ann")
    expect_active(page, "bowl width")


def test_redo_by_key(page: Page, server: RunningServer, sinks: Test) -> None:
    open_test(page, sinks)
    press(page, "a")
    expect_active(page, "width")
    press(page, "u")
    expect_active(page, "material")
    press(page, "Shift+U")
    expect(page.locator("#value-0")).to_contain_text("Accepted by Ann")
    steps = answers.answers_of_input(server.workspace, sinks.id, 0)["material"]
    assert in_force(steps)["Ann"].decision == "accept"


def test_own_keys_answer_and_the_usual_ones_do_not(page: Page, server: RunningServer, sinks: Test) -> None:
    page.goto("/my-keys/")
    page.get_by_label(re.compile("^accept")).fill("g")
    page.get_by_role("button", name="Save my keys").click()
    open_test(page, sinks)
    press(page, "a")
    page.wait_for_timeout(300)
    expect_active(page, "material")
    press(page, "g")
    expect_active(page, "width")
    assert set(answers.answers_of_input(server.workspace, sinks.id, 0)) == {"material"}


def test_a_note_by_key(page: Page, server: RunningServer, sinks: Test) -> None:
    open_test(page, sinks)
    press(page, "a")
    expect_active(page, "width")
    press(page, "k")
    press(page, "m")
    page.keyboard.type("as read")
    page.keyboard.press("Enter")
    expect(page.locator("#value-0 .said")).to_contain_text("as read")
    assert answers.answers_of_input(server.workspace, sinks.id, 0)["material"][-1].note == "as read"


def test_several_places_of_the_same_words(page: Page, server: RunningServer) -> None:
    filler = "Nothing of note.\n" * 150
    text = f"600 mm\n{filler}600 mm\n{filler}600 mm"
    test = world.fill(server.workspace, [("long", text)], world.PROPERTIES[1:2])
    at = [m.start() for m in re.finditer("600 mm", text)]
    places = [(Span(start=a, end=a + 6),) for a in at]
    value = world.value(text, "width", 60.0, "600 mm")
    grounding = Grounding(method="exact", place=places[0], others=tuple(places[1:]), score=100)
    world.run(server.workspace, test, [InputResult(values=(value.model_copy(update={"grounding": grounding}),))])
    open_test(page, test)
    expect(page.locator("#value-0")).to_contain_text("in 3 places")
    expect(page.locator("article mark").nth(0)).to_be_in_viewport()
    press(page, "o")
    expect(page.locator("article mark").nth(1)).to_be_in_viewport()
    press(page, "o")
    expect(page.locator("article mark").nth(2)).to_be_in_viewport()
    press(page, "o")
    expect(page.locator("article mark").nth(0)).to_be_in_viewport()


def test_the_page_of_a_pdf_shows_the_words_boxed(page: Page, server: RunningServer) -> None:
    test = world.offer(server.workspace)
    open_test(page, test)
    page.get_by_role("link", name="Both").click()
    expect(page.locator("#sheets img")).to_have_count(2)
    expect(page.locator("#box-0")).to_be_in_viewport()
    press(page, "j")
    expect(page.locator("#box-1")).to_be_in_viewport()
    expect(page.locator("#box-1")).to_have_attribute("data-now", "")
    expect(page.locator("article mark[aria-current]")).to_have_text("Depth 500 mm")
    press(page, "a")
    expect_active(page, "width")
    assert "pane=both" in page.url


@pytest.mark.parametrize("pages", [1, 2])
@pytest.mark.parametrize("pane", ["both", "page"])
@pytest.mark.parametrize(("width", "height"), [(1440, 1800), (1024, 600), (390, 800)])
def test_the_boxes_lie_on_their_page(
    page: Page, server: RunningServer, pages: int, pane: str, width: int, height: int
) -> None:
    page.set_viewport_size({"width": width, "height": height})
    open_test(page, world.offer(server.workspace, pages), f"?pane={pane}")
    assert page.locator("#sheets svg").count() == pages
    for figure in page.locator("#sheets figure").all():
        figure.scroll_into_view_if_needed()
        sheet, overlay = figure.evaluate(
            """async figure => {
                const both = [...figure.querySelectorAll('img, svg')]
                await both[0].decode()
                return both.map(each => each.getBoundingClientRect().toJSON())
            }"""
        )
        assert sheet == overlay
        assert sheet["height"] == pytest.approx(sheet["width"] * 297 / 210, rel=0.01)
