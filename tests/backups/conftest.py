"""A data folder of two workspaces, and its backup."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from reviewapp import records
from reviewapp.backups import make_backup
from reviewapp.store import DataFolder
from tests.web import world


def fill(folder: Path, names=("default", "other")) -> None:
    with DataFolder(folder) as data:
        for name in names:
            world.sinks(data.workspace(name, create=True))


def names_of(workspace) -> list[str]:
    return [row.name for row in records.list_records(workspace, "tenders")]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    fill(tmp_path / "data")
    return tmp_path / "data"


@pytest.fixture
def backup(folder: Path) -> Path:
    target = folder.parent / "backup.zip"
    with DataFolder(folder) as data:
        make_backup(data, target, by="Ann")
    return target


def changed(source: Path, target: Path, change) -> Path:
    """The archive with its members changed: `change(name, content)` gives (name, content) or None."""
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            made = change(name, old.read(name))
            if made is not None:
                new.writestr(*made)
    return target
