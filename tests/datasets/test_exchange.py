from __future__ import annotations

import json
import tracemalloc

import pytest

from reviewapp import datasets
from reviewapp.answers import save_answer
from reviewapp.domain.datasets import Expected, Install, Item
from reviewapp.errors import InvalidInput, NotFound
from reviewapp.formats.datasets import FORMATS, Losses
from reviewapp.store import DataFolder, Workspace
from tests.builders import done, value

ITEMS = [
    Item(name="a", text="Width 60 cm", values=(Expected(property="width", value=60.0, quote="60 cm"),)),
    Item(name="b", text="nothing", leave_out=(Expected(property="width", value=None, reason="none stated"),)),
]
INSTALL = Install(properties={"width": "f64"}, units={"width": "cm"})


def exported(workspace: Workspace, id: str, form: str) -> bytes:
    return b"".join(datasets.export_dataset(workspace, id, form, Losses()))


@pytest.mark.parametrize("form", [name for name, form in FORMATS.items() if form.read and name != "langextract"])
def test_out_and_into_an_empty_workspace_and_out_again(workspace: Workspace, form: str) -> None:
    made = datasets.create_dataset(workspace, "Sinks", items=ITEMS, install=INSTALL, by="ann")
    data = exported(workspace, made.id, form)
    with Workspace.in_memory() as other:
        there, _ = datasets.import_items(other, "Sinks", form, data, by="bob")
        assert [item for _, item in datasets.items(other, there.id)] == ITEMS
        assert there.install == INSTALL
        assert datasets.import_items(other, "Sinks", form, data, by="bob")[0] == there, "no twin"
        if form != "xlsx":
            assert exported(other, there.id, form) == data


def test_an_older_version_is_exported(workspace: Workspace) -> None:
    made = datasets.create_dataset(workspace, "Sinks", items=ITEMS, by="ann")
    datasets.remove_items(workspace, made.id, ["a"], by="ann")
    old = b"".join(datasets.export_dataset(workspace, made.id, "jsonl", Losses(), version=1))
    assert [json.loads(line)["name"] for line in old.splitlines()] == ["a", "b"]


def test_forms_that_are_not(workspace: Workspace) -> None:
    made = datasets.create_dataset(workspace, "Sinks", items=ITEMS, by="ann")
    with pytest.raises(InvalidInput, match="There is no form 'excel'; there are: answer-key, jsonl"):
        datasets.export_dataset(workspace, made.id, "excel", Losses())
    with pytest.raises(InvalidInput, match="can only be written"):
        datasets.import_items(workspace, "x", "langextract-examples", b"", by="ann")
    with pytest.raises(NotFound):
        datasets.export_dataset(workspace, "ds_0", "jsonl", Losses())


def test_a_test_as_tasks_has_predictions_and_annotations(workspace: Workspace) -> None:
    texts = {"a": "💩 Width 60 cm", "b": "Width 70 cm"}
    readings = {n: [value("width", 60.0, text=t, quote=t[-5:], support=0.7)] for n, t in texts.items()}
    test = done(workspace, texts, readings)
    save_answer(workspace, test.id, 0, "width", "accept", by="ann")
    first, second = json.loads(b"".join(datasets.export_tasks(workspace, test.id, Losses())))
    place = {"start": 9, "end": 14, "text": "60 cm"}  # UTF-16 units: the first character is two of them
    assert first["annotations"][0]["result"][0]["value"] == {**place, "labels": ["width"]}
    assert first["predictions"][0]["result"][1]["value"] == {**place, "text": ["60.0"]}
    assert first["predictions"][0]["score"] == 0.7
    assert second["annotations"][0]["result"] == []


@pytest.mark.slow
@pytest.mark.parametrize("form", ["jsonl", "csv", "huggingface"])
def test_an_export_of_many_items_streams(data_folder: DataFolder, form: str) -> None:
    """Memory stays the same whatever the number of items."""
    workspace = data_folder.workspace("default", create=True)
    text = "Steel door, width 600 mm. " * 40
    many = [Item(name=f"i{n}", text=f"{text}{n}", values=ITEMS[0].values) for n in range(12_000)]
    made = datasets.create_dataset(workspace, "Few", items=many[:500], install=INSTALL, by="ann")
    with workspace.atomic():
        workspace.datasets.replace(made.id, workspace.datasets.keep_texts(many, by_hand=False), by="ann")
    del many
    tracemalloc.start()
    size = sum(len(piece) for piece in datasets.export_dataset(workspace, made.id, form, Losses()))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert size > (10_000_000 if form != "huggingface" else 100_000)
    assert peak < 4_000_000
