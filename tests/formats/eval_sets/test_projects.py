"""Which dialect a project speaks, and which evaluators belong to a set."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from reviewapp.errors import InvalidInput, NotFound
from reviewapp.formats.eval_sets.projects import evaluators_of, find_project

SET = {"version": "1.0", "id": "s", "name": "S", "evaluatorRefs": ["E"], "evaluations": []}
EXACT = {"version": "1.0", "id": "E", "evaluatorTypeId": "uipath-exact-match", "evaluatorConfig": {"name": "E"}}


def project(folder: Path, files: dict[str, Any]) -> Path:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return folder


@pytest.mark.parametrize(
    ("files", "dialect", "reason"),
    [
        ({"evals/default/eval-sets/s.json": SET}, "strict", "evals/<scope>"),
        ({"evaluations/eval-sets/s.json": SET}, "package", "evaluations/eval-sets"),
        ({"evals/eval-sets/s.json": {"id": "s", "evaluations": []}}, "old", "without a version"),
        ({"evals/eval-sets/s.json": SET, "Workflow.json": {}}, "strict", "Workflow.json"),
        ({"evals/eval-sets/s.json": SET, "entry-points.json": {}}, "package", "entry-points.json"),
        (
            {"evals/eval-sets/s.json": SET, "evals/evaluators/E.json": {**EXACT, "id": "other"}},
            "strict",
            "file names",
        ),
        ({"evals/eval-sets/s.json": SET, "evals/evaluators/other.json": EXACT}, "package", "ids of evaluators"),
        (
            {
                "evals/eval-sets/s.json": SET,
                "evals/evaluators/E.json": {**EXACT, "evaluatorConfig": {"name": "E", "negated": False}},
            },
            "package",
            "negated",
        ),
        ({"evals/eval-sets/s.json": SET, "evals/evaluators/E.json": EXACT}, "strict", "nothing told"),
    ],
)
def test_the_dialect_is_told(tmp_path: Path, files: dict[str, Any], dialect: str, reason: str) -> None:
    found = find_project(project(tmp_path, files))
    assert found.dialect == dialect
    assert reason in found.reason
    assert found.sure == ("nothing" not in reason)


def test_a_folder_without_eval_sets_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "Workflow.json").write_text("{}")
    with pytest.raises(InvalidInput, match="holds no eval sets"):
        find_project(tmp_path)
    assert [p.name for p in tmp_path.iterdir()] == ["Workflow.json"]
    with pytest.raises(NotFound):
        find_project(tmp_path / "nowhere")


def test_references_are_names_here_and_ids_there(tmp_path: Path) -> None:
    project(
        tmp_path,
        {
            "evals/default/eval-sets/s.json": SET,
            "evals/default/evaluators/E.json": {**EXACT, "id": "x"},
            "evals/default/evaluators/y.json": EXACT,
            "evals/default/evaluators/broken.json": "{",
        },
    )
    path = tmp_path / "evals/default/eval-sets/s.json"
    assert [file.name for file in evaluators_of(path, {"E"}, "strict")] == ["E"]
    assert [file.name for file in evaluators_of(path, {"E"}, "package")] == ["y"]
    with pytest.raises(InvalidInput):
        evaluators_of(path, {"broken"}, "strict")


@pytest.mark.parametrize("name", ["nowhere", "a\0b", "x" * 5_000, "~nobody-of-this-name/x"])
def test_a_folder_that_no_system_has_is_not_found(name: str) -> None:
    with pytest.raises(NotFound, match="There is no folder"):
        find_project(Path(name))


def test_references_that_are_none_tell_nothing(tmp_path: Path) -> None:
    root = project(tmp_path, {"evals/eval-sets/s.json": {**SET, "evaluatorRefs": 5}})
    assert not find_project(root).sure
