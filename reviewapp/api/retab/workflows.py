"""What block tests are made of: the blocks of a workflow, and whole runs with every step."""

from __future__ import annotations

from typing import Any

from reviewapp import block_tests
from reviewapp.api.endpoint import Call
from reviewapp.api.retab import bodies, shapes
from reviewapp.api.retab.showing import show_input
from reviewapp.api.retab.tests import row
from reviewapp.domain.block_tests import WorkflowRun
from reviewapp.domain.blocks import input_handles


def blocks(call: Call[bodies.WorkflowQuery, None]) -> shapes.BlockList:
    """The blocks of a workflow as it is now, in order, with their handles and JSON Schemas: what a test can look at."""
    draft = block_tests.draft_of(call.workspace, call.query.workflow_id)
    counts = block_tests.count_tests(call.workspace, call.query.workflow_id)
    return shapes.BlockList(
        workflow_id=draft.workflow,
        workflow_version_id=draft.revision.id,
        draft_fingerprint=draft.fingerprint,
        data=[
            shapes.BlockShape(
                id=block.id,
                type=block.type,
                label=block.name,
                input_handles=list(input_handles(block)),
                output_handles=draft.outputs(block.id),
                fingerprint=draft.config(block).fingerprint,
                tests=counts.get(block.id, 0),
            )
            for block in draft.blocks
        ],
    )


def run(call: Call[Any, bodies.WorkflowRunCreate]) -> shapes.WorkflowRunShape:
    """Run a whole workflow on one input, at once, and keep every step's inputs and outputs."""
    body = call.body
    made = block_tests.run_workflow(
        call.workspace,
        body.workflow_id,
        text=body.text,
        iri=body.iri,
        document=body.document,
        data=body.data,
        by=call.by,
    )
    return _show(made)


def get(call: Call[bodies.ById, None]) -> shapes.WorkflowRunShape:
    """A run of a whole workflow, step by step."""
    return _show(block_tests.get_workflow_run(call.workspace, call.query.id))


def _show(found: WorkflowRun) -> shapes.WorkflowRunShape:
    return shapes.WorkflowRunShape(
        id=found.id,
        workflow_id=found.workflow,
        workflow_version_id=found.revision,
        created_at=found.at,
        steps=[
            shapes.StepShape(
                step_id=step.id,
                type=step.type,
                skipped=step.skipped,
                handle_inputs={handle: show_input(given) for handle, given in step.inputs.items()},
                outputs=step.outputs,
                routing_decision=list(step.routing),
                warnings=list(step.warnings),
                error=step.error,
                duration_ms=step.milliseconds,
            )
            for step in found.steps
        ],
    )


ENDPOINTS = (
    row("GET", "blocks", "viewer", blocks, shapes.BlockList, "Blocks of a workflow", query=bodies.WorkflowQuery),
    row(
        "POST",
        "runs",
        "author",
        run,
        shapes.WorkflowRunShape,
        "Run a whole workflow",
        body=bodies.WorkflowRunCreate,
        status=201,
        refusals=((409, "too_many_whole_runs"),),
    ),
    row("GET", "runs/<id>", "viewer", get, shapes.WorkflowRunShape, "A run of a whole workflow", query=bodies.ById),
)
