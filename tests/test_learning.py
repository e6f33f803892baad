"""Learning from answers, on the sample's receipts answered with their known values."""

from __future__ import annotations

import pytest
from pydantic import TypeAdapter

from reviewapp.answers import save_answer
from reviewapp.domain.blocks import Block
from reviewapp.domain.properties import Property
from reviewapp.domain.records import IncomingRecord
from reviewapp.domain.tests import Test
from reviewapp.domain.values import values_equal
from reviewapp.domain.workflows import RulesExtractor, WorkflowDefinition
from reviewapp.errors import InvalidInput
from reviewapp.learning import learn_workflow, material
from reviewapp.records import import_records
from reviewapp.running.runner import Runner
from reviewapp.store import DataFolder, Workspace
from reviewapp.tests import get_inputs, start_test
from reviewapp.workflows import activate_revision, get_workflow, history, put_workflow

WARES = ("oil", "salt", "rice", "tea", "soap", "milk", "flour", "honey", "beans", "yeast", "pepper", "sugar")
PROPERTIES = (
    Property(name="net", value_type="f64", unit="kg"),
    Property(name="code", value_type="keyword"),
)


def label(n: int, ware: str) -> str:
    """A sheet whose house words no general vocabulary knows: `Zettel` heads the code, `leerwert` the weight wanted."""
    weights = f"filled: {n + 5}.5 kg\nleerwert: {n + 2}.25 kg"
    return f"{ware.title()} sheet {n}\n{weights}\nRef A-{n}00\nZettel: K{n}-{ware[:2].upper()}\n"


RIGHT = {label(n, ware): {"net": n + 2.25, "code": f"K{n}-{ware[:2].upper()}"} for n, ware in enumerate(WARES)}


@pytest.fixture
def answered(data_folder: DataFolder) -> tuple[Workspace, Test]:
    """A test of twelve sheets, every value answered as it stands in `RIGHT`."""
    workspace = data_folder.workspace("default", create=True)
    records = [IncomingRecord(name=f"sheet {n:02}", text=text) for n, text in enumerate(RIGHT)]
    import_records(workspace, "sheets", records, by="Ann")
    put_workflow(workspace, WorkflowDefinition(name="sheets", collection="sheets", properties=PROPERTIES), by="Ann")
    test = start_test(workspace, workflow="sheets", everything=True, by="Ann")
    Runner(data_folder).run_until_idle()
    for input, right in zip(get_inputs(workspace, test.id), RIGHT.values(), strict=True):
        assert input.result is not None
        read = {v.property: v.value for v in input.result.values}
        for prop in PROPERTIES:
            expected = right[prop.name]
            found = read.get(prop.name)
            if found is not None and values_equal(found, expected, prop.value_type):
                save_answer(workspace, test.id, input.iri, prop.name, "accept", by="Ann")
            else:
                save_answer(workspace, test.id, input.iri, prop.name, "correct", value=expected, by="Ann")
    return workspace, test


def test_it_learns_from_one_part_and_is_graded_on_the_other(answered: tuple[Workspace, Test]) -> None:
    workspace, _ = answered
    found = material(workspace, "sheets")
    seen = {text.hash for text in found.learn_from}
    assert (len(found.learn_from), len(found.held_out)) == (8, 4)
    assert not seen & {text.hash for text in found.held_out}

    parent = get_workflow(workspace, "sheets").active.id
    done = learn_workflow(workspace, "sheets", by="Ann")
    assert (done.texts, done.answers, done.held_out, done.parent) == (8, 16, 4, parent)
    assert (done.before.values, done.after.values) == (8, 8)
    assert done.after.right > done.before.right
    assert all(change.better for change in done.changes)
    assert len(done.changes) == done.after.right - done.before.right
    read = sum(b.values for b in done.after.bins)
    assert 0 < read <= done.after.values
    assert all(b.low <= b.support <= b.high and 0 <= b.right <= 1 for b in done.after.bins)
    gap = sum(abs(b.support - b.right) * b.values for b in done.after.bins) / read
    assert gap == pytest.approx(done.after.calibration_error)
    assert any("leerwert" in cue.cue or "zettel" in cue.cue for cue in done.cues)

    active = get_workflow(workspace, "sheets").active
    assert isinstance(active.settings.extractor, RulesExtractor)
    assert set(active.settings.extractor.learnt_from) == {h[:16] for h in seen}
    assert active.note.startswith("Learnt from the answers on 8 texts; on 4 others")


def test_the_same_answers_give_the_same_revision_and_it_can_be_taken_back(answered: tuple[Workspace, Test]) -> None:
    workspace, _ = answered
    first = learn_workflow(workspace, "sheets", by="Ann")
    assert learn_workflow(workspace, "sheets", by="Bob").revision == first.revision
    activate_revision(workspace, "sheets", first.parent, "Ann")
    assert get_workflow(workspace, "sheets").active.id == first.parent
    assert learn_workflow(workspace, "sheets", by="Ann").revision == first.revision
    assert [row.action for row in history(workspace, "sheets")][::-1] == ["create", "change", "activate", "existing"]


def test_held_out_texts_go_through_the_blocks_as_in_a_test(answered: tuple[Workspace, Test]) -> None:
    """The line reads sheets of tea alone; of the others nothing is read, as in a test of this workflow."""
    workspace, _ = answered
    line = TypeAdapter(tuple[Block, ...]).validate_python(
        [
            {"id": "kind", "type": "classify", "categories": [{"name": "tea", "cues": ["Tea"]}]},
            {"id": "read", "type": "extract", "inputs": {"input-file-0": "kind.output-file-tea"}},
        ]
    )
    definition = WorkflowDefinition(name="sheets", collection="sheets", properties=PROPERTIES, blocks=line)
    put_workflow(workspace, definition, by="Ann")
    held_out = material(workspace, "sheets").held_out
    done = learn_workflow(workspace, "sheets", by="Ann")
    teas = sum("Tea" in text.text for text in held_out)
    assert teas < len(held_out)
    assert done.after.right <= 2 * teas


def test_an_answer_to_another_unit_is_passed_over(answered: tuple[Workspace, Test]) -> None:
    workspace, _ = answered
    grams = Property(name="net", value_type="f64", unit="g")
    changed = WorkflowDefinition(name="sheets", collection="sheets", properties=(grams, PROPERTIES[1]))
    put_workflow(workspace, changed, by="Ann")
    done = learn_workflow(workspace, "sheets", by="Ann")
    assert (done.passed_over, done.answers) == (12, 8)


def test_a_text_keeps_its_side_as_more_are_answered(answered: tuple[Workspace, Test]) -> None:
    workspace, _ = answered
    sides = [{t.hash for t in material(workspace, "sheets", held_out=share).held_out} for share in (0.2, 0.5, 0.8)]
    assert sides[0] < sides[1] < sides[2]


def test_too_little_to_learn_from_is_said(workspace: Workspace) -> None:
    import_records(workspace, "sheets", [IncomingRecord(name="a", text="net: 5 kg")], by="Ann")
    put_workflow(workspace, WorkflowDefinition(name="sheets", collection="sheets", properties=PROPERTIES), by="Ann")
    with pytest.raises(InvalidInput, match="There are answers on 0 texts of workflow 'sheets'; answer at least 5"):
        learn_workflow(workspace, "sheets", by="Ann")
    with pytest.raises(InvalidInput, match="more than 0 and less than 1"):
        material(workspace, "sheets", held_out=1)
