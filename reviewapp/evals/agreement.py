"""Agreement of people who judged the same things: percent, Cohen's kappa, Fleiss' kappa.

Kappa says how much of what chance leaves open is agreed. It is not defined where chance leaves nothing open: when
everybody always says the same one thing, or where there is nothing to count. Then it is None, never 0 or 1.

Cohen, A coefficient of agreement for nominal scales, Educ. Psychol. Meas. 20 (1960); Fleiss, Measuring nominal scale
agreement among many raters, Psychol. Bull. 76 (1971).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

from reviewapp.domain.base import Model

Kappa = float | None
"""−1 to 1; None: not defined."""


class Agreement(Model):
    """Of two people."""

    both: int
    """Things that both judged."""
    same: int
    """Of these, judged the same."""
    kappa: Kappa
    """Cohen's."""

    @property
    def share(self) -> float | None:
        """0..1; None where there is nothing that both judged."""
        return self.same / self.both if self.both else None


def agreement_of(pairs: Sequence[tuple[str, str]]) -> Agreement:
    """What two people said on each thing that both judged."""
    same = sum(a == b for a, b in pairs)
    return Agreement(both=len(pairs), same=same, kappa=cohen_kappa(pairs))


def cohen_kappa(pairs: Sequence[tuple[str, str]]) -> Kappa:
    """Cohen's kappa of two people's words on the same things.

    >>> cohen_kappa([("yes", "yes"), ("yes", "no"), ("no", "no"), ("no", "no")])
    0.5
    """
    if not pairs:
        return None
    n = len(pairs)
    observed = Fraction(sum(a == b for a, b in pairs), n)
    first, second = Counter(a for a, _ in pairs), Counter(b for _, b in pairs)
    expected = sum((Fraction(first[word] * second[word], n * n) for word in first), Fraction(0))
    return _beyond_chance(observed, expected)


def fleiss_kappa(rows: Sequence[Sequence[str]]) -> Kappa:
    """Fleiss' kappa; a row holds what was said on one thing, by whomever. Every row has the same number of words.

    None without rows, or with fewer than two words in a row. Raises ValueError for rows of different lengths.
    """
    if not rows:
        return None
    raters = len(rows[0])
    if any(len(row) != raters for row in rows):
        raise ValueError("Fleiss' kappa needs the same number of judgements on everything")
    if raters < 2:
        return None
    totals: Counter[str] = Counter()
    agreed = 0
    for row in rows:
        counted = Counter(row)
        totals.update(counted)
        agreed += sum(c * (c - 1) for c in counted.values())
    observed = Fraction(agreed, len(rows) * raters * (raters - 1))
    said = len(rows) * raters
    expected = sum((Fraction(c * c, said * said) for c in totals.values()), Fraction(0))
    return _beyond_chance(observed, expected)


def _beyond_chance(observed: Fraction, expected: Fraction) -> Kappa:
    return None if expected == 1 else float((observed - expected) / (1 - expected))
