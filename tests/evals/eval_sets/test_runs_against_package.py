"""Random runs and random mocking strategies, here and by the real package."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from reviewapp.domain.eval_sets import EvalItem, EvalSet
from reviewapp.domain.evaluations import Execution
from reviewapp.evals.eval_sets.table import make_evaluator
from reviewapp.mocks import MockAnswerError, make_plan, mockable, mocked
from tests.evals.eval_sets.in_memory import items_of, scored_in_memory
from tests.evals.eval_sets.package import ask

RUNS = 400
STRATEGIES = 500
LABELS = ("a", "b", "c", "A", "x", 1, None, "a\nb")
AGGREGATORS = (
    {"type": "recall", "averaging": "macro"},
    {"type": "precision", "averaging": "micro"},
    {"type": "fscore", "averaging": "macro", "fValue": 2},
    {"type": "fscore", "averaging": "macro"},
    {"type": "confusion_matrix"},
)
METRICS = ("precision", "recall", "f-score")
VALUES = (1, 1.0, True, "a", None, [1], {"k": 1})
ANSWERS = (1, "a", None, {"_target_": "builtins.ValueError"}, {"_target_": "builtins.KeyError"}, {"a": [1]})


def evaluator(id: str, kind: str, **config: Any) -> dict[str, Any]:
    settings = {"name": id, "targetOutputKey": "l", **config}
    return {"version": "1.0", "id": id, "evaluatorTypeId": kind, "evaluatorConfig": settings}


def run(draw: random.Random) -> dict[str, Any]:
    aggregators = [draw.choice(AGGREGATORS) for _ in range(draw.randrange(1, 5))]
    averaging = draw.choice(("macro", "micro"))
    return {
        "do": "run",
        "evaluators": [
            evaluator("E", "uipath-exact-match", classes=["a", "B", "c"], aggregators=aggregators),
            evaluator(
                "B",
                "uipath-binary-classification",
                positiveClass="A",
                metricType=draw.choice(METRICS),
                fValue=draw.choice((1, 2, 0.5)),
            ),
            evaluator(
                "M",
                "uipath-multiclass-classification",
                classes=["a", "b", "c"],
                metricType=draw.choice(METRICS),
                averaging=averaging,
            ),
            evaluator("J", "uipath-json-similarity", lineByLineEvaluator=True),
        ],
        "items": [item(draw) for _ in range(draw.randrange(6))],
        "weights": {"E": draw.choice((0, 1, 2.5)), "J": 0.5},
    }


def item(draw: random.Random) -> dict[str, Any]:
    criteria: dict[str, Any] = {
        "E": {"expectedOutput": {"l": draw.choice(LABELS)}},
        "B": {"expectedClass": draw.choice("abAx")},
        "M": {"expectedClass": draw.choice("abcx")},
        "J": {"expectedOutput": {"l": draw.choice(LABELS)}},
    }
    criteria = {key: given for key, given in criteria.items() if draw.random() < 0.85}
    if draw.random() < 0.1:
        criteria["B"] = {"expectedClass": 3}
    right = {"l": draw.choice(LABELS)}
    output = draw.choice((right, right, right, {"z": 1}, {}, None))
    return {"name": draw.choice(("i1", "i2", "i3")), "output": output, "criteria": criteria}


@pytest.mark.slow
def test_random_runs_come_to_the_same_figures() -> None:
    draw = random.Random(3)
    jobs = [run(draw) for _ in range(RUNS)]
    for job, theirs in zip(jobs, ask(jobs), strict=True):
        loaded = [make_evaluator(file) for file in job["evaluators"]]
        items = [
            EvalItem(id=str(n), name=one["name"], inputs={}, evaluation_criterias=one["criteria"])
            for n, one in enumerate(job["items"])
        ]
        executions = {str(n): Execution(output=one["output"]) for n, one in enumerate(job["items"])}
        found = scored_in_memory(EvalSet(id="s", name="S", evaluations=items), loaded, executions, job["weights"])
        ours = {
            "final": found.final_score,
            "scores": found.evaluator_scores,
            "metrics": found.metrics,
            "items": [
                [[one["evaluatorName"], one["result"]["score"]] for one in item["evaluationRunResults"]]
                for item in items_of(found)
            ],
        }
        assert json.loads(json.dumps(ours)) == theirs, json.dumps(job)


def arguments(draw: random.Random) -> dict[str, Any]:
    return {
        "args": [draw.choice(VALUES) for _ in range(draw.randrange(3))],
        "kwargs": {name: draw.choice(VALUES) for name in draw.sample("xy", draw.randrange(3))},
    }


def mocking(draw: random.Random) -> dict[str, Any]:
    behaviours: list[dict[str, Any]] = []
    for _ in range(draw.randrange(1, 4)):
        answers = [
            {"type": draw.choice(("return", "return", "raise")), "value": draw.choice(ANSWERS)}
            for _ in range(draw.randrange(4))
        ]
        behaviours.append({"function": draw.choice("fg"), "then": answers})
        if draw.random() < 0.6:
            behaviours[-1]["arguments"] = arguments(draw)
    calls = [{"function": draw.choice("fgh"), **arguments(draw)} for _ in range(5)]
    for call in calls:
        chosen = draw.choice(behaviours)
        if "arguments" in chosen and draw.random() < 0.6:
            call.update(function=chosen["function"], **chosen["arguments"])
    return {"do": "mock", "strategy": {"type": "mockito", "behaviors": behaviours}, "calls": calls}


@pytest.mark.slow
def test_random_strategies_answer_alike() -> None:
    draw = random.Random(7)
    jobs = [mocking(draw) for _ in range(STRATEGIES)]
    for job, theirs in zip(jobs, ask(jobs), strict=True):
        with mocked(make_plan(job["strategy"])):
            ours = [answered(call) for call in job["calls"]]
        assert ours == theirs["answers"], json.dumps(job)


def answered(call: dict[str, Any]) -> dict[str, Any]:
    @mockable(name=call["function"])
    def function(*args: Any, **kwargs: Any) -> Any:
        return "real"

    try:
        answer = function(*call["args"], **call["kwargs"])
    except MockAnswerError as error:
        cause = type(error.__cause__).__name__
        told = "InvocationError" if cause == "NoSuchCall" else cause
        return {"raise": "UiPathMockResponseGenerationError", "cause": told}
    return {"return": type(answer).__name__ if isinstance(answer, Exception) else answer}
