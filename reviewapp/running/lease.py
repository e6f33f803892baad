"""Who runs the tests of a data folder: one process at a time.

The holder of the lease says every `BEAT_SECONDS` that it is alive. Another process takes the lease over when it was
given back, when the holder's process is gone (seen at once on the same machine, so that a killed server that is
started again goes on immediately), or when it has not been heard of for `STALE_SECONDS` (a machine that went away).
"""

from __future__ import annotations

import os
import secrets
import socket
import sys
import time
from dataclasses import replace
from pathlib import Path

from reviewapp.errors import Busy, Conflict
from reviewapp.store.leases import HeldLease, Holder, Leases

RUNNER = "runner"
"""Name of the lease."""
BEAT_SECONDS = 5.0
STALE_SECONDS = 60.0
"""Longer than a holder can be held up by a store that is busy."""
UNSEEN_SECONDS = 3 * BEAT_SECONDS
"""After so long without a word from a process that cannot be seen it is gone; a machine takes longer to start again."""


class LeaseTaken(Conflict):
    """Another process runs the tests (or the evaluations) of this data folder."""

    code = "runner_elsewhere"

    def __init__(self, held: HeldLease) -> None:
        self.held = held
        holder = held.holder
        place = f"process {holder.pid}" + ("" if holder.host == socket.gethostname() else f" on {holder.host}")
        super().__init__(
            f"The tests of this data folder are run by {holder.what!r} already ({place}); "
            "leave it to that one, or stop it first."
        )


class Lease:
    """This process's claim to run the tests."""

    def __init__(self, leases: Leases, name: str = RUNNER) -> None:
        """`name`: what only one process may do."""
        self._leases = leases
        self._name = name
        self._me = Holder(
            token=secrets.token_hex(8),
            host=socket.gethostname(),
            pid=os.getpid(),
            begun=process_begun(os.getpid()) or "",
            what=_command(),
        )
        self._next_beat = 0.0

    def serves_at(self, address: str) -> None:
        """Say with the lease what people type to reach this process. Before it is taken."""
        self._me = replace(self._me, address=address)

    def take(self) -> None:
        """Take the lease, or raise LeaseTaken, which says who has it."""
        if held := self._leases.take(self._name, self._me, time.time() + STALE_SECONDS, is_over):
            raise LeaseTaken(held)
        self._next_beat = time.monotonic() + BEAT_SECONDS

    def keep(self) -> bool:
        """Say that this process is alive, when it is time to; False where another one has taken over."""
        if time.monotonic() < self._next_beat:
            return True
        self._next_beat = time.monotonic() + BEAT_SECONDS
        try:
            return self._leases.prolong(self._name, self._me, time.time() + STALE_SECONDS)
        except Busy:
            return True  # the lease holds for many beats

    def release(self) -> None:
        self._leases.release(self._name, self._me)


def address_served(leases: Leases) -> str | None:
    """What people type to reach the server that works on this data folder; None: none does, as far as is known."""
    held = leases.held(RUNNER)
    return None if held is None or is_over(held) else held.holder.address or None


def is_over(held: HeldLease) -> bool:
    """Whether a lease's holder is gone."""
    if time.time() > held.until:
        return True
    holder = held.holder
    if holder.host != socket.gethostname():
        return False
    if not holder.begun:
        return not _is_alive(holder.pid)
    if _view(holder.begun) != _view(process_begun(os.getpid()) or ""):
        return time.time() > held.until - STALE_SECONDS + UNSEEN_SECONDS
    return process_begun(holder.pid) != holder.begun


def process_begun(pid: int) -> str | None:
    """When a process of this machine began, in ticks since the machine did; None: no such process, or no way to tell.

    Field 22 of ``/proc/PID/stat`` (Linux, proc(5)), behind the machine's boot id and the namespace of process ids as
    this process sees them.
    """
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
        boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
        numbered_by = Path("/proc/self/ns/pid").readlink()
    except OSError:
        return None
    fields = stat.rpartition(")")[2].split()  # the name before it may hold spaces and brackets
    state, ticks = fields[0], fields[19]
    return None if state in "ZX" else f"{boot}/{numbered_by}/{ticks}"


def _view(begun: str) -> str:
    """From where a process was seen to begin."""
    return begun.rpartition("/")[0]


def _is_alive(pid: int) -> bool:
    if sys.platform == "win32":  # there, signal 0 would end the process
        return True
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _command() -> str:
    """``reviewapp serve``: the program and its first word, without paths and options."""
    program = Path(sys.argv[0] or "python").stem
    program = "reviewapp" if program == "__main__" else program
    verb = next((word for word in sys.argv[1:2] if word.isalpha()), "")
    return f"{program} {verb}".strip()
