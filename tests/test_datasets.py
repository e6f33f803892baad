"""Saving a test's answers as its dataset; datasets made by hand; export and import."""

from __future__ import annotations

import io
import json
import zipfile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reviewapp import datasets as use
from reviewapp.answers import save_answer
from reviewapp.domain.datasets import Expected, Install, Item
from reviewapp.domain.properties import Property
from reviewapp.domain.records import IncomingRecord
from reviewapp.domain.workflows import WorkflowDefinition
from reviewapp.errors import InvalidInput, NotFound
from reviewapp.records import delete_record, get_record, import_records
from reviewapp.store import Workspace
from reviewapp.tests import get_test, save_result, start_test
from reviewapp.workflows import put_workflow
from tests.builders import WIDTH, both_files, done, value, zipped

TEXTS = {f"r{n}": f"Width {n} cm" for n in range(5)}
READINGS = {f"r{n}": [value("width", float(n), text=f"Width {n} cm", quote=f"{n} cm")] for n in range(5)}


def answered(workspace, *answers, texts=TEXTS, **more):
    """A test with answers on `width` by position: ``"accept"`` or ``("correct", 12, "note")``; None leaves it open."""
    test = done(workspace, texts, READINGS, **more)
    for position, said in enumerate(answers):
        decision, corrected, note = (said, None, "") if isinstance(said, str) or said is None else said
        if decision:
            save_answer(workspace, test.id, position, "width", decision, by="ann", value=corrected, note=note)
    return test


def items(workspace, dataset) -> list[Item]:
    return [item for _, item in use.items(workspace, dataset.id)]


def test_only_answered_inputs_are_items(workspace):
    """Five inputs: two accepted, one corrected, one rejected, one left open."""
    test = answered(workspace, "accept", "accept", ("correct", 12, "typo"), "reject", None)
    dataset = use.save_dataset(workspace, test.id, by="ann")
    kept = items(workspace, dataset)
    assert [i.name for i in kept] == ["r0", "r1", "r2", "r3"]
    assert sum(len(i.values) for i in kept) == 3
    assert [(e.value, e.reason) for e in kept[2].values + kept[2].leave_out] == [(12.0, "typo"), (2.0, "typo")]
    assert ([e.value for e in kept[3].values], [e.value for e in kept[3].leave_out]) == ([], [3.0])
    assert all(e.property == "width" for i in kept for e in i.values + i.leave_out)
    assert (kept[0].text, kept[0].iri) == ("Width 0 cm", "record:tenders/r0")
    assert kept[0].source is not None
    assert (kept[0].source.kind, kept[0].source.id) == ("test", test.id)
    assert dataset.install.units == {"width": "cm"}
    assert (dataset.name, dataset.item_count, dataset.test) == ("shelves, test 1", 4, test.id)


def test_one_dataset_per_test_for_ever(workspace):
    test = answered(workspace, "accept")
    first = use.save_dataset(workspace, test.id, by="ann")
    assert get_test(workspace, test.id).dataset == first.id
    same = use.save_dataset(workspace, test.id, by="tom")
    assert (same.version, same.changed) == (1, first.changed)
    save_answer(workspace, test.id, 1, "width", "accept", by="ann")
    second = use.save_dataset(workspace, test.id, name="Shelves", by="ann")
    assert (second.id, second.version, second.item_count, second.name) == (first.id, 2, 2, "Shelves")
    assert use.save_dataset(workspace, test.id, by="ann").name == "Shelves"
    use.delete_dataset(workspace, first.id, "ann")
    assert get_test(workspace, test.id).dataset is None
    third = use.save_dataset(workspace, test.id, by="ann")
    assert third.id != first.id
    assert third.item_count == 2
    assert [d.id for d in use.list_datasets(workspace)] == [third.id]


def test_answers_taken_back_leave_the_dataset(workspace):
    test = answered(workspace, "accept", "accept")
    dataset = use.save_dataset(workspace, test.id, by="ann")
    for position in (0, 1):
        save_answer(workspace, test.id, position, "width", None, by="ann")
    emptied = use.save_dataset(workspace, test.id, by="ann")
    assert (emptied.id, emptied.item_count) == (dataset.id, 0)


@pytest.mark.parametrize("answers", [[], ["cant_tell"]])
def test_nothing_to_save(workspace, answers):
    test = answered(workspace, *answers)
    with pytest.raises(InvalidInput, match="no answer yet that a dataset can keep"):
        use.save_dataset(workspace, test.id, by="ann")
    assert use.list_datasets(workspace) == []


