"""The spec's sentences on conditions, one by one, in cases of our own beside the shared table."""

from __future__ import annotations

import pytest
from pydantic import TypeAdapter

from reviewapp.domain.conditions import Condition
from reviewapp.evals.conditions import check

condition = TypeAdapter(Condition)


def splits(**pages):
    return {"splits": [{"name": name, "pages": numbers} for name, numbers in pages.items()]}


PRESENCE = (
    # output, path, what exists comes to; not_exists is the opposite, or blocked too
    ({"a": {"b": 0}}, "a.b", "passed"),
    ({"a": False}, "a", "passed"),
    ({"a": ""}, "a", "passed"),
    ({"a": []}, "a", "passed"),
    ({"a": 1}, "b", "failed"),
    ({"a": {}}, "a.b.c", "failed"),
    ({"a": [None]}, "a.0.x", "failed"),
    ({"a": None}, "a.b.c", "failed"),
    ({"a": [{"x": 1}]}, "a[0].x", "passed"),
    ({"a": [[1, 2], [3]]}, "a[1][0]", "passed"),
    ([1, 2], "1", "passed"),
    ([1, 2], "2", "failed"),
    (None, "", "passed"),
    (None, "a", "failed"),
    ({"a.b": 1}, "a.b", "failed"),
    ({"a b": {"ü": 1}}, "a b.ü", "passed"),
    ({"A": 1}, "a", "failed"),
    ({"caf\u00e9": 1}, "cafe\u0301", "failed"),
    ({"a": {"b": 1}}, "a. b", "failed"),
    ("text", "a", "blocked"),
    ({"a": "text"}, "a.b", "blocked"),
    ({"a": True}, "a.b", "blocked"),
    ({"a": 1.5}, "a.0", "blocked"),
    ({"a": [1]}, "a.x", "blocked"),
    ({"a": [1]}, "a.-1", "blocked"),
    ({"a": [1]}, "a[-1]", "blocked"),
    ({"a": [1]}, "a[*]", "blocked"),
    ({"a": [1]}, "a.*.b", "blocked"),
    ({"a": [1]}, "a.", "blocked"),
    ({"a": None}, "a.", "blocked"),
    ({"a": {"b": 1}}, "a..b", "blocked"),
    ({"a": {"b": 1}}, "a['b']", "blocked"),
)


@pytest.mark.parametrize(("output", "path", "outcome"), PRESENCE)
def test_presence(output, path, outcome):
    opposite = {"passed": "failed", "failed": "passed", "blocked": "blocked"}[outcome]
    assert check(output, path, condition.validate_python({"kind": "exists"})).outcome == outcome
    assert check(output, path, condition.validate_python({"kind": "not_exists"})).outcome == opposite


@pytest.mark.parametrize(("output", "path", "outcome"), PRESENCE)
def test_every_other_kind_is_blocked_where_the_path_does_not_resolve(output, path, outcome):
    judgement = check(output, path, condition.validate_python({"kind": "not_equals", "expected": "never"}))
    assert judgement.outcome == ("passed" if outcome == "passed" else "blocked")


SAMENESS = (
    # expected, actual, whether they are equal
    ({"a": {"b": [1, {"c": True}]}}, {"a": {"b": [1, {"c": True}]}}, True),
    ({"a": {"b": [1, {"c": 1}]}}, {"a": {"b": [1, {"c": True}]}}, False),
    ([1, 2], [2, 1], False),
    ({"a": 1, "b": 2}, {"b": 2, "a": 1}, True),
    ({}, [], False),
    (None, 0, False),
    (None, "", False),
    (None, False, False),
    (0, -0.0, True),
    (10**20, 1e20, True),
    ("a", "A", False),
    ("5", 5, False),
    ({"a": 1}, {"a": 1, "b": None}, False),
    ({"a": [{"b": 1}]}, {"a": [{"b": 1, "reasoning___b": "x"}]}, True),
    ({"reasoning___a": "x"}, {"reasoning___a": "y"}, True),
    ({"reasoning__a": "x"}, {}, False),
    ("reasoning___a", "reasoning___a", True),
)


