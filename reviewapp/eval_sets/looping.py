"""Test until green: score, hand the failures to a fix command, score again.

It ends when all rows pass, at the limit, where nothing gets better, or where the fix command touched the expectations:
these are the person's, and a loop that changes them proves nothing.
"""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Literal

from reviewapp.domain.base import Model
from reviewapp.eval_sets.reporting import stale
from reviewapp.eval_sets.reports import ScoreReport, ScoreRow
from reviewapp.programs.process import Program, ProgramFault

MOST = 10
"""Iterations unless the person says otherwise."""
PATIENCE = 2
"""Fixes in a row that may bring nothing before the loop gives up."""
FIX_SECONDS = 1_800.0
FIX_MEGABYTES = 16_384
WATCH_SECONDS = 0.5
"""How often a running fix is asked whether it is still wanted."""
Outcome = Literal["green", "limit", "no progress", "expectations changed", "fix failed", "nothing to score", "stopped"]
ENDED: dict[Outcome, str] = {
    "green": "all rows pass",
    "limit": "the limit of iterations is reached",
    "no progress": f"{PATIENCE} fixes in a row brought nothing",
    "expectations changed": "the fix command changed what is expected; put these files back, nothing of it counts",
    "fix failed": "the fix command failed",
    "nothing to score": "there is no row to score",
    "stopped": "it was stopped",
}


class Iteration(Model):
    """One round of scoring."""

    number: int
    passed: int
    rows: int
    line: str
    """``3 of 4 pass; failing 'unpaid invoice'``"""
    fix: str | None = None
    """What went wrong with the fix after it; None: nothing, or there was none."""


class LoopReport(Model):
    """How a loop went."""

    kind: Literal["loop"] = "loop"
    outcome: Outcome
    green: bool
    iterations: tuple[Iteration, ...]
    reports: tuple[ScoreReport, ...]
    """Of the last round, one a set."""
    touched: tuple[str, ...] = ()
    """Files of expectations that the last fix changed, added or took away."""
    stale: tuple[ScoreRow, ...] = ()
    """Rows that passed in the first round or before a fix and fail now, because the output changed."""

    @property
    def words(self) -> str:
        return ENDED[self.outcome] + (f": {', '.join(self.touched)}" if self.touched else "")


def run_loop(
    score: Callable[[], Sequence[ScoreReport]],
    fix: Callable[[bytes], str | None],
    *,
    guarded: Callable[[], Iterable[Path]],
    most: int = MOST,
    seen: Callable[[Iteration], object] = lambda _: None,
    go_on: Callable[[], bool] = lambda: True,
) -> LoopReport:
    """`score` reads all files anew. `fix` gets the failures as JSON and says what went wrong, if anything did.
    `guarded`: the files that hold expectations. Stopped by `go_on` before each fix and each round of scoring; both
    heed it themselves too."""
    iterations: list[Iteration] = []
    best, idle = -1, 0
    first = before = list(score())
    changed: set[_Key] = set()
    touched: list[str] = []
    while True:
        reports = before
        row = _iteration(len(iterations) + 1, reports)
        outcome = _ended(reports, row, most)
        idle = 0 if row.passed > best else idle + 1
        best = max(best, row.passed)
        if outcome is None and idle >= PATIENCE:
            outcome = "no progress"
        if outcome is None and not go_on():
            outcome = "stopped"
        if outcome is None:
            digests = _digests(guarded())
            said = fix(failures(reports, row.number))
            row = row.model_copy(update={"fix": said})
            if touched := _differing(digests, _digests(guarded())):
                outcome = "expectations changed"
            elif not go_on():
                outcome = "stopped"
            elif said is not None:
                outcome = "fix failed"
        iterations.append(row)
        seen(row)
        if outcome is not None:
            return LoopReport(
                outcome=outcome,
                green=outcome == "green",
                iterations=tuple(iterations),
                reports=tuple(reports),
                touched=tuple(touched),
                stale=tuple(row for key, row in _keyed(reports) if key in changed and row.verdict == "FAIL"),
            )
        after = list(score())
        for earlier in (first, reports):
            old = {report.file: report for report in earlier}
            for report in after:
                if report.file in old:
                    changed |= {(report.file, one.id, one.evaluator) for one in stale(old[report.file], report)}
        before = after


_Key = tuple[str, str, str]
"""File of the set, item, evaluator."""


def _keyed(reports: Sequence[ScoreReport]) -> Iterable[tuple[_Key, ScoreRow]]:
    for report in reports:
        for row in report.rows:
            yield (report.file, row.id, row.evaluator), row


def _ended(reports: Sequence[ScoreReport], row: Iteration, most: int) -> Outcome | None:
    if not row.rows:
        return "nothing to score"
    if all(report.green for report in reports if report.rows):
        return "green"
    return "limit" if row.number >= most else None


def _iteration(number: int, reports: Sequence[ScoreReport]) -> Iteration:
    with_rows = [report for report in reports if report.rows]
    line = "; ".join(
        (f"{report.eval_set}: " if len(with_rows) > 1 else "") + report.summary_line() for report in with_rows
    )
    return Iteration(
        number=number,
        passed=sum(report.passed for report in reports),
        rows=sum(len(report.rows) for report in reports),
        line=line or "nothing was scored",
    )


def failures(reports: Sequence[ScoreReport], iteration: int) -> bytes:
    """What a fix command gets: the rows that do not pass, with inputs, actual, expected and why."""
    rows = [
        {"eval_set": report.eval_set, "file": report.file} | row.model_dump(mode="json", exclude={"details"})
        for report in reports
        for row in report.failures
    ]
    document = {
        "iteration": iteration,
        "passed": sum(report.passed for report in reports),
        "rows": sum(len(report.rows) for report in reports),
        "failures": rows,
    }
    return json.dumps(document, ensure_ascii=False, indent=2).encode()


class FixCommand:
    """A command of the person's own, run by the shell in the project's folder; failures come on stdin as JSON."""

    def __init__(
        self, command: str, root: Path, *, seconds: float = FIX_SECONDS, go_on: Callable[[], bool] = lambda: True
    ) -> None:
        """It is ended where `go_on` says so."""
        self._command = command
        self._root = root
        self._seconds = seconds
        self._go_on = go_on

    def __call__(self, request: bytes) -> str | None:
        """None, or why it failed."""
        inside = ("/bin/sh", "-c", 'cd "$1" && exec /bin/sh -c "$2"', "sh", str(self._root), self._command)
        try:
            program = Program(inside, megabytes=FIX_MEGABYTES)
        except ProgramFault as fault:
            return fault.message
        ended = threading.Event()
        watcher = threading.Thread(target=self._watch, args=(program, ended), daemon=True)
        watcher.start()
        try:
            program.ask_once(request, self._seconds)
        except ProgramFault as fault:
            return fault.message
        finally:
            ended.set()
            watcher.join()
            program.close()
        return None

    def _watch(self, program: Program, ended: threading.Event) -> None:
        while not ended.wait(WATCH_SECONDS):
            if not self._go_on():
                program.kill()
                return


def _digests(paths: Iterable[Path]) -> dict[Path, str]:
    found: dict[Path, str] = {}
    for path in paths:
        with suppress(OSError):
            found[path] = hashlib.sha256(path.read_bytes()).hexdigest()
    return found


def _differing(before: dict[Path, str], after: dict[Path, str]) -> list[str]:
    return sorted({path.name for path, _ in before.items() ^ after.items()})
