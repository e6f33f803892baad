"""Hostile strings in every field, in a real browser: nothing runs, no word of the policy, all shown as text."""

from __future__ import annotations

from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page

from reviewapp import records
from reviewapp.domain.tests import Test
from tests import hostile_pages
from tests.browser.conftest import RunningServer
from tests.hostile import STRINGS

pytestmark = [pytest.mark.browser, pytest.mark.slow]

OF_A_KIND = 2
"""Most pages of one kind that are opened."""
LINKS = """() => [...document.querySelectorAll('a[href]:not([download])')]
    .map(a => new URL(a.getAttribute('href'), location))
    .filter(url => url.host === location.host && url.pathname.startsWith('/w/'))
    .map(url => url.pathname + url.search)"""


@pytest.fixture
def test(server: RunningServer) -> Test:
    return hostile_pages.fill(server.data, server.path.parent)


class Watched:
    """A page that writes down whatever a script could do, and every word of the browser about the policy."""

    def __init__(self, browser: Browser, server: RunningServer) -> None:
        self.context = browser.new_context(base_url=server.url, viewport={"width": 1280, "height": 900})
        self.page: Page = self.context.new_page()
        self.seen: list[str] = []
        self.page.on("dialog", lambda dialog: (self.seen.append(f"dialog {dialog.message}"), dialog.dismiss()))
        self.page.on("popup", lambda popup: self.seen.append(f"window {popup.url}"))
        self.page.on("pageerror", lambda error: self.seen.append(f"error {error}"))
        self.page.on("request", self._ask)
        self.page.on("console", self._say)
        self.page.add_init_script(
            "addEventListener('securitypolicyviolation', e => console.error('POLICY ' + e.violatedDirective))"
        )
        self._home = urlsplit(server.url).netloc

    def _ask(self, request: object) -> None:
        address = urlsplit(str(getattr(request, "url", "")))
        if address.scheme in ("http", "https") and address.netloc != self._home:
            self.seen.append(f"request {address.geturl()}")

    def _say(self, message: object) -> None:
        text = str(getattr(message, "text", ""))
        if any(word in text for word in ("POLICY", "Content Security Policy", "violates", "Trusted")):
            self.seen.append(text)

    def open(self, path: str) -> None:
        self.page.goto(path)
        self.check(path)

    def check(self, what: str) -> None:
        owned = self.page.evaluate("() => window.owned")
        assert (owned, self.seen) == (None, []), what


def kind(path: str) -> str:
    """Pages of one kind have the same words in their address."""
    parts = [p for p in urlsplit(path).path.split("/") if p.isalpha() and p.islower()]
    return "/".join(parts)


def test_every_field_stays_text(browser: Browser, server: RunningServer, test: Test) -> None:
    watched = Watched(browser, server)
    opened = walk(watched, test)
    assert len({kind(path) for path in opened}) > 12
    assert names_shown(watched) == {row.name for row in records.list_records(server.workspace, "tenders", limit=1_000)}
    for string in STRINGS[::20]:
        search(watched, test, " ".join(string.split()))
    watched.context.close()


def walk(watched: Watched, test: Test) -> set[str]:
    """Open every kind of page that links lead to, some of each kind."""
    waiting = ["/w/default/", "/people", "/keys/", "/trail", "/patterns", "/name"]
    waiting += [f"/w/default/tests/{test.id}/?input={n}" for n in (0, 1, 2, 9)]
    opened: set[str] = set()
    kinds: dict[str, int] = {}
    while waiting:
        path = waiting.pop(0)
        enough = kinds.get(kind(path), 0) >= OF_A_KIND and len(opened) > 10
        if path in opened or enough:
            continue
        opened.add(path)
        kinds[kind(path)] = kinds.get(kind(path), 0) + 1
        watched.open(path)
        waiting += watched.page.evaluate(LINKS)
    return opened


def names_shown(watched: Watched) -> set[str]:
    """The names of all records, as the pages of their list show them."""
    shown: set[str] = set()
    path: str | None = "/w/default/records/tenders/"
    while path:
        watched.open(path)
        found = watched.page.evaluate(
            "() => [...document.querySelectorAll('main a[href*=\"/record?\"]')].map(e => e.textContent)"
        )
        shown |= {text.strip() for text in found}
        path = watched.page.evaluate("() => document.querySelector('a[rel=next]')?.getAttribute('href')")
    return shown


def search(watched: Watched, test: Test, words: str) -> None:
    """With our script at work: what was typed is there again, as it was typed."""
    watched.open(f"/w/default/tests/{test.id}/?input=1")
    watched.page.locator("#q").fill(words)
    watched.page.locator("#q").press("Enter")
    watched.page.wait_for_url("**q=**")
    assert watched.page.locator("#q").input_value() == words
    watched.check(f"searching for {words!r}")
