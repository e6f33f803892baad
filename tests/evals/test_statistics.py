from __future__ import annotations

import math
import random
import statistics
from collections import Counter
from itertools import product

import pytest

from reviewapp.evals.statistics import (
    binomial,
    bootstrap,
    cases_for_margin,
    cases_to_tell,
    mcnemar,
    multinomial,
    wilson,
)


@pytest.mark.parametrize(
    ("only_a", "only_b", "p"),
    [
        (0, 0, 1.0),
        (5, 5, 1.0),
        (0, 5, 0.0625),
        (0, 6, 0.03125),
        (1, 9, 0.021484375),
        (2, 10, 0.03857421875),
        (7, 3, 0.34375),
    ],
)
def test_mcnemar_is_the_binomial_test(only_a: int, only_b: int, p: float) -> None:
    """Figures as R's ``binom.test`` gives them."""
    assert mcnemar(only_a, only_b) == pytest.approx(p, rel=1e-9)
    assert mcnemar(only_b, only_a) == mcnemar(only_a, only_b)


def test_mcnemar_of_many() -> None:
    assert mcnemar(5_000, 5_300) == pytest.approx(math.erfc(299 / math.sqrt(10_300) / math.sqrt(2)), rel=0.02)


@pytest.mark.parametrize(
    ("hits", "trials", "low", "high"),
    [(0, 10, 0.0, 0.2775), (10, 10, 0.7225, 1.0), (81, 263, 0.2553, 0.3662), (1, 29, 0.0061, 0.1718)],
)
def test_wilson(hits: int, trials: int, low: float, high: float) -> None:
    """The last two are from Newcombe 1998, table I."""
    found = wilson(hits, trials)
    assert found is not None
    assert (found.low, found.high) == (pytest.approx(low, abs=5e-5), pytest.approx(high, abs=5e-5))


def test_wilson_of_nothing() -> None:
    assert wilson(0, 0) is None


@pytest.mark.parametrize(("n", "p"), [(20, 0.3), (20, 0.9), (1_000, 0.01), (1_000, 0.4), (10, 0.0), (10, 1.0)])
def test_binomial_draws_have_the_right_mean_and_spread(n: int, p: float) -> None:
    draw = random.Random(7)
    drawn = [binomial(draw, n, p) for _ in range(4_000)]
    assert min(drawn) >= 0
    assert max(drawn) <= n
    assert statistics.fmean(drawn) == pytest.approx(n * p, abs=0.1 + 4 * math.sqrt(n * p * (1 - p) / 4_000))
    assert statistics.pvariance(drawn) == pytest.approx(n * p * (1 - p), rel=0.12, abs=0.01)


def test_multinomial_draws_all() -> None:
    draw = random.Random(1)
    assert all(sum(multinomial(draw, [3, 0, 5, 1])) == 9 for _ in range(200))


def test_bootstrap_agrees_with_drawing_items_one_by_one() -> None:
    items = [(1, 0)] * 60 + [(0, 1)] * 30 + [(3, 1)] * 10
    (found,) = bootstrap(Counter(items), [lambda s: s[0] / (s[0] + s[1])])
    assert found is not None
    draw = random.Random(3)
    drawn = []
    for _ in range(2_000):
        sample = draw.choices(items, k=len(items))
        right, wrong = (sum(column) for column in zip(*sample, strict=True))
        drawn.append(right / (right + wrong))
    drawn.sort()
    assert (found.low, found.high) == (pytest.approx(drawn[50], abs=0.02), pytest.approx(drawn[1_949], abs=0.02))


def test_bootstrap_says_the_same_twice_and_nothing_of_nothing() -> None:
    patterns = {(1, 0): 5, (0, 1): 5}
    figure = [lambda s: s[0] / (s[0] + s[1])]
    assert bootstrap(patterns, figure) == bootstrap(patterns, figure)
    assert bootstrap({}, figure) == [None]
    assert bootstrap(patterns, [lambda _: None]) == [None]


@pytest.mark.parametrize(("only_a", "only_b"), [p for p in product((3, 8, 20), repeat=2) if p[0] != p[1]])
def test_the_cases_wanted_would_tell(only_a: int, only_b: int) -> None:
    """With that many cases and the same shares, McNemar's test is below 5 %."""
    wanted = cases_to_tell(only_a, only_b, 100)
    assert wanted is not None
    factor = wanted / 100
    assert mcnemar(round(only_a * factor), round(only_b * factor)) < 0.05


def test_no_difference_tells_nothing_about_how_many() -> None:
    assert cases_to_tell(4, 4, 100) is None
    assert cases_to_tell(0, 0, 0) is None


def test_cases_for_a_margin() -> None:
    wanted = cases_for_margin(90, 100, 0.05)
    interval = wilson(round(0.9 * wanted), wanted)
    assert interval is not None
    assert interval.high - interval.low < 0.11
