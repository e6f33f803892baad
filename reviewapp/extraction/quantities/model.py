"""What a quantity is."""

from __future__ import annotations

from decimal import Decimal
from typing import Literal, NamedTuple

from reviewapp.domain.numbers import NumberReading

Kind = Literal["single", "range", "bound", "tolerance", "deviation"]
Bound = Literal["at least", "above", "at most", "below"]


class Quantity(NamedTuple):
    """One or two numbers with their unit that stand in a text: ``text[start:end]``."""

    start: int
    end: int
    """Of the whole phrase: hedge, bound, sign, numbers and unit."""
    kind: Kind
    """``single`` 5 kg · ``range`` 5–6 kg · ``bound`` up to 5 kg · ``tolerance`` 5 ± 1 kg · ``deviation`` ±1 kg."""
    numbers: tuple[NumberReading, ...]
    """One; of a range both ends as printed; of a tolerance the number and its tolerance."""
    core_span: tuple[int, int] = (0, 0)
    """Numbers with the unit beside them, without hedge and bound."""
    unit: str | None = None
    """In one spelling (`units.canonical`); None: none, or none that is known."""
    unit_span: tuple[int, int] | None = None
    """Where the unit stands; behind a later number where several share it. Also set for an unknown unit."""
    unit_ambiguous: str | None = None
    """Why the unit may be another one, in words."""
    bound: Bound | None = None
    hedge: str | None = None
    """The words that make it approximate (``about``, ``~``)."""
    shared_unit: bool = False
    """The unit is stated once for several numbers (``5 and 6 mg``, ``18 x 4 in``)."""
    in_words: bool = False
    """The number is written in words."""
    one_of: bool = False
    """One of several numbers that stand for the same (``5, 10 and 15 mg``, ``12/24``); sides of a size are not."""

    @property
    def value(self) -> Decimal:
        """The number; of a range the first one printed."""
        return self.numbers[0].value

    @property
    def low(self) -> Decimal:
        return min(n.value for n in self.numbers) if self.kind == "range" else self.numbers[0].value

    @property
    def high(self) -> Decimal:
        return max(n.value for n in self.numbers) if self.kind == "range" else self.numbers[0].value

    @property
    def number_span(self) -> tuple[int, int]:
        """From the first digit or sign to the last digit, without unit (a unit between two numbers aside)."""
        return self.numbers[0].start, self.numbers[-1].end

    @property
    def ambiguous(self) -> str | None:
        """Why a number or the unit has a second reading."""
        return next((n.ambiguous for n in self.numbers if n.ambiguous), self.unit_ambiguous)
