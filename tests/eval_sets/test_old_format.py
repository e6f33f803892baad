"""Eval sets of the old format are read and scored."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.eval_sets.conftest import Make, item, outputs, scored

OLD = {"createdAt": "2024-01-01", "updatedAt": "2024-01-01"}


def old_evaluator(id: str, kind: int, target: str = "*") -> dict[str, Any]:
    return {
        "id": id,
        "name": id,
        "category": 0,
        "type": kind,
        "fileName": f"{id}.json",
        "targetOutputKey": target,
    } | OLD


@pytest.mark.parametrize(
    ("kind", "target", "expected", "actual", "score"),
    [
        (1, "*", {"a": 1}, {"a": 1.0}, 1),
        (1, "*", {"a": 1}, {"a": True}, 0),
        (1, "*", {"a": "X"}, {"a": "x"}, 0),
        (1, "z", {"a": 1}, {"b": 2}, 1),
        (1, "b", {"a": 1}, {"a": 1, "b": 2}, 1),
        (1, "a.b", {"a": {"b": 1}}, {"a": {"b": 1}, "c": 2}, 1),
        (6, "*", {"a": "kitten"}, {"a": "sitting"}, 0.5714285714285714),
        (6, "*", {"a": 10, "b": 1}, {"a": 9}, 0.45),
        (6, "a", {"a": 10, "b": 1}, {"a": 9}, 0.9),
        (6, "*", {"a": True, "b": None, "c": []}, {"a": 1, "b": None}, 0.5),
    ],
)
def test_the_old_format_is_scored(
    tmp_path: Path, kind: int, target: str, expected: Any, actual: Any, score: float
) -> None:
    one = {"id": "1", "name": "one", "inputs": {}, "expectedOutput": expected, "evalSetId": "s"} | OLD
    content = {"id": "s", "fileName": "s.json", "name": "S", "evaluatorRefs": ["o"], "evaluations": [one]} | OLD
    for name, file in {"eval-sets/s": content, "evaluators/o": old_evaluator("o", kind, target)}.items():
        path = tmp_path / "evals" / f"{name}.json"
        path.parent.mkdir(parents=True)
        path.write_text(json.dumps(file))
    report = scored(tmp_path, outputs(tmp_path, {"1": actual}))
    assert report.dialect == "old"
    assert report.rows[0].score == pytest.approx(score, abs=1e-15)
    shaped = report.result["evaluationSetResults"][0]["evaluationRunResults"][0]["result"]["score"]
    assert shaped == pytest.approx(100 * score)


def test_old_evaluators_of_other_kinds_are_told(make: Make) -> None:
    root = make([item("1", {}, {"o": {"expectedOutput": {}}})], [old_evaluator("o", 9)])
    (row,) = scored(root, outputs(root, {"1": {}})).rows
    assert "There is no evaluator of the old format with category 0 and type 9" in (row.why or "")


def test_old_columns_and_judges_are_scored(make: Make) -> None:
    columns = old_evaluator("c", 10, "csv") | {"targetSubOutputKey": "a", "lineByLineEvaluation": True}
    judge = old_evaluator("j", 5) | {"category": 1, "prompt": "Judge."}
    criteria = {"expectedOutput": {"csv": "A,b\n1,2\n3,4"}, "expectedAgentBehavior": ""}
    root = make([item("1", {}, {"c": criteria, "j": criteria})], [columns, judge])
    report = scored(root, outputs(root, {"1": {"csv": "a,b\n1,9\n9,4"}}))
    assert [(row.verdict, row.score) for row in report.rows] == [("FAIL", 0.5), ("ERROR", 0.0)]
    assert "no model was chosen" in (report.rows[1].why or "")
    results = report.result["evaluationSetResults"][0]["evaluationRunResults"]
    assert [(one["evaluatorName"], one["result"]["score"]) for one in results] == [
        ("c (Line 1)", 100.0),
        ("c (Line 2)", 0.0),
        ("c", 0.5),
        ("j", 0.0),
    ]
