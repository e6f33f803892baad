"""Mocking strategies of items: followed by functions, told where they cannot be."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from tests.eval_sets.conftest import Make, evaluator, item, scored, verdicts
from tests.evals.eval_sets.package import package_python

MOCKS = {
    "type": "mockito",
    "behaviors": [
        {"function": "get_weather", "then": [{"type": "return", "value": {"sky": "sunny"}}]},
        {"function": "send mail", "then": [{"type": "return", "value": "mocked"}]},
    ],
}


def test_a_function_with_mocks_and_its_calls_as_a_trace(make: Make) -> None:
    root = make(
        [
            item(
                "1",
                {"city": "Bremen"},
                {
                    "E": {"expectedOutput": {"sky": "sunny", "mail": "mocked"}},
                    "order": {"toolCallsOrder": ["get_weather", "send mail"]},
                    "args": {"toolCalls": [{"name": "send mail", "args": {"to": "ann", "text": "sunny"}}]},
                    "gave": {"toolOutputs": [{"name": "send mail", "output": "mocked"}]},
                },
                mockingStrategy=MOCKS,
            )
        ],
        [
            evaluator("E"),
            evaluator("args", "uipath-tool-call-args"),
            evaluator("gave", "uipath-tool-call-output"),
            evaluator("order", "uipath-tool-call-order"),
        ],
    )
    report = scored(root, "python:agent:run")
    assert verdicts(report) == ["PASS"] * 4, [row.why for row in report.rows]
    assert report.green
    assert not (root / "called-for-real").exists()


def returning(value: Any) -> dict[str, Any]:
    then = [{"type": "return", "value": value}]
    return {"type": "mockito", "behaviors": [{"function": "get_weather", "then": then}]}


@pytest.mark.parametrize(
    ("strategy", "says"),
    [
        (
            {"type": "mockito", "behaviors": [{"function": "get_weather", "then": [{"type": "return"}]}]},
            "cannot be followed",
        ),
        ({"type": "other"}, "cannot be followed"),
        ({"type": "llm", "prompt": "p", "toolsToSimulate": [{"name": "get_weather"}]}, "none was chosen"),
        (
            {
                "type": "mockito",
                "behaviors": [
                    {"function": "get_weather", "then": [{"type": "raise", "value": {"_target_": "os.system"}}]}
                ],
            },
            "not made here",
        ),
        (returning({"_target_": "datetime.timedelta", "days": 10**20}), "cannot be made with days"),
        (returning([{"deep": {"_target_": "subprocess.run", "args": ["touch", "x"]}}]), "not made here"),
        (returning({"_target_": "builtins.dict.__class__"}), "not made here"),
        (returning({"_target_": ["builtins.dict"]}), "not made here"),
    ],
)
def test_mocks_that_cannot_be_followed_fail_the_case_and_run_nothing(make: Make, strategy: Any, says: str) -> None:
    root = make([item("1", {"city": "x"}, {"E": {"expectedOutput": {}}}, mockingStrategy=strategy)], [evaluator("E")])
    (row,) = scored(root, "python:agent:run").rows
    assert row.verdict == "ERROR"
    assert says in (row.why or "")
    assert not (root / "called-for-real").exists()


THREADED = """
from concurrent.futures import ThreadPoolExecutor

from uipath.eval.mocks import mockable
from uipath.eval.mocks.mockable import mockable as same


@mockable(name="look", description="looks", example_calls=[])
def look(word):
    open("called-for-real", "w").close()


@same()
def other(word):
    return "real"


def run(inputs):
    with ThreadPoolExecutor() as pool:
        return {"found": pool.submit(look, inputs["word"]).result(), "other": other("x")}
"""


def test_the_packages_own_decorator_is_followed_in_every_thread(make: Make) -> None:
    strategy = {"type": "mockito", "behaviors": [{"function": "look", "then": [{"type": "return", "value": "mocked"}]}]}
    root = make(
        [
            item(
                "1",
                {"word": "w"},
                {
                    "E": {"expectedOutput": {"found": "mocked", "other": "real"}},
                    "n": {"toolCallsCount": {"look": ["=", 1], "other": ["=", 1]}},
                },
                mockingStrategy=strategy,
            )
        ],
        [evaluator("E"), evaluator("n", "uipath-tool-call-count")],
    )
    (root / "threaded.py").write_text(THREADED)
    report = scored(root, "python:threaded:run")
    assert report.green, [row.why for row in report.rows]
    assert not (root / "called-for-real").exists()


TRACED = """
from uipath.eval.mocks import mockable
from uipath.tracing import traced


@traced(name="look", span_type="tool")
@mockable()
def look(word):
    open("called-for-real", "w").close()


def run(inputs):
    return {"found": look(inputs["word"])}
"""


@pytest.mark.slow
def test_an_agent_of_the_package_is_mocked_and_traced_as_it_is(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    found = package_python()
    monkeypatch.setattr("reviewapp.eval_sets.function_target.interpreter_of", lambda _: found)
    strategy = {"type": "mockito", "behaviors": [{"function": "look", "then": [{"type": "return", "value": "mocked"}]}]}
    criterias = {
        "E": {"expectedOutput": {"found": "mocked"}},
        "gave": {"toolOutputs": [{"name": "look", "output": '"mocked"'}]},
    }
    root = make(
        [item("1", {"word": "w"}, criterias, mockingStrategy=strategy)],
        [evaluator("E"), evaluator("gave", "uipath-tool-call-output")],
    )
    (root / "agent2.py").write_text(TRACED)
    report = scored(root, "python:agent2:run")
    assert report.green, [row.why for row in report.rows]
    assert not (root / "called-for-real").exists()


def test_inputs_that_nobody_makes_fail_the_case_and_run_nothing(make: Make) -> None:
    strategy = {"prompt": "Any town."}
    root = make([item("1", {"a": 1}, {"E": {"expectedOutput": {}}}, inputMockingStrategy=strategy)], [evaluator("E")])
    (row,) = scored(root, f"command:{sys.executable} -c \"open('ran', 'w')\"").rows
    assert "none was chosen here" in (row.why or "")
    assert not (root / "ran").exists()
    (root / "out.json").write_text('{"1": {}}')
    assert scored(root, "outputs:out.json").green  # what was there before needs no inputs


def test_a_strategy_for_what_is_not_mockable_runs_nothing(make: Make) -> None:
    strategy = {"type": "mockito", "behaviors": [{"function": "nothing", "then": []}]}
    root = make([item("1", {"city": "x"}, {"E": {"expectedOutput": {}}}, mockingStrategy=strategy)], [evaluator("E")])
    (row,) = scored(root, "python:agent:run").rows
    assert "nothing in the project marks as mockable" in (row.why or "")
    assert not (root / "called-for-real").exists()


def test_a_raise_comes_out_of_the_mocked_call(make: Make) -> None:
    strategy = {
        "type": "mockito",
        "behaviors": [
            {"function": "get_weather", "then": [{"type": "raise", "value": {"_target_": "builtins.OSError"}}]}
        ],
    }
    root = make([item("1", {"city": "x"}, {"E": {"expectedOutput": {}}}, mockingStrategy=strategy)], [evaluator("E")])
    (row,) = scored(root, "python:agent:run").rows
    assert "MockAnswerError" in (row.why or "")
    assert "OSError" in (row.why or "")


def test_a_command_cannot_follow_mocks(make: Make) -> None:
    root = make([item("1", {}, {"E": {"expectedOutput": {}}}, mockingStrategy=MOCKS)], [evaluator("E")])
    (row,) = scored(root, f"command:{sys.executable} nothing.py").rows
    assert "python: target" in (row.why or "")
