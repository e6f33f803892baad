from __future__ import annotations

from typing import Any

import httpx
import pytest

from reviewapp.running.evaluating import EvaluationRunner
from tests.api.conftest import Live

KEY = {"Idempotency-Key": "evaluations:1"}
ITEMS = [
    {"name": "S 4.0", "text": "Sink, stainless steel.\nWidth: 600 mm", "values": [{"property": "width", "value": 60}]},
    {"name": "S 4.1", "text": "Sink.\nWidth: 45 cm", "values": [{"property": "width", "value": 45}]},
    {"name": "S 4.2", "text": "Shelf.", "leave_out": [{"property": "width", "value": None}]},
]


def post(http: httpx.Client, path: str, body: dict[str, Any], key: str = "k") -> dict[str, Any]:
    answer = http.post(path, json=body, headers={"Idempotency-Key": f"{path}:{key}"})
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


@pytest.fixture
def dataset(sinks: Live, http: httpx.Client) -> str:
    body = {"name": "Sinks", "items": ITEMS, "install": {"properties": {"width": "f64"}, "units": {"width": "cm"}}}
    return str(post(http, "/evals/datasets", body)["id"])


def test_grade_a_workflow_compare_with_outputs(sinks: Live, http: httpx.Client, dataset: str) -> None:
    started = post(http, "/evals/runs", {"dataset": dataset, "workflow": "sinks"}, "first")
    assert (started["status"], started["label"], started["dataset_version"]) == ("queued", "sinks, revision 1", 1)
    EvaluationRunner(sinks.data).run_until_idle()
    first = http.get("/evals/runs/get", params={"id": started["id"]}).json()
    assert first["status"] == "done"
    assert first["report"]["properties"]["width"]["read"]["counts"]["right"] == 2

    outputs = [
        {"name": "S 4.0", "values": [{"property": "width", "value": 61}]},
        {"name": "S 4.1", "values": [{"property": "width", "value": "45", "outcome": "review"}]},
        {"name": "S 4.2", "values": []},
    ]
    second = post(http, "/evals/runs", {"dataset": dataset, "outputs": outputs, "name": "theirs"}, "second")
    assert (second["status"], second["label"], second["items_done"]) == ("done", "theirs", 3)
    again = post(http, "/evals/runs", {"dataset": dataset, "outputs": outputs, "name": "theirs"}, "second")
    assert again["id"] == second["id"], "the same key does nothing twice"

    query = {"before": first["id"], "after": second["id"], "basis": "read"}
    compared = http.get("/evals/runs/compare", params=query).json()["comparison"]
    assert (compared["total"]["fixed"], compared["total"]["broken"], compared["items"]) == (0, 1, 3)
    (change,) = http.get("/evals/runs/changes", params=query).json()["data"]
    assert (change["item"], change["changes"][0]["kind"]) == ("S 4.0", "broken")
    assert change["changes"][0]["after"][0]["found"]["value"] == 61

    listed = http.get("/evals/runs", params={"limit": 1}).json()
    assert ([row["id"] for row in listed["data"]], listed["has_more"]) == ([second["id"]], True)
    rest = http.get("/evals/runs", params={"limit": 1, "cursor": listed["next_cursor"]}).json()
    assert [row["id"] for row in rest["data"]] == [first["id"]]
    faults = http.get("/evals/runs/results", params={"id": second["id"], "faulty": True}).json()["data"]
    assert [row["item"] for row in faults] == ["S 4.0", "S 4.1"]
    assert http.delete("/evals/runs", params={"id": first["id"]}).json()["deleted"] is True
    assert http.get("/evals/runs/get", params={"id": first["id"]}).status_code == 404


def test_cancel_one_that_waits(http: httpx.Client, dataset: str) -> None:
    started = post(http, "/evals/runs", {"dataset": dataset, "workflow": "sinks"})
    assert http.post("/evals/runs/cancel", params={"id": started["id"]}).json()["status"] == "cancelled"
    query = {"before": started["id"], "after": started["id"]}
    refused = http.get("/evals/runs/compare", params=query)
    assert (refused.status_code, refused.json()["error"]["code"]) == (409, "conflict")


