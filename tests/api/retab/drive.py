"""What a user of the public client does, against a real server; run by a Python that has the client.

``python drive.py URL KEY tests|evals STATE`` where STATE is a file that says what the outer test did in between.
Fails with a traceback.
"""

from __future__ import annotations

import sys
import time

import retab

KINDS = [
    # condition, what the echo block is given, outcome
    ({"kind": "exists"}, {"value": None}, "passed"),
    ({"kind": "not_exists"}, {}, "passed"),
    ({"kind": "equals", "expected": None}, {"value": None}, "passed"),
    ({"kind": "equals", "expected": {"a": [1, True]}}, {"value": {"a": [1, True]}}, "passed"),
    ({"kind": "equals", "expected": 1}, {"value": True}, "failed"),
    ({"kind": "not_equals", "expected": 5}, {"value": 6}, "passed"),
    ({"kind": "number_compare", "op": "gte", "expected": 10}, {"value": 10}, "passed"),
    ({"kind": "number_compare", "op": "gt", "expected": 5}, {"value": "10"}, "blocked"),
    ({"kind": "between", "lower": 0, "upper": 2}, {"value": 2}, "passed"),
    ({"kind": "contains", "expected": "x"}, {"value": ["x"]}, "passed"),
    ({"kind": "not_contains", "expected": "x"}, {"value": "abc"}, "passed"),
    ({"kind": "starts_with", "expected": "IN"}, {"value": "INV"}, "passed"),
    ({"kind": "ends_with", "expected": "V"}, {"value": "INV"}, "passed"),
    ({"kind": "matches_regex", "pattern": "INV-\\d+"}, {"value": "INV-1x"}, "failed"),
    ({"kind": "object_contains", "expected": {"a": 1}}, {"value": {"a": 1, "b": 2}}, "passed"),
    ({"kind": "array_contains", "expected": {"a": 1}}, {"value": [{"a": 1}]}, "passed"),
    ({"kind": "length_compare", "op": "eq", "expected": 3}, {"value": "abc"}, "passed"),
    ({"kind": "json_schema_valid", "schema": {"type": "integer"}}, {"value": 3}, "passed"),
    (
        {"kind": "all_items_match", "condition": {"kind": "number_compare", "op": "gt", "expected": 0}},
        {"value": [1, 2]},
        "passed",
    ),
    ({"kind": "any_item_matches", "condition": {"kind": "equals", "expected": 1}}, {"value": []}, "failed"),
    ({"kind": "similarity_gte", "reference": "kitten", "threshold": 0.5}, {"value": "sitting"}, "passed"),
    ({"kind": "llm_judged_as", "rubric": "polite"}, {"value": "please"}, "blocked"),
    ({"kind": "llm_not_judged_as", "rubric": "rude"}, {"value": "please"}, "blocked"),
    (
        {"kind": "split_iou_gte", "expected": {"splits": [{"name": "a", "pages": [1, 2]}]}, "threshold": 0.5},
        {"value": {"splits": [{"name": "a", "pages": [1]}]}},
        "passed",
    ),
]


class Words:
    """The two names of the same thing."""

    def __init__(self, client, dialect):
        self.is_evals = dialect == "evals"
        self.api = client.workflows.evals if self.is_evals else client.workflows.tests
        self.single = "eval_id" if self.is_evals else "test_id"

    def of(self, thing):
        return getattr(thing, self.single)

    def total(self, run):
        return run.total_evals if self.is_evals else run.total_tests

    def passed(self, summary):
        return summary.passed if hasattr(summary, "passed") else summary.result

    def outputs(self, row):
        if self.is_evals:
            return {name: found.data for name, found in row.handle_outputs.items()}
        return row.outputs


def make(words, value, condition, path="value", block="echo", name=None, handle="output-json-0"):
    return words.api.create(
        workflow_id="intake",
        target={"type": "block", "block_id": block},
        source={"type": "manual", "handle_inputs": {"input-json-0": {"type": "json", "data": value}}},
        assertion={"target": {"output_handle_id": handle, "path": path}, "condition": condition, "label": "looked at"},
        name=name,
    )


def ended(words, run, seconds=60):
    until = time.monotonic() + seconds
    while run.lifecycle.status not in ("completed", "error", "cancelled"):
        assert time.monotonic() < until, run
        time.sleep(0.1)
        run = words.api.runs.get(run.id)
    return run


