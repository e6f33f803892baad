"""One test under way: what of it is unread, what is being read, what is kept."""

from __future__ import annotations

from collections import Counter, deque
from concurrent.futures import Executor, Future
from contextlib import ExitStack

from reviewapp.calls import CallDesk, Ending, asks_models
from reviewapp.domain.tests import InputResult, TestInput
from reviewapp.domain.workflows import ReplayExtractor
from reviewapp.errors import NotFound
from reviewapp.models import models
from reviewapp.running.reading import Reader
from reviewapp.store.workspace import Workspace
from reviewapp.tests import save_result

PAGE = 64
"""Unread inputs fetched at once; their texts are fetched one by one, when they are handed out."""
LOST_TIMES = 2
"""How often an input is handed out anew."""
GONE = "The record was gone when the test started, so there was no text to read."


class ExecutorGone(Exception):
    """The executor takes nothing any more: it was shut down, or has lost its workers. No test's fault."""


class UnderWay:
    """A test that the runner has taken up. For the coordinating thread only."""

    def __init__(self, workspace: Workspace, test_id: str) -> None:
        """Raises what reading its settings and making their extractor raises; then no text of it can be read."""
        self.workspace = workspace
        self.id = test_id
        test = workspace.tests.get(test_id)
        if test is None:
            raise NotFound("test", test_id)
        self._read = Reader.of(test.settings, test.evidence)
        self._workflow = test.workflow
        self._ending = Ending()
        self._stopped: str | None = None
        self.asks_models = asks_models(test.settings)
        """Whether its inputs wait for others more than they compute."""
        self._models = models() if self.asks_models else None
        self._open = ExitStack()
        if self.asks_models:
            workspace.calls.abandon(test_id)
        choice = test.settings.extractor
        self._replay = choice.import_id if isinstance(choice, ReplayExtractor) else None
        self._unread: deque[TestInput] = deque()
        self._last = -1
        self._all_fetched = False
        self._in_flight: dict[int, tuple[TestInput, Future[InputResult]]] = {}
        self._lost: Counter[int] = Counter()
        self.is_called_back = False
        """Whether inputs come back unread because we want it so."""
        workspace.tests.mark_running(test_id)
        if self._models is not None:
            self._open.enter_context(self._models.kept_open())

    def hand_out_next(self, executor: Executor) -> tuple[int, Future[InputResult]] | None:
        """Have the next unread input read: its position and what comes of it. None where all are handed out."""
        if not self._unread and not self._all_fetched:
            page = self.workspace.results.unread(self.id, after=self._last, limit=PAGE)
            self._all_fetched = len(page) < PAGE
            self._unread.extend(page)
        if not self._unread:
            return None
        next_one = self._unread[0]
        text = None if next_one.text_hash is None else self.workspace.records.text(next_one.text_hash)
        if text is None:
            future: Future[InputResult] = Future()
            future.set_result(InputResult(error=GONE))
        else:
            try:
                future = self._submit(executor, text, next_one)
            except RuntimeError as error:
                raise ExecutorGone from error
        self._in_flight[next_one.position] = (next_one, future)
        self._last = max(self._last, next_one.position)
        self._unread.popleft()
        return next_one.position, future

    def _submit(self, executor: Executor, text: str, input: TestInput) -> Future[InputResult]:
        replayed = None if self._replay is None else self.workspace.replays.reply(self._replay, input.iri)
        if not self.asks_models:
            return executor.submit(self._read, text, replayed)
        desk = CallDesk(
            self.workspace,
            scope="test",
            workflow=self._workflow,
            test=self.id,
            position=input.position,
            ending=self._ending,
            here=self._models,
        )
        return executor.submit(self._read, text, replayed, desk)

    def is_back(self, position: int) -> TestInput:
        """Take note that an input is no longer being read."""
        input, _ = self._in_flight.pop(position)
        return input

    def read_again(self, input: TestInput) -> bool:
        """Take back an input that was lost on its way to or from a worker, to be handed out once more; False where that
        happened too often, or no more is handed out."""
        if self.is_called_back or self._lost[input.position] == LOST_TIMES:
            return False
        self._lost[input.position] += 1
        self._unread.append(input)
        return True

    def save(self, position: int, result: InputResult) -> bool:
        """Commit a result; False where the test takes none any more (cancelled, or this input has one)."""
        return save_result(self.workspace, self.id, position, result)

    @property
    def is_read(self) -> bool:
        """Whether every input is handed out and back."""
        return self._all_fetched and not self._unread and not self._in_flight

    def end(self) -> None:
        """Mark it as done, or as failed where it was stopped; then it can be gone on with."""
        if self._stopped is None:
            self.workspace.tests.finish(self.id, "done")
        else:
            self.workspace.tests.finish(self.id, "failed", self._stopped, stopped=True)
        self.close()

    def stop(self, why: str) -> None:
        """No input can be read any more: keep what is being read, then end, to be gone on with."""
        self._stopped = self._stopped or why
        self._ending.stop()
        self.call_back()

    def close(self) -> None:
        """Nothing of what is read from now on counts: programs that read are ended, in the middle of a text too, and
        models are asked nothing more."""
        self._ending.cancel()
        self._read.close()
        self._open.close()

    def abort(self) -> None:
        """The process ends: wait for no reply either."""
        self._ending.abort()
        self._open.close()

    def call_back(self) -> None:
        """Hand out no more, and call back what no worker has begun; what is begun comes back by itself."""
        self.is_called_back = True
        self._unread.clear()
        self._all_fetched = True
        for _, future in list(self._in_flight.values()):
            future.cancel()
