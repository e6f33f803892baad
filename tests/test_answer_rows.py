"""The table of a test's values and answers: complete however it is read in pieces, and begun at once."""

from __future__ import annotations

import pytest

from reviewapp.answer_rows import answer_rows
from reviewapp.domain.properties import Property
from reviewapp.domain.tests import InputResult, Test
from reviewapp.workspaces import Workspace
from tests.web import world

PROPERTIES = tuple(Property(name=f"width {n}", value_type="f64", unit="cm") for n in range(7))


@pytest.fixture
def wide(workspace: Workspace) -> Test:
    """Ten inputs of seven properties; the one before last twice reads the same property."""
    text = "Width 600 mm"
    test = world.fill(workspace, [(f"text {n}", f"{text} {n}") for n in range(10)], PROPERTIES)
    read = [InputResult(values=tuple(world.value(text, p.name, 60.0, text) for p in PROPERTIES))] * 10
    read[8] = InputResult(values=(*read[8].values, world.value(text, "width 0", 61.0, text, "duplicate")))
    return world.run(workspace, test, read)


@pytest.mark.parametrize("values", [1, 7, 20, 69, 70, 2_000])
def test_pieces_of_any_size_are_one_table(
    workspace: Workspace, wide: Test, monkeypatch: pytest.MonkeyPatch, values: int
) -> None:
    monkeypatch.setattr("reviewapp.answer_rows.PIECE_VALUES", values)
    rows = list(answer_rows(workspace, wide.id))
    assert [row.property for row in rows] == [p.name for p in PROPERTIES] * 10
    assert [row.input for row in rows[::7]] == [f"text {n}" for n in range(10)]
    assert {row.read for row in rows} == {60.0}


def test_the_first_row_comes_before_the_rest_is_read(
    workspace: Workspace, wide: Test, monkeypatch: pytest.MonkeyPatch, queries: list[str]
) -> None:
    monkeypatch.setattr("reviewapp.answer_rows.PIECE_VALUES", 14)
    rows = answer_rows(workspace, wide.id)
    queries.clear()
    next(rows)
    assert sum("from test_values" in query for query in queries) == 1
    list(rows)
    assert sum("from test_values" in query for query in queries) == 5
