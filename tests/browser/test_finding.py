"""Filters on a large test: their numbers come when the page is there, and follow the answers."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from reviewapp.domain.tests import Test
from tests.browser.conftest import RunningServer
from tests.browser.test_answering import expect_active, open_test, press

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture(autouse=True)
def many(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten values are more than are counted at once."""
    monkeypatch.setattr("reviewapp.web.chips.MOST_COUNTED", 9)


def test_numbers_come_by_themselves_and_follow_the_answers(page: Page, sinks: Test) -> None:
    open_test(page, sinks, "?q=sink&from=0.5")
    left, review = page.locator("#chip-unanswered"), page.locator("#chip-review")
    expect(left).to_have_text("Unanswered 7")
    expect(review).to_have_text("◐ Needs review 2")
    press(page, "a")
    expect_active(page, "width")
    expect(left).to_have_text("Unanswered 6")
    for name in ("depth", "material"):  # the second answer brings the next input, and the chips with it
        press(page, "a")
        expect_active(page, name)
    expect(review).to_have_text("◐ Needs review 2")
    expect(left).to_have_text("Unanswered 4")
    left.click()
    expect(left).to_have_attribute("aria-current", "true")
    expect(left).to_have_text("Unanswered 4")


def test_without_script_a_link_counts(browser: Browser, server: RunningServer, sinks: Test) -> None:
    context = browser.new_context(base_url=server.url, java_script_enabled=False)
    page = context.new_page()
    page.goto(f"/w/default/tests/{sinks.id}/?q=sink")
    expect(page.locator("#chip-review")).to_have_text("◐ Needs review …")
    page.get_by_role("link", name="Count them").click()
    expect(page.locator("#chip-review")).to_have_text("◐ Needs review 2")
    expect(page.locator("#q")).to_have_value("sink")
    context.close()
