"""A whole workflow run on one input, step by step; every step is kept, so that a test can be made from it."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Final

from reviewapp.block_tests.drafts import Draft, draft_of
from reviewapp.block_tests.snapshots import freeze_inputs, json_input, keep_text
from reviewapp.block_tests.targets import desk_of, given
from reviewapp.domain.block_tests import (
    Document,
    FileInput,
    HandleInput,
    HandleInputs,
    JsonInput,
    WorkflowRun,
    WorkflowStep,
)
from reviewapp.domain.blocks import DOCUMENT, FILE_IN, JSON_IN, Block, sources_of
from reviewapp.domain.ids import new_id
from reviewapp.errors import Conflict, NotFound
from reviewapp.evals.kernel import in_a_line
from reviewapp.extraction.blocks import BlockFailed, Output, make_runner
from reviewapp.store.workspace import Workspace

AT_ONCE: Final = 2
"""Whole runs at a time in one process; each holds a thread of the server, which others need."""
_places = threading.BoundedSemaphore(AT_ONCE)


def run_workflow(
    workspace: Workspace,
    workflow: str,
    *,
    text: str | None = None,
    iri: str | None = None,
    data: Any = None,
    document: Mapping[str, Any] | str | None = None,
    by: str,
) -> WorkflowRun:
    """Run every block on one input (a text, a record, JSON, or a file), in this thread. A step that fails, or whose
    inputs were not given, leaves those behind it without theirs; they are skipped.

    Raises NotFound (workflow, record), InvalidInput, Conflict (as many as may are at work).
    """
    draft = draft_of(workspace, workflow)
    with workspace.atomic():
        start = _start(workspace, text=text, iri=iri, data=data, document=document)
    if not _places.acquire(blocking=False):
        raise Conflict(
            f"{AT_ONCE} whole runs are at work already; try again when one has ended.", code="too_many_whole_runs"
        )
    try:
        steps = _steps(workspace, draft, start)
    finally:
        _places.release()
    run = WorkflowRun(
        id=new_id("wfrun"),
        workflow=workflow,
        revision=draft.revision.id,
        at=datetime.now(UTC),
        by=by,
        steps=tuple(steps),
    )
    workspace.block_tests.keep_workflow_run(run)
    return run


def _steps(workspace: Workspace, draft: Draft, start: HandleInput) -> list[WorkflowStep]:
    made: dict[str, HandleInput] = {}
    steps: list[WorkflowStep] = []
    sources = sources_of(draft.blocks)
    for block in draft.blocks:
        inputs: HandleInputs = {}
        for handle, source in sources[block.id].items():
            found = start if source == DOCUMENT else made.get(source)
            if found is not None:
                inputs[_fitting(handle, found)] = found
        step, output = _step(workspace, draft, block, inputs)
        steps.append(step)
        for handle, value in (output.values if output else {}).items():
            made[f"{block.id}.{handle}"] = _as_input(value)
    return steps


def get_workflow_run(workspace: Workspace, id: str) -> WorkflowRun:
    """Raises NotFound."""
    found = workspace.block_tests.workflow_run(id)
    if found is None:
        raise NotFound("run of a workflow", id, code="run_not_found")
    return found


def list_workflow_runs(workspace: Workspace, workflow: str, *, limit: int = 20) -> list[WorkflowRun]:
    """Newest first."""
    return workspace.block_tests.workflow_runs(workflow, limit)


def _start(workspace: Workspace, *, text: str | None, iri: str | None, data: Any, document: Any) -> HandleInput:
    if text is not None:
        return json_input(text, "text")
    if iri is not None:
        record = workspace.records.get(iri)
        if record is None:
            raise NotFound("record", iri, code="record_not_found")
        return FileInput(type="file", document=keep_text(workspace, record.text, record.name))
    if document is not None:
        value = document if isinstance(document, str) else {"type": "file", "document": document}
        frozen, _ = freeze_inputs(workspace, {FILE_IN: value})
        return frozen[FILE_IN]
    return json_input(data, "data")


def _fitting(handle: str, value: HandleInput) -> str:
    """The reader's file input is its JSON input where what comes is JSON."""
    return JSON_IN if handle == FILE_IN and value.type == "json" else handle


def _as_input(value: Any) -> HandleInput:
    if isinstance(value, dict) and value.keys() == Document.model_fields.keys():
        return FileInput(type="file", document=Document.model_validate(value))
    return JsonInput(type="json", data=value)


def _step(workspace: Workspace, draft: Draft, block: Block, inputs: HandleInputs) -> tuple[WorkflowStep, Output | None]:
    if not inputs:
        return WorkflowStep(id=block.id, type=block.type, skipped=True), None
    begun = time.perf_counter()
    output: Output | None = None
    error: str | None = None
    runner = make_runner(block, draft.settings, draft.evidence, desk_of(workspace, draft.workflow))
    try:
        output = runner.run(given(workspace, inputs))
    except BlockFailed as failed:
        error = failed.message
    except Exception as fault:
        error = f"The block stopped with an error ({in_a_line(fault)})."
    finally:
        close = getattr(runner, "close", None)
        if close is not None:
            close()
    step = WorkflowStep(
        id=block.id,
        type=block.type,
        inputs=inputs,
        outputs=dict(output.values) if output else {},
        routing=output.routing if output else (),
        warnings=output.warnings if output else (),
        error=error,
        milliseconds=round((time.perf_counter() - begun) * 1e3),
    )
    return step, output
