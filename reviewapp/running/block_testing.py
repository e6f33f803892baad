"""Runs of block tests in the background."""

from __future__ import annotations

from collections.abc import Sequence

from reviewapp.block_tests import execute_run
from reviewapp.running.background import BackgroundRunner
from reviewapp.store.workspace import Workspace


class BlockTestRunner(BackgroundRunner):
    """Runs queued block tests; a run that cannot be run ends as `error`."""

    name = "block-tests"

    def open_ids(self, workspace: Workspace) -> Sequence[str]:
        return workspace.block_test_runs.open_ids()

    def run(self, workspace: Workspace, id: str) -> bool:
        return execute_run(workspace, id, go_on=self.goes_on).status != "running"
