"""Big things: a text of a million characters, forty quotes, two hundred properties, fifteen hundred inputs."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from reviewapp.domain.properties import Property
from reviewapp.domain.tests import InputResult, Test
from tests.browser.conftest import RunningServer
from tests.browser.test_answering import expect_active, press
from tests.web import world

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def long_test(server: RunningServer, characters: int, quotes: int) -> Test:
    """One text with so many quotes, spread over it."""
    properties = [Property(name=f"width {n}", value_type="f64", unit="cm") for n in range(quotes)]
    filler = "Nothing of note in this line of the text.\n" * (characters // quotes // 42)
    text = "".join(f"Width {n} is {n + 100} mm\n{filler}" for n in range(quotes))
    test = world.fill(server.workspace, [("long", text)], properties)
    values = (world.value(text, p.name, n / 10 + 10, f"Width {n} is {n + 100} mm") for n, p in enumerate(properties))
    return world.run(server.workspace, test, [InputResult(values=tuple(values))])


@pytest.mark.parametrize(("characters", "quotes"), [(40_000, 40), (72_000, 40), (1_000_000, 40)])
def test_a_long_text_opens_at_its_value(page: Page, server: RunningServer, characters: int, quotes: int) -> None:
    test = long_test(server, characters, quotes)
    page.goto(f"/w/default/tests/{test.id}/?value=width+{quotes - 1}")
    expect(page.locator("article mark[aria-current]")).to_be_in_viewport()
    expect(page.locator("article mark")).to_have_count(quotes)
    press(page, "a")
    expect_active(page, "width 0")
    expect(page.locator("article mark[aria-current]")).to_be_in_viewport()


def test_two_hundred_properties(page: Page, server: RunningServer) -> None:
    test = long_test(server, 20_000, 200)
    page.goto(f"/w/default/tests/{test.id}/")
    expect(page.locator(".card")).to_have_count(200)
    for name in ("width 0", "width 1", "width 2"):
        expect_active(page, name)
        press(page, "a")
    expect(page.locator("#progress")).to_contain_text("3 of 200 answered")
    page.goto(f"/w/default/tests/{test.id}/?order=weakest&value=width+150&input=0")
    expect(page.locator(".card")).to_have_count(1)
    press(page, "a")
    expect_active(page, "width 151")


def test_fifteen_hundred_inputs(page: Page, server: RunningServer) -> None:
    properties = world.PROPERTIES[1:3]
    text = "Width 600 mm, depth 500 mm"
    test = world.fill(server.workspace, [(f"r{n:04}", f"{text}, no. {n}") for n in range(1_500)], properties)
    values = (world.value(text, "width", 60.0, "Width 600 mm"), world.value(text, "depth", 50.0, "depth 500 mm"))
    with server.workspace.atomic():
        world.run(server.workspace, test, [InputResult(values=values)] * 1_500)
    page.goto(f"/w/default/tests/{test.id}/?input=1400&value=depth")
    expect(page.locator(".text-head h2")).to_have_text("r1400")
    expect(page.locator("#inputs li")).to_have_count(52)
    press(page, "a")
    expect_active(page, "width")
    press(page, "n")
    expect(page.locator(".text-head h2")).to_have_text("r1401")
    for order in ("weakest", "property"):
        page.goto(f"/w/default/tests/{test.id}/?order={order}&property=depth&input=1400&value=depth")
        press(page, "n")
        expect(page.locator(".text-head h2")).to_have_text("r1401")
