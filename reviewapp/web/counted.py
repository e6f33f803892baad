"""What was counted last for filters of large tests, in this process only.

Counting hundreds of thousands of values takes longer than an answer, or opening a page, may. So the page shows what was
counted last and asks for the numbers of now once it is there; and its poll counts anew when something changed.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass

from reviewapp.domain.tests import InputFilter, ValueCounts

MOST_KEPT = 500
"""Filters; beyond, those that were asked for longest ago are forgotten."""

Key = tuple[str, str, InputFilter]
"""Workspace, test, and the filter without its chip."""


@dataclass(frozen=True)
class Counted:
    version: int
    """Of the test when it was counted, or earlier."""
    counts: ValueCounts


class CountMemory:
    """Safe to use from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: OrderedDict[Key, Counted] = OrderedDict()

    def get(self, key: Key) -> Counted | None:
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
            return self._kept.get(key)

    def keep(self, key: Key, counted: Counted) -> None:
        with self._lock:
            self._kept[key] = counted
            self._kept.move_to_end(key)
            while len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
