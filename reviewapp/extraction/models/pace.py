"""How fast a provider may be asked: at once, per minute, not at all while it said so; and whether it is there."""

from __future__ import annotations

import contextlib
import random
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from email.utils import parsedate_to_datetime
from typing import Final

MINUTE: Final = 60.0
TRIES: Final = 6
"""Calls made for one reply, when the provider is overloaded or cannot be reached."""
FIRST_WAIT: Final = 0.5
LONGEST_WAIT: Final = 30.0
LONGEST_ASKED_WAIT: Final = 120.0
"""The longest `Retry-After` that is waited for; a longer one fails the text."""
_STEP: Final = 0.05


class GivenUp(Exception):
    """Nobody waits for the reply any more (the test was cancelled)."""


class Pace:
    """One provider's limits, shared by all threads."""

    def __init__(self, at_once: int, per_minute: int | None) -> None:
        self._slots = threading.BoundedSemaphore(at_once)
        self._per_minute = per_minute
        self._lock = threading.Lock()
        self._begun: deque[float] = deque()
        self._held_until = 0.0
        self._given_up = 0

    @contextlib.contextmanager
    def turn(self, gone: Callable[[], bool]) -> Iterator[None]:
        """Wait for a turn and hold it. Raises GivenUp once `gone` says so."""
        while not self._slots.acquire(timeout=_STEP):
            if gone():
                raise GivenUp
        try:
            while True:
                if gone():
                    raise GivenUp
                if (pause := self._pause()) <= 0:
                    break
                sleep(min(pause, 1.0), gone)
            yield
        finally:
            self._slots.release()

    def hold(self, seconds: float) -> None:
        """Nobody begins a call for so long: the provider asked for it."""
        with self._lock:
            self._held_until = max(self._held_until, time.monotonic() + seconds)

    def has_answered(self) -> None:
        """A reply came."""
        with self._lock:
            self._given_up = 0

    def gave_up(self, most: int) -> bool:
        """A text got no reply; whether that makes `most` in a row, which then are counted anew."""
        with self._lock:
            self._given_up += 1
            if self._given_up < most:
                return False
            self._given_up = 0
            return True

    def _pause(self) -> float:
        """Seconds until a call may begin; 0: now, and it counts as begun."""
        with self._lock:
            now = time.monotonic()
            if now < self._held_until:
                return self._held_until - now
            if self._per_minute is not None:
                while self._begun and self._begun[0] <= now - MINUTE:
                    self._begun.popleft()
                if len(self._begun) >= self._per_minute:
                    return self._begun[0] + MINUTE - now
                self._begun.append(now)
            return 0.0


def sleep(seconds: float, gone: Callable[[], bool]) -> None:
    """Sleep, unless nobody waits any more. Raises GivenUp."""
    until = time.monotonic() + seconds
    while True:
        if gone():
            raise GivenUp
        left = until - time.monotonic()
        if left <= 0:
            return
        time.sleep(min(left, _STEP))


def backoff(attempt: int) -> float:
    """Seconds before the call after failed attempt 1, 2, 3 …: doubling, half of it by chance."""
    longest = min(LONGEST_WAIT, FIRST_WAIT * 2.0 ** (attempt - 1))
    return longest * (0.5 + random.random() / 2)  # noqa: S311 - spreads callers, guards nothing


def asked_wait(headers: dict[str, str] | None, now: float | None = None) -> float | None:
    """Seconds that the provider asks to wait (``retry-after-ms``, ``retry-after`` as seconds or date); None: it does
    not say, or not sensibly."""
    said = {name.lower(): value.strip() for name, value in (headers or {}).items()}
    for name, factor in (("retry-after-ms", 1e-3), ("retry-after", 1.0)):
        try:
            seconds = float(said[name]) * factor
        except (KeyError, ValueError):
            continue
        return seconds if 0 <= seconds < float("inf") else None
    try:
        when = parsedate_to_datetime(said["retry-after"])
    except (KeyError, ValueError, TypeError):
        return None
    return max(0.0, when.timestamp() - (time.time() if now is None else now))
