"""Lists: in pages by place, for programs, and what needs looking at first, for people."""

from __future__ import annotations

from typing import Any

from reviewapp.block_tests.keeping import states_of
from reviewapp.domain.block_tests import BlockTest, BlockTestRun, Document, HandleInputs, State, TestResult
from reviewapp.store.block_test_lists import NOT_RUN
from reviewapp.store.block_test_runs import RunFilter
from reviewapp.store.workspace import Workspace

__all__ = [
    "NOT_RUN",
    "RunFilter",
    "count_statuses",
    "count_tests",
    "inputs_of",
    "latest_results",
    "result_place",
    "result_rows",
    "run_place",
    "run_rows",
    "test_place",
    "test_rows",
    "text_in",
    "worst_results",
    "worst_tests",
]


def test_rows(workspace: Workspace, workflow: str, block: str | None, **between: Any) -> list[BlockTest]:
    """Tests between two places (`below`, `above`), `newest_first` or not, at most `limit`."""
    return workspace.block_tests.rows(workflow, block=block, **between)


def test_place(workspace: Workspace, id: str) -> int | None:
    """Also of a deleted test."""
    return workspace.block_tests.number(id)


def run_rows(workspace: Workspace, which: RunFilter, **between: Any) -> list[BlockTestRun]:
    return workspace.block_test_runs.rows(which, **between)


def run_place(workspace: Workspace, id: str) -> int | None:
    return workspace.block_test_runs.number(id)


def result_rows(workspace: Workspace, run: str, **between: Any) -> list[TestResult]:
    return workspace.block_test_runs.results(run, **between)


def result_place(workspace: Workspace, run: str, id: str) -> int | None:
    return workspace.block_test_runs.place(run, id)


def inputs_of(workspace: Workspace, result: TestResult) -> HandleInputs:
    """What the block was given then, whatever the test is frozen with now."""
    return workspace.block_tests.inputs(result.inputs_fingerprint)


def latest_results(workspace: Workspace, test: str) -> tuple[TestResult | None, TestResult | None, TestResult | None]:
    """The test's last result, its last that passed, its last that failed."""
    return workspace.block_tests.latest(test)


def count_tests(workspace: Workspace, workflow: str) -> dict[str, int]:
    """By block."""
    return workspace.block_tests.count(workflow)


def count_statuses(workspace: Workspace, workflow: str) -> dict[str, dict[str, int]]:
    """Block → status of the last result (`NOT_RUN`: there is none) → how many tests. Also of blocks that are gone."""
    return workspace.block_test_lists.statuses(workflow)


def worst_tests(
    workspace: Workspace, workflow: str, block: str, status: str | None = None, *, skip: int = 0, limit: int
) -> list[tuple[BlockTest, State, TestResult | None]]:
    """Tests of a block (with this last status) with their state and last result, those that did not pass first."""
    found = workspace.block_test_lists.tests(workflow, block, status, skip=skip, limit=limit)
    states = states_of(workspace, [test for test, _ in found])
    return [(test, state, last) for (test, last), state in zip(found, states, strict=True)]


def worst_results(workspace: Workspace, run: str, *, skip: int = 0, limit: int) -> list[TestResult]:
    """Results of a run so far, those that did not pass first."""
    return workspace.block_test_lists.results(run, skip=skip, limit=limit)


def text_in(workspace: Workspace, document: Document) -> str | None:
    """What is read in a file of an input; None where its content is not here."""
    return workspace.block_tests.file_text(document.content_fingerprint or "")
