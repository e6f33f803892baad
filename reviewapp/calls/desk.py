"""Where questions are asked of models."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from reviewapp.calls.budgets import spent
from reviewapp.domain.calls import CallScope, CallStatus
from reviewapp.domain.choices import ModelName
from reviewapp.domain.workflows import ModelExtractor, WorkflowSettings
from reviewapp.errors import InvalidInput
from reviewapp.extraction.extractors import ReaderStopped
from reviewapp.extraction.models.connection import Answered
from reviewapp.extraction.models.faults import CallFailed
from reviewapp.extraction.models.pace import LONGEST_ASKED_WAIT, TRIES, GivenUp, backoff, sleep
from reviewapp.extraction.models.prices import cost_micro_usd, most_tokens
from reviewapp.extraction.models.question import NoReply, Question
from reviewapp.extraction.reply_shapes import Unreadable
from reviewapp.models import Models, models
from reviewapp.store.calls import NewCall
from reviewapp.store.workspace import Workspace

Read = TypeVar("Read")
GIVEN_UP_IN_A_ROW = 10
"""Texts without a reply, and none with one in between, after which a provider counts as gone and the test stops."""
MARGIN_SECONDS = 5.0
"""How much longer than a provider may take a call can be open."""
GONE = "The test was ended before the model answered."
NOT_COUNTED = "The provider did not say how many tokens it took; the call counts with all that it may have cost."


def asks_models(settings: WorkflowSettings) -> bool:
    """Whether reading a text with these settings calls a model."""
    return isinstance(settings.extractor, ModelExtractor) or settings.decide is not None


class Ending:
    """Says to all desks of a test that it ended."""

    def __init__(self) -> None:
        self._cancelled = threading.Event()
        self._stopped = threading.Event()
        self._aborted = threading.Event()

    def cancel(self) -> None:
        """Ask nothing more; a reply that is under way is waited for and counted."""
        self._cancelled.set()

    def stop(self) -> None:
        """No text can be read any more: one that has no reply now is left unread."""
        self._stopped.set()

    def abort(self) -> None:
        """Wait for no reply either: the process ends."""
        self._cancelled.set()
        self._aborted.set()

    def is_cancelled(self) -> bool:
        return self._cancelled.is_set()

    def is_stopped(self) -> bool:
        return self._stopped.is_set()

    def is_aborted(self) -> bool:
        return self._aborted.is_set()


@dataclass(frozen=True)
class _Reply:
    """What came back of a call that is still open in the log."""

    call: int
    answered: Answered
    cost_micro_usd: int | None
    """None: not known, the call counts with all that was set aside for it."""
    milliseconds: float


class CallDesk:
    """Where one input's questions are asked. Every request is in the log with what it cost.

    1. A question that was answered before is answered from the log, free of charge.
    2. Within the provider's pace, and the budgets of workspace and workflow: all that a call may cost is set aside
       first, so nothing is called that could pass them.
    3. An overloaded or unreachable provider is asked again, later each time, as it says itself (``Retry-After``).
    4. A reply that cannot be read is asked for again, with the same words, `Question.tries` times in all.
    """

    def __init__(
        self,
        workspace: Workspace,
        *,
        scope: CallScope,
        workflow: str | None = None,
        test: str | None = None,
        position: int | None = None,
        ending: Ending | None = None,
        here: Models | None = None,
    ) -> None:
        self._workspace = workspace
        self._scope = scope
        self._workflow = workflow or ""
        self._test = test
        self._position = position
        self._ending = ending or Ending()
        self._calls = 1 if scope == "check" else TRIES
        self._here = here or models()
        self.spent_micro_usd = 0
        """By the questions asked here."""

    def ask(self, question: Question, read: Callable[[str], Read]) -> Read:
        """What `read` makes of the reply. Raises NoReply, ReaderStopped."""
        call = self._call(question)
        known = self._workspace.calls.known(question.key)
        if known is not None:
            try:
                found = read(known[1])
            except Unreadable as error:  # it could be read once, but not any more
                self._workspace.calls.unusable(known[0], str(error))
            else:
                self._workspace.calls.from_log(call, known[0])
                return found
        if missing := self._missing(question.model):
            raise ReaderStopped(f"{question.model} cannot be asked: {missing}")
        with self._here.kept_open():
            return self._asked(call, question, read)

    def _missing(self, name: ModelName) -> str | None:
        """What keeps a model from being asked, in words; None: nothing."""
        try:
            return self._here.missing(name)
        except InvalidInput as error:
            return error.message

    def _asked(self, call: NewCall, question: Question, read: Callable[[str], Read]) -> Read:
        for attempt in range(1, question.tries + 1):
            reply = self._reply(call, question)
            try:
                found = read(_usable(reply.answered))
            except Unreadable as error:
                self._settle(reply, "unreadable", str(error))
                self._give_up(question, reply.answered, error, attempt)
            except BaseException:
                self._settle(reply, "unreadable", "The reply could not be read.")
                raise
            else:
                self._settle(reply, "answered")
                return found
        raise AssertionError  # the last attempt returned or gave up

    def _settle(self, reply: _Reply, status: CallStatus, error: str | None = None) -> None:
        answered = reply.answered
        asked, said = answered.tokens or (0, 0)
        self.spent_micro_usd += self._workspace.calls.settle(
            reply.call,
            status,
            input_tokens=asked,
            output_tokens=said,
            cost_micro_usd=reply.cost_micro_usd,
            milliseconds=reply.milliseconds,
            reply=answered.text or answered.refused or "",
            error=error or (NOT_COUNTED if reply.cost_micro_usd is None else None),
        )

    def _give_up(self, question: Question, answered: Answered, error: Unreadable, attempt: int) -> None:
        """Raise NoReply, unless asking again may help."""
        if answered.refused is not None:
            raise NoReply(str(error), answered.refused or answered.text) from None
        if answered.cut_off:
            limit = f"It ended at its limit of {question.output_tokens:,} tokens; raise output_tokens."
            raise NoReply(f"{error} {limit}", answered.text) from None
        if attempt == question.tries or self._ending.is_cancelled():
            asked = "" if attempt == 1 else f" Asked {attempt} times."
            raise NoReply(f"{error}{asked}", answered.text) from None

    # -- one reply ---------------------------------------------------------------------------------------------

    def _reply(self, call: NewCall, question: Question) -> _Reply:
        """The reply of a call that is still open."""
        for attempt in range(1, self._calls + 1):
            try:
                return self._one_call(call, question)
            except GivenUp:
                raise NoReply(GONE) from None
            except CallFailed as failed:
                self._wait_or_raise(failed, attempt, question)
        raise AssertionError  # the last attempt raises

    def _one_call(self, call: NewCall, question: Question) -> _Reply:
        """Raises CallFailed, GivenUp, ReaderStopped."""
        connection = self._here.connection(question.model)
        pace = self._here.pace(question.model)
        with pace.turn(self._ending.is_cancelled):
            id = self._begin(call, question)
            begun = time.perf_counter()
            try:
                answered = connection.ask(question, self._ending.is_aborted)
            except BaseException as error:
                self._end_without(id, error, (time.perf_counter() - begun) * 1e3)
                raise
            milliseconds = round((time.perf_counter() - begun) * 1e3, 3)
            pace.has_answered()
            cost = None if answered.tokens is None else self._cost(question.model, *answered.tokens)
            return _Reply(id, answered, cost, milliseconds)

    def _wait_or_raise(self, failed: CallFailed, attempt: int, question: Question) -> None:
        if failed.everywhere:
            raise ReaderStopped(failed.message) from None
        if failed.again and self._ending.is_stopped():
            raise ReaderStopped(failed.message) from None
        if failed.again and attempt < self._calls and (failed.after or 0) <= LONGEST_ASKED_WAIT:
            self._wait(failed, attempt, question)
            return
        if (failed.again or failed.counts) and self._here.pace(question.model).gave_up(GIVEN_UP_IN_A_ROW):
            raise ReaderStopped(f"{failed.message} So it was for {GIVEN_UP_IN_A_ROW} texts in a row.") from None
        if failed.after is not None and failed.after > LONGEST_ASKED_WAIT:
            raise NoReply(f"{failed.message} It asks to wait {failed.after:,.0f} seconds; run it again then.") from None
        asked = "" if attempt == 1 else f" Asked {attempt} times."
        raise NoReply(f"{failed.message}{asked}") from None

    def _wait(self, failed: CallFailed, attempt: int, question: Question) -> None:
        if failed.after is not None:
            self._here.pace(question.model).hold(failed.after)
        try:
            sleep(max(backoff(attempt), failed.after or 0), self._ending.is_cancelled)
        except GivenUp:
            raise NoReply(GONE) from None

    def _begin(self, call: NewCall, question: Question) -> int:
        asked = most_tokens(question.system) + most_tokens(question.user) + most_tokens(str(question.schema))
        provider = self._here.provider(question.model)
        most = self._cost(question.model, asked, question.output_tokens + provider.thinking_tokens(question.model))
        until = time.monotonic() + provider.seconds + MARGIN_SECONDS
        while True:
            begun = self._workspace.calls.begin(call, most)
            if isinstance(begun, int):
                return begun
            # Calls under way may turn out to cost less; one that outlasts them all was left open by a killed process.
            if begun.open_micro_usd == 0 or time.monotonic() > until or self._ending.is_stopped():
                raise ReaderStopped(spent(begun, most))
            sleep(0.1, self._ending.is_cancelled)

    def _end_without(self, id: int, error: BaseException, milliseconds: float) -> None:
        """No reply: free where the provider said so, else it counts with all that it may have cost."""
        free = isinstance(error, CallFailed) and not error.counts
        said = error.message if isinstance(error, CallFailed) else GONE
        self.spent_micro_usd += self._workspace.calls.settle(
            id, "failed", cost_micro_usd=0 if free else None, milliseconds=round(milliseconds, 3), error=said
        )

    def _cost(self, name: ModelName, input_tokens: int, output_tokens: int) -> int:
        price = self._here.price(name)
        if price is None:
            raise ReaderStopped(f"No price of {name} is known.")
        return cost_micro_usd(price, input_tokens, output_tokens)

    def _call(self, question: Question) -> NewCall:
        route = {"test": f"tests/{self._workflow}", "trial": f"trials/{self._workflow}", "check": "check"}[self._scope]
        return NewCall(
            key=question.key,
            route=route,
            scope=self._scope,
            workflow=self._workflow,
            test=self._test,
            position=self._position,
            use=question.use,
            model=question.model,
        )


def _usable(answered: Answered) -> str:
    """The reply's text. Raises Unreadable where the model would not answer, or was cut off in the middle of it."""
    if answered.refused is not None and not answered.text.strip():
        words = f": {answered.refused}" if answered.refused else ""
        raise Unreadable(f"The model refused to answer{words[:300].rstrip(' .')}.")
    if answered.cut_off and not answered.text.rstrip().endswith(("}", "]", "```")):
        raise Unreadable("The reply is cut off.")
    return answered.text
