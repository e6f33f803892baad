"""Custom evaluators: scaffold, register, run; with the stand-ins and with the real package."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from reviewapp.errors import Conflict, InvalidInput, NotFound
from reviewapp.eval_sets import custom
from reviewapp.eval_sets.scaffolds import add_evaluator, register_evaluator
from tests.eval_sets.conftest import Make, evaluator, item, outputs, scored
from tests.evals.eval_sets.package import ask, package_python

COUNTS = '''
from uipath.eval.evaluators import BaseEvaluationCriteria, BaseEvaluator, BaseEvaluatorConfig
from uipath.eval.models import NumericEvaluationResult


class Criteria(BaseEvaluationCriteria):
    least_calls: int


class Config(BaseEvaluatorConfig[Criteria]):
    name: str = "Counts"
    factor: float = 1.0


class Counts(BaseEvaluator[Criteria, Config, str]):
    """Counts calls."""

    @classmethod
    def get_evaluator_id(cls):
        return "Counts"

    async def evaluate(self, execution, criteria):
        print("noise on stdout")
        if execution.workload_output.get("bad") == "raise":
            raise ValueError("it went wrong")
        if execution.workload_output.get("bad") == "wordless":
            assert execution.workload_trace == []
        if execution.workload_output.get("bad") == "no result":
            return True
        if execution.workload_output.get("bad") == "inputs":
            said = f"{execution.agent_input} {execution.expected_agent_behavior}"
            return NumericEvaluationResult(score=0, details=said)
        if execution.workload_output.get("bad") == "old":
            return execution.agent_output
        if execution.workload_output.get("bad") == "hang":
            while True:
                pass
        calls = [span for span in execution.workload_trace if span.attributes.get("tool.name")]
        enough = len(calls) >= criteria.least_calls
        return NumericEvaluationResult(score=self.evaluator_config.factor * enough, details=f"{len(calls)} calls")
'''


@pytest.fixture(params=["stand-ins", pytest.param("package", marks=pytest.mark.slow)])
def python(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Whose classes the evaluators derive from."""
    if request.param == "package":
        found = package_python()
        monkeypatch.setattr("reviewapp.eval_sets.custom.interpreter_of", lambda _: found)
        monkeypatch.setattr("reviewapp.eval_sets.scaffolds.interpreter_of", lambda _: found)
    return str(request.param)


@pytest.fixture
def project(make: Make) -> Path:
    made = item("1", {"n": 7}, {"counts": {"leastCalls": 1}}, expectedAgentBehavior="counts once")
    root = make([made], [], evaluatorRefs=["counts"])
    folder = root / "evaluations/evaluators/custom"
    folder.mkdir()
    (folder / "counts.py").write_text(COUNTS)
    return root


SPAN = {"name": "a", "attributes": {"tool.name": "a"}, "start_time": 1, "end_time": 2}


@pytest.mark.parametrize(
    ("output", "trace", "verdict", "says"),
    [
        ({}, [SPAN], "PASS", ""),
        ({}, [], "FAIL", "score 0"),
        ({"bad": "raise"}, [SPAN], "ERROR", "it went wrong"),
        ({"bad": "wordless"}, [SPAN], "ERROR", "without a word"),
        ({"bad": "no result"}, [SPAN], "ERROR", "evaluate() gave no EvaluationResult ('bool' object"),
        ({"bad": "old"}, [SPAN], "ERROR", "agent_output"),
    ],
)
def test_a_registered_evaluator_scores(
    python: str, project: Path, output: Any, trace: Any, verdict: str, says: str
) -> None:
    made, types = register_evaluator(project, "counts.py")
    assert made.content["id"] == made.name == "counts"
    assert made.content["evaluatorConfig"]["factor"] == 1.0
    assert types.content["evaluationCriteriaSchema"]["properties"]["leastCalls"]["type"] == "integer"
    (row,) = scored(project, outputs(project, {"1": {"output": output, "trace": trace}})).rows
    assert (row.verdict, row.evaluator_name) == (verdict, "Counts")
    assert says in (row.why or "")


def test_it_sees_the_items_inputs_and_expected_behaviour(python: str, project: Path) -> None:
    register_evaluator(project, "counts.py")
    (row,) = scored(project, outputs(project, {"1": {"output": {"bad": "inputs"}}})).rows
    assert row.details == "{'n': 7} counts once"


