"""Block tests themselves: made, looked at, changed, captured anew, deleted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from reviewapp.block_tests import snapshots
from reviewapp.block_tests.drafts import Draft, block_of, draft_of
from reviewapp.block_tests.drift import dep_of, state
from reviewapp.domain.block_tests import BlockTest, HandleInputs, ManualSource, RunStepSource, Source, State
from reviewapp.domain.conditions import Assertion
from reviewapp.domain.ids import new_id
from reviewapp.errors import InvalidInput, NotFound
from reviewapp.store.workspace import Workspace

NAME_LIMIT = 500


def make_test(
    workspace: Workspace,
    workflow: str,
    block: str,
    assertion: Assertion,
    *,
    inputs: Mapping[str, Any] | None = None,
    step: RunStepSource | None = None,
    name: str | None = None,
    by: str,
) -> BlockTest:
    """Freeze the inputs of a block with one assertion: given `inputs` by handle, or those of a `step` of a run.

    Raises NotFound (workflow, block, run), InvalidInput.
    """
    with workspace.atomic():
        draft = draft_of(workspace, workflow)
        block_of(draft, block)
        source, frozen, fingerprint = _source(workspace, block, inputs, step)
        kept = _with_id(assertion)
        now = datetime.now(UTC)
        test = BlockTest(
            id=new_id("wfnodetest"),
            workflow=workflow,
            block=block,
            name=_name(name),
            source=source,
            inputs=frozen,
            inputs_fingerprint=fingerprint,
            assertion=kept,
            schema_dep=dep_of(kept, draft.outputs(block)),
            created=now,
            created_by=by,
            updated=now,
        )
        workspace.block_tests.add(test)
        workspace.trail.note(by, "make block test", test.id)
    return get_test(workspace, test.id)


def get_test(workspace: Workspace, id: str) -> BlockTest:
    """Raises NotFound."""
    found = workspace.block_tests.get(id)
    if found is None:
        raise NotFound(
            "block test", id, code="test_not_found", way_out="It was deleted, or belongs to another workspace."
        )
    return found


def list_tests(workspace: Workspace, workflow: str | None = None, *, block: str | None = None) -> list[BlockTest]:
    """Newest first."""
    return workspace.block_tests.rows(workflow, block=block)


def change_test(
    workspace: Workspace,
    id: str,
    *,
    name: str | None = None,
    assertion: Assertion | None = None,
    inputs: Mapping[str, Any] | None = None,
    step: RunStepSource | None = None,
    by: str,
) -> BlockTest:
    """Change what is given; the rest stays. What it found so far stays too, and its next run judges anew.

    Raises NotFound, InvalidInput.
    """
    with workspace.atomic():
        test = get_test(workspace, id)
        changed: dict[str, Any] = {}
        if name is not None:
            changed["name"] = _name(name)
        if inputs is not None or step is not None:
            source, frozen, fingerprint = _source(workspace, test.block, inputs, step)
            changed |= {"source": source, "inputs": frozen, "inputs_fingerprint": fingerprint}
        if assertion is not None:
            kept = _with_id(assertion)
            changed |= {"assertion": kept, "schema_dep": _dep(workspace, test, kept)}
        if changed:
            workspace.block_tests.change(test.model_copy(update=changed))
            workspace.trail.note(by, "change block test", id)
    return get_test(workspace, id)


def recapture(workspace: Workspace, id: str, *, by: str) -> BlockTest:
    """Take the schema as it is now for right: the drift is over. The assertion stays. Raises NotFound."""
    with workspace.atomic():
        test = get_test(workspace, id)
        fresh = _dep(workspace, test, test.assertion)
        workspace.block_tests.change(test.model_copy(update={"schema_dep": fresh}))
        workspace.trail.note(by, "capture block test anew", id)
    return get_test(workspace, id)


def delete_test(workspace: Workspace, id: str, *, by: str) -> None:
    """Remove a test with its results. Raises NotFound."""
    with workspace.atomic():
        if not workspace.block_tests.delete(id):
            raise NotFound("block test", id, code="test_not_found")
        workspace.trail.note(by, "delete block test", id)


def state_of(workspace: Workspace, test: BlockTest) -> State:
    """How a test stands to its workflow as it is now."""
    return states_of(workspace, [test])[0]


def states_of(workspace: Workspace, tests: Sequence[BlockTest]) -> list[State]:
    """The same for several, each workflow looked at once."""
    drafts: dict[str, Draft | None] = {}
    for test in tests:
        if test.workflow not in drafts:
            drafts[test.workflow] = _draft_if_there(workspace, test.workflow)
    return [state(test, drafts[test.workflow]) for test in tests]


def _draft_if_there(workspace: Workspace, workflow: str) -> Draft | None:
    try:
        return draft_of(workspace, workflow)
    except NotFound:
        return None


def _dep(workspace: Workspace, test: BlockTest, assertion: Assertion) -> Any:
    draft = _draft_if_there(workspace, test.workflow)
    return None if draft is None else dep_of(assertion, draft.outputs(test.block))


def _source(
    workspace: Workspace, block: str, inputs: Mapping[str, Any] | None, step: RunStepSource | None
) -> tuple[Source, HandleInputs, str]:
    if step is not None:
        taken = snapshots.of_step(workspace, step.run_id, step.step_id, block)
        return step, *snapshots.freeze_inputs(workspace, taken)
    return ManualSource(), *snapshots.freeze_inputs(workspace, inputs or {})


def _with_id(assertion: Assertion) -> Assertion:
    return assertion if assertion.id else assertion.model_copy(update={"id": new_id("assert")})


def _name(name: str | None) -> str | None:
    if name is None:
        return None
    trimmed = name.strip()
    if not trimmed or len(trimmed) > NAME_LIMIT:
        raise InvalidInput(
            f"The name has {len(trimmed)} characters; expected 1 to {NAME_LIMIT}, or none at all.", param="name"
        )
    return trimmed
