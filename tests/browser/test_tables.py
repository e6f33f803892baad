"""Wide tables on a phone: a row is a list of its cells, each under its heading; without script they are scrolled."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from reviewapp.domain.tests import Test
from tests.browser.conftest import RunningServer

pytestmark = [pytest.mark.browser, pytest.mark.slow]

PHONE = {"width": 390, "height": 844}
HEADING = "cell => getComputedStyle(cell, '::before').content"
SIDEWAYS = "all => all.filter(frame => frame.scrollWidth > frame.clientWidth + 1).length"


@pytest.mark.parametrize("address", ["tests/", "workflows/", "records/", "workflows/sinks/", "workflows/sinks/change"])
def test_nothing_is_scrolled_sideways_on_a_phone(page: Page, sinks: Test, address: str) -> None:
    page.set_viewport_size(PHONE)
    page.goto(f"/w/default/{address}")
    expect(page.locator(".scroll > table").first).to_be_visible()
    assert page.locator(".scroll").evaluate_all(SIDEWAYS) == 0


@pytest.mark.parametrize("address", ["tests/", "workflows/", "workflows/sinks/", "records/", "models/"])
def test_nothing_is_scrolled_sideways_on_a_german_tablet(page: Page, sinks: Test, address: str) -> None:
    page.set_viewport_size({"width": 1024, "height": 768})
    page.set_extra_http_headers({"Accept-Language": "de"})
    page.goto(f"/w/default/{address}")
    expect(page.locator(".scroll > table").first).to_be_visible()
    assert page.locator(".scroll").evaluate_all(SIDEWAYS) == 0


def test_each_cell_stands_under_its_heading(page: Page, sinks: Test) -> None:
    page.set_viewport_size(PHONE)
    page.goto("/w/default/tests/")
    row = page.get_by_role("row").filter(has=page.get_by_role("link", name="Test 1"))
    cells = row.get_by_role("cell")
    told = cells.evaluate_all(f"all => all.map({HEADING})")
    assert [heading.strip('"') for heading in told] == [
        "Workflow", "State", "Inputs", "What it read", "Answered", "Started", "Dataset",
    ]  # fmt: skip
    page.set_viewport_size({"width": 1440, "height": 900})
    assert set(cells.evaluate_all(f"all => all.map({HEADING})")) == {"none"}
    expect(page.get_by_role("columnheader", name="Workflow")).to_be_visible()


def test_cells_that_span_others_keep_each_cell_under_its_heading(page: Page) -> None:
    page.set_viewport_size(PHONE)
    page.goto("/patterns")
    frame = page.get_by_role("group", name="Spanning cells")
    assert frame.evaluate("frame => frame.scrollWidth - frame.clientWidth") == 0
    told = frame.locator("tbody tr").evaluate_all(f"rows => rows.map(row => [...row.cells].map({HEADING}))")
    assert [[heading.strip('"') for heading in row] for row in told] == [
        ["Item", "Property", "Found"],
        ["Property", "Found"],
        ["Item", "none"],
    ]
    under = frame.get_by_role("row").filter(has_text="quantity").locator("td")
    expect(under.first).to_be_visible()
    expect(under.last).to_be_hidden()  # it holds nothing


def test_a_cell_with_nothing_beside_it_takes_the_line(page: Page, sinks: Test) -> None:
    page.set_viewport_size(PHONE)
    page.goto("/w/default/tests/")
    row = page.get_by_role("row").filter(has=page.get_by_role("link", name="Test 1"))
    wide = row.bounding_box()
    beside, alone = row.get_by_role("cell").first.bounding_box(), row.get_by_role("cell").last.bounding_box()
    assert wide is not None
    assert beside is not None
    assert alone is not None
    assert beside["width"] < wide["width"] / 2 < alone["width"]


@pytest.mark.parametrize("address", ["tests/", "workflows/", "workflows/sinks/", "records/", "models/"])
def test_on_paper_a_table_stays_one_and_nothing_of_it_is_cut(page: Page, sinks: Test, address: str) -> None:
    page.set_viewport_size({"width": 718, "height": 1000})  # A4 with margins of a centimetre
    page.emulate_media(media="print")
    page.set_extra_http_headers({"Accept-Language": "de"})
    page.goto(f"/w/default/{address}")
    expect(page.locator(".scroll > table thead").first).to_be_visible()
    wider = page.locator(".scroll > table").evaluate_all(
        "all => all.filter(table => table.getBoundingClientRect().right > innerWidth).length"
    )
    assert wider == 0


def test_without_script_the_table_is_scrolled_in_its_frame(
    browser: Browser, server: RunningServer, sinks: Test
) -> None:
    context = browser.new_context(base_url=server.url, viewport=PHONE, java_script_enabled=False)
    page = context.new_page()
    page.goto("/w/default/tests/")
    expect(page.get_by_role("columnheader", name="Workflow")).to_be_visible()
    expect(page.get_by_role("group", name="Tests")).to_have_attribute("tabindex", "0")
    context.close()
