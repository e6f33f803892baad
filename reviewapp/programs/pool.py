"""Programs that keep running: one request at a time each, as many as there are threads that ask."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Sequence

from reviewapp.programs.process import Program, ProgramFault


class Pool:
    """Starts a program where none is free; one at fault, or that said more than it was asked, is not asked again."""

    def __init__(self, command: Sequence[str], *, megabytes: int, seconds: float, keep: int | None = None) -> None:
        """`keep`: how many stay when nothing is asked; None: all that were needed at once."""
        self._command = command
        self._megabytes = megabytes
        self._seconds = seconds
        self._keep = keep
        self._lock = threading.Lock()
        self._free: list[Program] = []
        self._all: set[Program] = set()
        self._closed = False
        weakref.finalize(self, _close_all, self._all)

    def ask(self, request: bytes, seconds: float | None = None) -> tuple[str, str]:
        """(its line, what it printed on stderr meanwhile). Raises ProgramFault, also after `seconds`."""
        program = self._take()
        try:
            line = program.ask_line(request, seconds or self._seconds)
            errors = program.stderr
        except BaseException:
            self._drop(program)
            raise
        with self._lock:
            if not self._closed and (self._keep is None or len(self._free) < self._keep):
                self._free.append(program)
                return line, errors
        self._drop(program)
        return line, errors

    def close(self) -> None:
        """End all of them, also those at work."""
        with self._lock:
            self._closed = True
            free, self._free = self._free, []
            at_work = self._all.difference(free)
            self._all.difference_update(free)
        for program in at_work:
            program.kill()
        for program in free:
            program.close()

    def _take(self) -> Program:
        with self._lock:
            while self._free:
                program = self._free.pop()
                if program.is_ready:
                    return program
                self._all.discard(program)
                program.close()
            if self._closed:
                raise ProgramFault("The test has ended.")
        program = Program(self._command, megabytes=self._megabytes)
        with self._lock:
            self._all.add(program)
        return program

    def _drop(self, program: Program) -> None:
        program.close()
        with self._lock:
            self._all.discard(program)


def _close_all(programs: set[Program]) -> None:
    for program in tuple(programs):
        program.close()
    programs.clear()
