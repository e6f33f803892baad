"""The call log, budgets and trying a model through the API."""

from __future__ import annotations

from reviewapp import calls as calling
from reviewapp.api.cursors import decode_cursor, page
from reviewapp.api.endpoint import Call, Endpoint
from reviewapp.api.shapes.calls import (
    BudgetList,
    BudgetPut,
    BudgetShape,
    CallById,
    CallQuery,
    CallShape,
    ModelTrial,
)
from reviewapp.api.shapes.common import ListOf, Scope
from reviewapp.api.shapes.models import Model
from reviewapp.domain.calls import ModelCall, Spending
from reviewapp.domain.choices import ModelName


def list_(call: Call[CallQuery, None]) -> ListOf[CallShape]:
    """Calls to models, newest first, without their replies."""
    query = call.query
    before = decode_cursor("calls", query.cursor)
    rows = calling.list_calls(
        call.workspace,
        test=query.test,
        workflow=query.workflow,
        status=query.status,
        before=None if before is None else int(before),
        limit=query.limit + 1,
    )
    return page("calls", rows, query.limit, lambda row: row.id, lambda row: _show(row, with_reply=False))


def get(call: Call[CallById, None]) -> CallShape:
    """One call with its reply."""
    return _show(calling.get_call(call.workspace, call.query.id), with_reply=True)


def budgets(call: Call[Scope, None]) -> BudgetList:
    """The workspace's budget, then those of workflows that have one or spent something this month."""
    return BudgetList(data=[_budget(spending) for spending in calling.budgets(call.workspace)])


def put_budget(call: Call[Scope, BudgetPut]) -> BudgetShape:
    """Set what a workflow, or the whole workspace, may spend in a calendar month (UTC).

    A test that may cost more than is left is refused with 429 `workflow_budget_exceeded`, and one under way stops
    before the limit.
    """
    body = call.body
    return _budget(calling.set_budget(call.workspace, body.micro_usd_per_month, workflow=body.workflow, by=call.by))


def try_model(call: Call[Scope, ModelTrial]) -> CallShape:
    """Ask a model for one word; `status` and `error` say how that went."""
    return _show(calling.try_connection(call.workspace, ModelName(**call.body.model.model_dump())), with_reply=True)


def _show(row: ModelCall, *, with_reply: bool) -> CallShape:
    return CallShape(
        id=row.id,
        created=row.at,
        route=row.route,
        scope=row.scope,
        workflow=row.workflow,
        test=row.test,
        position=row.position,
        use=row.use,
        model=Model(provider=row.provider, model=row.model, effort=row.effort),
        status=row.status,
        input_tokens=row.input_tokens,
        output_tokens=row.output_tokens,
        cost_micro_usd=row.cost_micro_usd,
        milliseconds=row.milliseconds,
        reply=row.reply if with_reply else None,
        error=row.error,
        source=row.source,
    )


def _budget(spending: Spending) -> BudgetShape:
    return BudgetShape(left_micro_usd=spending.left_micro_usd, **spending.model_dump())


ENDPOINTS = (
    Endpoint(
        "GET",
        "/models/calls",
        "author",
        list_,
        ListOf[CallShape],
        query=CallQuery,
        tag="Models",
        summary="List calls to models",
    ),
    Endpoint(
        "GET",
        "/models/calls/get",
        "author",
        get,
        CallShape,
        query=CallById,
        tag="Models",
        summary="A call to a model",
        refusals=((404, "not_found"),),
    ),
    Endpoint("GET", "/models/budgets", "viewer", budgets, BudgetList, tag="Models", summary="List budgets"),
    Endpoint(
        "PUT",
        "/models/budgets",
        "admin",
        put_budget,
        BudgetShape,
        body=BudgetPut,
        tag="Models",
        summary="Set a budget",
        refusals=((404, "named_workflow_not_found"),),
    ),
    Endpoint(
        "POST",
        "/models/try",
        "author",
        try_model,
        CallShape,
        body=ModelTrial,
        tag="Models",
        summary="Try a model",
        keyed=True,
        refusals=(
            (400, "model_choice_unsupported"),
            (409, "model_choice_unavailable"),
            (429, "workflow_budget_exceeded"),
        ),
    ),
)
