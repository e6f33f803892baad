"""From a project's files to a report."""

from __future__ import annotations

from pathlib import Path

import pytest

from reviewapp.errors import InvalidInput, NotFound
from reviewapp.eval_sets.judging import PackageEvaluator
from reviewapp.eval_sets.projects import OpenProject
from reviewapp.eval_sets.targets import make_target
from reviewapp.evals.eval_sets.judges import JudgeReply
from reviewapp.evals.eval_sets.table import make_evaluator
from tests.eval_sets.conftest import Make, evaluator, item, outputs, scored, verdicts


def test_judges_see_the_items_own_inputs() -> None:
    judge = evaluator("J", "uipath-llm-judge-trajectory-similarity", prompt="{{UserOrSyntheticInput}}")
    _, made = make_evaluator(judge, judge=lambda request: JudgeReply({"score": 100, "justification": request.prompt}))
    score = PackageEvaluator(made).score({"inputs": {"a": 1}, "id": "1"}, {}, (), {"expectedAgentBehavior": "x"})
    assert score.details["details"]["justification"].startswith("{'a': 1}\n")


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


def test_all_files_at_fault_are_named_at_once(make: Make) -> None:
    root = make([item("1", {}, {"E": {"expectedOutput": {}}})], [evaluator("E")])
    sets = root / "evaluations/eval-sets"
    (sets / "bom.json").write_bytes(b"\xef\xbb\xbf" + (sets / "s.json").read_bytes())
    (sets / "results.json").write_text('{"evaluationSetResults": []}')
    with pytest.raises(InvalidInput) as refused:
        scored(root, outputs(root, {"1": {}}))
    first, second = refused.value.message.splitlines()
    assert "bom.json begins with a byte order mark" in first
    assert "results.json is no eval set" in second
    assert scored(root, outputs(root, {"1": {}}), wanted="S").green  # by its name, whatever lies beside it
    with pytest.raises(NotFound, match="This project has: bom, results, s"):
        scored(root, outputs(root, {"1": {}}), wanted="another")


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
