"""Datasets become eval sets that both sides load, and come back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from reviewapp import datasets
from reviewapp.datasets.keeping import import_entries
from reviewapp.domain.datasets import Expected, Install, Item
from reviewapp.errors import Conflict, InvalidInput
from reviewapp.eval_sets.exchange import save_as_dataset, save_as_eval_set
from reviewapp.eval_sets.projects import OpenProject
from reviewapp.eval_sets.targets import OutputsTarget
from reviewapp.formats.datasets import Losses
from reviewapp.store import Workspace
from tests.evals.eval_sets.package import ask

ITEMS = (
    Item(
        name="Item 1",
        text="Width 60 cm, “ok”",
        iri="record:t/1",
        values=(Expected(property="width", value=60), Expected(property="Colour", value="red")),
    ),
    Item(
        name="Item 2",
        text="Nothing",
        values=(Expected(property="width", value=7.5),),
        leave_out=(Expected(property="Colour", value=None),),
    ),
    Item(name="Item 3", text="Only wrong", leave_out=(Expected(property="width", value=3),)),
    Item(name="Item 4", text="One", values=(Expected(property="width", value=1),)),
)


@pytest.fixture
def dataset(workspace: Workspace) -> str:
    install = Install(properties={"width": "f64", "Colour": "text"})
    return import_entries(workspace, "Tender positions!", ITEMS, install, (), by="Ann").id


def project(folder: Path, dialect: str) -> Path:
    root = folder / "project"
    (root / ("evals/default/eval-sets" if dialect == "strict" else "evaluations/eval-sets")).mkdir(parents=True)
    return root


def score(root: Path, outputs: dict[str, Any]) -> dict[str, str]:
    opened = OpenProject(root)
    (report,) = opened.score(OutputsTarget(outputs, "outputs"), target_name="outputs")
    return {row.item: row.verdict for row in report.rows}


def test_as_a_coded_agents_set(workspace: Workspace, dataset: str, tmp_path: Path) -> None:
    root = project(tmp_path, "package")
    made, evaluator = save_as_eval_set(workspace, dataset, root)
    assert (made.name, evaluator.name) == ("tender-positions", "tender-positions-values")
    assert [one["name"] for one in made.content["evaluations"]] == ["Item 1", "Item 2", "Item 4"]
    outputs = {
        "Item 1": {"width": 60, "Colour": "red", "more": 1},
        "Item 2": {"width": 7.5, "Colour": "blue"},
        "Item 4": {"width": 1, "Colour": "any"},
    }
    assert score(root, outputs) == {"Item 1": "PASS", "Item 2": "FAIL", "Item 4": "PASS"}
    with pytest.raises(Conflict):
        save_as_eval_set(workspace, dataset, root)
    again, evaluator = save_as_eval_set(workspace, dataset, root, name="Positions, 2nd/b")
    assert (again.name, evaluator.name, again.content["name"]) == (
        "positions-2nd-b",
        "positions-2nd-b-values",
        "Positions, 2nd/b",
    )


def test_as_an_api_workflows_set(workspace: Workspace, dataset: str, tmp_path: Path) -> None:
    root = project(tmp_path, "strict")
    made, _ = save_as_eval_set(workspace, dataset, root)
    assert [one["name"] for one in made.content["evaluations"]] == ["Item 1", "Item 2"]
    assert score(
        root, {"Item 1": {"width": 60.0, "Colour": "red", "x": 1}, "Item 2": {"width": 7.5, "Colour": None}}
    ) == {
        "Item 1": "PASS",
        "Item 2": "PASS",
    }


def test_an_api_workflow_without_the_folder_is_left_without_it(
    workspace: Workspace, dataset: str, tmp_path: Path
) -> None:
    (tmp_path / "Workflow.json").write_text("{}")
    with pytest.raises(InvalidInput, match="holds no eval sets"):
        save_as_eval_set(workspace, dataset, tmp_path)
    assert [p.name for p in tmp_path.iterdir()] == ["Workflow.json"]


def test_there_and_back(workspace: Workspace, dataset: str, tmp_path: Path) -> None:
    root = project(tmp_path, "package")
    save_as_eval_set(workspace, dataset, root)
    (loaded,) = OpenProject(root).sets()
    back = save_as_dataset(workspace, loaded, name="Back", by="Ann")
    assert save_as_dataset(workspace, loaded, name="Back", by="Ann").id == back.id
    items = [item for _, item in datasets.items(workspace, back.id)]
    assert [(i.name, i.text, {v.property: v.value for v in i.values}) for i in items] == [
        ("Item 1", "Width 60 cm, “ok”", {"width": 60, "Colour": "red"}),
        ("Item 2", "Nothing", {"width": 7.5}),
        ("Item 4", "One", {"width": 1}),
    ]
    assert items[0].iri == "record:t/1"
    assert [one.property for one in items[1].leave_out] == ["Colour"]
    assert back.install.properties == {"width": "f64", "Colour": "text"}


def test_several_values_of_a_property_go_there_and_back_and_what_cannot_is_said(
    workspace: Workspace, tmp_path: Path
) -> None:
    root = project(tmp_path, "package")
    lines = [
        {"name": "two", "text": "x", "values": [{"property": "p", "value": "a"}, {"property": "p", "value": "b"}]},
        {
            "name": "more",
            "text": "a",
            "values": [{"property": "p", "value": "a", "quote": "a", "accept": ["a", "b"], "reason": "so"}],
            "leave_out": [{"property": "p", "value": "c"}, {"property": "q", "value": None}],
        },
    ]
    data = "".join(json.dumps(line) + "\n" for line in lines).encode()
    made, _ = datasets.import_items(workspace, "Several", "jsonl", data, by="Ann")
    losses = Losses()
    save_as_eval_set(workspace, made.id, root, losses=losses)
    assert losses.sentences == (
        "Not held by this form: wrong values that must be left out (1).",
        "Not held by this form: further spellings that count (1).",
        "Not held by this form: quotes (1).",
        "Not held by this form: notes (1).",
    )
    (loaded,) = OpenProject(root).sets()
    back = save_as_dataset(workspace, loaded, name="Back", by="Ann")
    found = {item.name: item for _, item in datasets.items(workspace, back.id)}
    assert [(v.property, v.value) for v in found["two"].values] == [("p", "a"), ("p", "b")]
    assert [(v.property, v.value) for v in found["more"].leave_out] == [("q", None)]


def test_items_with_odd_names_are_kept(workspace: Workspace, tmp_path: Path) -> None:
    root = project(tmp_path, "package")
    items = [
        {"id": id, "name": name, "inputs": {"text": id}, "expectedOutput": {"a": id}, "evaluationCriterias": {}}
        for id, name in (("1", ""), ("2", "n" * 1000), ("3", "n" * 1000), ("4", " "))
    ]
    content = {"version": "1.0", "id": "s", "name": "S", "evaluatorRefs": [], "evaluations": items}
    (root / "evaluations/eval-sets/s.json").write_text(json.dumps(content))
    (loaded,) = OpenProject(root).sets()
    made = save_as_dataset(workspace, loaded, by="Ann")
    assert [one.name for _, one in datasets.items(workspace, made.id)] == ["1", "n" * 200, "n" * 196 + " (3)", "4"]


@pytest.mark.slow
@pytest.mark.parametrize("dialect", ["package", "strict"])
def test_the_package_loads_and_scores_what_we_write(
    workspace: Workspace, dataset: str, tmp_path: Path, dialect: str
) -> None:
    root = project(tmp_path, dialect)
    made, evaluator = save_as_eval_set(workspace, dataset, root)
    (loaded,) = ask([{"do": "project", "eval_set": str(made.path)}], cwd=root)
    assert loaded["evaluator_ids"] == [evaluator.content["id"]]
    written = {one["name"]: one for one in made.content["evaluations"]}
    assert {one["name"]: one["evaluationCriterias"] for one in loaded["loaded"]["evaluations"]} == {
        name: one["evaluationCriterias"] for name, one in written.items()
    }
    job = {
        "do": "row",
        "type": evaluator.content["evaluatorTypeId"],
        "config": evaluator.content["evaluatorConfig"],
        "criteria": written["Item 1"]["evaluationCriterias"][evaluator.name],
        "output": {"width": 60, "Colour": "red"},
    }
    assert ask([json.loads(json.dumps(job))])[0]["score"] == 1.0
