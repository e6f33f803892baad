"""Rows and files made at random from a seed, of every kind that a project may hold: right, nearly right, and wrong.

What is made is plain JSON: the jobs of `package_probe`, so that the real package and ours are given the same.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterable
from typing import Any

from reviewapp.evals.eval_sets.table import TYPES

# fmt: off
TEXTS: tuple[str, ...] = (
    "", " ", "x", "Yes", "yes", "YES ", "5", "5.0", "5,0", "true", "True", "None", "null", "nan", "kitten", "sitting",
    "a\nb", "a\r\nb", "a\n\n b \n", "it's", 'say "hi"', "it's \"so\"", "É", "E\u0301", "ß", "SS", "ss", "İ", "ı", "ﬁ",
    "Σ", "ς", "😀", "👩‍👩‍👧", "\u2028", "\x00", "\t", "\\n", "\xa0", "\ufeffx", "{'a': 1.0}", '{"a": 1}',
    '{"a": {"b": [1, 2]}}', "[1, 2]", "3", '"x"', '{"a": NaN}', '{"a": 1, "a": 2}', '{"a": 1e999}', "{", "a" * 70,
    "b, c; d", "x" * 300, "1.0", "-0.0", "1e+16", "[]", "{}",
)
NUMBERS: tuple[float, ...] = (
    0, 1, -1, 5, 5.0, 5.000000001, 0.1, 0.30000000000000004, 1e-12, 1.1e-12, -1e-13, 100, 2**53, 2**53 + 1, 2**53 + 2,
    -(2**53) - 1, 1e16, 1e22, 10**22, 10**400, -0.0, 1e308, -1e308, 5e-324, 3.14159, 10**17 + 1,
)
KEYS = (
    "a", "b", "c", "a.b", "A", "items", "", " ", "0", "a[0]", "é", "e\u0301", "*", "None", "x y", "[0]", ".", "True",
)
PATHS = (
    "*", "a", "b", "a.b", "items[0]", "items.0", "items[-1]", "items[7]", "a..b", ".", "", "*.a", "[0]", "[]", "a[",
    "a]b", "[99999999999999999999]", "[٣]", "a[ 0 ]", " a ", "a.*", "a[0][1].b", "A",
)
TOOLS = (
    "a", "b", "get weather", "get_weather", "get  weather", "A", "n" * 70, "n" * 64, "n" * 65, "é", "a!", "a-b", "",
    " ", "a.b",
)
ARGUMENTS = (
    '{"x": 1}', "{'x': True}", "[1]", "nope", '{"x": {"y": null}}', "{}", "{'x': 1, 'y': (1, 2)}", '{"x": 1.0}',
    "", "(", "null", "{'x': {1, 2}}", "__import__('os')", '{"x": 1, "x": 2}', '{"x": NaN}', "{'x': b'1'}", "{1: 2}", 5,
    True, 1.5, '{"x": "1"}', "{'x': 1_000}", '{"x": [1, true]}', "{**{}}", " {'x': 1}", "{'x': 1e400}",
)
ANSWERS = (
    '{"content": "ok"}', '"ok"', "ok", "[1]", '{"t": 1}', "12", "", '{"content": {"a": [1, true, null]}}',
    '{"content": 0}', '{"content": null}', '{"content": []}', '{"content": 1.0}', "null", "true", 5, True, 0, 1.5,
    '{"content": "ok", "content": "no"}', '{"content": "é"}', "NaN", '{"content": NaN}', "{'content': 'x'}", ' "ok" ',
)
WANTED_ARGUMENTS: tuple[dict[str, Any], ...] = (
    {"x": 1}, {"x": True}, {"x": 1.0}, {}, {"x": {"y": None}}, {"z": 1}, {"x": "1"}, {"x": 1, "y": [1, 2]},
    {"x": [1, 1]}, {"x": 1, "z": ""},
)
WANTED_ANSWERS = ("ok", '"ok"', "", "[1]", "12", "{'a': [1, True, None]}", "1.0", "True", "5", "é", "null")
ODD_CRITERIA: tuple[Any, ...] = (
    {}, None, [], "x", 3, {"expectedOutput": [1]}, {"expectedOutput": None}, {"expectedOutput": 3}, {"searchText": 3},
    {"searchText": None}, {"expectedClass": 5}, {"expected_output": {"a": 1}}, {"expectedOutput": {"a": 1}, "more": 3},
    {"expected_output": {"a": 1}, "expectedOutput": {"a": 2}}, {"search_text": "a"}, {"expected_class": "x"},
    {"searchText": "a", "search_text": "b"}, {"toolCallsOrder": ["a", 3]}, {"toolCallsOrder": "a"},
    {"tool_calls_order": ["a"]}, {"toolCallsCount": {"a": ["="]}}, {"toolCallsCount": {"a": "=1"}},
    {"toolCallsCount": {"a": ["=", 1, 2]}}, {"toolCallsCount": [["a", 1]]}, {"toolCalls": [{"name": "a"}]},
    {"toolCalls": [{"name": "a", "arguments": {}}]}, {"toolCalls": [{"name": "a", "args": []}]},
    {"toolCalls": [{"name": "a", "args": {}, "id": 5}]}, {"toolOutputs": [{"name": "a", "output": 5}]},
    {"toolOutputs": [{"name": "a"}]}, {"expectedAgentBehavior": 3}, {"expected_agent_behavior": "calls a"},
)
SCORES = (0, 1, 12.5, 50, 99.5, 99.4999, 100, 101, -5, "80", "x", None, True, 1e300, "nan", "inf", [1])
# fmt: on
OUTPUT_KINDS = tuple(
    f"uipath-{name}"
    for name in ("exact-match", "contains", "json-similarity", "binary-classification", "multiclass-classification")
)
TOOL_KINDS = tuple(f"uipath-tool-call-{name}" for name in ("order", "count", "args", "output"))
JUDGE_KINDS = tuple(kind for kind in TYPES if "llm-judge" in kind)
Job = dict[str, Any]


def jobs(kind: str, number: int, seed: int) -> list[Job]:
    """So many rows of a type of evaluator, the same for the same seed."""
    draw = random.Random(f"{kind} {seed}")
    make = tool_job if kind in TOOL_KINDS else judge_job if kind in JUDGE_KINDS else output_job
    made: list[Job] = json.loads(json.dumps([make(draw, kind) for _ in range(number)]))
    return made


# -- values --------------------------------------------------------------------------------------------------------


def value(draw: random.Random, depth: int = 0) -> Any:
    kind = draw.randrange(10 if depth < 4 else 6)
    if kind < 2:
        return draw.choice(TEXTS)
    if kind == 2:
        return draw.choice(NUMBERS)
    if kind == 3:
        return draw.choice((True, False, None))
    if kind == 4:
        return draw.randrange(-3, 12)
    if kind == 5:
        return round(draw.uniform(-10, 10), draw.randrange(6))
    if kind < 8:
        return [value(draw, depth + 1) for _ in range(draw.randrange(5))]
    return document(draw, depth + 1)


def document(draw: random.Random, depth: int = 0) -> dict[str, Any]:
    return {draw.choice(KEYS): value(draw, depth) for _ in range(draw.randrange(6))}


def near(draw: random.Random, given: Any) -> Any:
    """The same, or something that a comparison may take for the same."""
    if isinstance(given, bool):
        return draw.choice((given, given, int(given), float(given), str(given), str(given).lower(), not given))
    if isinstance(given, int | float):
        if abs(given) > 1e300:
            return given
        return draw.choice((given, given, float(given), str(given), given * 1.01, given + 1, -given, int(given)))
    if given is None:
        return draw.choice((None, None, "None", "null", "", False, 0))
    if isinstance(given, str):
        return draw.choice((given, given, given.upper(), given.lower(), given + " ", given[:-1], given.swapcase()))
    if isinstance(given, list):
        made = [near(draw, inner) if draw.random() < 0.4 else inner for inner in given if draw.random() > 0.07]
        return [*made, value(draw, 3)] if draw.random() < 0.1 else made
    items = [(key, inner) for key, inner in given.items() if draw.random() > 0.1]
    if draw.random() < 0.3:
        draw.shuffle(items)
    changed = {key: near(draw, inner) if draw.random() < 0.4 else inner for key, inner in items}
    return changed | {draw.choice(KEYS): value(draw, 3)} if draw.random() < 0.1 else changed


def path(draw: random.Random, given: Any) -> str:
    """One that leads somewhere in it, such a one with a slip, or any."""
    there = list(_paths(given))
    if not there or draw.random() < 0.25:
        return draw.choice(PATHS)
    found = draw.choice(there)
    slips = (found + ".", found.replace(".", ".."), found + "[0]", "." + found, found.upper())
    return draw.choice(slips) if draw.random() < 0.25 else found


def _paths(given: Any, before: str = "") -> Iterable[str]:
    if isinstance(given, dict):
        steps = [(f"{before}.{key}" if before else key, inner) for key, inner in given.items()]
    else:
        steps = [(f"{before}[{n}]", inner) for n, inner in enumerate(given)] if isinstance(given, list) else []
    for here, inner in steps:
        yield here
        yield from _paths(inner, here)


# -- rows ----------------------------------------------------------------------------------------------------------


def output_job(draw: random.Random, kind: str) -> Job:
    expected: Any = document(draw) if draw.random() < 0.75 else draw.choice(TEXTS)
    output: Any = near(draw, expected) if draw.random() < 0.85 else document(draw)
    if draw.random() < 0.1:
        output = draw.choice(TEXTS)
    if draw.random() < 0.03:
        output = draw.choice((None, [1], 3, True, [], 1.5))
    config = _output_config(draw, expected if isinstance(expected, dict) else output)
    criteria: Any = {"expectedOutput": expected}
    if kind == "uipath-contains":
        shown = str(output)
        start = draw.randrange(len(shown) + 1)
        part = shown[start : start + draw.randrange(1, 6)]
        criteria = {"searchText": part if draw.random() < 0.5 else draw.choice(TEXTS)}
    if "classification" in kind:
        labels = [draw.choice(TEXTS) for _ in range(6)] + ([output] if isinstance(output, str) else [])
        criteria = {"expectedClass": draw.choice(labels)}
        config |= {"positiveClass": draw.choice(labels), "classes": [*labels, "1.0", "5.0", "true"]}
        if draw.random() < 0.6:
            output = {"a": draw.choice([*labels, 1, 5, True])}
            config["targetOutputKey"] = "a"
    return _row(draw, kind, config, criteria, output)


def _output_config(draw: random.Random, shown: Any) -> Job:
    config: Job = {}
    if draw.random() < 0.65:
        several = [path(draw, shown) for _ in range(draw.randrange(4))]
        config["targetOutputKey"] = path(draw, shown) if draw.random() < 0.7 else several
    if draw.random() < 0.3:
        config["lineByLineEvaluator"] = True
    if draw.random() < 0.25:
        config["lineDelimiter"] = draw.choice((",", "; ", "x", "\r\n", "|", " ", "", "."))
    if draw.random() < 0.3:
        config["caseSensitive"] = draw.choice((True, False, "yes", "no", 1, 0))
    if draw.random() < 0.3:
        config["negated"] = draw.choice((True, False, "true"))
    return config


def _row(draw: random.Random, kind: str, config: Job, criteria: Any, output: Any, **more: Any) -> Job:
    chance = draw.random()
    if chance < 0.05:
        criteria = draw.choice(ODD_CRITERIA)
    elif chance < 0.1:
        config["defaultEvaluationCriteria"], criteria = criteria, None
    return {"do": "row", "type": kind, "config": config, "criteria": criteria, "output": output, **more}


def trace(draw: random.Random) -> list[Job]:
    made = []
    for _ in range(draw.randrange(7)):
        attributes: Job = {}
        if draw.random() < 0.95:
            attributes["tool.name"] = draw.choice((*TOOLS, 5))
        if draw.random() < 0.3:
            attributes["tool.id"] = draw.choice((*TOOLS, 0, 1, True))
        if draw.random() < 0.15:
            attributes["tool.synthesized"] = draw.choice((True, False, "false", 0, 1, ""))
        if draw.random() < 0.9:
            attributes["input.value"] = draw.choice(ARGUMENTS)
        if draw.random() < 0.9:
            attributes["output.value"] = draw.choice(ANSWERS)
        made.append({"name": "span", "attributes": attributes})
    return made


def tool_job(draw: random.Random, kind: str) -> Job:
    spans = trace(draw)
    used = [
        str(one["attributes"][key]) for one in spans for key in ("tool.name", "tool.id") if key in one["attributes"]
    ]

    def name() -> str:
        return draw.choice(used) if used and draw.random() < 0.7 else draw.choice(TOOLS)

    wanted = [name() for _ in range(draw.randrange(5))]
    with_ids = [{"name": one} | ({"id": draw.choice((name(), None))} if draw.random() < 0.3 else {}) for one in wanted]
    criteria = {
        "uipath-tool-call-order": {"toolCallsOrder": wanted},
        "uipath-tool-call-count": {"toolCallsCount": {one: _count(draw) for one in wanted}},
        "uipath-tool-call-args": {"toolCalls": [one | {"args": draw.choice(WANTED_ARGUMENTS)} for one in with_ids]},
        "uipath-tool-call-output": {"toolOutputs": [one | {"output": draw.choice(WANTED_ANSWERS)} for one in with_ids]},
    }[kind]
    config: Job = {"strict": draw.choice((True, False, "yes", 1))} if draw.random() < 0.5 else {}
    if draw.random() < 0.3:
        config["subset"] = draw.choice((True, False))
    return _row(draw, kind, config, criteria, {}, trace=spans)


def _count(draw: random.Random) -> list[Any]:
    if draw.random() < 0.8:
        return [draw.choice((">", "<", ">=", "<=", "=", "==", "!=")), draw.randrange(4)]
    return [draw.choice((">", "~", "", " =")), draw.choice((0, 1, "2", 2.0, 1.5, True, -1, "x"))]


def judge_job(draw: random.Random, kind: str) -> Job:
    marks = ("{{ActualOutput}}", "{{ExpectedOutput}}", "{{AgentRunHistory}}", "{{ExpectedAgentBehavior}}")
    more = ("{{UserOrSyntheticInput}}", "{{SimulationInstructions}}", "Judge.", "\n", "{{ActualOutput}}")
    config: Job = {"prompt": " ".join(draw.choice((*marks, *more)) for _ in range(draw.randrange(5)))}
    if draw.random() < 0.5:
        config["model"] = draw.choice(("m", "", "claude-haiku-4-5-2", "x/claude-sonnet-4-5"))
    if draw.random() < 0.3:
        config |= {"maxTokens": draw.choice((None, 5, 100)), "temperature": draw.choice((0, 0.5, 1))}
    expected, output = document(draw), document(draw)
    criteria: Any = {"expectedOutput": expected}
    if "trajectory" in kind:
        criteria = {"expectedAgentBehavior": draw.choice(TEXTS)}
    elif draw.random() < 0.4:
        config |= _output_config(draw, expected)
        output = near(draw, expected)
    arguments = {"score": draw.choice(SCORES), "justification": draw.choice((*TEXTS, None, 3))}
    replies: tuple[Job, ...] = ({"arguments": arguments},) * 6 + (
        {"arguments": {"score": 3}},
        {"arguments": {"justification": "why"}},
        {"arguments": {}},
        {"text": "no"},
        {"choices": 0},
        {"raise": "out of reach"},
    )
    inputs = document(draw)
    return _row(draw, kind, config, criteria, output, trace=trace(draw), reply=draw.choice(replies), inputs=inputs)
