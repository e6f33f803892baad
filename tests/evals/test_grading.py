from __future__ import annotations

from typing import Any

import pytest

from reviewapp.domain.datasets import Expected, Item
from reviewapp.domain.evaluations import Counts
from reviewapp.evals.grading import KINDS, AnswerKey, Tally, criteria_of, same, verdicts


def expect(value: Any, accept: list[str] | None = None) -> dict[str, Any]:
    return {"property": "p", "value": value, **({} if accept is None else {"accept": accept})}


@pytest.mark.parametrize(
    ("wanted", "found", "equal"),
    [
        (60, 60.0, True),
        (60, "60", True),
        (60.0, "60", True),
        (1.0, 1.00, True),
        (0.3, 0.30000000000000004, True),
        (1, 1.001, False),
        (9007199254740993, 9007199254740992, False),  # whole numbers are exact
        (0, 0.0, True),
        (0, -0.0, True),
        (1, True, False),
        (60, "sixty", False),
        (60, "nan", False),
        (True, True, True),
        (True, 1, False),
        (True, "true", True),
        (False, "true", False),
        ("Red", " red ", True),
        ("60", 60, True),
        ("60", 60.0, False),
        ("2024-03-31", "2024-03-31", True),
        ("ACME  Ltd", "ACME Ltd", False),
        ("x", None, False),
    ],
)
def test_values_are_the_same(wanted: Any, found: Any, equal: bool) -> None:
    assert same(expect(wanted), found) is equal


def test_accept_takes_the_place_of_the_value() -> None:
    entry = expect("Acme Ltd", ["acme limited", "acme"])
    assert [same(entry, v) for v in ("ACME", "Acme Limited ", "Acme Ltd")] == [True, True, False]


def found(value: Any, outcome: str = "written") -> dict[str, Any]:
    return {"property": "p", "value": value, "outcome": outcome}


@pytest.mark.parametrize(
    ("values", "leave_out", "given", "written", "read"),
    [
        ([60], [], [found(60)], ["right"], ["right"]),
        ([60], [], [found(61)], ["wrong"], ["wrong"]),
        ([60], [], [], ["missing"], ["missing"]),
        ([60], [], [found(60, "review")], ["missing"], ["right"]),
        ([60], [], [found(61, "review")], ["missing"], ["wrong"]),
        ([60], [], [found(60, "weak_support")], ["missing"], ["missing"]),
        ([60], [61], [found(61)], ["wrong"], ["wrong"]),
        ([], [None], [found(61)], ["forbidden"], ["forbidden"]),
        ([], [None], [], ["clean"], ["clean"]),
        ([], [None], [found(61, "review")], ["clean"], ["forbidden"]),
        ([], [None], [found(61, "quote_not_found")], ["clean"], ["clean"]),
        ([], [61], [found(61.0)], ["forbidden"], ["forbidden"]),
        ([], [61], [found(62)], ["unjudged"], ["unjudged"]),
        ([], [61], [], ["clean"], ["clean"]),
        ([1, 2], [], [found(2), found(1)], ["right", "right"], ["right", "right"]),
        ([1, 2], [], [found(2), found(3)], ["right", "wrong"], ["right", "wrong"]),
        ([1], [], [found(1), found(3)], ["right", "wrong"], ["right", "wrong"]),
        ([1], [], [found(3, "review"), found(1)], ["right", "clean"], ["right", "wrong"]),
        ([1], [], [found(1), found(1, "duplicate")], ["right"], ["right"]),
        ([1], [], [found(2, "duplicate")], ["missing"], ["missing"]),
    ],
)
def test_verdicts(
    values: list[Any], leave_out: list[Any], given: list[dict[str, Any]], written: list[str], read: list[str]
) -> None:
    criteria = {"values": [expect(v) for v in values], "leave_out": [expect(v) for v in leave_out]}
    rows = verdicts(criteria, given)
    assert [row["kinds"]["written"] for row in rows] == written
    assert [row["kinds"]["read"] for row in rows] == read


def test_a_property_without_a_word_about_it_is_not_graded() -> None:
    assert verdicts({"values": [], "leave_out": []}, [found(1)]) == []


def test_the_evaluator_gives_the_share_without_fault() -> None:
    item = Item(
        name="a",
        text="t",
        values=(Expected(property="p", value=1), Expected(property="q", value="x", accept=("y",))),
        leave_out=(Expected(property="r", value=None),),
    )
    output = {"values": [found(1), {"property": "q", "value": "Y"}, {"property": "r", "value": 3, "quote": "3"}]}
    score = AnswerKey().score({}, output, (), criteria_of(item))
    assert score.value == pytest.approx(2 / 3)
    assert [row["kinds"]["written"] for row in score.details["verdicts"]] == ["right", "right", "forbidden"]
    assert score.details["verdicts"][2]["found"] == {"property": "r", "value": 3, "quote": "3"}


def test_figures_by_hand() -> None:
    counts = Counts(right=6, wrong=1, missing=2, forbidden=1, clean=5, unjudged=4)
    assert (counts.precision, counts.recall) == (6 / 8, 6 / 9)
    assert counts.f1 == pytest.approx(2 * (6 / 8) * (6 / 9) / (6 / 8 + 6 / 9))
    assert (Counts(missing=1).precision, Counts().recall, Counts().f1) == (None, None, None)


def test_the_tally_keeps_patterns_not_items() -> None:
    tally = Tally()
    criteria = {"values": [expect(1)], "leave_out": []}
    for n in range(1_000):
        tally.add(verdicts(criteria, [found(1 if n % 4 else 2)]))
    tally.fail()
    assert tally.counts("written", "p") == tally.counts("written") == Counts(right=750, wrong=250)
    assert (tally.items, tally.failed, tally.right["written"]) == (1_000, 1, 750)
    assert len(tally.patterns["written"]["p"]) == 2


def test_kinds_are_the_counts() -> None:
    assert tuple(Counts.model_fields) == KINDS
