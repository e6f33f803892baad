"""`reviewapp score`, `loop` and `evaluator` as a script calls them."""

from __future__ import annotations

import json
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from tests.cli.conftest import Run

SET = {
    "version": "1.0",
    "id": "s",
    "name": "Sums",
    "evaluatorRefs": ["exact"],
    "evaluations": [
        {
            "id": "1",
            "name": "two",
            "inputs": {"a": 1},
            "evaluationCriterias": {"exact": {"expectedOutput": {"Sum": 1}}},
        },
        {
            "id": "2",
            "name": "three",
            "inputs": {"a": 3},
            "evaluationCriterias": {"exact": {"expectedOutput": {"sum": 3}}},
        },
    ],
}
EXACT = {
    "version": "1.0",
    "id": "exact",
    "evaluatorTypeId": "uipath-exact-match",
    "evaluatorConfig": {"name": "Exact", "targetOutputKey": "*"},
}
TARGET = f"command:{sys.executable} run.py {{inputs}}"


@pytest.fixture
def flow(tmp_path: Path) -> Path:
    root = tmp_path / "flow"
    for name, content in {"eval-sets/sums": SET, "evaluators/exact": EXACT}.items():
        path = root / "evals/default" / f"{name}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(content))
    (root / "run.py").write_text(
        "import json, sys, os\nkey = 'Sum' if os.path.exists('fixed') else 'sum'\n"
        "a = json.loads(sys.argv[1])['a']\nprint(json.dumps({key if a == 1 else 'sum': a}))\n"
    )
    return root


def test_a_failing_set_ends_with_1_and_says_what_slipped(run: Run, flow: Path) -> None:
    ended = run("score", str(flow), "--target", TARGET, "--yes", "--junit", "junit.xml")
    assert ended.code == 1
    assert "[FAIL ] two · Exact · 0" in ended.out
    assert "the key is 'sum', expected 'Sum': only the case differs" in ended.out
    assert "[PASS ] three · Exact · 1" in ended.out
    assert "1 of 2 pass; failing 'two'" in ended.out
    assert "API workflow (strict)" in ended.err
    suite = ET.parse("junit.xml").getroot()[0]  # noqa: S314 - our own
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("2", "1", "0")


def test_a_green_set_ends_with_0(run: Run, flow: Path) -> None:
    (flow / "fixed").touch()
    ended = run("score", str(flow), "--target", TARGET, "--yes", "--json")
    assert ended.code == 0
    document = ended.document
    assert document["green"]
    assert [row["verdict"] for row in document["rows"]] == ["PASS", "PASS"]
    result = document["reports"][0]["result"]
    assert result["evaluationSetResults"][0]["evaluationRunResults"][0]["result"]["score"] == 1.0


def test_passing_rows_and_matrices_are_shown_whole(run: Run, flow: Path) -> None:
    config = {"name": "Exact", "targetOutputKey": "sum", "classes": ["1.0", "3.0"]}
    exact = EXACT | {"evaluatorConfig": config | {"aggregators": [{"type": "confusion_matrix"}]}}
    (flow / "evals/default/evaluators/exact.json").write_text(json.dumps(exact))
    ended = run("score", "flow", "--target", TARGET, "--yes", "--whole", "--dialect", "package")
    assert '[PASS ] three · Exact · 1\n        inputs   {"a": 3}\n        actual   {"sum": 3}\n' in ended.out
    assert "predicted (down) by expected (across), 1 row(s) left out" in ended.out
    assert "         1.0  3.0\n    1.0    0    0\n    3.0    0    1\n" in ended.out


def test_the_outputs_of_a_report_can_be_scored_again(run: Run, flow: Path) -> None:
    (flow / "fixed").touch()
    report = run("score", str(flow), "--target", TARGET, "--yes", "--json")
    Path("report.json").write_text(report.out)
    assert run("score", str(flow), "--target", "outputs:report.json").code == 0


def test_programs_do_not_run_without_a_yes(run: Run, flow: Path) -> None:
    (flow / "run.py").write_text("open('ran', 'w')")
    ended = run("score", str(flow), "--target", TARGET)
    assert ended.code == 1
    assert "--yes" in ended.err
    assert not (flow / "ran").exists()
    assert run("loop", str(flow), "--target", TARGET, "--fix", "touch fixed").code == 1
    assert not (flow / "fixed").exists()


