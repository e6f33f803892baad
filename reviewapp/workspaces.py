"""Opening the data folder: how the doors come to the workspaces without knowing the store."""

from __future__ import annotations

from pathlib import Path

from reviewapp.store.data_folder import DataFolder
from reviewapp.store.workspace import Workspace

__all__ = ["DataFolder", "Workspace", "open_data", "open_workspace"]


def open_data(path: Path) -> DataFolder:
    """The data folder at `path`, made when it is not there."""
    return DataFolder(path)


def open_workspace(data: DataFolder, name: str, *, create: bool = False, by: str | None = None) -> Workspace:
    """A workspace of the data folder; one that is not there is made with `create`, else NotFound names the others.

    `by`: who is noted for making it; None: the program itself, at its start.
    """
    made = create and by is not None and name not in data.workspaces()
    workspace = data.workspace(name, create=create)
    if made and by is not None:
        data.trail.note(by, "make workspace", name, name)
    return workspace
