"""Exact conversion between units, through pint: one registry, loaded at first use; one factor per pair, kept."""

from __future__ import annotations

import threading
from decimal import Context, Decimal
from functools import cache, lru_cache
from typing import Any

from reviewapp.domain.writing import fold
from reviewapp.extraction.units.currencies import currency_of, same_currency
from reviewapp.extraction.units.lexicon import lexicon
from reviewapp.extraction.units.parse import Factors, match_unit, spell

SIGNIFICANT_DIGITS = 15
"""Results are rounded to what a float holds for sure, so that 600 mm is 60 cm and not 60.0000000000000001."""

_PRECISE = Context(prec=40)
_ROUNDED = Context(prec=SIGNIFICANT_DIGITS)

_OWN = {
    "percent": "share", "permille": "share", "ppm": "share", "ppb": "share", "weight_percent": "share by weight",
    "volume_percent": "share by volume", "mole_percent": "share by moles", "atomic_percent": "share by atoms", "degree": "angle",
    "radian": "angle", "arcminute": "angle", "arcsecond": "angle", "steradian": "solid angle", "piece": "count", "pH": "pH",
    "decibel": "decibel", "decibelmilliwatt": "decibel", "international_unit": "activity", "turn": "turns",
    "volt_ampere_reactive": "reactive power",
}  # fmt: skip
"""Units that pint holds for plain numbers, or lacks: what they measure."""
_FACTOR_OF_OWN = {
    "weight_percent": "percent",
    "volume_percent": "percent",
    "mole_percent": "percent",
    "atomic_percent": "percent",
}
_FREE = frozenset(("piece", "pH", "decibel", "decibelmilliwatt", "international_unit", "volt_ampere_reactive", "turn"))
_TEMPERATURES = {
    "°C": (Decimal(1), Decimal("273.15")),
    "K": (Decimal(1), Decimal(0)),
    "°F": (_PRECISE.divide(Decimal(5), Decimal(9)), Decimal("459.67")),
    "°R": (_PRECISE.divide(Decimal(5), Decimal(9)), Decimal(0)),
}
"""Kelvin = (number + offset) × factor; for °C and K the factor is 1 so the offset is in kelvin itself."""

_SMALL = {"kw": "kW", "w": "W", "wh": "Wh", "kwh": "kWh", "mwh": "MWh", "v": "V", "kv": "kV", "hz": "Hz", "khz": "kHz", "pa": "Pa",
          "kpa": "kPa", "mpa": "MPa", "ma": "mA", "db": "dB", "ph": "pH", "kj": "kJ", "n": "N", "kn": "kN", "j": "J", "k": "K"}  # fmt: skip
"""Property units that people write in small letters."""


_making = threading.Lock()


def _registry() -> Any:
    """The one registry of this process: units of two do not go together, so no two threads may each make one."""
    with _making:
        return _make_registry()


@cache
def _make_registry() -> Any:
    import pint

    registry: Any = pint.UnitRegistry(non_int_type=Decimal)
    return registry


@lru_cache(maxsize=4_000)
def _factors(unit: str) -> Factors | None:
    text = unit.strip()
    folded = fold(text)
    for candidate in (folded, _SMALL.get(folded.casefold(), folded)):
        match = match_unit(candidate, 0)
        if match is not None and match.end == len(candidate):
            return match.factors
    return _from_registry(folded)


def _from_registry(text: str) -> Factors | None:
    """A unit that only pint knows (``slug``, ``kilofurlong``), as one atom."""
    from reviewapp.extraction.units.lexicon import Atom

    if len(text) < 4 or not text.replace("_", "").replace(" ", "_").isidentifier():
        return None
    try:
        name = str(_registry().parse_units(text.replace(" ", "_")))
    except Exception:  # pint raises whatever its tokenizer meets
        return None
    return ((Atom(text, name), 1),) if name != "dimensionless" else None


def canonical(unit: str) -> str | None:
    """One spelling for one unit, however it is written: ``W cm-2`` → ``W/cm^2``, ``Euro`` → ``EUR``; None: no unit."""
    currency = currency_of(unit)
    if currency is not None:
        return currency
    factors = _factors(unit)
    return None if factors is None else spell(factors)


def is_currency(unit: str) -> bool:
    return currency_of(unit) is not None


