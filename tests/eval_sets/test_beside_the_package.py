"""A whole project scored by `uipath eval` and by us: the same result object, but for the times."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.eval_sets.conftest import evaluator, item, scored
from tests.evals.eval_sets.package import package_python

AGENT = """
from dataclasses import dataclass

from uipath.eval.mocks import mockable
from uipath.tracing import traced


@dataclass
class In:
    city: str
    days: int = 1


@dataclass
class Out:
    sky: str
    warm: bool
    days: int
    notes: str


@traced(name="get_weather", span_type="tool")
@mockable()
def get_weather(city: str) -> str:
    return "rain" if city == "Bremen" else "sun"


def main(given: In) -> Out:
    if not given.city:
        raise ValueError("no city")
    skies = [get_weather(given.city) for _ in range(given.days)]
    return Out(sky=skies[-1], warm=skies[-1] == "sun", days=given.days, notes="\\n".join(skies))
"""
ENTRY = {
    "filePath": "main",
    "uniqueId": "1",
    "type": "function",
    "input": {"type": "object"},
    "output": {"type": "object"},
}
MOCKS = {
    "type": "mockito",
    "behaviors": [{"function": "get_weather", "then": [{"type": "return", "value": s} for s in ("fog", "sun")]}],
}
EVALUATORS = [
    evaluator(
        "exact",
        targetOutputKey="sky",
        classes=["rain", "sun", "fog"],
        aggregators=[{"type": "recall", "averaging": "macro"}, {"type": "confusion_matrix"}],
    ),
    evaluator("close", "uipath-json-similarity"),
    evaluator("lines", "uipath-json-similarity", targetOutputKey="notes", lineByLineEvaluator=True),
    evaluator("holds", "uipath-contains", negated=True),
    evaluator("calls", "uipath-tool-call-count"),
    evaluator("args", "uipath-tool-call-args", strict=True),
    evaluator("gave", "uipath-tool-call-output"),
    evaluator("binary", "uipath-binary-classification", targetOutputKey="warm", positiveClass="true"),
]
EVERY = {
    "exact": {"expectedOutput": {"sky": "SUN"}},
    "close": {"expectedOutput": {"sky": "sum", "warm": 1, "days": 3, "more": None}},
    "lines": {"expectedOutput": {"notes": "rain\nsun"}},
    "holds": {"searchText": "'warm': true"},
    "calls": {"toolCallsCount": {"get_weather": [">=", 2]}},
    "args": {"toolCalls": [{"name": "get_weather", "args": {"city": "Bremen"}}]},
    "gave": {"toolOutputs": [{"name": "get_weather", "output": '"sun"'}]},
    "binary": {"expectedClass": "True"},
}
ITEMS = [
    item("1", {"city": "Bremen"}, EVERY),
    item("2", {"city": "Rome", "days": 3}, EVERY),
    item("3", {"city": "Bremen", "days": 2}, EVERY, mockingStrategy=MOCKS),
    item("4", {"city": "Rome"}, {"exact": None, "close": {}}, expectedOutput={"sky": "sun"}),
    item("5", {"city": ""}, {"exact": {"expectedOutput": {"sky": "sun"}}}),
    item("6", {"city": "Rome"}, {"exact": {"expectedOutput": {"gone": 1}}, "unknown": {}}),
]


@pytest.mark.slow
def test_the_result_object_is_the_packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    python = package_python()
    refs = [one["id"] for one in EVALUATORS]
    files: dict[str, Any] = {
        "uipath.json": {"functions": {"main": "main.py:main"}},
        "entry-points.json": {"entryPoints": [ENTRY]},
        "evaluations/eval-sets/s.json": {
            "version": "1.0",
            "id": "s",
            "name": "S",
            "evaluatorRefs": refs,
            "evaluations": ITEMS,
        },
        **{f"evaluations/evaluators/{one['id']}.json": one for one in EVALUATORS},
    }
    for name, content in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(json.dumps(content))
    (tmp_path / "main.py").write_text(AGENT)
    command = [str(Path(python).with_name("uipath")), "eval", "main", "evaluations/eval-sets/s.json"]
    done = subprocess.run(
        [*command, "--no-report", "--output-file", "theirs.json"],
        cwd=tmp_path,
        env={**os.environ, "UIPATH_TELEMETRY_ENABLED": "false"},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    monkeypatch.setattr("reviewapp.eval_sets.function_target.interpreter_of", lambda _: python)
    ours = scored(tmp_path, "python:main:main").result
    assert timeless(ours) == timeless(json.loads((tmp_path / "theirs.json").read_text()))


def timeless(result: dict[str, Any]) -> dict[str, Any]:
    """Without times and outputs, evaluators by name: the package takes them as the disk lists them."""
    for one in result["evaluationSetResults"]:
        one.pop("agentExecutionOutput", None)
        for scored_one in one["evaluationRunResults"]:
            scored_one["result"].pop("evaluationTime", None)
            _without_traceback(scored_one["result"])
        one["evaluationRunResults"].sort(key=lambda found: found["evaluatorName"])
    for metric in result["datasetEvaluatorResults"].values():
        metric.pop("evaluationTime", None)
    return result


def _without_traceback(result: dict[str, Any]) -> None:
    if isinstance(result.get("details"), str):
        result["details"] = result["details"].partition("\n\nTraceback")[0]
