"""A workspace: one SQLite file with everything that belongs together."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Self

from reviewapp.store.answers import AnswerStore
from reviewapp.store.block_test_lists import BlockTestLists
from reviewapp.store.block_test_runs import BlockTestRunStore
from reviewapp.store.block_tests import BlockTestStore
from reviewapp.store.calls import CallStore
from reviewapp.store.choices import ChoiceStore
from reviewapp.store.connections import BUSY_SECONDS, Connections
from reviewapp.store.counting import CountingStore
from reviewapp.store.datasets import DatasetStore
from reviewapp.store.earlier import EarlierStore
from reviewapp.store.eval_projects import EvalProjectStore
from reviewapp.store.evaluations import EvaluationStore
from reviewapp.store.finding import FindingStore
from reviewapp.store.idempotency import IdempotencyStore
from reviewapp.store.listing import ListingStore
from reviewapp.store.records import RecordStore
from reviewapp.store.replays import ReplayStore
from reviewapp.store.results import ResultStore
from reviewapp.store.reviewers import ReviewerStore
from reviewapp.store.rows import now
from reviewapp.store.schema import WORKSPACE_ID, workspace_migrations
from reviewapp.store.tests import TestStore
from reviewapp.store.trail import Trail
from reviewapp.store.workflows import WorkflowStore

Listener = Callable[[], None]


class Workspace:
    """The stores of one workspace. Safe to use from any thread."""

    def __init__(
        self,
        name: str,
        path: Path | None,
        *,
        listeners: list[Listener] | None = None,
        busy_seconds: float = BUSY_SECONDS,
    ) -> None:
        """Opens (and, where it is not there, makes) the file; `path` None: in memory.

        `listeners` are called after a test was started or cancelled. Raises StorageError or Busy.
        """
        self.name = name
        self.connections = Connections(path, workspace_migrations, WORKSPACE_ID, busy_seconds=busy_seconds)
        self.records = RecordStore(self.connections)
        self.workflows = WorkflowStore(self.connections)
        self.tests = TestStore(self.connections)
        self.results = ResultStore(self.connections)
        self.listing = ListingStore(self.connections)
        self.finding = FindingStore(self.connections)
        self.counting = CountingStore(self.connections)
        self.answers = AnswerStore(self.connections)
        self.reviewers = ReviewerStore(self.connections)
        self.datasets = DatasetStore(self.connections)
        self.evaluations = EvaluationStore(self.connections)
        self.eval_projects = EvalProjectStore(self.connections)
        self.earlier = EarlierStore(self.connections)
        self.calls = CallStore(self.connections)
        self.block_tests = BlockTestStore(self.connections)
        self.block_test_runs = BlockTestRunStore(self.connections)
        self.block_test_lists = BlockTestLists(self.connections)
        self.choices = ChoiceStore(self.connections)
        self.replays = ReplayStore(self.connections)
        self.idempotency = IdempotencyStore(self.connections)
        self.trail = Trail(self.connections, name)
        self.listeners: list[Listener] = [] if listeners is None else listeners

    @classmethod
    def in_memory(cls, name: str = "default") -> Self:
        """A workspace for tests; gone when it is closed."""
        return cls(name, None)

    def atomic(self) -> AbstractContextManager[Any]:
        """A transaction over all stores: everything in it is committed together, or nothing is."""
        return self.connections.write()

    def snapshot(self) -> AbstractContextManager[Any]:
        """All reads in it see one state of the file."""
        return self.connections.snapshot()

    def end_what_is_under_way(self) -> None:
        """Cancel what waits or runs; for a copy, whose original goes on with it."""
        with self.atomic() as db:
            for table, begun in (
                ("tests", "'queued', 'running'"),
                ("evaluations", "'queued', 'running'"),
                ("block_test_runs", "'pending', 'running'"),
            ):
                db.execute(
                    f"update {table} set status = 'cancelled', finished = ? where status in ({begun})",
                    (now(),),
                )

    def changed_tests(self) -> None:
        """Tell the listeners, after the commit, that a test was started or cancelled."""
        for listener in tuple(self.listeners):
            self.connections.after_commit(listener)

    def trace(self, callback: Callable[[str], object] | None) -> None:
        """Call `callback` with every SQL statement of this thread; None ends it."""
        self.connections.trace(callback)

    def close(self) -> None:
        self.connections.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()
