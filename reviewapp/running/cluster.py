"""Reading on other machines: a dask cluster behind the same executor seam (extra ``cluster``).

The cluster's workers only compute: texts go out, results come back, and the runner alone writes. Tests that ask models
are read by the runner itself, since keys, budgets and the call log stay in one place. A worker that dies in the middle
of a text has it read by another one, until the scheduler calls that text a killer of workers (its setting
``distributed.scheduler.allowed-failures``, 3). A result is stored once, since only an input without one takes any.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

from reviewapp.errors import InvalidInput

CONNECT_SECONDS: Final = 5
LEAST_AT_ONCE: Final = 16
"""Threads counted with however few there are when the runner connects: workers may join later."""
KILLS_WORKERS: Final = "Every worker of the cluster that was given this text ended while it read it; see their logs."


@dataclass(frozen=True)
class Cluster:
    """Where texts are read."""

    executor: Executor
    workers: int
    """Threads that read, of all machines; more where some may still join."""


@contextmanager
def connected(address: str) -> Iterator[Cluster]:
    """The cluster of a scheduler (``tcp://10.0.0.5:8786``). Raises InvalidInput where it cannot be reached."""
    try:
        from distributed import Client
    except ModuleNotFoundError as error:
        needed = "Reading on a cluster needs the extra `cluster`: pip install 'reviewapp[cluster]'."
        raise InvalidInput(needed, code="cluster_missing", param="scheduler") from error
    try:
        client: Any = Client(address, timeout=CONNECT_SECONDS, set_as_default=False)  # type: ignore[no-untyped-call]
    except (OSError, TimeoutError, ValueError) as error:
        message = f"No scheduler answers at {address!r} ({type(error).__name__}); start `dask scheduler` there."
        raise InvalidInput(message, param="scheduler") from None
    try:
        threads = sum(client.nthreads().values())
        yield Cluster(client.get_executor(pure=False), max(LEAST_AT_ONCE, threads))
    finally:
        client.close(timeout=CONNECT_SECONDS)


def kills_workers(error: BaseException) -> bool:
    """Whether the scheduler gave a text up, since too many workers died with it; told by name, as dask is an extra."""
    return type(error).__name__ == "KilledWorker"
