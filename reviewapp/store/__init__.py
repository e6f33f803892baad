"""The only place that knows SQLite: models go in, models come out, rows never leave."""

from reviewapp.store.data_folder import DataFolder
from reviewapp.store.workspace import Workspace

__all__ = ["DataFolder", "Workspace"]
