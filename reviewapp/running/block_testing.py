"""Runs of block tests in the background: one at a time over all workspaces, beside tests and evaluations.

A thread and a lease of its own. Work that a killed process left is gone on with; errors of the store are waited out; a
run that cannot be run ends as `error` by itself (`reviewapp.block_tests.execute_run`).
"""

from __future__ import annotations

import contextlib
import logging
import threading
from typing import Self

from reviewapp.block_tests import execute_run
from reviewapp.errors import Busy, ReviewappError, StorageError
from reviewapp.running.lease import Lease, LeaseTaken
from reviewapp.store.data_folder import DataFolder

LEASE = "block-tests"
LOOK_SECONDS = 1.0
"""How often runs that another process started are looked for."""
STOP_SECONDS = 10.0

log = logging.getLogger(__name__)


class BlockTestRunner:
    """Runs queued block tests in a thread (`start`, `stop`, `with`) or in the caller's (`run_until_idle`)."""

    def __init__(self, data: DataFolder) -> None:
        self._data = data
        self._lease = Lease(data.leases, LEASE)
        self._woken = threading.Event()
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Run block tests from now on; while another process does so, stand by."""
        self._data.listeners.append(self._woken.set)
        self._thread = threading.Thread(target=self._live, name="block-tests", daemon=True)
        self._thread.start()

    def stop(self, seconds: float = STOP_SECONDS) -> None:
        """End after the block under way; what is left goes on at the next start."""
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
                if any(self._open_ids(name) for name in self._data.workspaces()):
                    self.run_until_idle()
            except LeaseTaken:
                pass
            except (Busy, StorageError) as error:
                log.warning("No block tests are run for now: %s", error)
            except Exception:
                log.exception("The block tests stopped with an error; they start again.")
            self._woken.wait(LOOK_SECONDS)

    def _run_next(self) -> bool:
        """Run the oldest that waits, in the first workspace that has one; False where none is left or we must stop."""
        for name in self._data.workspaces():
            for id in self._open_ids(name):
                return execute_run(self._data.workspace(name), id, go_on=self._goes_on).status != "running"
        return False

    def _open_ids(self, name: str) -> list[str]:
        try:
            return self._data.workspace(name).block_test_runs.open_ids()
        except ReviewappError as error:
            log.warning("Workspace %s is passed over for now: %s", name, error)
            return []

    def _goes_on(self) -> bool:
        return not self._stopping.is_set() and self._lease.keep()
