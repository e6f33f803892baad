"""Opening the data folder: how the doors come to the workspaces without knowing the store."""

from __future__ import annotations

from pathlib import Path

from reviewapp.store.data_folder import DataFolder
from reviewapp.store.workspace import Workspace

__all__ = ["DataFolder", "Workspace", "open_data", "open_workspace"]


def open_data(path: Path) -> DataFolder:
    """The data folder at `path`, made when it is not there."""
    return DataFolder(path)


def open_workspace(data: DataFolder, name: str, *, create: bool = False) -> Workspace:
    """A workspace of the data folder; one that is not there is made with `create`, else NotFound names the others."""
    return data.workspace(name, create=create)
