"""What people who export their answers ran into elsewhere."""

from __future__ import annotations

import pytest

from reviewapp import datasets
from reviewapp.answers import save_answer
from reviewapp.datasets import export_dataset, items, save_dataset
from reviewapp.formats.datasets import FORMATS, Losses
from reviewapp.store import Workspace
from tests.builders import WIDTH, done, value, zipped


@pytest.fixture
def answered(workspace: Workspace) -> str:
    """Five texts: two accepted, one corrected from 10 to 12 with a note, one rejected, one left open."""
    texts = {f"i{n}": f"Width {10 + n} cm, text {n}" for n in range(5)}
    readings = {name: [value("width", float(t[6:8]), text=t, quote=t[6:11])] for name, t in texts.items()}
    test = done(workspace, texts, readings, properties=[WIDTH])
    at = {input.label: input.position for input in workspace.results.inputs(test.id, limit=10)}
    save_answer(workspace, test.id, at["i1"], "width", "accept", by="ann")
    save_answer(workspace, test.id, at["i2"], "width", "accept", by="ann")
    save_answer(workspace, test.id, at["i0"], "width", "correct", value=12, note="typo", by="ann")
    save_answer(workspace, test.id, at["i3"], "width", "reject", note="another part", by="ann")
    return save_dataset(workspace, test.id, by="ann").id


def test_only_what_was_reviewed_is_in_it(workspace: Workspace, answered: str) -> None:
    kept = {item.name: item for _, item in items(workspace, answered)}
    assert sorted(kept) == ["i0", "i1", "i2", "i3"]
    assert [kept[n].values[0].value for n in ("i0", "i1", "i2")] == [12, 11, 12]
    assert kept["i3"].values == ()
    assert [(e.value, e.reason) for e in kept["i3"].leave_out] == [(13, "another part")]


@pytest.mark.parametrize("form", [name for name, form in FORMATS.items() if form.read is not None])
def test_corrected_values_and_notes_are_in_every_form(workspace: Workspace, answered: str, form: str) -> None:
    data = b"".join(export_dataset(workspace, answered, form, Losses()))
    read = FORMATS[form].read
    assert read is not None
    kept = {item.name: item for item in read(data).items}
    assert (kept["i0"].values[0].value, kept["i0"].values[0].reason) == (12, "typo")
    if form != "langextract":  # which says that it cannot hold these
        assert kept["i0"].leave_out[0].value == 10, "what was read is apart from what was answered"
        assert kept["i3"].leave_out[0].reason == "another part"


def test_exports_of_a_dataset_brought_into_an_empty_workspace_are_equal(workspace: Workspace, answered: str) -> None:
    with Workspace.in_memory() as empty:
        data = zipped(workspace, answered)
        there = datasets.import_dataset(empty, "Again", data, by="bob")
        assert zipped(empty, there.id) == data
        assert datasets.import_dataset(empty, "Again", data, by="bob").id == there.id
        assert len(datasets.list_datasets(empty)) == 1
