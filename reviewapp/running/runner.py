"""The runner: runs the tests of a data folder for as long as this process has the lease."""

from __future__ import annotations

import contextlib
import logging
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Executor, ThreadPoolExecutor

from reviewapp.errors import Busy, StorageError
from reviewapp.running.background import Started
from reviewapp.running.coordinator import Coordinator, Lane
from reviewapp.running.lease import Lease, LeaseTaken
from reviewapp.running.under_way import ExecutorGone
from reviewapp.store.data_folder import DataFolder

DEFAULT_WORKERS = 1
"""Texts read at once. The embedded extractor computes: two threads take turns at Python's one lock and need a fifth
longer together than one alone (`bench/running.py`). More are for readers that wait."""
DEFAULT_MODEL_CALLS = 16
"""Inputs read by models at once: they wait, so more of them cost next to nothing."""
IN_FLIGHT_PER_WORKER = 2
"""Inputs handed out per worker: one in its hands, one waiting."""
STOP_SECONDS = 10.0
"""How long a stop waits for inputs in flight; one that takes longer stays unread and is read at the next start."""
RETRY_SECONDS = 1.0
"""Pause between tries for a lease that another process has, and after an error of our own."""

log = logging.getLogger(__name__)


class Runner(Started):
    """Runs tests in a thread of its own (`start`, `stop`, `with`) or in the caller's (`run_until_idle`)."""

    def __init__(
        self,
        data: DataFolder,
        *,
        executor: Executor | None = None,
        workers: int = DEFAULT_WORKERS,
        model_calls: int = DEFAULT_MODEL_CALLS,
    ) -> None:
        """`executor`: where texts are read, `workers` at a time; None: threads of this process. One that is given
        is not shut down here. Models are asked from threads of this process in any case, `model_calls` at a time: keys,
        budgets and log stay in one place."""
        self._data = data
        self._own_executor = executor is None
        self._executor = executor or ThreadPoolExecutor(workers, thread_name_prefix="reader")
        self._callers = ThreadPoolExecutor(model_calls, thread_name_prefix="caller")
        self._coordinator = Coordinator(
            data,
            computing=Lane(self._executor, workers * IN_FLIGHT_PER_WORKER),
            calling=Lane(self._callers, model_calls * IN_FLIGHT_PER_WORKER),
        )
        self._lease = Lease(data.leases)
        self._thread: threading.Thread | None = None
        self._stopping = threading.Event()
        self._stop_by = 0.0

    def start(self, *, standby: bool = False, address: str = "") -> None:
        """Run tests from now on, once. Where another process does so already: raises LeaseTaken, or with `standby`
        waits until that one ends. `address`: what people type to reach this process, where it serves them."""
        self._lease.serves_at(address)
        if not standby:
            self._lease.take()
        self._data.listeners.append(self._coordinator.wake)
        self._thread = threading.Thread(target=self._live, args=(not standby,), name="runner", daemon=True)
        self._thread.start()

    def stop(self, seconds: float = STOP_SECONDS) -> None:
        """Let the inputs in flight end, or leave them unread after `seconds`; then give the lease back. For good."""
        if self._thread is not None:
            self._stop_by = time.monotonic() + seconds
            self._stopping.set()
            self._coordinator.wake()
            self._thread.join(seconds + RETRY_SECONDS)
            self._thread = None
            with contextlib.suppress(ValueError):
                self._data.listeners.remove(self._coordinator.wake)
        self._callers.shutdown(wait=False, cancel_futures=True)
        if self._own_executor:
            self._executor.shutdown(wait=False, cancel_futures=True)

    @property
    def is_running(self) -> bool:
        """Whether the thread is there, running tests or standing by."""
        return self._thread is not None and self._thread.is_alive()

    def run_until_idle(self) -> None:
        """Run all open tests to their end. Raises LeaseTaken where another process runs them."""
        self._lease.take()
        try:
            self._coordinator.work(self._lease.keep, until_idle=True)
        finally:
            self._lease.release()

    # -- the thread --------------------------------------------------------------------------------------------

    def _live(self, has_lease: bool) -> None:
        while not self._stopping.is_set():
            try:
                if not has_lease:
                    self._lease.take()
                has_lease = False
                with self._released_at_the_end():
                    self._coordinator.work(self._goes_on)
                    self._coordinator.finish(self._stop_by)
            except LeaseTaken:
                self._stopping.wait(RETRY_SECONDS)
            except (Busy, StorageError) as error:
                log.warning("No tests are run for now: %s", error)
                self._stopping.wait(RETRY_SECONDS)
            except ExecutorGone:
                log.warning("The workers have ended; open tests go on at the next start.")
                return
            except Exception:
                log.exception("The runner stopped with an error; it starts again.")
                self._stopping.wait(RETRY_SECONDS)

    def _goes_on(self) -> bool:
        if self._stopping.is_set():
            return False
        kept = self._lease.keep()
        if not kept:
            log.warning("Another process has taken over the tests of this data folder.")
        return kept

    @contextlib.contextmanager
    def _released_at_the_end(self) -> Iterator[None]:
        try:
            yield
        finally:
            with contextlib.suppress(Busy, StorageError):  # the next one sees that this process is gone
                self._lease.release()
