"""Which model a test runs on, and the judge of support."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from reviewapp.choices import choose, options
from reviewapp.domain.choices import ModelName
from reviewapp.domain.tests import ReadValue, Test
from reviewapp.domain.workflows import CommandExtractor, ModelExtractor, RulesExtractor, WorkflowDefinition
from reviewapp.errors import Conflict, InvalidInput
from reviewapp.records import import_records
from reviewapp.running.runner import Runner
from reviewapp.tests import cancel_test, get_input, get_test, start_test
from reviewapp.workflows import get_workflow, put_workflow, try_on_text
from reviewapp.workspaces import DataFolder, Workspace
from tests.builders import records
from tests.models.conftest import CLAUDE, LOCAL, WIDTH
from tests.models.fake_provider import FakeProvider, Step

EMBEDDED = ModelName(provider="embedded", model="rules")
TEXT = "Oak shelf. Width: 600 mm"


@pytest.fixture
def shelves(workspace: Workspace) -> Workspace:
    import_records(workspace, "tenders", records({"Shelf": TEXT}), by="eva")
    put_workflow(workspace, WorkflowDefinition(name="shelves", collection="tenders", properties=(WIDTH,)), by="eva")
    return workspace


def begun(workspace: Workspace, **more: object) -> Test:
    """A test that is cancelled at once."""
    test = start_test(workspace, workflow="shelves", everything=True, by="eva", **more)  # type: ignore[arg-type]
    cancel_test(workspace, test.id, by="eva")
    return test


def test_the_models_in_force(shelves: Workspace) -> None:
    assert begun(shelves).settings.extractor == RulesExtractor()
    choose(shelves, "extract", CLAUDE, by="eva")
    assert begun(shelves).settings.extractor == ModelExtractor(model=CLAUDE)
    choose(shelves, "extract", LOCAL, workflow="shelves", by="eva")
    choose(shelves, "decide", CLAUDE, by="eva")
    test = begun(shelves)
    assert (test.settings.extractor, test.settings.decide) == (ModelExtractor(model=LOCAL), CLAUDE)
    assert get_workflow(shelves, "shelves").active.settings.extractor == RulesExtractor()
    assert begun(shelves, models={"extract": EMBEDDED}).settings.extractor == RulesExtractor()
    thinker = ModelName(provider="local", model="thinker", effort="high")
    other = begun(shelves, models={"extract": thinker})
    assert other.settings.extractor == ModelExtractor(model=thinker)
    assert other.fingerprint != test.fingerprint


def test_a_workflow_that_names_its_model_or_program_keeps_it(shelves: Workspace) -> None:
    choose(shelves, "extract", CLAUDE, by="eva")
    own = ModelExtractor(model=LOCAL, instructions="Outer sizes.")
    definition = WorkflowDefinition(name="shelves", collection="tenders", properties=(WIDTH,), extractor=own)
    put_workflow(shelves, definition, by="eva")
    assert begun(shelves).settings.extractor == own
    assert begun(shelves, models={"extract": CLAUDE}).settings.extractor == own.model_copy(update={"model": CLAUDE})
    program = CommandExtractor(command=("cat",))
    put_workflow(shelves, definition.model_copy(update={"extractor": program}), by="eva")
    assert begun(shelves).settings.extractor == program
    with pytest.raises(InvalidInput, match="reads by command, not with a model"):
        begun(shelves, models={"extract": LOCAL})


@pytest.mark.parametrize(
    ("who", "model", "effort", "code", "why"),
    [
        ("nobody", "m", None, "model_choice_unsupported", "There is no provider 'nobody' here"),
        ("embedded", "other", None, "model_choice_unsupported", "not among the options"),
        ("local", "small", "high", "model_choice_unsupported", "takes no effort 'high'; leave it out"),
        ("local", "thinker", "max", "model_choice_unsupported", "expected low, high"),
    ],
)
def test_refused(shelves: Workspace, who: str, model: str, effort: str | None, code: str, why: str) -> None:
    with pytest.raises(InvalidInput, match=why) as refused:
        choose(shelves, "extract", ModelName(provider=who, model=model, effort=effort), by="eva")
    assert refused.value.code == code


def test_without_a_key_a_model_is_listed_but_cannot_be_chosen(
    shelves: Workspace, monkeypatch: pytest.MonkeyPatch, models_file: Path
) -> None:
    models_file.write_text(models_file.read_text().replace("127.0.0.1", "models.example.com"))
    monkeypatch.delenv("CLAUDE_TEST_KEY")
    listed = {str(o.name): (o.available, o.note) for o in options("extract")}
    assert listed["claude/claude-test"] == (False, "There is no key; set CLAUDE_TEST_KEY.")
    assert listed["local/small"] == (True, "")
    with pytest.raises(Conflict, match="There is no key"):
        choose(shelves, "extract", CLAUDE, by="eva")


def test_a_workflow_that_wants_a_model_without_any_chosen(shelves: Workspace) -> None:
    definition = WorkflowDefinition(
        name="shelves", collection="tenders", properties=(WIDTH,), extractor=ModelExtractor()
    )
    put_workflow(shelves, definition, by="eva")
    with pytest.raises(InvalidInput, match="none is chosen; choose one"):
        begun(shelves)


def judged(data: DataFolder, workspace: Workspace) -> ReadValue:
    test = start_test(workspace, workflow="shelves", everything=True, models={"decide": LOCAL}, by="eva")
    Runner(data).run_until_idle()
    assert get_test(workspace, test.id).status == "done"
    result = get_input(workspace, test.id, 0).result
    assert result is not None
    if result.failed:
        raise ValueError(result.failed)
    assert result.cost_micro_usd == get_test(workspace, test.id).cost_micro_usd
    return result.values[0]


@pytest.mark.parametrize(
    ("said", "outcome"), [(0.95, "written"), (0.8, "written"), (0.6, "review"), (0.5, "review"), (0.2, "weak_support")]
)
def test_a_model_judges_support(
    said: float, outcome: str, data_folder: DataFolder, shelves: Workspace, provider: FakeProvider
) -> None:
    provider.script("You judge", json.dumps({"judgements": [{"number": 1, "support": said}]}))
    value = judged(data_folder, shelves)
    assert (value.support, value.outcome, value.value) == (said, outcome, 60.0)
    shown = provider.asked[0].body["messages"][1]["content"]
    assert '"value": "60 cm", "stated": "600 mm", "quote": "Width: 600 mm"' in shown


@pytest.mark.parametrize(
    "reply",
    [
        '{"judgements": [{"number": "1", "support": "60%"}]}',
        '```json\n[{"number": 1, "support": "0.6"}]\n```',
        '<think>Is it 1.0?</think>{"judgements": [{"number": 1, "support": 0.6, "why": "hedged"}]}',
    ],
)
def test_a_judge_may_write_it_otherwise(
    reply: str, data_folder: DataFolder, shelves: Workspace, provider: FakeProvider
) -> None:
    provider.script("You judge", reply)
    assert judged(data_folder, shelves).support == 0.6


def test_a_judge_cannot_lift_what_the_quote_does_not_state(
    data_folder: DataFolder, shelves: Workspace, provider: FakeProvider
) -> None:
    import_records(shelves, "tenders", records({"Shelf": "Not 600 mm or 700 mm wide, width perhaps 600 mm"}), by="eva")
    provider.script("You judge", '{"judgements": [{"number": 1, "support": 1.0}]}')
    provider.script("You read", '{"readings": [{"property": "width", "value": "600 mm", "quote": "Not 600 mm"}]}')
    choose(shelves, "extract", LOCAL, by="eva")
    assert judged(data_folder, shelves).outcome != "written"


@pytest.mark.parametrize("reply", ["", "fine", '{"judgements": []}', '{"judgements": [{"number": 1, "support": 7}]}'])
def test_a_judge_that_cannot_be_read_fails_the_input(
    reply: str, data_folder: DataFolder, shelves: Workspace, provider: FakeProvider
) -> None:
    provider.script("You judge", Step(reply))
    with pytest.raises(ValueError, match="judge"):
        judged(data_folder, shelves)


def test_trying_on_a_text_counts_its_calls(shelves: Workspace) -> None:
    choose(shelves, "extract", LOCAL, by="eva")
    settings = get_workflow(shelves, "shelves").active.settings
    result = try_on_text(shelves, settings, TEXT, workflow="shelves")
    assert [(v.value, v.outcome) for v in result.values] == [(60.0, "written")]
    assert result.cost_micro_usd == 100
    (call,) = shelves.calls.rows()
    assert (call.route, call.scope, call.test) == ("trials/shelves", "trial", None)
