"""What may be spent: refused before the start, stopped before the limit, counted to the micro-dollar."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from reviewapp.calls import budgets, list_calls, set_budget, try_connection
from reviewapp.domain.calls import about_dollars, in_dollars, micro_usd_of, next_month
from reviewapp.domain.choices import ModelName
from reviewapp.domain.workflows import ModelExtractor
from reviewapp.errors import BudgetExceeded, Conflict, InvalidInput, NotFound
from reviewapp.extraction.models.prices import most_tokens
from reviewapp.extraction.models.prompt import marked
from reviewapp.extraction.models.reader import question_of
from reviewapp.running.runner import Runner
from reviewapp.tests import counts, get_test
from reviewapp.workspaces import DataFolder, Workspace
from tests.models.conftest import LOCAL, Run, Start
from tests.models.fake_provider import FakeProvider, Step

TEXTS = {f"Shelf {n}": f"Shelf {n}, oak.\nWidth: {n}00 mm" for n in range(1, 9)}
SHORT = ModelExtractor(model=LOCAL, output_tokens=16, tries=1)
"""A call of it costs 100, and at most about 900 micro-dollars."""


def test_a_test_that_may_cost_more_than_is_left_is_refused(
    workspace: Workspace, provider: FakeProvider, run: Run
) -> None:
    run({"Shelf 1": TEXTS["Shelf 1"]}, SHORT)
    set_budget(workspace, 150, workflow="shelves", by="eva")
    with pytest.raises(
        BudgetExceeded, match=r"\$0.000050 of this month's \$0.000150 is left for workflow 'shelves'"
    ) as no:
        run(TEXTS, SHORT)
    assert no.value.code == "workflow_budget_exceeded"
    assert no.value.retry_at == next_month(datetime.now(UTC))
    assert len(workspace.tests.rows()) == 1
    assert len(provider.asked) == 1


@pytest.mark.parametrize("whose", ["shelves", None])
def test_nothing_is_called_past_the_limit(
    whose: str | None, data_folder: DataFolder, workspace: Workspace, provider: FakeProvider, start: Start
) -> None:
    provider.script("Shelf", Step('{"readings": []}', delay=0.05))
    test = start(TEXTS, SHORT)
    most = 1_150
    set_budget(workspace, most, workflow=whose, by="eva")  # several calls, not all of them at once
    Runner(data_folder).run_until_idle()
    ended = get_test(workspace, test.id)
    spent = sum(c.cost_micro_usd for c in list_calls(workspace, test=test.id))
    assert ended.cost_micro_usd == spent <= most
    assert len(provider.asked) * 100 == spent
    assert ended.status == "failed"
    assert ended.error is not None
    assert "is left for" in ended.error
    assert 0 < counts(workspace, test.id).inputs_done == len(provider.asked) < 8


def test_a_budget_stops_tries_too(
    data_folder: DataFolder, workspace: Workspace, provider: FakeProvider, start: Start
) -> None:
    provider.script("Shelf", "no reply")
    test = start({"Shelf 1": TEXTS["Shelf 1"]}, SHORT.model_copy(update={"tries": 10}))
    set_budget(workspace, 1_150, by="eva")
    Runner(data_folder).run_until_idle()
    assert get_test(workspace, test.id).status == "failed"
    assert 0 < len(provider.asked) < 10
    assert get_test(workspace, test.id).cost_micro_usd == 100 * len(provider.asked) <= 1_150


def test_the_call_that_the_budget_does_not_cover_is_not_made(
    data_folder: DataFolder, workspace: Workspace, provider: FakeProvider, start: Start
) -> None:
    """Field case: unreadable replies of 100 each, and a budget for three of them and not for a fourth."""
    provider.script("Shelf", "one", "two", "three", '{"readings": []}')
    extractor = SHORT.model_copy(update={"tries": 4})
    test = start({"Shelf 1": TEXTS["Shelf 1"]}, extractor)
    question = question_of(test.settings, extractor)
    said = (question.system, marked(TEXTS["Shelf 1"]), str(question.schema))
    most = sum(map(most_tokens, said)) + question.output_tokens  # at a micro-dollar a token
    set_budget(workspace, 300 + most - 1, by="eva")
    Runner(data_folder).run_until_idle()
    assert len(provider.asked) == 3
    ended = get_test(workspace, test.id)
    assert (ended.is_stopped, ended.cost_micro_usd, counts(workspace, test.id).inputs_done) == (True, 300, 0)


def test_budgets_are_listed_changed_and_taken_away(workspace: Workspace, run: Run) -> None:
    run(TEXTS, SHORT)
    assert [(b.workflow, b.micro_usd_per_month, b.spent_micro_usd) for b in budgets(workspace)] == [
        (None, None, 800),
        ("shelves", None, 800),
    ]
    assert set_budget(workspace, 1_000, workflow="shelves", by="eva").left_micro_usd == 200
    assert set_budget(workspace, None, workflow="shelves", by="eva").left_micro_usd is None
    with pytest.raises(NotFound):
        set_budget(workspace, 1, workflow="no-such", by="eva")
    with pytest.raises(InvalidInput, match="expected 0 or more"):
        set_budget(workspace, -1, by="eva")


def test_trying_a_connection(workspace: Workspace, provider: FakeProvider) -> None:
    provider.script("connection", '{"word": "ready"}', Step("bad key", status=401), Step("no such model", status=404))
    assert (try_connection(workspace, LOCAL).status, len(provider.asked)) == ("answered", 1)
    assert try_connection(workspace, LOCAL).error == "local refused the key (401: bad key)."
    assert try_connection(workspace, LOCAL).error == "local has no model 'small' (no such model)."
    provider.script("connection", Step("down", status=503))
    asked = len(provider.asked)
    assert try_connection(workspace, LOCAL).error == "local answered 503 (down)."
    assert len(provider.asked) == asked + 1  # whoever waits on a page is told at once
    set_budget(workspace, 0, by="eva")
    with pytest.raises(BudgetExceeded):
        try_connection(workspace, LOCAL)
    with pytest.raises(InvalidInput, match=r"There is no provider 'openai' here. Its key is not set."):
        try_connection(workspace, ModelName(provider="openai", model="gpt-5-mini"))


def test_a_model_without_price_cannot_be_asked(workspace: Workspace, provider: FakeProvider, models_file) -> None:  # type: ignore[no-untyped-def]
    models_file.write_text('[providers.far]\nurl = "https://models.example.com/v1"\nkey = "k"\nmodels = ["m"]\n')
    with pytest.raises(Conflict, match="No price of far/m is known") as no:
        try_connection(workspace, ModelName(provider="far", model="m"))
    assert no.value.code == "model_choice_unavailable"
    assert not provider.asked


@pytest.mark.parametrize(
    ("micro", "said"),
    [(0, "$0.00"), (10_000, "$0.01"), (1_250_000, "$1.25"), (400, "$0.000400"), (1_500_001, "$1.500001")],
)
def test_dollars(micro: int, said: str) -> None:
    assert in_dollars(micro) == said


@pytest.mark.parametrize(
    ("micro", "said"),
    [(0, "$0.00"), (10_556, "$0.011"), (364, "$0.00036"), (1, "$0.000001"), (994_900, "$0.99"), (3_404_999, "$3.40")],
)
def test_about_so_many_dollars(micro: int, said: str) -> None:
    assert about_dollars(micro) == said


@pytest.mark.parametrize(
    ("said", "micro"),
    [("25", 25_000_000), ("$2.50", 2_500_000), ("1,000", 10**9), ("0.0000001", 1), ("0", 0), ("-1", -1_000_000)],
)
def test_an_amount_as_people_write_it(said: str, micro: int) -> None:
    assert micro_usd_of(said) == micro


@pytest.mark.parametrize("said", ["much", "", "NaN", "inf", "1e400", "1e99999999", "1/2"])
def test_what_is_no_amount(said: str) -> None:
    with pytest.raises(ValueError) as refused:  # noqa: PT011 - its argument is looked at
        micro_usd_of(said)
    assert refused.value.args == (said,)


def test_the_next_month() -> None:
    assert next_month(datetime(2026, 12, 31, 23, 59, tzinfo=UTC)) == datetime(2027, 1, 1, tzinfo=UTC)
    assert next_month(datetime(2026, 11, 30, tzinfo=UTC)) == datetime(2026, 12, 1, tzinfo=UTC)
