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
from dataclasses import dataclass
from pathlib import Path

from bench.harness import Goal, duration, finish, percentile, print_table
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
MORE_INPUTS = 4_000
"""Of the test that the server runs while people answer; enough to last."""
WARM_UP = 30
"""Rounds that do not count."""
FLOOR = "floor: bare WSGI + commit + fragment"
ANSWER = "answer"
LAST_ANSWER = "answer that ends an input: the next one comes with its text"
PACE_SECONDS = 0.4
"""Between two answers of a quick person, on average."""
PACED_ANSWERS = 25
HTMX = {"HX-Request": "true"}
EMPTY_FIELDS = {"quote": "", "start": "", "end": "", "value": ""}
"""What else the form of a value sends."""

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
        for name, inputs in (("positions", INPUTS), ("more", MORE_INPUTS)):
            import_records(workspace, name, short_records(inputs), by="bench")
            put_workflow(workspace, WorkflowDefinition(name=name, collection=name, properties=PROPERTIES), by="bench")
        test = start_test(workspace, workflow="positions", everything=True, by="bench")
        Runner(folder).run_until_idle()
        return test


@dataclass(frozen=True)
class Took:
    """One request."""

    kind: str
    seconds: float


def answer(client: Client, test: Test, value: tuple[int, str], person: str) -> Took:
    """Give one answer. Raises where it was not taken."""
    position, name = value
    form = EMPTY_FIELDS | {
        "position": str(position),
        "name": name,
        "seen": "0",
        "decision": "cant_tell",
        "note": "a note",
    }
    begun = time.perf_counter()
    reply = client.post(f"/w/default/tests/{test.id}/answers", form, HTMX | {"Cookie": f"reviewapp-name={person}"})
    seconds = time.perf_counter() - begun
    if reply.status != 200:
        raise RuntimeError(f"an answer was answered with {reply.status}: {reply.body[:500]!r}")
    return Took(LAST_ANSWER if "hx-push-url" in reply.headers else ANSWER, seconds)


def floor(client: Client, kind: str, path: str) -> Took:
    form = {"position": "1", "property": "width", "seen": "0", "decision": "cant_tell", "note": "a note"}
    begun = time.perf_counter()
    assert client.post(path, form).status == 200
    return Took(kind, time.perf_counter() - begun)


def poll(client: Client, test: Test, version: int) -> Took:
    begun = time.perf_counter()
    reply = client.get(f"/w/default/tests/{test.id}/changes?version={version}&input=0", HTMX)
    return Took("poll, nothing new" if reply.status == 204 else "poll, news", time.perf_counter() - begun)


def one_person(server: ServerProcess, test: Test, values: Values, answers: int) -> Goal:
    """Every kind of request in turn, so that all meet the same machine."""
    client = server.client()
    seconds: dict[str, list[float]] = {}
    for number in range(answers + WARM_UP):
        for took in (
            floor(client, FLOOR, "/floor/wsgi/"),
            floor(client, "bare Flask + commit + fragment", "/floor/flask/"),
            answer(client, test, next(values), "ann"),
            poll(client, test, -1),
        ):
            if number >= WARM_UP:
                seconds.setdefault(took.kind, []).append(took.seconds)
    client.close()
    base = statistics.median(seconds[FLOOR])
    rows = []
    for kind, found in seconds.items():
        median = statistics.median(found)
        spread = (duration(percentile(found, 10)), duration(percentile(found, 99)), duration(statistics.mean(found)))
        rows.append((kind, len(found), duration(median), *spread, f"{median / base:.2f}"))
    print_table("One person", ("request", "requests", "median", "p10", "p99", "mean", "median × floor"), rows)
    return Goal("answer / floor", statistics.median(seconds[ANSWER]) / base, GOAL_RATIO)


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
                seconds.append(answer(client, test, value, person).seconds)
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
