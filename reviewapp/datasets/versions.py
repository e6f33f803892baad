"""Versions of a dataset, and what differs between two of them or between two datasets."""

from __future__ import annotations

from collections.abc import Iterator

from reviewapp.datasets.keeping import check_version
from reviewapp.domain.datasets import DatasetVersion, Item, ItemChange
from reviewapp.store.datasets import Entry
from reviewapp.store.workspace import Workspace

Side = tuple[str, int | None]
"""A dataset's id and version; None: the present one."""


def list_versions(workspace: Workspace, id: str) -> list[DatasetVersion]:
    """Newest first. Raises NotFound."""
    check_version(workspace, id, None)
    return workspace.datasets.versions(id)


def diff(workspace: Workspace, before: Side, after: Side) -> Iterator[ItemChange]:
    """Items that were added, changed (in the order of `after`) and removed; equal ones are passed over.

    Items are the same one by their name. Their source does not count, nor does their order. Raises NotFound, before
    the first change.
    """
    for id, version in (before, after):
        check_version(workspace, id, version)
    return _changes(workspace, before, after)


def _changes(workspace: Workspace, before: Side, after: Side) -> Iterator[ItemChange]:
    old = {entry.item.name: entry for _, entry in workspace.datasets.hashed(before[0], version=before[1])}
    for _, entry in workspace.datasets.hashed(after[0], version=after[1]):
        there = old.pop(entry.item.name, None)
        if there is None or _content(there) != _content(entry):
            former = None if there is None else _whole(workspace, there)
            yield ItemChange(name=entry.item.name, before=former, after=_whole(workspace, entry))
    for name, entry in old.items():
        yield ItemChange(name=name, before=_whole(workspace, entry), after=None)


def _content(entry: Entry) -> tuple[str, Item]:
    return entry.text_hash, entry.item.model_copy(update={"source": None})


def _whole(workspace: Workspace, entry: Entry) -> Item:
    return entry.item.model_copy(update={"text": workspace.datasets.text(entry.text_hash) or ""})
