"""From a tally to the report: counts, figures and their intervals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from reviewapp.domain.evaluations import BASES, Basis, Figures, Report
from reviewapp.evals.grading import Tally
from reviewapp.evals.statistics import Statistic, bootstrap


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
    precision, recall, f1 = bootstrap(patterns, (_statistic("precision"), _statistic("recall"), _statistic("f1")))
    return Figures(
        counts=counts,
        precision=counts.precision,
        recall=counts.recall,
        f1=counts.f1,
        precision_interval=precision,
        recall_interval=recall,
        f1_interval=f1,
    )


def _statistic(figure: str) -> Statistic:
    def of(sums: Sequence[float]) -> float | None:
        # Plain arithmetic: a thousand draws of every property go through here.
        right, wrong, missing, forbidden = sums[:4]
        if figure == "precision":
            part, whole = right, right + wrong + forbidden
        elif figure == "recall":
            part, whole = right, right + wrong + missing
        else:
            part, whole = 2 * right, 2 * right + 2 * wrong + missing + forbidden
        return part / whole if whole else None

    return of
