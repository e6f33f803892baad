"""Units: read off a text, compared, converted exactly."""

from reviewapp.extraction.units.convert import convert, unit_factor
from reviewapp.extraction.units.currencies import (
    currency_after,
    currency_before,
    currency_of,
    same_currency,
    sole_currency,
)
from reviewapp.extraction.units.kinds import canonical, is_currency, kind_of, same_kind, sign_means
from reviewapp.extraction.units.parse import UnitMatch, is_never_a_unit, match_under, match_unit

__all__ = [
    "UnitMatch",
    "canonical",
    "convert",
    "currency_after",
    "currency_before",
    "currency_of",
    "is_currency",
    "is_never_a_unit",
    "kind_of",
    "match_under",
    "match_unit",
    "same_currency",
    "same_kind",
    "sign_means",
    "sole_currency",
    "unit_factor",
]
