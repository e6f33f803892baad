"""``kill -9`` of the real server at random moments of runs, answers and imports; then: what is lost?

    python -m bench.kill [--rounds 50] [--records 150] [--seed 1]

Every round starts the server on the same data folder, starts a test, brings in a file of records and has two people
answer by the forms of the pages, until the kill. After each kill the file is looked at from outside:

- every answer, import and cancel that was acknowledged is there;
- a result that was there before is there unchanged, and its text was not read again;
- the file passes SQLite's own check.

At the end all tests must come to an end. Exit code 1 where any of this fails.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import tempfile
import threading
import time
from pathlib import Path

from bench.harness import duration, print_table
from bench.kill_people import Story, answer_values, bring_in_records, start_and_cancel
from bench.kill_state import State, look
from bench.process import ServerProcess
from bench.texts import PROPERTIES, short_record
from reviewapp.domain.workflows import WorkflowDefinition
from reviewapp.records import import_records
from reviewapp.workflows import put_workflow
from reviewapp.workspaces import open_data

SHORTEST_LIFE, LONGEST_LIFE = 0.05, 2.5
"""Seconds from the server's address to its kill."""
END_SECONDS = 120.0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=50)
    parser.add_argument("--records", type=int, default=150, help="inputs of each test")
    parser.add_argument("--seed", type=int, default=1)
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        faults = run(Path(folder), wanted.rounds, wanted.records, wanted.seed)
    for fault in faults[:20]:
        print(f"FAULT: {fault}")
    sys.exit(1 if faults else 0)


def run(folder: Path, rounds: int, records: int, seed: int) -> list[str]:
    """Play all rounds and print the table; what was lost, in words."""
    data, reads = folder / "data", folder / "reads"
    prepare(data, rounds, records)
    story, state = Story(), State()
    faults: list[str] = []
    starts: list[float] = []
    interrupted = 0
    for number in range(rounds):
        rng = random.Random(f"{seed} {number}")
        server = ServerProcess(data, module="bench.counted", arguments=("--reads", str(reads)))
        starts.append(server.seconds_to_listen)
        with_people(server, story, number, records, rng)
        state = look(data, reads, state, story, faults)
        interrupted += state.open_tests > 0
    with ServerProcess(data, module="bench.counted", arguments=("--reads", str(reads))) as server:
        end = time.monotonic() + END_SECONDS
        while look(data, reads, state, story, []).open_tests and time.monotonic() < end:
            time.sleep(0.2)
        if (code := server.stop()) != 0:
            faults.append(f"the server ended with {code} on SIGTERM")
    state = look(data, reads, state, story, faults)
    if state.open_tests:
        faults.append(f"{state.open_tests} tests did not come to their end in {END_SECONDS:g} s")
    if not story.answers or state.reads < len(state.results):
        faults.append(f"nothing was tried: {len(story.answers)} answers, {state.reads} texts read")
    rows = [
        ("kills", rounds),
        ("kills in the middle of a test", interrupted),
        ("answers acknowledged", len(story.answers)),
        ("answers sent, not acknowledged", story.unanswered),
        ("tests started", len(story.tests)),
        ("tests cancelled", len(story.cancelled)),
        ("imports acknowledged", len(story.imported)),
        ("inputs read and kept", len(state.results)),
        ("inputs begun and not kept (in flight at a kill or cancel)", state.reads - len(state.results)),
        ("start after a kill, median", duration(statistics.median(starts))),
        ("lost, done twice, refused", len(faults)),
    ]
    print_table(f"kill -9, {rounds} times", ("what", "found"), rows)
    return faults


def prepare(data: Path, rounds: int, records: int) -> None:
    """A collection and a workflow for every round, so that no text belongs to two tests."""
    with open_data(data) as folder:
        workspace = folder.workspace("default", create=True)
        for number in range(rounds):
            name = f"round-{number}"
            import_records(
                workspace, name, map(short_record, range(number * records, (number + 1) * records)), by="bench"
            )
            put_workflow(workspace, WorkflowDefinition(name=name, collection=name, properties=PROPERTIES), by="bench")


def with_people(server: ServerProcess, story: Story, number: int, records: int, rng: random.Random) -> None:
    """Have people at work on the server for a while; then kill it under their hands."""

    def chances() -> random.Random:
        return random.Random(rng.random())

    threads = [
        threading.Thread(target=start_and_cancel, args=(server, story, number, chances())),
        threading.Thread(target=bring_in_records, args=(server, story, number, records, chances())),
        *(threading.Thread(target=answer_values, args=(server, story, name, chances())) for name in ("ann", "bob")),
    ]
    for thread in threads:
        thread.start()
    time.sleep(rng.uniform(SHORTEST_LIFE, LONGEST_LIFE))
    end = time.monotonic() + END_SECONDS
    while not story.answers and time.monotonic() < end:  # on a busy machine a life may be over before a page came
        time.sleep(0.02)
    server.kill()
    for thread in threads:
        thread.join()


if __name__ == "__main__":
    main()
