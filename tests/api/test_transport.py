"""What every call has in common, by plain HTTP."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from reviewapp.keys import create_key, list_keys
from tests.api.conftest import Live

ITEM = {"name": "S 1", "text": "60 cm wide"}


def error_of(answer: httpx.Response) -> dict[str, object]:
    """The error body, after checking the shape that every error has."""
    body = answer.json()
    assert set(body) == {"error"}
    error: dict[str, object] = body["error"]
    assert {"type", "code", "message", "request_id", "doc_url"} <= set(error)
    assert error["request_id"] == answer.headers["X-Request-Id"]
    assert answer.headers["Content-Type"] == "application/json"
    return error


def test_curl_works_with_and_without_a_version(http: httpx.Client) -> None:
    body = '{"name": "mine", "items": [{"name": "S 1", "text": "60 cm"}]}'
    plain = http.post("/evals/datasets", content=body, headers={"Content-Type": "application/json"})
    assert plain.status_code == 200
    versioned = http.get("/evals/datasets", params={"graph": "default"}, headers={"Lbb-Version": "2026-10-21"})
    assert [row["id"] for row in versioned.json()["data"]] == [plain.json()["id"]]


REFUSALS = [
    ("GET", "/nowhere", None, {}, 404, "routing_error", "not_found"),
    ("GET", "/", None, {}, 404, "routing_error", "not_found"),
    ("PATCH", "/evals/datasets", None, {}, 405, "invalid_request_error", "method_not_allowed"),
    ("POST", "/evals/datasets", b"", {}, 400, "invalid_request_error", "invalid_request"),
    ("POST", "/evals/datasets", b"name=x", {"Content-Type": "text/plain"}, 415, None, "unsupported_media_type"),
    ("POST", "/evals/datasets", b"{", {}, 400, None, "invalid_json"),
    ("POST", "/evals/datasets", b"\xff\xfe", {}, 400, None, "invalid_json"),
    ("POST", "/evals/datasets", b'{"name": NaN}', {}, 400, None, "invalid_json"),
    ("POST", "/evals/datasets", b'{"name": "\\ud83d"}', {}, 400, None, "invalid_json"),
    ("POST", "/evals/datasets", b"[" * 100_000, {}, 400, None, "invalid_json"),
    ("POST", "/evals/datasets", b"null", {}, 400, None, "invalid_request"),
    ("POST", "/evals/datasets", b"[]", {}, 400, None, "invalid_request"),
    ("POST", "/evals/datasets", b'{"name": "x", "colour": 1}', {}, 400, None, "invalid_request"),
    ("POST", "/evals/datasets", b'{"name": "x", "kind": "labels"}', {}, 400, None, "invalid_request"),
    ("GET", "/evals/datasets?limit=0", None, {}, 400, None, "invalid_request"),
    ("GET", "/evals/datasets?limit=51", None, {}, 400, None, "invalid_request"),
    ("GET", "/evals/datasets?limit=x", None, {}, 400, None, "invalid_request"),
    ("GET", "/evals/datasets/get", None, {}, 400, None, "invalid_request"),
    ("GET", "/evals/datasets?graph=../etc", None, {}, 400, None, "invalid_request"),
    ("POST", "/evals/datasets", b'{"name": "x"}', {"Idempotency-Key": "k" * 256}, 400, None, "invalid_request"),
    ("POST", "/evals/datasets", b'{"name": "x"}', {"Origin": "https://evil.example"}, 403, "auth_error", "forbidden"),
    ("GET", "/evals/datasets", None, {"Host": "evil.example"}, 403, "auth_error", "forbidden"),
    ("GET", "/evals/datasets", None, {"Authorization": "Basic eA=="}, 401, "auth_error", "unauthorized"),
]


@pytest.mark.parametrize(("method", "path", "body", "headers", "status", "kind", "code"), REFUSALS)
def test_every_refusal_has_the_one_shape(
    http: httpx.Client,
    method: str,
    path: str,
    body: bytes | None,
    headers: dict[str, str],
    status: int,
    kind: str | None,
    code: str,
) -> None:
    headers = {**({"Content-Type": "application/json"} if body is not None else {}), **headers}
    answer = http.request(method, path, content=body, headers=headers)
    error = error_of(answer)
    assert (answer.status_code, error["code"]) == (status, code)
    assert kind is None or error["type"] == kind


def test_an_unknown_route_says_so_in_the_words_that_clients_look_for(http: httpx.Client) -> None:
    message = error_of(http.get("/reviews/get"))["message"]
    assert isinstance(message, str)
    assert message.startswith("no route for")


def test_nothing_redirects(http: httpx.Client) -> None:
    http.post("/evals/datasets", json={"name": "x"})
    assert http.get("/evals/datasets/").status_code == 200
    assert http.get("//evals//datasets").status_code == 404


def test_the_request_id_comes_back_when_it_is_a_plain_word(http: httpx.Client) -> None:
    assert http.get("/nowhere", headers={"X-Request-Id": "job-7.a"}).headers["X-Request-Id"] == "job-7.a"
    assert http.get("/nowhere", headers={"X-Request-Id": "a b"}).headers["X-Request-Id"].startswith("req_")


def test_two_threads_with_one_key_do_it_once(http: httpx.Client) -> None:
    start = threading.Barrier(8)

    def create(_: int) -> httpx.Response:
        start.wait()
        return http.post("/evals/datasets", json={"name": "x", "items": [ITEM]}, headers={"Idempotency-Key": "same"})

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(create, range(8)))
    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.json()["id"] for answer in answers}) == 1
    assert len(http.get("/evals/datasets").json()["data"]) == 1


def test_a_key_is_scoped_to_workspace_method_and_path(http: httpx.Client) -> None:
    key = {"Idempotency-Key": "k"}
    first = http.post("/evals/datasets?graph=one", json={"name": "x"}, headers=key).json()
    other = http.post("/evals/datasets?graph=two", json={"name": "x"}, headers=key).json()
    assert first["id"] != other["id"]
    added = http.post("/evals/datasets/items?graph=one", json={"id": first["id"], "items": [ITEM]}, headers=key)
    assert added.status_code == 200


def test_a_poll_costs_nothing_while_nothing_changes(sinks: Live, http: httpx.Client) -> None:
    test = http.post("/workflows/named/tests", json={"name": "sinks"}).json()
    with sinks.lbb() as client:
        client.workflows.tests.wait(test["id"], timeout=30, poll_interval=0.05)
    seen = http.get("/workflows/named/tests/changes", params={"id": test["id"]})
    assert seen.json()["status"] == "done"
    tag = {"If-None-Match": seen.headers["ETag"]}
    again = http.get("/workflows/named/tests/changes", params={"id": test["id"]}, headers=tag)
    assert (again.status_code, again.content) == (304, b"")
    answer = {"id": test["id"], "iri": test["inputs"][0]["iri"], "property": "width", "answer": {"decision": "accept"}}
    assert http.post("/workflows/named/tests/answer", json=answer).status_code == 200
    changed = http.get("/workflows/named/tests/changes", params={"id": test["id"]}, headers=tag)
    assert (changed.status_code, changed.json()["counts"]["answered"]) == (200, 1)


def test_a_stale_answer_overwrites_nothing(sinks: Live, http: httpx.Client) -> None:
    test = http.post("/workflows/named/tests", json={"name": "sinks"}).json()
    with sinks.lbb() as client:
        client.workflows.tests.wait(test["id"], timeout=30, poll_interval=0.05)
    bob = {"Authorization": f"Bearer {create_key(sinks.data, 'Bob', role='reviewer', by='Ann')[1]}"}
    cid = {"Authorization": f"Bearer {create_key(sinks.data, 'Cid', role='reviewer', by='Ann')[1]}"}
    address = {"id": test["id"], "iri": test["inputs"][0]["iri"], "property": "width"}
    said = {**address, "answer": {"decision": "accept"}, "seen": 0}
    assert http.post("/workflows/named/tests/answer", json=said, headers=bob).status_code == 200
    late = http.post("/workflows/named/tests/answer", json={**said, "answer": {"decision": "reject"}}, headers=cid)
    error = error_of(late)
    assert (late.status_code, error["code"]) == (409, "stale_answer")
    details = error["details"]
    assert isinstance(details, dict)
    assert (details["by"], details["decision"]) == ("Bob", "accept")
    steps = http.get("/workflows/named/tests/history", params=address, headers=cid).json()
    assert (steps["state"], [step["by"] for step in steps["steps"]]) == ("answered", ["Bob"])


def test_records_and_collections(http: httpx.Client) -> None:
    records = [{"name": f"r{n}", "text": f"Width {n} cm\r\nDepth 5 cm"} for n in range(3)]
    first = http.post("/records", json={"collection": "sinks", "records": records}).json()
    assert (first["new"], first["same"], first["changed"]) == (3, 0, 0)
    records[1]["text"] = "Width 9 cm"
    second = http.post("/records", json={"collection": "sinks", "records": records}).json()
    assert (second["new"], second["same"], second["changed"]) == (0, 2, 1)
    page = http.get("/records", params={"collection": "sinks", "limit": 2}).json()
    assert ([row["name"] for row in page["data"]], page["has_more"]) == (["r0", "r1"], True)
    http.delete("/records", params={"iri": first["iris"][1]})
    rest = http.get("/records", params={"collection": "sinks", "cursor": page["next_cursor"]}).json()
    assert [row["name"] for row in rest["data"]] == ["r2"]
    record = http.get("/records/get", params={"iri": first["iris"][0]}).json()
    assert record["text"] == "Width 0 cm\nDepth 5 cm"
    assert http.get("/records/get", params={"iri": first["iris"][1]}).status_code == 404
    twins = http.post(
        "/records", json={"collection": "sinks", "records": [{"name": "a", "text": "1"}, {"name": "a", "text": "2"}]}
    )
    assert error_of(twins)["code"] == "import_faults"
    put = http.put(
        "/collections/properties",
        json={"collection": "sinks", "properties": [{"name": "width", "value_type": "f64", "unit": "cm"}]},
    ).json()
    assert (put["record_count"], [p["name"] for p in put["properties"]]) == (2, ["width"])
    bad = http.put("/collections/properties", json={"collection": "sinks", "properties": [{"name": "w", "unit": "cm"}]})
    assert "only i64 and f64 take a unit" in str(error_of(bad)["message"])


def test_a_keys_last_use_is_known(live: Live, http: httpx.Client) -> None:
    secret = create_key(live.data, "script", by="Ann")[1]
    assert list_keys(live.data)[0].last_used is None
    http.get("/openapi.json", headers={"Authorization": f"Bearer {secret}"})
    http.get("/evals/datasets", headers={"Authorization": f"Bearer {secret}"})
    key = list_keys(live.data)[0]
    assert key.last_used is not None
    assert secret.startswith(key.shown)
    assert secret not in repr(key)
