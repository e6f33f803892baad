"""Workflows, revisions and starters through the API."""

from __future__ import annotations

import re
from typing import Any

from pydantic import TypeAdapter, ValidationError

from reviewapp import calls
from reviewapp import records as record_keeping
from reviewapp import tests as testing
from reviewapp import workflows as workflow_keeping
from reviewapp.api.cursors import decode_cursor, page
from reviewapp.api.endpoint import Call, Endpoint
from reviewapp.api.shapes.common import ByName, ListOf, Scope
from reviewapp.api.shapes.tests import FieldShape
from reviewapp.api.shapes.workflows import (
    STARTER,
    STARTER_SPELLINGS,
    ActivateBody,
    Deleted,
    DeleteQuery,
    NamedQuery,
    NamedShape,
    PauseBody,
    PreviewBody,
    PreviewShape,
    RefreshShape,
    RevisionById,
    RevisionQuery,
    RevisionRequest,
    RevisionShape,
    RunShape,
    StarterList,
    StarterParam,
    StarterShape,
    StatusShape,
    TriggeredBody,
    TriggeredByName,
    TriggeredDelete,
    TriggeredList,
    TriggeredQuery,
    TriggeredShape,
    Watch,
)
from reviewapp.domain.base import SLUG_EXPECTED
from reviewapp.domain.blocks import Block
from reviewapp.domain.workflows import (
    DEFAULT_GATE,
    DROP_BELOW,
    Activation,
    ExtractorChoice,
    Revision,
    Rules,
    RulesExtractor,
    Workflow,
    WorkflowDefinition,
    WorkflowSettings,
)
from reviewapp.errors import Conflict, InvalidInput, NotFound, OpenTest
from reviewapp.workspaces import Workspace

TEXT_FIELD = FieldShape(path=["text"], name="text", max=1)
"""What every record has, and all that a workflow reads of it."""
PREVIEW_INPUTS = 20
_SLUG = re.compile(r"[a-z0-9][a-z0-9-]{0,62}")
_rules = TypeAdapter[Rules](Rules)
_extractor = TypeAdapter[Any](ExtractorChoice)
_blocks = TypeAdapter[Any](tuple[Block, ...])


def _misfit(param: str, message: str) -> InvalidInput:
    return InvalidInput(message, code="workflow_param_invalid", param=param)


# -- from the wire to a definition -----------------------------------------------------------------------------


def definition_of(workspace: Workspace, body: TriggeredBody, *, param: str = "starter") -> WorkflowDefinition:
    """The workflow that a PUT body describes. Raises InvalidInput with the protocol's params: the starter (`param`),
    `watch`, `params`, `name`."""
    if body.starter not in STARTER_SPELLINGS:
        raise _misfit(param, f"Starter {body.starter[:80]!r} is not made here; expected {STARTER!r}.")
    collection = _collection_of(workspace, body)
    params = dict(body.params or {})
    properties = params.get("properties")
    declared = [p.name for p in record_keeping.get_collection(workspace, collection).properties]
    if properties is None:
        properties = declared
    if not isinstance(properties, list) or not properties or not all(isinstance(p, str) for p in properties):
        raise _misfit("params", f"`params.properties` is {properties!r:.80}; expected names out of {declared}.")
    if unknown := [p for p in properties if p not in declared]:
        raise _misfit("params", f"Properties {unknown} are not declared for {collection!r}; it has {declared}.")
    if len(set(properties)) != len(properties):
        raise _misfit("params", "`params.properties` names a property twice; name each once.")
    context = params.get("context", "")
    if not isinstance(context, str) or len(context) > 10_000:
        raise _misfit("params", "`params.context` must be text of at most 10,000 characters.")
    return WorkflowDefinition(
        name=_name_of(body, collection),
        collection=collection,
        properties=tuple(properties),
        context=context,
        gate=_gate_of(body),
        rules=_fit(_rules, params.get("rules", {}), "rules"),
        extractor=_fit(_extractor, params.get("extractor", {"kind": "rules"}), "extractor"),
        blocks=_fit(_blocks, params.get("blocks", []), "blocks"),
    )


def _fit(adapter: TypeAdapter[Any], content: Any, name: str) -> Any:
    try:
        return adapter.validate_python(content)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        raise _misfit("params", f"`params.{name}` {place}: {first['msg']}; found {first['input']!r:.80}.") from None


def _gate_of(body: TriggeredBody) -> float:
    if body.gate is None:
        return DEFAULT_GATE
    if body.gate.below < DROP_BELOW:
        message = (
            f"`gate.below` is {body.gate.below}; expected {DROP_BELOW} to 1, since less support is always dropped."
        )
        raise InvalidInput(message, code="workflow_param_invalid", param="gate")
    return body.gate.below


