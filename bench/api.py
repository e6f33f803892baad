"""The API under 8 programs at once: mixed reads and answers for 20 s, beside a bare handler of the same server.

    python -m bench.api [--seconds 20] [--clients 8]

Every client goes round: how far the test is, a page of tests, the history of a value, a record brought in, an answer.
At the end every acknowledged answer must be there. The floor is a bare WSGI function that commits a row and renders a
small fragment (`bench.floor`), under the same number of clients.
"""

from __future__ import annotations

import argparse
import http.client
import itertools
import json
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlencode

from bench.answers import prepare
from bench.harness import Goal, duration, finish, percentile, print_table
from bench.process import ServerProcess
from bench.texts import PROPERTIES
from reviewapp.answers import answers_of_inputs
from reviewapp.running.runner import Runner
from reviewapp.tests import get_input, start_test
from reviewapp.workspaces import open_data

INPUTS = 20
"""Of the test; as many as the API starts. Every answer comes with the whole test, as the protocol has it."""
JSON = {"Content-Type": "application/json"}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--clients", type=int, default=8)
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "data"
        prepare(data)
        with open_data(data) as opened:
            workspace = opened.workspace("default")
            test = start_test(workspace, workflow="positions", sample=INPUTS, by="bench").id
            Runner(opened).run_until_idle()
            iris = [get_input(workspace, test, position).iri for position in range(INPUTS)]
        values = ((iri, p.name, f"round {n}") for n in itertools.count() for iri in iris for p in PROPERTIES)
        given: dict[tuple[str, str], set[str]] = {}
        lock = threading.Lock()

        def one_round(connection: http.client.HTTPConnection) -> list[tuple[str, float, int]]:
            with lock:
                iri, name, note = next(values)
            answer = {"decision": "cant_tell", "note": note}
            body = json.dumps({"id": test, "iri": iri, "property": name, "answer": answer})
            seen = [
                ("changes", *ask(connection, "GET", f"/v1/workflows/named/tests/changes?id={test}")),
                ("list", *ask(connection, "GET", "/v1/workflows/named/tests?limit=1")),
                ("history", *ask(connection, "GET", history(test, iri, name))),
            ]
            answered = ask(connection, "POST", "/v1/records", JSON, record(iri, name))
            seen.append(("records", *answered))
            acknowledged = ask(connection, "POST", "/v1/workflows/named/tests/answer", JSON, body)
            seen.append(("answer", *acknowledged))
            if acknowledged[1] == 200:
                with lock:
                    given.setdefault((iri, name), set()).add(note)
            return seen

        def floor(connection: http.client.HTTPConnection) -> list[tuple[str, float, int]]:
            form = urlencode({"property": "width", "decision": "cant_tell", "note": ""})
            headers = {"Content-Type": "application/x-www-form-urlencoded"}
            return [("floor", *ask(connection, "POST", "/floor/wsgi/", headers, form))]

        with ServerProcess(data, module="bench.floor") as server:
            bare = together(server.port, wanted.clients, wanted.seconds / 4, floor)
            mixed = together(server.port, wanted.clients, wanted.seconds, one_round)
        with open_data(data) as opened:
            workspace = opened.workspace("default")
            kept = {
                (iris[position], name): {step.note for step in steps}
                for position, by_name in answers_of_inputs(workspace, test, 0, INPUTS).items()
                for name, steps in by_name.items()
            }
    report(bare, wanted.seconds / 4, mixed, wanted.seconds)
    errors = sum(status >= 500 for _, _, status in mixed)
    refused = sum(400 <= status < 500 for _, _, status in mixed)
    lost = sum(len(notes - kept.get(value, set())) for value, notes in given.items())
    goals = [Goal("5xx", errors, 0), Goal("refused", refused, 0), Goal("answers lost", lost, 0)]
    finish(goals)


def history(test: str, iri: str, name: str) -> str:
    return "/v1/workflows/named/tests/history?" + urlencode({"id": test, "iri": iri, "property": name})


def record(iri: str, name: str) -> str:
    return json.dumps({"collection": "extra", "records": [{"name": f"{iri} {name}"[:200], "text": "Width: 60 cm"}]})


def ask(
    connection: http.client.HTTPConnection,
    method: str,
    path: str,
    headers: dict[str, str] | None = None,
    body: str | None = None,
) -> tuple[float, int]:
    """(seconds, status) of one request."""
    begun = time.perf_counter()
    connection.request(method, path, body, headers or {})
    response = connection.getresponse()
    response.read()
    return time.perf_counter() - begun, response.status


def together(
    port: int,
    clients: int,
    seconds: float,
    work: Callable[[http.client.HTTPConnection], list[tuple[str, float, int]]],
) -> list[tuple[str, float, int]]:
    """(request, seconds, status) of all that so many clients did in so many seconds."""
    found: list[tuple[str, float, int]] = []
    until = time.monotonic() + seconds

    def client() -> None:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        while time.monotonic() < until:
            found.extend(work(connection))
        connection.close()

    threads = [threading.Thread(target=client) for _ in range(clients)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return found


def report(
    bare: list[tuple[str, float, int]],
    bare_seconds: float,
    mixed: list[tuple[str, float, int]],
    mixed_seconds: float,
) -> None:
    rows = [
        row("bare WSGI + commit + fragment", bare, bare_seconds),
        row("all requests of the API", mixed, mixed_seconds),
    ]
    for kind in sorted({kind for kind, _, _ in mixed}):
        rows.append(row(f"  {kind}", [m for m in mixed if m[0] == kind], mixed_seconds))
    print_table("Programs at once", ("request", "requests", "per second", "p50", "p99", "longest"), rows)


def row(name: str, found: list[tuple[str, float, int]], seconds: float) -> tuple[object, ...]:
    times = [s for _, s, _ in found]
    shown = (percentile(times, 50), percentile(times, 99), max(times))
    return (name, len(times), f"{len(times) / seconds:.0f}", *(duration(s) for s in shown))


if __name__ == "__main__":
    main()
