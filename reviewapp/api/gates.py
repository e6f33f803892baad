"""The gate of a workflow through the API: what answers say of it, and setting it."""

from __future__ import annotations

from reviewapp import evaluations
from reviewapp.api.endpoint import Call, Endpoint
from reviewapp.api.evaluations import TAG
from reviewapp.api.shapes.common import Scope
from reviewapp.api.shapes.evaluations import GateBody, GateQuery, GateSet, GateShape
from reviewapp.workflows import get_workflow


def gate(call: Call[GateQuery, None]) -> GateShape:
    """How right values are from which support on, by people's answers, and the gate for a wanted precision."""
    query = call.query
    answers = evaluations.gate_answers(call.workspace, query.workflow, test=query.test)
    settings = get_workflow(call.workspace, query.workflow).active.settings
    return GateShape(
        workflow=query.workflow,
        gate=settings.gate if query.property is None else settings.gate_of(query.property),
        gates=settings.gates,
        evaluation=None if answers.evaluation is None else answers.evaluation.id,
        other_test=None if answers.other is None else answers.other.id,
        study=evaluations.gate_study(answers.points, query.property).model_dump(mode="json"),
        suggestion=evaluations.suggest_gate(answers.points, query.wanted, query.property).model_dump(mode="json"),
    )


def set_gate(call: Call[Scope, GateBody]) -> GateSet:
    """Put the revision in use with another gate: a new revision."""
    body = call.body
    changed = evaluations.set_gate(
        call.workspace,
        body.workflow,
        body.gate,
        property=body.property,
        by=call.by,
        expected=body.expected_revision,
    )
    now = changed.active.settings
    return GateSet(workflow=body.workflow, gate=now.gate, gates=now.gates, revision=changed.active.id)


PATH = "/workflows/named/gate"
_UNKNOWN = ((404, "named_workflow_not_found"),)

ENDPOINTS = (
    Endpoint(
        "GET",
        PATH,
        "viewer",
        gate,
        GateShape,
        query=GateQuery,
        tag=TAG,
        summary="The gate from answers",
        refusals=_UNKNOWN,
    ),
    Endpoint(
        "PUT",
        PATH,
        "author",
        set_gate,
        GateSet,
        body=GateBody,
        tag=TAG,
        summary="Set the gate",
        refusals=(*_UNKNOWN, (409, "workflow_revision_conflict")),
    ),
)
