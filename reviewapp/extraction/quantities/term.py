"""A term: one number with what belongs to it alone."""

from __future__ import annotations

from typing import NamedTuple

from reviewapp.domain.numbers import NumberReading


class Term(NamedTuple):
    """One number with its sign, multiplier, currency and unit, at ``text[start:end]``."""

    start: int
    end: int
    number: NumberReading
    """With its multiplier (``5 million``); its span does not hold unit or currency."""
    unit: str | None = None
    """In one spelling; None: none that is known."""
    unit_span: tuple[int, int] | None = None
    """Also of a word in the unit's place that is no unit."""
    unit_ambiguous: str | None = None
    unit_first: bool = False
    """The unit stands before the number: a currency, or pH."""
    in_words: bool = False
    or_more: bool = False
    """Written ``30+``."""
    unit_shared: bool = False
    """The unit stands behind a later number."""
