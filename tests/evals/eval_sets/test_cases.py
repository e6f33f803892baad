"""Every recorded case: what the package gave, row by row, file by file, run by run."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

from reviewapp.domain.evaluations import Execution
from reviewapp.evals.eval_sets.faults import Fault
from reviewapp.evals.eval_sets.files import read_eval_set
from reviewapp.evals.eval_sets.judges import JudgeReply, JudgeRequest, no_judge
from reviewapp.evals.eval_sets.metrics import aggregated
from reviewapp.evals.eval_sets.rows import Row
from reviewapp.evals.eval_sets.strict import strict_verdict
from reviewapp.evals.eval_sets.table import configured, evaluator_head, make_evaluator
from reviewapp.formats.eval_sets.projects import evaluators_of
from reviewapp.mocks import MockAnswerError, MocksRefused, make_plan, mockable, mocked
from tests.evals.eval_sets.in_memory import items_of, scored_in_memory

SPEC = Path(__file__).parents[4] / "shared" / "spec"


def cases(name: str, *levels: str) -> list[Any]:
    path = SPEC / name
    if not path.exists():
        return []
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    return [pytest.param(row, id=row["id"]) for row in rows if not levels or row.get("level") in levels]


pytestmark = pytest.mark.skipif(not SPEC.is_dir(), reason="the shared cases are not beside this checkout")


class ScriptedJudge:
    """Answers with the case's reply and keeps what it was asked."""

    def __init__(self, reply: dict[str, Any]) -> None:
        self.reply = reply
        self.asked: list[JudgeRequest] = []

    def __call__(self, request: JudgeRequest) -> JudgeReply:
        self.asked.append(request)
        if "raise" in self.reply:
            raise RuntimeError(self.reply["raise"])
        if "choices" in self.reply:
            return JudgeReply(choices=len(self.reply["choices"]))
        return JudgeReply(arguments=self.reply.get("arguments"), text=self.reply.get("content", self.reply.get("text")))


def spans(trace: list[dict[str, Any]]) -> tuple[dict[str, Any], ...]:
    """The cases' short writing of spans as attributes."""
    found = []
    for call in trace:
        attributes: dict[str, Any] = {}
        if call["kind"] == "tool":
            attributes = {"tool.name": call["name"], "input.value": json.dumps(call.get("arguments", {}))}
            if "arguments_raw" in call:
                attributes["input.value"] = call["arguments_raw"]
            if "output" in call:
                output = call["output"]
                attributes["output.value"] = output if isinstance(output, str) else json.dumps(output)
            if call.get("synthesized"):
                attributes["tool.synthesized"] = True
            if "id" in call:
                attributes["tool.id"] = call["id"]
        found.append({"name": call["name"], "attributes": attributes})
    return tuple(found)


def fits(fault: Fault, error: dict[str, Any]) -> None:
    assert fault.stage == error["stage"]
    assert fault.code == error.get("code")
    assert fault.type == error["type"]
    if "message" in error and error["stage"] != "load":  # that one names the recording's folder
        assert fault.message == error["message"]
    assert list(fault.fields) == error.get("fields", list(fault.fields))


@pytest.mark.parametrize("case", cases("uipath_cases.jsonl", "row"))
def test_row(case: dict[str, Any]) -> None:
    judge = ScriptedJudge(case["llm_reply"]) if "llm_reply" in case else None
    row = Row(case["actual_output"], case["agent_input"], spans(case.get("trace", [])))
    error = case.get("error")
    if case["expected_score"] is None:
        with pytest.raises(Fault) as caught:
            configured(case["evaluatorTypeId"], case["config"], judge=judge or no_judge).evaluate(row, case["criteria"])
        fits(caught.value, error)
        return
    evaluator = configured(case["evaluatorTypeId"], case["config"], judge=judge or no_judge)
    scored = evaluator.evaluate(row, case["criteria"])
    assert scored.score == case["expected_score"]
    if error is not None:
        assert scored.error is not None
        fits(scored.error, error)
    elif not case.get("details_left_out"):
        assert scored.details == case["expected_details"]
        assert scored.error is None
    if judge is not None and "expected_prompt" in case:
        asked = judge.asked[0]
        assert asked.prompt == case["expected_prompt"]
        wanted = case["expected_request"]
        assert (asked.model, asked.temperature, asked.max_tokens) == (
            wanted["model"],
            wanted["temperature"],
            wanted["max_tokens"],
        )
    json.dumps(scored.details, allow_nan=False)


