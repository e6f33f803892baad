"""Staying with a test, or with other work, until it has ended, with a progress bar on stderr."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Protocol

from reviewapp.cli.output import printable, say

if TYPE_CHECKING:
    from reviewapp.domain.tests import Test
    from reviewapp.running.background import BackgroundRunner
    from reviewapp.workspaces import DataFolder, Workspace

LOOK_SECONDS = 0.1
TRY_AGAIN_SECONDS = 2.0
"""How long to leave the reading to another process before asking whether it is still there."""


class Bar(Protocol):
    def __call__(self, name: str, done: int, total: int, sentence: str) -> None:
        """How far the work called `name` is; `sentence` says it where nothing moves, once at the end (empty: not)."""


def wait_for(data: DataFolder, workspace: Workspace, test_id: str, *, workers: int, model_calls: int) -> Test:
    """The test once it has ended.

    Reads in this process when no other runs the tests of the data folder, and takes over when that one goes away.
    Interrupted, it leaves the test as it is: the next runner goes on where this one stopped.
    """
    from reviewapp.domain.tests import ENDED
    from reviewapp.running.lease import LeaseTaken
    from reviewapp.running.runner import Runner
    from reviewapp.tests import counts, get_test

    with ExitStack() as stack, _bar() as show:
        reads_here, next_try = False, 0.0
        while True:
            test, numbers = get_test(workspace, test_id), counts(workspace, test_id)
            done, total = numbers.inputs_done, numbers.inputs
            name = f"{printable(test.workflow)}, test {test.number}"
            show(name, done, total, f"Test {test.number} {test.state}: {done} of {total} inputs read.")
            if test.status in ENDED:
                return test
            if not reads_here and time.monotonic() >= next_try:
                next_try = time.monotonic() + TRY_AGAIN_SECONDS
                try:
                    runner = Runner(data, workers=workers, model_calls=model_calls)
                    runner.start()
                except LeaseTaken:
                    pass
                else:
                    reads_here = True
                    stack.callback(runner.stop)
            time.sleep(LOOK_SECONDS)


def run_or_wait(runner: BackgroundRunner, look: Callable[[Bar], bool]) -> None:
    """Until `look`, which shows how far the work is, says that it has ended: run here what waits, in its order, or wait
    where another process does. Interrupted, it leaves the work as it is, to be gone on with."""
    with _bar() as show, runner:
        while not look(show):
            time.sleep(LOOK_SECONDS)


@contextmanager
def _bar() -> Iterator[Bar]:
    """A moving bar on a terminal; elsewhere one line at the end."""
    if sys.stderr.isatty():
        with _moving_bar() as show:
            yield show
        return
    last: list[str] = []

    def remember(name: str, done: int, total: int, sentence: str) -> None:  # noqa: ARG001
        last[:] = [sentence] if sentence else []

    try:
        yield remember
    finally:
        for line in last:
            say(line)


@contextmanager
def _moving_bar() -> Iterator[Bar]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True)) as progress:
        task = progress.add_task("", total=None)

        def move(name: str, done: int, total: int, sentence: str) -> None:  # noqa: ARG001
            progress.update(task, description=name, total=total, completed=done)

        yield move
