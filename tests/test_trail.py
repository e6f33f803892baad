from __future__ import annotations

import csv
import io

import pytest

from reviewapp import answers, choices, datasets, evaluations, records, tests, trail, workflows
from reviewapp.domain.properties import Property
from reviewapp.domain.workflows import WorkflowDefinition
from reviewapp.formats.trail_table import COLUMNS, trail_csv
from reviewapp.store import Workspace
from reviewapp.workspaces import open_workspace
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
        ("Ann", "declare properties", "tenders"),
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


def test_choices_of_models_evaluations_and_declared_properties_are_noted(workspace):
    test = world.sinks(workspace)
    answers.save_answer(workspace, test.id, 0, "material", "accept", by="Bo")
    kept = datasets.save_dataset(workspace, test.id, by="Bo")
    before = trail.of_workspace(workspace)[0].number
    embedded = choices.EMBEDDED["extract"].name
    choices.choose(workspace, "extract", embedded, by="Cy")
    choices.choose(workspace, "extract", embedded, workflow="sinks", by="Cy")
    choices.drop_choice(workspace, "extract", by="Cy")
    records.declare_properties(workspace, "tenders", [Property(name="colour")], "Cy")
    run = evaluations.start_grading(workspace, kept.id, workflow="sinks", by="Cy")
    found = [(e.by, e.did, e.subject) for e in reversed(trail.of_workspace(workspace)) if e.number > before]
    assert found == [
        ("Cy", "choose model for extract", str(embedded)),
        ("Cy", "choose model for extract", f"sinks: {embedded}"),
        ("Cy", "drop model for extract", workspace.name),
        ("Cy", "declare properties", "tenders"),
        ("Cy", "start evaluation", run.id),
    ]


def test_a_new_workspace_is_noted_once(data_folder):
    for _ in range(2):
        open_workspace(data_folder, "new", create=True, by="Ann")
    open_workspace(data_folder, "own", create=True)
    assert [(e.by, e.did, e.workspace) for e in trail.of_server(data_folder)] == [("Ann", "make workspace", "new")]
