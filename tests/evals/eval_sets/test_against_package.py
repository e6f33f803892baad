"""Random rows and odd files, taken here and by the real package: scores, details and errors to the letter."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from reviewapp.evals.eval_sets.faults import Fault
from reviewapp.evals.eval_sets.files import read_eval_set
from reviewapp.evals.eval_sets.rows import Row
from reviewapp.evals.eval_sets.table import TYPES, configured, make_evaluator
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


def eval_set(**fields: Any) -> dict[str, Any]:
    return {"do": "set", "file": {"version": "1.0", "id": "s", "name": "S", **fields}}


def one_item(**fields: Any) -> dict[str, Any]:
    return eval_set(evaluations=[{"id": "1", "name": "i", "inputs": {}, "evaluationCriterias": {}, **fields}])


def one_evaluator(kind: str = "uipath-exact-match", **fields: Any) -> dict[str, Any]:
    file = {"version": "1.0", "id": "E", "evaluatorTypeId": kind, "evaluatorConfig": {"name": "E"}}
    return {"do": "evaluator", "file": {**file, **fields}}


def config(**fields: Any) -> dict[str, Any]:
    return one_evaluator(evaluatorConfig={"name": "E", **fields})


AGGREGATED = {"classes": ["a"], "aggregators": [{"type": "recall", "averaging": "macro"}]}
FILES = [
    *(eval_set(version=version) for version in (1, 1.5, True, None, [], "1", "2.0", "0.5", "x")),
    *(
        eval_set(evaluatorConfigs=given)
        for given in (["E", None], [{"ref": 3}], [{"ref": "E", "weight": "2"}], [{"w": 1}])
    ),
    *(eval_set(evaluatorRefs=given) for given in ("E", None, [1])),
    *(eval_set(evaluations=given) for given in (None, {}, [3])),
    eval_set(id=3),
    eval_set(modelSettings=[{}]),
    eval_set(agentMemoryEnabled="x"),
    *(one_item(mockingStrategy=given) for given in ({}, [], "x", {"a": 1}, {"type": 3}, {"type": "zzz"})),
    one_item(mockingStrategy={"type": "mockito", "behaviors": [{"function": "f", "then": [{"type": "return"}]}]}),
    one_item(mockingStrategy={"type": "llm", "prompt": "p"}),
    *(one_item(inputMockingStrategy=given) for given in ({}, {"prompt": "p", "model": {}})),
    *(one_item(expectedOutput=given) for given in (3, [1], "x")),
    *(one_item(evaluationCriterias=given) for given in (None, {"E": 3}, {"E": None})),
    one_item(id=5),
    one_item(name=None),
    one_item(inputs=[]),
    *(one_evaluator(version=version) for version in (1, "2.0", None)),
    *(one_evaluator(name=given) for given in (3, None, "N")),
    *(one_evaluator(evaluatorConfig=given) for given in ([], None, {})),
    one_evaluator(id=5),
    *(one_evaluator(given) for given in ("uipath-nope", "")),
    *(config(targetOutputKey=given) for given in (None, 3, [1], [])),
    *(config(caseSensitive=given) for given in ("maybe", "yes", 1)),
    config(**AGGREGATED),
    config(**AGGREGATED, negated=True),
    config(**AGGREGATED, caseSensitive=True),
    config(**AGGREGATED, lineByLineEvaluator=True),
    config(aggregators=AGGREGATED["aggregators"]),
    config(**{**AGGREGATED, "classes": ["a", "A"]}),
    config(**{**AGGREGATED, "classes": [" a"]}),
    config(classes=["a"], aggregators=[{"type": "fscore", "averaging": "macro", "fValue": 0}]),
    config(classes=["a"], aggregators=[{"type": "accuracy"}, {"averaging": "macro"}, {"type": "precision"}]),
    *(config(defaultEvaluationCriteria=given) for given in ({}, 3, {"searchText": "x"})),
    *(one_evaluator(kind, evaluatorConfig={}) for kind in TYPES),
    *(
        one_evaluator(
            kind,
            evaluatorConfig={
                "strict": "x",
                "targetOutputKey": 5,
                "model": 3,
                "fValue": "x",
                "classes": [1],
                "prompt": 1,
            },
        )
        for kind in TYPES
    ),
]


@pytest.mark.slow
def test_files_load_and_are_refused_as_by_the_package() -> None:
    for job, theirs in zip(FILES, ask(FILES), strict=True):
        assert ours_loaded(job) == theirs_loaded(job, theirs), json.dumps(job)


def ours_loaded(job: dict[str, Any]) -> dict[str, Any]:
    try:
        if job["do"] == "set":
            read_eval_set(job["file"])
            return {"loaded": True}
        _, made = make_evaluator(job["file"])
    except Fault as fault:
        return {"code": fault.code, "fields": sorted(set(fault.fields))}
    return {"class": made.class_name, "name": made.name}


def theirs_loaded(job: dict[str, Any], theirs: dict[str, Any]) -> dict[str, Any]:
    if raised := theirs.get("raised"):
        return {"code": raised.get("code"), "fields": sorted(set(raised.get("fields", ())))}
    return {"loaded": True} if job["do"] == "set" else {"class": theirs["class"], "name": theirs["name"]}
