"""Test until green: fixes, limits, no progress, expectations left alone, behaviour that changed."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from reviewapp.eval_sets.looping import FixCommand, LoopReport, run_loop
from reviewapp.eval_sets.projects import OpenProject
from reviewapp.eval_sets.targets import make_target
from tests.eval_sets.conftest import Make, evaluator, item

ITEMS = [item(str(n), {"n": n}, {"E": {"expectedOutput": {"n": n}}}) for n in (1, 2, 3)]


def loop(root: Path, fix: str, most: int = 5) -> LoopReport:
    """With a target that gives what ``answers.json`` has by input."""
    (root / "run.py").write_text(
        "import json, sys\nn = json.loads(sys.argv[1])['n']\n"
        "print(json.dumps({'n': json.load(open('answers.json'))[str(n)]}))\n"
    )
    (root / "fix.py").write_text(fix)
    named = f"command:{sys.executable} run.py {{inputs}}"
    target = make_target(named, root)
    opened = OpenProject(root)
    return run_loop(
        lambda: opened.score(target, target_name=named),
        FixCommand(f"{sys.executable} fix.py", root),
        guarded=opened.expectations,
        most=most,
    )


def answers(root: Path, given: dict[str, Any]) -> None:
    (root / "answers.json").write_text(json.dumps(given))


@pytest.fixture
def root(make: Make) -> Path:
    return make(ITEMS, [evaluator("E")])


def test_it_ends_when_all_rows_pass(root: Path) -> None:
    answers(root, {"1": 1, "2": 0, "3": 0})
    report = loop(
        root,
        "import json, sys\nbad = json.load(sys.stdin)\n"
        "a = json.load(open('answers.json'))\n"
        "row = bad['failures'][0]\na[str(row['inputs']['n'])] = row['expected']['n']\n"
        "json.dump(a, open('answers.json', 'w'))\n",
    )
    assert report.outcome == "green"
    assert [one.line for one in report.iterations] == [
        "1 of 3 pass; failing 'item 2', 'item 3'",
        "2 of 3 pass; failing 'item 3'",
        "3 of 3 pass",
    ]
    assert not report.stale


@pytest.mark.parametrize(
    ("fix", "most", "outcome", "rounds"),
    [
        ("", 9, "no progress", 3),
        ("", 2, "limit", 2),
        ("import sys; sys.exit('cannot')", 9, "fix failed", 1),
        (
            "p = 'evaluations/eval-sets/s.json'\nt = open(p).read()\n"
            "open(p, 'w').write(t.replace('\"n\": 2', '\"n\": 0'))\n",
            9,
            "expectations changed",
            1,
        ),
        ("import os; os.remove('evaluations/evaluators/E.json')", 9, "expectations changed", 1),
    ],
)
def test_it_ends_where_nothing_is_won(root: Path, fix: str, most: int, outcome: str, rounds: int) -> None:
    answers(root, {"1": 1, "2": 0, "3": 0})
    report = loop(root, fix, most)
    assert (report.outcome, len(report.iterations), report.green) == (outcome, rounds, False)


def test_rows_that_only_the_new_behaviour_fails_are_listed(root: Path) -> None:
    answers(root, {"1": 1, "2": 2, "3": 0})
    report = loop(root, "import json; json.dump({'1': 1, '2': 20, '3': 3}, open('answers.json', 'w'))", 2)
    assert [(row.item, row.actual, row.expected) for row in report.stale] == [("item 2", {"n": 20}, {"n": 2})]


def test_what_the_fix_touched_of_the_expectations_is_named(root: Path) -> None:
    answers(root, {"1": 1, "2": 0, "3": 0})
    new = {"version": "1.0", "id": "t", "name": "T", "evaluatorRefs": [], "evaluations": []}
    report = loop(root, f"import json; json.dump({new!r}, open('evaluations/eval-sets/t.json', 'w'))")
    assert report.outcome == "expectations changed"
    assert report.words.endswith("nothing of it counts: t.json")


def test_nothing_to_score_is_not_green(make: Make) -> None:
    root = make([item("1", {"n": 1}, {})], [evaluator("E")])
    answers(root, {"1": 1})
    assert loop(root, "").outcome == "nothing to score"
