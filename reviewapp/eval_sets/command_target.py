"""Any program as the target of an eval set."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import regex

from reviewapp.domain.evaluations import Execution
from reviewapp.errors import InvalidInput
from reviewapp.eval_sets.target_base import MEGABYTES, MOCKS, SECONDS
from reviewapp.evals.kernel import Case
from reviewapp.programs.process import Program, ProgramFault

LOG_BYTES = 50_000_000
PATTERN_SECONDS = 5.0
"""For all lines of a log."""
ARGUMENT_BYTES = 131_000
"""Longest argument that systems hand to a program (Linux: 32 pages of memory)."""


class CommandTarget:
    """Any program, run in the project's folder for every item.

    ``{inputs}`` in its arguments becomes the inputs as JSON text, ``{mocks}`` the mocking strategy, ``{log}`` and
    ``{trace}`` the paths of files of this run. Without ``{inputs}`` the JSON comes on stdin. The output is the JSON on
    stdout; with ``{log}`` it is the JSON that `pattern` (its first group) finds in the log's last matching line.
    """

    fingerprint = None
    runs_code = True
    reads_inputs = True

    def __init__(self, command: str, root: Path, *, pattern: str | None = None, seconds: float = SECONDS) -> None:
        """Raises InvalidInput."""
        try:
            self._command = shlex.split(command)
            self._pattern = regex.compile(pattern or r"(\{.*\})\s*$")
        except (ValueError, regex.error) as error:
            raise InvalidInput(f"The target's command or pattern cannot be read: {error}.", param="target") from error
        if not self._command:
            raise InvalidInput("The target names no command; write command:PROGRAM ARGUMENTS.", param="target")
        if self._pattern.groups < 1:
            raise InvalidInput("The pattern needs one group in brackets, around the output.", param="pattern")
        self._root = root
        self._seconds = seconds

    def run(self, case: Case) -> Execution:
        inputs, mocks = case.inputs["inputs"], case.inputs.get(MOCKS)
        if mocks is not None and not any("{mocks}" in part for part in self._command):
            return Execution(
                failed="The item has a mocking strategy, which a command cannot follow; use a python: target, or give "
                "the command {mocks}. Nothing was run."
            )
        with tempfile.TemporaryDirectory(prefix="reviewapp-") as folder:
            places = {
                "{inputs}": json.dumps(inputs, ensure_ascii=False),
                "{mocks}": json.dumps(mocks, ensure_ascii=False),
                "{log}": str(Path(folder) / "log"),
                "{trace}": str(Path(folder) / "trace.json"),
            }
            command = [_filled(part, places) for part in self._command]
            if any(len(part.encode()) > ARGUMENT_BYTES for part in command):
                return Execution(
                    failed=f"The inputs are longer than an argument may be ({ARGUMENT_BYTES // 1_000} kB); leave "
                    "{inputs} out of the command and read them from stdin. Nothing was run."
                )
            try:
                said = self._ask(command, places["{inputs}"])
                output = self._output(said, Path(places["{log}"]))
                return Execution(output=output, trace=_trace(Path(places["{trace}"])))
            except (ProgramFault, ValueError, OSError) as error:
                return Execution(failed=" ".join(str(error).split()))

    def close(self) -> None:
        """Nothing stays open."""

    def _ask(self, command: list[str], inputs: str) -> str:
        if shutil.which(command[0], path=None) is None and not (self._root / command[0]).is_file():
            raise ProgramFault(f"There is no program {command[0]!r} here; name one that is installed, or its path.")
        inside = ["/bin/sh", "-c", 'cd "$1" && shift && exec "$@"', "sh", str(self._root), *command]
        program = Program(inside, megabytes=MEGABYTES)
        try:
            return program.ask_once(inputs.encode(), self._seconds)
        finally:
            program.close()

    def _output(self, said: str, log: Path) -> Any:
        if any("{log}" in part for part in self._command):
            if not log.is_file():
                raise ValueError("The command wrote no log to {log}.")
            if log.stat().st_size > LOG_BYTES:
                raise ValueError(f"The command's log has more than {LOG_BYTES // 1_000_000} MB.")
            lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
            found = _last_match(self._pattern, lines)
            if found is None:
                raise ValueError(f"No line of the log fits the pattern {self._pattern.pattern!r}.")
            said = found[1]
        try:
            return json.loads(said)
        except (ValueError, RecursionError):
            start = said.strip()[:80]
            raise ValueError(f"The command gave no JSON but {start!r}; print the output as JSON, only that.") from None


def _last_match(pattern: regex.Pattern[str], lines: Sequence[str]) -> regex.Match[str] | None:
    """Raises ValueError where the pattern comes to no end; other threads go on meanwhile."""
    until = time.monotonic() + PATTERN_SECONDS
    try:
        for line in reversed(lines):
            left = max(until - time.monotonic(), 0.01)
            if found := pattern.search(line, timeout=left, concurrent=True):
                return found
    except TimeoutError:
        raise ValueError(
            f"{pattern.pattern!r} took longer than {PATTERN_SECONDS:g} s on this text; write it without nested repeats."
        ) from None
    return None


def _filled(part: str, places: Mapping[str, str]) -> str:
    return re.sub(r"\{(?:inputs|mocks|log|trace)\}", lambda match: places[match[0]], part)


def _trace(path: Path) -> tuple[Any, ...]:
    with suppress(OSError, ValueError, RecursionError):
        spans = json.loads(path.read_text(encoding="utf-8"))
        return tuple(spans) if isinstance(spans, list) else ()
    return ()
