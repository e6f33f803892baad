"""Two runs on the same items, side by side: what was fixed, what broke, and whether that can be chance.

A value is right in a run when none of its property's verdicts on the item is a fault. Only items that both runs read
and that were held against the same expectations are compared; how many were not is said.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

from reviewapp.domain.base import Model
from reviewapp.domain.evaluations import Basis, Interval, Verdict
from reviewapp.evals.grading import FAULTY, KINDS
from reviewapp.evals.statistics import bootstrap, cases_to_tell, mcnemar

ChangeKind = Literal["fixed", "broken", "still right", "still wrong"]
SURE, VERY_SURE = 0.05, 0.01
"""Below these p a difference is called likely, very likely."""
_COUNTED = KINDS[:4]


class Change(Model):
    """One property of one item in both runs."""

    property: str
    kind: ChangeKind
    before: tuple[Verdict, ...]
    after: tuple[Verdict, ...]


class Compared(Model):
    """How two runs compare on one property, or on all."""

    fixed: int
    broken: int
    still_right: int
    still_wrong: int
    p: float
    """Two-sided, McNemar's exact test over fixed and broken."""
    f1_before: float | None
    f1_after: float | None
    difference: Interval | None
    """Of F1, after minus before; bootstrap over items."""
    more: int | None
    """How many more answered values would likely tell, if the difference is real; None where none was seen or the
    test tells already."""
    words: str

    @property
    def values(self) -> int:
        return self.fixed + self.broken + self.still_right + self.still_wrong


class Comparison(Model):
    """What comparing two runs found, on one basis."""

    basis: Basis
    total: Compared
    properties: dict[str, Compared]
    items: int
    """Items compared."""
    unread: int = 0
    """Items that one of the runs could not read."""
    seen: int = 0
    """Items that one of the revisions learnt from; left out, so that nobody is graded on what he learnt."""
    changed: int = 0
    """Items that were held against different expectations."""
    only_before: int = 0
    only_after: int = 0


def changes(
    before: Iterable[Mapping[str, Any]], after: Iterable[Mapping[str, Any]], basis: Basis
) -> list[tuple[str, ChangeKind]]:
    """(property, kind) of an item's verdicts (plain JSON) in both runs."""
    right_before, right_after = _right(before, basis), _right(after, basis)
    found = []
    for name in right_before:
        if name in right_after:
            found.append((name, _KINDS[right_before[name], right_after[name]]))
    return found


_KINDS: Mapping[tuple[bool, bool], ChangeKind] = {
    (False, True): "fixed",
    (True, False): "broken",
    (True, True): "still right",
    (False, False): "still wrong",
}


def _right(rows: Iterable[Mapping[str, Any]], basis: Basis) -> dict[str, bool]:
    """By property: no fault. Without those that nobody can judge."""
    right: dict[str, bool] = {}
    for row in rows:
        kind = row["kinds"][basis]
        if kind != "unjudged":
            right[row["property"]] = right.get(row["property"], True) and kind not in FAULTY
    return right


class Pairing:
    """Adds up pairs of items; little memory, whatever their number."""

    def __init__(self, basis: Basis) -> None:
        self.basis = basis
        self.kinds: dict[str, Counter[ChangeKind]] = {}
        """By property (``""``: all)."""
        self.patterns: dict[str, Counter[tuple[int, ...]]] = {}
        """Counts before and after in one row → how many items."""
        self.items = self.unread = self.seen = self.changed = self.only_before = self.only_after = 0

    def add(self, before: Sequence[Mapping[str, Any]], after: Sequence[Mapping[str, Any]]) -> None:
        """Take in an item's verdicts (plain JSON) in both runs."""
        self.items += 1
        for name, kind in changes(before, after, self.basis):
            for key in ("", name):
                self.kinds.setdefault(key, Counter())[kind] += 1
        counted: dict[str, list[int]] = {}
        for offset, rows in ((0, before), (len(_COUNTED), after)):
            for row in rows:
                kind = row["kinds"][self.basis]
                if kind in _COUNTED:
                    for key in ("", row["property"]):
                        counts = counted.setdefault(key, [0] * 2 * len(_COUNTED))
                        counts[offset + _COUNTED.index(kind)] += 1
        for key, counts in counted.items():
            self.patterns.setdefault(key, Counter())[tuple(counts)] += 1

    def result(self, order: Iterable[str] = ()) -> Comparison:
        names = [n for n in dict.fromkeys([*order, *self.kinds]) if n and n in self.kinds]
        return Comparison(
            basis=self.basis,
            total=self._compared(""),
            properties={name: self._compared(name) for name in names},
            items=self.items,
            unread=self.unread,
            seen=self.seen,
            changed=self.changed,
            only_before=self.only_before,
            only_after=self.only_after,
        )

    def _compared(self, name: str) -> Compared:
        kinds = self.kinds.get(name, Counter())
        patterns = self.patterns.get(name, Counter())
        sums = [sum(row[i] * n for row, n in patterns.items()) for i in range(2 * len(_COUNTED))]
        (interval,) = bootstrap(patterns, (_difference,))
        fixed, broken = kinds["fixed"], kinds["broken"]
        values = sum(kinds.values())
        p = mcnemar(broken, fixed)
        wanted = cases_to_tell(broken, fixed, values)
        more = None if wanted is None or p < SURE else max(1, wanted - values)
        return Compared(
            fixed=fixed,
            broken=broken,
            still_right=kinds["still right"],
            still_wrong=kinds["still wrong"],
            p=p,
            f1_before=_f1(sums[: len(_COUNTED)]),
            f1_after=_f1(sums[len(_COUNTED) :]),
            difference=interval,
            more=more,
            words=in_words(fixed, broken, values, p, more),
        )


def in_words(fixed: int, broken: int, values: int, p: float, more: int | None) -> str:
    """What the test says: ``likely better``, ``could be chance: about 40 more answered values would tell``."""
    if values == 0:
        return "nothing to compare"
    if fixed == broken == 0:
        return "no difference: the same values are right"
    if p < SURE:
        if fixed > broken:
            return "very likely better" if p < VERY_SURE else "likely better"
        return "very likely worse" if p < VERY_SURE else "likely worse"
    if more is None:
        return "could be chance: as many were fixed as broke"
    return f"could be chance: about {more:,} more answered value{'' if more == 1 else 's'} would tell"


def _f1(counts: Sequence[float]) -> float | None:
    right, wrong, missing, forbidden = counts
    whole = 2 * right + 2 * wrong + missing + forbidden
    return 2 * right / whole if whole else None


def _difference(sums: Sequence[float]) -> float | None:
    before, after = _f1(sums[: len(_COUNTED)]), _f1(sums[len(_COUNTED) :])
    return None if before is None or after is None else after - before
