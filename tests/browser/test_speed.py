"""A hundred values by keyboard alone, one key each; how long each takes is a figure of `bench.keys`."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from reviewapp import tests
from reviewapp.domain.properties import Property
from reviewapp.domain.tests import InputResult
from tests.browser.conftest import RunningServer
from tests.web import world

pytestmark = [pytest.mark.browser, pytest.mark.slow]

INPUTS, PROPERTIES = 20, 5

ANSWER = """async pause => {
    await new Promise(done => setTimeout(done, pause))
    const saved = () => document.getElementById('progress').textContent
    const [before, card] = [saved(), document.querySelector('.card[aria-current]')]
    const begun = performance.now()
    document.activeElement.dispatchEvent(new KeyboardEvent('keydown', {key: 'a', bubbles: true}))
    while (performance.now() - begun < 5000) {
        const next = document.querySelector('.card[aria-current]')
        if (saved() !== before && (next !== card || !next.isConnected) && next) return performance.now() - begun
        await new Promise(done => setTimeout(done, 1))
    }
    return -1
}"""


def test_a_hundred_values_by_keyboard(page: Page, server: RunningServer) -> None:
    properties = [Property(name=f"p{i}", value_type="f64", unit="cm") for i in range(PROPERTIES)]
    filler = "Nothing of note in this line of the text.\n" * 200
    texts = [(f"r{i:02}", f"{filler}Width of {i} is 600 mm\n{filler}") for i in range(INPUTS)]
    test = world.fill(server.workspace, texts, properties)
    results = [
        InputResult(values=tuple(world.value(text, p.name, 60.0, "is 600 mm") for p in properties)) for _, text in texts
    ]
    world.run(server.workspace, test, results)
    page.goto(f"/w/default/tests/{test.id}/")
    expect(page.locator(".card[aria-current]")).to_be_visible()
    took = [page.evaluate(ANSWER, 160) for _ in range(INPUTS * PROPERTIES - 1)]
    page.wait_for_timeout(200)
    page.keyboard.press("a")
    expect(page.locator("#progress")).to_contain_text("100 of 100 answered")
    assert tests.counts(server.workspace, test.id).answered == 100
    assert min(took) > 0, "each is saved before the next is pressed"
