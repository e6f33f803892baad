"""Providers at their worst, through their real libraries: what becomes of the text, what it counts, what is told."""

from __future__ import annotations

import socket
import time
from pathlib import Path

import pytest

from reviewapp.calls import list_calls, set_budget
from reviewapp.domain.choices import ModelName
from reviewapp.domain.tests import InputResult
from reviewapp.domain.workflows import ModelExtractor
from reviewapp.extraction.models.clients import takes_newer_limit
from reviewapp.extraction.models.faults import REPLY_BYTES
from reviewapp.extraction.models.providers import Provider
from reviewapp.models import models
from reviewapp.running.runner import Runner
from reviewapp.store.calls import NewCall
from reviewapp.tests import cancel_test, get_input, get_test
from reviewapp.workspaces import DataFolder, Workspace
from tests.models.conftest import CLAUDE, KEY, LOCAL, Run, Start
from tests.models.fake_provider import FakeProvider, Step

TEXT = {"Shelf 5": "Shelf 5, oak.\nWidth: 500 mm"}
READ = '{"readings": [{"property": "width", "value": "500 mm", "quote": "Width: 500 mm"}]}'
MOST = 5_000
"""More than a call of these tests costs, less than all that one may cost."""


def result(workspace: Workspace, run: Run, model: ModelName = LOCAL) -> InputResult:
    test = run(TEXT, ModelExtractor(model=model))
    read = get_input(workspace, test.id, 0).result
    assert read is not None
    assert read.cost_micro_usd == test.cost_micro_usd == sum(c.cost_micro_usd for c in list_calls(workspace))
    return read


@pytest.mark.parametrize("model", [LOCAL, CLAUDE])
@pytest.mark.parametrize(
    ("step", "failed"),
    [
        (Step(refusal="I cannot read this."), "The model refused to answer"),
        (Step(body="<html>Please sign in</html>", headers={"content-type": "text/html"}), "cannot be understood"),
        (Step(body="\ufffd{"), "cannot be understood"),
        (Step(body=""), "cannot be understood"),
        (Step(body='{"error": {"message": "model is loading"}}'), "cannot be understood"),
        (Step("too large", status=413), "refused the call (413: too large)"),
    ],
    ids=["refusal", "html", "garbage", "nothing", "error", "413"],
)
def test_an_answer_that_is_no_reply_fails_its_record_at_once(
    step: Step, failed: str, model: ModelName, workspace: Workspace, provider: FakeProvider, run: Run
) -> None:
    provider.script("Shelf 5,", step)
    assert failed in (result(workspace, run, model).failed or "")
    assert len(provider.asked) == 1


def test_a_refusal_is_kept_in_the_models_own_words(workspace: Workspace, provider: FakeProvider, run: Run) -> None:
    provider.script("Shelf 5,", Step(refusal="I cannot read this."))
    read = result(workspace, run)
    assert (read.failed, read.raw) == ("The model refused to answer: I cannot read this.", "I cannot read this.")
    assert list_calls(workspace)[0].reply == "I cannot read this."


@pytest.mark.parametrize("model", [LOCAL, CLAUDE])
def test_a_reply_in_a_tool_call_behind_words_is_read(
    model: ModelName, workspace: Workspace, provider: FakeProvider, run: Run
) -> None:
    provider.script("Shelf 5,", Step("I will call the tool.", tool=READ))
    assert [v.value for v in result(workspace, run, model).values] == [50.0]


@pytest.mark.parametrize("model", [LOCAL, CLAUDE])
@pytest.mark.parametrize(
    ("step", "failed"),
    [
        (Step(f"<think>Is it {READ}? But no"), "The reply ends among the model's thoughts. Asked 2 times."),
        (Step(f"I think {READ} but", finish="length"), "The reply is cut off. It ended at its limit of 4,096 tokens"),
        (Step(READ[:50], finish="length"), "The reply is cut off. It ended at its limit"),
    ],
    ids=["thoughts", "draft", "half"],
)
def test_half_a_reply_is_never_read(
    step: Step, failed: str, model: ModelName, workspace: Workspace, provider: FakeProvider, run: Run
) -> None:
    provider.script("Shelf 5,", step)
    read = result(workspace, run, model)
    assert (read.values, failed in (read.failed or "")) == ((), True)


def test_marks_of_thoughts_in_a_quote_are_words(workspace: Workspace, provider: FakeProvider, run: Run) -> None:
    provider.script("Shelf 5;", READ.replace("Width:", "<think> Width:"))
    test = run({"Shelf 5": "Shelf 5; <think> Width: 500 mm"}, ModelExtractor(model=LOCAL))
    read = get_input(workspace, test.id, 0).result
    assert read is not None
    assert [(v.value, v.quote) for v in read.values] == [(50.0, "<think> Width: 500 mm")]


