"""What the shared table does not say: paths, messages, wrong types of every kind, judges."""

from __future__ import annotations

import threading
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from reviewapp.domain.conditions import KINDS, Assertion, Condition
from reviewapp.evals.conditions import Absent, Found, Judges, Misfit, NotAvailable, check, judge_assertion, walk
from reviewapp.evals.conditions.equality import same

condition = TypeAdapter(Condition)


def judge(value, path=None, judges=None, /, **fields):
    return check(value, path, condition.validate_python(fields), *([judges] if judges else []))


PATHS = (
    # output, path, kind, value or deepest place
    ({"a": [{"b": 5}]}, "a[0].b", Found, 5),
    ([[1, 2]], "[0][1]", Found, 2),
    ({"a": {"0": "zero"}}, "a.0", Found, "zero"),
    ({"a": 1}, None, Found, {"a": 1}),
    ({"a": None}, "a", Found, None),
    ({"a": None}, "a.b.c", Absent, "a"),
    ({"a": [1]}, "a.1", Absent, "a"),
    ({"a": [1]}, "a." + "9" * 5000, Absent, "a"),
    ({"a": {}}, "a.-1", Absent, "a"),
    ({"a": [1]}, "a.-1", Misfit, "a"),
    ({"a": [1]}, "a.*", Misfit, "a"),
    ({"a": [1]}, "a[*]", Misfit, ""),
    ({"a": [1]}, "a..0", Misfit, "a"),
    ({"a": [1]}, ".a", Misfit, ""),
    ({"a": [1]}, "a.", Misfit, "a"),
    ({"a": "text"}, "a.0", Misfit, "a"),
    ({"a": True}, "a.b", Misfit, "a"),
    ({"a": [1]}, "a.²", Misfit, "a"),
)


@pytest.mark.parametrize(("output", "path", "kind", "expected"), PATHS)
def test_path(output, path, kind, expected):
    reached = walk(output, path)
    assert isinstance(reached, kind)
    assert (reached.value if kind is Found else reached.partial_path) == expected


def test_a_block_says_how_far_the_path_led():
    judgement = judge({"vendor": {"name": "Acme"}}, "vendor.city", kind="equals", expected="Oslo")
    assert judgement.outcome == "blocked"
    assert judgement.failure.code == "path_not_found"
    assert judgement.failure.details == {"partial_path": "vendor", "partial_value": {"name": "Acme"}}


def test_a_wrong_type_names_the_whole_path_and_its_value():
    judgement = judge({"total": "12"}, "total", kind="number_compare", op=">", expected=1)
    assert judgement.failure.code == "type_error"
    assert judgement.failure.details == {"partial_path": "total", "partial_value": "12"}


