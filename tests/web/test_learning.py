"""The page that learns from answers."""

from __future__ import annotations

from flask.testing import FlaskClient

from reviewapp.answers import save_answer
from reviewapp.domain.properties import Property
from reviewapp.domain.records import IncomingRecord
from reviewapp.domain.workflows import WorkflowDefinition
from reviewapp.records import import_records
from reviewapp.running.runner import Runner
from reviewapp.tests import get_inputs, start_test
from reviewapp.workflows import put_workflow
from reviewapp.workspaces import DataFolder, Workspace

ADDRESS = "/w/default/workflows/doors/learning/"


def prepare(data: DataFolder, workspace: Workspace, answered: int) -> None:
    """A test of ten doors, whose width a house word heads, answered for the first so many."""
    records = [
        IncomingRecord(name=f"door {n}", text=f"Door {n}\nframe: {90 + n} cm\nlichtmass: {60 + n} cm")
        for n in range(10)
    ]
    import_records(workspace, "doors", records, by="Ann")
    width = Property(name="width", value_type="f64", unit="cm")
    put_workflow(workspace, WorkflowDefinition(name="doors", collection="doors", properties=(width,)), by="Ann")
    test = start_test(workspace, workflow="doors", everything=True, by="Ann")
    Runner(data).run_until_idle()
    for input in get_inputs(workspace, test.id)[:answered]:
        right = 60 + input.position
        read = input.result.values[0].value if input.result and input.result.values else None
        decision, value = ("accept", None) if read == right else ("correct", right)
        save_answer(workspace, test.id, input.iri, "width", decision, value=value, by="Ann")


def test_it_says_what_there_is_and_shows_what_came_of_it(
    data: DataFolder, workspace: Workspace, client: FlaskClient
) -> None:
    prepare(data, workspace, 10)
    before = client.get(ADDRESS).text
    assert "it learns from 7 and is graded on the other 3" in before
    assert ADDRESS in client.get("/w/default/workflows/doors").text
    learnt = client.post(ADDRESS)
    assert learnt.status_code == 200
    assert "A new revision is in use" in learnt.text
    assert "3 of 3" in learnt.text
    assert "Take it back" in learnt.text
    assert "Is support to be trusted?" in learnt.text
    assert "What the revision in use learnt" in client.get(ADDRESS).text


def test_too_few_answers_are_said_in_words(data: DataFolder, workspace: Workspace, client: FlaskClient) -> None:
    prepare(data, workspace, 2)
    assert "There are answers on 2 texts; answer at least 5" in client.get(ADDRESS).text
    refused = client.post(ADDRESS)
    assert refused.status_code == 422
    assert "There are answers on 2 texts" in refused.text
    assert client.get("/w/default/workflows/nobody/learning/").status_code == 404