def test_the_loop_goes_on_until_green(run: Run, flow: Path) -> None:
    ended = run("loop", str(flow), "--target", TARGET, "--fix", "touch fixed", "--yes")
    assert ended.code == 0
    assert "iteration 1: 1 of 2 pass; failing 'two'" in ended.err
    assert "iteration 2: 2 of 2 pass" in ended.err
    assert "all rows pass" in ended.out


def test_a_fix_that_hangs_is_ended(run: Run, flow: Path) -> None:
    ended = run("loop", str(flow), "--target", TARGET, "--fix", "sleep 60", "--fix-seconds", "0.5", "--yes")
    assert ended.code == 1
    assert "took longer than 0.5 seconds" in ended.err
    assert "the fix command failed" in ended.out


def test_the_loop_runs_what_the_fix_changed(run: Run, flow: Path) -> None:
    (flow / "agent.py").write_text("def run(a): return {'sum': a}\n")
    fix = "sed -i \"s/'sum': a/('Sum' if a == 1 else 'sum'): a/\" agent.py"
    ended = run("loop", str(flow), "--target", "python:agent:run", "--fix", fix, "--yes")
    assert ended.code == 0
    assert "iteration 2: 2 of 2 pass" in ended.err


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["score", "nowhere", "--target", "outputs:o.json"], "no folder 'nowhere'"),
        (["score", ".", "--target", "outputs:o.json"], "holds no eval sets"),
        (["score", "flow", "--target", "what"], "names no target"),
        (["score", "flow", "--set", "other", "--target", TARGET], "no eval set 'other'"),
        (["evaluator", "register", ".", "x.py", "--yes"], "no file 'x.py'"),
        (["evaluator", "add", "flow", "polite"], "flow is an API workflow"),
    ],
)
def test_mistakes_are_one_sentence(run: Run, flow: Path, words: list[str], says: str) -> None:
    ended = run(*words)
    assert ended.code == 1
    assert says in ended.err
    assert "Traceback" not in ended.err


def test_a_custom_evaluator_from_scaffold_to_its_file(run: Run, tmp_path: Path) -> None:
    (tmp_path / "agent").mkdir()
    assert run("evaluator", "add", "agent", "has-word").code == 0
    ended = run("evaluator", "register", "agent", "has_word.py", "--yes", "--json")
    assert ended.document["id"] == "has-word-evaluator"


def test_sets_are_listed_and_kept_as_datasets(run: Run, flow: Path) -> None:
    ended = run("eval-set", "list", "flow")
    assert ended.code == 0
    assert "evals/default/eval-sets/sums.json" in ended.out
    kept = run("eval-set", "to-dataset", "flow", "--json")
    assert kept.document["datasets"][0]["item_count"] == 2
    (flow / "uipath.json").touch()
    written = run("eval-set", "from-dataset", "Sums", ".", "--json")
    assert written.code == 0, written.err
    assert Path(written.document["eval_set"]).is_file()
    again = run("eval-set", "from-dataset", "Sums", ".")
    assert (again.code, "choose another name" in again.err) == (1, True)
    assert run("eval-set", "from-dataset", "Sums", ".", "--name", "Sums of May").code == 0


def test_a_loop_of_a_known_project_is_kept_for_the_pages(run: Run, flow: Path) -> None:
    opened = run("eval-set", "open", "flow", "--target", TARGET, "--fix", "true", "--allow", "--json").document
    assert (opened["fix"], opened["trusted"]) == ("true", True)
    ended = run("loop", "flow", "--target", TARGET, "--fix", "touch fixed", "--yes")
    assert "Kept as run 1 of the project" in ended.err


def test_a_project_is_opened_for_the_pages(run: Run, flow: Path) -> None:
    ended = run("eval-set", "open", "flow", "--target", TARGET, "--allow", "--json")
    assert ended.code == 0
    assert (ended.document["name"], ended.document["trusted"]) == ("flow", True)
