"""What was read as one date: the day, or what is missing, impossible or ambiguous about it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Literal

Order = Literal["dmy", "mdy", "ymd"]


@dataclass(frozen=True, slots=True)
class DateReading:
    """One date that stands in a text: ``text[start:end]``. One of `value`, `incomplete`, `impossible` is set."""

    start: int
    end: int
    value: date | None
    """Where `ambiguous`, the likelier day."""
    ambiguous: str | None = None
    """Why there is a second reading, in words."""
    incomplete: str | None = None
    """``day missing``, ``month missing``, ``year missing``, ``several days``."""
    impossible: str | None = None
    """Why there is no such day, in words."""
    alternatives: tuple[date, ...] = ()
    """The other readings, also where they are settled against."""
    proves: Literal["day_first", "month_first"] | None = None
    """What this writing says about the order, where it allows one reading only."""
