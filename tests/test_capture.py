"""What would be written, captured; and running again what was not read."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from reviewapp.capture import captured, examples
from reviewapp.domain.properties import Property
from reviewapp.domain.tests import InputResult
from reviewapp.domain.workflows import WorkflowDefinition
from reviewapp.errors import InvalidInput, NotFound
from reviewapp.records import import_records
from reviewapp.tests import cancel_test, get_inputs, run_again, save_result, start_test
from reviewapp.workflows import put_workflow
from reviewapp.workspaces import Workspace, open_data
from tests.builders import records

WIDTH = Property(name="width", value_type="f64", unit="cm")
TEXTS = {"Shelf 1": "Width: 600 mm", "Shelf 2": "Width: 70 cm", "Shelf 3": "no size"}


def fill(workspace: Workspace) -> None:
    import_records(workspace, "tenders", records(TEXTS), by="eva")
    put_workflow(workspace, WorkflowDefinition(name="shelves", collection="tenders", properties=(WIDTH,)), by="eva")


def test_examples_write_nothing(workspace: Workspace) -> None:
    fill(workspace)
    found = examples(workspace, "shelves", sample=2)
    assert [(e.name, [v.value for v in e.result.values]) for e in found] == [("Shelf 1", [60.0]), ("Shelf 2", [70.0])]
    assert found[0].document()["writes"] == ["width"]
    assert examples(workspace, "shelves", iris=["record:tenders/Shelf%203"])[0].result.values == ()
    assert workspace.tests.rows() == []
    with pytest.raises(NotFound):
        examples(workspace, "shelves", iris=["record:tenders/gone"])


def test_a_reader_of_ones_own_is_captured(tmp_path: Path) -> None:
    with open_data(tmp_path) as data:
        fill(data.workspace("default", create=True))

    def reader(request: dict[str, Any]) -> Any:
        assert [p["name"] for p in request["properties"]] == ["width"]
        return [
            {"property": "width", "value": "600 mm", "quote": "Width: 600 mm"},
            {"property": "depth", "value": "3", "quote": "3"},
        ]

    with captured("shelves", data=tmp_path) as capture:
        result = capture.read("Roof hatch. Width: 600 mm", reader)
        assert [(v.property, v.outcome) for v in result.values] == [("width", "written"), ("depth", "unknown_property")]
        assert [v.printed for v in capture.writes(result)] == ["60"]
        assert [v.printed for v in capture.writes(capture.read("Width: 70 cm"))] == ["70"]
        assert capture.read("Width: 70 cm", lambda _: "nothing").failed == 'The reply is "nothing"; expected readings.'


@dataclass
class Read:
    property: str
    value: str
    quote: str


def test_what_a_reader_of_ones_own_may_do(tmp_path: Path) -> None:
    with open_data(tmp_path) as data:
        fill(data.workspace("default", create=True))

    def raises(_: dict[str, Any]) -> Any:
        raise KeyError("width")

    with captured("shelves", data=tmp_path) as capture:
        read = capture.read("Width: 600 mm", lambda _: [Read("width", "600 mm", "Width: 600 mm")])
        assert [v.value for v in read.values] == [60.0]
        failed = capture.read("Width: 600 mm", raises)
        assert failed.failed == "The reader raised KeyError: 'width'"
        assert "in raises" in (failed.raw or "")
        assert "cannot hold object" in (capture.read("Width: 600 mm", lambda _: object()).failed or "")


def test_a_folder_that_is_not_there_is_not_made(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="There is no data folder"), captured("shelves", data=tmp_path / "none"):
        raise AssertionError("it was opened")
    assert not (tmp_path / "none").exists()


def test_what_was_not_read_is_run_again(workspace: Workspace) -> None:
    fill(workspace)
    test = start_test(workspace, workflow="shelves", everything=True, by="eva")
    with pytest.raises(InvalidInput, match="is still under way"):
        run_again(workspace, test.id, by="eva")
    save_result(workspace, test.id, 0, InputResult())
    save_result(workspace, test.id, 1, InputResult(failed="overloaded", raw="{"))
    cancel_test(workspace, test.id, by="eva")
    again = run_again(workspace, test.id, by="bob")
    assert [row.label for row in get_inputs(workspace, again.id)] == ["Shelf 2", "Shelf 3"]
    assert (again.fingerprint, again.revision, again.created_by) == (test.fingerprint, test.revision, "bob")
    for position in (0, 1):
        save_result(workspace, again.id, position, InputResult())
    workspace.tests.finish(again.id, "done")
    with pytest.raises(InvalidInput, match="nothing is left to run"):
        run_again(workspace, again.id, by="eva")
