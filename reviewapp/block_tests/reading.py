"""Lists in pages, for doors that page by place: what each door does with a place is its own affair."""

from __future__ import annotations

from typing import Any

from reviewapp.domain.block_tests import BlockTest, BlockTestRun, HandleInputs, TestResult
from reviewapp.store.block_test_runs import RunFilter
from reviewapp.store.workspace import Workspace

__all__ = [
    "RunFilter",
    "count_tests",
    "inputs_of",
    "latest_results",
    "result_place",
    "result_rows",
    "run_place",
    "run_rows",
    "test_place",
    "test_rows",
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