def _collection_of(workspace: Workspace, body: TriggeredBody) -> str:
    """The collection that `watch.class` names: by its name, or by an IRI that ends in it."""
    there = [c.name for c in record_keeping.list_collections(workspace)]
    if body.watch is None:
        existing = body.name if body.name is not None else None
        if existing is not None and (found := _find(workspace, existing)) is not None:
            return found.collection
        raise _misfit("watch", f"`watch.class` is missing; expected one of the collections {there}.")
    _check_fields(body.watch)
    asked = body.watch.class_
    local = re.split(r"[/#:]", asked)[-1]
    for candidate in (asked, local, local.lower()):
        if candidate in there:
            return candidate
    raise _misfit("watch", f"Class {asked[:80]!r} is no collection of this workspace; expected one of {there}.")


def _check_fields(watch: Watch) -> None:
    for field in watch.fields or ():
        path = field if isinstance(field, str) else field.path
        if path not in ("text", ["text"]):
            raise _misfit("watch", f"Field {path!r:.80} is not declared; records have the field 'text'.")


def _name_of(body: TriggeredBody, collection: str) -> str:
    name = collection if body.name is None else body.name
    if not _SLUG.fullmatch(name):
        raise _misfit("name", f"Name {name[:80]!r} does not fit; expected {SLUG_EXPECTED}.")
    return name


def _find(workspace: Workspace, name: str) -> Workflow | None:
    try:
        return workflow_keeping.get_workflow(workspace, name)
    except NotFound:
        return None


def _named(call: Call[Any, Any], name: str, code: str = "named_workflow_not_found") -> Workflow:
    found = _find(call.workspace, name)
    if found is None:
        raise NotFound("workflow", name, code=code)
    return found


# -- showing ---------------------------------------------------------------------------------------------------


def put_body(name: str, settings: WorkflowSettings) -> dict[str, Any]:
    """The PUT body that makes these settings."""
    return {
        "starter": STARTER,
        "name": name,
        "watch": {"class": settings.collection, "fields": ["text"]},
        "params": _params(settings),
        "gate": {"below": settings.gate},
    }


def _params(settings: WorkflowSettings) -> dict[str, Any]:
    params: dict[str, Any] = {"properties": [p.name for p in settings.properties]}
    if settings.context:
        params["context"] = settings.context
    if settings.rules != Rules():
        params["rules"] = settings.rules.model_dump(mode="json")
    if settings.extractor != RulesExtractor():
        params["extractor"] = settings.extractor.model_dump(mode="json")
    if settings.blocks:
        params["blocks"] = [block.model_dump(mode="json") for block in settings.blocks]
    return params


def _watch(settings: WorkflowSettings) -> dict[str, Any]:
    return {"class": settings.collection, "fields": [TEXT_FIELD.model_dump()]}


def _status(workflow: Workflow) -> StatusShape:
    return StatusShape(state="paused" if workflow.paused else "ready")


def show_named(workspace: Workspace, workflow: Workflow) -> NamedShape:
    settings = workflow.active.settings
    limit = calls.spending(workspace, workflow.name).micro_usd_per_month
    return NamedShape(
        name=workflow.name,
        paused=workflow.paused,
        status=_status(workflow),
        triggers=[{"id": "watch", "kind": "watch", "watch": _watch(settings)}],
        active_revision=workflow.active.id,
        params=_params(settings),
        gate={"below": settings.gate},
        budget_usd_per_month=None if limit is None else limit / 1_000_000,
        created=workflow.created,
    )


def show_triggered(workflow: Workflow) -> TriggeredShape:
    settings = workflow.active.settings
    return TriggeredShape(
        name=workflow.name,
        status=_status(workflow),
        watch=_watch(settings),
        params=_params(settings),
        gate={"below": settings.gate},
        active_revision=workflow.active.id,
    )


def show_revision(
    workflow: Workflow, revision: Revision, activation: Activation | None, *, bound: bool
) -> RevisionShape:
    return RevisionShape(
        id=revision.id,
        created=revision.created,
        workflow=workflow.name,
        bound=bound,
        settings=revision.settings.model_dump(mode="json"),
        request=RevisionRequest(body=put_body(workflow.name, revision.settings)),
        activation=None if activation is None else activation.number,
        action=None if activation is None else activation.action,
        activated_at=None if activation is None else activation.at,
        activated_by=None if activation is None else activation.by,
        previous_revision=None if activation is None else activation.previous,
    )


