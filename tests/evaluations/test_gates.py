from __future__ import annotations

import pytest

from reviewapp import datasets
from reviewapp.answers import save_answer
from reviewapp.domain.datasets import Expected, Item
from reviewapp.domain.records import IncomingRecord
from reviewapp.domain.workflows import WorkflowDefinition
from reviewapp.errors import Conflict, InvalidInput
from reviewapp.evaluations import (
    compare,
    gate_answers,
    gate_points,
    grade_outputs,
    list_changes,
    run_grading,
    set_gate,
    start_grading,
    suggest_records,
    what_is_known,
    worse_by,
)
from reviewapp.formats.workflow_file import read_definition, write_definition
from reviewapp.records import import_records
from reviewapp.running.runner import Runner
from reviewapp.store import DataFolder, Workspace
from reviewapp.tests import start_test
from reviewapp.workflows import get_workflow, put_workflow
from tests.builders import COLOUR, WIDTH, done, value
from tests.evaluations.worlds import doors, workflow

TEXTS = {f"t{n}": f"Part {n}: width {n + 10} cm, colour red" for n in range(4)}


def answered(workspace: Workspace) -> str:
    readings = {
        name: [
            value("width", float(text.split()[3]), text=text, support=0.9 - n / 10),
            value("colour", "red", text=text, support=0.7, unconfirmed="look" if n else None),
        ]
        for n, (name, text) in enumerate(TEXTS.items())
    }
    test = done(workspace, TEXTS, readings, properties=[WIDTH, COLOUR])
    for position, decision in enumerate(["accept", "correct", "reject", "cant_tell"]):
        corrected = 11 if decision == "correct" else None
        save_answer(workspace, test.id, position, "width", decision, value=corrected, by="ann")  # type: ignore[arg-type]
    save_answer(workspace, test.id, 1, "colour", "accept", by="ann")
    return test.id


def test_points_are_what_answers_say_of_values(workspace: Workspace) -> None:
    test = answered(workspace)
    found = sorted((p.property, round(p.support, 2), p.right, p.confirmed) for p in gate_points(workspace, "shelves"))
    assert found == [
        ("colour", 0.7, True, False),
        ("width", 0.7, False, True),
        ("width", 0.8, True, True),  # corrected to the value that was read
        ("width", 0.9, True, True),
    ]
    assert len(gate_points(workspace, "shelves", test=test)) == 4


def test_answers_on_another_revision_do_not_count_but_those_with_another_gate_do(workspace: Workspace) -> None:
    answered(workspace)
    before = get_workflow(workspace, "shelves").active
    after = set_gate(workspace, "shelves", 0.65, by="ann", expected=before.id).active
    assert (after.settings.gate, after.note) == (0.65, "gate 0.8 → 0.65, from answers")
    assert after.settings.model_copy(update={"gate": 0.8}) == before.settings
    assert len(gate_points(workspace, "shelves")) == 4
    assert set_gate(workspace, "shelves", 0.65, by="ann").active.id == after.id
    with pytest.raises(Conflict):
        set_gate(workspace, "shelves", 0.7, by="ann", expected=before.id)
    with pytest.raises(InvalidInput):
        set_gate(workspace, "shelves", 0.4, by="ann")


def test_records_worth_an_answer(workspace: Workspace) -> None:
    answered(workspace)
    unlike = "An agreement between two parties about confidential information, for five years"
    import_records(workspace, "tenders", [IncomingRecord(name="nda", text=unlike)], by="ann")
    alike = IncomingRecord(name="t9", text="Part 9: width 19 cm, colour red")
    import_records(workspace, "tenders", [alike], by="ann")
    picks = suggest_records(workspace, "shelves", 2)
    assert picks[0].key == "record:tenders/nda"
    assert "unlike the texts answered" in picks[0].reasons
    known = {k.property: (k.answered, k.right) for k in what_is_known(workspace, "shelves")}
    assert known == {"width": (3, 2), "colour": (1, 1)}


def test_a_comparison_leaves_out_what_the_dataset_changed(workspace: Workspace) -> None:
    dataset = doors(workspace)
    right = {"d1": [{"property": "width", "value": 60}], "d2": [{"property": "width", "value": 88.5}], "d4": []}
    before = grade_outputs(workspace, dataset.id, right, name="before", by="ann")
    _, old = datasets.items(workspace, dataset.id)[0]
    datasets.add_items(
        workspace,
        dataset.id,
        [old.model_copy(update={"values": (Expected(property="width", value=61),)}), Item(name="d9", text="new")],
        by="ann",
    )
    after = grade_outputs(workspace, dataset.id, {**right, "d2": [], "d9": []}, name="after", by="ann")
    found = compare(workspace, before.id, after.id)
    assert (found.items, found.changed, found.unread, found.only_after) == (2, 1, 1, 1)
    assert (found.total.fixed, found.total.broken) == (0, 1)
    (item,) = list_changes(workspace, before.id, after.id)
    assert (item.name, item.changes[0].property, item.changes[0].kind) == ("d2", "width", "broken")
    assert worse_by(found) > 0
    assert list_changes(workspace, before.id, after.id, property="quantity") == []


