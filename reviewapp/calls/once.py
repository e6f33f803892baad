"""Asking at once, without a test: a text to try a workflow on, a model to try its connection."""

from __future__ import annotations

import time
from dataclasses import replace
from datetime import UTC, datetime

from reviewapp.calls.budgets import check_budget
from reviewapp.calls.desk import CallDesk, asks_models
from reviewapp.choices import with_models
from reviewapp.domain.calls import ModelCall, next_month
from reviewapp.domain.choices import ModelName
from reviewapp.domain.tests import InputResult
from reviewapp.domain.workflows import WorkflowSettings
from reviewapp.errors import BudgetExceeded, Conflict
from reviewapp.extraction.extractors import ReaderStopped
from reviewapp.extraction.models.question import NoReply
from reviewapp.extraction.reading import make_reader
from reviewapp.models import check_model, estimate_micro_usd, trial_question
from reviewapp.store.workspace import Workspace


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
    settings = with_models(workspace, workflow, settings)
    desk = None
    if asks_models(settings):
        check_budget(workspace, workflow, estimate_micro_usd(settings, [len(text)]))
        desk = CallDesk(workspace, scope="trial", workflow=workflow)
    reader = make_reader(settings, workspace.records.evidence(settings.collection))
    try:
        result = reader.read(text, desk)
    except ReaderStopped as stopped:
        raise Conflict(stopped.message, code="model_call_failed") from None
    finally:
        reader.close()
    spent = desk.spent_micro_usd if desk else 0
    return result.model_copy(update={"cost_micro_usd": result.cost_micro_usd + spent})
