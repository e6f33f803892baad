"""Patching changes what it is meant to change and not one sign more."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewapp.formats.eval_sets.patching import removed, updated

FILE = """{
    "version": "1.0",
    "id":   "s",
    "panel": {"x": 1.50, "y" : [ ]},
    "evaluations": [
        {
            "id": "1",
            "inputs": {"text": "caf\u00e9", "n": 1e3},
            "evaluationCriterias": {
                "E": {"expectedOutput": {"sum": 1.0, "tags": ["a", "b"]}}
            },
            "zzz": null
        }
    ]
}
"""
OUTPUT = ("evaluations", 0, "evaluationCriterias", "E", "expectedOutput")


@pytest.mark.parametrize(
    ("path", "value", "old", "new"),
    [
        pytest.param((*OUTPUT, "sum"), 2, "1.0, ", "2, ", id="a number"),
        pytest.param(OUTPUT, {"sum": 1, "tags": ["a", "c"]}, '"b"', '"c"', id="only what differs of an object"),
        pytest.param(OUTPUT, {"sum": 1}, ', "tags": ["a", "b"]', "", id="a member less, the last"),
        pytest.param(OUTPUT, {"tags": ["a", "b"]}, '"sum": 1.0, ', "", id="a member less, the first"),
        pytest.param((*OUTPUT, "new"), {"a": [1]}, '"b"]}}', '"b"], "new": {"a": [1]}}}', id="one more, on its line"),
        pytest.param((*OUTPUT, "tags"), ["a"], '["a", "b"]', '["a"]', id="a shorter list on its line"),
        pytest.param(("panel", "y"), [1], "[ ]", "[\n        1\n    ]", id="a list that was empty"),
        pytest.param(
            ("evaluations", 0, "mockingStrategy"),
            {"type": "llm"},
            '"zzz": null\n',
            '"zzz": null,\n            "mockingStrategy": {\n                "type": "llm"\n            }\n',
            id="one more, on lines of its own",
        ),
    ],
)
def test_only_the_place_changes(path: tuple[Any, ...], value: Any, old: str, new: str) -> None:
    assert FILE.count(old) == 1
    assert updated(FILE, path, value) == FILE.replace(old, new)


def test_equal_values_change_nothing() -> None:
    assert updated(FILE, (), json.loads(FILE)) == FILE
    assert updated(FILE, ("panel", "x"), 1.5) == FILE


def test_true_is_not_one() -> None:
    assert json.loads(updated('{"a": 1}', ("a",), True)) == {"a": True}


def test_line_ends_and_tabs_are_kept() -> None:
    text = '{\r\n\t"a": [\r\n\t\t1\r\n\t]\r\n}'
    assert updated(text, ("a", 1), {"b": 2}) == '{\r\n\t"a": [\r\n\t\t1,\r\n\t\t{\r\n\t\t\t"b": 2\r\n\t\t}\r\n\t]\r\n}'


def test_escaped_letters_stay_escaped() -> None:
    assert updated('{"a":"caf\\u00e9","b":1}', ("b",), "ü") == '{"a":"caf\\u00e9","b":"\\u00fc"}'


def test_a_way_that_is_not_there_is_refused() -> None:
    with pytest.raises(KeyError):
        updated('{"a": 1}', ("b", "c"), 1)


scalars = st.none() | st.booleans() | st.integers(-(10**9), 10**9) | st.floats(allow_nan=False, allow_infinity=False)
values = st.recursive(
    scalars | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=12,
)
objects = st.dictionaries(st.text(max_size=4), values, max_size=4)


@given(objects, objects, st.sampled_from([None, 1, 2, "\t"]), st.booleans(), st.booleans())
def test_any_object_becomes_any_other(
    old: dict[str, Any], new: dict[str, Any], indent: Any, ascii_only: bool, windows: bool
) -> None:
    text = json.dumps(old, indent=indent, ensure_ascii=ascii_only)
    if windows:
        text = text.replace("\n", "\r\n")
    changed = updated(text, (), new)
    assert json.loads(changed) == new
    assert updated(changed, (), new) == changed
    assert "\r" not in changed or windows


@given(objects, values, st.sampled_from([None, 2]))
def test_what_is_added_can_be_taken_away_again(old: dict[str, Any], value: Any, indent: Any) -> None:
    text = json.dumps({**old, "kept": 1}, indent=indent)
    assert removed(updated(text, ("a new name",), value), ("a new name",)) == text


@pytest.mark.parametrize(
    ("text", "value", "becomes"),
    [
        pytest.param("[ 1,  2 , 3 ]", [1, 2, 3, 4], "[ 1,  2 , 3,  4 ]", id="one more at the end"),
        pytest.param("[ 1,  2 , 3 ]", [0, 1, 2, 3], "[ 0,  1,  2 , 3 ]", id="one more before the first"),
        pytest.param('[{"a":  1}, {"b" : 2}]', [{"a": 1}, 7, {"b": 2}], '[{"a":  1}, 7, {"b" : 2}]', id="between"),
        pytest.param('[{"a":  1}, 7, {"b" : 2}]', [{"a": 1}, {"b": 2}], '[{"a":  1}, {"b" : 2}]', id="one less"),
        pytest.param(
            '{"a": {"x" : 1}, "b": 2}', {"a": {"x": 1, "y": 3}}, '{"a": {"x" : 1, "y": 3}}', id="both at once"
        ),
        pytest.param(
            "[\n\t1.50,\n\t2\n]", [1.5, 3, 4], "[\n\t1.50,\n\t3,\n\t4\n]", id="changed and one more, on lines"
        ),
        pytest.param('{"a": 1, "b": 2, "a": 3}', {"b": 2}, '{"b": 2}', id="a name that stands twice goes as a whole"),
        pytest.param(
            '{"a": 1, "b": 2, "a": 3}', {"a": 4, "b": 2}, '{"a": 1, "b": 2, "a": 4}', id="its last one counts"
        ),
    ],
)
def test_what_is_equal_stays_as_it_is_written(text: str, value: Any, becomes: str) -> None:
    assert updated(text, (), value) == becomes


def test_a_name_that_stands_twice_is_taken_away_as_a_whole() -> None:
    assert removed('{"a": 1, "b": 2, "a": 3}', ("a",)) == '{"b": 2}'


blanks = st.text(" \t\r\n", max_size=3)


@st.composite
def written(draw: st.DrawFn, value: Any) -> str:
    """The value as JSON, with white space anywhere."""
    if isinstance(value, dict):
        inner = [f"{json.dumps(k)}{draw(blanks)}:{draw(blanks)}{draw(written(v))}" for k, v in value.items()]
        return "{" + draw(blanks) + f"{draw(blanks)},{draw(blanks)}".join(inner) + draw(blanks) + "}"
    if isinstance(value, list):
        inner = [draw(written(v)) for v in value]
        return "[" + draw(blanks) + f"{draw(blanks)},{draw(blanks)}".join(inner) + draw(blanks) + "]"
    return json.dumps(value, ensure_ascii=draw(st.booleans()))


@given(st.data(), objects, values, values, values)
def test_nothing_outside_the_changed_place_changes(data: Any, around: dict[str, Any], a: Any, b: Any, new: Any) -> None:
    before, after = data.draw(written(around)), data.draw(written(b))
    old = data.draw(written(a))
    head, foot = '{"before" :' + before + ', "place":', ',\n"after": [' + after + "] }"
    changed = updated(head + old + foot, ("place",), new)
    assert changed.startswith(head)
    assert changed.endswith(foot)
    assert json.loads(changed)["place"] == new
    assert updated(changed, ("place",), new) == changed


@pytest.mark.timeout(300)
def test_a_large_file_is_patched() -> None:
    text = json.dumps({"rows": [{"id": str(n), "text": "x" * 500} for n in range(20_000)]}, indent=1)
    changed = updated(text, ("rows",), [{"id": str(n), "text": "y"} for n in range(20_000)])
    assert json.loads(changed)["rows"][19_999] == {"id": "19999", "text": "y"}
    assert updated(text, ("rows", 19_999, "text"), "z").count("x" * 500) == 19_999
