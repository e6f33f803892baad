"""Bringing in results from a page."""

from __future__ import annotations

import io

import pytest
from flask.testing import FlaskClient

from reviewapp.domain.tests import Test
from reviewapp.running.runner import Runner
from reviewapp.tests import get_inputs, get_test
from reviewapp.workspaces import DataFolder, Workspace

HERE = "/w/default/replays"
ROW = b'{"text": "Sink 9. Width 30 cm", "readings": [{"property": "width", "value": "30 cm", "quote": "Width 30 cm"}]}'


def test_without_a_workflow_the_page_says_what_to_do(client: FlaskClient, workspace: Workspace) -> None:
    assert "No workflow yet" in client.get(f"{HERE}/new").text


def test_a_file_becomes_a_test(client: FlaskClient, data: DataFolder, workspace: Workspace, sinks: Test) -> None:
    assert "Bring in results" in client.get("/w/default/tests/").text
    form = {"workflow": sinks.workflow, "add_records": "1", "file": (io.BytesIO(ROW), "/home/eva/out.jsonl")}
    answer = client.post(f"{HERE}/", data=form)
    assert answer.status_code == 303
    test_id = answer.location.rstrip("/").rpartition("/")[2]
    assert "Brought in 1 reading of 1 record, 1 record added." in client.get(answer.location).text
    Runner(data).run_until_idle()
    test = get_test(workspace, test_id)
    assert (test.status, test.settings.extractor.kind) == ("done", "replay")
    assert test.settings.extractor.source == "out.jsonl"  # type: ignore[union-attr]
    (row,) = get_inputs(workspace, test_id)
    assert row.result is not None
    assert [(v.property, v.value) for v in row.result.values] == [("width", 30.0)]


@pytest.mark.parametrize(
    ("content", "name", "fault"),
    [
        (ROW, "out.jsonl", "no record has the row&#39;s text"),
        (b"{", "out.jsonl", "out.jsonl, line 1: is not valid JSON"),
        (b"width", "out.txt", "is no file of results"),
        (b"", "", "Choose the file with the results first."),
        (b'{"record": "<b>x</b>", "readings": []}', "out.jsonl", "&lt;b&gt;x&lt;/b&gt;"),
    ],
)
def test_faults_are_told(client: FlaskClient, sinks: Test, content: bytes, name: str, fault: str) -> None:
    form = {"workflow": sinks.workflow, "file": (io.BytesIO(content), name)}
    answer = client.post(f"{HERE}/", data=form)
    assert answer.status_code == 422
    assert fault in answer.text
