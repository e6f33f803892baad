"""Answering as an expert does: by key, by marking words, by mouse; and what is said when it fails."""

from __future__ import annotations

import re
import zipfile

import pytest
from playwright.sync_api import Page, expect

from reviewapp import answers, datasets, tests
from reviewapp.domain.answers import in_force
from reviewapp.domain.tests import InputResult, Test
from reviewapp.running.runner import Runner
from tests.browser.conftest import RunningServer
from tests.web import world

pytestmark = [pytest.mark.browser, pytest.mark.slow]

PAUSE_MS = 170
"""A little longer than the page takes a second press for a slip."""


def given(server: RunningServer, test: Test, position: int) -> dict[str, str]:
    """Ann's answers on an input: property → decision."""
    found = answers.answers_of_input(server.workspace, test.id, position)
    mine = {name: in_force(steps).get("Ann") for name, steps in found.items()}
    return {name: str(step.decision) for name, step in mine.items() if step is not None}


def open_test(page: Page, test: Test, query: str = "") -> None:
    page.goto(f"/w/default/tests/{test.id}/{query}")
    expect(page.locator(".card[aria-current]")).to_be_visible()


def press(page: Page, key: str) -> None:
    page.wait_for_timeout(PAUSE_MS)
    page.keyboard.press(key)


def active(page: Page) -> str:
    return page.locator(".card[aria-current] h3").inner_text().split(" · ")[0]


def expect_active(page: Page, name: str) -> None:
    expect(page.locator(".card[aria-current] h3")).to_have_text(re.compile(rf"^{name}( · .*)?$"))


def test_one_key_per_answer_through_the_whole_test(page: Page, server: RunningServer, sinks: Test) -> None:
    open_test(page, sinks)
    for name, key in (("material", "a"), ("width", "a"), ("depth", "t"), ("colour", "a"), ("bowl width", "r")):
        expect_active(page, name)
        press(page, key)
    expect(page.locator("article")).to_contain_text("Utility sink")
    expect_active(page, "material")
    for name in ("material", "width", "depth", "colour", "bowl width"):
        expect_active(page, name)
        press(page, "a")
    expect(page.locator("#status")).to_contain_text("Every value is answered")
    expect(page.locator("#progress")).to_contain_text("10 of 10 answered")
    assert given(server, sinks, 0) == {
        "material": "accept", "width": "accept", "depth": "cant_tell", "colour": "accept", "bowl width": "reject"
    }  # fmt: skip
    assert set(given(server, sinks, 1).values()) == {"accept"}


def test_the_active_quote_is_in_sight_and_marked(page: Page, server: RunningServer) -> None:
    long = "Nothing of note.\n" * 400
    text = long + "Width 600 mm\n" + long + "Depth 500 mm"
    test = world.fill(server.workspace, [("long", text)], world.PROPERTIES[1:3])
    result = InputResult(
        values=(
            world.value(text, "width", 60.0, "Width 600 mm"),
            world.value(text, "depth", 50.0, "Depth 500 mm"),
        )
    )
    world.run(server.workspace, test, [result])
    open_test(page, test)
    expect(page.locator("mark[aria-current]")).to_have_text("Width 600 mm")
    expect(page.locator("mark[aria-current]")).to_be_in_viewport()
    press(page, "j")
    expect(page.locator("mark[aria-current]")).to_have_text("Depth 500 mm")
    expect(page.locator("mark[aria-current]")).to_be_in_viewport()


def test_a_double_press_answers_no_unseen_value(page: Page, server: RunningServer, sinks: Test) -> None:
    open_test(page, sinks)
    page.wait_for_timeout(PAUSE_MS)
    page.keyboard.press("a")
    page.keyboard.press("a")
    page.wait_for_timeout(80)
    page.keyboard.press("a")
    expect_active(page, "width")
    assert given(server, sinks, 0) == {"material": "accept"}


def test_a_held_key_answers_once(page: Page, server: RunningServer, sinks: Test) -> None:
    open_test(page, sinks)
    page.wait_for_timeout(PAUSE_MS)
    page.keyboard.down("a")
    for _ in range(5):
        page.wait_for_timeout(60)
        page.keyboard.down("a")
    page.keyboard.up("a")
    expect_active(page, "width")
    assert given(server, sinks, 0) == {"material": "accept"}


def test_keys_are_off_while_typing_and_with_modifiers(page: Page, server: RunningServer, sinks: Test) -> None:
    open_test(page, sinks)
    press(page, "c")
    page.keyboard.type("art and craft")
    expect(page.locator(".card[aria-current] input[name=value]")).to_have_value("art and craft")
    page.keyboard.press("Escape")
    press(page, "Control+a")
    press(page, "Alt+r")
    expect_active(page, "material")
    assert given(server, sinks, 0) == {}


