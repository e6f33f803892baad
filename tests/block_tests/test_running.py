"""Runs: what each test comes to, what is taken over, what a cancel leaves."""

from __future__ import annotations

import pytest

from reviewapp.block_tests import (
    cancel_run,
    change_test,
    delete_test,
    execute_run,
    get_run,
    list_tests,
    make_test,
    results,
    start_run,
)
from reviewapp.block_tests.drafts import draft_of
from reviewapp.domain.block_tests import BlockScope, SingleScope
from reviewapp.domain.conditions import LengthCompare
from reviewapp.errors import InvalidInput, NotFound
from reviewapp.evals.conditions.plain import RULES
from tests.block_tests.conftest import BLOCKS, TEXT, asserting, js, put, run, sum_test

LINES = {"lines": [1, 2]}


def only(found):
    (result,) = found.values()
    return result


def test_a_test_of_every_block(line):
    inputs = {
        "kind": asserting("category", kind="equals", expected="invoice"),
        "read": asserting("width", kind="number_compare", op=">=", expected=60),
        "split": asserting("splits.0.pages", handle="output-json-splits", kind="length_compare", op="eq", expected=1),
    }
    for block, assertion in inputs.items():
        make_test(line, "intake", block, assertion, inputs=js(TEXT), by="Ann")
    sum_test(line, LINES, kind="equals", expected=3)
    ended, found = run(line)
    assert ended.status == "completed"
    assert ended.counts == {
        "queued": 0,
        "running": 0,
        "passed": 4,
        "failed": 0,
        "blocked": 0,
        "error": 0,
        "cancelled": 0,
    }
    assert ended.succeeded
    kind = next(r for r in found.values() if r.block == "kind")
    assert kind.routing == ("output-file-invoice",)
    assert kind.outputs["output-file-invoice"] == TEXT
    assert len(kind.fingerprints.execution) == 32
    assert kind.block_type == "classify"


@pytest.mark.parametrize(
    ("data", "condition", "status", "code"),
    [
        (LINES, {"path": "total", "kind": "equals", "expected": 3}, "passed", None),
        (LINES, {"path": "total", "kind": "equals", "expected": 4}, "failed", "assertion_failed"),
        (LINES, {"path": "sum", "kind": "equals", "expected": 3}, "blocked", "path_not_found"),
        (LINES, {"path": "total", "kind": "starts_with", "expected": "3"}, "blocked", "type_error"),
        ({"fail": True}, {"path": "total", "kind": "exists"}, "error", "block_execution_failed"),
    ],
)
def test_what_a_test_comes_to(line, data, condition, status, code):
    sum_test(line, data, **condition)
    ended, found = run(line)
    result = only(found)
    assert (ended.status, result.status) == ("completed", status)
    verdict = result.assertion_result
    assert (verdict.failure.code if verdict.failure else None) == code
    if status == "error":
        assert result.lifecycle == "error"
        assert "ValueError: no lines" in result.error.message
        assert "Traceback" in result.error.raw
        assert (result.outcome, verdict.outcome) == (None, "blocked")


def test_a_judge_out_of_reach_is_an_error_of_the_assertion(line):
    sum_test(line, LINES, path="total", kind="llm_judged_as", rubric="small")
    result = only(run(line)[1])
    assert (result.status, result.assertion_result.status) == ("blocked", "error")
    again = only(run(line)[1])
    assert again.id != result.id  # a judge may be there the next time


def test_the_same_again_is_the_same_result(line):
    sum_test(line, LINES, kind="equals", expected=3)
    first, before = run(line)
    second, after = run(line)
    assert only(before) == only(after)
    assert (first.reused, second.reused) == (0, 1)
    assert only(after).run == first.id


def test_a_changed_assertion_is_judged_anew_on_the_same_outputs(line, sums):
    test = sum_test(line, LINES, kind="equals", expected=3)
    before = only(run(line)[1])
    change_test(line, test.id, assertion=asserting("total", kind="equals", expected=4), by="Ann")
    after = only(run(line)[1])
    assert (before.status, after.status) == ("passed", "failed")
    assert after.id != before.id
    assert after.fingerprints == before.fingerprints