def test_only_standing_answers_are_saved(workspace):
    test = done(workspace, TEXTS, READINGS, overlap=2)
    for by, said in (("ann", ["accept", "accept", "accept"]), ("tom", ["accept", "reject", None])):
        for position, decision in enumerate(said):
            if decision:
                save_answer(workspace, test.id, position, "width", decision, by=by)
    assert [i.name for i in items(workspace, use.save_dataset(workspace, test.id, by="ann"))] == ["r0"]
    save_answer(workspace, test.id, 1, "width", "reject", by="eve", role="adjudicator")
    assert [i.name for i in items(workspace, use.save_dataset(workspace, test.id, by="ann"))] == ["r0", "r1"]


def test_quotes_are_the_words_of_the_text(workspace):
    text = "max. tempera\u00adture: 85 °C"
    read = value("width", 85.0, text=text, quote="tempera\u00adture: 85 °C")
    assert read.grounding is not None
    grounding = read.grounding.model_copy(update={"method": "normalised"})
    read = read.model_copy(update={"quote": "Temperature: 85 °C", "grounding": grounding})
    test = done(workspace, {"r0": text}, {"r0": [read]})
    save_answer(workspace, test.id, 0, "width", "accept", by="ann")
    (item,) = items(workspace, use.save_dataset(workspace, test.id, by="ann"))
    (expected,) = item.values
    assert expected.quote == "tempera\u00adture: 85 °C"
    assert "".join(s.cut(item.text) for s in expected.spans) == expected.quote


def test_zero_false_and_no_value_are_three_things(workspace):
    properties = (
        Property(name="defects", value_type="i64"),
        Property(name="certified", value_type="bool"),
        Property(name="offset", value_type="f64", unit="mm"),
        Property(name="colour"),
    )
    readings = {"r0": [value("defects", 0), value("certified", False), value("offset", 0.0)]}
    test = done(workspace, {"r0": "Defects found: 0"}, readings, properties=properties)
    for prop in properties:
        save_answer(workspace, test.id, 0, prop.name, "accept", by="ann")
    (item,) = items(workspace, use.save_dataset(workspace, test.id, by="ann"))
    assert [(type(e.value), e.value) for e in item.values] == [(int, 0), (bool, False), (float, 0.0)]
    assert [e.value for e in item.leave_out] == [None]


def test_twin_labels_get_names_of_their_own(workspace):
    incoming = [IncomingRecord(name="Shelf", text=f"Width {n} cm", iri=f"x:{n}") for n in range(3)]
    import_records(workspace, "tenders", incoming, by="eva")
    put_workflow(workspace, WorkflowDefinition(name="shelves", collection="tenders", properties=(WIDTH,)), by="eva")
    test = start_test(workspace, workflow="shelves", by="eva")
    from reviewapp.domain.tests import InputResult

    for position in range(3):
        save_result(workspace, test.id, position, InputResult())
        save_answer(workspace, test.id, position, "width", "accept", by="ann")
    dataset = use.save_dataset(workspace, test.id, by="ann")
    assert [i.name for i in items(workspace, dataset)] == ["Shelf", "Shelf (2)", "Shelf (3)"]
    assert use.save_dataset(workspace, test.id, by="ann").version == 1


def test_a_changed_record_leaves_the_item_as_it_was_read(workspace):
    test = answered(workspace, "accept")
    import_records(workspace, "tenders", [IncomingRecord(name="r0", text="Width 99 cm")], by="eva")
    dataset = use.save_dataset(workspace, test.id, by="ann")
    delete_record(workspace, "record:tenders/r0", "eva")
    assert items(workspace, dataset)[0].text == "Width 0 cm"


HAND = Item(name="mine", text="by hand", values=(Expected(property="width", value=1),))


def test_items_made_by_hand_survive_a_save(workspace):
    test = answered(workspace, "accept", "accept")
    dataset = use.save_dataset(workspace, test.id, by="ann")
    edited = Item(name="r0", text="Width 0 cm", values=(Expected(property="width", value=7.0),))
    clash = Item(name="r2", text="another text")
    added = use.add_items(workspace, dataset.id, [HAND, edited, clash], by="tom")
    assert (added.version, added.item_count) == (2, 4)
    assert [i.name for i in items(workspace, dataset)] == ["r0", "r1", "mine", "r2"]
    save_answer(workspace, test.id, 2, "width", "accept", by="ann")
    saved = use.save_dataset(workspace, test.id, by="ann")
    kept = items(workspace, saved)
    assert [i.name for i in kept] == ["r0", "r1", "r2 (2)", "mine", "r2"]
    assert kept[0].values[0].value == 7.0
    assert kept[3] == HAND
    assert use.save_dataset(workspace, test.id, by="ann").version == saved.version


