"""From a tally to the report: counts, figures and their intervals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from reviewapp.domain.evaluations import BASES, Basis, Figures, Interval, Report
from reviewapp.evals.grading import Tally
from reviewapp.evals.statistics import bootstrap, wilson


def make_report(tally: Tally, order: Iterable[str] = ()) -> Report:
    """The report of a tally; properties in `order` first, then as they came."""
    seen = tally.patterns["written"]
    names = [n for n in dict.fromkeys([*order, *seen]) if n and n in seen]
    return Report(
        total={basis: _figures(tally, basis, "") for basis in BASES},
        properties={name: {basis: _figures(tally, basis, name) for basis in BASES} for name in names},
        items=tally.items,
        items_right={basis: tally.right[basis] for basis in BASES},
        failed=tally.failed,
        seen=tally.seen,
    )


def _figures(tally: Tally, basis: Basis, name: str) -> Figures:
    counts = tally.counts(basis, name)
    patterns: Counter[tuple[int, ...]] = tally.patterns[basis].get(name, Counter())
    precision, recall, f1 = bootstrap(patterns, [part.figure for part in _PARTS])
    return Figures(
        counts=counts,
        precision=counts.precision,
        recall=counts.recall,
        f1=counts.f1,
        precision_interval=_widened(precision, patterns, _PRECISION),
        recall_interval=_widened(recall, patterns, _RECALL),
        f1_interval=_widened(f1, patterns, _F1),
    )


@dataclass(frozen=True)
class _Part:
    """A figure that is one weighted sum of counts over another."""

    right: int
    """Weight of the right ones, above and below the line."""
    others: tuple[int, ...]
    """Weights of wrong, missing, forbidden below the line."""

    def figure(self, sums: Sequence[float]) -> float | None:
        # Plain arithmetic: a thousand draws of every property go through here.
        part = self.right * sums[0]
        whole = part + self.whole(sums)
        return part / whole if whole else None

    def whole(self, sums: Sequence[float]) -> float:
        wrong, missing, forbidden = self.others
        return wrong * sums[1] + missing * sums[2] + forbidden * sums[3]


_PRECISION, _RECALL, _F1 = _Part(1, (1, 0, 1)), _Part(1, (1, 1, 0)), _Part(2, (2, 1, 1))
_PARTS = (_PRECISION, _RECALL, _F1)


def _widened(interval: Interval | None, patterns: Counter[tuple[int, ...]], part: _Part) -> Interval | None:
    """The interval; where items are all alike, and drawing them again can show nothing else, Wilson's over items: three
    right ones out of three are no certainty."""
    if interval is None or interval.low < interval.high:
        return interval
    items = sum(count for row, count in patterns.items() if part.figure(row) is not None)
    share = interval.low
    wide = wilson(share * items, items)
    return None if wide is None else Interval(low=min(wide.low, share), high=max(wide.high, share))
