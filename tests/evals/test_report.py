from __future__ import annotations

import pytest

from reviewapp.evals.grading import Tally
from reviewapp.evals.report import make_report

RIGHT, WRONG, MISSING, CLEAN = "right", "wrong", "missing", "clean"


def tally(*items: tuple[str, ...]) -> Tally:
    made = Tally()
    for kinds in items:
        made.add([{"property": "p", "kinds": {"written": kind, "read": kind}} for kind in kinds])
    return made


@pytest.mark.parametrize(
    ("items", "f1", "low", "high"),
    [
        ([(RIGHT,)] * 3, 1.0, 0.4385, 1.0),  # Wilson's interval of 3 out of 3
        ([(RIGHT, RIGHT)] * 3, 1.0, 0.4385, 1.0),  # values of one item are no further witnesses
        ([(MISSING,)] * 10, 0.0, 0.0, 0.2775),
        ([(RIGHT, WRONG)], 0.5, 0.0546, 0.9454),  # one item
    ],
)
def test_items_that_are_all_alike_are_no_certainty(
    items: list[tuple[str, ...]], f1: float, low: float, high: float
) -> None:
    figures = make_report(tally(*items)).total["written"]
    assert figures.f1 == f1
    assert figures.f1_interval is not None
    assert figures.f1_interval.low == pytest.approx(low, abs=5e-5)
    assert figures.f1_interval.high == pytest.approx(high, abs=5e-5)


def test_items_that_expect_and_give_nothing_bear_no_figure() -> None:
    figures = make_report(tally(*[(CLEAN,)] * 5)).total["written"]
    assert (figures.precision, figures.recall, figures.f1) == (None, None, None)
    assert (figures.precision_interval, figures.recall_interval, figures.f1_interval) == (None, None, None)


def test_precision_recall_and_f1_by_their_definitions() -> None:
    figures = make_report(tally(*[(RIGHT,)] * 6, *[(WRONG,)] * 2, *[(MISSING,)] * 3)).total["written"]
    assert figures.precision == pytest.approx(6 / 8)
    assert figures.recall == pytest.approx(6 / 11)
    assert figures.f1 == pytest.approx(2 * (6 / 8) * (6 / 11) / (6 / 8 + 6 / 11))
    for figure, interval in (
        (figures.precision, figures.precision_interval),
        (figures.recall, figures.recall_interval),
        (figures.f1, figures.f1_interval),
    ):
        assert figure is not None
        assert interval is not None
        assert 0 < interval.low < figure < interval.high <= 1
