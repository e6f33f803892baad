"""Sums that a bill proves by itself: paid less change is the total, and so is net plus tax."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise
from typing import TYPE_CHECKING

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
    parts = _labelled_amounts(view)
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
    row = [(c.number, c.line.number) for c in view.numbers if c.number is not None and "amount" in c.facts]
    return {
        max(a, b)
        for (a, line), (b, same_line) in pairwise(row)
        if line == same_line and a != b and min(a, b) > 0 and a + b in amounts
    }


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


def _labelled_amounts(view: View) -> dict[str, list[Decimal]]:
    """For each part of a bill the amounts that its labels name: the first behind a label on its line, or else the first
    of the next line, where no other label comes before it."""
    parts: dict[str, list[Decimal]] = {part: [] for part in _PARTS}
    amounts = [c for c in view.numbers if c.number is not None and "amount" in c.facts]
    firsts = [c.first_word for c in amounts]
    labels = sorted((h[0], h[1], part) for part in _PARTS for h in view.hits_of(concept_key(part)).hits)
    for index, (first, last, part) in enumerate(labels):
        at = bisect_left(firsts, last)
        if at == len(amounts):
            break
        amount, line = amounts[at], view.layout.line_at(view.layout.starts[first])
        following = labels[index + 1][0] if index + 1 < len(labels) else amount.first_word
        if following < amount.first_word or amount.line.number - line.number > 1 or amount.number is None:
            continue
        if len(parts[part]) < MOST_PER_PART and amount.number not in parts[part]:
            parts[part].append(amount.number)
    return parts
