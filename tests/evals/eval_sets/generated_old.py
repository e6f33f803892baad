"""Rows of the old format made at random from a seed."""

from __future__ import annotations

import json
import random
from typing import Any

from tests.evals.eval_sets.generated import SCORES, TEXTS, Job, document, near, path, trace

OLD_KINDS = {"equals": (0, 1), "similarity": (0, 6), "columns": (0, 10), "judge": (1, 5), "trajectory": (3, 7)}
CSVS = (
    "a,b\n1,2\n",
    "A,B\r\n1,2\r\n3,4",
    "a,b\n1, 2 \n\n3,5",
    "b,a\n2,1",
    "a;b\n1;2",
    "a\n",
    "a",
    "",
    " \n",
    'a,b\n"1",2',
    'a,b\n"1\n2",2',
    "a,b,c\n1",
    "a\n1,2,3",
    "é,a\nü,1",
    "a,a\n1,2",
)


def old_jobs(kind: str, number: int, seed: int) -> list[Job]:
    """Rows of one of `OLD_KINDS`."""
    draw = random.Random(f"{kind} {seed}")
    written = json.dumps([_old_job(draw, kind) for _ in range(number)])
    # Numbers beyond floats are an error here wherever they stand, there only where they meet another number.
    made: list[Job] = json.loads(written.replace(str(10**400), "7"))
    return made


def _old_job(draw: random.Random, kind: str) -> Job:
    category, number = OLD_KINDS[kind]
    file: Job = {"id": "O", "name": "O", "category": category, "type": number, "createdAt": "", "updatedAt": ""}
    expected: Any = document(draw) if draw.random() < 0.8 else draw.choice(TEXTS)
    output: Any = near(draw, expected)
    if not isinstance(output, dict | str):
        output = {}
    if kind == "columns":
        expected, output = draw.choice(CSVS), draw.choice(CSVS)
        if draw.random() < 0.6:
            output = expected
        if draw.random() < 0.4:
            expected, output = ({draw.choice(("content", "c", "a")): side} for side in (expected, output))
        file["targetSubOutputKey"] = draw.choice(("a", "a,b", " A , b ", ",", "c", "b", "é"))
    if draw.random() < 0.5:
        keys = path(draw, expected), draw.choice(("c", "a", "content"))
        file["targetOutputKey"] = draw.choice(keys)
    if draw.random() < 0.3:
        file["lineByLineEvaluation"] = True
        file["lineDelimiter"] = draw.choice(("\n", "\n", ",", "x"))
    marks = ("{{ActualOutput}}", "{{ExpectedOutput}}", "{{AgentRunHistory}} {{ExpectedAgentBehavior}}", "Judge.")
    if kind in ("judge", "trajectory"):
        file |= {"prompt": " ".join(draw.choice(marks) for _ in range(3)), "model": "m"}
    behaviour = draw.choice(TEXTS)
    arguments = {"score": draw.choice(SCORES), "justification": draw.choice((*TEXTS, None, 3))}
    replies: tuple[Job, ...] = ({"arguments": arguments}, {"arguments": {"score": 3}}, {"text": "no"}, {"choices": 0})
    return {
        "do": "row",
        "file": file,
        "criteria": {"expectedOutput": expected, "expectedAgentBehavior": behaviour},
        "output": output,
        "behaviour": behaviour,
        "trace": trace(draw),
        "inputs": {},
    } | ({"reply": draw.choice((*replies, replies[0]))} if kind in ("judge", "trajectory") else {})