@pytest.mark.parametrize("case", [c for c in cases("uipath_cases.jsonl", "row") if "strict_verdict" in c.values[0]])
def test_strict_verdict_of_row(case: dict[str, Any]) -> None:
    target = case["config"].get("targetOutputKey", "*")
    criteria = case["criteria"]
    if isinstance(criteria, dict) and "expectedOutput" in criteria:
        assert strict_verdict(case["actual_output"], criteria["expectedOutput"], target) == case["strict_verdict"]


@pytest.mark.parametrize("case", cases("strict_cases.jsonl"))
def test_strict(case: dict[str, Any]) -> None:
    assert strict_verdict(case["actual"], case["expected"], case["target"]) == case["verdict"]


@pytest.mark.parametrize("case", cases("uipath_cases.jsonl", "dataset"))
def test_dataset(case: dict[str, Any]) -> None:
    evaluator = configured(case["evaluatorTypeId"], case["config"])
    scores = [evaluator.evaluate(Row(row["actual_output"]), row["criteria"]) for row in case["rows"]]
    assert [score.score for score in scores] == case["expected_row_scores"]
    assert math.isclose(evaluator.reduce(scores), case["expected_score"], rel_tol=1e-15, abs_tol=0.0)
    if "expected_metrics" in case:
        assert aggregated(evaluator.name, evaluator.config, scores) == case["expected_metrics"]


@pytest.mark.parametrize("case", cases("uipath_cases.jsonl", "run"))
def test_run(case: dict[str, Any]) -> None:
    evaluators = [make_evaluator(file) for file in case["evaluators"]]
    eval_set = read_eval_set(case["eval_set"])
    evaluators = [pair for pair in evaluators if pair[0] in eval_set.references]
    names = {id: evaluator.name for id, evaluator in evaluators}
    weights = {names[ref]: weight for ref, weight in eval_set.references.items() if ref in names}
    executions = {id: execution_of(given) for id, given in case["agent"].items()}
    report = scored_in_memory(eval_set, evaluators, executions, case.get("weights") or weights)
    expected = case["expected"]
    for item, wanted in zip(items_of(report), expected["items"], strict=True):
        assert item["evaluationName"] == wanted["name"]
        results = item["evaluationRunResults"]
        scores = [one["result"]["score"] for one in results]
        assert (sum(scores) / len(scores) if scores else 0.0) == wanted["score"]
        assert results == [
            {
                "evaluatorName": one["evaluatorName"],
                "evaluatorId": one["evaluatorId"],
                "result": {"score": one["score"]} | ({"details": one["details"]} if one.get("details") else {}),
                "isLineResult": one["isLineResult"],
            }
            for one in wanted["results"]
        ]
    assert report.evaluator_scores == expected["evaluator_scores"]
    assert report.final_score == expected["final_score"]
    assert report.overall_score == expected["overall_score"]
    if "dataset_results" in expected:
        assert report.metrics == expected["dataset_results"]


def execution_of(given: dict[str, Any]) -> Execution:
    """What the case's agent did."""
    if "output" not in given:
        return Execution(failed=str(given))
    return Execution(output=given["output"], trace=spans(given.get("trace", [])))


@pytest.mark.parametrize("case", cases("uipath_cases.jsonl", "load"))
def test_load(case: dict[str, Any], tmp_path: Path) -> None:
    load = {"eval-set": load_eval_set, "evaluator": load_evaluator, "project": load_project}[case["kind"]]
    if case["ok"]:
        load(case, tmp_path)
        return
    with pytest.raises(Fault) as caught:
        load(case, tmp_path)
    fits(caught.value, case["error"])


