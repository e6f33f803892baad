"""Loops in the background: cancelled, kept, and not run where what they run was changed."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from reviewapp.errors import NotAllowed
from reviewapp.eval_sets.keeping import allow_project, change_project, open_project
from reviewapp.eval_sets.looping import FixCommand
from reviewapp.eval_sets.loops import iterations_of, report_of_loop, run_kept_loop, start_loop
from reviewapp.evaluations import cancel_evaluation, get_evaluation
from reviewapp.store.workspace import Workspace
from tests.eval_sets.conftest import Make, evaluator, item

FILE = "evaluations/eval-sets/s.json"


@pytest.fixture
def root(make: Make) -> Path:
    root = make([item("1", {"n": 1}, {"E": {"expectedOutput": {"n": 1}}})], [evaluator("E")])
    (root / "outputs.json").write_text('{"1": {"n": 0}}')
    return root


@pytest.fixture
def project(workspace: Workspace, root: Path) -> str:
    opened = open_project(workspace, root, by="ann")
    fix = 'cat > got.json; echo \'{"1": {"n": 1}}\' > outputs.json'
    change_project(workspace, opened.id, target="outputs:outputs.json", fix=fix, by="ann")
    allow_project(workspace, opened.id, allowed=True, by="ann")
    return opened.id


def test_a_loop_runs_to_green(workspace: Workspace, project: str, root: Path) -> None:
    run = start_loop(workspace, project, FILE, most=5, by="ann")
    assert run_kept_loop(workspace, run.id).status == "done"
    assert [one.line for one in iterations_of(workspace, run.id)] == ["0 of 1 pass; failing 'item 1'", "1 of 1 pass"]
    report = report_of_loop(get_evaluation(workspace, run.id))
    assert report is not None
    assert (report.outcome, report.green) == ("green", True)
    assert json.loads((root / "got.json").read_text())["failures"][0]["why"] == "at n: 0, expected 1"


def test_an_error_of_ours_ends_the_loop_and_is_told(
    workspace: Workspace, project: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise KeyError("a bug")

    monkeypatch.setattr("reviewapp.eval_sets.loops.run_loop", broken)
    ended = run_kept_loop(workspace, start_loop(workspace, project, FILE, most=5, by="ann").id)
    assert (ended.status, ended.error) == ("failed", "The loop stopped with an error: KeyError: 'a bug'")


def test_another_fix_needs_leave_anew(workspace: Workspace, project: str) -> None:
    run = start_loop(workspace, project, FILE, most=5, by="ann")
    change_project(workspace, project, target="outputs:outputs.json", fix="rm -r .", by="bob")
    with pytest.raises(NotAllowed):
        start_loop(workspace, project, FILE, most=5, by="bob")
    ended = run_kept_loop(workspace, run.id)
    assert (ended.status, ended.error) == (
        "failed",
        "What the project runs was changed, or may no longer run; look at it and start the loop again.",
    )


def test_a_cancelled_loop_ends_its_fix(workspace: Workspace, project: str, root: Path) -> None:
    change_project(workspace, project, target="outputs:outputs.json", fix="touch began; sleep 60", by="ann")
    allow_project(workspace, project, allowed=True, by="ann")
    run = start_loop(workspace, project, FILE, most=5, by="ann")

    def go_on() -> bool:
        if (root / "began").exists():
            cancel_evaluation(workspace, run.id, by="ann")
        return True

    begun = time.monotonic()
    assert run_kept_loop(workspace, run.id, go_on=go_on).status == "cancelled"
    assert time.monotonic() - begun < 30


def test_a_fix_that_is_no_longer_wanted_is_ended(tmp_path: Path) -> None:
    begun = time.monotonic()
    assert FixCommand("sleep 60", tmp_path, go_on=lambda: False)(b"{}") == "The program was ended by SIGKILL."
    assert time.monotonic() - begun < 30
