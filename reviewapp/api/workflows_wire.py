"""A workflow on the wire: from a PUT body to a definition, from a stored workflow to what is shown."""

from __future__ import annotations

import re
from typing import Any

from pydantic import TypeAdapter, ValidationError

from reviewapp import calls
from reviewapp import records as record_keeping
from reviewapp import workflows as workflow_keeping
from reviewapp.api.shapes.tests import FieldShape
from reviewapp.api.shapes.workflows import (
    STARTER,
    STARTER_SPELLINGS,
    NamedShape,
    RevisionRequest,
    RevisionShape,
    StatusShape,
    TriggeredBody,
    TriggeredShape,
    Watch,
)
from reviewapp.domain.base import SLUG_EXPECTED, SLUG_PATTERN
from reviewapp.domain.blocks import Block
from reviewapp.domain.misfits import misfits
from reviewapp.domain.workflows import (
    DEFAULT_GATE,
    DROP_BELOW,
    Activation,
    ExtractorChoice,
    Gate,
    Revision,
    Rules,
    RulesExtractor,
    Workflow,
    WorkflowDefinition,
    WorkflowSettings,
)
from reviewapp.errors import InvalidInput, NotFound
from reviewapp.workspaces import Workspace

TEXT_FIELD = FieldShape(path=["text"], name="text", max=1)
"""What every record has, and all that a workflow reads of it."""
_rules = TypeAdapter[Rules](Rules)
_extractor = TypeAdapter[Any](ExtractorChoice)
_blocks = TypeAdapter[Any](tuple[Block, ...])
_gates = TypeAdapter[Any](dict[str, Gate])


def _misfit(param: str, message: str) -> InvalidInput:
    return InvalidInput(message, code="workflow_param_invalid", param=param)


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
        gates=_fit(_gates, params.get("gates", {}), "gates"),
    )


def _fit(adapter: TypeAdapter[Any], content: Any, name: str) -> Any:
    try:
        return adapter.validate_python(content)
    except ValidationError as error:
        first = misfits(error, content, adapter.validate_python)[0]
        place = ".".join(("params", name, *map(str, first.where)))
        raise _misfit("params", f"{place}: {first.message}.") from None


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
        if body.name is not None and (found := find_workflow(workspace, body.name)) is not None:
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
    if not re.fullmatch(SLUG_PATTERN, name):
        raise _misfit("name", f"Name {name[:80]!r} does not fit; expected {SLUG_EXPECTED}.")
    return name


def find_workflow(workspace: Workspace, name: str) -> Workflow | None:
    """The workflow of this name; None when there is none."""
    try:
        return workflow_keeping.get_workflow(workspace, name)
    except NotFound:
        return None


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
    if settings.gates:
        params["gates"] = settings.gates
    return params


def watch_of(settings: WorkflowSettings) -> dict[str, Any]:
    return {"class": settings.collection, "fields": [TEXT_FIELD.model_dump()]}


def status_of(workflow: Workflow) -> StatusShape:
    return StatusShape(state="paused" if workflow.paused else "ready")


def show_named(workspace: Workspace, workflow: Workflow) -> NamedShape:
    settings = workflow.active.settings
    limit = calls.spending(workspace, workflow.name).micro_usd_per_month
    return NamedShape(
        name=workflow.name,
        paused=workflow.paused,
        status=status_of(workflow),
        triggers=[{"id": "watch", "kind": "watch", "watch": watch_of(settings)}],
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
        status=status_of(workflow),
        watch=watch_of(settings),
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
