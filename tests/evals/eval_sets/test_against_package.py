"""Random rows, scored here and by the real package: scores, details and errors to the letter."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from reviewapp.evals.eval_sets.faults import Fault
from reviewapp.evals.eval_sets.rows import Row
from reviewapp.evals.eval_sets.table import configured
from tests.evals.eval_sets.package import ask

ROWS = 500
KEYS = ("a", "b", "c", "a.b", "A", "items", "")
TEXTS = ("", "x", "Yes", "yes", "5", "5.0", "true", "None", "kitten", "sitting", "a\nb", "it's", "É", '{"a": 1}', " x ")
NUMBERS = (0, 1, 5, 5.0, -3, 0.1, 1e-13, 100, 101, 2**53 + 1, 1e22, -0.0)
PATHS = ("*", "a", "b", "a.b", "items[0]", "items[0].a", "items[7]", "a..b", ".", "", "a[0]", "*.a", "[0]", "a.b.c")
TOOLS = ("a", "b", "get weather", "get_weather", "A", "n" * 70)


def value(draw: random.Random, depth: int = 0) -> Any:
    kind = draw.randrange(8 if depth < 3 else 5)
    if kind == 0:
        return draw.choice(TEXTS)
    if kind == 1:
        return draw.choice(NUMBERS)
    if kind == 2:
        return draw.choice((True, False, None))
    if kind in (3, 4):
        return draw.choice(TEXTS + NUMBERS)
    if kind == 5:
        return [value(draw, depth + 1) for _ in range(draw.randrange(4))]
    return document(draw, depth + 1)


def document(draw: random.Random, depth: int = 0) -> dict[str, Any]:
    return {draw.choice(KEYS): value(draw, depth) for _ in range(draw.randrange(5))}


def changed(draw: random.Random, given: Any) -> Any:
    """The same or nearly so."""
    if draw.random() < 0.3:
        return given
    if isinstance(given, dict) and given:
        return {k: changed(draw, v) if draw.random() < 0.5 else v for k, v in given.items() if draw.random() < 0.9}
    if isinstance(given, list):
        return [changed(draw, v) for v in given if draw.random() < 0.9]
    return value(draw, 3) if draw.random() < 0.6 else given


def output_job(draw: random.Random, kind: str) -> dict[str, Any]:
    expected: Any = document(draw) if draw.random() < 0.8 else draw.choice(TEXTS)
    output: Any = changed(draw, expected) if draw.random() < 0.8 else document(draw)
    if not isinstance(output, dict | str) or draw.random() < 0.05:
        output = draw.choice(TEXTS)
    config: dict[str, Any] = {}
    if draw.random() < 0.6:
        config["targetOutputKey"] = draw.choice(PATHS) if draw.random() < 0.7 else draw.sample(PATHS, 2)
    if draw.random() < 0.25:
        config["lineByLineEvaluator"] = True
    if draw.random() < 0.2:
        config["lineDelimiter"] = draw.choice((",", "; ", "x"))
    if kind in ("uipath-exact-match", "uipath-contains"):
        config["caseSensitive"] = draw.random() < 0.3
        config["negated"] = draw.random() < 0.3
    criteria: Any = {"expectedOutput": expected}
    if kind == "uipath-contains":
        criteria = {"searchText": draw.choice(TEXTS)}
    if "classification" in kind:
        criteria = {"expectedClass": draw.choice(TEXTS)}
        config |= {"positiveClass": draw.choice(TEXTS), "classes": list(TEXTS[:8])}
    if draw.random() < 0.05:
        criteria = draw.choice(({}, None, {"expectedOutput": [1]}, {"searchText": 3}))
    return {"do": "row", "type": kind, "config": config, "criteria": criteria, "output": output}


def tool_job(draw: random.Random, kind: str) -> dict[str, Any]:
    trace = []
    for _ in range(draw.randrange(6)):
        attributes: dict[str, Any] = {"tool.name": draw.choice(TOOLS)}
        if draw.random() < 0.3:
            attributes["tool.id"] = draw.choice(TOOLS)
        if draw.random() < 0.1:
            attributes["tool.synthesized"] = True
        attributes["input.value"] = draw.choice(('{"x": 1}', "{'x': True}", "[1]", "nope", '{"x": {"y": null}}', "{}"))
        attributes["output.value"] = draw.choice(('{"content": "ok"}', '"ok"', "ok", "[1]", '{"t": 1}', "12", ""))
        trace.append({"name": "span", "attributes": attributes})
    wanted = [draw.choice(TOOLS) for _ in range(draw.randrange(4))]
    ids = [{"id": draw.choice(TOOLS)} if draw.random() < 0.2 else {} for _ in wanted]
    arguments = [draw.choice(({"x": 1}, {"x": True}, {}, {"x": {"y": None}}, {"z": 1})) for _ in wanted]
    outputs = [draw.choice(("ok", '"ok"', "", "[1]", "12")) for _ in wanted]
    criteria = {
        "uipath-tool-call-order": {"toolCallsOrder": wanted},
        "uipath-tool-call-count": {
            "toolCallsCount": {
                w: [draw.choice((">", "<", ">=", "<=", "=", "==", "!=", "~")), draw.randrange(3)] for w in wanted
            }
        },
        "uipath-tool-call-args": {
            "toolCalls": [{"name": w, "args": a} | i for w, a, i in zip(wanted, arguments, ids, strict=True)]
        },
        "uipath-tool-call-output": {
            "toolOutputs": [{"name": w, "output": o} | i for w, o, i in zip(wanted, outputs, ids, strict=True)]
        },
    }[kind]
    config = {"strict": draw.random() < 0.4}
    return {"do": "row", "type": kind, "config": config, "criteria": criteria, "output": {}, "trace": trace}


OUTPUT_KINDS = (
    "uipath-exact-match",
    "uipath-contains",
    "uipath-json-similarity",
    "uipath-binary-classification",
    "uipath-multiclass-classification",
)
TOOL_KINDS = ("uipath-tool-call-order", "uipath-tool-call-count", "uipath-tool-call-args", "uipath-tool-call-output")


@pytest.mark.slow
@pytest.mark.parametrize("kind", OUTPUT_KINDS + TOOL_KINDS)
def test_random_rows_score_as_the_package_scores_them(kind: str) -> None:
    draw = random.Random(kind)
    make = tool_job if kind in TOOL_KINDS else output_job
    jobs = [make(draw, kind) for _ in range(ROWS)]
    for job, theirs in zip(jobs, ask(jobs), strict=True):
        assert ours(job) == brief(theirs), json.dumps(job)


def ours(job: dict[str, Any]) -> dict[str, Any]:
    try:
        evaluator = configured(job["type"], job["config"])
        scored = evaluator.evaluate(Row(job["output"], {}, tuple(job.get("trace", ()))), job["criteria"])
    except Fault as fault:
        return {"raised": fault.code or fault.type}
    return {"score": scored.score, "details": scored.details, "score_type": scored.score_type}


def brief(theirs: dict[str, Any]) -> dict[str, Any]:
    if "raised" in theirs:
        return {"raised": theirs["raised"].get("code") or theirs["raised"]["type"]}
    return {**theirs, "details": _without_traceback(theirs["details"])}


def _without_traceback(details: Any) -> Any:
    if isinstance(details, str):
        return details.partition("\n\nTraceback")[0]
    for line in details.get("line_by_line_results", ()):
        line["details"] = _without_traceback(line["details"])
    return details
