from __future__ import annotations

from typing import Any

import pytest

from reviewapp.evals.evaluators import EVALUATORS, contains, equal


@pytest.mark.parametrize(
    ("expected", "found", "tolerance", "value"),
    [
        (1.0, 1.00, 0, 1),
        (1, 1.0, 0, 1),
        (0.3, 0.1 + 0.2, 0, 1),
        (1, 1.001, 0.001, 1),  # the edge itself is inside
        (1, 1.0011, 0.001, 0),
        (1, True, 0, 0),
        ({"a": 1, "b": [1, 2]}, {"b": [1, 2.0], "a": 1}, 0, 1),
        ({"a": 1}, {"a": 1, "b": None}, 0, 0),
        ([1, 2], [1], 0, 0),
        ("a", "A", 0, 0),
        (None, None, 0, 1),
    ],
)
def test_equal(expected: Any, found: Any, tolerance: float, value: int) -> None:
    score = equal(found, {"expected": expected, "tolerance": tolerance})
    assert score.value == value
    assert (score.justification is None) is bool(value)


def test_where_two_differ_is_said() -> None:
    score = equal({"a": [{"b": 2}]}, {"expected": {"a": [{"b": 3}]}})
    assert score.justification == ".a[0].b: found 2, expected 3"


def test_contains() -> None:
    assert contains("The DOOR is red", {"text": "door"}).value == 1
    assert contains("The wall", {"text": "door"}).value == 0
    assert contains({"a": 1}, {"text": "a"}).error == "the output is dict, a text was expected"


def test_every_evaluator_judges_by_one_protocol() -> None:
    criteria = {
        "answer-key": {"values": [], "leave_out": []},
        "equal": {"expected": {"values": []}},
        "contains": {"text": ""},
    }
    for name, evaluator in EVALUATORS.items():
        score = evaluator.score({}, "" if name == "contains" else {"values": []}, (), criteria[name])
        assert score.value == 1, name
