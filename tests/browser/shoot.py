"""Screenshots of pages, to be looked at: ``python -m tests.browser.shoot URL OUT_FOLDER PATH…``.

Every path is taken at 1440, 1024 and 390 pixels, light and dark. Says what the console complained about.
"""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

SIZES = ((1440, 900), (1024, 768), (390, 844))
ARGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"]


def shoot(url: str, out: Path, paths: list[str], sizes: tuple[tuple[int, int], ...] = SIZES) -> list[str]:
    """The pictures' names; prints console errors."""
    out.mkdir(parents=True, exist_ok=True)
    made = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=ARGS)
        for scheme in ("light", "dark"):
            page = browser.new_page(color_scheme=scheme)  # type: ignore[arg-type]
            page.on("console", lambda m: m.type in ("error", "warning") and print(m.type, m.text))  # noqa: T201
            for width, height in sizes:
                page.set_viewport_size({"width": width, "height": height})
                for path in paths:
                    page.goto(url + path)
                    name = re.sub(r"[^a-z0-9]+", "-", path.lower()).strip("-")[-60:] or "start"
                    picture = out / f"{name}-{width}-{scheme}.png"
                    page.screenshot(path=picture)
                    made.append(picture.name)
        browser.close()
    return made


if __name__ == "__main__":
    for name in shoot(sys.argv[1], Path(sys.argv[2]), sys.argv[3:]):
        print(name)  # noqa: T201
