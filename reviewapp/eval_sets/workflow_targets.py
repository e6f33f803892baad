"""A workflow of the workspace as the target of an eval set."""

from __future__ import annotations

from typing import Any

from reviewapp import __version__
from reviewapp.domain.ids import content_hash
from reviewapp.errors import InvalidInput
from reviewapp.eval_sets.targets import WorkflowTarget
from reviewapp.extraction.blocks import codes_of
from reviewapp.store.workspace import Workspace
from reviewapp.workflows import get_workflow, try_on_text

WRITTEN = ("written", "review")


def workflow_target(workspace: Workspace, name: str) -> WorkflowTarget:
    """The workflow's revision in use; every property is in the output, null where nothing is read. Raises NotFound."""
    revision = get_workflow(workspace, name).active
    settings = revision.settings
    properties = [prop.name for prop in settings.properties]

    def read(text: str) -> dict[str, Any]:
        result = try_on_text(workspace, settings, text, workflow=name)
        if result.failed or result.error:
            raise InvalidInput(result.failed or result.error or "nothing was read")
        found = {value.property: value.value for value in result.values if value.outcome in WRITTEN}
        return {prop: found.get(prop) for prop in properties}

    content = ["workflow", __version__, settings.fingerprint]
    codes = codes_of(settings.blocks)
    if settings.blocks:
        content += ["line", *(codes or ())]
    return WorkflowTarget(read, None if codes is None else content_hash(content), name)
