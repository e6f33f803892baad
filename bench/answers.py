"""What an answer costs: the real page against the least that a handler of the same server could do (`bench.floor`).

    python -m bench.answers [--answers 400] [--people 8]

One answer is a form post with htmx's header: checked, committed, read back and rendered as the fragments that the page
swaps in. Measured in turn with the floor, on one kept connection. Then several people at once: as fast as they can,
at people's pace, and at people's pace while the server runs a test; every answer must be there at the end.
"""

from __future__ import annotations

import argparse
import itertools
import random
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

from bench.harness import Goal, duration, finish, percentile, print_table, ratio_of
from bench.process import Client, ServerProcess
from bench.texts import PROPERTIES, short_records
from reviewapp.domain.tests import Test
from reviewapp.domain.workflows import WorkflowDefinition
from reviewapp.records import import_records
from reviewapp.running.runner import Runner
from reviewapp.tests import counts, start_test
from reviewapp.workflows import put_workflow
from reviewapp.workspaces import open_data

GOAL_RATIO = 3.0
GOAL_P99_SECONDS = 0.05
INPUTS = 600
BLOCK = 20
"""Requests of each kind before the next kind has its turn; the ratio is taken block by block."""
PACE_SECONDS = 0.4
"""Between two answers of a quick person, on average."""
PACED_ANSWERS = 25
HTMX = {"HX-Request": "true"}

Values = Iterator[tuple[int, str]]
"""Values that nobody has answered yet: position of the input, property."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--answers", type=int, default=400, help="answers of one person in turn with the floor")
    parser.add_argument("--people", type=int, default=8)
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "data"
        test = prepare(data)
        values = itertools.product(range(INPUTS), (p.name for p in PROPERTIES))
        with ServerProcess(data, module="bench.floor") as server:
            goals = [one_person(server, test, values, wanted.answers)]
            goals.append(several_people(server, test, values, wanted.people, wanted.answers // 4))
            memory = server.peak_megabytes()
        position, name = next(values)
        given = position * len(PROPERTIES) + [p.name for p in PROPERTIES].index(name)
        with open_data(data) as after:
            answered = counts(after.workspace("default"), test.id).answered
    print(f"\nThe server had {memory:.0f} MB at most; {given} answers were acknowledged, {answered} are there.")
    finish([*goals, Goal("answers lost", given - answered, 0)])


def prepare(data: Path) -> Test:
    """A test that is read to its end, and a workflow that can be tested again meanwhile."""
    with open_data(data) as folder:
        workspace = folder.workspace("default", create=True)
        for name in ("positions", "more"):
            import_records(workspace, name, short_records(INPUTS), by="bench")
            put_workflow(workspace, WorkflowDefinition(name=name, collection=name, properties=PROPERTIES), by="bench")
        test = start_test(workspace, workflow="positions", everything=True, by="bench")
        Runner(folder).run_until_idle()
        return test


def answer(client: Client, test: Test, value: tuple[int, str], person: str) -> float:
    """Give one answer; the seconds it took. Raises where it was not taken."""
    position, name = value
    form = {"position": str(position), "name": name, "seen": "0", "decision": "cant_tell", "note": "a note"}
    begun = time.perf_counter()
    reply = client.post(f"/w/default/tests/{test.id}/answers", form, HTMX | {"Cookie": f"reviewapp-name={person}"})
    seconds = time.perf_counter() - begun
    if reply.status != 200:
        raise RuntimeError(f"an answer was answered with {reply.status}: {reply.body[:500]!r}")
    return seconds


def floor(client: Client, path: str) -> float:
    form = {"position": "1", "property": "width", "seen": "0", "decision": "cant_tell", "note": "a note"}
    begun = time.perf_counter()
    assert client.post(path, form).status == 200
    return time.perf_counter() - begun


def one_person(server: ServerProcess, test: Test, values: Values, answers: int) -> Goal:
    client = server.client()
    kinds = {
        "bare WSGI + commit + fragment": lambda: floor(client, "/floor/wsgi/"),
        "bare Flask + commit + fragment": lambda: floor(client, "/floor/flask/"),
        "answer": lambda: answer(client, test, next(values), "ann"),
        "GET of nothing new (poll)": lambda: poll(client, test),
    }
    seconds: dict[str, list[list[float]]] = {kind: [] for kind in kinds}
    for _ in range(1 + answers // BLOCK):
        for kind, call in kinds.items():
            seconds[kind].append([call() for _ in range(BLOCK)])
    blocks = {kind: [statistics.mean(block) for block in found[1:]] for kind, found in seconds.items()}
    base = blocks["bare WSGI + commit + fragment"]
    rows = []
    for kind, found in seconds.items():
        every = [s for block in found[1:] for s in block]
        row = (duration(statistics.median(every)), duration(percentile(every, 99)), duration(statistics.mean(every)))
        rows.append((kind, *row, f"{ratio_of(blocks[kind], base):.2f}"))
    print_table("One person, one request at a time", ("request", "median", "p99", "mean", "× floor"), rows)
    client.close()
    return Goal("answer / bare WSGI floor", ratio_of(blocks["answer"], base), GOAL_RATIO)


def poll(client: Client, test: Test) -> float:
    begun = time.perf_counter()
    client.get(f"/w/default/tests/{test.id}/changes?version=-1&input=0", HTMX)
    return time.perf_counter() - begun


def several_people(server: ServerProcess, test: Test, values: Values, people: int, answers: int) -> Goal:
    rows = []
    fast = together(server, test, values, people, answers, pace=0)
    rows.append(row(f"{people} people, as fast as they can", *fast))
    paced = together(server, test, values, people, PACED_ANSWERS, pace=PACE_SECONDS)
    rows.append(row(f"{people} people at people's pace", *paced))
    client = server.client()
    assert client.post("/w/default/tests/", {"workflow": "more", "inputs": "all"}).status == 303
    client.close()
    running = together(server, test, values, people, PACED_ANSWERS, pace=PACE_SECONDS)
    rows.append(row("the same while a test runs", *running))
    print_table("Several people at once", ("who", "answers", "per second", "p50", "p99", "longest"), rows)
    return Goal(f"p99 of {people} people at people's pace", percentile(paced[0], 99), GOAL_P99_SECONDS, "s")


def row(who: str, seconds: list[float], elapsed: float) -> tuple[object, ...]:
    shown = (percentile(seconds, 50), percentile(seconds, 99), max(seconds))
    return (who, len(seconds), f"{len(seconds) / elapsed:.0f}", *(duration(s) for s in shown))


def together(
    server: ServerProcess, test: Test, values: Values, people: int, answers: int, pace: float
) -> tuple[list[float], float]:
    """Seconds of every answer of so many people at once, and the seconds of it all."""
    shares = [[next(values) for _ in range(answers)] for _ in range(people)]
    seconds: list[float] = []
    failures: list[Exception] = []

    def work(person: str, share: list[tuple[int, str]]) -> None:
        rng = random.Random(person)
        client = server.client()
        try:
            for value in share:
                time.sleep(rng.uniform(0, 2 * pace))
                seconds.append(answer(client, test, value, person))
        except Exception as error:
            failures.append(error)
        finally:
            client.close()

    threads = [threading.Thread(target=work, args=(f"person-{n}", share)) for n, share in enumerate(shares)]
    begun = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        sys.exit(f"LOST: {failures[0]}")
    return seconds, time.perf_counter() - begun


if __name__ == "__main__":
    main()