def test_an_unknown_workflow_has_no_gate(workspace: Workspace) -> None:
    test = answered(workspace)
    definition = get_workflow(workspace, "shelves").active.settings
    put_workflow(
        workspace,
        WorkflowDefinition(name="other", collection=definition.collection, properties=definition.properties),
        by="ann",
    )
    with pytest.raises(InvalidInput, match="is of workflow 'shelves', not of 'other'"):
        gate_points(workspace, "other", test=test)


def test_a_property_has_a_gate_of_its_own(workspace: Workspace) -> None:
    before = workflow(workspace).active
    changed = set_gate(workspace, "doors", 1.0, property="width", by="ann", expected=before.id).active
    assert (changed.settings.gates, changed.note) == ({"width": 1.0}, "gate of width 0.8 → 1, from answers")
    assert (changed.settings.gate_of("width"), changed.settings.gate_of("quantity")) == (1.0, 0.8)
    started = start_grading(workspace, doors(workspace).id, workflow="doors", by="ann")
    report = run_grading(workspace, started.id).report
    assert report is not None
    width, quantity = report.properties["width"], report.properties["quantity"]
    assert (width["written"].counts.right, width["read"].counts.right) == (0, 3)
    assert quantity["written"].counts.right == quantity["read"].counts.right == 2
    again = set_gate(workspace, "doors", None, property="width", by="ann").active
    assert again.id == before.id
    assert again.settings == before.settings


@pytest.mark.parametrize(
    ("gate", "property", "said"),
    [
        (0.9, "height", "'doors' reads no 'height'; it reads width, quantity"),
        (1.5, "width", "The gate 1.5 is not between 0.5 and 1"),
        (None, None, "Name the gate"),
    ],
)
def test_gates_that_are_none(workspace: Workspace, gate: float | None, property: str | None, said: str) -> None:
    workflow(workspace)
    with pytest.raises(InvalidInput, match=said):
        set_gate(workspace, "doors", gate, property=property, by="ann")


def test_a_definition_names_gates_of_what_it_reads_only(workspace: Workspace) -> None:
    workflow(workspace)
    text = "name: doors\ncollection: tenders\ngates: {width: 0.95}\n"
    made = put_workflow(workspace, read_definition(text, "w.yaml"), by="ann").active.settings
    assert made.gates == {"width": 0.95}
    assert read_definition(write_definition(made.defined_as("doors")), "w.yaml") == made.defined_as("doors")
    with pytest.raises(InvalidInput, match="There is a gate of 'widht', which the workflow does not read"):
        put_workflow(workspace, read_definition(text.replace("width", "widht"), "w.yaml"), by="ann")


def test_a_revision_with_few_answers_has_those_of_the_dataset_it_was_graded_on(data_folder: DataFolder) -> None:
    workspace = data_folder.workspace("default", create=True)
    workflow(workspace)
    assert gate_answers(workspace, "doors").points == []
    started = start_grading(workspace, doors(workspace).id, workflow="doors", by="ann")
    graded = run_grading(workspace, started.id)
    found = gate_answers(workspace, "doors")
    assert found.evaluation is not None
    assert found.evaluation.id == graded.id
    assert sorted((p.property, p.right) for p in found.points) == [
        ("quantity", False),
        ("quantity", True),
        ("quantity", True),
        ("width", True),
        ("width", True),
        ("width", True),
    ]
    assert all(p.confirmed and 0.5 <= p.support <= 1 for p in found.points)
    test = start_test(workspace, workflow="doors", everything=True, by="ann")
    Runner(data_folder).run_until_idle()
    save_answer(workspace, test.id, 0, "width", "accept", by="ann")
    assert gate_answers(workspace, "doors").evaluation == found.evaluation, "six say more than one"
    set_gate(workspace, "doors", 0.9, by="ann")
    assert len(gate_answers(workspace, "doors").points) == 6, "another gate reads the same"


def test_answers_of_another_revision_come_last_and_are_named(workspace: Workspace) -> None:
    test = answered(workspace)
    assert gate_answers(workspace, "shelves").other is None
    settings = get_workflow(workspace, "shelves").active.settings.defined_as("shelves")
    put_workflow(workspace, settings.model_copy(update={"context": "shelves"}), by="ann")
    found = gate_answers(workspace, "shelves")
    assert found.other is not None
    assert (found.other.id, len(found.points)) == (test, 4)
