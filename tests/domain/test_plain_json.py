"""What can be kept as JSON and read back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from reviewapp.domain.block_tests import JsonInput
from reviewapp.domain.conditions import Assertion
from reviewapp.domain.plain_json import DEPTH, fault_of


def nested(depth):
    value = 1
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (nested(DEPTH), None),
        ({"a": [1, "ü", None, True, 10**400, 1e300]}, None),
        (nested(DEPTH + 1), "100 deep"),
        (nested(100_000), "100 deep"),
        ({"a": [float("nan")]}, "NaN"),
        ([float("-inf")], "too large"),
        ({"\ud83d": 1}, "cut in half"),
        (["a\udc00"], "cut in half"),
    ],
)
def test_fault(value, said):
    found = fault_of(value)
    assert (found is None) if said is None else (said in found)


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(), st.lists, max_leaves=50))
def test_what_has_no_fault_comes_back(value):
    kept = JsonInput(type="json", data=value)
    assert JsonInput.model_validate_json(kept.model_dump_json()) == kept


def test_inputs_and_assertions_hold_what_can_be_read_back():
    with pytest.raises(ValidationError, match="100 deep"):
        JsonInput(type="json", data=nested(240))
    for expected, said in ((nested(240), "100 deep"), (float("inf"), "too large")):
        condition = {"kind": "equals", "expected": expected}
        with pytest.raises(ValidationError, match=said):
            Assertion.model_validate({"target": {"output_handle_id": "o"}, "condition": condition})
