"""A team at work: 50 people who signed in, each with an answer a second and the page's poll, for a minute.

    python -m bench.team [--people 50] [--seconds 60]

The server asks for sign-in, as at an address of the intranet; every request carries a session. Then a closed loop, as
fast as it goes, with 1, 8 and 50 clients, beside the bare handler of the same server (`bench.floor`) with as many.
Every acknowledged answer must be there at the end, under the name of whoever gave it.
"""

from __future__ import annotations

import argparse
import itertools
import os
import random
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from bench.answers import EMPTY_FIELDS, HTMX
from bench.harness import Goal, duration, finish, percentile, print_table
from bench.process import Client, ServerProcess
from bench.texts import PROPERTIES, short_records
from reviewapp import accounts
from reviewapp.domain.people import EVERYWHERE
from reviewapp.domain.tests import Test
from reviewapp.domain.workflows import WorkflowDefinition
from reviewapp.progress import of_test
from reviewapp.records import import_records
from reviewapp.running.runner import Runner
from reviewapp.tests import start_test
from reviewapp.web.identity import SESSION_COOKIE
from reviewapp.workflows import put_workflow
from reviewapp.workspaces import open_data

GOAL_P99_SECONDS = 0.25
INPUTS = 4_000
CLIENTS = (1, 8, 50)
ANSWER_EVERY_SECONDS = 1.0
POLL_EVERY_SECONDS = 1.0


@dataclass
class Seen:
    """What the people saw."""

    answers: list[float] = field(default_factory=list)
    polls: list[float] = field(default_factory=list)
    given: dict[str, int] = field(default_factory=dict)
    """Acknowledged answers by person."""
    failed: list[str] = field(default_factory=list)


