"""The pages of models, budgets and calls: choosing without a command line."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from reviewapp.calls import set_budget
from reviewapp.choices import choose
from reviewapp.domain.choices import ModelName
from reviewapp.running.runner import Runner
from reviewapp.tests import start_test
from reviewapp.workspaces import DataFolder, Workspace
from tests.browser.conftest import LOCAL, RunningServer
from tests.models.fake_provider import FakeProvider, Step
from tests.web import world

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def called(here: Workspace, data: DataFolder, provider: FakeProvider) -> None:
    """A test on a model, with calls in every state."""
    world.sinks(here)
    provider.script("Item 4.1", Step("overloaded", status=503), "no JSON", '{"readings": []}')
    choose(here, "extract", LOCAL, by="Ann")
    set_budget(here, 2_500_000, by="Ann")
    for _ in range(2):
        start_test(here, workflow="sinks", everything=True, by="Ann")
        Runner(data).run_until_idle()
    assert {c.status for c in here.calls.rows()} == {"answered", "unreadable", "failed", "from_log"}


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


def test_a_stopped_test_says_why_and_goes_on_from_its_page(
    page: Page, server: RunningServer, provider: FakeProvider
) -> None:
    here = server.workspace
    world.sinks(here)
    choose(here, "extract", LOCAL, by="Ann")
    provider.script("You read", Step("no such key", status=401), '{"readings": []}')
    test = start_test(here, workflow="sinks", everything=True, by="Ann")
    Runner(server.data, model_calls=1).run_until_idle()
    page.goto(f"/w/default/tests/{test.id}")
    expect(page.locator("#why")).to_contain_text("local refused the key (401: no such key).")
    expect(page.locator("#progress")).to_contain_text("stopped")
    page.get_by_role("button", name="Go on with").click()
    expect(page.get_by_role("status").first).to_contain_text("Going on with what was not read")
    Runner(server.data).run_until_idle()
    expect(page.locator("#progress")).to_contain_text("answered")
    expect(page.locator("#why")).to_be_empty()
