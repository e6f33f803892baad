"""Evaluations of datasets in the background: one at a time over all workspaces, beside the tests.

A thread of its own with a lease of its own, so that a long evaluation neither waits for tests nor holds them up. Work
that a killed process left is gone on with. Errors of the store are waited out; an evaluation that cannot be run ends as
`failed` by itself (`reviewapp.evaluations.run_grading`).
"""

from __future__ import annotations

import contextlib
import logging
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Executor
from typing import Self

from reviewapp.domain.evaluations import Evaluation
from reviewapp.errors import Busy, ReviewappError, StorageError
from reviewapp.eval_sets.keeping import run_score
from reviewapp.evaluations import run_grading
from reviewapp.running.lease import Lease, LeaseTaken
from reviewapp.store.data_folder import DataFolder

LEASE = "evaluations"
LOOK_SECONDS = 1.0
"""How often evaluations that another process started are looked for."""
STOP_SECONDS = 10.0

log = logging.getLogger(__name__)

RUN: Mapping[str, Callable[..., Evaluation]] = {"dataset": run_grading, "eval_set": run_score}
"""What runs each kind of evaluation."""


class EvaluationRunner:
    """Runs queued evaluations in a thread (`start`, `stop`, `with`) or in the caller's (`run_until_idle`)."""

    def __init__(self, data: DataFolder, *, executor: Executor | None = None) -> None:
        """`executor`: where texts are read; None: in the thread itself."""
        self._data = data
        self._executor = executor
        self._lease = Lease(data.leases, LEASE)
        self._woken = threading.Event()
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Run evaluations from now on; while another process does so, stand by."""
        self._data.listeners.append(self._woken.set)
        self._thread = threading.Thread(target=self._live, name="evaluations", daemon=True)
        self._thread.start()

    def stop(self, seconds: float = STOP_SECONDS) -> None:
        """End after the case under way; what is left goes on at the next start."""
        self._stopping.set()
        self._woken.set()
        if self._thread is not None:
            self._thread.join(seconds)
            self._thread = None
        with contextlib.suppress(ValueError):
            self._data.listeners.remove(self._woken.set)

    def run_until_idle(self) -> None:
        """Run all that wait, in this thread. Raises LeaseTaken where another process runs them."""
        self._lease.take()
        try:
            while self._run_next():
                pass
        finally:
            self._lease.release()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *error: object) -> None:
        self.stop()

    def _live(self) -> None:
        while not self._stopping.is_set():
            self._woken.clear()
            try:
                if self._there_are_some():
                    self.run_until_idle()
            except LeaseTaken:
                pass
            except (Busy, StorageError) as error:
                log.warning("No evaluations are run for now: %s", error)
            except Exception:
                log.exception("The evaluations stopped with an error; they start again.")
            self._woken.wait(LOOK_SECONDS)

    def _there_are_some(self) -> bool:
        return any(self._open_ids(name) for name in self._data.workspaces())

    def _run_next(self) -> bool:
        """Run the oldest that waits, in the first workspace that has one; False where none is left or we must stop."""
        for name in self._data.workspaces():
            for id in self._open_ids(name):
                run = self._runs(name, id)
                ended = run(self._data.workspace(name), id, go_on=self._goes_on, executor=self._executor)
                return ended.status != "running"
        return False

    def _runs(self, name: str, id: str) -> Callable[..., Evaluation]:
        found = self._data.workspace(name).evaluations.get(id)
        return RUN[found.header.kind] if found is not None else run_grading

    def _open_ids(self, name: str) -> list[str]:
        try:
            evaluations = self._data.workspace(name).evaluations
            return [id for kind in RUN for id in evaluations.open_ids(kind)]
        except ReviewappError as error:
            log.warning("Workspace %s is passed over for now: %s", name, error)
            return []

    def _goes_on(self) -> bool:
        return not self._stopping.is_set() and self._lease.keep()