RULES = (
    # condition, actual, outcome
    ({"kind": "equals"}, None, "passed"),
    ({"kind": "equals", "expected": {"a": {"reasoning___b": 1}}}, {"a": {}}, "passed"),
    ({"kind": "equals", "expected": 2**53 + 1}, float(2**53), "failed"),
    ({"kind": "equals", "expected": "\u00e9"}, "e\u0301", "failed"),
    ({"kind": "not_equals", "expected": 1}, True, "passed"),
    ({"kind": "not_equals", "expected": 1}, 1.0, "failed"),
    ({"kind": "number_compare", "op": "neq", "expected": 1}, None, "blocked"),
    ({"kind": "number_compare", "op": "!=", "expected": 1}, 2, "passed"),
    ({"kind": "number_compare", "op": "eq", "expected": 2**53 + 1}, float(2**53), "failed"),
    ({"kind": "between", "lower": 0, "upper": 1, "inclusive": False}, 1, "failed"),
    ({"kind": "between", "lower": 3, "upper": 1}, 2, "failed"),
    ({"kind": "between", "lower": 0, "upper": 1}, "0", "blocked"),
    ({"kind": "contains", "expected": ""}, "abc", "passed"),
    ({"kind": "contains", "expected": "ac"}, ["aac"], "failed"),
    ({"kind": "contains", "expected": None}, [None], "passed"),
    ({"kind": "contains", "expected": "a"}, {"a": 1}, "blocked"),
    ({"kind": "contains", "expected": {"a": 1}}, [{"a": 1, "reasoning___a": "x"}], "passed"),
    ({"kind": "not_contains", "expected": 3}, "123", "blocked"),
    ({"kind": "not_contains", "expected": "a"}, None, "blocked"),
    ({"kind": "not_contains", "expected": "b"}, "abc", "failed"),
    ({"kind": "ends_with", "expected": "f"}, None, "blocked"),
    ({"kind": "ends_with", "expected": ".pdf"}, "a.pdf", "passed"),
    ({"kind": "starts_with", "expected": ""}, "a", "passed"),
    ({"kind": "matches_regex", "pattern": "abc$"}, "abc\n", "failed"),
    ({"kind": "matches_regex", "pattern": "a.b"}, "a\nb", "failed"),
    ({"kind": "matches_regex", "pattern": "(?i)ABC"}, "abc", "passed"),
    ({"kind": "matches_regex", "pattern": "foo{e<=1}"}, "fo", "failed"),
    ({"kind": "matches_regex", "pattern": "foo{e<=1}"}, "foo{e<=1}", "passed"),
    ({"kind": "matches_regex", "pattern": r"a{2,3}\{x\}{1}"}, "aaa{x}", "passed"),
    ({"kind": "matches_regex", "pattern": r"\p{L}"}, "a", "blocked"),
    ({"kind": "matches_regex", "pattern": "["}, 4, "blocked"),
    ({"kind": "object_contains", "expected": {"a": [1]}}, {"a": [1, 2]}, "failed"),
    ({"kind": "object_contains", "expected": {"a": {"b": 1}}}, {"a": None}, "failed"),
    ({"kind": "object_contains", "expected": {"reasoning___a": 1}}, {}, "passed"),
    ({"kind": "object_contains", "expected": {}}, [], "blocked"),
    ({"kind": "array_contains", "expected": {"a": 1}}, [3, "x", {"a": 1}], "passed"),
    ({"kind": "array_contains", "expected": {}}, [], "failed"),
    ({"kind": "array_contains", "expected": {"a": 1}}, {"a": 1}, "blocked"),
    ({"kind": "length_compare", "op": "lt", "expected": 2}, 1, "blocked"),
    ({"kind": "length_compare", "op": "eq", "expected": 0}, None, "blocked"),
    ({"kind": "length_compare", "op": "==", "expected": 2}, "e\u0301", "passed"),
    ({"kind": "json_schema_valid"}, object, "passed"),
    ({"kind": "json_schema_valid", "schema": {}}, None, "passed"),
    ({"kind": "validates_json_schema", "schema": {"type": "integer"}}, 1.0, "passed"),
    ({"kind": "json_schema_valid", "schema": {"$ref": "https://example.org/x.json"}}, 1, "blocked"),
    ({"kind": "json_schema_valid", "schema": {"$ref": "#"}}, 1, "blocked"),
    ({"kind": "all_items_match", "condition": {"kind": "compare", "op": ">", "expected": 0}}, ["x", -1], "failed"),
    ({"kind": "all_items_match", "condition": {"kind": "equals"}}, {"a": 1}, "blocked"),
    ({"kind": "all_items_match", "condition": {"kind": "exists"}}, [None], "passed"),
    ({"kind": "any_item_matches", "condition": {"kind": "equals", "expected": 1}}, [], "failed"),
    ({"kind": "any_item_matches", "condition": {"kind": "starts_with", "expected": "a"}}, ["b", 1], "blocked"),
    (
        {
            "kind": "all_items_match",
            "condition": {"kind": "any_item_matches", "condition": {"kind": "equals", "expected": 1}},
        },
        [[0, 1], [1]],
        "passed",
    ),
    ({"kind": "similarity_gte", "reference": "", "threshold": 1}, "", "passed"),
    ({"kind": "similarity_gte", "reference": "abcdefghij", "threshold": 0.7}, "abcdefgxyz", "passed"),
    ({"kind": "similarity_gte", "reference": "Acme", "threshold": 1}, "acme", "failed"),
    ({"kind": "similarity_gte", "reference": "5", "threshold": 0}, 5, "blocked"),
    ({"kind": "similarity_gte", "reference": {"a": 1, "b": 2}, "threshold": 1}, {"b": 2, "a": 1}, "passed"),
    ({"kind": "similarity_gte", "reference": "a", "threshold": 0, "method": "embeddings"}, "a", "blocked"),
    ({"kind": "llm_judged_as", "rubric": "polite"}, "please", "blocked"),
    ({"kind": "split_iou_gte", "expected": {"splits": []}}, {"splits": []}, "passed"),
    ({"kind": "split_iou_gte", "expected": {"splits": []}}, {"splits": [{"name": "a", "pages": [True]}]}, "blocked"),
    ({"kind": "split_iou_gte", "expected": {"splits": []}}, [{"name": "a", "pages": [1]}], "blocked"),
    (
        {"kind": "split_iou_gte", "expected": {"splits": [{"name": "a", "pages": [1, 2]}]}, "threshold": 0.5},
        {"splits": [{"name": "a", "pages": [1]}, {"name": "a", "pages": [2]}, {"name": "b", "pages": [3]}]},
        "passed",
    ),
)