def test_one_that_cannot_be_loaded_says_so_each_time(project: Path) -> None:
    register_evaluator(project, "counts.py")
    (project / "evaluations/evaluators/custom/counts.py").write_text("raise ValueError('at the top')\n")
    path = project / "evaluations/eval-sets/s.json"
    content = json.loads(path.read_text())
    content["evaluations"].append({**content["evaluations"][0], "id": "2", "name": "again"})
    path.write_text(json.dumps(content))
    rows = scored(project, outputs(project, {"1": {"output": {}}, "2": {"output": {}}})).rows
    assert [row.why for row in rows] == ["ValueError: at the top"] * 2


def test_criteria_that_do_not_fit_fail_the_item(python: str, project: Path) -> None:
    register_evaluator(project, "counts")
    path = project / "evaluations/eval-sets/s.json"
    path.write_text(path.read_text().replace('"leastCalls": 1', '"leastCalls": "many"'))
    (row,) = scored(project, outputs(project, {"1": {"output": {}}})).rows
    assert row.verdict == "ERROR"


def test_an_evaluator_that_hangs_is_ended(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(custom.CustomEvaluator.__init__, "__kwdefaults__", {"seconds": 1.0})
    register_evaluator(project, "counts")
    (row,) = scored(project, outputs(project, {"1": {"output": {"bad": "hang"}}})).rows
    assert "longer than 1 seconds" in (row.why or "")


def test_a_scaffold_registers_as_it_is(python: str, make: Make) -> None:
    root = make(
        [item("1", {}, {"polite-tone-evaluator": {"expectedValue": "please"}})],
        [],
        evaluatorRefs=["polite-tone-evaluator"],
    )
    path = add_evaluator(root, "polite tone")
    assert path.name == "polite_tone.py"
    with pytest.raises(Conflict):
        add_evaluator(root, "polite-tone")
    made, _ = register_evaluator(root, path.name)
    assert made.content["id"] == "polite-tone-evaluator"
    with pytest.raises(Conflict):
        register_evaluator(root, path.name)
    assert scored(root, outputs(root, {"1": {"t": "yes, please"}})).green


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("x = 1\n", "no class that derives from BaseEvaluator"),
        ("import nowhere_to_be_found\n", "nowhere_to_be_found"),
        ("def f(:\n", "SyntaxError"),
    ],
)
def test_what_is_no_evaluator_is_refused(project: Path, content: str, says: str) -> None:
    (project / "evaluations/evaluators/custom/other.py").write_text(content)
    with pytest.raises(InvalidInput, match=says):
        register_evaluator(project, "other")
    with pytest.raises(NotFound):
        register_evaluator(project, "missing")
    with pytest.raises(InvalidInput, match="no name"):
        add_evaluator(project, "7 things")


def test_an_api_workflow_gets_no_custom_evaluator(make: Make) -> None:
    root = make([], [evaluator("exact")], "strict")
    for attempt in (lambda: add_evaluator(root, "polite"), lambda: register_evaluator(root, "polite")):
        with pytest.raises(Conflict, match="is an API workflow, told by its layout"):
            attempt()
    assert not (root / "evaluations").exists()


@pytest.mark.slow
def test_what_we_register_loads_with_the_package(project: Path) -> None:
    register_evaluator(project, "counts.py")
    (loaded,) = ask([{"do": "project", "eval_set": "evaluations/eval-sets/s.json"}], cwd=project)
    assert loaded.get("evaluator_ids") == ["counts"], loaded


def test_files_outside_the_project_are_not_taken(project: Path, tmp_path: Path) -> None:
    (tmp_path / "out.py").write_text(COUNTS)
    file = {
        "version": "1.0",
        "id": "counts",
        "evaluatorTypeId": "file://types/x.json",
        "evaluatorSchema": f"file://{tmp_path / 'out.py'}:Counts",
        "evaluatorConfig": {},
    }
    (project / "evaluations/evaluators/counts.json").write_text(json.dumps(file))
    (row,) = scored(project, outputs(project, {"1": {}})).rows
    assert "Evaluator file not found" in (row.why or "")
