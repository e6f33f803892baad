"""The pages of models, budgets and calls: choosing without a command line, and axe in every state."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from reviewapp.calls import set_budget
from reviewapp.choices import choose
from reviewapp.domain.choices import ModelName
from reviewapp.running.runner import Runner
from reviewapp.tests import start_test
from tests.browser.conftest import RunningServer
from tests.browser.test_pages import violations
from tests.models.fake_provider import FakeProvider, Step
from tests.web import world

pytestmark = [pytest.mark.browser, pytest.mark.slow]
LOCAL = ModelName(provider="local", model="a-model-with-a-rather-long-name:70b-instruct-q4", effort="low")


@pytest.fixture
def provider(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeProvider]:
    fake = FakeProvider()
    file = tmp_path / "models.toml"
    file.write_text(
        f'[providers.local]\nurl = "{fake.url}/v1"\nprice = {{ input = 0.25, output = 2 }}\n'
        f'models = [{{ name = "{LOCAL.model}", label = "The large local one", efforts = ["low", "high"] }}]\n'
        '[providers.away]\nurl = "https://models.example.com/v1"\nkey_env = "NO_SUCH_KEY"\nmodels = ["m"]\n'
    )
    monkeypatch.setenv("REVIEWAPP_MODELS_FILE", str(file))
    yield fake
    fake.close()


def called(server: RunningServer, provider: FakeProvider) -> None:
    """A test on a model, with calls in every state."""
    here = server.workspace
    world.sinks(here)
    provider.script("Item 4.1", Step("overloaded", status=503), "no JSON", '{"readings": []}')
    choose(here, "extract", LOCAL, by="Ann")
    set_budget(here, 2_500_000, by="Ann")
    for _ in range(2):
        start_test(here, workflow="sinks", everything=True, by="Ann")
        Runner(server.data).run_until_idle()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(browser: Browser, server: RunningServer, provider: FakeProvider, scheme: Any) -> None:
    called(server, provider)
    found = server.workspace.calls.rows()
    assert {c.status for c in found} == {"answered", "unreadable", "failed", "from_log"}
    paths = [
        "/w/default/replays/new",
        "/w/default/models/",
        "/w/default/models/calls",
        f"/w/default/models/calls/{found[0].id}",
    ]
    page = browser.new_page(color_scheme=scheme, base_url=server.url, viewport={"width": 1440, "height": 1000})
    complaints: list[str] = []
    for path in paths:
        page.goto(path)
        complaints += violations(page)
        if folder := os.environ.get("REVIEWAPP_PICTURES"):
            page.screenshot(path=f"{folder}/{path.strip('/').replace('/', '-')}-{scheme}.png", full_page=True)
    page.set_viewport_size({"width": 390, "height": 844})
    for path in paths:
        page.goto(path)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390, path
        if folder := os.environ.get("REVIEWAPP_PICTURES"):
            page.screenshot(path=f"{folder}/{path.strip('/').replace('/', '-')}-{scheme}-narrow.png", full_page=True)
    page.close()
    assert complaints == []


def test_choose_and_try_by_role_and_label(page: Page, server: RunningServer, provider: FakeProvider) -> None:
    world.sinks(server.workspace)
    page.goto("/w/default/models/")
    page.get_by_label("Model, as provider/model").fill(f"local/{LOCAL.model}")
    page.get_by_role("button", name="Try the connection").click()
    expect(page.get_by_role("status").first).to_contain_text("answered in")
    page.get_by_label("Model, as provider/model").fill("away/m")
    page.get_by_role("button", name="Choose it").click()
    expect(page.get_by_role("alert")).to_contain_text("There is no key; set NO_SUCH_KEY.")
    expect(page.get_by_label("Model, as provider/model")).to_have_value("away/m")
    page.get_by_label("Model, as provider/model").fill(f"local/{LOCAL.model}")
    page.get_by_role("button", name="Choose it").click()
    expect(page.get_by_role("table", name="Chosen models").or_(page.get_by_label("Chosen models"))).to_contain_text(
        "local/"
    )
    choice = server.workspace.choices.get("extract", None)
    assert choice is not None
    assert choice.model == ModelName(provider="local", model=LOCAL.model)
    assert len(provider.asked) == 1
