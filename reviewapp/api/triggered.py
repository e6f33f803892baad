"""The same workflows by their starter, and the kinds of workflows that can be made here."""

from __future__ import annotations

from reviewapp import calls
from reviewapp import records as record_keeping
from reviewapp import workflows as workflow_keeping
from reviewapp.api.endpoint import Call
from reviewapp.api.shapes.common import Scope
from reviewapp.api.shapes.workflows import (
    STARTER,
    STARTER_SPELLINGS,
    Deleted,
    PauseBody,
    PreviewBody,
    PreviewShape,
    RefreshShape,
    StarterList,
    StarterParam,
    StarterShape,
    TriggeredBody,
    TriggeredByName,
    TriggeredDelete,
    TriggeredList,
    TriggeredQuery,
    TriggeredShape,
)
from reviewapp.api.workflows import delete_confirmed, named_workflow, run_as_test, workflow_row
from reviewapp.api.workflows_wire import definition_of, show_triggered, watch_of
from reviewapp.errors import NotFound

PREVIEW_INPUTS = 20
"""Records that a preview reads at most."""


def get_triggered(call: Call[TriggeredQuery, None]) -> TriggeredShape | TriggeredList:
    """All workflows by name; with `starter` and `name` that one alone."""
    query = call.query
    if query.name is not None:
        _check_starter(query.starter)
        return show_triggered(named_workflow(call, query.name, "triggered_workflow_not_found"))
    return TriggeredList(starters=[show_triggered(w) for w in workflow_keeping.list_workflows(call.workspace)])


def _check_starter(starter: str | None) -> None:
    if starter is not None and starter not in STARTER_SPELLINGS:
        raise NotFound("starter", starter, code="triggered_workflow_not_found")


def put_triggered(call: Call[Scope, TriggeredBody]) -> TriggeredShape:
    """Make a workflow or change one. The same request again changes nothing: same revision, no new row of history.

    `params.properties` names properties that are declared for the collection (PUT `/v1/collections/properties`);
    their types and units come from there.
    """
    definition = definition_of(call.workspace, call.body)
    workflow_keeping.refuse_programs(definition, call.settings.programs)
    made = workflow_keeping.put_workflow(call.workspace, definition, by=call.by)
    if call.body.budget_usd_per_month is not None:
        limit = round(call.body.budget_usd_per_month * 1_000_000)
        if calls.spending(call.workspace, made.name).micro_usd_per_month != limit:
            calls.set_budget(call.workspace, limit, workflow=made.name, by=call.by)
    return show_triggered(made)


def preview_triggered(call: Call[Scope, PreviewBody]) -> PreviewShape:
    """How many records a workflow would read; with `sample` or `iris`, what it would read from them. Writes nothing."""
    definition = definition_of(call.workspace, call.body)
    workflow_keeping.refuse_programs(definition, call.settings.programs)
    collection = record_keeping.get_collection(call.workspace, definition.collection)
    settings = workflow_keeping.resolve(call.workspace, definition)
    iris = call.body.iris
    if iris is None:
        rows = record_keeping.list_records(call.workspace, definition.collection, limit=call.body.sample or 0)
        iris = [row.iri for row in rows] if call.body.sample else []
    samples = []
    for iri in iris[:PREVIEW_INPUTS]:
        record = record_keeping.get_record(call.workspace, iri)
        result = workflow_keeping.try_on_text(call.workspace, settings, record.text)
        values = [value.model_dump(mode="json", exclude_none=True) for value in result.values]
        samples.append({"iri": iri, "label": record.name, "values": values, "failed": result.failed})
    return PreviewShape(
        name=definition.name,
        watch=watch_of(settings),
        instance_count=collection.record_count,
        details={"samples": samples},
    )


def pause_triggered(call: Call[TriggeredByName, PauseBody]) -> TriggeredShape:
    """Pause a workflow or let it go on."""
    _check_starter(call.query.starter)
    named_workflow(call, call.query.name, "triggered_workflow_not_found")
    return show_triggered(
        workflow_keeping.pause_workflow(call.workspace, call.query.name, call.body.paused, by=call.by)
    )


def refresh_triggered(call: Call[TriggeredByName, None]) -> RefreshShape:
    """Run a workflow on all of its records as a test."""
    _check_starter(call.query.starter)
    workflow = named_workflow(call, call.query.name, "triggered_workflow_not_found")
    return RefreshShape(starter=show_triggered(workflow), queued=run_as_test(call, workflow))


def delete_triggered(call: Call[TriggeredDelete, None]) -> Deleted:
    """Delete a workflow; `confirm` repeats its name."""
    _check_starter(call.query.starter)
    return delete_confirmed(call, call.query, "triggered_workflow_not_found")


def list_starters(call: Call[Scope, None]) -> StarterList:  # noqa: ARG001  # every workspace has the same
    """What kinds of workflows can be made here."""
    return StarterList(starters=[VALUES_EXTRACT])


VALUES_EXTRACT = StarterShape(
    id=STARTER,
    version="v1",
    title="Read values",
    summary="Reads the declared properties out of the text of every record, each with its quote and support.",
    group="Values",
    available=True,
    truth=["A value that passes its checks and the gate would be written; the others go to a person or are dropped."],
    watch="required",
    params=[
        StarterParam(
            name="properties", kind="string_list", description="Names of declared properties; all by default."
        ),
        StarterParam(name="context", kind="string", description="What a reader should know about these texts."),
        StarterParam(name="rules", kind="object", description="Decimal mark, date order, two-digit years."),
        StarterParam(name="extractor", kind="object", description="Who reads; the embedded rules by default."),
        StarterParam(name="blocks", kind="object", description="The steps, in order; one that reads by default."),
    ],
)

_TRIGGERED = "/workflows/triggered"
_NO_TRIGGERED = ((404, "triggered_workflow_not_found"),)
_PARAMS = ((400, "workflow_param_invalid"),)

ENDPOINTS = (
    workflow_row(
        "GET",
        _TRIGGERED,
        "viewer",
        get_triggered,
        TriggeredList,
        "Workflows by starter",
        query=TriggeredQuery,
        also=TriggeredShape,
        refusals=_NO_TRIGGERED,
    ),
    workflow_row(
        "PUT",
        _TRIGGERED,
        "author",
        put_triggered,
        TriggeredShape,
        "Make or change a workflow",
        body=TriggeredBody,
        refusals=_PARAMS,
    ),
    workflow_row(
        "POST",
        f"{_TRIGGERED}/preview",
        "author",
        preview_triggered,
        PreviewShape,
        "Preview a workflow",
        body=PreviewBody,
        refusals=(*_PARAMS, (404, "not_found")),
    ),
    workflow_row(
        "POST",
        f"{_TRIGGERED}/pause",
        "author",
        pause_triggered,
        TriggeredShape,
        "Pause a workflow",
        query=TriggeredByName,
        body=PauseBody,
        refusals=_NO_TRIGGERED,
    ),
    workflow_row(
        "POST",
        f"{_TRIGGERED}/refresh",
        "author",
        refresh_triggered,
        RefreshShape,
        "Run a workflow as a test",
        query=TriggeredByName,
        refusals=_NO_TRIGGERED,
    ),
    workflow_row(
        "DELETE",
        _TRIGGERED,
        "author",
        delete_triggered,
        Deleted,
        "Delete a workflow",
        query=TriggeredDelete,
        refusals=_NO_TRIGGERED,
    ),
    workflow_row("GET", "/workflows/starters", "viewer", list_starters, StarterList, "Kinds of workflows"),
)
