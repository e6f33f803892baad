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
    gate_points,
    grade_outputs,
    list_changes,
    set_gate,
    suggest_records,
    what_is_known,
    worse_by,
)
from reviewapp.records import import_records
from reviewapp.store import Workspace
from reviewapp.workflows import get_workflow, put_workflow
from tests.builders import COLOUR, WIDTH, done, value
from tests.evaluations.worlds import doors

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
