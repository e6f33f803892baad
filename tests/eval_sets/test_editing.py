"""Items are changed in their file; the package still loads it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from reviewapp.errors import Conflict, InvalidInput, NotFound
from reviewapp.eval_sets.editing import (
    add_item,
    eval_set_file,
    remove_item,
    save_item,
    set_expected,
    set_item,
)
from reviewapp.eval_sets.loading import load_set
from tests.eval_sets.conftest import Make, evaluator, item
from tests.evals.eval_sets.package import ask

FILE = "evaluations/eval-sets/s.json"


@pytest.fixture
def root(make: Make) -> Path:
    made = item("1", {"a": 1.50}, {"E": {"expectedOutput": {"sum": 3, "x": None}, "note": "kept"}}, purpose="kept too")
    return make([made, item("2", {}, {})], [evaluator("E")], panel={"width": 3})


def text(root: Path) -> str:
    return (root / FILE).read_text()


def test_an_expectation_changes_and_nothing_else(root: Path) -> None:
    before = text(root)
    set_expected(root, FILE, "1", "E", {"sum": 4, "x": None})
    assert text(root) == before.replace('"sum": 3', '"sum": 4')


def test_what_else_can_be_changed(root: Path) -> None:
    set_item(root, FILE, "1", name="first", inputs={"a": 2}, without=["E"])
    set_item(root, FILE, "2", criterias={"E": {"expectedOutput": {"b": True}}})
    add_item(root, FILE, name="third", inputs={"c": "é"}, criterias={"E": {"expectedOutput": {}}})
    content = json.loads(text(root))
    first, second, third = content["evaluations"]
    assert (first["name"], first["inputs"], first["evaluationCriterias"], first["purpose"]) == (
        "first",
        {"a": 2},
        {},
        "kept too",
    )
    assert second["evaluationCriterias"] == {"E": {"expectedOutput": {"b": True}}}
    assert third["name"] == "third"
    assert list(content) == ["version", "id", "name", "evaluatorRefs", "evaluations", "panel"]
    remove_item(root, FILE, third["id"])
    assert len(json.loads(text(root))["evaluations"]) == 2


def test_what_the_package_would_refuse_is_not_written(root: Path) -> None:
    before = text(root)
    with pytest.raises(InvalidInput, match="Empty criteria"):
        set_item(root, FILE, "1", name="first", criterias={"E": {}})
    with pytest.raises(InvalidInput, match="Another item"):
        set_item(root, FILE, "1", name="item 2")
    with pytest.raises(InvalidInput, match="package would refuse"):
        set_item(root, FILE, "1", inputs=[1])  # type: ignore[arg-type]
    with pytest.raises(NotFound):
        set_expected(root, FILE, "9", "E", {})
    with pytest.raises(NotFound):
        set_expected(root, "../../etc/passwd", "1", "E", {})
    assert text(root) == before


@pytest.mark.parametrize(
    ("before", "criterias"),
    [
        pytest.param({"E": {"expectedOutput": {"a": 1}}}, {"E": {"expectedOutput": {"a": 2}}}, id="another value"),
        pytest.param({"E": {"expectedOutput": {"a": 1}}}, {"E": {"expectedOutput": {"a": True}}}, id="true for 1"),
        pytest.param({"E": {"expectedOutput": {"a": True}}}, {"E": {"expectedOutput": {"a": 1}}}, id="1 for true"),
        pytest.param({"E": {"expectedOutput": {"a": 1}}}, {"E": None}, id="by its default"),
        pytest.param({"E": None}, {}, id="no longer judged"),
        pytest.param({}, {"E": None}, id="judged by its default"),
    ],
)
def test_a_form_is_written_as_it_is_sent(root: Path, before: Any, criterias: Any) -> None:
    set_item(root, FILE, "2", criterias=before)
    loaded = load_set(root / FILE, root, "package")
    save_item(loaded, "2", name="item 2", inputs={}, criterias=criterias, seen=loaded.document.digest)
    assert json.dumps(json.loads(text(root))["evaluations"][1]["evaluationCriterias"]) == json.dumps(criterias)


def test_a_form_that_changes_nothing_writes_nothing(root: Path) -> None:
    before, loaded = text(root), load_set(root / FILE, root, "package")
    item = loaded.eval_set.evaluations[0]
    criterias = {"E": {"note": "kept", "expectedOutput": {"x": None, "sum": 3.0}}}
    save_item(loaded, "1", name=item.name, inputs={"a": 1.5}, criterias=criterias, seen=loaded.document.digest)
    assert text(root) == before


def test_a_form_of_a_file_changed_meanwhile_is_not_kept(root: Path) -> None:
    loaded = load_set(root / FILE, root, "package")
    with pytest.raises(Conflict, match="changed since you opened it"):
        save_item(loaded, "1", name="item 1", inputs={}, criterias={}, seen="of before")


def test_a_file_changed_meanwhile_is_not_written_over(root: Path) -> None:
    seen = eval_set_file(root, FILE).digest
    (root / FILE).write_text(text(root).replace('"sum": 3', '"sum": 9'))
    with pytest.raises(Conflict, match="changed since you opened it"):
        set_expected(root, FILE, "1", "E", {"sum": 4}, seen=seen)
    assert '"sum": 9' in text(root)


def test_items_are_told_apart_by_their_ids(root: Path) -> None:
    (root / FILE).write_text(text(root).replace('"id": "2"', '"id": "A"'))
    add_item(root, FILE, name="small", inputs={}, criterias={})
    (root / FILE).write_text(text(root).replace(json.loads(text(root))["evaluations"][2]["id"], "a"))
    set_item(root, FILE, "a", name="changed")
    assert [one["name"] for one in json.loads(text(root))["evaluations"]] == ["item 1", "item 2", "changed"]
    (root / FILE).write_text(text(root).replace('"id": "a"', '"id": "A"'))
    with pytest.raises(InvalidInput, match=r"2 items of s\.json have the id 'A'"):
        set_item(root, FILE, "A", name="which?")


def test_a_file_outside_the_project_is_read_but_not_written(root: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside.json"
    (root / FILE).rename(outside)
    (root / FILE).symlink_to(outside)
    assert eval_set_file(root, FILE).content["name"] == "S"
    before = outside.read_text()
    with pytest.raises(InvalidInput, match="outside the project"):
        set_expected(root, FILE, "1", "E", {"sum": 4})
    assert outside.read_text() == before


@pytest.mark.slow
def test_the_package_loads_what_was_patched(root: Path) -> None:
    set_expected(root, FILE, "1", "E", {"sum": 4})
    add_item(root, FILE, name="third", inputs={"c": "é"}, criterias={"E": {"expectedOutput": {"d": [1]}}})
    (loaded,) = ask([{"do": "project", "eval_set": FILE}], cwd=root)
    assert loaded["evaluator_ids"] == ["E"]
    items = loaded["loaded"]["evaluations"]
    assert items[0]["evaluationCriterias"]["E"]["expectedOutput"] == {"sum": 4}
    assert items[2]["inputs"] == {"c": "é"}
