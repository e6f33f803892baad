"""Correcting a value that has options: typing is typing, and a digit chooses only while nothing is typed."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect

from reviewapp import answers
from reviewapp.domain.properties import Property
from reviewapp.domain.tests import InputResult, Test
from tests.browser.conftest import RunningServer
from tests.browser.test_answering import expect_active, given, open_test, press
from tests.web import world

pytestmark = [pytest.mark.browser, pytest.mark.slow]

TEXT = "Door 1: fire resistance EI30, red. The contract is not renewed. Closes within 60 min."
PROPERTIES = (
    Property(name="fire_class", value_type="keyword", options=("T30", "T90", "EI30")),
    Property(name="renewal", value_type="bool"),
    Property(name="class", value_type="keyword", options=("T30", "T90", "EI30", "EI60", "EI90", "F60", "F90", "F120")),
    Property(name="closes", value_type="keyword", options=("30 min", "60 min", "1 h")),
    Property(name="width", value_type="f64", unit="cm"),
)


@pytest.fixture
def doors(server: RunningServer) -> Test:
    test = world.fill(server.workspace, [("door 1", TEXT), ("door 2", TEXT)], PROPERTIES)
    result = InputResult(
        values=(
            world.value(TEXT, "fire_class", "T30", "fire resistance"),
            world.value(TEXT, "renewal", False, "not renewed", printed="false"),
            world.value(TEXT, "class", "T30", "fire resistance"),
            world.value(TEXT, "closes", "60 min", "60 min"),
        )
    )
    world.run(server.workspace, test, [result, result])
    return test


def field_of(page: Page, name: str) -> Locator:
    index = [prop.name for prop in PROPERTIES].index(name)
    return page.locator(f"#typed-{index}")


def begin(page: Page, test: Test, name: str) -> Locator:
    open_test(page, test, f"?value={name}")
    expect_active(page, name)
    press(page, "c")
    field = field_of(page, name)
    expect(field).to_be_focused()
    return field


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize(
    ("name", "keys", "stored"),
    [
        ("fire_class", "T90", "T90"),
        ("fire_class", "t90", "T90"),
        ("fire_class", "ei 30", "EI30"),
        ("fire_class", "2", "T90"),
        ("class", "EI60", "EI60"),
        ("class", "f120", "F120"),
        ("class", "8", "F120"),
        ("renewal", "ja", True),
        ("renewal", "nein", False),
        ("renewal", "yes", True),
        ("renewal", "No", False),
        ("renewal", "1", True),
        ("closes", "30 min", "30 min"),
        ("closes", "1H", "1 h"),
    ],
)
def test_what_is_typed_is_what_is_stored(
    page: Page, server: RunningServer, doors: Test, language: str, name: str, keys: str, stored: object
) -> None:
    page.set_extra_http_headers({"Accept-Language": language})
    field = begin(page, doors, name)
    page.keyboard.type(keys, delay=20)
    if len(keys) > 1:
        expect(field).to_have_value(keys)
        assert given(server, doors, 0) == {}
        page.keyboard.press("Enter")
    expect(page.locator(".card[data-answered]")).to_have_count(1)
    answer = answers.answers_of_input(server.workspace, doors.id, 0)[name][-1]
    assert (answer.decision, answer.value) == ("correct", stored)
    assert set(given(server, doors, 0)) == {name}
    assert given(server, doors, 1) == {}


@pytest.mark.parametrize(
    ("name", "keys"),
    [
        ("fire_class", "T60"),
        ("fire_class", "EI60"),
        ("fire_class", "rot"),
        ("fire_class", "x3"),
        ("renewal", "jein"),
        ("renewal", "art"),
        ("closes", "60"),
        ("closes", "1"),
    ],
)
def test_what_is_no_option_is_refused_and_kept(
    page: Page, server: RunningServer, doors: Test, name: str, keys: str
) -> None:
    field = begin(page, doors, name)
    page.keyboard.type(keys, delay=20)
    page.keyboard.press("Enter")
    expect(page.locator(".card[aria-current] .fault")).to_be_visible()
    expect_active(page, name)
    expect(field).to_have_value(keys)
    expect(field).to_be_focused()
    assert given(server, doors, 0) == given(server, doors, 1) == {}


@pytest.mark.parametrize("name", ["fire_class", "renewal", "closes"])
@pytest.mark.parametrize("before", ["", "a"])
def test_enter_in_the_empty_field_saves_nothing(
    page: Page, server: RunningServer, doors: Test, name: str, before: str
) -> None:
    if before:
        answers.save_answer(server.workspace, doors.id, 0, name, "accept", by="Ann")
    begin(page, doors, name)
    page.keyboard.press("Enter")
    expect(page.locator(".card[aria-current] .fault")).to_contain_text("Type the right value")
    expect_active(page, name)
    assert len(answers.answers_of_input(server.workspace, doors.id, 0).get(name, ())) == len(before)


def test_letters_at_an_option_button_are_typed_and_space_chooses(
    page: Page, server: RunningServer, doors: Test
) -> None:
    field = begin(page, doors, "fire_class")
    page.keyboard.press("Shift+Tab")
    expect(page.locator(".card[aria-current] .options button").last).to_be_focused()
    page.keyboard.type("rats", delay=20)
    expect(field).to_have_value("rats")
    assert given(server, doors, 0) == {}
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Space")
    expect(page.locator("#value-0 .said")).to_contain_text("Corrected to EI30")
    assert given(server, doors, 0) == {"fire_class": "correct"}


def test_the_mouse_chooses_an_option_and_esc_gives_the_keys_back(
    page: Page, server: RunningServer, doors: Test
) -> None:
    begin(page, doors, "fire_class")
    page.locator("#value-0 .options").get_by_role("button", name="T90").click()
    expect_active(page, "renewal")
    press(page, "c")
    page.keyboard.press("Escape")
    press(page, "a")
    expect_active(page, "class")
    assert given(server, doors, 0) == {"fire_class": "correct", "renewal": "accept"}
