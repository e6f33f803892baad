"""Empty pages without a violation of WCAG 2.2 AA that axe finds; the main flow without any script; hostile texts."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
from axe_core_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from reviewapp import answers, tests
from reviewapp.domain.answers import in_force
from reviewapp.domain.tests import InputResult, Test
from tests.browser.conftest import RunningServer
from tests.web import world

pytestmark = [pytest.mark.browser, pytest.mark.slow]

RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}
LINE_PIXELS = 60
"""Two lines are 75 and more."""


def violations(page: Page) -> list[str]:
    found: dict[str, Any] = Axe().run(page, options=RULES)
    return [
        f"{page.url} {fault['id']}: {node['target']} {node['failureSummary'][:160]}"
        for fault in found["violations"]
        for node in fault["nodes"][:3]
    ]


def test_axe_finds_nothing_on_empty_pages(page: Page) -> None:
    found = []
    for path in ("", "tests/", "tests/new", "records/", "workflows/", "workflows/new", "datasets/"):
        page.goto(f"/w/default/{path}")
        found += violations(page)
    assert found == []


def test_the_whole_flow_without_script(browser: Browser, server: RunningServer, tmp_path: Path) -> None:
    """From a file to a downloaded dataset; the runner's part is played by hand."""
    file = tmp_path / "positions.jsonl"
    texts = (("4.1 kitchen", world.KITCHEN), ("4.2 laundry", world.LAUNDRY))
    file.write_text("\n".join(json.dumps({"name": name, "text": text}) for name, text in texts), encoding="utf-8")
    context = browser.new_context(base_url=server.url, java_script_enabled=False)
    page = context.new_page()

    page.goto("/")
    page.get_by_role("link", name="Bring in records").click()
    upload = page.locator("form", has=page.get_by_role("heading", name="Files"))
    upload.get_by_label("Collection").fill("tenders")
    upload.get_by_label("Files", exact=True).set_input_files(file)
    upload.get_by_role("button", name="Bring in the files").click()
    expect(page.get_by_role("status")).to_contain_text("2 new records")

    page.get_by_role("link", name="New workflow on these").click()
    page.get_by_label("Name", exact=True).fill("sinks")
    for number, prop in enumerate(world.PROPERTIES[:3], 1):
        page.get_by_label(f"Name of property {number}").fill(prop.name)
        page.get_by_label(f"Type of property {number}").select_option(prop.value_type)
        page.get_by_label(f"Unit of property {number}").fill(prop.unit or "")
    page.get_by_role("button", name="Save the workflow").click()
    page.get_by_role("link", name="Start a test").first.click()
    page.get_by_label("All of them").check()
    page.get_by_role("button", name="Start the test").click()
    expect(page.locator("#values")).to_contain_text("Not read yet")

    test = tests.list_tests(server.workspace)[0]
    world.run(server.workspace, test, [world.kitchen_result(), world.laundry_result()])
    page.reload()
    page.locator("#value-0").get_by_role("button", name="Accept").click()
    expect(page.locator("#value-0")).to_contain_text("Accepted by Ann")
    page.locator("#value-1").locator("h3 a").click()
    page.locator("#value-1").get_by_label("Right value of width in cm").fill("wide")
    page.locator("#value-1").get_by_role("button", name="Save", exact=True).click()
    expect(page.locator("#value-1 .fault")).to_be_visible()
    page.locator("#value-1").get_by_label("Right value of width in cm").fill("61")
    page.locator("#value-1").get_by_role("button", name="Save", exact=True).click()
    expect(page.locator("#value-1")).to_contain_text("Corrected to 61 cm")
    page.locator("#value-2").get_by_role("button", name="Reject").click()
    expect(page.locator("article")).to_contain_text("Utility sink")
    page.get_by_role("button", name="Undo my last answer").click()
    expect(page.locator("article")).to_contain_text("Built-in sink")
    page.get_by_role("button", name="Save as dataset").click()
    expect(page.locator("#status")).to_contain_text("1 item")
    with page.expect_download() as download:
        page.get_by_role("link", name="Download", exact=True).click()
    with zipfile.ZipFile(io.BytesIO(Path(download.value.path()).read_bytes())) as archive:
        expected = json.loads(archive.read("expected.json"))
    values = {v["property"]: v["value"] for v in expected["records"][0]["values"]}
    assert values == {"material": "stainless steel", "width": 61}
    given = answers.answers_of_input(server.workspace, test.id, 0)
    assert {name for name, steps in given.items() if in_force(steps)} == {"material", "width"}
    context.close()


def test_nothing_of_a_record_runs_as_script(page: Page, server: RunningServer) -> None:
    evil = '"><img src=x onerror=alert(1)><script>alert(2)</script>'
    page.on("dialog", lambda dialog: pytest.fail(f"a dialog opened: {dialog.message}"))
    text = f"{evil} Width 600 mm <hx-partial hx-target=body>"
    test = world.fill(server.workspace, [(evil, text)], world.PROPERTIES[:2])
    result = InputResult(values=(world.value(text, "material", evil, evil, detail=evil, unconfirmed=evil),))
    world.run(server.workspace, test, [result])
    page.goto(f"/w/default/tests/{test.id}/?q=%3Cimg")
    expect(page.locator("article")).to_have_text(text)
    page.wait_for_timeout(200)
    page.keyboard.press("c")
    page.locator("#typed-0").fill(evil)
    page.keyboard.press("Enter")
    expect(page.locator("#value-0")).to_contain_text("Corrected to")
    expect(page.locator("#value-0 strong")).to_have_text(evil)


def test_a_text_that_is_too_long_stays_in_the_form(page: Page, server: RunningServer) -> None:
    server.app.config["MAX_CONTENT_LENGTH"] = server.app.config["MAX_FORM_MEMORY_SIZE"] = 1_000_000
    page.goto("/w/default/records/new")
    form = page.locator("form", has=page.get_by_role("heading", name="Paste"))
    form.get_by_label("Collection").fill("long")
    form.get_by_label("Name of the text").fill("a text")
    field = form.get_by_label("Text", exact=True)
    field.fill("words " * 200_000)
    form.get_by_role("button", name="Bring it in").click()
    expect(page.locator("#status")).to_contain_text("1 MB")
    assert len(field.input_value()) == 1_200_000
    form.get_by_label("Name of the text").fill("")
    field.fill("few words")
    form.get_by_role("button", name="Bring it in").click()
    expect(page.locator("form .fault")).to_contain_text("Give the text a name")
    assert page.url.endswith("/records/new")
    form.get_by_label("Name of the text").fill("a text")
    form.get_by_role("button", name="Bring it in").click()
    expect(page.locator("#status")).to_contain_text("1 new record")
    assert page.url.endswith("/records/long/")
    page.reload()
    expect(page.get_by_role("link", name="a text")).to_be_visible()


@pytest.mark.parametrize("language", ["en", "de"])
def test_head_and_foot_take_a_line_each_on_a_tablet(page: Page, sinks: Test, language: str) -> None:
    page.set_viewport_size({"width": 1024, "height": 768})
    page.set_extra_http_headers({"Accept-Language": language})
    page.goto("/w/default/workflows/")
    assert page.locator(".top").evaluate("head => head.offsetHeight") < LINE_PIXELS
    page.goto(f"/w/default/tests/{sinks.id}/")
    heights = page.locator(".top, .keys").evaluate_all("all => all.map(line => line.offsetHeight)")
    assert len(heights) == 2
    assert max(heights) < LINE_PIXELS
