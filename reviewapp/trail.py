"""The audit trail: who did what, when, to what. Read and exported here; written by whatever does the thing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from reviewapp.domain.people import TrailEntry
from reviewapp.formats.trail_table import trail_csv
from reviewapp.store.trail import whole
from reviewapp.workspaces import DataFolder, Workspace


def of_workspace(workspace: Workspace, *, before: int | None = None, limit: int = 100) -> list[TrailEntry]:
    """What was done in a workspace, newest first; `before` goes on behind the entry of that number."""
    return workspace.trail.latest(limit, before=before)


def of_server(data: DataFolder, *, before: int | None = None, limit: int = 100) -> list[TrailEntry]:
    """What was done about people, roles, keys and the server, newest first."""
    return data.trail.latest(limit, before=before)


def export(trail: Workspace | DataFolder) -> Iterator[bytes]:
    """The whole trail of a workspace or of the server as CSV, in pieces, newest first."""
    entries: Iterable[TrailEntry] = whole(trail.trail)
    return trail_csv(entries)
