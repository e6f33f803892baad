"""What bringing a value into its type and unit comes to."""

from __future__ import annotations

from dataclasses import dataclass

from reviewapp.domain.properties import Value


@dataclass(frozen=True, slots=True)
class Normalised:
    """A value that fits its property's type."""

    value: Value
    printed: str
    stated: str | None = None
    """Number and unit in the text's words, only where the number was converted."""
    unconfirmed: str | None = None
    """Why a person has to look, in one or more sentences."""
    in_quote: bool = True
    """Whether the quote states this number or date (also in another unit or another way of writing)."""


@dataclass(frozen=True, slots=True)
class Invalid:
    """What was read does not fit the property's type."""

    detail: str
    """What was found and what was expected, in one sentence."""
    printed: str
