"""What goes over the wire besides what the public client does: errors, keys, bodies, old fields, blocks, whole runs."""

from __future__ import annotations

import time

import pytest

from reviewapp.keys import create_key

TEST = {
    "workflow_id": "intake",
    "target": {"type": "block", "block_id": "sum"},
    "source": {"type": "manual", "handle_inputs": {"input-json-0": {"type": "json", "data": {"lines": [1, 2]}}}},
    "assertion": {
        "target": {"output_handle_id": "output-json-0", "path": "total"},
        "condition": {"kind": "compare", "op": ">=", "expected": 3},
    },
}


@pytest.fixture
def http(served):
    with served.http() as client:
        yield client


def ended(http, id):
    for _ in range(200):
        run = http.get(f"/workflows/tests/runs/{id}").json()
        if run["lifecycle"]["status"] in ("completed", "error", "cancelled"):
            return run
        time.sleep(0.05)
    raise AssertionError(run)


def test_the_pages_names_are_taken_and_the_clients_answered(http):
    made = http.post("/workflows/tests", json=TEST)
    assert made.status_code == 201
    body = made.json()
    assert body["assertion"]["condition"] == {"kind": "number_compare", "op": "gte", "expected": 3}
    assert body["assertion"]["id"].startswith("assert_")
    assert body["id"].startswith("wfnodetest_")
    assert body["schema_drift"] == "none"
    assert body["assertion_drift_status"] == "valid"
    assert body["assertion_schema_dep"]["schema_path"] == "properties.total"
    assert body["latest_run_summary"] is None
    assert body["created_at"].endswith("Z")


def test_the_flat_buckets_sum_up_and_the_row_has_both_words(http):
    http.post("/workflows/tests", json=TEST)
    run = ended(http, http.post("/workflows/tests/runs", json={"workflow_id": "intake"}).json()["id"])
    counts = run["counts"]
    flat = [counts[word] for word in ("queued", "running", "passed", "failed", "blocked", "error", "cancelled")]
    assert (sum(flat), counts["passed"], counts["outcome"]["passed"]) == (run["total_tests"], 1, 1)
    assert run["workflow"] == {
        "workflow_id": "intake",
        "version_id": run["workflow_version_id"],
        "name_at_run_time": "intake",
    }
    (row,) = http.get("/workflows/tests/results", params={"run_id": run["id"]}).json()["data"]
    assert (row["status"], row["lifecycle"], row["verdict"]) == (
        "passed",
        {**row["lifecycle"], "status": "completed"},
        "passed",
    )
    assert row["outputs"] == {"output-json-0": {"total": 3, "lines": [1, 2]}}
    assert row["assertion_result"]["status"] == "passed"
    assert row["verdict_summary"]["result"] is row["verdict_summary"]["passed"] is True
    assert isinstance(row["duration_ms"], int)
    assert run["trigger"] == {"type": "api"}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"block_id": "sum"}, "'block_id' is not taken here; use 'target.block_id'"),
        ({"run_id": "wfrun_1"}, "use 'source.run_id'"),
        ({"step_id": "sum"}, "use 'source.step_id'"),
        ({"handle_inputs": {}}, "use 'source.handle_inputs'"),
        ({"odd": 1}, "odd"),
        ({"target": {"type": "block", "block_id": "sum", "odd": 1}}, "target.odd"),
        ({"source": {"type": "manual", "odd": 1}}, "source.odd"),
        ({"source": {"type": "else"}}, "source"),
        ({"assertion": None}, "assertion"),
        ({"assertion": {**TEST["assertion"], "odd": 1}}, "assertion.odd"),
        ({"assertion": {**TEST["assertion"], "condition": {"kind": "equals", "odd": 1}}}, "odd"),
        ({"assertion": {**TEST["assertion"], "target": {"output_handle_id": "o", "odd": 1}}}, "assertion.target.odd"),
        ({"assertion": {**TEST["assertion"], "condition": {"kind": "nope"}}}, "condition"),
        ({"workflow_id": None}, "workflow_id"),
        ({"name": " "}, "name"),
    ],
)
def test_a_body_that_does_not_fit_is_refused_by_name(http, change, said):
    refused = http.post("/workflows/tests", json={**TEST, **change})
    assert refused.status_code == 422, refused.text
    assert refused.json().keys() == {"detail"}
    assert said in refused.json()["detail"]["message"]
    assert refused.headers["x-request-id"].startswith("req_")


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({"test_id": "x"}, "scope"),
        ({"block_id": "x"}, "scope"),
        ({"target": {}}, "scope"),
        ({"scope": {"type": "single"}}, "scope.test_id"),
    ],
)
def test_a_run_by_old_fields_is_refused_with_a_hint(http, body, said):
    refused = http.post("/workflows/tests/runs", json={"workflow_id": "intake", **body})
    assert (refused.status_code, said in refused.json()["detail"]["message"]) == (422, True)


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({}, "found no input, expected one of text, iri, document and data"),
        ({"text": "a", "data": None}, "found text and data, expected one of"),
        ({"text": "a", "iri": "b", "document": {}}, "found text and iri and document, expected one of"),
        ({"document": 5}, "document: found 5, expected any of: fields with values, a text."),
        ({"document": {"filename": "a.pdf"}}, "document.original_id: is missing."),
    ],
)
def test_a_whole_run_takes_one_input(http, body, said):
    refused = http.post("/workflows/runs", json={"workflow_id": "intake", **body})
    assert (refused.status_code, said in refused.json()["detail"]["message"]) == (422, True), refused.text