@pytest.mark.parametrize(("expected", "actual", "equal"), SAMENESS)
def test_sameness(expected, actual, equal):
    for kind, wanted in (("equals", equal), ("not_equals", not equal)):
        judgement = check(actual, None, condition.validate_python({"kind": kind, "expected": expected}))
        assert (judgement.outcome == "passed") is wanted
    held = check([0, actual], None, condition.validate_python({"kind": "contains", "expected": expected}))
    assert (held.outcome == "passed") is (equal or expected == 0)


COMPARING = (
    # sign, its name, outcomes of 4, 5 and 6 against 5
    (">", "gt", (False, False, True)),
    (">=", "gte", (False, True, True)),
    ("<", "lt", (True, False, False)),
    ("<=", "lte", (True, True, False)),
    ("==", "eq", (False, True, False)),
    ("!=", "neq", (True, False, True)),
)


@pytest.mark.parametrize(("sign", "name", "outcomes"), COMPARING)
@pytest.mark.parametrize("kind", ["compare", "number_compare"])
def test_comparing(kind, sign, name, outcomes):
    for op in (sign, name):
        asked = condition.validate_python({"kind": kind, "op": op, "expected": 5})
        assert (asked.kind, asked.op) == ("number_compare", name)
        assert tuple(check(n, None, asked).outcome == "passed" for n in (4, 5.0, 6)) == outcomes
        lengths = condition.validate_python({"kind": "length_compare", "op": op, "expected": 5})
        assert tuple(check("x" * n, None, lengths).outcome == "passed" for n in (4, 5, 6)) == outcomes
        assert {check(bad, None, asked).outcome for bad in (True, "5", None, [5], {"a": 5})} == {"blocked"}
        assert {check(bad, None, lengths).outcome for bad in (True, 5, None)} == {"blocked"}


