"""Workflows: define them, look through their revisions, put one in use, try one on a text."""

from __future__ import annotations

from collections.abc import Iterable

from reviewapp.domain.blocks import ExtractBlock, FunctionBlock, check_line
from reviewapp.domain.ids import content_hash
from reviewapp.domain.properties import Property
from reviewapp.domain.records import Collection
from reviewapp.domain.tests import InputResult
from reviewapp.domain.workflows import (
    RUNS_PROGRAMS,
    Action,
    Activation,
    ReplayExtractor,
    Revision,
    Workflow,
    WorkflowDefinition,
    WorkflowSettings,
)
from reviewapp.errors import Conflict, InvalidInput, NotAllowed, NotFound
from reviewapp.records import declare_properties, there_are
from reviewapp.store.workspace import Workspace


def put_workflow(workspace: Workspace, definition: WorkflowDefinition, *, by: str, note: str = "") -> Workflow:
    """Make a workflow or change it; with equal settings nothing changes and no revision is added.

    Whole properties of the definition are declared for the collection. Settings that an earlier revision had put that
    revision in use again. Raises InvalidInput for an unknown collection or property.
    """
    if isinstance(definition.extractor, ReplayExtractor):
        raise InvalidInput(
            "A workflow cannot read by replay; bring the results in as a test: `reviewapp test replay FILE`.",
            param="extractor",
        )
    with workspace.atomic():
        settings = resolve(workspace, definition)
        whole = [p for p in definition.properties if isinstance(p, Property)]
        if whole:
            declare_properties(workspace, definition.collection, whole, by)
        present = workspace.workflows.get(definition.name)
        id = revision_id(definition.name, settings)
        if present is None:
            workspace.workflows.make(definition.name, definition.collection, id, by)
        elif present.active.id == id:
            return present
        added = workspace.workflows.keep_revision(id, definition.name, settings, by, note)
        action: Action = "create" if present is None else "change" if added else "existing"
        revision = get_revision(workspace, definition.name, id)
        previous = None if present is None else present.active.id
        workspace.workflows.activate(definition.name, revision, action, by, previous)
    return get_workflow(workspace, definition.name)


def refuse_programs(definition: WorkflowDefinition, allowed: bool) -> None:
    """Raises NotAllowed for a definition that runs programs on this machine, unless that is `allowed`.

    For doors that people without a shell here come through.
    """
    runs = [f"extractor {definition.extractor.kind}"] if definition.extractor.kind in RUNS_PROGRAMS else []
    runs += [f"block {block.id}" for block in definition.blocks if isinstance(block, FunctionBlock)]
    if not allowed and runs:
        raise NotAllowed(
            f"This workflow runs a program on the server ({', '.join(runs)}), which is not allowed "
            "from here; put it with `reviewapp workflow put`, or start the server with REVIEWAPP_PROGRAMS=true.",
            code="programs_not_allowed",
            param="extractor",
        )


def revision_id(workflow: str, settings: WorkflowSettings) -> str:
    """``wrev_`` + 32 hex digits: the same workflow name and settings, the same id."""
    return f"wrev_{content_hash([workflow, settings.fingerprint])}"


def resolve(workspace: Workspace, definition: WorkflowDefinition) -> WorkflowSettings:
    """The settings a definition stands for: names become the declared properties, none means all of them.

    Writes nothing. Raises InvalidInput, naming what there is.
    """
    collection = workspace.records.collection(definition.collection)
    if collection is None:
        there = [c.name for c in workspace.records.collections()]
        raise InvalidInput(
            f"There is no collection {definition.collection!r} to read from. {there_are(there)}", param="collection"
        )
    properties = tuple(_properties(definition, collection))
    _check_blocks(definition, properties)
    if odd := sorted(definition.gates.keys() - {prop.name for prop in properties}):
        raise InvalidInput(f"There is a gate of {odd[0]!r}, which the workflow does not read.", param="gates")
    return definition.settings(properties)


def _check_blocks(definition: WorkflowDefinition, properties: tuple[Property, ...]) -> None:
    try:
        check_line(definition.blocks, properties)
    except ValueError as error:
        raise InvalidInput(f"The blocks do not make a line: {error}.", param="blocks") from None


def _properties(definition: WorkflowDefinition, collection: Collection) -> Iterable[Property]:
    declared = {p.name: p for p in collection.properties}
    chosen = definition.properties or tuple(declared.values())
    reads = not definition.blocks or any(isinstance(block, ExtractBlock) for block in definition.blocks)
    if not chosen and reads:
        raise InvalidInput(
            f"Nothing says what to read: the workflow names no properties and collection {collection.name!r} "
            "declares none; name at least one.",
            param="properties",
        )
    names = [p.name if isinstance(p, Property) else p for p in chosen]
    if twins := sorted({n for n in names if names.count(n) > 1}):
        raise InvalidInput(f"Property {twins[0]!r} is named twice; name each once.", param="properties")
    if unknown := [p for p in chosen if isinstance(p, str) and p not in declared]:
        raise InvalidInput(
            f"Property {unknown[0]!r} is not declared for collection {collection.name!r}, so its type is unknown; "
            f"write it with a value_type. {there_are(list(declared))}",
            param="properties",
        )
    found = [p if isinstance(p, Property) else declared[p] for p in chosen]
    for prop in found:
        _check_pattern(prop)
    return found


