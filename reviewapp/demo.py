"""The sample workspace as a use case: the texts we wrote, their workflows, and a test of each."""

from __future__ import annotations

from pathlib import Path

from reviewapp.domain.tests import Test
from reviewapp.formats.readers import read_files
from reviewapp.formats.workflow_file import read_definition
from reviewapp.records import import_records
from reviewapp.resources import folder
from reviewapp.tests import list_tests, start_test
from reviewapp.workflows import put_workflow
from reviewapp.workspaces import Workspace

KINDS = ("contracts", "receipts", "tenders")
"""Folders of the sample, each a collection; the last one's test is the newest and stands on top."""


def load_sample(workspace: Workspace, *, by: str) -> list[Test]:
    """Bring the sample into the workspace and start one test per workflow; the newest test of each.

    Loading it again changes nothing: records and workflows are the same, and a workflow that has a test gets no other.
    The tests are queued; somebody must run them.
    """
    return [_load_kind(workspace, folder("sample") / kind, by=by) for kind in KINDS]


def _load_kind(workspace: Workspace, source: Path, *, by: str) -> Test:
    file = source / "workflow.yaml"
    definition = read_definition(file.read_text(encoding="utf-8"), file.name)
    incoming = read_files([source / "records.jsonl"])
    import_records(workspace, definition.collection, incoming.records, by=by, notes=incoming.notes)
    put_workflow(workspace, definition, by=by, note="The sample")
    if tests := list_tests(workspace, workflow=definition.name, limit=1):
        return tests[0]
    return start_test(workspace, workflow=definition.name, everything=True, by=by)
