"""Where the texts of tests are read: threads of this process, or a cluster that the settings name."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from reviewapp.cli.output import say

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from reviewapp.settings import Settings


@contextmanager
def readers(settings: Settings) -> Iterator[tuple[Executor | None, int]]:
    """(executor, how many read at once); None: this process's own threads. Raises InvalidInput where the scheduler does
    not answer."""
    if settings.scheduler is None:
        yield None, settings.workers
        return
    from reviewapp.running.cluster import connected

    with connected(settings.scheduler) as cluster:
        say(f"Texts are read on the cluster {settings.scheduler} ({cluster.workers} at a time).")
        yield cluster.executor, cluster.workers