def test_a_change_takes_no_null_assertion_and_no_body_at_all(http):
    id = http.post("/workflows/tests", json=TEST).json()["id"]
    assert http.patch(f"/workflows/tests/{id}", json={"assertion": None}).status_code == 422
    assert http.patch(f"/workflows/tests/{id}", json={"block_id": "x"}).status_code == 422
    for content in (b"", b"{}"):
        answer = http.patch(f"/workflows/tests/{id}", content=content, headers={"Content-Type": "application/json"})
        assert answer.status_code == 200
    gone = http.request("DELETE", f"/workflows/tests/{id}", headers={"Content-Type": "application/json"})
    assert (gone.status_code, gone.content) == (204, b"")


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/workflows/tests/nope", 404),
        ("GET", "/workflows/tests", 422),
        ("GET", "/workflows/tests?workflow_id=intake&order=up", 422),
        ("GET", "/workflows/tests?workflow_id=intake&before=a&after=b", 422),
        ("GET", "/workflows/tests/runs?from_date=soon", 400),
        ("GET", "/workflows/tests/runs?limit=x", 422),
        ("PUT", "/workflows/tests", 405),
        ("GET", "/workflows/tests/a/b/c", 404),
        ("POST", "/workflows/evals/runs/wftestrun_0/cancel", 404),
    ],
)
def test_every_error_has_one_shape(http, method, path, status):
    answer = http.request(method, path)
    assert answer.status_code == status
    assert answer.json()["detail"].keys() == {"code", "message", "details"}


def test_dates_with_a_space_and_lists_by_repeated_keys(http):
    http.post("/workflows/tests", json=TEST)
    id = http.post("/workflows/tests/runs", json={"workflow_id": "intake"}).json()["id"]
    ended(http, id)

    def found(**params):
        return [run["id"] for run in http.get("/workflows/tests/runs", params=params).json()["data"]]

    assert found(from_date="2026-05-01 00:00:00+00:00") == [id]
    assert found(from_date="2026-05-01", to_date="2026-05-02") == []
    assert found(statuses=["running", "completed"], trigger_types=["api", "manual"]) == [id]
    assert found(statuses=["running"]) == []
    assert found(trigger_type="schedule") == []