@pytest.mark.parametrize(("fields", "actual", "outcome"), RULES)
def test_rule(fields, actual, outcome):
    judgement = judge(actual, **fields)
    assert judgement.outcome == outcome, judgement.failure


def test_every_kind_has_a_rule():
    samples = {
        "expected": {"splits": []},
        "op": "eq",
        "lower": 0,
        "upper": 1,
        "pattern": "a",
        "schema": {},
        "condition": {"kind": "exists"},
        "reference": "a",
        "threshold": 1,
        "rubric": "r",
    }
    numbers = {"number_compare", "length_compare"}
    texts = {"starts_with", "ends_with"}
    for kind in KINDS:
        fields = {
            name: 1 if kind in numbers and name == "expected" else "a" if kind in texts else value
            for name, value in samples.items()
            if name in {f.alias or n for n, f in _model_of(kind).model_fields.items()}
        }
        assert judge("a", kind=kind, **fields).outcome in ("passed", "failed", "blocked")


def _model_of(kind):
    from reviewapp.domain.conditions import Plain

    return next(m for m in Plain.__args__ if m.model_fields["kind"].annotation.__args__ == (kind,))


@pytest.mark.parametrize(
    "fields",
    [
        {"kind": "nonsense"},
        {"kind": "equals", "expected": 1, "extra": 2},
        {"kind": "number_compare", "op": "gt", "expected": True},
        {"kind": "number_compare", "op": "gt", "expected": "1"},
        {"kind": "number_compare", "op": "~", "expected": 1},
        {"kind": "length_compare", "op": "gt", "expected": 1.5},
        {"kind": "similarity_gte", "reference": "a", "threshold": 2},
        {"kind": "object_contains", "expected": [1]},
        {"kind": "between", "lower": 1},
    ],
)
def test_a_condition_that_is_none_is_refused(fields):
    with pytest.raises(ValidationError):
        condition.validate_python(fields)


def test_conditions_in_each_other_have_an_end():
    inner = {"kind": "exists"}
    for _ in range(30):
        inner = {"kind": "all_items_match", "condition": inner}
    with pytest.raises(ValidationError, match="deep"):
        Assertion.model_validate({"target": {"output_handle_id": "output-json-0"}, "condition": inner})


@pytest.mark.timeout(120)
def test_a_pattern_without_end_is_stopped():
    judgement = judge("a" * 60 + "b", kind="matches_regex", pattern="(a|a)*c|(a+)+$")
    assert judgement.outcome in ("failed", "blocked")


