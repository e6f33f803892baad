"""The call log."""

from __future__ import annotations

from collections.abc import Iterator

from reviewapp.domain.calls import CallStatus, ModelCall
from reviewapp.errors import NotFound
from reviewapp.store.workspace import Workspace


def list_calls(
    workspace: Workspace,
    *,
    test: str | None = None,
    workflow: str | None = None,
    status: CallStatus | None = None,
    before: int | None = None,
    limit: int = 100,
) -> list[ModelCall]:
    """Newest first, behind the call with the id `before`."""
    return workspace.calls.rows(test=test, workflow=workflow, status=status, before=before, limit=limit)


def every_call(workspace: Workspace) -> Iterator[ModelCall]:
    """The whole log, newest first; some calls at a time are in memory."""
    return workspace.calls.each()


def get_call(workspace: Workspace, id: int) -> ModelCall:
    """Raises NotFound."""
    found = workspace.calls.get(id)
    if found is None:
        raise NotFound("call", str(id))
    return found
