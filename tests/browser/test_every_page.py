"""Every page: no violation of WCAG 2.2 AA that axe finds, nothing inline, no complaint, none wider than a phone.

A page that is not visited here fails, so that no new one is forgotten (`every_page.VISITS`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tests.browser import odd_pages
from tests.browser.every_page import NO_PAGES, VISITS, fill
from tests.browser.test_pages import violations
from tests.browser.test_team import Office, sign_in
from tests.models.fake_provider import FakeProvider

pytestmark = [pytest.mark.browser, pytest.mark.slow]

PHONE = {"width": 390, "height": 844}
STRANGERS = ("sign_in.link", "sign_in.show", "people.name")
"""Pages of those who have not signed in."""
INLINE = "[style], style, script:not([src]), [onclick], [onload], [onerror], [onsubmit], [href^='javascript:']"
WIDER = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.fixture
def office(tmp_path: Path) -> Iterator[Office]:
    running = Office(tmp_path / "data")
    yield running
    running.stop()


def test_every_page_has_a_visit(office: Office) -> None:
    pages = {rule.endpoint for rule in office.app.url_map.iter_rules() if "GET" in (rule.methods or ())}
    assert pages - NO_PAGES - set(VISITS) == set(), "give these an address in tests/browser/every_page.py"
    assert set(VISITS) - pages == set(), "these have an address and no page"
    assert NO_PAGES - pages == set(), "these are no pages any more"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_is_found_on_any_page(
    browser: Browser, office: Office, provider: FakeProvider, tmp_path: Path, scheme: Any
) -> None:
    named = fill(office.data, provider, tmp_path)
    context = browser.new_context(base_url=office.url, color_scheme=scheme, viewport=PHONE)
    page = context.new_page()
    complaints: list[str] = []
    page.on("console", lambda said: complaints.append(f"{page.url}: {said.text}") if said.type == "error" else None)
    page.on("pageerror", lambda error: complaints.append(f"{page.url}: {error}"))
    for endpoint in STRANGERS:
        complaints += looked_at(page, endpoint, named)
    sign_in(page, "Ann")
    for endpoint in VISITS:
        if endpoint not in STRANGERS:
            complaints += looked_at(page, endpoint, named)
    context.close()
    assert "\n".join(c for c in complaints if "404 (NOT FOUND)" not in c) == ""


@pytest.mark.parametrize(("width", "scheme"), [(390, "dark"), (1024, "light")])
def test_what_strains_a_page_fits(browser: Browser, office: Office, width: int, scheme: Any) -> None:
    named = odd_pages.fill(office.data)
    context = browser.new_context(base_url=office.url, color_scheme=scheme, viewport={"width": width, "height": 800})
    page = context.new_page()
    sign_in(page, "Ann")
    context.set_extra_http_headers({"Accept-Language": "de"})
    found = wrong_at(page, odd_pages.VISITS, named) + wrong_at(page, odd_pages.REFUSED, named, status=404)
    context.close()
    assert "\n".join(found) == ""


def looked_at(page: Page, endpoint: str, named: dict[str, str]) -> list[str]:
    """What is wrong with a page, at its addresses."""
    return wrong_at(page, VISITS[endpoint], named)


def wrong_at(page: Page, addresses: Iterable[str], named: dict[str, str], status: int = 200) -> list[str]:
    found = []
    for address in addresses:
        path = (address if address.startswith("/") else f"/w/default/{address}").format(**named)
        shown = page.goto(path)
        if shown is None or (shown.status != status and path != "/link/none"):
            found.append(f"{path} is answered with {shown.status if shown else 'nothing'}")
        found += violations(page)
        if wider := page.evaluate(WIDER):
            found.append(f"{path} is {wider} pixels wider than a phone")
        if inline := page.locator(INLINE).count():
            found.append(f"{path} has {inline} inline styles or scripts")
    return found
