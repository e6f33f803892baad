"""What hands do by mistake or by habit: Caps Lock, double clicks, marking first, going on with an answer not saved."""

from __future__ import annotations

import sqlite3
import threading

import pytest
from playwright.sync_api import Page, expect

from reviewapp import answers, tests
from reviewapp.domain.properties import Property
from reviewapp.domain.tests import InputResult, Test
from tests.browser.conftest import RunningServer
from tests.browser.test_answering import expect_active, given, open_test, press, select_words
from tests.web import world

pytestmark = [pytest.mark.browser, pytest.mark.slow]

PRESS = """event => document.activeElement.dispatchEvent(new KeyboardEvent('keydown', {bubbles: true, ...event}))"""


@pytest.mark.parametrize(
    "event",
    [
        {"key": "A", "code": "KeyA", "modifierCapsLock": True},
        {"key": "ф", "code": "KeyA"},
        {"key": "Ф", "code": "KeyA", "modifierCapsLock": True},
        {"key": "ש", "code": "KeyA"},
    ],
)
def test_caps_lock_and_other_letters_answer_all_the_same(
    page: Page, server: RunningServer, sinks: Test, event: dict[str, object]
) -> None:
    open_test(page, sinks)
    page.wait_for_timeout(170)
    page.evaluate(PRESS, event)
    expect_active(page, "width")
    assert given(server, sinks, 0) == {"material": "accept"}


def test_caps_lock_undoes_and_redoes_as_without(page: Page, server: RunningServer, sinks: Test) -> None:
    open_test(page, sinks)
    press(page, "a")
    expect_active(page, "width")
    page.evaluate(PRESS, {"key": "U", "code": "KeyU", "modifierCapsLock": True})
    expect(page.locator("#status")).to_contain_text("Taken back")
    page.evaluate(PRESS, {"key": "u", "code": "KeyU", "shiftKey": True, "modifierCapsLock": True})
    expect(page.locator("#status")).to_contain_text("Given again")
    assert given(server, sinks, 0) == {"material": "accept"}


def test_a_double_click_answers_once(page: Page, server: RunningServer, sinks: Test) -> None:
    open_test(page, sinks, "?show=review")
    expect_active(page, "depth")
    page.get_by_role("button", name="Accept", exact=False).first.dblclick(delay=60)
    expect(page.locator("article")).to_contain_text("Utility sink")
    page.wait_for_timeout(400)
    assert given(server, sinks, 0) == {"depth": "accept"}
    assert given(server, sinks, 1) == {}


@pytest.mark.parametrize(
    ("prop", "words", "shown", "value"),
    [
        (Property(name="width", value_type="f64", unit="cm"), "Width: 600 mm", "= 60 cm", 60.0),
        (Property(name="signed", value_type="date"), "signed 3 April 2024", "= 2024-04-03", "2024-04-03"),
        (Property(name="colour", value_type="keyword", options=("white", "red")), "Colour: white", "= white", "white"),
        (Property(name="pieces", value_type="i64"), "4 pieces", "= 4", 4),
        (Property(name="weight", value_type="f64", unit="kg"), "١٢٫٥ كغ", "= 12.5 kg", 12.5),
    ],
)
def test_marking_begins_a_correction_and_shows_what_it_will_be(
    page: Page, server: RunningServer, prop: Property, words: str, shown: str, value: object
) -> None:
    text = "💩 Width: 600 mm\nsigned 3 April 2024\nColour: white, 4 pieces\nالوزن الصافي: ١٢٫٥ كغ"
    test = world.fill(server.workspace, [("one", text)], [prop])
    world.run(server.workspace, test, [InputResult()])
    open_test(page, test)
    select_words(page, words)
    expect(page.locator("#typed-0")).to_have_value(words)
    expect(page.locator("#typed-0")).to_be_focused()
    expect(page.locator("#value-0 [data-reading]")).to_have_text(shown)
    page.keyboard.press("Enter")
    expect(page.locator("#value-0 .said")).to_contain_text("Corrected to")
    answer = answers.answers_of_input(server.workspace, test.id, 0)[prop.name][-1]
    stored = tests.input_text(server.workspace, tests.get_input(server.workspace, test.id, 0))
    assert (answer.value, answer.quote) == (value, words)
    assert [span.cut(stored) for span in answer.spans] == [words]


def test_what_is_not_saved_is_sent_or_dropped_before_anything_else_is_shown(
    page: Page, server: RunningServer, sinks: Test
) -> None:
    open_test(page, sinks)
    press(page, "c")
    page.keyboard.type("enamel")
    server.stop()
    page.keyboard.press("Enter")
    card = page.locator("#value-0")
    expect(card).to_contain_text("Not saved: the server does not answer")
    server.start()
    page.keyboard.press("Escape")
    press(page, "n")
    page.get_by_role("link", name="Needs review").click()
    page.wait_for_timeout(400)
    expect(page.locator("article")).to_contain_text("Built-in sink")
    expect(page.locator("#typed-0")).to_have_value("enamel")
    expect(page.locator("#status")).to_contain_text("An answer is not saved yet")
    page.get_by_role("button", name="Drop it").click()
    expect(page.locator("#status")).to_be_empty()
    press(page, "n")
    expect(page.locator("article")).to_contain_text("Utility sink")
    assert given(server, sinks, 0) == {}


def test_words_for_a_correction_that_began_too_early_answer_nothing(
    page: Page, server: RunningServer, sinks: Test
) -> None:
    open_test(page, sinks)
    busy = sqlite3.connect(server.workspace.connections.path or "", isolation_level=None, check_same_thread=False)
    busy.execute("begin immediate")
    threading.Timer(0.4, busy.close).start()
    press(page, "a")
    page.keyboard.type("crot", delay=250)  # the answer is under way at first, and there before the last letter
    page.wait_for_timeout(1_000)
    assert given(server, sinks, 0) == {"material": "accept"}
    page.keyboard.press("c")
    expect(page.locator(".card[aria-current] input[name=value]")).to_be_focused()
