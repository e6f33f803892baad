"""A test that stopped because no more could be read, and goes on when people have mended why."""

from __future__ import annotations

from pathlib import Path

import pytest

from reviewapp import tests as testing
from reviewapp.calls import list_calls, set_budget
from reviewapp.domain.workflows import ModelExtractor
from reviewapp.errors import BudgetExceeded, Conflict, InvalidInput, OpenTest
from reviewapp.running.runner import Runner
from reviewapp.workspaces import DataFolder, Workspace
from tests.models.conftest import KEY, LOCAL, Start
from tests.models.fake_provider import FakeProvider, Step

TEXTS = {f"Shelf {n}": f"Shelf {n}, oak.\nWidth: {n}00 mm" for n in range(1, 25)}
SHORT = ModelExtractor(model=LOCAL, output_tokens=16, tries=1)
"""A call of it costs 100, and at most about 900 micro-dollars."""


def test_a_spent_budget_stops_a_test_and_a_raised_one_lets_it_go_on(
    data_folder: DataFolder, workspace: Workspace, provider: FakeProvider, start: Start
) -> None:
    provider.script("You read", Step(READ_ANY, delay=0.03))
    test = start(TEXTS, SHORT)
    set_budget(workspace, 1_500, by="eva")
    Runner(data_folder, model_calls=16).run_until_idle()
    stopped = testing.get_test(workspace, test.id)
    read = testing.counts(workspace, test.id).inputs_done
    assert (stopped.status, stopped.is_stopped) == ("failed", True)
    assert "raise the budget and go on with the test" in (stopped.error or "")
    assert 0 < read == len(provider.asked) < 24
    assert stopped.cost_micro_usd == 100 * read <= 1_500
    assert testing.stopped_tests(workspace) == [stopped]

    with pytest.raises(BudgetExceeded, match="is left for the workspace"):
        testing.go_on(workspace, test.id, by="eva")
    assert testing.get_test(workspace, test.id) == stopped
    set_budget(workspace, 100_000, by="eva")
    queued = testing.go_on(workspace, test.id, by="eva")
    assert (queued.status, queued.error, queued.finished, queued.is_stopped) == ("queued", None, None, False)
    with pytest.raises(InvalidInput, match="is queued, not stopped"):
        testing.go_on(workspace, test.id, by="eva")
    Runner(data_folder).run_until_idle()
    ended = testing.get_test(workspace, test.id)
    assert (ended.status, testing.counts(workspace, test.id).inputs_done) == ("done", 24)
    assert len(provider.asked) == 24  # no text is read twice
    assert ended.cost_micro_usd == 2_400 == sum(c.cost_micro_usd for c in list_calls(workspace, test=test.id))
    assert testing.stopped_tests(workspace) == []
    with pytest.raises(InvalidInput, match="is done; there is nothing to go on with"):
        testing.go_on(workspace, test.id, by="eva")


READ_ANY = '{"readings": []}'


def test_a_mended_key_lets_a_test_go_on(
    data_folder: DataFolder, workspace: Workspace, provider: FakeProvider, models_file: Path, start: Start
) -> None:
    provider.script("Shelf", Step("no such key", status=401), Step(READ_ANY))
    test = start(TEXTS, SHORT)
    Runner(data_folder, model_calls=1).run_until_idle()
    assert testing.get_test(workspace, test.id).error == "local refused the key (401: no such key)."
    whole = models_file.read_text()
    models_file.write_text('[providers.other]\nurl = "http://127.0.0.1:9"\n')
    with pytest.raises(InvalidInput, match="There is no provider 'local' here"):
        testing.go_on(workspace, test.id, by="eva")
    models_file.write_text(whole.replace("127.0.0.1", "models.example.com").replace(f'key = "{KEY}"', ""))
    with pytest.raises(Conflict, match="There is no key"):
        testing.go_on(workspace, test.id, by="eva")
    models_file.write_text(whole)
    testing.go_on(workspace, test.id, by="eva")
    Runner(data_folder).run_until_idle()
    assert testing.get_test(workspace, test.id).status == "done"


def test_a_models_file_that_cannot_be_read_or_lacks_the_provider_stops_a_test(
    data_folder: DataFolder, workspace: Workspace, models_file: Path, provider: FakeProvider, start: Start
) -> None:
    whole = models_file.read_text()
    test = start(TEXTS, SHORT)
    models_file.write_text("[providers.lo")
    Runner(data_folder).run_until_idle()
    stopped = testing.get_test(workspace, test.id)
    assert (stopped.state, "cannot be read as TOML" in (stopped.error or "")) == ("stopped", True)
    models_file.write_text(whole)
    testing.go_on(workspace, test.id, by="eva")
    models_file.write_text('[providers.other]\nurl = "http://127.0.0.1:9"\n')
    Runner(data_folder).run_until_idle()
    stopped = testing.get_test(workspace, test.id)
    assert (stopped.state, testing.counts(workspace, test.id).inputs_done) == ("stopped", 0)
    assert "local/small cannot be asked: There is no provider 'local' here" in (stopped.error or "")
    models_file.write_text(whole)
    testing.go_on(workspace, test.id, by="eva")
    Runner(data_folder).run_until_idle()
    assert testing.get_test(workspace, test.id).status == "done"


def test_one_test_of_a_workflow_at_a_time(
    data_folder: DataFolder, workspace: Workspace, provider: FakeProvider, start: Start
) -> None:
    provider.script("Shelf", Step("no such key", status=401))
    stopped = start(TEXTS, SHORT)
    Runner(data_folder).run_until_idle()
    other = start(TEXTS, SHORT)
    with pytest.raises(OpenTest):
        testing.go_on(workspace, stopped.id, by="eva")
    testing.cancel_test(workspace, other.id, by="eva")
    assert testing.go_on(workspace, stopped.id, by="eva").status == "queued"
    testing.cancel_test(workspace, stopped.id, by="eva")
    assert not testing.get_test(workspace, stopped.id).is_stopped


def test_what_a_test_will_likely_cost(workspace: Workspace, start: Start) -> None:
    test = start(TEXTS, SHORT)
    set_budget(workspace, 5_000, by="eva")
    set_budget(workspace, 4_000, workflow="shelves", by="eva")
    cost = testing.likely_cost(workspace, "shelves")
    assert (cost.models, cost.texts, cost.left_micro_usd) == (("local/small",), 24, 4_000)
    assert cost.all_micro_usd == test.estimate_micro_usd > 0
    assert cost.each_micro_usd == round(cost.all_micro_usd / 24)
