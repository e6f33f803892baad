"""Takes the pictures of the docs from the sample workspace: ``make pictures``."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

HERE = Path(__file__).parent
PROGRAM = [sys.executable, "-m", "reviewapp", "--person", "Ann"]
INPUT = "01.01.0010"
"""The tender position that is shown."""
WIDTH, HEIGHT = 1440, 860


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([*PROGRAM, "demo"], cwd=folder, check=True)
        command = [*PROGRAM, "serve", "--port", "0", "--json"]
        with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True) as server:
            try:
                take(told_address(server))
            finally:
                server.terminate()


def told_address(server: subprocess.Popen[str]) -> str:
    told = ""
    assert server.stdout is not None
    for line in server.stdout:
        told += line
        if line == "}\n":
            break
    return str(json.loads(told)["url"])


def take(url: str) -> None:
    chromium = next(path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name)))
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT}, locale="en-GB")
        page.goto(url)
        page.screenshot(path=HERE / "start.png")
        page.get_by_role("link", name="Test 3", exact=True).click()
        page.get_by_role("link", name=INPUT).first.click()
        answer_some(page)
        page.screenshot(path=HERE / "test-page.png")
        page.get_by_role("link", name="Accept many at once").click()
        page.get_by_text("would be accepted").wait_for()
        page.screenshot(path=HERE / "accept-many.png")
        page.goto(f"{url}w/default/workflows/tender-positions/change")
        try_it(page)
        page.screenshot(path=HERE / "workflow.png", full_page=True)
        browser.close()


def try_it(page: Page) -> None:
    """Try the workflow on one of its records before anything is saved."""
    page.get_by_label("or a record").select_option(index=1)
    page.get_by_role("button", name="Try it on this text").click()
    page.get_by_label("Text tried").wait_for()


def answer_some(page: Page) -> None:
    """Accept the width and correct the height, by key, as a reviewer does."""
    page.wait_for_timeout(500)
    page.keyboard.press("a")
    page.get_by_text("Accepted by Ann").wait_for()
    page.wait_for_timeout(500)
    page.keyboard.press("c")
    page.keyboard.type("2010 mm")
    page.keyboard.press("Enter")
    page.get_by_text("Corrected to").wait_for()
    page.wait_for_timeout(500)


if __name__ == "__main__":
    main()
