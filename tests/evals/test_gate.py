from __future__ import annotations

import random

import pytest

from reviewapp.evals.gate import Point, study, suggest


def points(*given: tuple[float, bool]) -> list[Point]:
    return [Point(support=support, right=right, property="p") for support, right in given]


def test_the_lowest_gate_that_was_right_often_enough() -> None:
    found = suggest(points(*[(0.9, True)] * 18, (0.9, False), (0.7, True), *[(0.6, False)] * 5), 0.95)
    assert found.likely is not None
    assert (found.likely.gate, found.likely.written, found.likely.right) == (0.61, 20, 19)
    assert found.likely.share == 20 / 25
    assert found.sure is None


def test_a_sure_gate_needs_many_answers() -> None:
    found = suggest(points(*[(0.9, True)] * 200, *[(0.6, False)] * 50), 0.95)
    assert found.sure is not None
    assert found.sure.gate == 0.61
    assert found.spread is not None
    assert (found.spread.low, found.spread.high) == (0.61, 0.61)


def test_no_gate_is_enough() -> None:
    found = suggest(points(*[(0.99, False)] * 5), 0.9)
    assert (found.likely, found.sure, found.spread) == (None, None, None)


def test_a_value_reaches_the_gate_as_in_the_pipeline() -> None:
    """Support may have been kept as a 32-bit float."""
    curve = {p.gate: p.written for p in study(points((0.7999999, True), (0.55, True))).curve}
    assert (curve[0.8], curve[0.81], curve[0.55], curve[0.56]) == (1, 0, 2, 1)


def test_what_a_person_must_see_is_never_written() -> None:
    unsure = Point(support=0.99, right=True, property="p", confirmed=False)
    found = study([unsure, *points((0.9, True))])
    lowest = found.curve[0]
    assert (lowest.gate, lowest.written, lowest.share) == (0.5, 1, 0.5)


def test_nothing_answered() -> None:
    found = study([])
    assert (found.values, found.bins, found.calibration_error) == (0, (), 0)
    assert all(p.precision is None and p.share == 0 for p in found.curve)
    assert suggest([], 0.9).likely is None


def test_reliability_by_hand() -> None:
    found = study(points((0.95, True), (0.93, True), (0.91, False), (0.15, False)))
    assert [(b.low, b.values, b.right) for b in found.bins] == [(0.1, 1, 0.0), (0.9, 3, pytest.approx(2 / 3))]
    assert found.calibration_error == pytest.approx((0.15 * 1 + (0.93 - 2 / 3) * 3) / 4)


def test_the_spread_holds_the_gate_of_other_answers() -> None:
    """Most samples of one population have their gate within the spread of another, about."""
    draw = random.Random(5)

    def sample() -> list[Point]:
        supports = [draw.random() for _ in range(400)]
        return points(*((s, draw.random() < s) for s in supports))

    spread = suggest(sample(), 0.85).spread
    assert spread is not None
    others = [suggest(sample(), 0.85).likely for _ in range(15)]
    inside = sum(o is not None and spread.low - 0.06 <= o.gate <= spread.high + 0.06 for o in others)
    assert inside >= 12


@pytest.mark.parametrize(
    ("values", "wanted", "reached", "too_few"),
    [
        ([(0.9, True)] * 5, 0.98, True, True),
        ([(0.9, True)] * 28, 0.98, True, True),
        ([(0.9, True)] * 29, 0.98, True, False),
        ([(0.9, True)] * 5, 0.6, True, False),
        ([(0.9, True), (0.9, False)], 0.98, False, True),
        ([(0.9, True)] * 40 + [(0.9, False)], 0.98, False, True),
        ([(0.9, True)] * 60 + [(0.9, False)] * 30, 0.98, False, False),
        ([(0.3, True)] * 90, 0.98, False, True),
    ],
)
def test_with_few_answers_nothing_is_said(
    values: list[tuple[float, bool]], wanted: float, reached: bool, too_few: bool
) -> None:
    found = suggest(points(*values), wanted)
    assert (found.likely is not None, found.too_few) == (reached, too_few)
