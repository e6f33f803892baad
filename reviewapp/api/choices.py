"""Model choices through the API."""

from __future__ import annotations

from reviewapp import choices as choosing
from reviewapp.api.cursors import decode_cursor, page
from reviewapp.api.endpoint import Call, Endpoint
from reviewapp.api.shapes.common import ListOf, Scope
from reviewapp.api.shapes.models import (
    ChoiceDelete,
    ChoiceDeleted,
    ChoicePut,
    ChoiceQuery,
    ChoiceShape,
    Model,
    OptionShape,
)
from reviewapp.domain.choices import ModelChoice, ModelName, Use
from reviewapp.domain.ids import content_hash


def choice_id(use: Use, graph: str, workflow: str | None) -> str:
    """``mch_`` + 24 hex digits: the same scope and use keep it."""
    return f"mch_{content_hash([graph, workflow, use])[:24]}"


def list_(call: Call[ChoiceQuery, None]) -> ListOf[ChoiceShape]:
    """The workspace's choice of each use, then what workflows have of their own; with `workflow` what is in force for
    it, with the options."""
    query, workspace = call.query, call.workspace
    rows = (
        choosing.list_choices(workspace)
        if query.workflow is None
        else choosing.choices_in_force(workspace, query.workflow)
    )
    shown = [
        show(choice, workspace.name, with_options=query.workflow is not None)
        for choice in rows
        if query.use in (None, choice.use)
    ]
    after = decode_cursor("choices", query.cursor)
    seen = [row.id for row in shown]
    rest = shown[seen.index(str(after)) + 1 :] if after in seen else shown
    return page("choices", rest, query.limit, lambda row: row.id, lambda row: row)


def put(call: Call[Scope, ChoicePut]) -> ChoiceShape:
    """Choose a model for a use, in the workspace or for one workflow."""
    body = call.body
    name = ModelName(**body.model.model_dump())
    choice = choosing.choose(call.workspace, body.use, name, workflow=body.workflow, by=call.by)
    return show(choice, call.workspace.name, with_options=True)


def delete(call: Call[ChoiceDelete, None]) -> ChoiceDeleted:
    """Take a choice back; the same answer where there is none."""
    query = call.query
    choosing.drop_choice(call.workspace, query.use, workflow=query.workflow, by=call.caller.name)
    return ChoiceDeleted(id=choice_id(query.use, call.workspace.name, query.workflow))


def show(choice: ModelChoice, graph: str, *, with_options: bool) -> ChoiceShape:
    options = choosing.options(choice.use)
    return ChoiceShape(
        id=choice_id(choice.use, graph, choice.workflow),
        use=choice.use,
        scope="environment" if choice.workflow is None else "workflow",
        source="default" if choice.since is None else "person",
        choosable=bool(options),
        model=_model(choice.model),
        default=_model(choosing.default_choice(choice.use).model),
        previous=_model(choice.previous),
        graph=None if choice.workflow is None else graph,
        workflow=choice.workflow,
        since=choice.since,
        by=choice.by,
        created=choice.created,
        options=[
            OptionShape(
                provider=option.name.provider,
                model=option.name.model,
                label=option.label,
                available=option.available,
                efforts=list(option.efforts),
                note=option.note or None,
                price_in_per_million_usd=option.input_usd_per_million,
                price_out_per_million_usd=option.output_usd_per_million,
            )
            for option in options
        ]
        if with_options
        else None,
    )


def _model(name: ModelName | None) -> Model | None:
    return None if name is None else Model(**name.model_dump())


PATH = "/models/choices"
ENDPOINTS = (
    Endpoint(
        "GET",
        PATH,
        "viewer",
        list_,
        ListOf[ChoiceShape],
        query=ChoiceQuery,
        tag="Models",
        summary="List model choices",
        refusals=((404, "named_workflow_not_found"),),
    ),
    Endpoint(
        "PUT",
        PATH,
        "author",
        put,
        ChoiceShape,
        body=ChoicePut,
        tag="Models",
        summary="Choose a model",
        keyed=True,
        refusals=(
            (400, "model_choice_unsupported"),
            (404, "named_workflow_not_found"),
            (409, "model_choice_unavailable"),
        ),
    ),
    Endpoint(
        "DELETE",
        PATH,
        "author",
        delete,
        ChoiceDeleted,
        query=ChoiceDelete,
        tag="Models",
        summary="Take a choice back",
        keyed=True,
        refusals=((404, "named_workflow_not_found"),),
    ),
)