def test_an_answer_that_trickles_is_timed_as_a_whole(
    workspace: Workspace, provider: FakeProvider, models_file: Path, run: Run
) -> None:
    models_file.write_text(models_file.read_text().replace("seconds = 3", "seconds = 0.6"))
    provider.script("Shelf 5,", Step(READ, trickle=0.2), READ)
    assert result(workspace, run).failed is None
    assert list_calls(workspace)[-1].error == "local did not answer within 0.6 seconds."


def test_an_answer_without_an_end_is_left(workspace: Workspace, provider: FakeProvider, run: Run) -> None:
    provider.script("Shelf 5,", Step(body="x" * (REPLY_BYTES + 1)))
    assert result(workspace, run).failed == "local's answer cannot be used: it is longer than 20 MB."
    assert len(provider.asked) == 1


def test_a_key_goes_nowhere_else(workspace: Workspace, provider: FakeProvider, run: Run) -> None:
    elsewhere = FakeProvider()
    try:
        provider.script("Shelf 5,", Step("", status=307, headers={"location": f"{elsewhere.url}/v1/chat/completions"}))
        test = run(TEXT, ModelExtractor(model=LOCAL))
        assert not elsewhere.asked
        assert test.error == "local sends its callers elsewhere (307); name that address."
    finally:
        elsewhere.close()


def test_a_key_in_a_reply_is_not_kept(data_folder: DataFolder, provider: FakeProvider, run: Run) -> None:
    provider.script("Shelf 5,", f"Your key {KEY} is fine. {READ}")
    run(TEXT, ModelExtractor(model=LOCAL))
    assert all(KEY.encode() not in p.read_bytes() for p in data_folder.path.rglob("*") if p.is_file())


@pytest.mark.parametrize("usage", [None, {"prompt_tokens": 10**12, "completion_tokens": 1, "total_tokens": 10**12}])
def test_a_call_without_its_tokens_counts_with_all_it_may_have_cost(
    usage: dict[str, int] | None, workspace: Workspace, provider: FakeProvider, run: Run
) -> None:
    provider.script("Shelf 5,", Step(READ, usage=usage))
    read = result(workspace, run)
    assert (read.failed, read.cost_micro_usd > 4_096) == (None, True)
    (call,) = list_calls(workspace)
    assert (call.status, call.input_tokens) == ("answered", 0)
    assert "did not say how many tokens" in (call.error or "")


@pytest.mark.slow
def test_what_cannot_be_reached_costs_nothing(
    workspace: Workspace, models_file: Path, provider: FakeProvider, run: Run
) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # nobody listens
        url = f"http://127.0.0.1:{taken.getsockname()[1]}"
        models_file.write_text(models_file.read_text().replace(provider.url, url))
        read = result(workspace, run)
    assert read.failed is not None
    assert read.failed.startswith("local cannot be reached (")
    assert read.failed.endswith("Asked 6 times.")
    assert read.cost_micro_usd == 0


def test_a_page_that_is_not_there_is_told_from_a_model_that_is_not(
    workspace: Workspace, provider: FakeProvider, run: Run
) -> None:
    provider.script("Shelf 5,", Step(body="404 page not found", status=404, headers={"content-type": "text/plain"}))
    error = run(TEXT, ModelExtractor(model=LOCAL)).error or ""
    assert "Nothing of local is at its address (404: 404 page not found); look at its url" in error


@pytest.mark.slow
def test_a_provider_that_is_gone_stops_the_test(
    data_folder: DataFolder, workspace: Workspace, provider: FakeProvider, start: Start
) -> None:
    provider.script("Shelf", Step("down", status=503, headers={"retry-after-ms": "1"}))
    test = start({f"Shelf {n}": f"Shelf {n}, oak. Width: {n} mm" for n in range(40)})
    Runner(data_folder).run_until_idle()
    ended = get_test(workspace, test.id)
    assert ended.status == "failed"
    assert ended.error == "local answered 503 (down). So it was for 10 texts in a row."
    assert len(provider.asked) < 40 * 6


def test_a_local_server_gets_the_limit_that_it_knows(provider: FakeProvider, run: Run) -> None:
    run(TEXT, ModelExtractor(model=LOCAL, output_tokens=777))
    assert provider.asked[0].body["max_tokens"] == 777
    assert "max_completion_tokens" not in provider.asked[0].body


@pytest.mark.parametrize(
    ("url", "newer"),
    [
        (None, True),
        ("https://api.openai.com/v1", True),
        ("https://us.openai.azure.com/openai/v1", True),
        ("http://127.0.0.1:11434/v1", False),
        ("https://models.notopenai.com/v1", False),
    ],
)
def test_who_knows_the_newer_name_of_the_limit(url: str | None, newer: bool) -> None:
    assert takes_newer_limit(Provider(url=url)) is newer


