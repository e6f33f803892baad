"""What a card shows: room for its note, the same words for yes and no, its answers in one row; and the list of keys."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from reviewapp import answers
from reviewapp.domain.tests import Test
from tests.browser.conftest import RunningServer
from tests.browser.test_answering import expect_active, open_test, press
from tests.browser.test_options import doors  # noqa: F401

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def width_of(page: Page, selector: str) -> float:
    box = page.locator(selector).bounding_box()
    assert box is not None
    return box["width"]


@pytest.mark.parametrize("width", [1440, 1024, 390])
def test_a_note_has_a_line_of_its_own(page: Page, server: RunningServer, sinks: Test, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    page.set_extra_http_headers({"Accept-Language": "de"})
    answers.save_answer(server.workspace, sinks.id, 0, "material", "accept", by="Ann")
    open_test(page, sinks, "?value=material")
    press(page, "m")
    field = page.locator("#value-0 input[name=note]")
    expect(field).to_be_focused()
    assert width_of(page, "#value-0 input[name=note]") > 0.9 * width_of(page, "#value-0 .said")
    assert field.evaluate("f => { f.value = f.placeholder; return f.scrollWidth <= f.clientWidth }")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize(("language", "no", "yes"), [("en", "no", "yes"), ("de", "nein", "ja")])
def test_yes_and_no_have_the_same_words_everywhere(
    page: Page,
    server: RunningServer,
    doors: Test,  # noqa: F811
    language: str,
    no: str,
    yes: str,
) -> None:
    page.set_extra_http_headers({"Accept-Language": language})
    open_test(page, doors, "?value=renewal")
    card = page.locator("#value-1")
    expect(card.locator(".value")).to_have_text(no)
    press(page, "c")
    expect(card.locator(".options button").nth(0)).to_contain_text(yes)
    page.keyboard.type(yes)
    expect(card.locator("[data-reading]")).to_have_text(f"= {yes}")
    page.keyboard.press("Enter")
    expect(card.locator(".said strong").first).to_have_text(yes)
    expect_active(page, "class")
    page.reload()
    open_test(page, doors, "?value=renewal")
    press(page, "c")
    expect(page.locator("#typed-1")).to_have_value(yes)
    expect(card.locator(".options button[aria-pressed=true]")).to_contain_text(yes)
    answer = answers.answers_of_input(server.workspace, doors.id, 0)["renewal"][-1]
    assert answer.value is True


@pytest.mark.parametrize("width", [1440, 1366, 1024])
@pytest.mark.parametrize("decision", ["accept", "correct", "reject", "cant_tell"])
def test_the_answers_of_a_card_stand_in_one_row(
    page: Page, server: RunningServer, sinks: Test, width: int, decision: str
) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    page.set_extra_http_headers({"Accept-Language": "de"})
    value = 61 if decision == "correct" else None
    answers.save_answer(server.workspace, sinks.id, 0, "width", decision, by="Ann", value=value)
    open_test(page, sinks, "?value=width")
    expect(page.locator("#value-1 .answers [aria-pressed=true]")).to_have_count(1)
    tops = page.locator("#value-1 .answers button").evaluate_all("all => all.map(b => b.getBoundingClientRect().top)")
    assert len(tops) == 4
    assert len(set(tops)) == 1


def test_esc_closes_the_list_of_keys_which_leaves_the_card_in_sight(
    page: Page, server: RunningServer, sinks: Test
) -> None:
    page.set_viewport_size({"width": 1366, "height": 800})
    open_test(page, sinks, "?value=bowl+width")
    press(page, "?")
    expect(page.locator("#keys")).to_have_attribute("open", "")
    expect(page.locator(".card[aria-current] .answers")).to_be_in_viewport(ratio=1)
    expect_active(page, "bowl width")
    page.keyboard.press("Escape")
    expect(page.locator("#keys")).not_to_have_attribute("open", "")
    press(page, "?")
    press(page, "c")
    page.keyboard.press("Escape")
    expect(page.locator("#keys")).to_have_attribute("open", "")
    page.keyboard.press("Escape")
    expect(page.locator("#keys")).not_to_have_attribute("open", "")
    press(page, "t")
    expect(page.locator("#progress")).to_contain_text("1 of 10 answered")
