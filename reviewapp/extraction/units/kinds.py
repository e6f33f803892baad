"""What units measure, and their one spelling."""

from __future__ import annotations

from functools import lru_cache

from reviewapp.domain.writing import fold
from reviewapp.extraction.units.currencies import currency_of, same_currency
from reviewapp.extraction.units.lexicon import Atom, Factors
from reviewapp.extraction.units.parse import match_under, match_unit, spell
from reviewapp.extraction.units.registry import dimensions, factor, registry_name

_OWN = {
    "percent": "share", "permille": "share", "ppm": "share", "ppb": "share", "weight_percent": "share by weight",
    "volume_percent": "share by volume", "mole_percent": "share by moles", "atomic_percent": "share by atoms",
    "degree": "angle", "radian": "angle", "arcminute": "angle", "arcsecond": "angle", "steradian": "solid angle",
    "piece": "count", "pH": "pH", "decibel": "decibel", "decibelmilliwatt": "decibel milliwatt", "turn": "turns",
}  # fmt: skip
"""Units that the registry holds for plain numbers, or lacks: what they measure."""

_SMALL = {
    "kw": "kW", "w": "W", "wh": "Wh", "kwh": "kWh", "mwh": "MWh", "v": "V", "kv": "kV", "hz": "Hz", "khz": "kHz",
    "mhz": "MHz", "ghz": "GHz", "pa": "Pa", "kpa": "kPa", "db": "dB", "ph": "pH", "kj": "kJ", "n": "N", "kn": "kN",
    "j": "J", "k": "K", "ω": "Ω",
}  # fmt: skip
"""Property units that people write in small letters."""

_SIGNS = {
    "'": ("arcmin", "min"), "′": ("arcmin", "min"), "’": ("arcmin", "min"), '"': ("arcsec", "s"), "″": ("arcsec", "s"),
    "”": ("arcsec", "s"), "b": ("barn",), "°": ("°C", "°F"), "Grad": ("°C", "°F"), "grad": ("°C", "°F"),
    "deg": ("°C", "°F"), "degrees": ("°C", "°F"),
}  # fmt: skip
"""What signs stand for beside the unit that they are read as where nothing else is known."""

SHORTEST_REGISTRY_NAME = 4
"""Shorter strings that the lexicon lacks are not looked up: the registry reads too much into them."""


@lru_cache(maxsize=4_000)
def factors_of(unit: str) -> Factors | None:
    """The unit as a product of plain units; None: it is none, or money."""
    folded = fold(unit.strip())
    for candidate in (folded, _SMALL.get(folded.casefold(), folded)):
        match = match_unit(candidate, 0)
        if match is not None and match.end == len(candidate):
            return match.factors
    if folded[:1].isdecimal() and (under := match_under(folded, 0)) and under.end == len(folded):
        return under.factors  # what a price is for: 100 g
    if len(folded) < SHORTEST_REGISTRY_NAME or not folded.replace(" ", "_").isidentifier():
        return None
    name = registry_name(folded.replace(" ", "_"))
    return None if name is None else ((Atom(folded, name), 1),)


def priced(unit: str) -> tuple[str, str | None] | None:
    """Money: (currency, the unit it is paid for); ``€/kg`` → (``EUR``, ``kg``); None: no money."""
    currency = currency_of(unit)
    if currency is not None:
        return currency, None
    head, slash, tail = unit.partition("/")
    if not slash:
        head, slash, tail = unit.partition(" per ")
    currency = currency_of(head) if slash else None
    return None if currency is None or not tail.strip() else (currency, tail.strip())


@lru_cache(maxsize=4_000)
def canonical(unit: str) -> str | None:
    """One spelling for one unit, however it is written: ``W cm-2`` → ``W/cm^2``, ``Euro`` → ``EUR``; None: no unit."""
    price = priced(unit)
    if price is not None:
        currency, paid_for = price
        if paid_for is None:
            return currency
        under = canonical(paid_for)
        return None if under is None else f"{currency}/{under}"
    factors = factors_of(unit)
    return None if factors is None else spell(factors)


def is_currency(unit: str) -> bool:
    return currency_of(unit) is not None


@lru_cache(maxsize=4_000)
def kind_of(unit: str) -> str | None:
    """What the unit measures, as text to compare: ``[length]``, ``share``, ``money:EUR``; None: no unit."""
    price = priced(unit)
    if price is not None:
        currency, paid_for = price
        under = None if paid_for is None else kind_of(paid_for)
        return f"money:{currency}" if paid_for is None else f"money:{currency}/{under}" if under else None
    factors = factors_of(unit)
    if factors is None:
        return None
    own: dict[str, int] = {}
    others: list[tuple[str, int]] = []
    for atom, exponent in factors:
        name = _own_kind(atom.registry)
        if name is None:
            others.append((atom.registry, exponent))
        else:
            own[name] = own.get(name, 0) + exponent
    special = [name if e == 1 else f"{name}^{e}" for name, e in sorted(own.items()) if e]
    dimension = dimensions(tuple(others))
    return " ".join((*special, *([dimension] if dimension != "dimensionless" else []))) or "number"


def _own_kind(name: str) -> str | None:
    if name.endswith(("byte", "bit")):
        return "information"
    return "angle" if name.endswith("radian") and name != "steradian" else _OWN.get(name)


@lru_cache(maxsize=10_000)
def same_kind(a: str, b: str) -> bool:
    """Whether a number in unit `a` can be told in unit `b`. Currencies: only the same one (``$`` is any dollar)."""
    first, second = kind_of(a), kind_of(b)
    if first is None or second is None:
        return False
    if first.startswith("money:") and second.startswith("money:"):
        one, _, paid_one = first[6:].partition("/")
        two, _, paid_two = second[6:].partition("/")
        return same_currency(one, two) and paid_one == paid_two
    if first == second:
        return first.startswith("money:") or canonical(a) == canonical(b) or _converts(a, b)
    if {first, second} == {"turns 1 / [time]", "1 / [time]"}:
        # 3000 rpm is 3000 1/min; what is given in Hz is no speed.
        return not any(atom.registry.endswith("hertz") for unit in (a, b) for atom, _ in factors_of(unit) or ())
    # A bare % agrees with every share; a share by weight is no share by volume.
    other = second if first == "share" else first if second == "share" else ""
    return other.removeprefix("share by ").isalpha() and other.startswith("share by ")


@lru_cache(maxsize=4_000)
def sign_means(sign: str, wanted: str) -> str | None:
    """The other unit that a printed sign stands for where `wanted` is asked for; None: none.

    A foot's sign is that of minutes to whom asks for minutes, a bare ``°`` a temperature to whom asks for one.
    """
    meanings = _SIGNS.get(sign, ())
    own = canonical(wanted)
    return own if own in meanings else next((m for m in meanings if same_kind(m, wanted)), None)


def _converts(a: str, b: str) -> bool:
    """Whether the registry knows how: it may take units for the same that no factor leads between."""
    first, second = factors_of(a), factors_of(b)
    if first is None or second is None:
        return False
    try:
        factor(tuple((x.registry, e) for x, e in first), tuple((x.registry, e) for x, e in second))
    except Exception:  # pint raises whatever its definitions lead to
        return False
    return True