EFFORTS = [
    ("local", "thinker", "high", {"max_tokens": 4_096 + 16_384, "reasoning_effort": "high", "temperature": 0.5}),
    ("local", "thinker", None, {"max_tokens": 4_096 + 10_240, "reasoning_effort": None, "temperature": 0.5}),
    ("local", "small", None, {"max_tokens": 4_096, "reasoning_effort": None, "temperature": 0.5}),
    ("claude", "claude-sonnet-4-5", None, {"max_tokens": 4_096, "thinking": None, "temperature": 0.5}),
    (
        "claude",
        "claude-sonnet-4-5",
        "high",
        {
            "max_tokens": 4_096 + 16_384,
            "thinking": {"type": "enabled", "budget_tokens": 16_384},
            "temperature": None,
        },
    ),
]


@pytest.mark.parametrize(("who", "model", "effort", "sent"), EFFORTS)
def test_what_a_model_thinks_has_room_beside_its_reply(
    who: str,
    model: str,
    effort: str | None,
    sent: dict[str, object],
    models_file: Path,
    provider: FakeProvider,
    run: Run,
) -> None:
    """Anthropic refuses a budget of thoughts above the limit of the whole, and a temperature beside thoughts."""
    more = '{ name = "claude-sonnet-4-5", efforts = ["low", "high"] }'
    models_file.write_text(models_file.read_text().replace('models = ["claude-test"]', f"models = [{more}]"))
    name = ModelName(provider=who, model=model, effort=effort)
    assert run(TEXT, ModelExtractor(model=name, temperature=0.5)).status == "done"
    assert {field: provider.asked[0].body.get(field) for field in sent} == sent


def test_thoughts_are_set_aside_too(data_folder: DataFolder, workspace: Workspace, start: Start) -> None:
    thinker = ModelExtractor(model=ModelName(provider="local", model="thinker", effort="high"))
    test = start(TEXT, thinker)
    set_budget(workspace, 16_384 + 4_096, by="eva")
    Runner(data_folder).run_until_idle()
    assert "The next call may cost $0.021" in (get_test(workspace, test.id).error or "")


def test_a_limit_under_another_name(workspace: Workspace, provider: FakeProvider, run: Run) -> None:
    words = "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."
    provider.script('"max_tokens"', Step(words, status=400))
    test = run({"Shelf 5": TEXT["Shelf 5"], "Shelf 6": "Width: 600 mm"}, ModelExtractor(model=LOCAL))
    assert (test.status, provider.asked[-1].body["max_completion_tokens"]) == ("done", 4_096)
    assert get_input(workspace, test.id, 0).result.failed is None  # type: ignore[union-attr]


def test_cancel_asks_for_no_further_part(
    data_folder: DataFolder, workspace: Workspace, provider: FakeProvider, start: Start
) -> None:
    provider.script("Line", Step('{"readings": []}', delay=1.5))
    text = "\n".join(f"Line {n} of a long tender" for n in range(200))
    test = start({"Long": text}, ModelExtractor(model=LOCAL, part_characters=500, overlap_characters=50))
    with Runner(data_folder):
        while not provider.asked:
            time.sleep(0.01)
        cancel_test(workspace, test.id, by="eva")
        time.sleep(2.5)
    assert len(provider.asked) == 1


@pytest.mark.timeout(120)
def test_a_call_left_open_by_a_killed_process_does_not_hold_a_test_for_ever(
    data_folder: DataFolder, workspace: Workspace, models_file: Path, start: Start
) -> None:
    models_file.write_text(models_file.read_text().replace("seconds = 3", "seconds = 0.1"))
    test = start(TEXT)
    set_budget(workspace, MOST, by="eva")
    of_none = {"workflow": "", "test": None, "position": None}
    left = NewCall(key="k", route="check", scope="check", use="extract", model=LOCAL, **of_none)  # type: ignore[arg-type]
    assert isinstance(workspace.calls.begin(left, MOST - 1), int)
    Runner(data_folder).run_until_idle()
    assert "is left for the workspace" in (get_test(workspace, test.id).error or "")


def test_connections_close_with_the_last_who_asks(provider: FakeProvider, run: Run) -> None:
    run({f"Shelf {n}": f"Shelf {n}, Width: {n} mm" for n in range(8)})
    until = time.monotonic() + 5
    while provider.connected:
        assert time.monotonic() < until, "a connection is still open"
        time.sleep(0.01)
    here = models()
    with here.kept_open():
        first = here.connection(LOCAL)
        with here.kept_open():
            assert here.connection(LOCAL) is first
        assert here.connection(LOCAL) is first
    with here.kept_open():
        assert here.connection(LOCAL) is not first