def test_a_change_of_another_block_makes_a_new_record_of_the_same_outputs(line, monkeypatch):
    sum_test(line, LINES, kind="equals", expected=3)
    before = only(run(line)[1])
    put(line, [{**BLOCKS[0], "otherwise": "order"}, *BLOCKS[1:]])
    monkeypatch.setattr("reviewapp.block_tests.targets.make_runner", None)  # nothing is run
    ended, found = run(line)
    after = only(found)
    assert (after.status, ended.reused) == ("passed", 0)
    assert after.id != before.id
    assert after.fingerprints.block_config == before.fingerprints.block_config
    assert after.fingerprints.workflow_draft != before.fingerprints.workflow_draft


def test_changed_code_is_run(line, sums):
    sum_test(line, LINES, kind="equals", expected=3)
    before = only(run(line)[1])
    sums.write_text("def total(given):\n    return {'total': 7}\n")
    after = only(run(line)[1])
    assert (before.status, after.status) == ("passed", "failed")
    assert after.assertion_result.actual_value == 7


def test_code_that_cannot_be_found_is_never_taken_over(line, sums):
    sum_test(line, LINES, kind="equals", expected=3)
    sums.unlink()
    before, after = only(run(line)[1]), only(run(line)[1])
    assert before.status == after.status == "error"
    assert before.id != after.id


def test_a_condition_that_stumbles_costs_its_own_test_only(line, monkeypatch):
    stumbling = sum_test(line, LINES, kind="length_compare", op="eq", expected=1)
    holding = sum_test(line, LINES, kind="equals", expected=3)

    def stumble(*_):
        raise ZeroDivisionError("our bug")

    monkeypatch.setitem(RULES, LengthCompare, stumble)
    ended, found = run(line)
    verdict = found[stumbling.id].assertion_result
    assert (ended.status, found[holding.id].status, found[stumbling.id].status) == ("completed", "passed", "blocked")
    assert (verdict.status, verdict.failure.code) == ("error", "execution_error")
    assert "our bug" in verdict.failure.message


def test_what_cannot_be_read_back_is_never_kept(line, sums):
    sums.write_text(
        "def total(given):\n    found = 1\n    for _ in range(150):\n        found = [found]\n    return found\n"
    )
    sum_test(line, LINES, kind="exists")
    result = only(run(line)[1])
    assert "100 deep" in result.error.message
    deep = 1
    for _ in range(240):
        deep = [deep]
    for inputs in (js(deep), js(float("inf")), js("half \ud83d")):
        with pytest.raises(InvalidInput, match=r"source\.handle_inputs\.input-json-0: "):
            make_test(line, "intake", "sum", asserting("total", kind="exists"), inputs=inputs, by="Ann")
    assert len(list_tests(line, "intake")) == 1


def test_errors_are_run_again(line):
    sum_test(line, {"fail": True}, kind="exists")
    assert only(run(line)[1]).id != only(run(line)[1]).id


def test_scopes(line):
    one = sum_test(line, LINES, kind="equals", expected=3)
    sum_test(line, LINES, kind="equals", expected=4)
    make_test(line, "intake", "kind", asserting("category", kind="exists"), inputs=js(TEXT), by="Ann")
    assert len(run(line)[1]) == 3
    assert set(run(line, SingleScope(type="single", test_id=one.id))[1]) == {one.id}
    assert len(run(line, BlockScope(type="block", block_id="sum"))[1]) == 2
    assert run(line, BlockScope(type="block", block_id="read"))[0].status == "completed"
    for scope in (SingleScope(type="single", test_id="nope"), BlockScope(type="block", block_id="nope")):
        with pytest.raises(NotFound):
            start_run(line, "intake", scope, by="Ann")


def test_a_run_of_nothing_is_at_its_end(line):
    ended = start_run(line, "intake", by="Ann")
    assert (ended.status, ended.total, ended.finished is not None) == ("completed", 0, True)


