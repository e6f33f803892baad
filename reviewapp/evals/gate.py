"""From answers to a gate: how right values are from which support on, and how many would need no person.

Support is looked at in hundredths, as a person sets the gate; a value reaches a gate as the pipeline has it (support
may be a millionth below). Values that a person must see whatever their support (`unconfirmed`) count in the share, but
are never among those written.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Sequence

from reviewapp.domain.base import Model
from reviewapp.domain.evaluations import Interval
from reviewapp.domain.workflows import DROP_BELOW
from reviewapp.evals.statistics import RESAMPLES, SEED, multinomial, percentile_interval, wilson

STEPS = 100
"""Hundredths of support."""
LOWEST = round(DROP_BELOW * STEPS)
BINS = 10
"""Of the reliability diagram, of equal width."""
EPSILON = 1e-6
FAR_FROM_WANTED = 0.1
"""So far below the wanted precision the interval of a gate may begin for its answers to say anything: for 98 % that
takes 29 answered values which are all right."""


class Point(Model):
    """One answered value: its support and whether it was right."""

    support: float
    right: bool
    property: str
    confirmed: bool = True
    """False: a person must see it whatever its support."""


class GatePoint(Model):
    """What a gate would do."""

    gate: float
    written: int
    """Answered values that would be written without a person."""
    right: int
    """Of these, those that were right."""
    share: float
    """Written among all answered values."""
    precision: float | None
    """Right among the written; None where none would be written."""
    interval: Interval | None
    """Of the precision (Wilson, 95 %)."""


class Suggestion(Model):
    """The gate for a wanted precision."""

    wanted: float
    likely: GatePoint | None
    """The lowest gate whose precision reached it on the answers; None: no gate did."""
    sure: GatePoint | None
    """The lowest gate whose precision is that high with 97.5 % certainty; None: the answers do not say so of any."""
    spread: Interval | None
    """Where the likely gate would lie with other answers of the same kind (bootstrap, 95 %)."""
    too_few: bool = False
    """So few answers that they say little: of the likely gate, or, where no gate reached it, that none does."""


class Bin(Model):
    """One step of the reliability diagram."""

    low: float
    high: float
    values: int
    support: float
    """Mean support."""
    right: float
    """Share that was right."""
    interval: Interval | None


class GateStudy(Model):
    """All of the gate page, for one property or all together."""

    values: int
    curve: tuple[GatePoint, ...]
    """From the lowest gate to the highest."""
    bins: tuple[Bin, ...]
    calibration_error: float
    """Mean distance of support from the share that was right (expected calibration error; Naeini and others 2015)."""


def study(points: Sequence[Point]) -> GateStudy:
    counts = _counted(points)
    bins = _bins(points)
    error = sum(abs(b.support - b.right) * b.values for b in bins) / len(points) if points else 0.0
    return GateStudy(values=len(points), curve=tuple(_curve(counts)), bins=bins, calibration_error=error)


def suggest(points: Sequence[Point], wanted: float) -> Suggestion:
    """The gates for a wanted precision (0 to 1)."""
    counts = _counted(points)
    curve = _curve(counts)
    likely = next((p for p in curve if p.precision is not None and p.precision >= wanted), None)
    sure = next((p for p in curve if p.interval is not None and p.interval.low >= wanted), None)
    return Suggestion(
        wanted=wanted,
        likely=likely,
        sure=sure,
        spread=_spread(counts, wanted) if likely else None,
        too_few=_too_few(likely or curve[0], wanted, reached=likely is not None),
    )


def _too_few(point: GatePoint, wanted: float, *, reached: bool) -> bool:
    """Whether the answers from a gate on leave open what they seem to say: that the precision is reached, or is not."""
    if point.interval is None:
        return True
    if reached:
        return point.interval.low < wanted - FAR_FROM_WANTED
    best = wilson(point.written, point.written)
    return point.interval.high >= wanted or (best is not None and best.low < wanted - FAR_FROM_WANTED)


Counts = Counter[tuple[int, bool]]
"""(hundredth of support, or -1 where it is never written; right) → values"""


def _counted(points: Iterable[Point]) -> Counts:
    return Counter((int((p.support + EPSILON) * STEPS) if p.confirmed else -1, p.right) for p in points)


def _curve(counts: Counts) -> list[GatePoint]:
    total = sum(counts.values())
    found: list[GatePoint] = []
    written = right = 0
    for step in range(STEPS, LOWEST - 1, -1):
        written += counts[step, True] + counts[step, False]
        right += counts[step, True]
        found.append(
            GatePoint(
                gate=step / STEPS,
                written=written,
                right=right,
                share=written / total if total else 0.0,
                precision=right / written if written else None,
                interval=wilson(right, written),
            )
        )
    return found[::-1]


def _spread(counts: Counts, wanted: float) -> Interval | None:
    keys, weights = list(counts), list(counts.values())
    draw = random.Random(SEED)  # noqa: S311 - no secret
    gates = []
    for _ in range(RESAMPLES):
        drawn: Counts = Counter(dict(zip(keys, multinomial(draw, weights), strict=True)))
        gate = _lowest(drawn, wanted)
        if gate is not None:
            gates.append(gate)
    return percentile_interval(gates) if 2 * len(gates) > RESAMPLES else None


def _lowest(counts: Counts, wanted: float) -> float | None:
    written = right = 0
    gate = None
    for step in range(STEPS, LOWEST - 1, -1):
        written += counts[step, True] + counts[step, False]
        right += counts[step, True]
        if written and right >= wanted * written:
            gate = step / STEPS
    return gate


def _bins(points: Iterable[Point]) -> tuple[Bin, ...]:
    inside: dict[int, list[Point]] = {}
    for point in points:
        inside.setdefault(min(BINS - 1, int(point.support * BINS)), []).append(point)
    found = []
    for number in sorted(inside):
        values = inside[number]
        right = sum(p.right for p in values)
        found.append(
            Bin(
                low=number / BINS,
                high=(number + 1) / BINS,
                values=len(values),
                support=sum(p.support for p in values) / len(values),
                right=right / len(values),
                interval=wilson(right, len(values)),
            )
        )
    return tuple(found)
