"""Pictures of every page in every state, to be looked at: ``python -m tests.browser.shoot OUT_FOLDER [WORDS]``.

Each address of `every_page` and `odd_pages`, at 1440, 1024 and 390 pixels, light and dark, English and German; with
`WORDS` those whose address has them. Says what the console complained about and what is wider than its screen. What was
looked at, and when, stands in docs/design/pages.md.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator
from itertools import product
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

ARGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"]
SIZES = ((1440, 900), (1024, 768), (390, 844))
WIDER = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


def main(out: Path, words: str) -> None:
    from tests.browser import every_page, odd_pages
    from tests.browser.conftest import models_file
    from tests.browser.test_team import Office
    from tests.models.fake_provider import FakeProvider

    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        provider = FakeProvider()
        os.environ["REVIEWAPP_MODELS_FILE"] = str(models_file(provider, Path(folder)))
        office = Office(Path(folder) / "data")
        named = odd_pages.fill(office.data) | every_page.fill(office.data, provider, Path(folder))
        addresses = [*(a for visits in every_page.VISITS.values() for a in visits), *odd_pages.VISITS]
        paths = [(a if a.startswith("/") else f"/w/default/{a}").format(**named) for a in addresses if words in a]
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=ARGS)
            for size, scheme, language in product(SIZES, ("light", "dark"), ("en", "de")):
                for complaint in shoot(browser, office.url, paths, out, size, scheme, language):
                    print(complaint)  # noqa: T201
            browser.close()
        provider.close()
        office.stop()


def shoot(
    browser: Browser, url: str, paths: list[str], out: Path, size: tuple[int, int], scheme: str, language: str
) -> Iterator[str]:
    """Take the pictures; gives what is wrong."""
    from tests.browser.test_team import sign_in

    width, height = size
    context = browser.new_context(
        base_url=url,
        color_scheme=scheme,  # type: ignore[arg-type]
        viewport={"width": width, "height": height},
    )
    page: Page = context.new_page()
    page.on("console", lambda m: m.type in ("error", "warning") and print(page.url, m.text))  # noqa: T201
    sign_in(page, "Ann")
    context.set_extra_http_headers({"Accept-Language": language})
    for number, path in enumerate(paths):
        page.goto(path)
        name = re.sub(r"[^a-z0-9]+", "-", path.lower()).strip("-")[-50:] or "start"
        page.screenshot(path=out / f"{number:03}-{name}-{width}-{scheme}-{language}.png", full_page=True)
        if wider := page.evaluate(WIDER):
            yield f"{path} is {wider} pixels wider than {width}, {language}"
    context.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else "")
