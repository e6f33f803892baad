"""Slips have names."""

from __future__ import annotations

from typing import Any

import pytest

from reviewapp.evals.eval_sets.mismatches import mismatch


@pytest.mark.parametrize(
    ("actual", "expected", "says"),
    [
        ({"a": 1}, {"a": 1.0}, None),
        ({"sum": 3}, {"Sum": 3}, "the key is 'sum', expected 'Sum': only the case differs"),
        ({"raw_score": 3}, {"rawScore": 3}, "the key is 'raw_score', expected 'rawScore': only the writing differs"),
        ({"x": {"sum": 3}}, {"x": {"Sum": 3}}, "at x: the key is 'sum', expected 'Sum': only the case differs"),
        ({"a": 1}, {"result": {"a": 1}}, "the wrapper 'result' is missing: the output is what was expected under it"),
        ({"result": {"a": 1}}, {"a": 1}, "the output stands under 'result', expected without that wrapper"),
        ({"a": "1"}, {"a": 1}, "at a: text '1' for number 1: the same in another type"),
        ({"a": "TRUE"}, {"a": True}, "at a: text 'TRUE' for boolean true: the same in another type"),
        ({"a": True}, {"a": 1}, "at a: boolean true for number 1"),
        ({"a": None}, {"a": "x"}, "at a: null for text 'x'"),
        ({"a": [1]}, {"a": 1}, "at a: list of 1 entry for number 1: the value stands in a list"),
        ({"a": 1}, {"a": [1]}, "at a: number 1 for list of 1 entry: the list around it is missing"),
        ({"a": "Yes"}, {"a": "yes"}, "at a: 'Yes', expected 'yes': only the case differs"),
        ({"a": "x  y"}, {"a": "x y"}, "at a: 'x  y', expected 'x y': only white space differs"),
        ({"l": [1, 2]}, {"l": [1]}, "at l: 2 entries, expected 1"),
        ({"l": [{"b": 1}]}, {"l": [{"b": 2}]}, "at l[0].b: 1, expected 2"),
        ({}, {"a": 1}, "'a' is missing"),
        ({"a": 1, "b": 2}, {"a": 1}, "'b' was not expected"),
    ],
)
def test_the_first_slip_is_named(actual: Any, expected: Any, says: str | None) -> None:
    assert mismatch(actual, expected) == says
