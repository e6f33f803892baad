"""Backups: one file with everything, made while people answer, put back whole or workspace by workspace."""

from reviewapp.backups.archive import Manifest
from reviewapp.backups.making import ROOM, make_backup, open_backup
from reviewapp.backups.restoring import Restored, restore_backup, restore_workspace, workspaces_in

__all__ = [
    "ROOM",
    "Manifest",
    "Restored",
    "make_backup",
    "open_backup",
    "restore_backup",
    "restore_workspace",
    "workspaces_in",
]
