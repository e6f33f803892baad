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
ROUNDING = Decimal("0.05")
"""The most that rounding to coins takes off or puts on."""


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
    """Amounts that with a labelled rounding make another amount of the text."""
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
    net = {a for a in amounts for t in parts["tax"] if t > 0 and a + t in amounts and t < a}
    unrounded = {
        a for a in amounts for r in parts["rounding"] if r and (a + r in amounts or a - r in amounts) and abs(r) < a
    }
    return Sums(
        frozenset(v for v in settled if v > 0),
        frozenset(composed),
        frozenset(net),
        frozenset(unrounded),
        frozenset(parts["change"]),
    )


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
