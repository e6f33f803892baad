"""The German pages in a real browser: answering by key, choosing the language, and every page on a phone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from reviewapp.domain.tests import Test
from tests.browser.conftest import RunningServer
from tests.browser.every_page import VISITS, fill
from tests.browser.test_answering import expect_active, given, open_test, press
from tests.browser.test_every_page import PHONE, STRANGERS, looked_at
from tests.browser.test_team import Office, sign_in
from tests.models.fake_provider import FakeProvider
from tests.web import german

pytestmark = [pytest.mark.browser, pytest.mark.slow]

FOR_PROGRAMMERS = ("patterns.index",)


@pytest.fixture
def deutsch(page: Page) -> Page:
    """A page of a browser that asks for German."""
    page.context.set_extra_http_headers({"Accept-Language": "de-CH,de;q=0.9"})
    return page


@pytest.fixture
def office(tmp_path: Path) -> Iterator[Office]:
    running = Office(tmp_path / "data")
    yield running
    running.stop()


def test_keys_answer_in_german_as_in_english(deutsch: Page, server: RunningServer, sinks: Test) -> None:
    open_test(deutsch, sinks)
    press(deutsch, "a")
    expect_active(deutsch, "width")
    expect(deutsch.locator("#value-0")).to_contain_text("Angenommen von Ann")
    press(deutsch, "c")
    field = deutsch.get_by_label("Richtiger Wert von width in cm")
    field.fill("breit")
    expect(deutsch.locator("#value-1 [data-reading]")).to_have_text(
        "'breit' ist keine Zahl; erwartet wird eine Zahl wie 12,5."
    )
    field.press("Enter")
    expect(deutsch.get_by_role("alert")).to_contain_text("'breit' ist keine Zahl")
    field.fill("615 mm")
    field.press("Enter")
    expect(deutsch.locator("#value-1")).to_contain_text("Korrigiert zu 61,5 cm von Ann")
    press(deutsch, "t")
    expect(deutsch.locator("#progress")).to_contain_text("3 von 10 beantwortet")
    press(deutsch, "u")
    expect(deutsch.locator("#status")).to_contain_text("Zurückgenommen: Ihre Antwort auf depth.")
    assert given(server, sinks, 0) == {"material": "accept", "width": "correct"}


def test_what_the_script_says_is_german(deutsch: Page, server: RunningServer, sinks: Test) -> None:
    open_test(deutsch, sinks)
    server.stop()
    press(deutsch, "a")
    expect(deutsch.locator("#value-0")).to_contain_text("✕ Nicht gespeichert: Der Server antwortet nicht.")
    server.start()
    deutsch.get_by_role("button", name="Erneut senden").click()
    expect(deutsch.locator("#value-0")).to_contain_text("Angenommen von Ann")


def test_the_choice_keeps_the_place_and_is_kept(page: Page, sinks: Test) -> None:
    open_test(page, sinks, "?show=passed")
    press(page, "n")
    page.get_by_role("button", name="Deutsch").click()
    expect(page.get_by_role("button", name="English")).to_be_visible()
    expect(page).to_have_url(re.compile(r"show=passed"))
    expect(page.locator("html")).to_have_attribute("lang", "de")
    page.goto("/w/default/records/")
    expect(page.get_by_role("heading", name="Einträge")).to_be_visible()


def test_every_german_page_on_a_phone(browser: Browser, office: Office, provider: FakeProvider, tmp_path: Path) -> None:
    """None is wider, none has English of ours, none breaks a rule of axe's for the longer words."""
    named = fill(office.data, provider, tmp_path)
    context = browser.new_context(base_url=office.url, viewport=PHONE, extra_http_headers={"Accept-Language": "de"})
    page = context.new_page()
    complaints = [said for endpoint in STRANGERS for said in faults(page, endpoint, named)]
    context.set_extra_http_headers({"Accept-Language": "en"})
    sign_in(page, "Ann")
    context.set_extra_http_headers({"Accept-Language": "de"})
    for endpoint in VISITS:
        if endpoint not in (*STRANGERS, *FOR_PROGRAMMERS):
            complaints += faults(page, endpoint, named)
    context.close()
    assert "\n".join(complaints) == ""


def faults(page: Page, endpoint: str, named: dict[str, str]) -> list[str]:
    """What is wrong with a page in any of its states, and the English left on the last of them."""
    found = looked_at(page, endpoint, named)
    return found + [f"{page.url} says {said!r}" for said in sorted(german.english_left(page.content()))]


@pytest.mark.parametrize("width", [1440, 1366, 1024])
def test_the_buttons_of_a_pages_head_stay_together_at_its_end(
    deutsch: Page, server: RunningServer, sinks: Test, width: int
) -> None:
    deutsch.set_viewport_size({"width": width, "height": 900})
    for address in ("workflows/sinks/", "workflows/", "tests/", "evaluations/", "records/tenders/", "models/calls"):
        deutsch.goto(f"/w/default/{address}")
        head = deutsch.locator(".head").bounding_box()
        buttons = deutsch.locator(".head .actions > *").evaluate_all(
            "all => all.map(b => b.getBoundingClientRect().top)"
        )
        actions = deutsch.locator(".head .actions").bounding_box()
        assert head is not None
        assert actions is not None
        assert len(set(buttons)) == 1, address
        assert actions["x"] + actions["width"] == pytest.approx(head["x"] + head["width"], abs=1), address
