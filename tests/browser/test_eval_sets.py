"""The pages of eval sets in a real browser: scoring with a button."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from reviewapp.eval_sets import keeping, loops
from reviewapp.running.evaluating import EvaluationRunner
from reviewapp.workspaces import DataFolder, Workspace
from tests.browser.conftest import RunningServer

pytestmark = [pytest.mark.browser, pytest.mark.slow]
FILE = "evaluations/eval-sets/smoke.json"


def smoke_project(here: Workspace, data: DataFolder, root: Path) -> tuple[str, str]:
    """Ids of a project with a run and one whose behaviour changed, and of the later run."""
    exact = {"version": "1.0", "id": "E", "evaluatorTypeId": "uipath-exact-match", "evaluatorConfig": {"name": "Exact"}}
    items = [
        {
            "id": str(number),
            "name": name,
            "inputs": {"invoice": f"Invoice {number}: total 119.00 EUR, " + "paid by bank transfer " * number},
            "evaluationCriterias": {"E": {"expectedOutput": {"total": 119, "currency": "EUR", "paid": True}}},
        }
        for number, name in enumerate(("paid invoice", "unpaid invoice", "a" * 90, "فاتورة"), 1)
    ]
    right = {"total": 119, "currency": "EUR", "paid": True}
    files = {
        FILE: {"version": "1.0", "id": "s", "name": "Smoke", "evaluatorRefs": ["E", "gone"], "evaluations": items},
        "evaluations/evaluators/e.json": exact,
        "outputs.json": {"1": right, "2": {**right, "paid": "true"}, "3": right, "4": {"Total": 119}},
    }
    for name, content in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(json.dumps(content, indent=2))
    made = keeping.open_project(here, root, by="Ann").id
    keeping.change_project(here, made, target="outputs:outputs.json", by="Ann")
    for changed in ({}, {"1": {**right, "paid": False}}):
        (root / "outputs.json").write_text(json.dumps({**files["outputs.json"], **changed}))
        keeping.start_score(here, made, FILE, by="Ann")
        EvaluationRunner(data).run_until_idle()
    return made, keeping.list_runs(here, made)[0].id


def smoke_loop(here: Workspace, data: DataFolder, project: str) -> str:
    """Id of a loop that ended without green, with a question at its end."""
    first, second = (f'{{"total": 119, "currency": "EUR", "paid": {paid}}}' for paid in ("true", "false"))
    fix = f'echo \'{{"1": {second}, "2": {first}}}\' > outputs.json'
    root = Path(keeping.get_project(here, project).folder)
    (root / "outputs.json").write_text(f'{{"1": {first}}}')
    keeping.change_project(here, project, target="outputs:outputs.json", fix=fix, by="Ann")
    keeping.allow_project(here, project, allowed=True, by="Ann")
    run = loops.start_loop(here, project, FILE, most=2, by="Ann").id
    EvaluationRunner(data).run_until_idle()
    return run


@pytest.fixture
def project(server: RunningServer, tmp_path: Path) -> str:
    return smoke_project(server.workspace, server.data, tmp_path / "invoice-agent")[0]


def test_a_set_is_scored_with_a_button(browser: Browser, server: RunningServer, project: str) -> None:
    page = browser.new_page(base_url=server.url)
    page.goto(f"/w/default/eval-sets/{project}/")
    page.get_by_role("button", name="Score Smoke").click()
    EvaluationRunner(server.data).run_until_idle()
    expect(page.get_by_text("1 of 4 pass", exact=False).first).to_be_visible()
    page.get_by_role("link", name="Smoke").first.click()
    page.close()


def test_a_loop_is_started_watched_and_answered(browser: Browser, server: RunningServer, project: str) -> None:
    smoke_loop(server.workspace, server.data, project)
    page = browser.new_page(base_url=server.url)
    page.goto(f"/w/default/eval-sets/{project}/")
    page.get_by_label("Most rounds").fill("2")
    page.get_by_role("button", name="Start the loop").click()
    expect(page.get_by_text("round 1 of at most 2")).to_be_visible()
    EvaluationRunner(server.data).run_until_idle()
    expect(page.get_by_text("The limit of iterations is reached.")).to_be_visible()  # by itself
    page.go_back()
    page.get_by_role("region", name="Loops").or_(page.get_by_label("Loops")).get_by_role("link", name="3").click()
    page.get_by_role("button", name="The output of paid invoice is right").click()
    expect(page.get_by_text("paid invoice: the expectation is now what the target gave.")).to_be_visible()
    expect(page.get_by_text("the output is right")).to_be_visible()
    page.close()
