"""Workflows, revisions, history."""

from __future__ import annotations

import pytest

from reviewapp import workflows as use
from reviewapp.domain.properties import Property
from reviewapp.domain.workflows import Rules, WorkflowDefinition, WorkflowSettings
from reviewapp.errors import Conflict, InvalidInput, NotFound
from reviewapp.records import declare_properties, get_collection, import_records
from reviewapp.tests import cancel_test, start_test
from tests.builders import COLOUR, WIDTH, records


@pytest.fixture
def tenders(workspace):
    import_records(workspace, "tenders", records({"a": "Width 3 cm"}), by="eva")
    return workspace


def definition(**changes) -> WorkflowDefinition:
    return WorkflowDefinition(**{"name": "shelves", "collection": "tenders", "properties": (WIDTH, COLOUR), **changes})


def test_put_again_changes_nothing(tenders):
    first = use.put_workflow(tenders, definition(), by="eva", note="start")
    again = use.put_workflow(tenders, definition(), by="tom", note="other words")
    assert again == first
    assert first.active.id.startswith("wrev_")
    assert len(first.active.id) == 37
    assert [(a.number, a.action, a.by) for a in use.history(tenders, "shelves")] == [(1, "create", "eva")]
    assert first.active.note == "start"


@pytest.mark.parametrize(
    "change",
    [
        {"gate": 0.9},
        {"context": "In cm."},
        {"rules": Rules(decimal_mark=",")},
        {"properties": (WIDTH,)},
        {"properties": (COLOUR, WIDTH)},
        {"properties": (WIDTH, COLOUR.model_copy(update={"options": ("red",)}))},
    ],
)
def test_every_change_is_a_revision(tenders, change):
    first = use.put_workflow(tenders, definition(), by="eva")
    second = use.put_workflow(tenders, definition(**change), by="tom", note="why")
    assert second.active.id != first.active.id
    assert (second.active.number, second.active.created_by, second.active.note) == (2, "tom", "why")
    assert second.revision_count == 2
    third = use.put_workflow(tenders, definition(), by="eva")
    assert third.active == first.active
    assert [(a.action, a.previous) for a in use.history(tenders, "shelves")] == [
        ("existing", second.active.id),
        ("change", first.active.id),
        ("create", None),
    ]
    assert [r.number for r in use.list_revisions(tenders, "shelves")] == [2, 1]


def test_equal_settings_of_two_workflows_are_two_revisions(tenders):
    one = use.put_workflow(tenders, definition(), by="eva")
    two = use.put_workflow(tenders, definition(name="racks"), by="eva")
    assert one.active.id != two.active.id
    assert one.active.settings.fingerprint == two.active.settings.fingerprint
    assert [w.name for w in use.list_workflows(tenders)] == ["racks", "shelves"]


def test_fingerprints_know_equal_settings():
    bare = WorkflowSettings(collection="tenders", properties=(WIDTH,))
    said = WorkflowSettings(collection="tenders", properties=(WIDTH,), gate=0.8, context="", rules=Rules())
    assert bare.fingerprint == said.fingerprint
    assert len(bare.fingerprint) == 32
    assert bare.fingerprint != bare.model_copy(update={"collection": "other"}).fingerprint


def test_names_pick_declared_properties_and_none_means_all(tenders):
    declare_properties(tenders, "tenders", [WIDTH, COLOUR], "eva")
    assert use.resolve(tenders, definition(properties=("colour",))).properties == (COLOUR,)
    assert use.resolve(tenders, definition(properties=())).properties == (WIDTH, COLOUR)
    mixed = use.put_workflow(tenders, definition(properties=("colour", Property(name="age"))), by="eva")
    assert [p.name for p in mixed.active.settings.properties] == ["colour", "age"]
    assert [p.name for p in get_collection(tenders, "tenders").properties] == ["width", "colour", "age"]


@pytest.mark.parametrize(
    ("change", "param", "says"),
    [
        ({"collection": "bills"}, "collection", "There are: tenders"),
        ({"properties": ()}, "properties", "Nothing says what to read"),
        ({"properties": (Property(name="code", pattern="[a-"),)}, "properties", "of property 'code' is not a regular"),
        ({"properties": ("weight",)}, "properties", "'weight' is not declared"),
        ({"properties": (WIDTH, WIDTH)}, "properties", "'width' is named twice"),
        ({"properties": (WIDTH, "width")}, "properties", "'width' is named twice"),
    ],
)
def test_definitions_that_do_not_resolve(tenders, change, param, says):
    with pytest.raises(InvalidInput, match=says) as caught:
        use.put_workflow(tenders, definition(**change), by="eva")
    assert caught.value.param == param
    assert use.list_workflows(tenders) == []
    assert get_collection(tenders, "tenders").properties == ()


def test_activate_a_revision(tenders):
    first = use.put_workflow(tenders, definition(), by="eva")
    second = use.put_workflow(tenders, definition(gate=0.9), by="eva")
    with pytest.raises(Conflict) as caught:
        use.activate_revision(tenders, "shelves", first.active.id, "tom", expected=first.active.id)
    assert caught.value.code == "workflow_revision_conflict"
    back = use.activate_revision(tenders, "shelves", first.active.id, "tom", expected=second.active.id)
    assert back.active == first.active
    use.activate_revision(tenders, "shelves", first.active.id, "tom")
    assert [(a.number, a.action) for a in use.history(tenders, "shelves")] == [
        (3, "activate"),
        (2, "change"),
        (1, "create"),
    ]


def test_what_is_not_there(tenders):
    use.put_workflow(tenders, definition(), by="eva")
    with pytest.raises(NotFound, match="There are: shelves") as caught:
        use.get_workflow(tenders, "racks")
    assert caught.value.code == "named_workflow_not_found"
    with pytest.raises(NotFound) as caught:
        use.activate_revision(tenders, "shelves", "wrev_0", "eva")
    assert caught.value.code == "workflow_revision_not_found"


def test_delete_and_make_again(tenders):
    first = use.put_workflow(tenders, definition(), by="eva")
    test = start_test(tenders, workflow="shelves", by="eva")
    with pytest.raises(Conflict, match="has a test under way"):
        use.delete_workflow(tenders, "shelves", "eva")
    cancel_test(tenders, test.id, "eva")
    use.delete_workflow(tenders, "shelves", "eva")
    with pytest.raises(NotFound):
        use.get_workflow(tenders, "shelves")
    again = use.put_workflow(tenders, definition(), by="tom")
    assert again.active == first.active  # a revision is kept for ever
    assert [(a.number, a.action, a.by) for a in use.history(tenders, "shelves")] == [
        (2, "create", "tom"),
        (1, "create", "eva"),
    ]


def test_pause(tenders):
    use.put_workflow(tenders, definition(), by="eva")
    assert use.pause_workflow(tenders, "shelves", True, by="eva").paused
    assert not use.pause_workflow(tenders, "shelves", False, by="eva").paused
