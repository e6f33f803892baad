"""Named workflows and their revisions through the API."""

from __future__ import annotations

from typing import Any

from reviewapp import tests as testing
from reviewapp import workflows as workflow_keeping
from reviewapp.api.cursors import decode_cursor, page
from reviewapp.api.endpoint import Call, Endpoint
from reviewapp.api.shapes.common import ByName, ListOf, Scope
from reviewapp.api.shapes.workflows import (
    ActivateBody,
    Deleted,
    DeleteQuery,
    NamedQuery,
    NamedShape,
    PauseBody,
    RevisionById,
    RevisionQuery,
    RevisionShape,
    RunShape,
)
from reviewapp.api.workflows_wire import find_workflow, show_named, show_revision
from reviewapp.domain.workflows import Activation, Revision, Workflow
from reviewapp.errors import Conflict, InvalidInput, NotFound, OpenTest


def named_workflow(call: Call[Any, Any], name: str, code: str = "named_workflow_not_found") -> Workflow:
    found = find_workflow(call.workspace, name)
    if found is None:
        raise NotFound("workflow", name, code=code)
    return found


def get_named(call: Call[NamedQuery, None]) -> NamedShape | ListOf[NamedShape]:
    """All workflows by name, a page at a time; with `name` that one alone."""
    query = call.query
    if query.name is not None:
        return show_named(call.workspace, named_workflow(call, query.name))
    after = decode_cursor("workflows", query.cursor)
    rows = [w for w in workflow_keeping.list_workflows(call.workspace) if after is None or w.name > str(after)]
    return page(
        "workflows", rows[: query.limit + 1], query.limit, lambda w: w.name, lambda w: show_named(call.workspace, w)
    )


def delete_named(call: Call[DeleteQuery, None]) -> Deleted:
    """Delete a workflow; `confirm` repeats its name. Its tests, answers and datasets stay."""
    return delete_confirmed(call, call.query, "named_workflow_not_found")


def delete_confirmed(call: Call[Any, None], query: DeleteQuery, code: str) -> Deleted:
    named_workflow(call, query.name, code)
    if query.confirm != query.name:
        raise InvalidInput(
            f"`confirm` is {query.confirm[:80]!r}; expected the name again: {query.name!r}.", param="confirm"
        )
    workflow_keeping.delete_workflow(call.workspace, query.name, by=call.by)
    return Deleted()


def pause_named(call: Call[ByName, PauseBody]) -> NamedShape:
    """Pause a workflow or let it go on. Tests of a paused workflow run all the same."""
    named_workflow(call, call.query.name)
    return show_named(
        call.workspace, workflow_keeping.pause_workflow(call.workspace, call.query.name, call.body.paused, by=call.by)
    )


def run_named(call: Call[ByName, None]) -> RunShape:
    """Run a workflow on all of its records as a test; nothing is written anywhere else. Not while one is under way."""
    workflow = named_workflow(call, call.query.name)
    return RunShape(workflow=show_named(call.workspace, workflow), queued=run_as_test(call, workflow))


def run_as_test(call: Call[Any, Any], workflow: Workflow) -> bool:
    try:
        testing.start_test(call.workspace, workflow=workflow.name, everything=True, by=call.by)
    except OpenTest:
        return False
    return True


def list_revisions(call: Call[RevisionQuery, None]) -> ListOf[RevisionShape]:
    """The workflow's history, newest activation first; exactly one row is `bound`."""
    query = call.query
    workflow = named_workflow(call, query.name)
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
    workflow = named_workflow(call, query.name)
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
    workflow = named_workflow(call, body.name)
    _revision(call, body.name, body.id)
    if body.expected_revision is not None and workflow.active.id != body.expected_revision:
        message = f"Workflow {body.name!r} is on revision {workflow.active.id}, not {body.expected_revision[:80]!r}."
        raise Conflict(message, code="workflow_revision_conflict", param="expected_revision")
    workflow_keeping.activate_revision(call.workspace, body.name, body.id, by=call.by, expected=body.expected_revision)
    return show_named(call.workspace, named_workflow(call, body.name))


_NAMED = "/workflows/named"
_NO_NAMED = ((404, "named_workflow_not_found"),)
_NO_REVISION = ((404, "named_workflow_not_found workflow_revision_not_found"),)


def workflow_row(method: Any, path: str, role: Any, handler: Any, answer: Any, summary: str, **more: Any) -> Endpoint:
    return Endpoint(method, path, role, handler, answer, tag="Workflows", summary=summary, **more)


ENDPOINTS = (
    workflow_row(
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
    workflow_row(
        "DELETE", _NAMED, "author", delete_named, Deleted, "Delete a workflow", query=DeleteQuery, refusals=_NO_NAMED
    ),
    workflow_row(
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
    workflow_row(
        "POST",
        f"{_NAMED}/run",
        "author",
        run_named,
        RunShape,
        "Run a workflow as a test",
        query=ByName,
        refusals=_NO_NAMED,
    ),
    workflow_row(
        "GET",
        f"{_NAMED}/revisions",
        "viewer",
        list_revisions,
        ListOf[RevisionShape],
        "The history of a workflow",
        query=RevisionQuery,
        refusals=_NO_NAMED,
    ),
    workflow_row(
        "GET",
        f"{_NAMED}/revisions/get",
        "viewer",
        get_revision,
        RevisionShape,
        "A revision",
        query=RevisionById,
        refusals=_NO_REVISION,
    ),
    workflow_row(
        "POST",
        f"{_NAMED}/revisions/activate",
        "author",
        activate,
        NamedShape,
        "Activate a revision",
        body=ActivateBody,
        refusals=(*_NO_REVISION, (409, "workflow_revision_conflict workflow_revision_stale")),
    ),
)
