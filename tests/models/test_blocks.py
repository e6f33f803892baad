"""Blocks and conditions that ask a model: classify, split, extract, judge."""

from __future__ import annotations

import pytest

from reviewapp.block_tests import execute_run, make_test, results, run_workflow, start_run
from reviewapp.calls import set_budget
from reviewapp.choices import choose
from reviewapp.domain.conditions import Assertion
from reviewapp.domain.workflows import ModelExtractor, WorkflowDefinition
from reviewapp.records import import_records
from reviewapp.running.runner import Runner
from reviewapp.tests import get_inputs, get_test, start_test
from reviewapp.workflows import get_workflow, put_workflow
from tests.builders import records
from tests.models.conftest import CLAUDE, LOCAL, WIDTH

KIND = {"id": "kind", "type": "classify", "by": "model", "categories": [{"name": "invoice"}, {"name": "order"}]}
SPLIT = {"id": "split", "type": "split", "by": "model", "sections": [{"name": "invoice"}, {"name": "terms"}]}
READ = {"id": "read", "type": "extract"}


@pytest.fixture
def line(workspace, provider):
    provider.script("You judge whether quotes", '{"judgements": [{"number": 1, "support": 1.0}]}')
    import_records(workspace, "tenders", records({"one": "Width: 600 mm"}), by="eva")
    extractor = ModelExtractor(model=LOCAL)
    fields = {"name": "line", "collection": "tenders", "properties": (WIDTH,), "extractor": extractor}
    put_workflow(workspace, WorkflowDefinition.model_validate({**fields, "blocks": [KIND, SPLIT, READ]}), by="eva")
    choose(workspace, "decide", LOCAL, by="eva")
    return workspace


def test_blocks_ask_the_chosen_model(line, provider):
    provider.script("Say which of these", '{"category": "invoice"}')
    provider.script(
        "Part a document", '{"splits": [{"name": "terms", "pages": [2]}, {"name": "invoice", "pages": [1]}]}'
    )
    run = run_workflow(line, "line", text="Invoice. Width: 600 mm\fterms", by="eva")
    kind, split, read = run.steps
    assert kind.routing == ("output-file-invoice",)
    assert [one["name"] for one in split.outputs["output-json-splits"]["splits"]] == ["terms", "invoice"]
    assert read.outputs["output-json-0"] == {"width": 60.0}
    assert {call.workflow for call in line.calls.rows(limit=10)} == {"line"}


def test_a_reply_that_is_none_of_the_categories_fails_the_block(line, provider):
    provider.script("Say which of these", '{"category": "letter"}')
    kind = run_workflow(line, "line", text="x", by="eva").steps[0]
    assert kind.error is not None
    assert "letter" in kind.error


def ask_for_kind(workspace):
    """The line without its split, and a reader behind the category invoice alone."""
    settings = get_workflow(workspace, "line").active.settings
    behind = {**READ, "inputs": {"input-file-0": "kind.output-file-invoice"}}
    definition = settings.defined_as("line").model_dump(mode="json") | {"blocks": [KIND, behind]}
    put_workflow(workspace, WorkflowDefinition.model_validate(definition), by="eva")


def test_a_test_runs_the_line_at_its_own_desk(line, data_folder, provider):
    ask_for_kind(line)
    provider.script("Say which of these", '{"category": "invoice"}', '{"category": "order"}')
    import_records(line, "tenders", records({"one": "Width: 600 mm", "two": "Width: 70 cm"}), by="eva")
    test = start_test(line, workflow="line", everything=True, by="eva")
    Runner(data_folder, model_calls=1).run_until_idle()
    first, second = (row.result for row in get_inputs(line, test.id))
    assert [(v.property, v.value) for v in first.values] == [("width", 60.0)]
    assert second.passed_over == {"width": "Block 'read' was passed over: 'kind' found the category 'order'."}
    calls = line.calls.rows(limit=10)
    assert {(call.scope, call.test) for call in calls} == {("test", test.id)}
    assert sum(call.cost_micro_usd for call in calls) == get_test(line, test.id).cost_micro_usd > 0


def test_a_spent_budget_stops_a_test_of_a_line(line, data_folder, provider):
    ask_for_kind(line)
    test = start_test(line, workflow="line", everything=True, by="eva")
    set_budget(line, 0, by="eva")
    Runner(data_folder).run_until_idle()
    stopped = get_test(line, test.id)
    assert (stopped.state, stopped.cost_micro_usd) == ("stopped", 0)
    assert get_inputs(line, test.id)[0].result is None


def judged(workspace, kind, **fields):
    condition = {"kind": kind, "rubric": "a plausible width of a sink in cm", **fields}
    target = {"output_handle_id": "output-json-0", "path": "width"}
    make_test(
        workspace,
        "line",
        "read",
        Assertion.model_validate({"target": target, "condition": condition}),
        inputs={"input-json-0": {"type": "json", "data": "Width: 600 mm"}},
        by="eva",
    )
    run = execute_run(workspace, start_run(workspace, "line", by="eva").id)
    return results(workspace, run.id)[-1].assertion_result


@pytest.mark.parametrize(
    ("kind", "reply", "status"),
    [
        ("llm_judged_as", '{"holds": true, "reason": "60 cm is usual."}', "passed"),
        ("llm_judged_as", '{"holds": false, "reason": "Too wide."}', "failed"),
        ("llm_not_judged_as", '{"holds": false, "reason": "Too wide."}', "passed"),
        ("llm_judged_as", "no JSON at all", "error"),
    ],
)
def test_a_model_judges(line, provider, kind, reply, status):
    provider.script("Judge a value", reply)
    verdict = judged(line, kind)
    assert verdict.status == status
    if status == "failed":
        assert "Too wide." in verdict.failure.message


def test_without_a_chosen_model_a_judgement_is_blocked(workspace):
    import_records(workspace, "tenders", records({"one": "Width: 600 mm"}), by="eva")
    put_workflow(
        workspace,
        WorkflowDefinition(name="line", collection="tenders", properties=(WIDTH,), blocks=({**READ},)),  # type: ignore[arg-type]
        by="eva",
    )
    verdict = judged(workspace, "llm_judged_as")
    assert (verdict.outcome, verdict.status, verdict.failure.code) == ("blocked", "error", "execution_error")
    assert "choose one" in verdict.failure.message


def test_another_judge_judges_anew(line, provider):
    provider.script("Judge a value", '{"holds": true, "reason": "fine"}')
    judged(line, "llm_judged_as")
    first = execute_run(line, start_run(line, "line", by="eva").id)
    assert first.reused == 1
    choose(line, "decide", CLAUDE, by="eva")
    assert execute_run(line, start_run(line, "line", by="eva").id).reused == 0
