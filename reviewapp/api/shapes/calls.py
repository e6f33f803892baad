"""Calls to models, budgets, trying a connection."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, StrictInt

from reviewapp.api.shapes.common import Moment, Paging, Scope, Shape
from reviewapp.api.shapes.models import Model, Use
from reviewapp.domain.calls import CallScope, CallStatus


class CallQuery(Paging):
    test: str | None = Field(default=None, max_length=200)
    """Only calls of this test."""
    workflow: str | None = Field(default=None, max_length=200)
    """Only calls of this workflow."""
    status: CallStatus | None = None
    limit: int = Field(default=50, ge=1, le=500)


class CallById(Scope):
    id: int = Field(ge=1)


class CallShape(Shape):
    """A call to a model, or one that the log answered free of charge."""

    id: int
    object: Literal["model_call"] = "model_call"
    created: Moment
    route: str
    """``tests/<workflow>``, ``trials/<workflow>`` or ``check``."""
    scope: CallScope
    workflow: str | None = None
    test: str | None = None
    position: int | None = None
    """Of the test's input, from 0."""
    use: Use
    model: Model
    status: CallStatus
    input_tokens: int
    output_tokens: int
    cost_micro_usd: int
    milliseconds: float
    reply: str | None = None
    """As it came; left out of lists."""
    error: str | None = None
    source: int | None = None
    """The call whose reply this is, where the log answered."""


class BudgetShape(Shape):
    """What may be spent in a calendar month (UTC), and what is."""

    object: Literal["budget"] = "budget"
    workflow: str | None = None
    """None: the whole workspace."""
    micro_usd_per_month: int | None = None
    """None: no limit."""
    spent_micro_usd: int
    open_micro_usd: int
    """Most that the calls under way may cost."""
    left_micro_usd: int | None = None
    month: str


class BudgetPut(Shape):
    micro_usd_per_month: StrictInt | None = Field(ge=0, le=10**15)
    """Null: no limit."""
    workflow: str | None = Field(default=None, max_length=200)


class BudgetList(Shape):
    object: Literal["list"] = "list"
    data: list[BudgetShape]


class ModelTrial(Shape):
    model: Model
