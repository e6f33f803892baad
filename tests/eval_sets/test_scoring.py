"""From a project's files to a report: targets, mocks, traces, verdicts."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from reviewapp.domain.evaluations import Execution
from reviewapp.errors import InvalidInput
from reviewapp.eval_sets.judging import PackageEvaluator
from reviewapp.eval_sets.projects import OpenProject
from reviewapp.eval_sets.reports import ScoreReport
from reviewapp.eval_sets.target_base import checked
from reviewapp.eval_sets.targets import make_target
from reviewapp.evals.eval_sets.judges import JudgeReply
from reviewapp.evals.eval_sets.table import make_evaluator
from reviewapp.evals.eval_sets.traces import run_history
from tests.eval_sets.conftest import Make, evaluator, item
from tests.evals.eval_sets.package import package_python

MOCKS = {
    "type": "mockito",
    "behaviors": [
        {"function": "get_weather", "then": [{"type": "return", "value": {"sky": "sunny"}}]},
        {"function": "send mail", "then": [{"type": "return", "value": "mocked"}]},
    ],
}


def scored(root: Path, target: str, **more: Any) -> ScoreReport:
    made = make_target(target, root, pattern=more.pop("pattern", None), seconds=more.pop("seconds", 30.0))
    try:
        return OpenProject(root).score(made, target_name=target, allowed=more.pop("allowed", True), **more)[0]
    finally:
        made.close()


def verdicts(report: ScoreReport) -> list[str]:
    return [row.verdict for row in report.rows]


def outputs(root: Path, given: dict[str, Any]) -> str:
    (root / "outputs.json").write_text(json.dumps(given))
    return "outputs:outputs.json"


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


def test_calls_without_ids_are_told_apart() -> None:
    call = {"name": "a", "attributes": {"tool.name": "a"}}
    done = checked(Execution(output={}, trace=(call, call, {**call, "span_id": "x"}, "odd")))
    assert run_history(done.trace[:3]).count("Tool: a") == 3
    assert done.trace[3] == "odd"


def test_judges_see_the_items_own_inputs() -> None:
    judge = evaluator("J", "uipath-llm-judge-trajectory-similarity", prompt="{{UserOrSyntheticInput}}")
    _, made = make_evaluator(judge, judge=lambda request: JudgeReply({"score": 100, "justification": request.prompt}))
    score = PackageEvaluator(made).score({"inputs": {"a": 1}, "id": "1"}, {}, (), {"expectedAgentBehavior": "x"})
    assert score.details["details"]["justification"].startswith("{'a': 1}\n")


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


def test_a_failing_function_is_a_row_with_its_error(make: Make) -> None:
    root = make([item("1", {"a": 1}, {"E": {"expectedOutput": {}}})], [evaluator("E")])
    report = scored(root, "python:agent:broken")
    assert verdicts(report) == ["ERROR"]
    assert "12x is no number" in (report.rows[0].why or "")
    assert report.result["evaluationSetResults"][0]["evaluationRunResults"][0]["result"] == {"score": 0.0}


@pytest.mark.parametrize(
    ("program", "target", "pattern"),
    [
        ("import json, sys; print(json.dumps(json.loads(sys.argv[1])))", "command:{python} run.py {{inputs}}", None),
        ("import sys; print(sys.stdin.read())", "command:{python} run.py", None),
        (
            "import sys; open(sys.argv[2], 'w').write('start\\nOutput: ' + sys.argv[1] + '\\nend\\n'); print('noise')",
            "command:{python} run.py {{inputs}} {{log}}",
            r"Output: (.*)",
        ),
    ],
)
def test_commands_give_their_output_on_stdout_or_in_a_log(
    make: Make, program: str, target: str, pattern: str | None
) -> None:
    root = make([item("1", {"a": "it's é"}, {"E": {"expectedOutput": {"a": "it's é"}}})], [evaluator("E")])
    (root / "run.py").write_text(program)
    report = scored(root, target.format(python=sys.executable), pattern=pattern)
    assert verdicts(report) == ["PASS"], report.rows[0].why


@pytest.mark.parametrize(
    ("program", "says"),
    [
        ("print('hello')", "gave no JSON but 'hello'"),
        ("import sys; sys.exit('no such key')", "no such key"),
        ("import time; time.sleep(60)", "longer than 1 seconds"),
        ("print('{\"a\": NaN}')", "nan is no JSON number"),
        ("print('{\"a\": 1e999}')", "inf is no JSON number"),
        ("print('[' * 100000 + ']' * 100000)", "gave no JSON"),
        ("print('[' * 900 + ']' * 900)", "levels deep"),
        ('print(\'{"a": "\\\\ud83d"}\')', "half a character"),
        ("print('x' * 11_000_000)", "more than 10 MB"),
        ("print('{\"a\": ' + '9' * 5000 + '}')", "gave no JSON"),
    ],
)
def test_a_command_at_fault_is_told(make: Make, program: str, says: str) -> None:
    root = make([item("1", {}, {"E": {"expectedOutput": {}}})], [evaluator("E")])
    (root / "run.py").write_text(program)
    (row,) = scored(root, f"command:{sys.executable} run.py", seconds=1.0).rows
    assert row.verdict == "ERROR"
    assert says in (row.why or "")


def test_inputs_too_long_for_an_argument_are_told(make: Make) -> None:
    root = make([item("1", {"t": "x" * 200_000}, {"E": {"expectedOutput": {}}})], [evaluator("E")])
    (row,) = scored(root, f"command:{sys.executable} run.py {{inputs}}").rows
    assert "read them from stdin" in (row.why or "")


@pytest.mark.parametrize(
    ("function", "output"),
    [
        pytest.param("def run(**kw): return kw", {"a": 1}, id="any names"),
        pytest.param("def run(inputs): return inputs", {"a": 1}, id="the object"),
        pytest.param("import sys\ndef run(a): return {'read': sys.stdin.read()}", {"read": ""}, id="stdin is empty"),
        pytest.param(
            "from dataclasses import dataclass\n@dataclass\nclass In:\n    a: int\n    b: str = 'x'\n"
            "async def run(given: In) -> In: return given",
            {"a": 1, "b": "x"},
            id="a dataclass",
        ),
        pytest.param(
            "from __future__ import annotations\nfrom pydantic import BaseModel\nclass In(BaseModel):\n    a: float\n"
            "def run(given: In): return given",
            {"a": 1.0},
            id="a model",
        ),
        pytest.param("def run(given: 'Nowhere'): return given", {"a": 1}, id="a class that is not there"),
        pytest.param("import os\ndef run(a): os.write(1, b'x'); print('y'); return {}", {}, id="what it prints"),
    ],
)
def test_functions_of_every_kind(make: Make, function: str, output: Any) -> None:
    root = make([item("1", {"a": 1}, {"E": {"expectedOutput": output}})], [evaluator("E")])
    (root / "other.py").write_text(function)
    assert verdicts(scored(root, "python:other:run")) == ["PASS"]


def test_one_evaluator_that_fails_the_item_is_named_at_the_others(make: Make) -> None:
    evaluators = [evaluator("E"), evaluator("F")]
    criteria = {"E": {"expectedOutput": {}}, "F": {"expectedOutput": 3}}
    (root := make([item("1", {}, criteria)], evaluators)) and (root / "out.json").write_text('{"1": {}}')
    report = scored(root, "outputs:out.json")
    assert verdicts(report) == ["ERROR", "ERROR"]
    assert "at evaluator F: CANNOT_VALIDATE_EVALUATION_CRITERIA" in (report.rows[0].why or "")
    assert report.rows[0].score == 0


def test_a_linked_set_and_a_broken_evaluator_are_told(make: Make, tmp_path: Path) -> None:
    root = make([item("1", {}, {"E": {"expectedOutput": {}}})], [evaluator("E")])
    (root / "out.json").write_text('{"1": {}}')
    place = root / "evaluations/eval-sets/s.json"
    place.rename(tmp_path / "outside.json")
    place.symlink_to(tmp_path / "outside.json")
    assert scored(root, "outputs:out.json").file == "evaluations/eval-sets/s.json"
    (root / "evaluations/evaluators/E.json").write_text("{")
    (row,) = scored(root, "outputs:out.json").rows
    assert "E.json is not valid JSON" in (row.why or "")


def test_a_pattern_without_end_is_told(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("reviewapp.eval_sets.command_target.PATTERN_SECONDS", 0.3)
    root = make([item("1", {}, {"E": {"expectedOutput": {}}})], [evaluator("E")])
    (root / "run.py").write_text("import sys; open(sys.argv[1], 'w').write('a' * 5000 + 'c')")
    (row,) = scored(root, f"command:{sys.executable} run.py {{log}}", pattern=r"^((a|a?)+)+$").rows
    assert "took longer than 0.3 s" in (row.why or "")


def test_a_command_cannot_follow_mocks(make: Make) -> None:
    root = make([item("1", {}, {"E": {"expectedOutput": {}}}, mockingStrategy=MOCKS)], [evaluator("E")])
    (row,) = scored(root, f"command:{sys.executable} nothing.py").rows
    assert "python: target" in (row.why or "")


@pytest.mark.parametrize(
    "named", ["", "command:", "python:os.system", "python:os.system:x y", "what:x", "outputs:no.json"]
)
def test_targets_that_name_nothing_are_refused(make: Make, named: str) -> None:
    root = make([], [])
    with pytest.raises(Exception, match=r"target|no file|names no"):
        make_target(named, root)


@pytest.mark.parametrize(
    ("actual", "expected", "verdict", "says"),
    [
        ({"sum": 3}, {"Sum": 3}, "FAIL", "only the case differs"),
        (3, {"result": 3}, "PASS", ""),
        ([1], {"result": [1]}, "PASS", ""),
        ({"result": 3}, {"result": "3"}, "FAIL", "number 3 for text '3'"),
        ({"a": True}, {"a": 1}, "FAIL", "boolean true for number 1"),
        ({"a": 1}, {"data": {"a": 1}}, "FAIL", "wrapper 'data' is missing"),
    ],
)
def test_the_strict_dialect_names_the_slip(make: Make, actual: Any, expected: Any, verdict: str, says: str) -> None:
    root = make([item("1", {}, {"exact": {"expectedOutput": expected}})], [evaluator("exact")], "strict")
    (row,) = scored(root, outputs(root, {"1": actual})).rows
    assert row.verdict == verdict
    assert says in (row.why or "")


def test_the_strict_dialect_tells_what_the_package_would_say(make: Make) -> None:
    items = [item(id, {}, {"exact": {"expectedOutput": {"colour": "Red"}}}) for id in ("1", "2")]
    root = make(items, [evaluator("exact", targetOutputKey="colour")], "strict")
    rows = scored(root, outputs(root, {"1": {"colour": "red"}, "2": {"colour": "blue"}})).rows
    assert [(row.verdict, row.other_dialect) for row in rows] == [("FAIL", "PASS"), ("FAIL", None)]


def test_the_strict_dialect_has_errors_for_what_cannot_be_judged(make: Make) -> None:
    root = make(
        [item("1", {}, {}), item("2", {}, {"exact": {"expectedOutput": {}}})],
        [evaluator("exact"), evaluator("contains", "uipath-contains")],
        "strict",
        evaluatorRefs=["exact", "contains", "nowhere"],
    )
    report = scored(root, outputs(root, {"item 1": {}}))
    why = {(row.id, row.evaluator): (row.verdict, row.why) for row in report.rows}
    assert "no expectedOutput" in (why["1", "exact"][1] or "")
    assert "uipath-exact-match only" in (why["1", "contains"][1] or "")
    assert "no evaluator 'nowhere'" in (why["1", "nowhere"][1] or "")
    assert why["2", "exact"] == ("ERROR", "outputs.json has no output for this item.")
    assert not report.green


def test_both_verdicts_are_shown_where_the_dialects_differ(make: Make) -> None:
    criteria = {"E": {"expectedOutput": {"t": "Yes"}}}
    root = make([item("1", {}, criteria)], [evaluator("E", targetOutputKey="t")])
    report = scored(root, outputs(root, {"1": {"t": "yes"}}))
    assert (report.rows[0].verdict, report.rows[0].other_dialect) == ("PASS", "FAIL")
    assert report.notes


def test_no_row_is_not_green(make: Make) -> None:
    root = make([item("1", {}, {})], [evaluator("E")])
    report = scored(root, outputs(root, {"1": {}}))
    assert not report.rows
    assert not report.green


def test_graded_scores_pass_from_a_threshold(make: Make) -> None:
    criteria = {"E": {"expectedOutput": {"n": 100}}}
    root = make([item("1", {}, criteria)], [evaluator("E", "uipath-json-similarity")])
    target = outputs(root, {"1": {"n": 95}})
    assert verdicts(scored(root, target)) == ["FAIL"]
    assert verdicts(scored(root, target, passes_from=0.95)) == ["PASS"]


def test_criteria_that_do_not_fit_fail_the_whole_item(make: Make) -> None:
    criteria = {"E": {"expectedOutput": {"a": 1}}, "co": {"searchText": 3}}
    root = make([item("1", {}, criteria)], [evaluator("E"), evaluator("co", "uipath-contains")])
    report = scored(root, outputs(root, {"1": {"a": 1}}))
    assert verdicts(report) == ["ERROR", "ERROR"]
    # The package averages what had scored with the bare zero that follows.
    assert report.evaluator_scores == {"E": 0.5, "co": 0.0}


def test_weights_count(make: Make) -> None:
    criteria = {"E": {"expectedOutput": {"a": 1}}, "co": {"searchText": "zzz"}}
    root = make(
        [item("1", {}, criteria)],
        [evaluator("E"), evaluator("co", "uipath-contains")],
        evaluatorConfigs=[{"ref": "E", "weight": 3}, "co"],
    )
    assert scored(root, outputs(root, {"1": {"a": 1}})).final_score == 0.75


def test_files_are_read_anew_and_no_results_are_left(make: Make) -> None:
    root = make([item("1", {}, {"E": {"expectedOutput": {"a": 1}}})], [evaluator("E")])
    target = outputs(root, {"1": {"a": 2}})
    opened = OpenProject(root)
    made = make_target(target, root)
    before = sorted(p for p in root.rglob("*"))
    assert not opened.score(made, target_name=target)[0].green
    path = root / "evaluations/eval-sets/s.json"
    path.write_text(path.read_text().replace('"a": 1', '"a": 2'))
    assert opened.score(made, target_name=target)[0].green
    assert sorted(p for p in root.rglob("*")) == before


def test_custom_evaluators_wait_for_a_yes(make: Make) -> None:
    custom = {**evaluator("C"), "evaluatorTypeId": "file://types/c.json", "evaluatorSchema": "file://c.py:C"}
    root = make([item("1", {}, {"C": {"word": "x"}})], [custom])
    (root / "evaluations/evaluators/custom").mkdir()
    (root / "evaluations/evaluators/custom/c.py").write_text("open('ran', 'w')\n")
    with pytest.raises(InvalidInput, match="allow the project"):
        scored(root, outputs(root, {"1": {}}), allowed=False)
    assert not (root / "ran").exists()


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