def rows(words, run_id, **options):
    found, page = [], words.api.results.list(run_id=run_id, **options)
    while True:
        found.extend(page.data)
        if page.list_metadata.after is None:
            return found
        page = words.api.results.list(run_id=run_id, **{**options, "after": page.list_metadata.after})


def refused(kind, call, *, said=None):
    try:
        call()
    except kind as error:
        caught = error
    else:
        raise AssertionError(f"expected {kind}")
    assert said is None or said in str(caught), caught
    return caught


def every_condition(words):
    made = {make(words, value, condition).id: (condition, outcome) for condition, value, outcome in KINDS}
    run = ended(words, words.api.runs.create(workflow_id="intake"))
    assert run.lifecycle.status == "completed", run
    assert words.total(run) == len(KINDS)
    outcomes = [outcome for _, outcome in made.values()]
    assert run.counts.outcome.passed == outcomes.count("passed"), run.counts
    assert run.counts.outcome.blocked == outcomes.count("blocked")
    found = rows(words, run.id, limit=7)
    assert len(found) == len(KINDS)
    for row in found:
        condition, outcome = made[words.of(row)]
        assert row.verdict == outcome, (condition, row)
        result = row.assertion_result
        assert result.condition_kind == condition["kind"]
        assert result.assertion_label == "looked at"
        assert (result.failure is None) == (outcome == "passed")
        if outcome == "blocked":
            assert "partial_path" in result.failure.details
        assert words.passed(row.verdict_summary) == (outcome == "passed")
        assert words.outputs(row).keys() == {"output-json-0"}
        again = words.api.results.get(row.id)
        assert again.id == row.id
    assert [r.id for r in rows(words, run.id, order="asc")] == [r.id for r in found][::-1]
    test = words.api.get(next(iter(made)))
    assert test.latest_run_summary.outcome == "passed"
    assert test.latest_passing_run_summary.run_record_id == test.latest_run_summary.run_record_id
    assert test.latest_failing_run_summary is None
    return list(made)


def paging(words, ids):
    newest = ids[::-1]
    first = words.api.list(workflow_id="intake", limit=10)
    assert [t.id for t in first.data] == newest[:10]
    assert first.list_metadata.before is None
    second = words.api.list(workflow_id="intake", limit=10, after=first.list_metadata.after)
    assert [t.id for t in second.data] == newest[10:20]
    back = words.api.list(workflow_id="intake", limit=10, before=second.list_metadata.before)
    assert [t.id for t in back.data] == newest[:10]
    oldest = words.api.list(workflow_id="intake", limit=10, order="asc")
    assert [t.id for t in oldest.data] == ids[:10]
    assert words.api.list(workflow_id="intake", target_block_id="read").data == []
    everything = [t.id for t in words.api.list(workflow_id="intake", limit=7)]
    assert everything in (newest, newest[:7])  # the client may walk all pages by itself


def changes(words):
    test = make(words, {"value": 5}, {"kind": "equals", "expected": 5}, name="five")
    scope = {"type": "single", words.single: test.id}
    one = ended(words, words.api.runs.create(workflow_id="intake", scope=scope))
    two = ended(words, words.api.runs.create(workflow_id="intake", scope=scope))
    first, second = rows(words, one.id)[0], rows(words, two.id)[0]
    assert first.id == second.id
    assert first.execution_fingerprint == second.execution_fingerprint
    changed = words.api.update(
        test.id,
        assertion={
            "target": {"output_handle_id": "output-json-0", "path": "value"},
            "condition": {"kind": "equals", "expected": 6},
        },
    )
    assert (changed.name, changed.assertion.condition.expected) == ("five", 6)
    three = ended(words, words.api.runs.create(workflow_id="intake", scope=scope))
    third = rows(words, three.id)[0]
    assert (third.verdict, third.id != first.id) == ("failed", True)
    assert third.assertion_result.actual_value == 5
    assert words.api.update(test.id, name="six").name == "six"
    assert words.api.update(test.id).name == "six"  # no body at all
    found = words.api.runs.list(workflow_id="intake", **{words.single: test.id})
    assert [r.id for r in found.data] == [three.id, two.id, one.id]
    latest = words.api.get(test.id)
    assert latest.latest_failing_run_summary.run_record_id == third.id
    assert latest.latest_passing_run_summary.run_record_id == first.id
    assert words.api.delete(test.id) is None
    refused(retab.NotFoundError, lambda: words.api.get(test.id))
    refused(retab.NotFoundError, lambda: words.api.results.get(third.id))


