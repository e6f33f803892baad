"""Sums that a bill proves by itself: paid less change is the total, and so is net plus tax."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING

from reviewapp.extraction.rules.candidates import Candidate
from reviewapp.extraction.rules.cues import concept_key

if TYPE_CHECKING:
    from reviewapp.extraction.rules.views import View

_PARTS = ("tendered", "change", "subtotal", "total", "tax", "rounding", "discount", "service_charge", "shipping")
MOST_PER_PART = 6
COIN = Decimal("0.05")
"""The smallest coin in countries that round what is paid in cash."""


@dataclass(frozen=True)
class Sums:
    """Amounts that follow from other labelled amounts of the text."""

    settled: frozenset[Decimal] = frozenset()
    """Paid less change."""
    composed: frozenset[Decimal] = frozenset()
    """Net plus tax (plus rounding, services, less discount)."""
    net: frozenset[Decimal] = frozenset()
    """Amounts that with a labelled tax make another amount of the text."""
    unrounded: frozenset[Decimal] = frozenset()
    """Amounts that a labelled rounding makes into one of `rounded`."""
    rounded: frozenset[Decimal] = frozenset()
    """Amounts in whole coins that a labelled rounding makes out of another amount of the text."""
    change: frozenset[Decimal] = frozenset()


def find_sums(view: View) -> Sums:
    """The sums of a text's labelled amounts."""
    parts: dict[str, list[Decimal]] = {part: [] for part in _PARTS}
    for candidate in view.numbers:
        if candidate.number is None or "amount" not in candidate.facts:
            continue
        part = _label(candidate, view)
        if part is not None and len(parts[part]) < MOST_PER_PART and candidate.number not in parts[part]:
            parts[part].append(candidate.number)
    totals = parts["total"] + parts["subtotal"]
    settled = {t - c for t in parts["tendered"] for c in parts["change"] if t >= c}
    extras = _one_of(parts, ("rounding", "service_charge", "shipping"))
    composed = {n + t + e for n in totals for t in parts["tax"] if t > 0 for e in extras}
    composed |= {n - d for n in totals for d in parts["discount"] if d > 0}
    amounts = {c.number for c in view.numbers if c.number is not None and "amount" in c.facts}
    net = {a for a in amounts for t in parts["tax"] if 0 < t < a and a + t in amounts}
    net |= _net_in_rows(view, amounts)
    pairs = _roundings(amounts, parts["rounding"])
    return Sums(
        frozenset(v for v in settled if v > 0),
        frozenset(composed),
        frozenset(net),
        frozenset(before for before, _ in pairs),
        frozenset(after for _, after in pairs),
        frozenset(parts["change"]),
    )


def _net_in_rows(view: View, amounts: set[Decimal]) -> set[Decimal]:
    """Of two amounts side by side whose sum is in the text too the greater one: rows of a table of taxes."""
    row = [c for c in view.numbers if c.number is not None and "amount" in c.facts]
    net = set()
    for a, b in zip(row, row[1:], strict=False):
        if a.line is b.line and a.number is not None and b.number is not None and 0 < min(a.number, b.number):
            if a.number + b.number in amounts and a.number != b.number:
                net.add(max(a.number, b.number))
    return net


def _roundings(amounts: set[Decimal], roundings: Iterable[Decimal]) -> list[tuple[Decimal, Decimal]]:
    """(before, after) of every amount that a labelled rounding makes into another one in whole coins."""
    pairs = []
    for by in {abs(r) for r in roundings if 0 < abs(r) <= COIN}:
        for before in amounts:
            if before % COIN:
                pairs += [
                    (before, after) for after in (before - by, before + by) if after in amounts and not after % COIN
                ]
    return pairs


def _one_of(parts: dict[str, list[Decimal]], names: Iterable[str]) -> list[Decimal]:
    return [Decimal(0), *(v for name in names for v in parts[name] if v)]


def _label(candidate: Candidate, view: View) -> str | None:
    """Which part the words before an amount (else those above it) say it is."""
    scope = view.scope(candidate)
    best: tuple[int, str] | None = None
    for part in _PARTS:
        hits = view.hits.get(concept_key(part))
        if hits is None:
            continue
        hit = hits.before(candidate.first_word, scope.left[0])
        if hit is None and scope.above[1] > scope.above[0]:
            hit = hits.before(scope.above[1], scope.above[0])
        if hit is not None and (best is None or hit[1] > best[0]):
            best = (hit[1], part)
    return best[1] if best else None
