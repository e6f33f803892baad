"""How sure a figure is: bootstrap and Wilson intervals, McNemar's exact test, how many more answers would tell.

Everything is seeded: the same counts give the same intervals.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping, Sequence

from reviewapp.domain.evaluations import Interval

Z95 = 1.959963984540054
"""97.5 % quantile of the standard normal distribution."""
Z80 = 0.8416212335729143
"""80 % quantile."""
RESAMPLES = 1_000
SEED = 20_240_229
NORMAL_FROM = 60.0
"""Variance from which on a binomial draw is taken from the normal distribution (rounded): its error is then far below
that of the bootstrap itself."""

Statistic = Callable[[Sequence[float]], float | None]
"""A figure of the sums of a pattern's columns; None where it is not defined."""


def bootstrap(
    patterns: Mapping[tuple[int, ...], int], statistics: Sequence[Statistic], *, resamples: int = RESAMPLES
) -> list[Interval | None]:
    """Percentile intervals (95 %; Efron 1979) of each figure over items drawn again with replacement.

    `patterns` says how many items have each vector of counts, so that ten thousand items cost as much as ten. Values of
    one item stay together, as they are not independent. None where the figure is undefined in most draws.
    """
    rows, weights = list(patterns), list(patterns.values())
    if not rows:
        return [None] * len(statistics)
    draw = random.Random(SEED)  # noqa: S311 - no secret
    drawn: list[list[float]] = [[] for _ in statistics]
    for _ in range(resamples):
        counts = multinomial(draw, weights)
        sums = [sum(n * row[i] for n, row in zip(counts, rows, strict=True)) for i in range(len(rows[0]))]
        for values, statistic in zip(drawn, statistics, strict=True):
            if (value := statistic(sums)) is not None:
                values.append(value)
    return [percentile_interval(values) if 2 * len(values) > resamples else None for values in drawn]


def percentile_interval(values: Sequence[float]) -> Interval:
    """Between the 2.5th and the 97.5th of a hundred."""
    ranked = sorted(values)
    last = len(ranked) - 1
    return Interval(low=ranked[math.floor(0.025 * last)], high=ranked[math.ceil(0.975 * last)])


def multinomial(draw: random.Random, weights: Sequence[int]) -> list[int]:
    """As many draws as the weights add up to, each falling to an entry by its weight: how many fell to which."""
    left_draws = left_weight = sum(weights)
    counts = []
    for weight in weights:
        count = binomial(draw, left_draws, weight / left_weight) if left_weight else 0
        counts.append(count)
        left_draws -= count
        left_weight -= weight
    return counts


def binomial(draw: random.Random, n: int, p: float) -> int:
    """Successes of n trials at p."""
    if n == 0 or p <= 0:
        return 0
    if p >= 1:
        return n
    if p > 0.5:
        return n - binomial(draw, n, 1 - p)
    if n * p * (1 - p) > NORMAL_FROM:
        return min(n, max(0, round(draw.gauss(n * p, math.sqrt(n * p * (1 - p))))))
    # Waiting times between successes are geometric (Devroye 1986, X.4): n·p steps instead of n.
    successes, trials, log_q = 0, 0, math.log1p(-p)
    while True:
        trials += math.floor(math.log(1.0 - draw.random()) / log_q) + 1
        if trials > n:
            return successes
        successes += 1


def wilson(hits: float, trials: int, z: float = Z95) -> Interval | None:
    """Interval of a share (Wilson 1927); holds also near 0 and 1 and for few trials. None without any trial."""
    if trials == 0:
        return None
    share, spread = hits / trials, z * z / trials
    centre = (share + spread / 2) / (1 + spread)
    half = z / (1 + spread) * math.sqrt(share * (1 - share) / trials + spread / (4 * trials))
    return Interval(low=max(0.0, centre - half), high=min(1.0, centre + half))


def mcnemar(only_a: int, only_b: int) -> float:
    """Two-sided p of the exact test (McNemar 1947): how likely so uneven a split is by chance alone.

    `only_a` and `only_b` are how many cases only one side had right; the others say nothing.
    """
    n = only_a + only_b
    if n == 0:
        return 1.0
    log_half = n * math.log(0.5)
    tail = sum(
        math.exp(math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1) + log_half)
        for k in range(min(only_a, only_b) + 1)
    )
    return min(1.0, 2 * tail)


def cases_to_tell(only_a: int, only_b: int, cases: int) -> int | None:
    """How many cases in all would likely (80 %) show the difference seen at the 5 % level, if it is real.

    Connor 1987 for paired shares. None where no difference was seen at all.
    """
    if only_a == only_b or cases == 0:
        return None
    apart = (only_a + only_b) / cases
    difference = abs(only_a - only_b) / cases
    root = Z95 * math.sqrt(apart) + Z80 * math.sqrt(max(0.0, apart - difference**2))
    return math.ceil((root / difference) ** 2)


def cases_for_margin(hits: int, trials: int, margin: float) -> int:
    """How many cases in all bring a share's 95 % interval down to ± `margin`, if the share stays as it is."""
    share = (hits + 1) / (trials + 2)  # Laplace: a share of 1 out of 3 seen is not sure to be 1
    return math.ceil(Z95**2 * share * (1 - share) / margin**2)