@lru_cache(maxsize=4_000)
def kind_of(unit: str) -> str | None:
    """What the unit measures, as text to compare: ``[length]``, ``share``, ``money:EUR``; None: no unit."""
    currency = currency_of(unit)
    if currency is not None:
        return f"money:{currency}"
    factors = _factors(unit)
    if factors is None:
        return None
    own: dict[str, int] = {}
    plain = _registry().parse_units("dimensionless")
    for atom, exponent in factors:
        if atom.registry in _OWN:
            own[_OWN[atom.registry]] = own.get(_OWN[atom.registry], 0) + exponent
        elif atom.registry.endswith(("byte", "bit")):
            own["information"] = own.get("information", 0) + exponent
        else:
            plain = plain * _unit(atom.registry) ** exponent
    special = [name if e == 1 else f"{name}^{e}" for name, e in sorted(own.items()) if e]
    dimension = str(plain.dimensionality)
    parts = [*special, *([dimension] if dimension != "dimensionless" else [])]
    return " ".join(parts) or "number"


def same_kind(a: str, b: str) -> bool:
    """Whether a number in unit `a` can be told in unit `b`. Currencies: only the same one (``$`` is any dollar)."""
    first, second = kind_of(a), kind_of(b)
    if first is None or second is None:
        return False
    if first.startswith("money:") and second.startswith("money:"):
        return same_currency(first[6:], second[6:])
    if first == second:
        return True
    loose = [" ".join(w for w in _share(k)) for k in (first, second)]
    return loose[0] == loose[1] and ("share by" not in first or "share by" not in second)


def _share(kind: str) -> list[str]:
    for by in ("weight", "volume", "moles", "atoms"):
        kind = kind.replace(f"share by {by}", "share")
    return kind.split()


def convert(number: Decimal, from_unit: str, to_unit: str, *, difference: bool = False) -> Decimal:
    """The number in the other unit, to 15 significant digits; exact where the factor is (600 mm → 60 cm).

    Temperatures are points of a scale (25 °C → 298.15 K) unless `difference` says that it is a rise or a tolerance
    (25 °C → 25 K); in compound units (``K/min``) they always are differences. Raises ValueError where the units are not
    of the same kind: ask `same_kind` first.
    """
    if not same_kind(from_unit, to_unit):
        raise ValueError(f"{from_unit!r} cannot be told in {to_unit!r}")
    source, target = canonical(from_unit), canonical(to_unit)
    if source == target or is_currency(from_unit):
        return number
    if source in _TEMPERATURES and target in _TEMPERATURES and not difference:
        return _ROUNDED.plus(_temperature(number, source, target)).normalize(_ROUNDED)
    return _ROUNDED.multiply(number, unit_factor(from_unit, to_unit)).normalize(_ROUNDED)


def _temperature(number: Decimal, source: str, target: str) -> Decimal:
    factor, offset = _TEMPERATURES[source]
    kelvin = _PRECISE.multiply(_PRECISE.add(number, offset), factor)
    factor, offset = _TEMPERATURES[target]
    return _PRECISE.subtract(_PRECISE.divide(kelvin, factor), offset)


@lru_cache(maxsize=10_000)
def unit_factor(from_unit: str, to_unit: str) -> Decimal:
    """What a number in `from_unit` is multiplied with to be one in `to_unit`; of temperatures, of their differences."""
    if is_currency(from_unit):
        return Decimal(1)
    source, target = _factors(from_unit), _factors(to_unit)
    if source is None or target is None:
        raise ValueError(f"no unit: {from_unit if source is None else to_unit!r}")
    registry = _registry()
    factor: Decimal = registry.Quantity(Decimal(1), _expression(source)).to(_expression(target)).magnitude
    return _snapped(factor)


def _snapped(factor: Decimal) -> Decimal:
    """Without the dust of division in the last digits (``25.4000…`` stays, ``0.0333…`` keeps 28 digits)."""
    short = Context(prec=24).plus(factor).normalize()
    return short if len(short.as_tuple().digits) < 20 else factor


def _expression(factors: Factors) -> Any:
    registry = _registry()
    product = registry.parse_units("dimensionless")
    for atom, exponent in factors:
        if atom.registry not in _FREE:
            product = product * _unit(_FACTOR_OF_OWN.get(atom.registry, atom.registry)) ** exponent
    return product


@cache
def _unit(name: str) -> Any:
    name = {"degree_Celsius": "kelvin", "degree_Fahrenheit": "degree_Rankine"}.get(name, name)
    return _registry().parse_units(name)


def known_symbols() -> frozenset[str]:
    """Every symbol that the lexicon reads, for suggestions."""
    return frozenset(lexicon().symbols)
