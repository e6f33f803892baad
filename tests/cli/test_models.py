"""``reviewapp model``, ``worker``, ``test examples``, ``again`` and ``replay``."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from reviewapp.cli.program import program
from tests.models.fake_provider import FakeProvider, Step

WORKFLOW = "name: shelves\ncollection: tenders\nproperties:\n  - {name: width, value_type: f64, unit: cm}\n"
RECORDS = '{"name": "Shelf 1", "text": "Width: 600 mm"}\n{"name": "Shelf 2", "text": "Width: 700 mm"}\n'


@pytest.fixture
def provider(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeProvider]:
    fake = FakeProvider()
    (tmp_path / "models.toml").write_text(
        f'[providers.local]\nurl = "{fake.url}/v1"\nprice = {{ input = 1, output = 1 }}\nmodels = ["small"]\n'
    )
    monkeypatch.setenv("REVIEWAPP_MODELS_FILE", str(tmp_path / "models.toml"))
    monkeypatch.setenv("REVIEWAPP_DATA", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "shelves.yaml").write_text(WORKFLOW)
    (tmp_path / "shelves.jsonl").write_text(RECORDS)
    run("records", "import", "shelves.jsonl", "-c", "tenders")
    run("workflow", "put", "shelves.yaml")
    yield fake
    fake.close()


def run(*arguments: str, code: int = 0) -> Result:
    result = CliRunner().invoke(program, list(arguments))
    assert result.exit_code == code, result.output
    return result


def test_choose_try_run_and_count(provider: FakeProvider) -> None:
    run("model", "choose", "extract", "local/small", "--workflow", "shelves")
    assert "local/small answered in" in run("model", "try", "local/small").output
    listed = json.loads(run("model", "list", "--json").stdout)
    assert [(c["use"], c["workflow"], c["model"]["model"]) for c in listed["chosen"]][-1] == (
        "extract",
        "shelves",
        "small",
    )
    run("test", "start", "shelves", "--all")
    run("worker", "--until-idle")
    calls = json.loads(run("model", "calls", "--test", "latest", "--json").stdout)["calls"]
    assert [c["status"] for c in calls] == ["answered", "answered"]
    assert "tests/shelves" in run("model", "calls").stdout
    shown = json.loads(run("model", "budget", "--set", "0.0001", "--workflow", "shelves", "--json").stdout)
    assert [(b["spent_micro_usd"], b["left_micro_usd"]) for b in shown["budgets"]] == [(200, 0)]
    refused = run("test", "start", "shelves", "--all", code=1)
    assert "of this month's $0.000100 is left" in refused.output
    run("model", "budget", "--set", "none", "--workflow", "shelves")
    run("model", "drop", "extract", "--workflow", "shelves")
    assert run("model", "budget", "--set", "much", code=2).output


def test_a_connection_that_fails(provider: FakeProvider) -> None:
    provider.script("connection", Step("wrong", status=401))
    failed = run("model", "try", "local/small", code=1)
    assert "local refused the key (401: wrong)." in failed.output
    assert "names no model" in run("model", "try", "small", code=2).output


def test_examples_again_and_replay(provider: FakeProvider, tmp_path: Path) -> None:
    run("model", "choose", "extract", "local/small")
    shown = json.loads(run("test", "examples", "shelves", "--json").stdout)["examples"]
    assert [(e["name"], e["writes"]) for e in shown] == [("Shelf 1", ["width"]), ("Shelf 2", ["width"])]
    assert "600 mm" in run("test", "examples", "shelves", "--sample", "1").stdout
    provider.script("700 mm", "no", "no", "no")
    (tmp_path / "data").joinpath("x").write_text("")
    run("model", "drop", "extract")
    reading = {"record": "Shelf 1", "readings": [{"property": "width", "value": "600 mm", "quote": "600 mm"}]}
    (tmp_path / "results.jsonl").write_text(json.dumps(reading))
    made = run("test", "replay", "results.jsonl", "--workflow", "shelves", "--wait").output
    assert "started on 1 reading of 1 record." in made
    assert "Checks passed 1" in made
    assert "nothing is left to run" in run("test", "again", "latest", code=1).output


def test_what_failed_is_run_again(provider: FakeProvider) -> None:
    run("model", "choose", "extract", "local/small")
    provider.script("700 mm", "no", "no", '{"readings": []}')
    run("test", "start", "shelves", "--all", "--wait")
    again = run("test", "again", "latest", "--wait").output
    assert "started on 1 record." in again
    assert "no value 1" in again
    assert len(provider.asked) == 4


def test_a_stopped_test_goes_on(provider: FakeProvider) -> None:
    run("model", "choose", "extract", "local/small")
    provider.script("600 mm", Step("wrong", status=401))
    provider.script("700 mm", Step("wrong", status=401))
    stopped = run("test", "start", "shelves", "--all", "--wait", code=1).output
    assert "for about $0.000" in stopped
    assert "Test 1 of shelves: stopped, 0 of 2 inputs read" in stopped
    assert "go on with the rest: reviewapp test continue 1" in stopped
    assert "stopped" in run("test", "list").output
    provider.script("600 mm", '{"readings": []}')
    provider.script("700 mm", '{"readings": []}')
    assert "Test 1 of shelves: done, 2 of 2 inputs read" in run("test", "continue", "latest", "--wait").output
    assert "Cost $0.000200; about $0.000" in run("test", "show", "latest").output
    assert "is done; there is nothing to go on with" in run("test", "continue", "1", code=1).output