def test_cancel_keeps_what_ended_and_nothing_comes_after_it(line):
    for number in range(3):
        sum_test(line, {"lines": [number]}, kind="equals", expected=number)
    started = start_run(line, "intake", by="Ann")
    seen = iter([True, True, False])
    execute_run(line, started.id, go_on=lambda: next(seen))
    assert get_run(line, started.id).counts["passed"] == 2
    cancelled = cancel_run(line, started.id, by="Ann")
    assert (cancelled.status, cancelled.counts["passed"], cancelled.counts["cancelled"]) == ("cancelled", 2, 1)
    assert execute_run(line, started.id).status == "cancelled"
    assert [r.status for r in results(line, started.id)] == ["passed", "passed", "cancelled"]
    with pytest.raises(NotFound, match="ended"):
        cancel_run(line, started.id, by="Ann")


def test_a_run_goes_on_where_it_was(line):
    for number in range(3):
        sum_test(line, {"lines": [number]}, kind="equals", expected=number)
    started = start_run(line, "intake", by="Ann")
    execute_run(line, started.id, go_on=iter([True, False]).__next__)
    first = results(line, started.id)
    assert len(first) == 1
    ended = execute_run(line, started.id)
    assert (ended.status, ended.counts["passed"]) == ("completed", 3)
    assert results(line, started.id)[0] == first[0]


def test_a_run_is_of_the_revision_it_was_started_on(line):
    test = make_test(
        line, "intake", "kind", asserting("category", kind="equals", expected="invoice"), inputs=js(TEXT), by="Ann"
    )
    started = start_run(line, "intake", by="Ann")
    order = {**BLOCKS[0], "categories": [{"name": "order", "cues": ["invoice"]}, {"name": "invoice"}]}
    put(line, [order, *BLOCKS[1:]])
    assert execute_run(line, started.id).counts["passed"] == 1
    assert run(line)[1][test.id].status == "failed"


def test_a_block_that_is_gone_is_an_error_of_its_tests(line):
    sum_test(line, LINES, kind="equals", expected=3)
    put(line, BLOCKS[:3])
    result = only(run(line)[1])
    assert (result.status, result.error.code) == ("error", "block_not_found")


def test_a_deleted_test_leaves_its_runs(line):
    one = sum_test(line, LINES, kind="equals", expected=3)
    sum_test(line, LINES, kind="equals", expected=4)
    ended, _ = run(line)
    delete_test(line, one.id, by="Ann")
    assert get_run(line, ended.id).total == 1
    assert len(results(line, ended.id)) == 1


def test_latest_results(line):
    test = sum_test(line, LINES, kind="equals", expected=3)
    assert line.block_tests.latest(test.id) == (None, None, None)
    passed = only(run(line)[1])
    change_test(line, test.id, assertion=asserting("nowhere", kind="equals", expected=4), by="Ann")
    blocked = only(run(line)[1])
    latest, good, bad = line.block_tests.latest(test.id)
    assert (latest.id, good.id, bad) == (blocked.id, passed.id, None)


def test_what_a_block_does_not_read_is_not_in_its_fingerprint(line):
    narrow = [*BLOCKS[:1], {**BLOCKS[1], "properties": ["width"]}, *BLOCKS[2:]]
    put(line, narrow)
    before = draft_of(line, "intake")
    for changes in (
        {"gates": {"material": 0.9}},
        {"properties": ["width", {"name": "material", "aliases": ["stuff"]}]},
    ):
        put(line, narrow, **changes)
        after = draft_of(line, "intake")
        assert after.config(after.block("read")) == before.config(before.block("read"))
    put(line, narrow, gates={"width": 0.9})
    after = draft_of(line, "intake")
    assert after.config(after.block("read")) != before.config(before.block("read"))


def test_fingerprints_follow_what_decides(line, sums):
    draft = draft_of(line, "intake")
    sum_block, read = draft.block("sum"), draft.block("read")
    before = draft.config(sum_block), draft.config(read)
    put(line, gate=0.9)
    after = draft_of(line, "intake")
    assert after.config(after.block("sum")) == before[0]
    assert after.config(after.block("read")) != before[1]
    assert after.fingerprint != draft.fingerprint
