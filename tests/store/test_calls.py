"""The call log's sums: nothing is spent twice, whoever asks at once, and nothing is forgotten."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from reviewapp.domain.calls import Spending
from reviewapp.domain.choices import ModelName
from reviewapp.store import DataFolder, Workspace
from reviewapp.store import calls as call_store
from reviewapp.store.calls import LOST, NewCall
from tests.builders import started

LOCAL = ModelName(provider="local", model="small")


def new(key: str = "k", **more: Any) -> NewCall:
    kept = {"route": "tests/w", "scope": "test", "workflow": "w", "test": None, "position": None, "use": "extract"}
    return NewCall(key=key, model=LOCAL, **{**kept, **more})


def begun(workspace: Workspace, call: NewCall, reserved: int = 10) -> int:
    id = workspace.calls.begin(call, reserved)
    assert isinstance(id, int)
    return id


def test_only_a_reply_that_was_read_answers_again(workspace: Workspace) -> None:
    calls = workspace.calls
    assert calls.known("k") is None
    calls.settle(begun(workspace, new()), "unreadable", cost_micro_usd=3, reply="no")
    calls.settle(begun(workspace, new()), "failed", cost_micro_usd=0, error="503")
    assert calls.known("k") is None
    id = begun(workspace, new())
    assert calls.known("k") is None
    calls.settle(id, "answered", cost_micro_usd=4, reply="yes")
    assert calls.known("k") == (id, "yes")
    calls.from_log(new(), id)
    assert [(c.status, c.cost_micro_usd, c.source) for c in calls.rows()][:2] == [
        ("from_log", 0, id),
        ("answered", 4, None),
    ]
    calls.unusable(id, "not any more")
    assert calls.known("k") is None
    assert calls.spending().spent_micro_usd == calls.spending("w").spent_micro_usd == 7


def test_a_call_is_settled_once(workspace: Workspace) -> None:
    id = begun(workspace, new())
    for _ in range(2):
        workspace.calls.settle(id, "answered", cost_micro_usd=5, reply="yes")
    assert workspace.calls.spending().spent_micro_usd == 5


def test_what_a_killed_process_left_open_counts_with_all_it_may_have_cost(
    data_folder: DataFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace = data_folder.workspace("default", create=True)
    test = started(workspace, {"Shelf": "Width: 600 mm"})
    begun(workspace, new(test=test.id, position=0), 70)
    other = begun(workspace, new(scope="trial"), 30)
    assert workspace.calls.spending("w").open_micro_usd == 100
    workspace.calls.abandon(test.id)
    assert (workspace.calls.spending("w").spent_micro_usd, workspace.calls.spending("w").open_micro_usd) == (70, 30)
    stored = workspace.tests.get(test.id)
    assert stored is not None
    assert stored.cost_micro_usd == 70
    assert workspace.calls.rows(test=test.id)[0].error == LOST
    monkeypatch.setattr(call_store, "LONGEST_CALL", call_store.timedelta(0))
    workspace.calls.abandon(test.id)
    assert workspace.calls.spending("w").open_micro_usd == 0
    lost = workspace.calls.get(other)
    assert lost is not None
    assert lost.cost_micro_usd == 30


@pytest.mark.parametrize("whose", ["w", None])
def test_many_at_once_never_pass_the_limit(whose: str | None, data_folder: DataFolder) -> None:
    workspace = data_folder.workspace("default", create=True)
    workspace.calls.set_budget(whose, 1_000, "eva")
    refused: list[Spending] = []

    def spend() -> None:
        for _ in range(20):
            begun = workspace.calls.begin(new(), 90)
            if isinstance(begun, Spending):
                refused.append(begun)
                continue
            now = workspace.calls.spending(whose)
            assert now.spent_micro_usd + now.open_micro_usd <= 1_000
            workspace.calls.settle(begun, "answered", cost_micro_usd=25, reply="yes")

    threads = [threading.Thread(target=spend) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    while not isinstance(begun := workspace.calls.begin(new(), 90), Spending):  # what the hasty ones left
        workspace.calls.settle(begun, "answered", cost_micro_usd=25, reply="yes")
    end = workspace.calls.spending(whose)
    assert end.open_micro_usd == 0
    assert 1_000 - 90 < end.spent_micro_usd <= 1_000
    assert end.spent_micro_usd == sum(c.cost_micro_usd for c in workspace.calls.each())
    assert refused
    assert refused[-1].workflow == whose


def test_pages_of_the_log(workspace: Workspace) -> None:
    for n in range(7):
        workspace.calls.settle(begun(workspace, new(f"k{n}", workflow=f"w{n % 2}")), "answered", cost_micro_usd=n)
    assert [c.id for c in workspace.calls.rows(limit=3)] == [7, 6, 5]
    assert [c.id for c in workspace.calls.rows(before=5, limit=3)] == [4, 3, 2]
    assert [c.id for c in workspace.calls.rows(workflow="w1")] == [6, 4, 2]
    assert [c.id for c in workspace.calls.each(piece=2)] == [7, 6, 5, 4, 3, 2, 1]
