from __future__ import annotations

import csv
import io

import pytest

from reviewapp import answers, datasets, records, tests, trail, workflows
from reviewapp.domain.workflows import WorkflowDefinition
from reviewapp.formats.trail_table import COLUMNS, trail_csv
from reviewapp.store import Workspace
from tests.web import world


def test_who_did_what_in_a_workspace(workspace):
    test = world.sinks(workspace)
    answers.save_answer(workspace, test.id, 0, "material", "accept", by="Bo")
    kept = datasets.save_dataset(workspace, test.id, by="Bo")
    definition = WorkflowDefinition(name="sinks", collection="tenders", properties=("width",))
    first = workflows.get_workflow(workspace, "sinks").active.id
    workflows.put_workflow(workspace, definition, by="Cy")
    workflows.activate_revision(workspace, "sinks", first, "Cy")
    datasets.delete_dataset(workspace, kept.id, "Cy")
    records.delete_record(workspace, tests.get_input(workspace, test.id, 1).iri, "Cy")
    workflows.delete_workflow(workspace, "sinks", "Cy")
    iri = tests.get_input(workspace, test.id, 1).iri
    assert [(e.by, e.did, e.subject) for e in reversed(trail.of_workspace(workspace))] == [
        ("Ann", "import records", "tenders: 2"),
        ("Ann", "create workflow", "sinks"),
        ("Ann", "start test", test.id),
        ("Bo", "save dataset", kept.id),
        ("Cy", "change workflow", "sinks"),
        ("Cy", "activate workflow", "sinks"),
        ("Cy", "delete dataset", kept.id),
        ("Cy", "delete record", iri),
        ("Cy", "delete workflow", "sinks"),
    ]


@pytest.mark.parametrize("statement", ["delete from trail", "update trail set person = 'Bo'"])
def test_nothing_is_taken_from_it(workspace, statement):
    workspace.trail.note("Ann", "delete record", "x")
    with pytest.raises(Exception, match="the trail is kept"), workspace.atomic() as db:
        db.execute(statement)
    assert len(workspace.trail.latest()) == 1


def test_a_list_goes_on_where_it_ended(workspace: Workspace):
    for number in range(1, 1_234):
        workspace.trail.note("Ann", "delete record", str(number))
    first = trail.of_workspace(workspace, limit=3)
    assert [e.subject for e in first] == ["1233", "1232", "1231"]
    assert [e.subject for e in trail.of_workspace(workspace, before=first[-1].number, limit=2)] == ["1230", "1229"]
    table = b"".join(trail.export(workspace)).decode("utf-8-sig")
    rows = list(csv.reader(io.StringIO(table)))
    assert rows[0] == list(COLUMNS)
    assert [row[4] for row in rows[1:]] == [str(n) for n in range(1_233, 0, -1)]


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", 'O\'Neil, "Ann"\nnew line', "重置"])
def test_its_table_has_no_formulas_and_loses_nothing(workspace, text):
    workspace.trail.note(text, "delete record", text)
    ((_, _, by, _, subject, _),) = list(
        csv.reader(io.StringIO(b"".join(trail_csv(workspace.trail.latest())).decode("utf-8-sig"), newline=""))
    )[1:]
    assert by == subject
    assert by.removeprefix("'") == text
    assert not by.startswith(("=", "+", "-", "@", "\t"))