class Person:
    """A browser with a session and values of its own to answer."""

    def __init__(self, name: str, session: str, test: Test, values: list[tuple[int, str]]) -> None:
        self.name, self.test = name, test
        self._headers = HTMX | {"Cookie": f"{SESSION_COOKIE}={session}"}
        self._values = iter(values)

    def answer(self, client: Client, seen: Seen) -> None:
        position, name = next(self._values)
        form = EMPTY_FIELDS | {
            "position": str(position),
            "name": name,
            "seen": "0",
            "decision": "cant_tell",
            "note": "",
        }
        begun = time.perf_counter()
        reply = client.post(f"/w/default/tests/{self.test.id}/answers", form, self._headers)
        seen.answers.append(time.perf_counter() - begun)
        if reply.status == 200:
            seen.given[self.name] = seen.given.get(self.name, 0) + 1
        else:
            seen.failed.append(f"answer: {reply.status}")

    def poll(self, client: Client, seen: Seen) -> None:
        begun = time.perf_counter()
        reply = client.get(f"/w/default/tests/{self.test.id}/changes?version=0&input=0", self._headers)
        seen.polls.append(time.perf_counter() - begun)
        if reply.status not in (200, 204):
            seen.failed.append(f"poll: {reply.status}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--people", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--loop", type=float, default=6, help="seconds of each closed loop")
    wanted = parser.parse_args()
    os.environ["REVIEWAPP_PUBLIC_URL"] = "https://review.example"  # so that people sign in, though we come by loopback
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "data"
        test = prepare(data)
        people = team(data, test, wanted.people)
        with ServerProcess(data, module="bench.floor") as server:
            at_pace, minute = Seen(), wanted.seconds
            used = cpu_seconds(server)
            together(server, people, lambda person, client: at_their_pace(person, client, at_pace, minute))
            print_table(
                f"{wanted.people} people for {minute:g} s, an answer and a poll a second each",
                ("request", "requests", "p50", "p99", "longest"),
                [row("answer", at_pace.answers), row("poll, with news", at_pace.polls)],
            )
            used = cpu_seconds(server) - used
            requests = len(at_pace.answers) + len(at_pace.polls)
            print(f"The server used {1000 * used / requests:.1f} ms of a processor per request.")
            loops = closed_loops(server, people, wanted.loop)
            memory = server.peak_megabytes()
        given = {p.name: at_pace.given.get(p.name, 0) + loops.given.get(p.name, 0) for p in people}
        with open_data(data) as after:
            there = of_test(after.workspace("default"), test.id)
    lost = sum(count - there.get(name, 0) for name, count in given.items())
    failed = [*at_pace.failed, *loops.failed]
    print(f"\nThe server had {memory:.0f} MB at most; {sum(given.values())} answers acknowledged. {failed[:3] or ''}")
    finish(
        [
            Goal("p99 of an answer", percentile(at_pace.answers, 99), GOAL_P99_SECONDS, "s"),
            Goal("p99 of a poll", percentile(at_pace.polls, 99), GOAL_P99_SECONDS, "s"),
            Goal("errors", len(failed), 0),
            Goal("answers lost or under another name", lost, 0),
        ]
    )


def prepare(data: Path) -> Test:
    """A test that is read to its end."""
    with open_data(data) as folder:
        workspace = folder.workspace("default", create=True)
        import_records(workspace, "positions", short_records(INPUTS), by="bench")
        definition = WorkflowDefinition(name="positions", collection="positions", properties=PROPERTIES)
        put_workflow(workspace, definition, by="bench")
        test = start_test(workspace, workflow="positions", everything=True, by="bench")
        Runner(folder).run_until_idle()
        return test


def cpu_seconds(server: ServerProcess) -> float:
    """What the process has used of the processors so far; Linux, fields 14 and 15 of ``/proc/PID/stat``."""
    fields = Path(f"/proc/{server.process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def team(data: Path, test: Test, number: int) -> list[Person]:
    """Accounts with the role reviewer, signed in, and values for each."""
    values = list(itertools.product(range(INPUTS), (p.name for p in PROPERTIES)))
    random.Random(6).shuffle(values)
    with open_data(data) as folder:
        people = []
        for n in range(number):
            person = accounts.add_person(folder, f"Person {n}", None, by="bench")
            accounts.set_role(folder, person.name, "reviewer", workspace=EVERYWHERE, by="bench")
            session = accounts.begin_session(folder, person).session
            people.append(Person(person.name, session, test, values[n::number]))
        return people


def at_their_pace(person: Person, client: Client, seen: Seen, seconds: float) -> None:
    rng = random.Random(person.name)
    begun = time.monotonic()
    answer_at, poll_at = begun + rng.uniform(0, ANSWER_EVERY_SECONDS), begun + rng.uniform(0, POLL_EVERY_SECONDS)
    while (now := time.monotonic()) < begun + seconds:
        if now < min(answer_at, poll_at):
            time.sleep(min(answer_at, poll_at) - now)
        elif answer_at <= poll_at:
            person.answer(client, seen)
            answer_at += ANSWER_EVERY_SECONDS * rng.uniform(0.5, 1.5)
        else:
            person.poll(client, seen)
            poll_at += POLL_EVERY_SECONDS


def closed_loops(server: ServerProcess, people: list[Person], seconds: float) -> Seen:
    """As fast as it goes: the bare handler and the real answer with as many clients."""
    total, rows = Seen(), []
    for clients in [n for n in CLIENTS if n <= len(people)]:
        bare: list[float] = []
        together(server, people[:clients], lambda _, client, bare=bare: knock(client, bare, seconds))  # type: ignore[misc]
        seen = Seen()
        together(server, people[:clients], lambda person, client, seen=seen: hurry(person, client, seen, seconds))  # type: ignore[misc]
        for what, found in (("bare handler", bare), ("answer", seen.answers)):
            rows.append((f"{clients} × {what}", f"{len(found) / seconds:.0f}", *row("", found)[1:]))
        total.failed += seen.failed
        for name, count in seen.given.items():
            total.given[name] = total.given.get(name, 0) + count
    print_table("Closed loop", ("clients", "per second", "requests", "p50", "p99", "longest"), rows)
    return total


def knock(client: Client, took: list[float], seconds: float) -> None:
    form = {"position": "1", "property": "width", "seen": "0", "decision": "cant_tell", "note": ""}
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        begun = time.perf_counter()
        assert client.post("/floor/wsgi/", form).status == 200
        took.append(time.perf_counter() - begun)


def hurry(person: Person, client: Client, seen: Seen, seconds: float) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            person.answer(client, seen)
        except StopIteration:
            return  # every value of this person is answered


def together(server: ServerProcess, people: list[Person], work: Callable[[Person, Client], None]) -> None:
    def run(person: Person) -> None:
        client = server.client()
        try:
            work(person, client)
        finally:
            client.close()

    threads = [threading.Thread(target=run, args=(person,)) for person in people]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def row(name: str, seconds: list[float]) -> tuple[object, ...]:
    spread = (duration(percentile(seconds, 50)), duration(percentile(seconds, 99)), duration(max(seconds)))
    return (name, len(seconds), *spread)


if __name__ == "__main__":
    main()