# -- named workflows -------------------------------------------------------------------------------------------


def get_named(call: Call[NamedQuery, None]) -> NamedShape | ListOf[NamedShape]:
    """All workflows by name, a page at a time; with `name` that one alone."""
    query = call.query
    if query.name is not None:
        return show_named(call.workspace, _named(call, query.name))
    after = decode_cursor("workflows", query.cursor)
    rows = [w for w in workflow_keeping.list_workflows(call.workspace) if after is None or w.name > str(after)]
    return page(
        "workflows", rows[: query.limit + 1], query.limit, lambda w: w.name, lambda w: show_named(call.workspace, w)
    )


def delete_named(call: Call[DeleteQuery, None]) -> Deleted:
    """Delete a workflow; `confirm` repeats its name. Its tests, answers and datasets stay."""
    return _delete(call, call.query, "named_workflow_not_found")


def _delete(call: Call[Any, None], query: DeleteQuery, code: str) -> Deleted:
    _named(call, query.name, code)
    if query.confirm != query.name:
        raise InvalidInput(
            f"`confirm` is {query.confirm[:80]!r}; expected the name again: {query.name!r}.", param="confirm"
        )
    workflow_keeping.delete_workflow(call.workspace, query.name, by=call.by)
    return Deleted()


def pause_named(call: Call[ByName, PauseBody]) -> NamedShape:
    """Pause a workflow or let it go on. Tests of a paused workflow run all the same."""
    _named(call, call.query.name)
    return show_named(
        call.workspace, workflow_keeping.pause_workflow(call.workspace, call.query.name, call.body.paused, by=call.by)
    )


def run_named(call: Call[ByName, None]) -> RunShape:
    """Run a workflow on all of its records as a test; nothing is written anywhere else. Not while one is under way."""
    workflow = _named(call, call.query.name)
    return RunShape(workflow=show_named(call.workspace, workflow), queued=_run(call, workflow))


def _run(call: Call[Any, Any], workflow: Workflow) -> bool:
    try:
        testing.start_test(call.workspace, workflow=workflow.name, everything=True, by=call.by)
    except OpenTest:
        return False
    return True


def list_revisions(call: Call[RevisionQuery, None]) -> ListOf[RevisionShape]:
    """The workflow's history, newest activation first; exactly one row is `bound`."""
    query = call.query
    workflow = _named(call, query.name)
    history = sorted(workflow_keeping.history(call.workspace, query.name), key=lambda row: -row.number)
    newest = history[0].number if history else None
    after = decode_cursor("revisions", query.cursor)
    rows = [row for row in history if after is None or row.number < int(after)][: query.limit + 1]

    def show(row: Activation) -> RevisionShape:
        revision = workflow_keeping.get_revision(call.workspace, query.name, row.revision)
        return show_revision(workflow, revision, row, bound=row.number == newest)

    return page("revisions", rows, query.limit, lambda row: row.number, show)


def get_revision(call: Call[RevisionById, None]) -> RevisionShape:
    """One revision, with its newest activation."""
    query = call.query
    workflow = _named(call, query.name)
    revision = _revision(call, query.name, query.id)
    activations = [row for row in workflow_keeping.history(call.workspace, query.name) if row.revision == query.id]
    newest = max(activations, key=lambda row: row.number, default=None)
    return show_revision(workflow, revision, newest, bound=workflow.active.id == revision.id)


def _revision(call: Call[Any, Any], name: str, revision: str) -> Revision:
    try:
        return workflow_keeping.get_revision(call.workspace, name, revision)
    except NotFound as error:
        raise NotFound(error.kind, revision, code="workflow_revision_not_found") from None


def activate(call: Call[Scope, ActivateBody]) -> NamedShape:
    """Bind an earlier revision again. With `expected_revision` only when that one is bound now."""
    body = call.body
    workflow = _named(call, body.name)
    _revision(call, body.name, body.id)
    if body.expected_revision is not None and workflow.active.id != body.expected_revision:
        message = f"Workflow {body.name!r} is on revision {workflow.active.id}, not {body.expected_revision[:80]!r}."
        raise Conflict(message, code="workflow_revision_conflict", param="expected_revision")
    workflow_keeping.activate_revision(call.workspace, body.name, body.id, by=call.by, expected=body.expected_revision)
    return show_named(call.workspace, _named(call, body.name))


# -- the same workflows by their starter -----------------------------------------------------------------------


