"""The unit registry (pint), shared and loaded at first use (about 0.2 s)."""

from __future__ import annotations

from decimal import Decimal
from functools import cache, lru_cache
from threading import Lock
from typing import Any

NUMBER = "number_"
"""Begins the names of units that are plain numbers: ``number_100`` in ``l/100 km``."""
_PERCENT = frozenset(("weight_percent", "volume_percent", "mole_percent", "atomic_percent"))
_COUNTED = frozenset(
    (
        "piece",
        "pH",
        "decibel",
        "decibelmilliwatt",
        "turn",
    )
)
"""Units of ours that convert only into themselves; the registry need not know them."""
_DEFINED = (
    "volt_ampere_reactive = [reactive_power]",
    "international_unit = [biological_activity]",
    "ppb = 1e-9",
    "ten_years = 10 * year",
)
"""Units that the registry lacks; the first two take prefixes: ``Mvar``, ``kIU``."""
_SCALES = {"degree_Celsius": "kelvin", "degree_Fahrenheit": "degree_Rankine", "decade": "ten_years"}
"""Units with an offset stand for their differences wherever they are multiplied; the registry's decade is a ratio."""


_loading = Lock()
"""Two threads that ask first at once must not make two registries: units of one do not go with units of the other."""


def _registry() -> Any:
    with _loading:
        return _load()


@cache
def _load() -> Any:
    import pint

    registry: Any = pint.UnitRegistry(non_int_type=Decimal)
    for definition in _DEFINED:
        registry.define(definition)
    return registry


@lru_cache(maxsize=2_000)
def _unit(name: str) -> Any:
    if name in _COUNTED:
        return _registry().parse_units("dimensionless")
    if name.startswith(NUMBER) and name not in _registry():
        _registry().define(f"{name} = {name.removeprefix(NUMBER)}")
    return _registry().parse_units("percent" if name in _PERCENT else _SCALES.get(name, name))


def _product(factors: tuple[tuple[str, int], ...]) -> Any:
    product = _registry().parse_units("dimensionless")
    for name, exponent in factors:
        product = product * _unit(name) ** exponent
    return product


@lru_cache(maxsize=2_000)
def registry_name(text: str) -> str | None:
    """The registry's own name of a unit that only it knows (``slug``); None: it does not know it either."""
    try:
        name = str(_registry().parse_units(text))
    except Exception:  # it raises whatever its tokenizer meets
        return None
    return None if name == "dimensionless" or not name.isidentifier() else name


def dimensions(factors: tuple[tuple[str, int], ...]) -> str:
    """``[length] / [time]``, the same text for the same dimensions; ``dimensionless`` for plain numbers."""
    found = sorted(_product(factors).dimensionality.items())  # the registry's own order follows the factors'
    over = [_raised(name, exponent) for name, exponent in found if exponent > 0]
    under = [_raised(name, -exponent) for name, exponent in found if exponent < 0]
    return " / ".join([" * ".join(over) or "1", *under]) if found else "dimensionless"


def _raised(name: str, exponent: Any) -> str:
    return name if exponent == 1 else f"{name} ** {exponent:g}"


def factor(source: tuple[tuple[str, int], ...], target: tuple[tuple[str, int], ...]) -> Decimal:
    """What one of `source` is in `target`, to 28 digits; the units must be of the same kind."""
    magnitude: Decimal = _registry().Quantity(Decimal(1), _product(source)).to(_product(target)).magnitude
    return magnitude
