"""Takes up open tests, has their inputs read, stores each result as it arrives.

One thread does all of this and is the only one that writes results; an executor's workers read:

1. *Look*: open tests of all workspaces are taken up.
2. *Hand out*: each test in turn gives one unread input to the executor of its lane, until that holds `limit` of them.
3. *Wait* for the next result, for a word that a test was started or cancelled, or for the next look.
4. *Keep*: what came back is committed at once, each on its own. An input with a result is never read again, so a
   killed process goes on where it stopped.

Where errors go: an extractor's becomes its input's `failed` (`reading`); one that no input can get past
(`ReaderStopped`) stops the test once the inputs being read are kept, and leaves the others unread: it is `failed`, and
can be gone on with. Settings that no extractor can be made of make the test `failed`. A store that is busy or full is
tried again with the result in hand. Anything else is our own bug: it is logged, and its test is `failed` and says so,
so that it stands in nobody's way.
"""

from __future__ import annotations

import logging
import queue
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Executor, Future
from dataclasses import dataclass
from functools import partial

from reviewapp.domain.tests import InputResult
from reviewapp.errors import Busy, InvalidInput, ReviewappError, StorageError
from reviewapp.extraction.extractors import ReaderStopped
from reviewapp.running.cluster import KILLS_WORKERS, kills_workers
from reviewapp.running.reading import in_a_line
from reviewapp.running.under_way import ExecutorGone, UnderWay
from reviewapp.store.data_folder import DataFolder
from reviewapp.store.workspace import Workspace

LOOK_SECONDS = 0.5
"""How often tests that another process started or cancelled are looked for."""
RETRY_SECONDS = 1.0
"""Pause after the store refused a result."""

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class _Back:
    """An input that came back from the executor."""

    test: UnderWay
    position: int
    future: Future[InputResult]


@dataclass(frozen=True)
class _Unsaved:
    """A result that the store has not taken yet."""

    test: UnderWay
    position: int
    result: InputResult


@dataclass
class Lane:
    """An executor and how full it is."""

    executor: Executor
    limit: int
    """Inputs that it holds at most, being read or waiting for a worker."""
    in_flight: int = 0

    @property
    def is_full(self) -> bool:
        return self.in_flight >= self.limit


