"""Who has a data folder open, by the word of the system: a lock on the folder, which ends with the process that has it.

Unlike the number of a process it means the same in every container and in every sandbox that shares the folder. Where
a system or a disk knows no such locks (Windows, some network disks), nobody is kept out; the runner's lease is left.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

from reviewapp.errors import Busy

if sys.platform != "win32":
    import fcntl

_LOOK_SECONDS = 0.05


class InUse:
    """This opening of a folder, shared with others until `make_alone`; `close` it at the end."""

    def __init__(self, folder: Path, *, busy_seconds: float) -> None:
        """Raises Busy where somebody keeps it for themselves for longer than that."""
        self._lock = _opened(folder)
        until = time.monotonic() + busy_seconds
        while not self._take(alone=False):
            if time.monotonic() > until:
                self.close()
                raise Busy("A backup is just being put back into this data folder; try again when that has ended.")
            time.sleep(_LOOK_SECONDS)

    def make_alone(self) -> bool:
        """Keep everybody else out from now on; False, and nothing changes, where somebody else has it open."""
        return self._take(alone=True)

    def close(self) -> None:
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def _take(self, *, alone: bool) -> bool:
        if sys.platform == "win32" or self._lock is None:
            return True
        try:
            fcntl.flock(self._lock, (fcntl.LOCK_EX if alone else fcntl.LOCK_SH) | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError:  # a disk without such locks
            self.close()
        return True


def _opened(folder: Path) -> int | None:
    if sys.platform == "win32":
        return None
    try:
        return os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    except OSError:
        return None
