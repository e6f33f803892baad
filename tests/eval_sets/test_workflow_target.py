"""A workflow of the workspace as what an eval set is run on."""

from __future__ import annotations

from typing import Any

import pytest

from reviewapp.domain.properties import Property
from reviewapp.domain.records import IncomingRecord
from reviewapp.domain.workflows import WorkflowDefinition
from reviewapp.errors import NotFound
from reviewapp.eval_sets.projects import OpenProject
from reviewapp.eval_sets.targets import make_target
from reviewapp.eval_sets.workflow_targets import workflow_target
from reviewapp.records import declare_properties, import_records
from reviewapp.store.workspace import Workspace
from reviewapp.workflows import put_workflow
from tests.eval_sets.conftest import Make, evaluator, item

READ = {"text": "Customer: Ann Lee\nTotal: 60.0"}


@pytest.fixture
def letters(workspace: Workspace) -> Workspace:
    properties = [Property(name="total", value_type="f64"), Property(name="customer", value_type="text")]
    import_records(workspace, "letters", [IncomingRecord(name="a", text=READ["text"])], by="Ann")
    declare_properties(workspace, "letters", properties, by="Ann")
    put_workflow(workspace, WorkflowDefinition(name="letters", collection="letters"), by="Ann")
    return workspace


@pytest.mark.parametrize(
    ("inputs", "expected", "verdict", "says"),
    [
        pytest.param(READ, {"total": 60, "customer": "Ann Lee"}, "PASS", "", id="what it reads"),
        pytest.param({"text": "Total: 60"}, {"total": 60, "customer": None}, "PASS", "", id="nothing stands"),
        pytest.param(READ, {"Total": 60, "customer": "Ann Lee"}, "FAIL", "only the case differs", id="another key"),
        pytest.param({"txt": "x"}, {}, "ERROR", "Workflow letters reads inputs.text", id="no text"),
        pytest.param({"text": 5}, {}, "ERROR", "Workflow letters reads inputs.text", id="text that is a number"),
        pytest.param({"text": " \n"}, {}, "ERROR", "The record has no text", id="an empty text"),
    ],
)
def test_items_are_read_by_it(
    make: Make, letters: Workspace, inputs: dict[str, Any], expected: Any, verdict: str, says: str
) -> None:
    root = make([item("1", inputs, {"exact": {"expectedOutput": expected}})], [evaluator("exact")], "strict")
    target = make_target("workflow:letters", root, workflow=lambda name: workflow_target(letters, name))
    (row,) = OpenProject(root).score(target, target_name="workflow:letters")[0].rows
    assert row.verdict == verdict
    assert says in (row.why or "")


def test_a_workflow_that_is_not_there_is_told(workspace: Workspace) -> None:
    with pytest.raises(NotFound, match="There is no workflow 'nope'"):
        workflow_target(workspace, "nope")


def test_what_it_makes_is_known_by_its_settings(letters: Workspace) -> None:
    before = workflow_target(letters, "letters").fingerprint
    assert before == workflow_target(letters, "letters").fingerprint
    put_workflow(letters, WorkflowDefinition(name="letters", collection="letters", gate=0.9), by="Ann")
    assert workflow_target(letters, "letters").fingerprint != before
