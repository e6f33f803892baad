"""Properties: what a workflow reads."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import AfterValidator, Field, StringConstraints, model_validator

from reviewapp.domain.base import Model
from reviewapp.domain.patterns import refuse_costly

ValueType = Literal["text", "keyword", "i64", "f64", "bool", "date"]
VALUE_TYPES: tuple[ValueType, ...] = ("text", "keyword", "i64", "f64", "bool", "date")

Value = bool | int | float | str
"""A typed value as JSON holds it: text and keyword are strings, a date is an ISO string
(``2026-11-30``), i64 an exact integer, f64 a finite float, bool true or false."""

PropertyName = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=100)]

UNIT_LIMIT = 100
"""Longest unit, in characters; no unit comes near it, and taking apart much longer ones takes minutes."""


class Property(Model):
    """One thing to read, with the checks its values must pass."""

    name: PropertyName
    value_type: ValueType = "text"
    unit: str | None = Field(default=None, max_length=UNIT_LIMIT)
    """The unit every value is brought into (``cm``, ``W/cm²``, ``EUR``); numbers only. None: a bare number."""
    description: str = Field(default="", max_length=2_000)
    """In the words of the people who write the texts; also read for cues."""
    aliases: tuple[str, ...] = ()
    """Other labels the texts use for it, in any language."""
    options: tuple[str, ...] = ()
    """The only values allowed (text and keyword), compared without regard to case and spaces. Empty: any."""
    pattern: Annotated[str, AfterValidator(refuse_costly)] | None = None
    """A regular expression the whole printed value must match."""
    minimum: float | None = None
    """Smallest number allowed, in the property's unit, inclusive."""
    maximum: float | None = None
    """Largest number allowed, in the property's unit, inclusive."""
    min_length: int | None = Field(default=None, ge=0)
    """Fewest characters of a text."""
    max_length: int | None = Field(default=None, ge=1)
    """Most characters of a text."""

    @model_validator(mode="after")
    def _checks_fit_the_type(self) -> Self:
        found = f"property {self.name!r} has type {self.value_type}"
        bounds = (self.minimum, self.maximum)
        if self.value_type not in ("i64", "f64"):
            if self.unit is not None:
                raise ValueError(f"{found} and unit {self.unit!r}; only i64 and f64 take a unit")
            if bounds != (None, None):
                raise ValueError(f"{found} and a minimum or maximum; only i64 and f64 take them")
        if self.minimum is not None and self.maximum is not None and self.minimum > self.maximum:
            raise ValueError(f"property {self.name!r}: minimum {self.minimum} is above maximum {self.maximum}")
        if self.options and self.value_type not in ("text", "keyword"):
            raise ValueError(f"{found} and options; only text and keyword take them")
        return self