KINDS = (
    # condition, actual, outcome
    ({"kind": "between", "lower": 0, "upper": 10, "inclusive": False}, 0, "failed"),
    ({"kind": "between", "lower": 0, "upper": 10, "inclusive": False}, 10, "failed"),
    ({"kind": "between", "lower": 5, "upper": 5}, 5, "passed"),
    ({"kind": "between", "lower": 5, "upper": 5, "inclusive": False}, 5, "failed"),
    ({"kind": "between", "lower": -1.5, "upper": -0.5}, -1, "passed"),
    ({"kind": "between", "lower": 0, "upper": 10}, [5], "blocked"),
    ({"kind": "contains", "expected": {"a": 1}}, [{"a": 1, "b": 2}], "failed"),
    ({"kind": "contains", "expected": None}, "None", "blocked"),
    ({"kind": "contains", "expected": ["a"]}, "a", "blocked"),
    ({"kind": "contains", "expected": "a"}, 5, "blocked"),
    ({"kind": "not_contains", "expected": "ab"}, ["abc"], "passed"),
    ({"kind": "not_contains", "expected": "x"}, {}, "blocked"),
    ({"kind": "not_contains", "expected": None}, "x", "blocked"),
    ({"kind": "starts_with", "expected": " a"}, "a", "failed"),
    ({"kind": "starts_with", "expected": "a"}, ["a"], "blocked"),
    ({"kind": "ends_with", "expected": "PDF"}, "a.pdf", "failed"),
    ({"kind": "ends_with", "expected": "pdf"}, "a.pdf ", "failed"),
    ({"kind": "matches_regex", "pattern": "(?s).*"}, "a\nb", "passed"),
    ({"kind": "matches_regex", "pattern": ""}, "a", "failed"),
    ({"kind": "matches_regex", "pattern": r"\d"}, "٣", "passed"),
    ({"kind": "matches_regex", "pattern": "*"}, "a", "blocked"),
    ({"kind": "matches_regex", "pattern": "a"}, ["a"], "blocked"),
    ({"kind": "object_contains", "expected": {"a": [{"b": 1}]}}, {"a": [{"b": 1, "c": 2}]}, "failed"),
    ({"kind": "object_contains", "expected": {"a": {}}}, {"a": {"b": 1}}, "passed"),
    ({"kind": "object_contains", "expected": {"a": {}}}, {"a": 1}, "failed"),
    ({"kind": "object_contains", "expected": {"a": {"b": 1}}}, {"a": {"b": 1, "reasoning___b": 2}}, "passed"),
    ({"kind": "object_contains", "expected": {"a": 1}}, [{"a": 1}], "blocked"),
    ({"kind": "array_contains", "expected": {"a": {"b": 1}}}, [None, {"a": {"b": 1, "c": 1}}], "passed"),
    ({"kind": "array_contains", "expected": {}}, [1], "failed"),
    ({"kind": "array_contains", "expected": {"a": 1}}, [[{"a": 1}]], "failed"),
    ({"kind": "array_contains", "expected": {"a": 1}}, [{"a": True}], "failed"),
    ({"kind": "array_contains", "expected": {"a": 1}}, "a", "blocked"),
    ({"kind": "json_schema_valid", "schema": {"enum": [1]}}, True, "failed"),
    ({"kind": "json_schema_valid", "schema": {"const": 0}}, False, "failed"),
    ({"kind": "json_schema_valid", "schema": {"type": ["string", "null"]}}, None, "passed"),
    ({"kind": "json_schema_valid", "schema": {"pattern": "("}}, "a", "blocked"),
    ({"kind": "json_schema_valid", "schema": {"minimum": "x"}}, 1, "blocked"),
    ({"kind": "json_schema_valid", "schema": {"$ref": "#/$defs/x"}}, 1, "blocked"),
    ({"kind": "all_items_match", "condition": {"kind": "exists"}}, "abc", "blocked"),
    ({"kind": "all_items_match", "condition": {"kind": "exists"}}, None, "blocked"),
    ({"kind": "all_items_match", "condition": {"kind": "matches_regex", "pattern": "("}}, ["a"], "blocked"),
    ({"kind": "all_items_match", "condition": {"kind": "matches_regex", "pattern": "("}}, [], "passed"),
    ({"kind": "any_item_matches", "condition": {"kind": "compare", "op": ">", "expected": 0}}, ["x", -5], "blocked"),
    ({"kind": "any_item_matches", "condition": {"kind": "equals", "expected": 1}}, [True, "1"], "failed"),
    ({"kind": "any_item_matches", "condition": {"kind": "exists"}}, {"a": 1}, "blocked"),
    ({"kind": "similarity_gte", "reference": "kitten", "threshold": 4 / 7}, "sitting", "passed"),
    ({"kind": "similarity_gte", "reference": "", "threshold": 0.5}, "abc", "failed"),
    ({"kind": "similarity_gte", "reference": "a", "threshold": 0}, "b", "passed"),
    ({"kind": "similarity_gte", "reference": "abc", "threshold": 0.5}, None, "blocked"),
    ({"kind": "split_iou_gte", "expected": splits(a=[1, 2]), "threshold": 0.51}, splits(a=[1]), "failed"),
    ({"kind": "split_iou_gte", "expected": splits(a=[1, 2], b=[3]), "threshold": 0.75}, splits(a=[1], b=[3]), "passed"),
    ({"kind": "split_iou_gte", "expected": splits(a=[1]), "threshold": 0.51}, splits(a=[1], b=[2]), "failed"),
    ({"kind": "split_iou_gte", "expected": splits(a=[1]), "threshold": 0.5}, splits(a=[1], b=[2]), "passed"),
    ({"kind": "split_iou_gte", "expected": splits(a=[1, 1, 2])}, splits(a=[2, 1, 2]), "passed"),
    ({"kind": "split_iou_gte", "expected": splits(a=[1])}, splits(A=[1]), "failed"),
    ({"kind": "split_iou_gte", "expected": splits(a=[1])}, splits(), "failed"),
    ({"kind": "split_iou_gte", "expected": splits(a=[1])}, "a", "blocked"),
)


@pytest.mark.parametrize(("fields", "actual", "outcome"), KINDS)
def test_kind(fields, actual, outcome):
    judgement = check(actual, None, condition.validate_python(fields))
    assert judgement.outcome == outcome, judgement.failure
    assert judgement.actual == actual
    assert (judgement.failure is None) == (outcome == "passed")


@pytest.mark.parametrize("length", [1, 3, 7, 10, 20])
def test_the_threshold_itself_counts(length):
    for same in range(length + 1):
        asked = {"kind": "similarity_gte", "reference": "x" * length, "threshold": same / length}
        judgement = check("x" * same + "y" * (length - same), None, condition.validate_python(asked))
        assert judgement.outcome == "passed", (same, judgement.score)
