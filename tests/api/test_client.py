"""Our own client, as its docstring shows it."""

from __future__ import annotations

import httpx
import pytest

from reviewapp.client import ApiError, Client
from tests.api.conftest import Live


def test_the_main_job(sinks: Live) -> None:
    with Client(sinks.url) as client:
        tests, datasets = client.workflows.tests, client.evals.datasets
        test = tests.wait(tests.create(name="sinks", sample=2).id, timeout=30, poll_interval=0.05)
        read = {(r.iri, v.property): v.value for r in test.results for v in r.values or ()}
        assert read["record:sinks/S%204.0", "width"] == "60"
        for found in test.results[0].values or ():
            for span in found.spans or ():
                text = test.inputs[0].text
                assert text is not None
                assert text[span.start : span.end] == found.quote
        tests.answer(test.id, test.inputs[0].iri, "width", {"decision": "accept"})
        tests.answer(test.id, test.inputs[0].iri, "width", None)
        tests.answer(test.id, test.inputs[0].iri, "width", {"decision": "reject", "note": "no"})
        steps = tests.history(test.id, test.inputs[0].iri, "width").steps
        assert [step.decision for step in steps] == ["accept", None, "reject"]
        dataset = datasets.create("sinks", source={"kind": "test", "id": test.id})
        assert datasets.export(dataset.id).records == [
            {"name": "S 4.0", "text": test.inputs[0].text, "iri": test.inputs[0].iri}
        ]
        assert [row.id for row in datasets.all(limit=1)] == [dataset.id]
        assert [row.id for row in tests.all(name="sinks", limit=1)] == [test.id]
        assert tests.cancel(test.id).status == "done"
        assert datasets.delete(dataset.id).deleted


def test_a_refusal_is_an_error_with_its_code(live: Live) -> None:
    with Client(live.url) as client, pytest.raises(ApiError, match="nobody") as refused:
        client.workflows.tests.create(name="nobody")
    assert (refused.value.status, refused.value.code) == (404, "named_workflow_not_found")


def test_a_busy_server_is_asked_again_with_the_same_key() -> None:
    keys: list[str | None] = []

    def handler(request: httpx.Request) -> httpx.Response:
        keys.append(request.headers.get("Idempotency-Key"))
        if len(keys) == 1:
            raise httpx.ConnectError("cut", request=request)
        if len(keys) == 2:
            return httpx.Response(503, headers={"Retry-After": "0"}, text="busy")
        return httpx.Response(200, json={"id": "ds_1", "object": "eval_dataset", "deleted": True})

    with Client("http://test.invalid", transport=httpx.MockTransport(handler)) as client:
        assert client.evals.datasets.delete("ds_1").deleted
    assert len(keys) == 3
    assert len(set(keys)) == 1
    assert keys[0]
