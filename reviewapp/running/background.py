"""Queued work of one kind in the background: a piece at a time over all workspaces, beside the tests.

Each kind has a thread and a lease of its own, so that long work neither waits for tests nor holds them up. What a
killed process left is gone on with. Errors of the store are waited out; work that cannot be run ends as failed by
itself.
"""

from __future__ import annotations

import contextlib
import logging
import threading
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar, Self

from reviewapp.errors import Busy, ReviewappError, StorageError
from reviewapp.running.lease import Lease, LeaseTaken
from reviewapp.store.data_folder import DataFolder
from reviewapp.store.workspace import Workspace

LOOK_SECONDS = 1.0
"""How often work that another process queued is looked for."""
STOP_SECONDS = 10.0

log = logging.getLogger(__name__)


class Started(ABC):
    """Work in a thread of its own; ``with`` starts and stops it."""

    @abstractmethod
    def start(self) -> None: ...

    @abstractmethod
    def stop(self) -> None: ...

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *error: object) -> None:
        self.stop()


class BackgroundRunner(Started):
    """Runs queued work in a thread (`start`, `stop`, `with`) or in the caller's (`run_until_idle`)."""

    name: ClassVar[str]
    """Of the lease and the thread, and what the log calls the work: ``evaluations``."""

    def __init__(self, data: DataFolder) -> None:
        self._data = data
        self._lease = Lease(data.leases, self.name)
        self._woken = threading.Event()
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None

    @abstractmethod
    def open_ids(self, workspace: Workspace) -> Sequence[str]:
        """What is queued or under way, oldest first."""

    @abstractmethod
    def run(self, workspace: Workspace, id: str) -> bool:
        """Run one to its end or go on with it, asking `goes_on` before each step; False where that stopped it."""

    def goes_on(self) -> bool:
        """Whether to go on with the work: not stopped, and the lease still ours."""
        return not self._stopping.is_set() and self._lease.keep()

    def start(self) -> None:
        """Run from now on; while another process does so, stand by."""
        self._data.listeners.append(self._woken.set)
        self._thread = threading.Thread(target=self._live, name=self.name, daemon=True)
        self._thread.start()

    def stop(self, seconds: float = STOP_SECONDS) -> None:
        """End after the step under way; what is left goes on at the next start."""
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

    def _live(self) -> None:
        while not self._stopping.is_set():
            self._woken.clear()
            try:
                if any(self._waiting(name) for name in self._data.workspaces()):
                    self.run_until_idle()
            except LeaseTaken:
                pass
            except (Busy, StorageError) as error:
                log.warning("No %s are run for now: %s", self.name, error)
            except Exception:
                log.exception("Running the %s stopped with an error; it starts again.", self.name)
            self._woken.wait(LOOK_SECONDS)

    def _run_next(self) -> bool:
        """Run the oldest that waits, in the first workspace that has one; False where none is left or we must stop."""
        for name in self._data.workspaces():
            for id in self._waiting(name):
                return self.run(self._data.workspace(name), id)
        return False

    def _waiting(self, name: str) -> Sequence[str]:
        try:
            return self.open_ids(self._data.workspace(name))
        except ReviewappError as error:
            log.warning("Workspace %s is passed over for now: %s", name, error)
            return ()