def _check_pattern(prop: Property) -> None:
    import regex

    if prop.pattern is None:
        return
    try:
        regex.compile(prop.pattern)
    except regex.error as error:
        raise InvalidInput(
            f"The pattern {prop.pattern!r} of property {prop.name!r} is not a regular expression: {error}.",
            param="properties",
        ) from None


def list_workflows(workspace: Workspace) -> list[Workflow]:
    """By name."""
    return workspace.workflows.all()


def get_workflow(workspace: Workspace, name: str) -> Workflow:
    """Raises NotFound (``named_workflow_not_found``), naming what there is."""
    found = workspace.workflows.get(name)
    if found is None:
        there = there_are([w.name for w in list_workflows(workspace)])
        raise NotFound("workflow", name, code="named_workflow_not_found", way_out=there)
    return found


def list_revisions(workspace: Workspace, name: str) -> list[Revision]:
    """Every revision ever made, newest first. Raises NotFound."""
    get_workflow(workspace, name)
    return workspace.workflows.revisions(name)


def get_revision(workspace: Workspace, name: str, id: str) -> Revision:
    """Raises NotFound (``workflow_revision_not_found``)."""
    found = workspace.workflows.revision(name, id)
    if found is None:
        way_out = f"`reviewapp workflow show {name}` lists the revisions."
        raise NotFound(f"revision of workflow {name!r}", id, code="workflow_revision_not_found", way_out=way_out)
    return found


def history(workspace: Workspace, name: str) -> list[Activation]:
    """Which revision was in use from when, newest first; one put in use twice is there twice. Raises NotFound."""
    get_workflow(workspace, name)
    return workspace.workflows.history(name)


def activate_revision(
    workspace: Workspace, name: str, revision: str, by: str, *, expected: str | None = None
) -> Workflow:
    """Put an earlier revision in use; nothing changes where it is already.

    With `expected`, the id of the revision that the caller believes to be in use, a Conflict
    (``workflow_revision_conflict``) says so when it is another. Raises NotFound.
    """
    with workspace.atomic():
        present = get_workflow(workspace, name)
        wanted = get_revision(workspace, name, revision)
        if expected is not None and present.active.id != expected:
            raise Conflict(
                f"Workflow {name!r} is now on revision {present.active.id}, not {expected}; look at it and try again.",
                code="workflow_revision_conflict",
            )
        if present.active.id != wanted.id:
            workspace.workflows.activate(name, wanted, "activate", by, present.active.id)
    return get_workflow(workspace, name)


def delete_workflow(workspace: Workspace, name: str, by: str) -> None:
    """Remove a workflow. Its tests, datasets and revisions stay. Raises NotFound, or Conflict while a test runs."""
    with workspace.atomic():
        get_workflow(workspace, name)
        under_way = workspace.tests.open_of_workflow(name)
        if under_way is not None:
            raise Conflict(f"Workflow {name!r} has a test under way ({under_way}); cancel it or wait for its end.")
        workspace.workflows.delete(name)
        workspace.trail.note(by, "delete workflow", name)


def pause_workflow(workspace: Workspace, name: str, paused: bool, *, by: str) -> Workflow:
    """Mark a workflow as paused or not; its tests run all the same. Raises NotFound."""
    with workspace.atomic():
        if get_workflow(workspace, name).paused != paused:
            workspace.workflows.pause(name, paused)
            workspace.trail.note(by, "pause workflow" if paused else "resume workflow", name)
    return get_workflow(workspace, name)


def try_on_text(
    workspace: Workspace, definition: WorkflowDefinition | WorkflowSettings, text: str, *, workflow: str = ""
) -> InputResult:
    """What the workflow would read in a text, at once and without keeping anything but the calls to models.

    A definition's collection need not be there yet when its properties are whole. `workflow`: whose choice of models
    and budget hold for bare settings. Raises InvalidInput, Conflict (a model that cannot be asked), BudgetExceeded.
    """
    from reviewapp.calls import read_once  # these stand above: they ask what is chosen for a workflow

    name = workflow if isinstance(definition, WorkflowSettings) else definition.name
    settings = definition if isinstance(definition, WorkflowSettings) else _for_trying(workspace, definition)
    return read_once(workspace, name, settings, text)


def _for_trying(workspace: Workspace, definition: WorkflowDefinition) -> WorkflowSettings:
    whole = tuple(p for p in definition.properties if isinstance(p, Property))
    if not whole or len(whole) != len(definition.properties) or workspace.records.collection(definition.collection):
        return resolve(workspace, definition)
    return definition.settings(whole)
