"""The choice, the fit of its weights and the scale of its support."""

from __future__ import annotations

from math import log

import pytest

from reviewapp.extraction.rules.calibration import CAUTIOUS, KNEE, PLAIN, Scale, fit_scale
from reviewapp.extraction.rules.candidates import Candidate, make
from reviewapp.extraction.rules.choose import choose, score
from reviewapp.extraction.rules.fit import NONE, Example, fit
from reviewapp.extraction.rules.layout import read_layout
from reviewapp.extraction.rules.weights import BIAS, default_weights

LAYOUT = read_layout("9.00 and 9.00 and 10.00")


def candidate(start: int, end: int, key: str) -> Candidate:
    return make(LAYOUT, "number", start, end, key=key)


NINE, NINE_AGAIN, TEN = candidate(0, 4, "9"), candidate(9, 13, "9"), candidate(18, 23, "10")


def test_equal_values_add_up_against_others_and_none() -> None:
    choice = choose([NINE, NINE_AGAIN, TEN], [0.0, 0.0, 0.0])
    assert choice is not None
    assert choice.candidate is NINE
    assert choice.probability == pytest.approx(2 / 4)
    assert choice.rival == pytest.approx(1 / 4)


def test_no_candidates_no_choice() -> None:
    assert choose([], []) is None


def test_score_is_bias_and_weighted_features() -> None:
    assert score({"a": 0.5, "unknown": 1.0}, {BIAS: -1.0, "a": 4.0}) == 1.0


def test_every_shape_has_weights() -> None:
    assert {"money", "date", "name", "address", "place", "code", "text", "option", "bool"} <= set(default_weights())


def test_fit_finds_what_tells_right_from_wrong() -> None:
    right, wrong = {"label": 1.0}, {"other label": 1.0}
    examples = [Example([right, wrong], frozenset({0}))] * 10 + [Example([wrong], frozenset({NONE}))] * 5
    weights = fit(examples, {BIAS: 0.0}, lambda _: 2.0)
    assert weights["label"] > 1 > 0 > weights["other label"]
    assert score(right, weights) > 0 > score(wrong, weights)


def test_fit_without_examples_is_the_prior() -> None:
    assert fit([], {BIAS: -1.0, "a": 2.0}, lambda _: 1.0) == {BIAS: -1.0, "a": 2.0}


def test_fit_is_the_maximum_of_the_posterior() -> None:
    """One candidate, right in 3 of 4 texts, a flat prior: the score is the log odds of 3 to 1."""
    examples = [Example([{}], frozenset({0}))] * 3 + [Example([{}], frozenset({NONE}))]
    assert fit(examples, {BIAS: 0.0}, lambda _: 1000.0)[BIAS] == pytest.approx(log(3), abs=1e-3)


def test_a_rejected_value_leaves_all_others_open() -> None:
    example = Example([{"a": 1.0}, {"b": 1.0}], frozenset({NONE, 1}))
    weights = fit([example] * 5, {BIAS: 1.0}, lambda _: 1.0)
    assert weights["a"] < 0 <= weights["b"] + 1e-9


def test_scale_takes_boasting_back() -> None:
    boasts = [(0.95, i % 10 < 6) for i in range(200)]
    assert fit_scale(boasts)(0.95) == pytest.approx(0.6, abs=0.08)


def test_scale_of_nothing_changes_nothing() -> None:
    assert fit_scale([]) == PLAIN
    assert PLAIN(0.7) == pytest.approx(0.7)


def test_a_ceiling_is_lifted_by_many_right_answers_only() -> None:
    before = Scale(ceiling=0.79)
    assert before(0.9999) < 0.8
    assert fit_scale([(0.99, True)] * 30, before).ceiling == 0.79
    assert fit_scale([(0.99, True)] * 200, before).ceiling == 1.0
    assert fit_scale([*[(0.99, True)] * 200, (0.99, False)], before).ceiling == 0.79


def test_outcomes_that_chance_explains_leave_the_scale_as_it_was() -> None:
    before = Scale(0.65, 0.0)
    a_little_worse = [(0.9, i % 4 > 0) for i in range(24)]
    assert fit_scale(a_little_worse, before) == before
    assert fit_scale([(0.9, False)] * 12, before)(0.9) < 0.5 < before(0.9)


@pytest.mark.parametrize("probability", [0.3, 0.5, 0.7, 0.9, 0.99])
def test_a_ceiling_changes_nothing_below_and_keeps_the_order_above(probability: float) -> None:
    free, capped = Scale(0.9, 0.1), Scale(0.9, 0.1, CAUTIOUS)
    assert capped(probability) == free(probability) if free(probability) <= KNEE else capped(probability) < CAUTIOUS
    assert capped(probability) < capped(probability + 1e-6)
