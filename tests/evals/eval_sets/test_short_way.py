"""Exact match of two whole objects goes a short way; it must say what the long way says, to the letter."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewapp.evals.eval_sets.rows import Row
from reviewapp.evals.eval_sets.table import configured

EXACT = configured("uipath-exact-match", {})
numbers = st.sampled_from([0, -0.0, 0.0, 1, 1.0, 2**53, 2**53 + 1, float(2**53), -3, 0.1])
values = st.recursive(
    numbers | st.booleans() | st.none() | st.sampled_from(["", "a", "it's", "é", "\n"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
    max_leaves=8,
)
objects = st.dictionaries(st.sampled_from("abc"), values, max_size=3)


def said(output: dict[str, Any], expected: dict[str, Any], *, short: bool) -> tuple[float, Any]:
    criteria = {"expectedOutput": expected}
    scored = EXACT.evaluate(Row(output), criteria if short else EXACT._criteria(criteria))
    return scored.score, scored.details


@pytest.mark.parametrize(
    ("output", "expected", "score", "details"),
    [
        pytest.param({"a": 1, "b": 2}, {"b": 2, "a": 1}, 1, ("{'a': 1.0, 'b': 2.0}", "{'b': 2.0, 'a': 1.0}"), id=""),
        pytest.param({"a": 1}, {"a": 1.0}, 1, ("{'a': 1.0}", "{'a': 1.0}"), id="one and 1.0"),
        pytest.param({"a": -0.0}, {"a": 0}, 1, ("{'a': -0.0}", "{'a': 0.0}"), id="minus zero"),
        pytest.param({"a": True}, {"a": 1}, 1, ("{'a': True}", "{'a': 1.0}"), id="true and 1"),
        pytest.param({"a": 2**53}, {"a": 2**53 + 1}, 1, ("{'a': 9007199254740992.0}",) * 2, id="one float"),
    ],
)
def test_details_show_each_side_as_it_is_written(output: Any, expected: Any, score: float, details: Any) -> None:
    shown = {"actual": details[0], "expected": details[1]}
    assert said(output, expected, short=True) == said(output, expected, short=False) == (score, shown)


@given(objects, objects)
def test_the_short_way_says_what_the_long_way_says(output: dict[str, Any], other: dict[str, Any]) -> None:
    turned = dict(reversed(output.items()))
    for expected in (other, output, turned, {name: output.get(name) for name in other}):
        assert said(output, expected, short=True) == said(output, expected, short=False)
