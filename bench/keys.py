"""From key to saved and the next value active, in a real browser, beside the same loop's bare round trip.

    python -m bench.keys [--answers 100] [--characters 8000] [--properties 5]

Every round sends a bare form post to the floor of the same server (`bench.floor`: one commit, a small fragment) with
``fetch`` from the test page, and then presses one key; so both meet the same browser, socket and machine. A round ends
when the page shows the answer as saved and another card is active. Answers that end an input bring the next text with
them and are told apart.
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, sync_playwright

from bench.harness import Goal, duration, finish, percentile, print_table
from bench.process import ServerProcess
from reviewapp.domain.properties import Property
from reviewapp.domain.records import IncomingRecord
from reviewapp.domain.tests import Test
from reviewapp.domain.workflows import WorkflowDefinition
from reviewapp.records import import_records
from reviewapp.running.runner import Runner
from reviewapp.tests import start_test
from reviewapp.workflows import put_workflow
from reviewapp.workspaces import open_data

GOAL_SECONDS = 0.1
PAUSE_MS = 170
"""A little more than the page takes a second press for a slip."""
OPENINGS = 5
WARM_UP = 5
"""Rounds that do not count."""
MEASURES = ("width", "depth", "height", "length", "thickness")
ARGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"]

ROUND = """async pause => {
    const form = new URLSearchParams({property: 'width', decision: 'accept', note: ''})
    await new Promise(done => setTimeout(done, pause))
    let begun = performance.now()
    await (await fetch('/floor/wsgi/', {method: 'POST', body: form})).text()
    const bare = performance.now() - begun
    const saved = () => document.getElementById('progress').textContent
    const before = saved(), card = document.querySelector('.card[aria-current]')
    const review = document.getElementById('review')
    begun = performance.now()
    document.activeElement.dispatchEvent(new KeyboardEvent('keydown', {key: 't', bubbles: true}))
    while (performance.now() - begun < 5000) {
        const next = document.querySelector('.card[aria-current]')
        if (saved() !== before && next && next !== card) {
            return {bare, key: performance.now() - begun, moved: document.getElementById('review') !== review}
        }
        await new Promise(done => setTimeout(done, 0))
    }
    return null
}"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--answers", type=int, default=100)
    parser.add_argument("--characters", type=int, default=8_000, help="of each text")
    parser.add_argument("--properties", type=int, default=5)
    wanted = parser.parse_args()
    chromium = shutil.which("chromium")
    if chromium is None:
        sys.exit("This needs Debian's chromium: apt-get install chromium")
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "data"
        test = prepare(data, wanted.answers + WARM_UP, wanted.characters, wanted.properties)
        with ServerProcess(data, module="bench.floor") as server, sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium, args=ARGS)
            page = browser.new_page(viewport={"width": 1440, "height": 900})
            address = f"http://localhost:{server.port}/w/default/tests/{test.id}/"
            openings = [opening(page, address) for _ in range(OPENINGS)]
            rounds = answer(page, wanted.answers + WARM_UP)[WARM_UP:]
            browser.close()
    kinds = {
        "bare round trip: fetch, commit, fragment": [r["bare"] for r in rounds],
        "the page opens, with its first card": openings,
        "key to saved and next active": [r["key"] for r in rounds if not r["moved"]],
        "the same when it brings the next input": [r["key"] for r in rounds if r["moved"]],
    }
    base = statistics.median(kinds["bare round trip: fetch, commit, fragment"])
    rows = [_row(name, found, base) for name, found in kinds.items() if found]
    print_table("Keys", ("what", "rounds", "median", "p90", "longest", "median × bare"), rows)
    finish(
        [
            Goal(
                "key to saved and next active, median",
                statistics.median(r["key"] for r in rounds) / 1e3,
                GOAL_SECONDS,
                "s",
            )
        ]
    )


def prepare(data: Path, answers: int, characters: int, properties: int) -> Test:
    """A test with enough values to answer, read to its end."""
    names = [
        f"{MEASURES[n % len(MEASURES)]}{f' {n // len(MEASURES) + 1}' if n >= len(MEASURES) else ''}"
        for n in range(properties)
    ]
    filler = "Nothing of note in this line of the text.\n"
    body = "".join(f"{name.title()}: {n + 1}00 mm\n{filler * 5}" for n, name in enumerate(names))
    text = body + filler * (max(0, characters - len(body)) // len(filler))
    with open_data(data) as folder:
        workspace = folder.workspace("default", create=True)
        inputs = -(-answers // properties) + 1
        records = [IncomingRecord(name=f"text {n:04}", text=text) for n in range(inputs)]
        import_records(workspace, "texts", records, by="bench")
        asked = tuple(Property(name=name, value_type="f64", unit="cm") for name in names)
        definition = WorkflowDefinition(name="texts", collection="texts", properties=asked)
        put_workflow(workspace, definition, by="bench")
        test = start_test(workspace, workflow="texts", everything=True, by="bench")
        Runner(folder).run_until_idle()
        return test


def opening(page: Page, address: str) -> float:
    """Milliseconds until the test page shows its first card."""
    begun = time.perf_counter()
    page.goto(address)
    page.wait_for_selector(".card[aria-current]")
    return (time.perf_counter() - begun) * 1e3


def answer(page: Page, rounds: int) -> list[dict[str, Any]]:
    """Milliseconds of each round."""
    found = [page.evaluate(ROUND, PAUSE_MS) for _ in range(rounds)]
    if None in found:
        sys.exit("LOST: an answer was not saved within five seconds")
    return found


def _row(name: str, milliseconds: list[float], base: float) -> tuple[object, ...]:
    median = statistics.median(milliseconds)
    spread = (percentile(milliseconds, 90), max(milliseconds))
    return (
        name,
        len(milliseconds),
        duration(median / 1e3),
        *(duration(s / 1e3) for s in spread),
        f"{median / base:.2f}",
    )


if __name__ == "__main__":
    main()
