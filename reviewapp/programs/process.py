"""A program in a process group of its own, with limits on time, memory and output.

Where it is at fault, `ProgramFault` says in one sentence what happened; what it printed goes with it. A program that
passes a limit is ended with everything that it started.
"""

from __future__ import annotations

import contextlib
import os
import selectors
import shutil
import signal
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Final, cast
from uuid import uuid4

from reviewapp.programs.environment import end_strays, environment, without_secrets

OUTPUT_BYTES: Final = 10_000_000
"""Most that a program may print for one text."""
STDERR_BYTES: Final = 16_000
"""The end of stderr that is kept."""
STDERR_SHOWN: Final = 300
_PIECE: Final = 1 << 16
_QUIET_SECONDS: Final = 0.5
"""How long an ended program's output is waited for that something it started may still hold open."""
_LIMITED: Final = 'ulimit -d "$1" 2>/dev/null; shift; exec "$@"'
"""The shell sets RLIMIT_DATA in the child and becomes the program: nothing runs between fork and exec here, where
other threads may hold locks. Data, not address space: Node, Java and Go reserve far more addresses than they use."""


class ProgramFault(Exception):
    """What went wrong, one sentence; `output` and `errors` are what the program printed until then."""

    def __init__(self, message: str, output: str = "", errors: str = "") -> None:
        super().__init__(message)
        self.message = without_secrets(message)
        self.output = without_secrets(output)
        self.errors = without_secrets(errors)

    @property
    def raw(self) -> str:
        """For people to look at."""
        return f"{self.output}\n--- stderr ---\n{self.errors}" if self.errors else self.output


