"""The pages of models, budgets and calls."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from reviewapp.domain.workflows import WorkflowDefinition
from reviewapp.records import import_records
from reviewapp.running.runner import Runner
from reviewapp.tests import start_test
from reviewapp.workflows import put_workflow
from reviewapp.workspaces import DataFolder, Workspace
from tests.builders import WIDTH, records
from tests.models.fake_provider import FakeProvider, Step

HERE = "/w/default/models"


@pytest.fixture
def provider(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeProvider]:
    fake = FakeProvider()
    file = tmp_path / "models.toml"
    file.write_text(
        f'[providers.local]\nurl = "{fake.url}/v1"\nkey = "sk-secret-1234567"\nprice = {{ input = 1, output = 1 }}\n'
        'models = [{ name = "small", label = "Small one", efforts = ["low"] }]\n'
    )
    monkeypatch.setenv("REVIEWAPP_MODELS_FILE", str(file))
    yield fake
    fake.close()


@pytest.fixture
def shelves(workspace: Workspace) -> Workspace:
    texts = {"Shelf 1": "Width: 600 mm", "<b>Shelf 2</b>": "Width: 700 mm"}
    import_records(workspace, "tenders", records(texts), by="eva")
    put_workflow(workspace, WorkflowDefinition(name="shelves", collection="tenders", properties=(WIDTH,)), by="eva")
    return workspace


def test_without_any_provider_the_page_says_what_there_is(client: FlaskClient, workspace: Workspace) -> None:
    page = client.get(f"{HERE}/").text
    assert "embedded/rules" in page
    assert "nobody chose" in page
    assert "No calls yet" in client.get(f"{HERE}/calls").text


def test_choose_try_and_take_back(client: FlaskClient, shelves: Workspace, provider: FakeProvider) -> None:
    form = {"use": "extract", "workflow": "shelves", "model": "local/small", "effort": "low"}
    page = client.post(f"{HERE}/choose", data=form, follow_redirects=True).text
    assert "Read values: local/small, for workflow shelves." in page
    assert "effort low" in page
    assert "sk-secret" not in page
    assert "for $0.000100" in client.post(f"{HERE}/try", data=form, follow_redirects=True).text
    dropped = client.post(f"{HERE}/drop", data={"use": "extract", "workflow": "shelves"}, follow_redirects=True).text
    assert "The choice is taken back." in dropped
    assert shelves.choices.all() == []


def test_a_stopped_test_says_why_and_goes_on(
    client: FlaskClient, shelves: Workspace, data: DataFolder, provider: FakeProvider
) -> None:
    client.post(f"{HERE}/choose", data={"use": "extract", "model": "local/small"})
    form = client.get("/w/default/tests/new").text
    assert "local/small will be asked: for about $0.00" in form
    test = start_test(shelves, workflow="shelves", everything=True, by="eva")
    provider.script("Width", Step("no such key", status=401))
    Runner(data).run_until_idle()
    at = f"/w/default/tests/{test.id}"
    shown = client.get(at).text
    assert "local refused the key (401: no such key)." in shown
    assert "‖</span> stopped" in shown
    assert "Go on with 2 inputs not read" in shown
    assert f"Test {test.number} of shelves</a> has stopped: local refused the key" in client.get(f"{HERE}/").text
    client.post(f"{HERE}/budget", data={"dollars": "0"})
    assert "left for the workspace" in client.post(f"{at}/continue", follow_redirects=True).text
    refused = client.post("/w/default/tests/", data={"workflow": "shelves", "inputs": "all"})
    assert refused.status_code == 429
    assert "left for the workspace" in refused.text
    client.post(f"{HERE}/budget", data={"dollars": ""})
    assert "Going on with what was not read" in client.post(f"{at}/continue", follow_redirects=True).text
    provider.script("Width", '{"readings": []}')
    Runner(data).run_until_idle()
    after = client.get(at).text
    assert "$0.000200 of about $0.00" in after
    assert "stopped" not in after


@pytest.mark.parametrize(
    ("action", "form", "fault"),
    [
        ("choose", {"use": "extract", "model": "small"}, "names no model; write it as provider/model"),
        ("choose", {"use": "extract", "model": "nobody/x"}, "There is no provider &#39;nobody&#39; here"),
        ("choose", {"use": "embed", "model": "local/small"}, "is no use of a model"),
        ("try", {"model": "local/small"}, "refused the key (401: wrong)"),
        ("budget", {"dollars": "much"}, "&#39;much&#39; is no amount in US dollars"),
        ("budget", {"dollars": "NaN"}, "is no amount in US dollars"),
        ("budget", {"dollars": "-1"}, "expected 0 or more"),
    ],
)
def test_faults_keep_what_was_typed(
    action: str, form: dict[str, str], fault: str, client: FlaskClient, shelves: Workspace, provider: FakeProvider
) -> None:
    provider.script("connection", Step("wrong", status=401))
    answer = client.post(f"{HERE}/{action}", data=form)
    assert answer.status_code == 422
    assert fault in answer.text
    assert all(value in answer.text for value in form.values())


def test_a_budget_that_refuses_a_test(client: FlaskClient, shelves: Workspace, provider: FakeProvider) -> None:
    client.post(f"{HERE}/choose", data={"use": "extract", "model": "local/small"})
    page = client.post(f"{HERE}/budget", data={"of": "shelves", "dollars": "$0.0001"}, follow_redirects=True).text
    assert "Workflow shelves may spend $0.000100 a month." in page
    refused = client.post("/w/default/tests/", data={"workflow": "shelves", "which": "all"})
    assert "of this month&#39;s $0.000100 is left" in refused.text
    assert not provider.asked


def test_the_log_and_its_files(
    client: FlaskClient, data: DataFolder, shelves: Workspace, provider: FakeProvider
) -> None:
    provider.script("700 mm", '{"readings": "<script>alert(1)</script>"}', '{"readings": []}')
    client.post(f"{HERE}/choose", data={"use": "extract", "model": "local/small"})
    test = start_test(shelves, workflow="shelves", everything=True, by="eva")
    Runner(data).run_until_idle()
    page = client.get(f"{HERE}/calls", query_string={"test": test.id}).text
    assert page.count("tests/shelves") == 3
    assert "reply not usable" in page
    rows = shelves.calls.rows(test=test.id)
    bad = next(row for row in rows if row.status == "unreadable")
    shown = client.get(f"{HERE}/calls/{bad.id}").text
    assert "&lt;script&gt;alert(1)" in shown
    assert client.get(f"{HERE}/calls/999").status_code == 404
    lines = client.get(f"{HERE}/calls.csv").text.splitlines()
    assert (len(lines), lines[0].split(",")[:3]) == (4, ["id", "at", "route"])
    assert sum(int(line.split(",")[13]) for line in lines[1:]) == 300 == sum(r.cost_micro_usd for r in rows)
    assert "&lt;script" not in client.get(f"{HERE}/calls.jsonl").text
    assert len(client.get(f"{HERE}/calls.jsonl").text.splitlines()) == 3
