"""JSON Schema: an end to every check, references to what is no schema, and for the rest the library's verdict."""

from __future__ import annotations

import contextlib

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewapp.evals.conditions.patterns import TooSlow
from reviewapp.evals.conditions.schemas import SchemaFault, first_misfit

SLOW = "(a|a)*(a|a)*c"
LONG = "a" * 60
DOUBLING = {"a0": {"type": "integer"}} | {
    f"a{n}": {"allOf": [{"$ref": f"#/$defs/a{n - 1}"}, {"$ref": f"#/$defs/a{n - 1}"}]} for n in range(1, 40)
}


@pytest.mark.parametrize(
    ("value", "schema"),
    [
        (LONG, {"pattern": SLOW}),
        ([LONG], {"items": {"anyOf": [{"pattern": SLOW}, {}]}}),
        ({LONG: 1}, {"patternProperties": {SLOW: {}}}),
        ({LONG: 1}, {"patternProperties": {SLOW: {}}, "additionalProperties": False}),
        ({LONG: 1}, {"patternProperties": {SLOW: {}}, "unevaluatedProperties": False}),
        ({LONG: 1}, {"propertyNames": {"pattern": SLOW}}),
        (1, {"$ref": "#/$defs/a39", "$defs": DOUBLING}),
    ],
)
@pytest.mark.timeout(120)
def test_a_check_has_an_end(value, schema):
    with contextlib.suppress(TooSlow):
        first_misfit(value, schema)


@pytest.mark.parametrize(
    ("schema", "said"),
    [
        ({"$schema": 5}, "not a text"),
        ({"$id": 5}, "no JSON Schema"),
        ({"$ref": 5}, "no JSON Schema"),
        ({"$ref": "#/allOf/x", "allOf": [{}]}, "no schema"),
        ({"$ref": "#/allOf", "allOf": [{}]}, "no schema"),
        ({"$ref": "#/x", "x": "text"}, "no schema"),
        ({"$ref": "#/x", "x": None}, "no schema"),
        ({"$ref": "#"}, "without end"),
        ({"$ref": "https://example.org/x.json"}, "not in it"),
        ({"type": "nonsense"}, "no JSON Schema"),
    ],
)
def test_what_is_no_schema_is_told(schema, said):
    with pytest.raises(SchemaFault, match=said):
        first_misfit(1, schema)


@pytest.mark.parametrize(
    ("value", "schema", "fits"),
    [
        (0.07, {"multipleOf": 0.01}, True),
        (19.99, {"multipleOf": 0.01}, True),
        (19.995, {"multipleOf": 0.01}, False),
        (1e300, {"multipleOf": 1e-300}, True),
        (float("nan"), {"multipleOf": 0.5}, False),
        (float("inf"), {"multipleOf": 0.5}, False),
        ([1, True, "1", None], {"uniqueItems": True}, True),
        ([1, 1.0], {"uniqueItems": True}, False),
        ([{"a": 1}, {"a": True}], {"uniqueItems": True}, True),
        ([{"a": 1, "b": [2]}, {"b": [2.0], "a": 1}], {"uniqueItems": True}, False),
        ({"ab": 1}, {"patternProperties": {"^a": {}, "b$": {"minimum": 0}}, "unevaluatedProperties": False}, True),
        ({"ab": 1}, {"patternProperties": {"^a": {}, "b$": {"minimum": 2}}, "unevaluatedProperties": False}, False),
        ({"a": 1, "c": 2}, {"patternProperties": {"^a": {}}, "unevaluatedProperties": False}, False),
        (
            {"patternProperties": {"(": 1}},
            {"properties": {"patternProperties": {"const": {"(": 1}}}, "unevaluatedProperties": False},
            True,
        ),
        (5, {"$schema": "http://json-schema.org/draft-04/schema#", "maximum": 5, "exclusiveMaximum": True}, False),
    ],
)
def test_fits(value, schema, fits):
    assert (first_misfit(value, schema) is None) is fits


NAMES = st.sampled_from(["a", "b", "ab", "c"])
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-1, 2) | st.sampled_from([0.5, 1.0, "a", "ab", "b", ""]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=6,
)


def _schemas(inner):
    return st.fixed_dictionaries(
        {},
        optional={
            "type": st.sampled_from(["object", "array", "string", "number", "integer"]),
            "pattern": st.sampled_from(["a", "^a", "b$"]),
            "properties": st.dictionaries(NAMES, inner, max_size=2),
            "patternProperties": st.dictionaries(st.sampled_from(["a", "^b", "."]), inner, max_size=2),
            "additionalProperties": inner,
            "unevaluatedProperties": inner,
            "uniqueItems": st.booleans(),
            "multipleOf": st.sampled_from([1, 2, 0.5]),
            "allOf": st.lists(inner, min_size=1, max_size=2),
            "not": inner,
            "items": inner,
            "if": inner,
            "then": inner,
        },
    )


@given(VALUES, st.recursive(st.booleans() | st.just({}), _schemas, max_leaves=6).filter(lambda s: isinstance(s, dict)))
def test_the_verdict_is_the_librarys(value, schema):
    assert (first_misfit(value, schema) is None) == jsonschema.Draft202012Validator(schema).is_valid(value)
