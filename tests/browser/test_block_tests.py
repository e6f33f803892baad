"""Block tests in a real browser: from a value to a check that fails after a change; axe; without script."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from reviewapp import workflows
from reviewapp.block_tests import list_tests, make_test
from reviewapp.domain.conditions import Assertion
from reviewapp.domain.properties import Property
from reviewapp.domain.tests import Test
from reviewapp.domain.workflows import WorkflowDefinition
from reviewapp.running.block_testing import BlockTestRunner
from tests.browser.conftest import RunningServer
from tests.browser.test_answering import PAUSE_MS
from tests.browser.test_pages import violations

pytestmark = [pytest.mark.browser, pytest.mark.slow]

HERE = "/w/default/block-tests"
TEXT = "Utility sink, plastic. Width 550 mm."


@pytest.fixture
def workflow(server: RunningServer, sinks: Test) -> str:
    """Name of a workflow that classifies, then reads."""
    name = sinks.workflow
    blocks = [
        {"id": "kind", "type": "classify", "categories": [{"name": "sink", "cues": ["sink"]}, {"name": "other"}]},
        {"id": "read", "type": "extract", "inputs": {"input-file-0": "kind.output-file-sink"}},
    ]
    put(server, name, blocks=blocks)
    return name


def put(server: RunningServer, name: str, **changes: Any) -> None:
    settings = workflows.get_workflow(server.workspace, name).active.settings
    definition = {"name": name, "collection": settings.collection, "blocks": settings.blocks, **changes}
    workflows.put_workflow(server.workspace, WorkflowDefinition.model_validate(definition), by="Ann")


def keep(server: RunningServer, workflow: str, block: str, path: str | None, **condition: Any) -> str:
    target = {"output_handle_id": "output-json-0", "path": path}
    assertion = Assertion.model_validate({"target": target, "condition": condition})
    inputs = {"input-json-0": {"type": "json", "data": TEXT}}
    return make_test(server.workspace, workflow, block, assertion, inputs=inputs, by="Ann").id


def run_all(server: RunningServer) -> None:
    BlockTestRunner(server.data).run_until_idle()


def from_a_value_to_a_check_and_back(page: Page, server: RunningServer, sinks: Test, workflow: str) -> None:
    """Keep an answered value as a check, run it, break it, see why, expect what came; then a step, and a drift."""
    page.goto(f"/w/default/tests/{sinks.id}/?show=all")
    page.wait_for_timeout(PAUSE_MS)
    page.locator("#value-1").get_by_role("button", name="Accept").click()
    expect(page.locator("#value-1")).to_contain_text("Accepted by Ann")
    page.goto(f"/w/default/tests/{sinks.id}/?show=all")
    page.get_by_role("link", name="Keep width as a check").first.click()
    expect(page.get_by_label("Value at")).to_have_value("width")
    expect(page.get_by_label("Expected")).to_have_value("60.0")
    page.get_by_label("Name").fill("The sink is 60 wide")
    page.get_by_role("button", name="Keep this test").click()
    page.get_by_role("button", name="Run it").click()
    run_all(server)
    page.reload()
    expect(page.get_by_text("all passed")).to_be_visible()

    put(server, workflow, properties=[Property(name="width", value_type="f64", unit="mm", aliases=("Breite",))])
    page.goto(f"{HERE}/of/{workflow}/")
    page.get_by_role("button", name="Run the tests of read").click()
    run_all(server)
    page.reload()
    expect(page.get_by_text("0 of 1 passed, 1 failed")).to_be_visible()
    expect(page.get_by_text("Found 600.0, expected 60.0.")).to_be_visible()
    sides = page.get_by_role("group", name="Expected and actual").locator("pre")
    assert sides.all_inner_texts() == ["60.0", "600.0"]

    page.get_by_role("link", name="The sink is 60 wide").click()
    expect(page.get_by_text("changed since the test was made").first).to_be_visible()
    page.get_by_role("button", name="Expect what came").click()
    expect(page.get_by_text("changed since the test was made")).to_have_count(0)
    page.get_by_role("button", name="Run it").click()
    run_all(server)
    page.reload()
    expect(page.get_by_text("all passed")).to_be_visible()

    put(server, workflow, properties=[Property(name="width", value_type="f64", unit="m", aliases=("Breite",))])
    page.goto(f"{HERE}/tests/{list_tests(server.workspace, workflow)[0].id}/")
    page.get_by_role("button", name="Capture anew").click()
    expect(page.get_by_role("button", name="Capture anew")).to_have_count(0)


def from_a_step_to_a_check(page: Page, server: RunningServer, workflow: str) -> None:
    page.goto(f"{HERE}/of/{workflow}/")
    page.get_by_text("Run the whole workflow on a text").click()
    page.get_by_label("Text", exact=True).fill(TEXT)
    page.get_by_role("button", name="Run it, step by step").click()
    page.get_by_role("link", name="Keep output-json-0 of kind as a block test").click()
    page.get_by_label("Value at").fill("category")
    page.get_by_label("Expected").fill("sink")
    page.get_by_role("button", name="Keep this test").click()
    page.goto(f"{HERE}/of/{workflow}/")
    page.get_by_role("button", name="Run all").click()
    run_all(server)
    page.reload()
    expect(page.get_by_role("link", name="category is exactly sink")).to_be_visible()
    assert [test.block for test in list_tests(server.workspace, workflow, block="kind")] == ["kind"]


def test_with_script(page: Page, server: RunningServer, sinks: Test, workflow: str) -> None:
    from_a_value_to_a_check_and_back(page, server, sinks, workflow)
    from_a_step_to_a_check(page, server, workflow)


def test_without_script(browser: Browser, server: RunningServer, sinks: Test, workflow: str) -> None:
    context = browser.new_context(base_url=server.url, java_script_enabled=False)
    page = context.new_page()
    from_a_value_to_a_check_and_back(page, server, sinks, workflow)
    from_a_step_to_a_check(page, server, workflow)
    context.close()


def test_a_run_is_followed_by_itself(page: Page, server: RunningServer, workflow: str) -> None:
    keep(server, workflow, "kind", "category", kind="equals", expected="sink")
    page.goto(f"{HERE}/of/{workflow}/")
    page.get_by_role("button", name="Run all").click()
    expect(page.get_by_text("1 to go")).to_be_visible()
    run_all(server)
    expect(page.get_by_text("all passed")).to_be_visible()
    expect(page.get_by_role("button", name="Cancel")).to_have_count(0)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1440])
def test_axe_finds_nothing_and_nothing_overflows(
    browser: Browser, server: RunningServer, workflow: str, scheme: Any, width: int
) -> None:
    keep(server, workflow, "kind", "category", kind="equals", expected="sink")
    failing = keep(server, workflow, "read", None, kind="object_contains", expected={"width": 1, "colour": "x" * 200})
    keep(server, workflow, "read", "colour.shade", kind="exists")
    context = browser.new_context(base_url=server.url, color_scheme=scheme, viewport={"width": width, "height": 800})
    page = context.new_page()
    page.goto(f"{HERE}/of/{workflow}/")
    page.get_by_role("button", name="Run all").click()
    run_all(server)
    run = page.url
    found: list[Any] = []
    for path in (f"{HERE}/", f"{HERE}/of/{workflow}/", f"{HERE}/of/{workflow}/?block=read&last=failed", run,
                 f"{HERE}/tests/{failing}/", f"{HERE}/of/{workflow}/new"):  # fmt: skip
        page.goto(path)
        found += violations(page)
        wider = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        found += [f"{path} is {wider} px too wide"] if wider > 0 else []
    context.close()
    assert not found
