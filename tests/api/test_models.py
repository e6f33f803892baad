"""Models, calls, budgets, replays and running again, through the API and its public client."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

import httpx
import pytest
from lbb import LbbClient, LbbError

from tests.api.conftest import Live
from tests.models.fake_provider import FakeProvider, Step

INSTALL = {"starter": "values.extract", "name": "sinks", "watch": {"class": "sinks"}}
LOCAL = {"provider": "local", "model": "small"}


@pytest.fixture
def provider(sinks: Live, monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeProvider]:
    fake = FakeProvider()
    file = sinks.settings.data.parent / "models.toml"
    file.write_text(
        f'[providers.local]\nurl = "{fake.url}/v1"\nprice = {{ input = 1, output = 1 }}\n'
        'models = [{ name = "small", label = "Small one", efforts = ["low"] }]\n'
    )
    monkeypatch.setenv("REVIEWAPP_MODELS_FILE", str(file))
    yield fake
    fake.close()


@pytest.fixture
def client(sinks: Live) -> Iterator[LbbClient]:
    """The public client."""
    with sinks.lbb() as opened:
        yield opened


def send(live: Live, method: str, path: str, **more: object) -> httpx.Response:
    headers = {"Idempotency-Key": f"{method}{path}{more}"[:150]}
    return httpx.request(method, f"{live.url}/v1{path}", headers=headers, **more)  # type: ignore[arg-type]


def test_a_test_on_a_model_through_the_public_client(sinks: Live, client: LbbClient, provider: FakeProvider) -> None:
    put = client.models.choices.put(use="extract", model=LOCAL)
    assert (put.model.provider, put.model.model) == ("local", "small")
    options = {f"{o.provider}/{o.model}": o for o in put.options}
    assert (options["local/small"].label, options["local/small"].efforts) == ("Small one", ["low"])
    assert options["local/small"].price_in_per_million_usd == 1
    test = client.workflows.tests.wait(client.workflows.tests.create(name="sinks").id, poll_interval=0.05)
    assert test.status.value == "done"
    assert test.uses == {"extract": "local/small", "decide": "embedded/support"}
    assert test.models["extract"].model == "small"
    assert test.cost_micro_usd == 300
    assert test.estimate_micro_usd > 0
    assert [r.cost_micro_usd for r in test.results] == [100, 100, 100]
    rows = send(sinks, "GET", "/models/calls", params={"test": test.id}).json()["data"]
    assert sum(row["cost_micro_usd"] for row in rows) == 300
    whole = send(sinks, "GET", "/models/calls/get", params={"id": rows[0]["id"]}).json()
    assert "readings" in whole["reply"]
    assert send(sinks, "GET", "/models/calls/get", params={"id": 999}).status_code == 404


def test_models_of_one_test_alone(sinks: Live, client: LbbClient, provider: FakeProvider) -> None:
    test = client.workflows.tests.create(name="sinks", models={"extract": {**LOCAL, "effort": "low"}}, sample=1)
    ended = client.workflows.tests.wait(test.id, poll_interval=0.05)
    assert ended.models["extract"].effort == "low"
    with pytest.raises(LbbError) as unsupported:
        client.workflows.tests.create(name="sinks", models={"extract": {"provider": "x", "model": "y"}})
    assert (unsupported.value.status_code, unsupported.value.code) == (400, "model_choice_unsupported")


def test_a_stopped_test_goes_on(sinks: Live, client: LbbClient, provider: FakeProvider) -> None:
    provider.script("You read", Step("wrong", status=401))
    test = client.workflows.tests.create(name="sinks", models={"extract": LOCAL})
    ended = client.workflows.tests.wait(test.id, poll_interval=0.05)
    assert (ended.status.value, ended.error) == ("failed", "local refused the key (401: wrong).")
    shown = send(sinks, "GET", "/workflows/named/tests/get", params={"id": test.id}).json()
    assert (shown["stopped"], shown["results"]) == (True, [])
    provider.script("You read", '{"readings": []}')
    queued = send(sinks, "POST", "/workflows/named/tests/continue", params={"id": test.id}).json()
    assert (queued["id"], queued["status"], queued["stopped"]) == (test.id, "queued", False)
    assert client.workflows.tests.wait(test.id, poll_interval=0.05).status.value == "done"
    same_key = send(sinks, "POST", "/workflows/named/tests/continue", params={"id": test.id})
    assert (same_key.status_code, same_key.json()["status"]) == (200, "done")
    refused = send(sinks, "POST", "/workflows/named/tests/continue", params={"id": test.id}, json={})
    assert (refused.status_code, refused.json()["error"]["code"]) == (400, "invalid_request")


def test_a_budget_refuses_with_the_words_of_the_protocol(
    sinks: Live, client: LbbClient, provider: FakeProvider
) -> None:
    body = {**INSTALL, "budget_usd_per_month": 0.0001}
    assert send(sinks, "PUT", "/workflows/triggered", json=body).status_code == 200
    assert send(sinks, "GET", "/workflows/named", params={"name": "sinks"}).json()["budget_usd_per_month"] == 0.0001
    with pytest.raises(LbbError) as refused:
        client.workflows.tests.create(name="sinks", models={"extract": LOCAL})
    error = refused.value
    assert (error.status_code, error.type, error.code) == (429, "rate_limit_error", "workflow_budget_exceeded")
    assert error.retryable is False
    assert error.retry_at_ms > datetime.now(UTC).timestamp() * 1_000
    assert client.workflows.tests.list().data == []
    assert not provider.asked
    put = send(sinks, "PUT", "/models/budgets", json={"micro_usd_per_month": None, "workflow": "sinks"})
    assert put.json()["left_micro_usd"] is None
    assert send(sinks, "PUT", "/models/budgets", json={"micro_usd_per_month": 7}).json()["left_micro_usd"] == 7
    listed = send(sinks, "GET", "/models/budgets").json()["data"]
    assert [(b["workflow"], b["micro_usd_per_month"]) for b in listed] == [(None, 7)]
    assert send(sinks, "PUT", "/models/budgets", json={"micro_usd_per_month": -1}).status_code == 400


def test_trying_a_model(sinks: Live, client: LbbClient, provider: FakeProvider) -> None:
    assert send(sinks, "POST", "/models/try", json={"model": LOCAL}).json()["status"] == "answered"
    provider.script("connection", Step("no such key", status=401))
    tried = send(sinks, "POST", "/models/try", json={"model": {**LOCAL, "effort": "low"}}).json()
    assert (tried["status"], tried["error"]) == ("failed", "local refused the key (401: no such key).")


def test_results_made_elsewhere_and_running_again(sinks: Live, client: LbbClient) -> None:
    records = [
        {"record": "S 4.0", "readings": [{"property": "width", "value": "600 mm", "quote": "Width: 600 mm"}]},
        {"record": "S 9", "text": "S 9 Sink. Width: 30 cm", "readings": {"width": "30 cm"}},
    ]
    refused = send(sinks, "POST", "/workflows/named/tests/replay", json={"name": "sinks", "records": records})
    assert (refused.status_code, refused.json()["error"]["code"]) == (400, "import_faults")
    body = {"name": "sinks", "records": records, "add_records": True}
    made = send(sinks, "POST", "/workflows/named/tests/replay", json=body).json()
    test = client.workflows.tests.wait(made["id"], poll_interval=0.05)
    assert [[(v.property, v.value, v.outcome) for v in r.values] for r in test.results] == [
        [("width", "60", "written")],
        [("width", "30", "written")],
    ]
    assert test.uses["extract"] == "program/replay"
    nothing = send(sinks, "POST", f"/workflows/named/tests/again?id={test.id}")
    assert nothing.status_code == 400
    assert "nothing is left to run" in nothing.json()["error"]["message"]


@pytest.mark.parametrize(
    "extractor", [{"kind": "command", "command": ["true"]}, {"kind": "python", "function": "os:x"}]
)
def test_programs_are_not_taken_from_elsewhere(sinks: Live, extractor: dict[str, object]) -> None:
    body = {**INSTALL, "name": "other", "params": {"extractor": extractor}}
    refused = send(sinks, "PUT", "/workflows/triggered", json=body)
    assert (refused.status_code, refused.json()["error"]["code"]) == (403, "programs_not_allowed")
    assert send(sinks, "POST", "/workflows/named/tests", json={"install": body}).status_code == 403
