"""Calls to models: where questions are asked, what was called, what it cost, what may be spent."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from typing import NoReturn, TypeVar

from reviewapp.domain.calls import CallScope, CallStatus, ModelCall, Spending, in_dollars, next_month
from reviewapp.domain.choices import ModelName
from reviewapp.domain.tests import InputResult
from reviewapp.domain.workflows import ModelExtractor, WorkflowSettings
from reviewapp.errors import BudgetExceeded, Conflict, InvalidInput, NotFound
from reviewapp.extraction.extractors import ReaderStopped
from reviewapp.extraction.models.connection import Answered, CallFailed
from reviewapp.extraction.models.pace import LONGEST_ASKED_WAIT, TRIES, GivenUp, backoff, sleep
from reviewapp.extraction.models.prices import cost_micro_usd, most_tokens
from reviewapp.extraction.models.question import NoReply, Question
from reviewapp.extraction.reply_shapes import Unreadable
from reviewapp.models import Models, check_model, estimate_micro_usd, models, trial_question
from reviewapp.store.calls import NewCall
from reviewapp.store.workspace import Workspace
from reviewapp.workflows import get_workflow

Read = TypeVar("Read")
GONE = "The test was ended before the model answered."


def asks_models(settings: WorkflowSettings) -> bool:
    """Whether reading a text with these settings calls a model."""
    return isinstance(settings.extractor, ModelExtractor) or settings.decide is not None


class Ending:
    """Says to all desks of a test that it ended."""

    def __init__(self) -> None:
        self._cancelled = threading.Event()
        self._aborted = threading.Event()

    def cancel(self) -> None:
        """Ask nothing more; a reply that is under way is waited for and counted."""
        self._cancelled.set()

    def abort(self) -> None:
        """Wait for no reply either: the process ends."""
        self._cancelled.set()
        self._aborted.set()

    def is_cancelled(self) -> bool:
        return self._cancelled.is_set()

    def is_aborted(self) -> bool:
        return self._aborted.is_set()


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
        for attempt in range(1, question.tries + 1):
            answered, id, cost, milliseconds = self._reply(call, question)

            def settle(
                status: CallStatus,
                error: str | None = None,
                *,
                id: int = id,
                answered: Answered = answered,
                cost: int = cost,
                milliseconds: float = milliseconds,
            ) -> None:
                self._workspace.calls.settle(
                    id,
                    status,
                    input_tokens=answered.input_tokens,
                    output_tokens=answered.output_tokens,
                    cost_micro_usd=cost,
                    milliseconds=milliseconds,
                    reply=answered.text,
                    error=error,
                )

            try:
                found = read(answered.text)
            except Unreadable as error:
                settle("unreadable", str(error))
                if answered.cut_off:
                    limit = f"It ended at its limit of {question.output_tokens:,} tokens; raise output_tokens."
                    raise NoReply(f"{error} {limit}", answered.text) from None
                if attempt == question.tries or self._ending.is_cancelled():
                    asked = "" if attempt == 1 else f" Asked {attempt} times."
                    raise NoReply(f"{error}{asked}", answered.text) from None
            except BaseException:
                settle("unreadable", "The reply could not be read.")
                raise
            else:
                settle("answered")
                return found
        raise AssertionError  # tries is at least 1

    # -- one reply ---------------------------------------------------------------------------------------------

    def _reply(self, call: NewCall, question: Question) -> tuple[Answered, int, int, float]:
        """The reply of a call that is still open: (reply, id, cost in micro-USD, milliseconds)."""
        for attempt in range(1, TRIES + 1):
            try:
                with self._here.pace(question.model).turn(self._ending.is_cancelled):
                    id = self._begin(call, question)
                    begun = time.perf_counter()
                    try:
                        answered = self._here.connection(question.model).ask(question, self._ending.is_aborted)
                    except BaseException as error:
                        self._end_without(id, error, (time.perf_counter() - begun) * 1e3)
                        raise
                    milliseconds = round((time.perf_counter() - begun) * 1e3, 3)
                    cost = self._cost(question.model, answered.input_tokens, answered.output_tokens)
                    self.spent_micro_usd += cost
                    return answered, id, cost, milliseconds
            except GivenUp:
                raise NoReply(GONE) from None
            except CallFailed as failed:
                self._wait_or_raise(failed, attempt, question)
        raise AssertionError  # the last attempt raises

    def _wait_or_raise(self, failed: CallFailed, attempt: int, question: Question) -> None:
        if failed.everywhere:
            raise ReaderStopped(failed.message) from None
        if not failed.again or attempt == TRIES:
            asked = "" if attempt == 1 else f" Asked {attempt} times."
            raise NoReply(f"{failed.message}{asked}") from None
        if failed.after is not None:
            if failed.after > LONGEST_ASKED_WAIT:
                raise NoReply(f"{failed.message} It asks to wait {failed.after:,.0f} seconds; run it again then.")
            self._here.pace(question.model).hold(failed.after)
        try:
            sleep(max(backoff(attempt), failed.after or 0), self._ending.is_cancelled)
        except GivenUp:
            raise NoReply(GONE) from None

    def _begin(self, call: NewCall, question: Question) -> int:
        asked = most_tokens(question.system) + most_tokens(question.user) + most_tokens(str(question.schema))
        most = self._cost(question.model, asked, question.output_tokens)
        while True:
            begun = self._workspace.calls.begin(call, most)
            if isinstance(begun, int):
                return begun
            if begun.open_micro_usd == 0:
                raise ReaderStopped(_spent(begun, most))
            sleep(0.1, self._ending.is_cancelled)  # calls under way may turn out to cost less

    def _end_without(self, id: int, error: BaseException, milliseconds: float) -> None:
        """No reply: free where the provider said so, else it counts with all that it may have cost."""
        free = isinstance(error, CallFailed) and not error.counts
        said = error.message if isinstance(error, CallFailed) else GONE
        self._workspace.calls.settle(
            id, "failed", cost_micro_usd=0 if free else None, milliseconds=round(milliseconds, 3), error=said
        )

    def _cost(self, name: ModelName, input_tokens: int, output_tokens: int) -> int:
        price = self._here.price(name)
        if price is None:
            raise ReaderStopped(self._here.missing(name) or f"No price of {name} is known.")
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


def try_connection(workspace: Workspace, name: ModelName) -> ModelCall:
    """Ask a model for one word; the call as the log has it says how that went. Raises InvalidInput, Conflict, and
    BudgetExceeded."""
    check_model(name)
    newest = [c.id for c in workspace.calls.rows(limit=1)]
    question = trial_question(name)
    question = replace(question, user=f"{question.user} ({time.time_ns()})")  # the log would not try anything
    failed: NoReply | ReaderStopped | None = None
    try:
        CallDesk(workspace, scope="check").ask(question, lambda reply: reply)
    except (NoReply, ReaderStopped) as error:
        failed = error
    made = [c for c in workspace.calls.rows(limit=20) if c.scope == "check" and c.id > max(newest, default=0)]
    if not made:  # nothing was called
        message = failed.message if failed else "Nothing was called."
        raise BudgetExceeded(message, retry_at=next_month(datetime.now(UTC)))
    return made[0]


def read_once(workspace: Workspace, workflow: str, settings: WorkflowSettings, text: str) -> InputResult:
    """What settings read in a text, with the models in force; nothing is kept but the calls. `workflow` may be empty.

    Raises InvalidInput, Conflict (a model that cannot be asked), BudgetExceeded.
    """
    from reviewapp.choices import with_models
    from reviewapp.extraction.pipeline import extract

    settings = with_models(workspace, workflow, settings)
    desk = None
    if asks_models(settings):
        check_budget(workspace, workflow, estimate_micro_usd(settings, [len(text)]))
        desk = CallDesk(workspace, scope="trial", workflow=workflow)
    try:
        result = extract(text, settings, workspace.records.evidence(settings.collection), desk=desk)
    except ReaderStopped as stopped:
        raise Conflict(stopped.message, code="model_call_failed") from None
    spent = desk.spent_micro_usd if desk else 0
    return result.model_copy(update={"cost_micro_usd": result.cost_micro_usd + spent})


# -- the log ---------------------------------------------------------------------------------------------------


def list_calls(
    workspace: Workspace,
    *,
    test: str | None = None,
    workflow: str | None = None,
    status: CallStatus | None = None,
    before: int | None = None,
    limit: int = 100,
) -> list[ModelCall]:
    """Newest first, behind the call with the id `before`."""
    return workspace.calls.rows(test=test, workflow=workflow, status=status, before=before, limit=limit)


def every_call(workspace: Workspace) -> Iterator[ModelCall]:
    """The whole log, newest first; some calls at a time are in memory."""
    return workspace.calls.each()


def get_call(workspace: Workspace, id: int) -> ModelCall:
    """Raises NotFound."""
    found = workspace.calls.get(id)
    if found is None:
        raise NotFound("call", str(id))
    return found


# -- budgets ---------------------------------------------------------------------------------------------------


def budgets(workspace: Workspace) -> list[Spending]:
    """The workspace's, then the workflows'."""
    return workspace.calls.budgets()


def spending(workspace: Workspace, workflow: str | None = None) -> Spending:
    """The budget of a workflow (None: of the workspace) and what is spent of it this month."""
    return workspace.calls.spending(workflow)


def set_budget(
    workspace: Workspace, micro_usd_per_month: int | None, *, workflow: str | None = None, by: str
) -> Spending:
    """Set what may be spent in a calendar month (UTC) by a workflow, or by the whole workspace; None: no limit.
    Raises NotFound, InvalidInput."""
    if workflow is not None:
        get_workflow(workspace, workflow)
    if micro_usd_per_month is not None and not 0 <= micro_usd_per_month <= 10**15:
        raise InvalidInput(
            f"A budget of {micro_usd_per_month} micro-dollars was given; expected 0 or more.", param="budget"
        )
    with workspace.atomic():
        workspace.calls.set_budget(workflow, micro_usd_per_month, by)
        said = "no limit" if micro_usd_per_month is None else in_dollars(micro_usd_per_month)
        workspace.trail.note(by, f"set budget to {said}", workflow or workspace.name)
    return workspace.calls.spending(workflow)


def check_budget(workspace: Workspace, workflow: str, estimate_micro_usd: int) -> None:
    """Raises BudgetExceeded where a test may cost more than is left this month."""
    if estimate_micro_usd == 0:
        return
    for name in (None, workflow):
        of = workspace.calls.spending(name)
        if of.left_micro_usd is not None and estimate_micro_usd > of.left_micro_usd:
            _refuse(of, estimate_micro_usd)


def _refuse(spending: Spending, estimate: int) -> NoReturn:
    raise BudgetExceeded(
        f"The test may cost {in_dollars(estimate)}, and {_left(spending)}; choose fewer records, raise the budget, or "
        "wait for the next month.",
        retry_at=next_month(datetime.now(UTC)),
    )


def _spent(spending: Spending, most: int) -> str:
    return (
        f"The next call may cost {in_dollars(most)}, and {_left(spending)}. What was read is kept; raise the budget, "
        "then run the rest again."
    )


def _left(spending: Spending) -> str:
    whose = f"workflow {spending.workflow!r}" if spending.workflow else "the workspace"
    limit = in_dollars(spending.micro_usd_per_month or 0)
    return f"{in_dollars(spending.left_micro_usd or 0)} of this month's {limit} is left for {whose}"