def test_both_headers_and_a_key_of_one_workspace(served):
    served.data.workspace("other", create=True)
    _, secret = create_key(served.data, "other", role="author", workspace="other", by="Ann")
    with served.http(secret) as http:
        assert http.get("/workflows/blocks", params={"workflow_id": "intake"}).status_code == 404
        assert http.get("/workflows/blocks", params={"workflow_id": "intake", "graph": "default"}).status_code == 403
    with served.http("rk_wrong") as http:
        refused = http.get("/workflows/tests/x")
        assert (refused.status_code, refused.json()["detail"]["code"]) == (401, "unauthorized")
    import httpx

    bearer = httpx.get(
        f"{served.url}/v1/workflows/blocks?workflow_id=intake", headers={"Authorization": f"Bearer {served.key}"}
    )
    assert bearer.status_code == 200


def test_roles(served):
    _, secret = create_key(served.data, "viewer", role="viewer", by="Ann")
    with served.http(secret) as http:
        assert http.get("/workflows/tests", params={"workflow_id": "intake"}).status_code == 200
        assert http.post("/workflows/tests", json=TEST).status_code == 403
        assert http.post("/workflows/tests/runs", json={"workflow_id": "intake"}).status_code == 403


def test_blocks_say_what_a_test_can_look_at(http):
    found = http.get("/workflows/blocks", params={"workflow_id": "intake"}).json()
    assert [block["id"] for block in found["data"]] == ["kind", "read", "split", "sum", "echo"]
    assert "output-file-invoice" in found["data"][0]["output_handles"]


def test_a_test_from_a_step_of_a_whole_run(http):
    run = http.post("/workflows/runs", json={"workflow_id": "intake", "text": "An invoice.\nWidth: 600 mm"}).json()
    step = next(step for step in run["steps"] if step["step_id"] == "read")
    assert step["outputs"]["output-json-0"]["width"] == 60
    assert http.get(f"/workflows/runs/{run['id']}").json() == run
    body = {
        **TEST,
        "target": {"type": "block", "block_id": "read"},
        "source": {"type": "run_step", "run_id": run["id"]},
        "assertion": {
            "target": {"output_handle_id": "output-json-0", "path": "width"},
            "condition": {"kind": "equals", "expected": 60},
        },
    }
    made = http.post("/workflows/tests", json=body).json()
    assert made["source"] == {"type": "run_step", "run_id": run["id"], "step_id": None}
    ran = ended(http, http.post("/workflows/tests/runs", json={"workflow_id": "intake"}).json()["id"])
    assert ran["counts"]["passed"] == 1


def test_evals_have_their_own_names(http):
    id = http.post("/workflows/evals", json=TEST).json()["id"]
    started = http.post(
        "/workflows/evals/runs", json={"workflow_id": "intake", "scope": {"type": "single", "eval_id": id}}
    ).json()
    assert (started["eval_id"], started["total_evals"]) == (id, 1)
    ended(http, started["id"])
    (row,) = http.get("/workflows/evals/results", params={"run_id": started["id"]}).json()["data"]
    assert (row["eval_id"], row["workflow_eval_run_id"], row["block_type"]) == (id, started["id"], "function")
    assert row["handle_outputs"]["output-json-0"]["data"]["total"] == 3
    assert row["handle_inputs"]["input-json-0"] == {"type": "json", "data": {"lines": [1, 2]}}


@pytest.mark.parametrize("number", ["1e999", "-1e999", "NaN"])
def test_a_number_that_no_one_can_hold_is_refused(http, number):
    body = '{"workflow_id": "intake", "data": ' + number + "}"
    answer = http.post("/workflows/runs", content=body)
    assert (answer.status_code, answer.json()["detail"]["code"]) == (422, "invalid_json")


def test_values_nested_deeply_come_back_or_are_refused(http):
    for depth in (50, 400, 3_000):
        data = "[" * depth + "]" * depth
        body = '{"workflow_id": "intake", "data": ' + data + "}"
        answer = http.post("/workflows/runs", content=body)
        assert answer.status_code in (201, 422), answer.text[:300]
