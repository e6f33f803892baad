"""Who is on which input of a test right now. Known to this process only, and soon forgotten."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

FRESH_SECONDS = 12.0
"""A page that is open asks every few seconds; after this long without, nobody is there any more."""

MOST_TESTS = 500
"""Beyond so many tests those that nobody is on are forgotten."""


@dataclass(frozen=True)
class Seen:
    """Somebody's place."""

    person: str
    position: int
    """Of the input that they look at."""


class Presence:
    """Safe to use from any thread."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._places: dict[tuple[str, str], dict[str, tuple[int, float]]] = {}

    def note(self, workspace: str, test: str, person: str, position: int | None) -> None:
        """`person` looks at this input now."""
        if position is None:
            return
        now = self._clock()
        with self._lock:
            if len(self._places) >= MOST_TESTS:
                self._forget(now)
            self._places.setdefault((workspace, test), {})[person] = (position, now)

    def _forget(self, now: float) -> None:
        """Drop the tests that nobody is on any more."""
        for key, there in list(self._places.items()):
            if all(now - at > FRESH_SECONDS for _, at in there.values()):
                del self._places[key]

    def others(self, workspace: str, test: str, person: str) -> list[Seen]:
        """Everybody else on the test, by name."""
        now = self._clock()
        with self._lock:
            there = self._places.get((workspace, test), {})
            for gone in [name for name, (_, at) in there.items() if now - at > FRESH_SECONDS]:
                del there[gone]
            if not there:
                self._places.pop((workspace, test), None)
            return [Seen(name, position) for name, (position, _) in sorted(there.items()) if name != person]
