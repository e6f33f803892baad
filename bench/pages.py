"""How soon the first page is there after a cold start, and how big and quick the test page is with long texts.

python -m bench.pages [--starts 5] [--requests 15]
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from bench.harness import Goal, duration, finish, print_table
from bench.process import Client, Reply, ServerProcess
from bench.texts import PROPERTIES, long_text, short_records
from reviewapp.domain.records import IncomingRecord
from reviewapp.domain.tests import Test
from reviewapp.domain.workflows import WorkflowDefinition
from reviewapp.records import import_records
from reviewapp.running.runner import Runner
from reviewapp.tests import start_test
from reviewapp.workflows import put_workflow
from reviewapp.workspaces import Workspace, open_data

LONG_TEXTS = 20
CHARACTERS = 40_000
GOAL_START_SECONDS = 1.0
GOAL_KILOBYTES = 200.0
GOAL_PAGE_SECONDS = 0.1


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--starts", type=int, default=5)
    parser.add_argument("--requests", type=int, default=15)
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "data"
        long, short = prepare(data)
        cold = cold_starts(data, wanted.starts)
        with ServerProcess(data) as server:
            client = server.client()
            pages = {
                "first page": "/",
                "list of tests": "/w/default/tests/",
                f"test page, {LONG_TEXTS} texts of {CHARACTERS:,} characters": f"/w/default/tests/{long.id}/?input=3",
                "test page, 1,000 short texts": f"/w/default/tests/{short.id}/?input=500",
            }
            found = {name: ask(lambda p=path: client.get(p), wanted.requests) for name, path in pages.items()}  # type: ignore[misc]
            client.close()
    rows = [
        (name, f"{size / 1e3:.0f}", duration(median), duration(worst)) for name, (size, median, worst) in found.items()
    ]
    print_table("Pages", ("page", "kB of HTML", "median", "longest"), rows)
    kilobytes, seconds, _ = list(found.values())[2]
    finish(
        [
            Goal("cold start to the first page", statistics.median(cold), GOAL_START_SECONDS, "s"),
            Goal("test page with long texts, HTML", kilobytes / 1e3, GOAL_KILOBYTES, "kB"),
            Goal("test page with long texts", seconds, GOAL_PAGE_SECONDS, "s"),
        ]
    )


def prepare(data: Path) -> tuple[Test, Test]:
    """Two tests that are read to their end: one on long texts, one on many short ones."""
    with open_data(data) as folder:
        workspace = folder.workspace("default", create=True)
        long = [IncomingRecord(name=f"Long text {n}", text=long_text(CHARACTERS, n)) for n in range(LONG_TEXTS)]
        tests = started(workspace, "long", long), started(workspace, "short", list(short_records(1_000)))
        Runner(folder).run_until_idle()
        return tests


def started(workspace: Workspace, name: str, records: list[IncomingRecord]) -> Test:
    import_records(workspace, name, records, by="bench")
    put_workflow(workspace, WorkflowDefinition(name=name, collection=name, properties=PROPERTIES), by="bench")
    return start_test(workspace, workflow=name, everything=True, by="bench")


def cold_starts(data: Path, starts: int) -> list[float]:
    """Seconds from the start of the process to the first page in full, redirects followed."""
    rows, found = [], []
    for _ in range(starts):
        with ServerProcess(data) as server:
            client = server.client()
            reply = follow(client, "/")
            seconds = time.perf_counter() - server.begun
            client.close()
            assert reply.status == 200, reply
            found.append(seconds)
            rows.append((len(found), duration(server.seconds_to_listen), duration(seconds)))
    print_table("Cold start", ("start", "listens", "first page"), rows)
    return found


def follow(client: Client, path: str) -> Reply:
    reply = client.get(path)
    while reply.status in (302, 303, 308):
        reply = client.get(reply.headers["location"])
    return reply


def ask(call: Callable[[], Reply], requests: int) -> tuple[int, float, float]:
    """Bytes of the answer, median and longest seconds; the first request does not count."""
    call()
    seconds = []
    for _ in range(requests):
        begun = time.perf_counter()
        reply = call()
        seconds.append(time.perf_counter() - begun)
    return len(reply.body), statistics.median(seconds), max(seconds)


if __name__ == "__main__":
    main()