def get_triggered(call: Call[TriggeredQuery, None]) -> TriggeredShape | TriggeredList:
    """All workflows by name; with `starter` and `name` that one alone."""
    query = call.query
    if query.name is not None:
        _check_starter(query.starter)
        return show_triggered(_named(call, query.name, "triggered_workflow_not_found"))
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
        watch=_watch(settings),
        instance_count=collection.record_count,
        details={"samples": samples},
    )


def pause_triggered(call: Call[TriggeredByName, PauseBody]) -> TriggeredShape:
    """Pause a workflow or let it go on."""
    _check_starter(call.query.starter)
    _named(call, call.query.name, "triggered_workflow_not_found")
    return show_triggered(
        workflow_keeping.pause_workflow(call.workspace, call.query.name, call.body.paused, by=call.by)
    )


def refresh_triggered(call: Call[TriggeredByName, None]) -> RefreshShape:
    """Run a workflow on all of its records as a test."""
    _check_starter(call.query.starter)
    workflow = _named(call, call.query.name, "triggered_workflow_not_found")
    return RefreshShape(starter=show_triggered(workflow), queued=_run(call, workflow))


def delete_triggered(call: Call[TriggeredDelete, None]) -> Deleted:
    """Delete a workflow; `confirm` repeats its name."""
    _check_starter(call.query.starter)
    return _delete(call, call.query, "triggered_workflow_not_found")


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

_NAMED, _TRIGGERED = "/workflows/named", "/workflows/triggered"
_NO_NAMED = ((404, "named_workflow_not_found"),)
_NO_TRIGGERED = ((404, "triggered_workflow_not_found"),)
_NO_REVISION = ((404, "named_workflow_not_found workflow_revision_not_found"),)
_PARAMS = ((400, "workflow_param_invalid"),)


def _row(method: Any, path: str, role: Any, handler: Any, answer: Any, summary: str, **more: Any) -> Endpoint:
    return Endpoint(method, path, role, handler, answer, tag="Workflows", summary=summary, **more)


ENDPOINTS = (
    _row(
        "GET",
        _NAMED,
        "viewer",
        get_named,
        ListOf[NamedShape],
        "List workflows, or get one",
        query=NamedQuery,
        also=NamedShape,
        refusals=_NO_NAMED,
    ),
    _row("DELETE", _NAMED, "author", delete_named, Deleted, "Delete a workflow", query=DeleteQuery, refusals=_NO_NAMED),
    _row(
        "POST",
        f"{_NAMED}/pause",
        "author",
        pause_named,
        NamedShape,
        "Pause a workflow",
        query=ByName,
        body=PauseBody,
        refusals=_NO_NAMED,
    ),
    _row(
        "POST",
        f"{_NAMED}/run",
        "author",
        run_named,
        RunShape,
        "Run a workflow as a test",
        query=ByName,
        refusals=_NO_NAMED,
    ),
    _row(
        "GET",
        f"{_NAMED}/revisions",
        "viewer",
        list_revisions,
        ListOf[RevisionShape],
        "The history of a workflow",
        query=RevisionQuery,
        refusals=_NO_NAMED,
    ),
    _row(
        "GET",
        f"{_NAMED}/revisions/get",
        "viewer",
        get_revision,
        RevisionShape,
        "A revision",
        query=RevisionById,
        refusals=_NO_REVISION,
    ),
    _row(
        "POST",
        f"{_NAMED}/revisions/activate",
        "author",
        activate,
        NamedShape,
        "Activate a revision",
        body=ActivateBody,
        refusals=(*_NO_REVISION, (409, "workflow_revision_conflict workflow_revision_stale")),
    ),
    _row(
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
    _row(
        "PUT",
        _TRIGGERED,
        "author",
        put_triggered,
        TriggeredShape,
        "Make or change a workflow",
        body=TriggeredBody,
        refusals=_PARAMS,
    ),
    _row(
        "POST",
        f"{_TRIGGERED}/preview",
        "author",
        preview_triggered,
        PreviewShape,
        "Preview a workflow",
        body=PreviewBody,
        refusals=(*_PARAMS, (404, "not_found")),
    ),
    _row(
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
    _row(
        "POST",
        f"{_TRIGGERED}/refresh",
        "author",
        refresh_triggered,
        RefreshShape,
        "Run a workflow as a test",
        query=TriggeredByName,
        refusals=_NO_TRIGGERED,
    ),
    _row(
        "DELETE",
        _TRIGGERED,
        "author",
        delete_triggered,
        Deleted,
        "Delete a workflow",
        query=TriggeredDelete,
        refusals=_NO_TRIGGERED,
    ),
    _row("GET", "/workflows/starters", "viewer", list_starters, StarterList, "Kinds of workflows"),
)
