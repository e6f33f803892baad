"""The people of `bench.kill`: what they do on the pages until the server is gone, and what it acknowledged."""

from __future__ import annotations

import http.client
import itertools
import json
import random
import threading
import time
from dataclasses import dataclass, field

from selectolax.lexbor import LexborHTMLParser, LexborNode

from bench.process import Client, Reply, ServerProcess
from bench.texts import short_record

GONE = (OSError, http.client.HTTPException)
"""What a client meets when the server is killed."""
HOME = "/w/default"


@dataclass(frozen=True)
class Given:
    """An answer that the server acknowledged."""

    test: str
    position: int
    property: str
    person: str
    decision: str


@dataclass
class Story:
    """What was acknowledged over all rounds."""

    answers: dict[str, Given] = field(default_factory=dict)
    """By note, which is different for every answer."""
    tests: list[str] = field(default_factory=list)
    cancelled: set[str] = field(default_factory=set)
    imported: dict[str, int] = field(default_factory=dict)
    """Collection → records of each import that was acknowledged."""
    unanswered: int = 0
    """Answers sent and never acknowledged: they may be there or not."""
    refused: list[str] = field(default_factory=list)
    """What the server answered when it should have taken something."""
    numbers: itertools.count[int] = field(default_factory=itertools.count)
    lock: threading.Lock = field(default_factory=threading.Lock)


def start_and_cancel(server: ServerProcess, story: Story, number: int, rng: random.Random) -> None:
    """Start the round's test; one in five is cancelled after a while."""
    client = server.client()
    try:
        reply = client.post(f"{HOME}/tests/", {"workflow": f"round-{number}", "inputs": "all"})
        if reply.status != 303:
            story.refused.append(f"starting a test was answered with {reply.status}")
            return
        test = reply.headers["location"].split("/tests/")[1].split("/")[0]
        with story.lock:
            story.tests.append(test)
        if rng.random() < 0.2:
            time.sleep(rng.uniform(0, 0.5))
            client.post(f"{HOME}/tests/{test}/cancel", {})
            told = client.get(f"/v1/workflows/named/tests/get?id={test}")  # it may have come to its end before
            if told.status == 200 and json.loads(told.body)["status"] == "cancelled":
                story.cancelled.add(test)
    except GONE:
        return
    finally:
        client.close()


def bring_in_records(server: ServerProcess, story: Story, number: int, records: int, rng: random.Random) -> None:
    """Upload a file of records for a collection of its own."""
    time.sleep(rng.uniform(0, 1))
    collection = f"late-{number}"
    lines = [json.dumps({"name": r.name, "text": f"{collection}\n{r.text}"}) for r in map(short_record, range(records))]
    client = server.client()
    try:
        reply = client.upload(
            f"{HOME}/records/files", {"collection": collection}, "records.jsonl", "\n".join(lines).encode()
        )
        if reply.status == 303:
            story.imported[collection] = records
        else:
            story.refused.append(f"an import was answered with {reply.status}")
    except GONE:
        return
    finally:
        client.close()


def answer_values(server: ServerProcess, story: Story, person: str, rng: random.Random) -> None:
    """Open inputs at random and answer values on them, by the forms of the page, until the server is gone."""
    client = server.client()
    headers = {"Cookie": f"reviewapp-name={person}"}
    try:
        while True:
            with story.lock:
                tests = list(story.tests)
            if not tests:
                time.sleep(0.02)
                continue
            test = rng.choice(tests[-3:])
            page = client.get(f"{HOME}/tests/{test}/?input={rng.randrange(100)}", headers)
            for form in rng.sample(found := answer_forms(page), len(found)):
                answer_one(client, story, test, person, form, headers, rng)
            if not found:
                time.sleep(0.02)
    except GONE:
        return
    finally:
        client.close()


def answer_one(
    client: Client,
    story: Story,
    test: str,
    person: str,
    form: dict[str, str],
    headers: dict[str, str],
    rng: random.Random,
) -> None:
    with story.lock:
        note = f"answer {next(story.numbers)}"
    decision = rng.choice(("accept", "cant_tell"))
    given = Given(test, int(form["position"]), form["name"], person, decision)
    with story.lock:
        story.unanswered += 1
    reply = client.post(f"{HOME}/tests/{test}/answers", form | {"decision": decision, "note": note}, headers)
    with story.lock:
        story.unanswered -= 1
        if reply.status == 303:
            story.answers[note] = given
        elif reply.status != 409:  # 409: the other one was quicker
            story.refused.append(f"an answer was answered with {reply.status}")


def answer_forms(page: Reply) -> list[dict[str, str]]:
    """The hidden fields of every form on the page that answers a value."""
    if page.status != 200:
        return []
    forms = [hidden_fields(form) for form in LexborHTMLParser(page.body).css("form[action$='/answers']")]
    return [form for form in forms if "position" in form]


def hidden_fields(form: LexborNode) -> dict[str, str]:
    fields = (i.attributes for i in form.css("input[type=hidden]"))
    return {str(f["name"]): str(f.get("value") or "") for f in fields}
