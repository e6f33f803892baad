"""A team in a real browser: invited, signed in, answering one test."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from reviewapp.app import create_app
from reviewapp.running.serving import Server
from reviewapp.settings import Settings
from reviewapp.store import DataFolder
from tests.web import team, world

pytestmark = [pytest.mark.browser, pytest.mark.slow]


class Office:
    """A server that asks for sign-in, reached by loopback."""

    def __init__(self, path: Path) -> None:
        self.data = DataFolder(path)
        self.test = world.sinks(self.data.workspace("default", create=True))
        team.add(self.data, "Ann", "admin")
        settings = Settings(data=path, public_url="https://review.example")
        self.app = create_app(settings, self.data)
        self._server = Server(self.app, port=0)
        self.url = f"http://localhost:{self._server.port}"
        self._thread = threading.Thread(target=self._server.run, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self._server.stop()
        self._thread.join(timeout=20)
        self.data.close()


@pytest.fixture
def office(tmp_path: Path) -> Iterator[Office]:
    running = Office(tmp_path / "data")
    yield running
    running.stop()


def sign_in(page: Page, name: str) -> None:
    page.goto("/")
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password").fill(team.PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_text(f"Signed in as {name}.")).to_be_visible()


def test_from_the_link_to_the_answer(browser: Browser, office: Office) -> None:
    admin = browser.new_context(base_url=office.url).new_page()
    sign_in(admin, "Ann")
    admin.get_by_role("link", name="People", exact=True).click()
    admin.get_by_label("For", exact=True).select_option(label="only sinks, test 1")
    admin.get_by_role("button", name="Make a link").click()
    link = admin.get_by_label("Invitation link").input_value().replace("https://review.example", office.url)
    admin.context.close()

    guest = browser.new_context(base_url=office.url).new_page()
    guest.goto(link)
    guest.get_by_label("Your name").fill("Bo")
    guest.get_by_label("Password").fill("short")
    guest.get_by_role("button", name="Come in").click()
    expect(guest.get_by_text("A password has at least 10 characters")).to_be_visible()
    assert guest.get_by_label("Your name").input_value() == "Bo"
    guest.get_by_label("Password").fill(team.PASSWORD)
    guest.get_by_role("button", name="Come in").click()
    guest.wait_for_url(f"**/tests/{office.test.id}/**")
    guest.locator(".card[aria-current]").wait_for()
    guest.wait_for_timeout(200)  # the page takes what comes sooner for the second click of a double click
    guest.get_by_role("button", name="Accept").first.click()
    expect(guest.locator("#progress")).to_contain_text("1 of")
    guest.get_by_role("link", name="My tests").click()
    expect(guest.get_by_role("heading", name="Bo")).to_be_visible()
    guest.get_by_role("link", name="Go on").click()
    guest.wait_for_url(f"**/tests/{office.test.id}/**")
    guest.goto("/me")
    guest.get_by_role("button", name="Sign out", exact=True).click()
    guest.goto(f"/w/default/tests/{office.test.id}/")
    expect(guest.get_by_role("heading", name="Sign in")).to_be_visible()
    guest.context.close()
    given = office.data.workspace("default").answers.progress(office.test.id)
    assert ("Bo", 1) in {(person, count) for person, _, count in given}