class Program:
    """One running process. For one thread at a time, but for `kill`; `close` it at the end."""

    def __init__(self, command: Sequence[str], *, megabytes: int) -> None:
        """Starts it. Raises ProgramFault where that cannot be done."""
        found = shutil.which(command[0])
        if found is None:
            raise ProgramFault(_not_found(command[0]))
        self._mark = uuid4().hex
        limited = ["/bin/sh", "-c", _LIMITED, "sh", str(megabytes * 1_000_000 // 1024), found, *command[1:]]
        try:
            self._process = subprocess.Popen(  # noqa: S603 - the workflow's author names it; no shell reads it
                limited if os.name == "posix" else [found, *command[1:]],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
                env=environment(self._mark),
            )
        except (OSError, ValueError) as error:
            why = getattr(error, "strerror", None) or error
            raise ProgramFault(f"{command[0]!r} cannot be started: {why}.") from error
        self._input = cast("IO[bytes]", self._process.stdin)
        self._output = cast("IO[bytes]", self._process.stdout)
        self._errors = cast("IO[bytes]", self._process.stderr)
        self._said = bytearray()
        self._stderr = bytearray()
        for pipe in (self._input, self._output, self._errors):
            os.set_blocking(pipe.fileno(), False)

    def ask_once(self, request: bytes, seconds: float) -> str:
        """Hand in the request, close stdin, and take all that it prints until its end. Raises ProgramFault."""
        self._exchange(request, seconds, one_line=False)
        code = self._wait(seconds)
        output = self._text(self._said)
        if code != 0:
            raise ProgramFault(self._ended(code), output, self.stderr)
        return output

    def ask_line(self, request: bytes, seconds: float) -> str:
        """Hand in one line and take one line. Raises ProgramFault; the program is then at its end."""
        self._stderr.clear()
        self._exchange(request + b"\n", seconds, one_line=True)
        line, _, rest = bytes(self._said).partition(b"\n")
        if rest.strip():
            raise ProgramFault("The program printed more than one line for one text.", self._text(self._said))
        self._said.clear()
        return self._text(line)

    @property
    def stderr(self) -> str:
        """The end of what it printed there."""
        return self._text(self._stderr)

    @property
    def is_alive(self) -> bool:
        return self._process.poll() is None

    @property
    def is_ready(self) -> bool:
        """Whether it can be asked: it runs, and has printed nothing since its last answer."""
        try:
            os.read(self._output.fileno(), 1)  # a word that nobody asked for, or its end
        except BlockingIOError:
            return self.is_alive
        except OSError:
            pass
        return False

    def kill(self) -> None:
        """End it and all it started; from any thread. Whoever asks it something gets a ProgramFault."""
        self._end_group()
        end_strays(self._mark)

    def close(self) -> None:
        """End it with its process group, and let go of what belongs to it; by the thread that used it last."""
        self._end_group()
        for pipe in (self._input, self._output, self._errors):
            with contextlib.suppress(OSError):
                pipe.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(5)

    def _end_group(self) -> None:
        with contextlib.suppress(OSError):
            if os.name == "posix":
                os.killpg(self._process.pid, signal.SIGKILL)
            else:
                self._process.kill()

    # -- talking -----------------------------------------------------------------------------------------------

    def _exchange(self, request: bytes, seconds: float, *, one_line: bool) -> None:
        """Write, and read both outputs until a line is whole (`one_line`) or both are at their end."""
        until = time.monotonic() + seconds
        left = memoryview(request)
        with selectors.DefaultSelector() as waiting:
            waiting.register(self._input, selectors.EVENT_WRITE)
            waiting.register(self._output, selectors.EVENT_READ)
            waiting.register(self._errors, selectors.EVENT_READ)
            while True:
                if one_line and b"\n" in self._said:
                    if left:
                        raise ProgramFault("The program answered before it had read its line.", self._text(self._said))
                    return
                open_pipes = {key.fileobj for key in waiting.get_map().values()}
                if self._output not in open_pipes:
                    if one_line:
                        raise ProgramFault(self._ended(self._wait(until - time.monotonic())), "", self.stderr)
                    if self._errors not in open_pipes or not self.is_alive:
                        return
                remaining = until - time.monotonic()
                if remaining <= 0:
                    self._late(seconds)
                ready = waiting.select(min(remaining, _QUIET_SECONDS))
                if not ready and not self.is_alive:
                    if one_line:
                        raise ProgramFault(self._ended(self._wait(0)), "", self.stderr)
                    self.kill()  # what it started and left behind holds its output open
                    return
                for key, _ in ready:
                    if key.fileobj is self._input:
                        left = self._write(left, waiting, keep_open=one_line)
                    else:
                        self._read(key.fileobj, waiting)  # type: ignore[arg-type]  # one of the two pipes

    def _write(self, left: memoryview, waiting: selectors.BaseSelector, *, keep_open: bool) -> memoryview:
        try:
            written = os.write(self._input.fileno(), left[:_PIECE])
        except BlockingIOError:
            return left
        except OSError:  # it ended, or wants no more; what it printed decides
            written = len(left)
        left = left[written:]
        if not left:
            waiting.unregister(self._input)
            if not keep_open:
                with contextlib.suppress(OSError):
                    self._input.close()
        return left

    def _read(self, pipe: IO[bytes], waiting: selectors.BaseSelector) -> None:
        try:
            piece = os.read(pipe.fileno(), _PIECE)
        except BlockingIOError:
            return
        except (OSError, ValueError):  # closed by `kill`
            piece = b""
        if not piece:
            waiting.unregister(pipe)
        elif pipe is self._output:
            self._said += piece
            if len(self._said) > OUTPUT_BYTES:
                self.kill()
                limit = OUTPUT_BYTES // 1_000_000
                raise ProgramFault(f"The program printed more than {limit} MB and was ended.", errors=self.stderr)
        else:
            self._stderr += piece
            del self._stderr[:-STDERR_BYTES]

    # -- its end -----------------------------------------------------------------------------------------------

    def _wait(self, seconds: float) -> int:
        try:
            return self._process.wait(max(seconds, 0.1))
        except subprocess.TimeoutExpired:
            self._late(seconds)
            raise AssertionError from None  # never reached

    def _late(self, seconds: float) -> None:
        output = self._text(self._said)
        self.kill()
        raise ProgramFault(f"The program took longer than {seconds:g} seconds and was ended.", output, self.stderr)

    def _ended(self, code: int) -> str:
        if code < 0:
            name = signal.Signals(-code).name if -code in signal.valid_signals() else str(-code)
            how = f"was ended by {name}"
        else:
            how = f"ended with exit code {code}"
        last = next((line for line in reversed(self.stderr.splitlines()) if line.strip()), "")
        return f"The program {how}" + (f": {last.strip()[:STDERR_SHOWN]}" if last else ".")

    @staticmethod
    def _text(said: bytes | bytearray) -> str:
        return bytes(said).decode("utf-8", errors="replace")


def _not_found(named: str) -> str:
    if Path(named).exists():
        return f"{named!r} cannot be run; make it executable (chmod +x), or name the program that runs it before it."
    return f"There is no program {named!r} here; name one that is installed, or its full path."