def blocks_that_fail(words):
    test = make(words, {"fail": True}, {"kind": "exists"}, path="total", block="sum")
    run = ended(words, words.api.runs.create(workflow_id="intake", scope={"type": "block", "block_id": "sum"}))
    (row,) = rows(words, run.id)
    assert (row.lifecycle.status, row.verdict) == ("error", None)
    assert "no lines" in row.lifecycle.message
    assert (row.assertion_result.outcome, row.assertion_result.failure.code) == ("blocked", "block_execution_failed")
    assert run.counts.lifecycle_counts.error == 1
    words.api.delete(test.id)


def cancelling(words):
    made = [make(words, {"wait": 0.4, "lines": [n]}, {"kind": "exists"}, path="total", block="sum") for n in range(6)]
    run = words.api.runs.create(workflow_id="intake", scope={"type": "block", "block_id": "sum"})
    assert run.lifecycle.status in ("pending", "queued", "running")
    time.sleep(0.6)
    stopped = words.api.runs.cancel(run.id)
    assert stopped.lifecycle.status == "cancelled"
    before = {r.id for r in rows(words, run.id)}
    time.sleep(1.0)
    after = rows(words, run.id)
    assert {r.id for r in after} == before
    assert stopped.counts.lifecycle_counts.cancelled > 0
    assert words.api.runs.get(run.id).lifecycle.status == "cancelled"
    refused(retab.NotFoundError, lambda: words.api.runs.cancel(run.id))
    assert words.api.runs.list(workflow_id="intake", status="cancelled").data[0].id == run.id
    assert run.id not in [r.id for r in words.api.runs.list(workflow_id="intake", exclude_status="cancelled").data]
    for test in made:
        words.api.delete(test.id)


def refusals(words, url, key):
    nope = {"type": "single", words.single: "wfnodetest_0"}
    for call in (
        lambda: words.api.get("wfnodetest_0"),
        lambda: words.api.delete("wfnodetest_0"),
        lambda: words.api.update("wfnodetest_0", name="x"),
        lambda: words.api.list(workflow_id="nope"),
        lambda: words.api.runs.create(workflow_id="nope"),
        lambda: words.api.runs.create(workflow_id="intake", scope=nope),
        lambda: words.api.runs.get("wftestrun_0"),
        lambda: words.api.results.list(run_id="wftestrun_0"),
        lambda: words.api.results.get("wfnodetestrun_0"),
        lambda: make(words, 1, {"kind": "exists"}, block="nope"),
    ):
        assert refused(retab.NotFoundError, call).code
    for call, said in (
        (lambda: words.api.list(workflow_id="intake", limit=0), "limit"),
        (lambda: words.api.list(workflow_id="intake", limit=101), "limit"),
        (lambda: words.api.list(workflow_id="intake", after="wfnodetest_0"), "after"),
        (lambda: make(words, 1, {"kind": "exists"}, name="   "), "name"),
        (
            lambda: words.api.create(
                workflow_id="intake",
                target={"type": "block", "block_id": "echo"},
                source={"type": "run_step", "run_id": "wtest_0"},
                assertion={"target": {"output_handle_id": "o"}, "condition": {"kind": "exists"}},
            ),
            "wtest_0",
        ),
    ):
        refused((retab.ValidationError, retab.NotFoundError), call, said=said)
    wrong = Words(retab.Retab(api_key="rk_wrong", base_url=url, max_retries=0), "evals" if words.is_evals else "tests")
    refused(retab.AuthenticationError, lambda: wrong.api.get("wfnodetest_0"))


def main(url, key, dialect):
    client = retab.Retab(api_key=key, base_url=url, max_retries=0)
    words = Words(client, dialect)
    ids = every_condition(words)
    paging(words, ids)
    changes(words)
    blocks_that_fail(words)
    cancelling(words)
    refusals(words, url, key)
    sys.stdout.write("all done\n")


if __name__ == "__main__":
    main(*sys.argv[1:4])
