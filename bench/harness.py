"""Measuring: medians of several interleaved runs, ratios within one run, tables, goals.

A ratio is worth something only when both sides were measured at the same time on the same machine. So every
comparison runs its sides in turn (A B A B …), takes the ratio round by round and reports the median of those.

::

    timings = measure({"find": lambda: text.find(quote), "locate": lambda: locate(prepared, quote)})
    print_timings("Grounding", timings, baseline="find")
    finish([Goal("locate / find", ratio(timings, "locate", "find"), 3)])
"""

from __future__ import annotations

import gc
import statistics
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

RUNS = 9
"""Rounds of a comparison; odd, so that the median is one of them."""
SHORTEST_RUN_SECONDS = 0.02
"""A quicker call is repeated within a run until the clock's grain no longer matters."""


@dataclass(frozen=True)
class Timing:
    """How long one call took, in seconds, once per round."""

    name: str
    seconds: tuple[float, ...]
    repeats: int = 1
    """Calls per round; `seconds` are per call."""

    @property
    def median(self) -> float:
        return statistics.median(self.seconds)


def measure(
    cases: Mapping[str, Callable[[], object]], *, runs: int = RUNS, at_least: float = SHORTEST_RUN_SECONDS
) -> dict[str, Timing]:
    """Time every case `runs` times in turn, after one call of each that does not count."""
    repeats = {name: _repeats(call, at_least) for name, call in cases.items()}
    seconds: dict[str, list[float]] = {name: [] for name in cases}
    for _ in range(runs):
        for name, call in cases.items():
            seconds[name].append(_time(call, repeats[name]))
    return {name: Timing(name, tuple(found), repeats[name]) for name, found in seconds.items()}


def _repeats(call: Callable[[], object], at_least: float) -> int:
    call()
    once = max(_time(call, 1), 1e-7)
    return max(1, round(at_least / once))


def _time(call: Callable[[], object], repeats: int) -> float:
    gc.collect()
    begun = time.perf_counter()
    for _ in range(repeats):
        call()
    return (time.perf_counter() - begun) / repeats


def ratio(timings: Mapping[str, Timing], what: str, to: str) -> float:
    """Median over the rounds of how many times as long `what` took as `to` did in the same round."""
    return ratio_of(timings[what].seconds, timings[to].seconds)


def ratio_of(what: Sequence[float], to: Sequence[float]) -> float:
    """The same for measurements taken elsewhere, round by round."""
    return statistics.median(a / b for a, b in zip(what, to, strict=True))


def percentile(values: Sequence[float], percent: float) -> float:
    """Nearest-rank percentile: the smallest value with at least `percent` % of all at or below it."""
    ranked = sorted(values)
    rank = max(1, -(-len(ranked) * percent // 100))
    return ranked[int(rank) - 1]


def duration(seconds: float) -> str:
    """``0.00042`` → ``420 µs``: three digits in a unit that a person reads."""
    for limit, factor, unit in ((1e-6, 1e9, "ns"), (1e-3, 1e6, "µs"), (1, 1e3, "ms")):
        if seconds < limit:
            return f"{seconds * factor:.3g} {unit}"
    return f"{seconds:.3g} s"


def print_table(title: str, heads: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """A table with the first column flush left and the others flush right."""
    cells = [list(heads), *([str(cell) for cell in row] for row in rows)]
    widths = [max(len(row[i]) for row in cells) for i in range(len(heads))]
    print(f"\n{title}")
    for number, row in enumerate(cells):
        print("  ".join(c.ljust(w) if i == 0 else c.rjust(w) for i, (c, w) in enumerate(zip(row, widths, strict=True))))
        if number == 0:
            print("  ".join("-" * w for w in widths))


def print_timings(title: str, timings: Mapping[str, Timing], *, baseline: str) -> None:
    """Median, lowest and highest of every case, and its ratio to the baseline."""
    rows = [
        (
            t.name,
            duration(t.median),
            duration(min(t.seconds)),
            duration(max(t.seconds)),
            f"{ratio(timings, t.name, baseline):.2f}",
        )
        for t in timings.values()
    ]
    print_table(title, ("case", "median", "lowest", "highest", f"× {baseline}"), rows)


@dataclass(frozen=True)
class Goal:
    """A figure and what it should not exceed."""

    name: str
    found: float
    at_most: float
    unit: str = ""

    @property
    def kept(self) -> bool:
        return self.found <= self.at_most


def finish(goals: Sequence[Goal]) -> None:
    """Print each goal with what was found; end the process with 1 where one is missed."""
    rows = [
        (g.name, f"{g.found:.3g} {g.unit}".strip(), f"{g.at_most:g} {g.unit}".strip(), "kept" if g.kept else "MISSED")
        for g in goals
    ]
    print_table("Goals", ("figure", "found", "at most", ""), rows)
    sys.exit(0 if all(g.kept for g in goals) else 1)