def test_correct_by_typing_a_value_with_its_unit(page: Page, server: RunningServer, sinks: Test) -> None:
    open_test(page, sinks, "?value=depth")
    press(page, "c")
    page.keyboard.type("510 mm")
    expect(page.locator("#value-2 [data-reading]")).to_have_text("= 51 cm")
    page.keyboard.press("Enter")
    expect(page.locator("#value-2 .said")).to_contain_text("Corrected to 51 cm by Ann")
    expect_active(page, "colour")
    answer = answers.answers_of_input(server.workspace, sinks.id, 0)["depth"][-1]
    assert (answer.decision, answer.value) == ("correct", 51)


def test_a_value_that_does_not_fit_says_so_beside_the_field(page: Page, server: RunningServer, sinks: Test) -> None:
    open_test(page, sinks, "?value=depth")
    press(page, "c")
    page.keyboard.type("NaN")
    page.keyboard.press("Enter")
    expect(page.locator("#value-2 .fault")).to_be_visible()
    expect(page.locator("#typed-2")).to_have_value("NaN")
    expect(page.locator("#typed-2")).to_be_focused()
    expect_active(page, "depth")
    assert given(server, sinks, 0) == {}
    page.locator("#typed-2").fill("52")
    page.keyboard.press("Enter")
    expect(page.locator("#value-2 .said")).to_contain_text("Corrected to 52 cm")


@pytest.mark.parametrize("text", ["Total weight: 12 kg", "💩👩‍❤️‍👩 Net weight: 12 kg\nיותר", "\n\fweight\f12 kg"])
def test_marking_words_takes_them_as_value_and_quote(page: Page, server: RunningServer, text: str) -> None:
    prop = world.PROPERTIES[1].model_copy(update={"name": "weight", "unit": "kg", "aliases": ()})
    test = world.fill(server.workspace, [("weights", text)], [prop])
    world.run(server.workspace, test, [InputResult()])
    open_test(page, test)
    press(page, "c")
    select_words(page, "12 kg")
    expect(page.locator("#typed-0")).to_have_value("12 kg")
    expect(page.locator("#value-0 [data-marked]")).to_contain_text("12 kg")
    page.keyboard.press("Enter")
    expect(page.locator("#value-0 .said")).to_contain_text("Corrected to 12 kg")
    expect(page.locator("article mark")).to_have_text("12 kg")
    expect(page.locator("article")).to_have_js_property("textContent", text)
    answer = answers.answers_of_input(server.workspace, test.id, 0)["weight"][-1]
    stored = tests.input_text(server.workspace, tests.get_input(server.workspace, test.id, 0))
    assert (answer.value, answer.quote) == (12, "12 kg")
    assert [span.cut(stored) for span in answer.spans] == ["12 kg"]


def select_words(page: Page, words: str) -> None:
    """Select words of the text as a mouse would, and let go of the button."""
    page.evaluate(
        """words => {
            const walker = document.createTreeWalker(document.getElementById('text'), NodeFilter.SHOW_TEXT)
            for (let node = walker.nextNode(); node; node = walker.nextNode()) {
                const at = node.data.indexOf(words)
                if (at < 0) continue
                const range = document.createRange()
                range.setStart(node, at)
                range.setEnd(node, at + words.length)
                getSelection().removeAllRanges()
                getSelection().addRange(range)
                document.getElementById('text').dispatchEvent(new MouseEvent('mouseup', {bubbles: true}))
                return
            }
            throw new Error('not in the text')
        }""",
        words,
    )


def test_undo_takes_back_the_last_answer_wherever_it_was(page: Page, server: RunningServer, sinks: Test) -> None:
    open_test(page, sinks, "?value=bowl+width")
    for _ in range(4):
        page.keyboard.press("k")
    expect_active(page, "material")
    for key in "aaaar":
        press(page, key)
        page.wait_for_timeout(120)
    expect(page.locator("article")).to_contain_text("Utility sink")
    press(page, "u")
    expect(page.locator("article")).to_contain_text("Built-in sink")
    expect_active(page, "bowl width")
    assert "bowl width" not in given(server, sinks, 0)
    press(page, "u")
    expect_active(page, "colour")
    assert set(given(server, sinks, 0)) == {"material", "width", "depth"}


def test_the_next_input_and_the_filter_stay_together(page: Page, sinks: Test) -> None:
    open_test(page, sinks)
    page.get_by_role("link", name="Needs review").click()
    expect(page.locator(".card")).to_have_count(1)
    expect_active(page, "depth")
    assert "show=review" in page.url
    press(page, "n")
    expect(page.locator("article")).to_contain_text("Utility sink")
    expect_active(page, "colour")
    press(page, "p")
    expect_active(page, "depth")
    press(page, "a")
    expect_active(page, "colour")
    assert "show=review" in page.url