def load_eval_set(case: dict[str, Any], folder: Path) -> Any:
    found = read_eval_set(case["file"])
    loaded = case.get("loaded", {})
    for item, wanted in zip(found.evaluations, loaded.get("evaluations", []), strict=True):
        assert (item.id, item.name, item.inputs) == (wanted["id"], wanted["name"], wanted["inputs"])
        assert item.expected_output == wanted["expectedOutput"]
        assert item.evaluation_criterias == wanted["evaluationCriterias"]
        assert item.expected_agent_behavior == wanted["expectedAgentBehavior"]
    assert found.id == loaded["id"]
    assert found.evaluator_refs == loaded["evaluatorRefs"]
    kinds = [None if item.mocks is None else type(item.mocks).__name__ for item in found.evaluations]
    if "mocking_kinds" in case:
        names = {
            "Mockito": "MockitoMockingStrategy",
            "LlmMocks": "LLMMockingStrategy",
            "UnknownMocks": "UnknownMockingStrategy",
            None: None,
        }
        assert [names[kind] for kind in kinds] == case["mocking_kinds"]
    return found


def load_evaluator(case: dict[str, Any], folder: Path) -> Any:
    file = case["file"]
    if str(file.get("evaluatorSchema", "")).startswith("file://"):
        return _custom(file, folder)
    id, evaluator = make_evaluator(file)
    loaded = case.get("loaded")
    if loaded:
        assert (type(evaluator).class_name, id, evaluator.name) == (loaded["class"], loaded["id"], loaded["name"])
        config = evaluator.config.model_dump(mode="json", by_alias=True)
        wanted = dict(loaded["config"])
        if "prompt" in wanted and "prompt" not in file.get("evaluatorConfig", {}):
            del wanted["prompt"], config["prompt"]
        assert {key: config[key] for key in wanted} == wanted
    return evaluator


def _custom(file: dict[str, Any], folder: Path) -> Any:
    from reviewapp.eval_sets.custom import custom_source

    return custom_source(evaluator_head(file), folder)


def load_project(case: dict[str, Any], folder: Path) -> Any:
    for name, content in case["files"].items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    eval_set = read_eval_set(json.loads((folder / case["eval_set"]).read_text(encoding="utf-8")))
    found = evaluators_of(folder / case["eval_set"], set(eval_set.references), "package")
    missing = set(eval_set.references) - {file.content["id"] for file in found}
    if missing:
        raise Fault("load", f"no evaluator {missing}", type="ValueError")
    ids = [make_evaluator(file.content)[0] for file in found]
    assert sorted(ids) == sorted(case["loaded"]["evaluator_ids"])
    return ids


@pytest.mark.parametrize("case", cases("uipath_cases.jsonl", "mock"))
def test_mock(case: dict[str, Any]) -> None:
    strategy = case["strategy"]
    covered = {b.get("function") for b in strategy.get("behaviors", strategy.get("config", []))}
    for call, wanted in zip(case["calls"], case["expected"], strict=True):
        if wanted.get("real") and call["function"] in covered:
            # The package drops the strategy and runs the real function; here the case fails before anything runs.
            with pytest.raises(MocksRefused):
                make_plan(strategy)
            return
    try:
        plan = make_plan(strategy)
    except MocksRefused:
        assert all(wanted.get("real") or "_target_" in json.dumps(strategy) for wanted in case["expected"])
        return
    with mocked(plan):
        for call, wanted in zip(case["calls"], case["expected"], strict=True):
            _call(call, wanted)


def _call(call: dict[str, Any], wanted: dict[str, Any]) -> None:
    real = object()

    @mockable(name=call["function"])
    def function(*args: Any, **kwargs: Any) -> Any:
        return real

    if "raise" in wanted:
        kind = NotImplementedError if wanted["raise"] == "NotImplementedError" else MockAnswerError
        with pytest.raises(kind) as caught:
            function(*call["args"], **call["kwargs"])
        cause = caught.value.__cause__
        if wanted["cause"] is None:
            assert cause is None
        elif wanted["cause"] == "InvocationError":
            assert type(cause).__name__ == "NoSuchCall"
        else:
            assert (type(cause).__name__, str(cause)) == (wanted["cause"], wanted["message"])
        return
    answer = function(*call["args"], **call["kwargs"])
    if wanted.get("real"):
        assert answer is real
    else:
        assert answer == wanted["return"]