def test_a_slow_pattern_does_not_hold_up_other_threads():
    slow = threading.Thread(
        target=judge, args=("x" * 200_000,), kwargs={"kind": "matches_regex", "pattern": "(x+x+)+y"}
    )
    begun = time.monotonic()
    slow.start()
    while slow.is_alive() and time.monotonic() - begun < 0.5:
        time.sleep(0.01)
    assert slow.is_alive()  # we were let through while it was at work
    slow.join()


SLOW, PATTERN = "a" * 5_000 + "c", {"kind": "matches_regex", "pattern": "((a|a?)+)+"}


@pytest.mark.timeout(100)  # 2,000 entries with a limit each would take 200 s
@pytest.mark.parametrize("kind", ["all_items_match", "any_item_matches"])
def test_slow_entries_end_together(monkeypatch, kind):
    monkeypatch.setattr("reviewapp.evals.conditions.patterns.MATCH_SECONDS", 0.1)
    monkeypatch.setattr("reviewapp.evals.conditions.rules.UNJUDGED_SECONDS", 0.15)
    judged = judge([SLOW] * 2_000, kind=kind, condition=PATTERN)
    assert (judged.outcome, judged.failure.code) == ("blocked", "execution_error")


@pytest.mark.parametrize(("kind", "outcome"), [("all_items_match", "failed"), ("any_item_matches", "passed")])
def test_one_slow_entry_hides_no_other(monkeypatch, kind, outcome):
    monkeypatch.setattr("reviewapp.evals.conditions.patterns.MATCH_SECONDS", 0.1)
    assert judge([SLOW, "aa", "b"], kind=kind, condition=PATTERN).outcome == outcome


def test_judges_decide():
    judges = Judges(similarity=lambda *_: 0.8, judge=lambda value, rubric, _: (value == "kind", f"{rubric}!"))
    near = judge("x", None, judges, kind="similarity_gte", reference="y", threshold=0.8, method="embeddings")
    assert (near.outcome, near.score) == ("passed", 0.8)
    assert judge("kind", None, judges, kind="llm_judged_as", rubric="kind words").outcome == "passed"
    assert judge("kind", None, judges, kind="llm_not_judged_as", rubric="kind words").outcome == "failed"
    rude = judge("rude", None, judges, kind="llm_judged_as", rubric="kind words")
    assert rude.failure.message.endswith("kind words!")


def test_a_judge_that_is_out_of_reach_blocks():
    def gone(*_):
        raise NotAvailable("The model does not answer.")

    judgement = judge("x", None, Judges(judge=gone), kind="llm_judged_as", rubric="kind")
    assert (judgement.outcome, judgement.failure.code) == ("blocked", "execution_error")


def assertion(handle, **fields):
    return Assertion.model_validate({"target": {"output_handle_id": handle}, "condition": fields})


@pytest.mark.parametrize(
    ("handle", "fields", "outcome"),
    [
        ("output-json-9", {"kind": "exists"}, "blocked"),
        ("output-json-9", {"kind": "not_exists"}, "blocked"),
        ("output-file-receipt", {"kind": "exists"}, "failed"),
        ("output-file-receipt", {"kind": "not_exists"}, "passed"),
        ("output-file-receipt", {"kind": "equals", "expected": 1}, "blocked"),
        ("output-file-invoice", {"kind": "exists"}, "passed"),
    ],
)
def test_handles(handle, fields, outcome):
    declared = {"output-file-invoice": {}, "output-file-receipt": {}}
    assert judge_assertion({"output-file-invoice": "text"}, declared, assertion(handle, **fields)).outcome == outcome


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.floats(-3, 3) | st.text("ab", max_size=2),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("ab_", max_size=2), inner, max_size=3),
    max_leaves=8,
)


@given(JSON)
def test_a_value_is_the_same_as_itself_and_contains_itself(value):
    assert same(value, value)
    assert judge(value, kind="not_equals", expected=value).outcome == "failed"
    if isinstance(value, dict):
        assert judge(value, kind="object_contains", expected=value).outcome == "passed"


@given(JSON, JSON)
def test_sameness_goes_both_ways(one, other):
    assert same(one, other) == same(other, one)