def test_save_as_dataset_and_download(page: Page, server: RunningServer, sinks: Test) -> None:
    open_test(page, sinks)
    press(page, "a")
    expect_active(page, "width")
    press(page, "s")
    expect(page.locator("#status")).to_contain_text("1 item")
    expect(page.get_by_role("button", name="Update dataset")).to_be_visible()
    with page.expect_download() as download:
        page.get_by_role("link", name="Download", exact=True).click()
    assert download.value.suggested_filename == "dataset.zip"
    test = tests.get_test(server.workspace, sinks.id)
    assert test.dataset is not None
    assert datasets.get_dataset(server.workspace, test.dataset).item_count == 1


def test_not_saved_is_said_and_can_be_sent_again(page: Page, server: RunningServer, sinks: Test) -> None:
    open_test(page, sinks)
    server.stop()
    press(page, "a")
    expect(page.locator("#value-0")).to_contain_text("Not saved: the server does not answer")
    expect_active(page, "material")
    press(page, "a")
    expect(page.locator("#value-0")).to_contain_text("Not saved")
    server.start()
    page.get_by_role("button", name="Send again").click()
    expect(page.locator("#value-0")).to_contain_text("Accepted by Ann")
    expect_active(page, "width")
    page.reload()
    expect(page.locator("#value-0")).to_contain_text("Accepted by Ann")
    assert given(server, sinks, 0) == {"material": "accept"}


def test_a_stale_answer_overwrites_nothing(page: Page, server: RunningServer, sinks: Test) -> None:
    open_test(page, sinks)
    answers.save_answer(server.workspace, sinks.id, 0, "material", "reject", by="Mara")
    press(page, "a")
    expect(page.locator("#value-0")).to_contain_text("Mara answered this in the meantime (rejected)")
    expect_active(page, "material")
    assert given(server, sinks, 0) == {}
    press(page, "a")
    expect_active(page, "width")
    assert given(server, sinks, 0) == {"material": "accept"}


def test_inputs_appear_while_the_test_runs(page: Page, server: RunningServer) -> None:
    test = world.fill(server.workspace)
    page.goto(f"/w/default/tests/{test.id}/")
    expect(page.locator("#values")).to_contain_text("Not read yet")
    world.run(server.workspace, test, [world.kitchen_result()], finish=False)
    expect(page.locator("#progress")).to_contain_text("1 of 2 inputs read")
    expect_active(page, "material")
    press(page, "a")
    expect_active(page, "width")
    world.run(server.workspace, test, [world.kitchen_result(), world.laundry_result()])
    expect(page.locator("#progress")).to_contain_text("1 of 10 answered")
    expect(page.locator("#input-1")).to_contain_text("0/5")
    expect(page.locator("#poll")).to_have_attribute("hx-trigger", "every 3s")


def test_back_and_reload_show_whole_pages(page: Page, sinks: Test) -> None:
    open_test(page, sinks)
    press(page, "a")
    expect_active(page, "width")
    press(page, "n")
    expect(page.locator("article")).to_contain_text("Utility sink")
    page.go_back()
    expect(page.locator("article")).to_contain_text("Built-in sink")
    expect(page.locator("header.top")).to_be_visible()
    expect(page.locator("#value-0")).to_contain_text("Accepted by Ann")
    page.go_forward()
    expect(page.locator("article")).to_contain_text("Utility sink")
    for _ in range(3):
        page.reload()
        expect(page.locator("article")).to_contain_text("Utility sink")
        expect_active(page, "material")


def test_the_first_minute(page: Page, server: RunningServer) -> None:
    """From the start page of a new workspace to the files, by what the pages say."""
    page.goto("/")
    page.get_by_role("button", name="Load the sample").click()
    Runner(server.data).run_until_idle()
    page.get_by_role("link", name="reviewapp").click()
    page.get_by_role("link", name="Answer it").click()
    expect(page.locator(".card[aria-current] .answers button").first).to_contain_text("Accept")
    press(page, "a")
    expect(page.locator("#progress")).to_contain_text("1 of ")
    page.get_by_role("button", name="Save as dataset").click()
    expect(page.locator("#status")).to_contain_text("Saved: 1 item")
    with page.expect_download() as download:
        page.get_by_role("link", name="Download", exact=True).click()
    with zipfile.ZipFile(download.value.path()) as archive:
        assert sorted(archive.namelist()) == ["expected.json", "records.json"]
    page.get_by_role("link", name="reviewapp").click()
    expect(page.get_by_role("link", name="Go on answering")).to_be_visible()
