"""What an eval set is run on: functions, commands, and their faults."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from reviewapp.domain.evaluations import Execution
from reviewapp.eval_sets.projects import OpenProject
from reviewapp.eval_sets.target_base import checked
from reviewapp.eval_sets.targets import is_outside, make_target
from reviewapp.evals.eval_sets.traces import run_history
from tests.eval_sets.conftest import Make, evaluator, item, scored, verdicts


def test_a_failing_function_is_a_row_with_its_error(make: Make) -> None:
    root = make([item("1", {"a": 1}, {"E": {"expectedOutput": {}}})], [evaluator("E")])
    report = scored(root, "python:agent:broken")
    assert verdicts(report) == ["ERROR"]
    assert "12x is no number" in (report.rows[0].why or "")
    assert report.result["evaluationSetResults"][0]["evaluationRunResults"][0]["result"] == {"score": 0.0}


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


def test_a_pattern_without_end_is_told(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("reviewapp.eval_sets.command_target.PATTERN_SECONDS", 0.3)
    root = make([item("1", {}, {"E": {"expectedOutput": {}}})], [evaluator("E")])
    (root / "run.py").write_text("import sys; open(sys.argv[1], 'w').write('a' * 5000 + 'c')")
    (row,) = scored(root, f"command:{sys.executable} run.py {{log}}", pattern=r"^((a|a?)+)+$").rows
    assert "took longer than 0.3 s" in (row.why or "")


@pytest.mark.parametrize(
    "named",
    [
        "",
        "command:",
        "python:os.system",
        "python:os.system:x y",
        "what:x",
        "outputs:no.json",
        "outputs:a\0b",
        "outputs:~no/x",
    ],
)
def test_targets_that_name_nothing_are_refused(make: Make, named: str) -> None:
    root = make([], [])
    with pytest.raises(Exception, match=r"target|no file|names no|cannot be read"):
        make_target(named, root)


def test_calls_without_ids_are_told_apart() -> None:
    call = {"name": "a", "attributes": {"tool.name": "a"}}
    done = checked(Execution(output={}, trace=(call, call, {**call, "span_id": "x"}, "odd")))
    assert run_history(done.trace[:3]).count("Tool: a") == 3
    assert done.trace[3] == "odd"


def test_outputs_lie_in_the_project_or_where_the_command_line_stands(
    make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = make([item("1", {}, {"E": {"expectedOutput": {"a": 1}}})], [evaluator("E")])
    (root / "out.json").write_text('{"1": {"a": 1}}')
    (tmp_path / "out.json").write_text('{"1": {"a": 2}}')
    monkeypatch.chdir(tmp_path)
    for from_here, verdict in ((False, "PASS"), (True, "FAIL")):
        target = make_target("outputs:out.json", root, from_here=from_here)
        assert verdicts(OpenProject(root).score(target, target_name="outputs")[0]) == [verdict]


@pytest.mark.parametrize(
    ("named", "outside"),
    [
        ("outputs:out.json", False),
        ("outputs:in/../out.json", False),
        ("outputs:../out.json", True),
        ("outputs:/etc/out.json", True),
        ("outputs:~/out.json", True),
        ("outputs:link.json", True),
        ("outputs:a\0b", False),
        ("command:cat /etc/out.json", False),
    ],
)
def test_what_lies_outside_a_project_is_seen(tmp_path: Path, named: str, outside: bool) -> None:
    root = tmp_path / "project"
    root.mkdir()
    (root / "link.json").symlink_to(tmp_path / "secret.json")
    assert is_outside(named, root) == outside
