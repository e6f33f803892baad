"""Datasets merged, split and added to in a real browser, with script and without; axe in every state."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from reviewapp import datasets
from reviewapp.answers import save_answer
from reviewapp.domain.datasets import Dataset, Expected, Install, Item
from reviewapp.domain.tests import Test
from tests.browser.conftest import RunningServer
from tests.browser.test_pages import violations
from tests.web import world

pytestmark = [pytest.mark.browser, pytest.mark.slow]

WIDER = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


def kept(server: RunningServer, name: str, widths: dict[str, tuple[str, float]]) -> Dataset:
    items = [Item(name=n, text=t, values=(Expected(property="width", value=w),)) for n, (t, w) in widths.items()]
    install = Install(properties={"width": "f64"}, units={"width": "cm"})
    return datasets.create_dataset(server.workspace, name, items=items, install=install, by="Ann")


def the_work(page: Page, server: RunningServer, test: Test, look: Callable[[], None]) -> None:
    """Two datasets that contradict each other, merged; answers added; duplicates found; split in two."""
    save_answer(server.workspace, test.id, 0, "width", "accept", by="Ann")
    may = kept(server, "May", {"sink": (world.KITCHEN, 61.0), "a": ("Width 70 cm", 70.0)})
    kept(server, "June", {"b": ("Width 70 cm", 71.0), "c": ("width  70 CM", 70.0)})
    page.goto(f"/w/default/datasets/{may.id}/")
    page.get_by_role("link", name="Merge with others").click()
    page.get_by_label("June").check()
    page.get_by_role("button", name="Look what comes of it").click()
    expect(page.get_by_text("3 items would be in the new dataset.")).to_be_visible()
    expect(page.get_by_role("group", name="Contradictions")).to_contain_text("✓ width: 71")
    look()
    page.get_by_label("let the later one count").check()
    page.get_by_label("Name of the new dataset").fill("Spring")
    page.get_by_role("button", name="Merge", exact=True).click()
    expect(page.get_by_text("Made: Spring. Items: 3.")).to_be_visible()

    page.get_by_role("link", name="Add answers of tests").click()
    page.get_by_label(f"test {test.number}").check()
    page.get_by_role("button", name="Look what comes of it").click()
    expect(page.get_by_text("Items that expect something else than before: 1.")).to_be_visible()
    look()
    page.get_by_role("button", name="Add them").click()
    expect(page.get_by_text("has version 2 now")).to_be_visible()

    page.get_by_role("link", name="Find duplicates").click()
    expect(page.get_by_role("group", name="Duplicates")).to_contain_text("differ in case and spaces only")
    look()
    page.go_back()
    page.get_by_role("link", name="Split in two").click()
    page.get_by_label("Share of the items").fill("40")
    page.get_by_role("button", name="Look what comes of it").click()
    expect(page.get_by_text("which stay together: 1.")).to_be_visible()
    look()
    page.get_by_role("button", name="Make both").click()
    expect(page.get_by_role("link", name="Spring, to learn")).to_be_visible()
    made = {d.name: d.item_count for d in datasets.list_datasets(server.workspace)}
    assert made == {"May": 2, "June": 2, "Spring": 3, "Spring, to learn": 1, "Spring, to test": 2}


@pytest.mark.parametrize(
    ("script", "scheme", "width"), [(True, "light", 1440), (True, "dark", 390), (False, "light", 390)]
)
def test_looked_at_first_then_done(
    browser: Browser, server: RunningServer, sinks: Test, script: bool, scheme: Any, width: int
) -> None:
    context = browser.new_context(
        base_url=server.url, java_script_enabled=script, color_scheme=scheme, viewport={"width": width, "height": 900}
    )
    page = context.new_page()
    found: list[str] = []
    page.on("console", lambda said: found.append(said.text) if said.type == "error" else None)

    def look() -> None:
        if script:
            found.extend(violations(page))
            if wider := page.evaluate(WIDER):
                found.append(f"{page.url} is {wider} pixels wider than its window")

    the_work(page, server, sinks, look)
    context.close()
    assert found == []
