"""Datasets in the forms of other programs: out of the workspace and into it."""

from __future__ import annotations

from reviewapp.datasets.keeping import get_dataset, items
from reviewapp.domain.datasets import DatasetFiles
from reviewapp.store.workspace import Workspace


def answer_key(workspace: Workspace, id: str) -> DatasetFiles:
    """The export files as data. Raises NotFound."""
    from reviewapp.formats.answer_key import dataset_files

    return dataset_files(get_dataset(workspace, id), [item for _, item in items(workspace, id)])


def export_files(workspace: Workspace, id: str) -> dict[str, bytes]:
    """``records.json`` and ``expected.json``; the same items give the same bytes. Raises NotFound."""
    from reviewapp.formats.answer_key import export_files

    return export_files(get_dataset(workspace, id), [item for _, item in items(workspace, id)])


def export_zip(workspace: Workspace, id: str) -> bytes:
    """Both files in one zip; the same items give the same bytes. Raises NotFound."""
    from reviewapp.formats.answer_key import export_zip

    return export_zip(get_dataset(workspace, id), [item for _, item in items(workspace, id)])
