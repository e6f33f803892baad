"""Deep, huge and odd values are scored, or refused with a sentence."""

from __future__ import annotations

from typing import Any

import pytest

from reviewapp.evals.eval_sets.faults import Fault
from reviewapp.evals.eval_sets.rows import Row
from reviewapp.evals.eval_sets.strict import strict_verdict
from reviewapp.evals.eval_sets.table import TYPES, configured

EXPECTED_OUTPUT_TYPES = ("uipath-exact-match", "uipath-json-similarity")
"""Nothing below may take longer, whatever the machine."""


def nested(levels: int, *, lists: bool = False) -> Any:
    value: Any = 1
    for _ in range(levels):
        value = [value] if lists else {"k": value}
    return {"top": value}


@pytest.mark.parametrize("kind", EXPECTED_OUTPUT_TYPES)
@pytest.mark.parametrize("lists", [False, True])
def test_a_thousand_levels_are_refused_with_a_sentence(kind: str, lists: bool) -> None:
    scored = configured(kind, {}).evaluate(
        Row(nested(1000, lists=lists)), {"expectedOutput": nested(1000, lists=lists)}
    )
    assert scored.score == 0
    assert "300 levels deep" in scored.details


@pytest.mark.parametrize("kind", EXPECTED_OUTPUT_TYPES)
def test_two_hundred_levels_are_scored(kind: str) -> None:
    scored = configured(kind, {}).evaluate(Row(nested(200)), {"expectedOutput": nested(200)})
    assert scored.score == 1
    assert scored.error is None
    assert scored.details["expected"].count("'k'") == 200


def test_the_strict_dialect_refuses_a_thousand_levels() -> None:
    with pytest.raises(Fault, match="levels deep"):
        strict_verdict(nested(1000), nested(1000))


@pytest.mark.timeout(300)
def test_ten_megabytes_are_scored() -> None:
    big = {str(n): {"name": "x" * 60, "value": n, "list": [n, n + 1]} for n in range(90_000)}
    other = {**big, "5": {"name": "y"}}
    for kind in EXPECTED_OUTPUT_TYPES:
        scored = configured(kind, {}).evaluate(Row(other), {"expectedOutput": big})
        assert scored.score < 1
        assert len(scored.details["expected"]) > 10_000_000
    assert configured("uipath-contains", {}).evaluate(Row(big), {"searchText": "'value': 89999.0"}).score == 1
    assert strict_verdict(other, big) == "FAIL"


@pytest.mark.parametrize("by_line", [False, True])
def test_many_long_texts_are_refused_together(monkeypatch: pytest.MonkeyPatch, by_line: bool) -> None:
    monkeypatch.setattr("reviewapp.evals.eval_sets.similarity.CELLS", 1_000)
    texts, others = ["a" * 20] * 4, ["b" * 20] * 4
    output: Any = "\n".join(texts) if by_line else {"t": texts}
    expected: Any = "\n".join(others) if by_line else {"t": others}
    similar = configured("uipath-json-similarity", {"lineByLineEvaluator": by_line})
    scored = similar.evaluate(Row(output), {"expectedOutput": expected})
    assert "too long to compare" in scored.details
    assert (scored.score, scored.score_type) == (0, 2)
    assert similar.evaluate(Row(expected), {"expectedOutput": expected}).score == 1  # what is equal costs nothing


def test_two_texts_of_ten_megabytes_are_refused_by_edits_and_scored_by_match() -> None:
    a, b = "a" * 10_000_000, "b" * 10_000_000
    scored = configured("uipath-json-similarity", {}).evaluate(Row({"t": a}), {"expectedOutput": {"t": b}})
    assert "too long to compare" in scored.details
    assert configured("uipath-exact-match", {}).evaluate(Row({"t": a}), {"expectedOutput": {"t": b}}).score == 0
    lines = configured("uipath-exact-match", {"lineByLineEvaluator": True})
    assert lines.evaluate(Row("l\n" * 50_000), {"expectedOutput": "l\n" * 50_000}).score == 1


def test_too_many_calls_are_refused() -> None:
    trace = tuple({"name": "a", "attributes": {"tool.name": "a"}} for _ in range(3_000))
    scored = configured("uipath-tool-call-order", {}).evaluate(Row({}, {}, trace), {"toolCallsOrder": ["b"] * 3_000})
    assert "too many to compare" in scored.details


@pytest.mark.parametrize(
    ("trace", "calls"),
    [
        pytest.param(("text", None, 3), "[]", id="no spans at all"),
        pytest.param(({"attributes": {"tool.name": "a", "input.value": "(" * 5_000}},), "a", id="hostile arguments"),
        pytest.param(({"attributes": {"tool.name": "a", "input.value": "[" * 100_000}},), "a", id="deep arguments"),
        pytest.param(({"attributes": {"tool.name": "a", "input.value": "__import__('os')"}},), "a", id="code"),
    ],
)
def test_odd_spans_are_read_as_far_as_they_go(trace: Any, calls: str) -> None:
    criteria = {"toolCalls": [{"name": "a", "args": {}}]}
    scored = configured("uipath-tool-call-args", {}).evaluate(Row({}, {}, trace), criteria)
    assert scored.error is None
    assert calls in scored.details["actual"]


@pytest.mark.parametrize("number", [10**400, -(10**400)])
@pytest.mark.parametrize("kind", EXPECTED_OUTPUT_TYPES)
def test_numbers_beyond_floats_are_an_error(kind: str, number: int) -> None:
    for output in ({"n": number}, {"n": 1}):
        scored = configured(kind, {}).evaluate(Row(output), {"expectedOutput": {"n": number}})
        assert scored.score == 0
        assert scored.error is not None
        assert scored.error.type == "OverflowError"


def test_all_thirteen_types_are_listed() -> None:
    assert len(TYPES) == 13
