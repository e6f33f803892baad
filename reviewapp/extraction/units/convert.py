"""Exact conversion between units: one factor per pair of units, kept."""

from __future__ import annotations

from decimal import Context, Decimal
from functools import lru_cache

from reviewapp.extraction.units import registry
from reviewapp.extraction.units.kinds import canonical, factors_of, priced, same_kind

SIGNIFICANT_DIGITS = 15
"""Results are rounded to what a float holds for sure, so that 600 mm is 60 cm and not 60.0000000000000001."""

_PRECISE = Context(prec=40)
_ROUNDED = Context(prec=SIGNIFICANT_DIGITS)
_SHORT = 20
"""A factor whose first digits end before this many is taken as exact; the rest is dust of a division."""

_FIVE_NINTHS = _PRECISE.divide(Decimal(5), Decimal(9))
_TEMPERATURES = {
    "°C": (Decimal(1), Decimal("273.15")),
    "K": (Decimal(1), Decimal(0)),
    "°F": (_FIVE_NINTHS, Decimal("459.67")),
    "°R": (_FIVE_NINTHS, Decimal(0)),
}
"""Kelvin = (number + second) × first."""


def convert(number: Decimal, from_unit: str, to_unit: str, *, difference: bool = False) -> Decimal:
    """The number in the other unit, to 15 significant digits; exact where the factor is (600 mm → 60 cm).

    Temperatures are points of a scale (25 °C → 298.15 K) unless `difference` says that it is a rise or a tolerance
    (25 °C → 25 K); in compound units (``K/min``) they always are differences. Raises ValueError where the units are not
    of the same kind: ask `same_kind` first.
    """
    if not same_kind(from_unit, to_unit):
        raise ValueError(f"{from_unit!r} cannot be told in {to_unit!r}")
    source, target = canonical(from_unit), canonical(to_unit)
    if source == target:
        return number
    if source in _TEMPERATURES and target in _TEMPERATURES and not difference:
        return _tidy(_temperature(number, source, target))
    return _tidy(_PRECISE.multiply(number, unit_factor(from_unit, to_unit)))


def _tidy(number: Decimal) -> Decimal:
    """Rounded, without trailing zeros, and without an exponent where the number is whole."""
    rounded = _ROUNDED.plus(number).normalize(_ROUNDED)
    exponent = rounded.as_tuple().exponent
    return (
        rounded.quantize(Decimal(1), context=_PRECISE)
        if isinstance(exponent, int) and 0 < exponent < SIGNIFICANT_DIGITS
        else rounded
    )


def _temperature(number: Decimal, source: str, target: str) -> Decimal:
    factor, offset = _TEMPERATURES[source]
    kelvin = _PRECISE.multiply(_PRECISE.add(number, offset), factor)
    factor, offset = _TEMPERATURES[target]
    return _PRECISE.subtract(_PRECISE.divide(kelvin, factor), offset)


@lru_cache(maxsize=10_000)
def unit_factor(from_unit: str, to_unit: str) -> Decimal:
    """What a number in `from_unit` is multiplied with to be one in `to_unit`; of temperatures, of their differences.

    Raises ValueError where one of them is no unit.
    """
    source, target = priced(from_unit), priced(to_unit)
    if source is not None and target is not None:
        if source[1] is None or target[1] is None:
            return Decimal(1)
        return _PRECISE.divide(Decimal(1), unit_factor(source[1], target[1]))
    first, second = factors_of(from_unit), factors_of(to_unit)
    if first is None or second is None:
        raise ValueError(f"no unit: {from_unit if first is None else to_unit!r}")
    found = registry.factor(tuple((a.registry, e) for a, e in first), tuple((a.registry, e) for a, e in second))
    short = Context(prec=_SHORT + 4).plus(found).normalize()
    return short if len(short.as_tuple().digits) < _SHORT else found