class Coordinator:
    """Runs the open tests of a data folder on executors. Used by one thread, but for `wake`."""

    def __init__(self, data: DataFolder, computing: Lane, calling: Lane | None = None) -> None:
        """`computing` reads what keeps a processor busy; `calling` what waits for models, None: the same one."""
        self._data = data
        self._computing = computing
        self._calling = calling or computing
        self._turn: deque[UnderWay] = deque()
        """The tests under way; the one whose turn it is comes first."""
        self._words: queue.SimpleQueue[_Back | None] = queue.SimpleQueue()
        """What there is to react to; None is a wake-up."""
        self._unsaved: deque[_Unsaved] = deque()
        self._next_look = 0.0
        self._next_try = 0.0
        self._said: set[str] = set()

    def wake(self) -> None:
        """Look for started and cancelled tests now. From any thread; returns at once."""
        self._words.put(None)

    def work(self, go_on: Callable[[], bool], *, until_idle: bool = False) -> None:
        """Run tests for as long as `go_on` says, asked about twice a second; with `until_idle` until none is open."""
        while go_on():
            if time.monotonic() >= self._next_look:
                self._look()
            self._save_unsaved()
            self._hand_out()
            self._end_those_read()
            if until_idle and not self._turn:
                return
            self._wait(self._next_look)

    def finish(self, until: float) -> None:
        """Hand out no more; keep what comes back until then (monotonic seconds), and leave the rest unread."""
        for test in self._turn:
            test.call_back()
        while (self._computing.in_flight or self._calling.in_flight or self._unsaved) and time.monotonic() < until:
            self._wait(min(until, time.monotonic() + LOOK_SECONDS))
            self._save_unsaved()
        for test in self._turn:
            test.abort()
        self._turn.clear()

    # -- the steps ---------------------------------------------------------------------------------------------

    def _look(self) -> None:
        self._next_look = time.monotonic() + LOOK_SECONDS
        known = {test.id: test for test in self._turn}
        still_open: set[str] = set()
        for name in self._data.workspaces():
            try:
                workspace = self._data.workspace(name)
                open_ids = workspace.tests.open_ids()
            except ReviewappError as error:
                self._say(f"Workspace {name} is passed over for now: {error}")
                still_open.update(test.id for test in self._turn if test.workspace.name == name)
                continue
            still_open.update(open_ids)
            for test_id in open_ids:
                if test_id not in known:
                    self._take_up(workspace, test_id)
        for test in [t for t in known.values() if t.id not in still_open]:
            self._drop(test)

    def _take_up(self, workspace: Workspace, test_id: str) -> None:
        try:
            self._turn.append(UnderWay(workspace, test_id))
        except (Busy, StorageError) as error:
            self._say(f"Test {test_id} waits: {error}")
        except Exception as error:
            log.exception("Test %s cannot be run.", test_id)
            why = f"The settings of this test can no longer be used: {in_a_line(error)}"
            self._fail(
                workspace, test_id, why, stopped=isinstance(error, InvalidInput)
            )  # the models file, to be mended

    def _hand_out(self) -> None:
        misses = 0
        while not self._unsaved and misses < len(self._turn):
            test = self._turn[0]
            self._turn.rotate(-1)
            lane = self._lane(test)
            if lane.is_full:
                misses += 1
                continue
            try:
                handed = test.hand_out_next(lane.executor)
            except (Busy, StorageError) as error:
                self._say(f"Test {test.id} waits: {error}")
                handed = None
            except ExecutorGone:
                raise
            except Exception as error:
                self._give_up(test, error)
                continue
            if handed is None:
                misses += 1
                continue
            misses = 0
            lane.in_flight += 1
            position, future = handed
            future.add_done_callback(partial(self._came_back, test, position))

    def _lane(self, test: UnderWay) -> Lane:
        return self._calling if test.asks_models else self._computing

    def _came_back(self, test: UnderWay, position: int, future: Future[InputResult]) -> None:
        """In the worker's thread."""
        self._words.put(_Back(test, position, future))

    def _wait(self, until: float) -> None:
        """Until there is a word, or until then; takes in all the words that there are."""
        try:
            word = self._words.get(timeout=max(0.0, until - time.monotonic()))
            while True:
                self._take_in(word)
                word = self._words.get_nowait()
        except queue.Empty:
            return

    def _take_in(self, word: _Back | None) -> None:
        if word is None:
            self._next_look = 0.0
            return
        self._lane(word.test).in_flight -= 1
        input = word.test.is_back(word.position)
        if word.future.cancelled():
            if not word.test.is_called_back:
                raise ExecutorGone  # nobody here called it back: a cluster that went away
            return
        error = word.future.exception()
        if isinstance(error, ReaderStopped):
            word.test.stop(error.message)
            return
        if error is not None:  # not the extractor's, which `extract` keeps: lost with a worker, a bug of ours
            if not kills_workers(error) and word.test.read_again(input):
                return
            why = KILLS_WORKERS if kills_workers(error) else f"This input could not be read: {in_a_line(error)}"
            result = InputResult(failed=why)
        else:
            result = word.future.result()
        self._keep(_Unsaved(word.test, word.position, result))

    def _keep(self, unsaved: _Unsaved) -> None:
        try:
            taken = unsaved.test.save(unsaved.position, unsaved.result)
        except (Busy, StorageError) as error:
            self._say(f"A result of test {unsaved.test.id} waits to be saved: {error}")
            self._unsaved.append(unsaved)
            self._next_try = time.monotonic() + RETRY_SECONDS
        except Exception as error:
            self._give_up(unsaved.test, error)
        else:
            if not taken:  # cancelled, by this process or another one
                self._next_look = 0.0

    def _save_unsaved(self) -> None:
        if time.monotonic() >= self._next_try:
            for _ in range(len(self._unsaved)):
                self._keep(self._unsaved.popleft())

    def _end_those_read(self) -> None:
        waiting = {unsaved.test.id for unsaved in self._unsaved}
        for test in [t for t in self._turn if t.is_read and t.id not in waiting]:
            try:
                test.end()
            except (Busy, StorageError) as error:
                self._say(f"Test {test.id} waits for its end: {error}")
            else:
                self._turn.remove(test)

    # -- tests that do not end well ----------------------------------------------------------------------------

    def _drop(self, test: UnderWay) -> None:
        test.call_back()
        test.close()
        self._turn.remove(test)

    def _give_up(self, test: UnderWay, error: Exception) -> None:
        log.exception("Test %s failed.", test.id)
        if test in self._turn:
            self._drop(test)
        self._fail(test.workspace, test.id, f"The test stopped with an error of reviewapp itself: {in_a_line(error)}")

    def _fail(self, workspace: Workspace, test_id: str, why: str, *, stopped: bool = False) -> None:
        try:
            workspace.tests.finish(test_id, "failed", why, stopped=stopped)
        except (Busy, StorageError) as error:
            self._say(f"Test {test_id} could not be marked as failed: {error}")

    def _say(self, warning: str) -> None:
        """Log it, but not twice a second for as long as it lasts."""
        if warning not in self._said:
            self._said.add(warning)
            log.warning("%s", warning)
