"""What tests of every part share."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from reviewapp.store import DataFolder, Workspace

REPOSITORY = Path(__file__).resolve().parent.parent
SHARED_DATA = Path(os.environ.get("REVIEWAPP_SHARED_DATA", REPOSITORY.parent / "shared" / "data"))
"""Real texts with known values, kept outside the project."""

settings.register_profile("any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any machine")


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """A file made on the spot holds the time it was made at: as a name it would be another one in every process."""
    return argname if isinstance(val, bytes) and len(val) > 40 else None


class SharedSet:
    """One set of real texts: its records, what is to be read in them, and the right values."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def lines(self, name: str) -> list[dict[str, Any]]:
        """``records`` or ``gold``, one object a line."""
        with (self.folder / f"{name}.jsonl").open(encoding="utf-8") as lines:
            return [json.loads(line) for line in lines]

    @property
    def properties(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = json.loads((self.folder / "properties.json").read_text(encoding="utf-8"))
        return found


@pytest.fixture
def workspace() -> Iterator[Workspace]:
    """An empty workspace in memory."""
    with Workspace.in_memory() as opened:
        yield opened


@pytest.fixture
def data_folder(tmp_path: Path) -> Iterator[DataFolder]:
    """An empty data folder on disk."""
    with DataFolder(tmp_path / "data") as opened:
        yield opened


@pytest.fixture
def queries(workspace: Workspace) -> Iterator[list[str]]:
    """Every SQL statement that this thread runs in `workspace`, as it runs; clear it before what is to be counted."""
    seen: list[str] = []
    workspace.trace(seen.append)
    yield seen
    workspace.trace(None)


@pytest.fixture(scope="session")
def shared_set():
    """``shared_set("sroie")``: a set of real texts; the test is skipped where they are not at hand."""

    def find(name: str) -> SharedSet:
        folder = SHARED_DATA / name
        if not folder.is_dir():
            pytest.skip(f"the real texts {name!r} are not at hand; name their folder in REVIEWAPP_SHARED_DATA")
        return SharedSet(folder)

    return find