def test_add_items_replaces_in_place_and_says_no_to_twins_and_crowds(workspace):
    dataset = use.create_dataset(workspace, "Mine", items=[HAND, Item(name="b", text="b")], by="ann")
    again = HAND.model_copy(update={"text": "new"})
    assert use.add_items(workspace, dataset.id, [again], by="ann").version == 2
    assert [i.text for i in items(workspace, dataset)] == ["new", "b"]
    assert use.add_items(workspace, dataset.id, [again], by="ann").version == 2
    with pytest.raises(InvalidInput, match="Two items are named 'mine'"):
        use.add_items(workspace, dataset.id, [HAND, HAND], by="ann")
    many = [Item(name=f"n{n}", text="x") for n in range(499)]
    with pytest.raises(InvalidInput, match="would make 501 items; a dataset takes at most 500"):
        use.add_items(workspace, dataset.id, many, by="ann")
    assert use.add_items(workspace, dataset.id, many[:498], by="ann").item_count == 500
    assert use.remove_items(workspace, dataset.id, ["b", "nowhere"], by="ann").item_count == 499


@pytest.mark.parametrize("name", ["", "  ", "x" * 201, "\ud83d"])
def test_names(workspace, name):
    with pytest.raises(InvalidInput) as caught:
        use.create_dataset(workspace, name, by="ann")
    assert caught.value.param == "name"


def test_deleted_and_unknown(workspace):
    dataset = use.create_dataset(workspace, "Mine", items=[HAND], by="ann")
    use.delete_dataset(workspace, dataset.id, "ann")
    use.delete_dataset(workspace, dataset.id, "ann")  # again: the same answer
    for call in (use.get_dataset, use.items, zipped, lambda w, id: use.add_items(w, id, [HAND], by="a")):
        with pytest.raises(NotFound):
            call(workspace, dataset.id)
    with pytest.raises(NotFound):
        use.delete_dataset(workspace, "ds_0", "ann")


def test_lists_go_on_behind_an_id(workspace):
    ids = [use.create_dataset(workspace, f"d{n}", by="ann").id for n in range(3)]
    assert [d.id for d in use.list_datasets(workspace, limit=2)] == ids[:0:-1]
    assert [d.id for d in use.list_datasets(workspace, after=ids[1])] == ids[:1]


def test_texts_go_with_the_last_that_uses_them(workspace):
    dataset = use.create_dataset(workspace, "Mine", items=[HAND], by="ann")
    (entry,) = workspace.datasets.entries(dataset.id)
    import_records(workspace, "tenders", [IncomingRecord(name="same", text=HAND.text)], by="eva")
    assert get_record(workspace, "record:tenders/same").text_hash == entry.text_hash
    use.delete_dataset(workspace, dataset.id, "ann")
    assert workspace.records.text(entry.text_hash) == HAND.text
    delete_record(workspace, "record:tenders/same", "eva")
    assert workspace.records.text(entry.text_hash) is None


def test_export_is_byte_stable_and_comes_back(workspace):
    test = answered(workspace, "accept", ("correct", "12,5", 'typo, "sic"\n重置昵称'), "reject", "cant_tell", None)
    dataset = use.save_dataset(workspace, test.id, by="ann")
    packed = zipped(workspace, dataset.id)
    assert zipped(workspace, dataset.id) == packed
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        assert archive.namelist() == ["records.json", "expected.json"]
        assert {n: archive.read(n) for n in archive.namelist()} == both_files(workspace, dataset.id)
    expected = json.loads(both_files(workspace, dataset.id)["expected.json"])
    assert [r["name"] for r in expected["records"]] == ["r0", "r1", "r2"]
    with Workspace.in_memory() as other:
        copy = use.import_dataset(other, "Copy", packed, by="tom")
        assert zipped(other, copy.id) == packed
        assert copy.item_count == 3
        assert use.import_dataset(other, "Copy", packed, by="tom") == copy  # no twin
        files = both_files(other, copy.id)
        twin = use.import_dataset(other, "Twin", (files["records.json"], files["expected.json"]), by="tom")
        assert zipped(other, twin.id) == packed


texts = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\0"), max_size=30)
names = texts.map(str.strip).filter(bool)
json_values = st.one_of(
    st.booleans(), st.integers(-(2**63), 2**63 - 1), st.floats(allow_nan=False, allow_infinity=False), texts
)
expected = st.builds(
    Expected,
    property=names,
    value=json_values,
    quote=st.none() | texts,
    stated=st.none() | texts,
    reason=st.none() | texts,
)
nothing = st.builds(Expected, property=names, value=st.none())
hand_made = st.builds(
    Item,
    name=names,
    text=texts,
    iri=st.none() | texts,
    case=st.none() | texts,
    values=st.lists(expected, max_size=3).map(tuple),
    leave_out=st.lists(expected | nothing, max_size=3).map(tuple),
)


@settings(max_examples=60)
@given(st.lists(hand_made, max_size=5, unique_by=lambda item: item.name))
def test_items_come_back_as_they_were(made):
    with Workspace.in_memory() as workspace:
        dataset = use.create_dataset(workspace, "Mine", items=made, install=Install(context="x"), by="ann")
        back = items(workspace, dataset)
        assert back == made
        assert [[type(e.value) for e in i.values] for i in back] == [[type(e.value) for e in i.values] for i in made]
