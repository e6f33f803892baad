"""API workflows: strict verdicts, the slip by name, and where the package would say otherwise."""

from __future__ import annotations

from typing import Any

import pytest

from tests.eval_sets.conftest import Make, evaluator, item, outputs, scored


@pytest.mark.parametrize(
    ("actual", "expected", "verdict", "says"),
    [
        ({"sum": 3}, {"Sum": 3}, "FAIL", "only the case differs"),
        (3, {"result": 3}, "PASS", ""),
        ([1], {"result": [1]}, "PASS", ""),
        ({"result": 3}, {"result": "3"}, "FAIL", "number 3 for text '3'"),
        ({"a": True}, {"a": 1}, "FAIL", "boolean true for number 1"),
        ({"a": 1}, {"data": {"a": 1}}, "FAIL", "wrapper 'data' is missing"),
    ],
)
def test_the_strict_dialect_names_the_slip(make: Make, actual: Any, expected: Any, verdict: str, says: str) -> None:
    root = make([item("1", {}, {"exact": {"expectedOutput": expected}})], [evaluator("exact")], "strict")
    (row,) = scored(root, outputs(root, {"1": actual})).rows
    assert row.verdict == verdict
    assert says in (row.why or "")


def test_the_strict_dialect_tells_what_the_package_would_say(make: Make) -> None:
    items = [item(id, {}, {"exact": {"expectedOutput": {"colour": "Red"}}}) for id in ("1", "2")]
    root = make(items, [evaluator("exact", targetOutputKey="colour")], "strict")
    rows = scored(root, outputs(root, {"1": {"colour": "red"}, "2": {"colour": "blue"}})).rows
    assert [(row.verdict, row.other_dialect) for row in rows] == [("FAIL", "PASS"), ("FAIL", None)]


def test_the_strict_dialect_has_errors_for_what_cannot_be_judged(make: Make) -> None:
    root = make(
        [item("1", {}, {}), item("2", {}, {"exact": {"expectedOutput": {}}})],
        [evaluator("exact"), evaluator("contains", "uipath-contains")],
        "strict",
        evaluatorRefs=["exact", "contains", "nowhere"],
    )
    report = scored(root, outputs(root, {"item 1": {}}))
    why = {(row.id, row.evaluator): (row.verdict, row.why) for row in report.rows}
    assert "no expectedOutput" in (why["1", "exact"][1] or "")
    assert "uipath-exact-match only" in (why["1", "contains"][1] or "")
    assert "no evaluator 'nowhere'" in (why["1", "nowhere"][1] or "")
    assert why["2", "exact"] == ("ERROR", "outputs.json has no output for this item.")
    assert not report.green


def test_both_verdicts_are_shown_where_the_dialects_differ(make: Make) -> None:
    criteria = {"E": {"expectedOutput": {"t": "Yes"}}}
    root = make([item("1", {}, criteria)], [evaluator("E", targetOutputKey="t")])
    report = scored(root, outputs(root, {"1": {"t": "yes"}}))
    assert (report.rows[0].verdict, report.rows[0].other_dialect) == ("PASS", "FAIL")
    assert report.notes
