"""Bodies that do not fit are refused field by field, in our words."""

from __future__ import annotations

import pytest
from pydantic import BaseModel, ValidationError

from reviewapp.api.misfits import misfits
from reviewapp.api.shapes.datasets import DatasetCreate
from reviewapp.api.shapes.tests import TestCreate

ITEM = {"name": "a", "text": "x"}


@pytest.mark.parametrize(
    ("model", "body", "expected"),
    [
        (TestCreate, {"name": "w", "sample": "3"}, [("sample", "found '3', expected a whole number.")]),
        (TestCreate, {"name": "w", "int": 1}, [("int", "is not known here; leave it out (found 1).")]),
        (TestCreate, [], [("", "found a list, expected fields with values.")]),
        (DatasetCreate, {"kind": "values"}, [("name", "is missing.")]),
        (DatasetCreate, {"name": "d", "kind": "rows"}, [("kind", "found 'rows', expected one of 'values'.")]),
        (
            DatasetCreate,
            {
                "name": "d",
                "kind": "values",
                "items": [ITEM | {"values": [{"property": "p", "value": [1, {"a": None}]}]}],
            },
            [("items.0.values.0.value", "found a list, expected a text, a whole number, a number or true or false.")],
        ),
        (
            DatasetCreate,
            {"name": "", "kind": "values", "items": [{"name": "a"}]},
            [("name", "is empty or too short, at least 1."), ("items.0.text", "is missing.")],
        ),
    ],
)
def test_misfits_are_told_by_field(model: type[BaseModel], body: object, expected: list[tuple[str, str]]) -> None:
    with pytest.raises(ValidationError) as refused:
        model.model_validate(body)
    assert misfits(refused.value) == expected