@pytest.mark.parametrize(
    ("body", "status", "param"),
    [
        ({"workflow": "sinks", "test": "wtest_1"}, 400, "workflow"),
        ({}, 400, "workflow"),
        ({"workflow": "doors"}, 404, None),
        ({"workflow": "sinks", "version": 7}, 404, None),
        ({"outputs": [{"name": "x", "values": []}]}, 400, "outputs"),
        ({"outputs": [{"name": "S 4.0", "values": []}], "workflow": "sinks"}, 400, "outputs"),
        ({"outputs": [{"name": "S 4.0", "values": []}] * 2}, 400, "outputs"),
    ],
)
def test_what_cannot_be_graded(
    http: httpx.Client, dataset: str, body: dict[str, Any], status: int, param: str | None
) -> None:
    answer = http.post("/evals/runs", json={"dataset": dataset, **body}, headers=KEY)
    assert answer.status_code == status, answer.text
    assert answer.json()["error"].get("param") == param


def test_versions_differences_merge_and_split(http: httpx.Client, dataset: str) -> None:
    changed = {**ITEMS[0], "values": [{"property": "width", "value": 61}]}
    post(http, "/evals/datasets/items", {"id": dataset, "items": [changed]})
    versions = http.get("/evals/datasets/versions", params={"id": dataset}).json()["data"]
    assert [(v["version"], v["note"]) for v in versions] == [(2, "items added"), (1, "")]
    (change,) = http.get("/evals/datasets/diff", params={"id": dataset, "before": 1}).json()["changes"]
    assert (change["kind"], change["name"]) == ("changed", "S 4.0")
    assert change["before"]["values"][0]["value"] == 60

    def send(path: str, body: dict[str, Any]) -> httpx.Response:
        return http.post(path, json=body, headers=KEY)

    parts = send("/evals/datasets/split", {"id": dataset, "names": ["one", "two"], "pattern": "S 4.0"}).json()["data"]
    assert [p["item_count"] for p in parts] == [1, 2]
    merged = send("/evals/datasets/merge", {"ids": [p["id"] for p in parts], "name": "whole"}).json()
    assert [item["name"] for item in merged["items"]] == ["S 4.0", "S 4.1", "S 4.2"]
    first = post(http, "/evals/datasets", {"name": "other", "items": [ITEMS[0]]}, "other")["id"]
    clash = send("/evals/datasets/merge", {"ids": [first, dataset], "name": "clash"})
    assert (clash.status_code, clash.json()["error"]["code"]) == (409, "contradiction")


def test_the_gate(sinks: Live, http: httpx.Client) -> None:
    found = http.get("/workflows/named/gate", params={"workflow": "sinks"}).json()
    assert (found["gate"], found["study"]["values"], found["suggestion"]["likely"]) == (0.8, 0, None)
    changed = http.put("/workflows/named/gate", json={"workflow": "sinks", "gate": 0.7}).json()
    assert changed["gate"] == 0.7
    own = http.put("/workflows/named/gate", json={"workflow": "sinks", "gate": 0.9, "property": "width"}).json()
    assert (own["gate"], own["gates"]) == (0.7, {"width": 0.9})
    assert http.get("/workflows/named/gate", params={"workflow": "sinks", "property": "width"}).json()["gate"] == 0.9
    cleared = http.put("/workflows/named/gate", json={"workflow": "sinks", "property": "width"}).json()
    assert cleared["gates"] == {}
    late = http.put("/workflows/named/gate", json={"workflow": "sinks", "gate": 0.6, "expected_revision": "wrev_0"})
    assert (late.status_code, late.json()["error"]["code"]) == (409, "workflow_revision_conflict")
    assert http.get("/workflows/named/gate", params={"workflow": "doors"}).status_code == 404
