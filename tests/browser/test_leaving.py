"""Links of the test page: those that show another input or filter change what is on it, the others lead away whole."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from reviewapp import answers, datasets
from reviewapp.domain.tests import Test
from tests.browser.conftest import RunningServer

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_every_link_shows_one_whole_page(page: Page, server: RunningServer, sinks: Test) -> None:
    """A link that htmx follows into the page it is on would show one page within another."""
    answers.save_answer(server.workspace, sinks.id, 0, "material", "accept", by="Ann")
    datasets.save_dataset(server.workspace, sinks.id, by="Ann")
    address = f"/w/default/tests/{sinks.id}/"
    page.goto(address)
    links = page.locator("#review a:visible:not([download])")
    count = links.count()
    assert count > 10
    for number in range(count):
        page.goto(address)
        words = links.nth(number).inner_text()
        links.nth(number).click()
        page.wait_for_timeout(250)
        expect(page.locator("header.top"), words).to_have_count(1)
        expect(page.locator("main"), words).to_have_count(1)
        stays = page.url.split("?")[0].split("#")[0].endswith(address)
        assert page.locator("body").get_attribute("class") == ("review" if stays else "plain"), words
