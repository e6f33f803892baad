"""The unit lexicon: the spellings of ``units.toml``, ready to be looked up."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

_PREFIX_NAMES = {
    "q": "quecto", "r": "ronto", "y": "yocto", "z": "zepto", "a": "atto", "f": "femto", "p": "pico", "n": "nano",
    "µ": "micro", "m": "milli", "c": "centi", "d": "deci", "da": "deca", "h": "hecto", "k": "kilo", "M": "mega",
    "G": "giga", "T": "tera", "P": "peta", "E": "exa", "Z": "zetta", "Y": "yotta", "Ki": "kibi", "Mi": "mebi",
    "Gi": "gibi", "Ti": "tebi",
}  # fmt: skip
_OTHER_PREFIXES = {
    "micro": ("mikro", "micró"), "milli": ("mili", "milí"), "centi": ("zenti", "centí"), "deci": ("dezi", "decí"),
    "deca": ("deka",), "hecto": ("hekto", "etto"), "kilo": ("quilo", "kiló", "quiló", "chilo", "chiló"),
}  # fmt: skip
"""German, Spanish, Portuguese and Italian spellings: ``Zentimeter``, ``milímetro``, ``chilogrammo``."""


@dataclass(frozen=True, slots=True)
class Atom:
    """One unit without exponent or company."""

    symbol: str
    """How we write it; also its identity."""
    registry: str
    """What the unit registry calls it."""


Factors = tuple[tuple[Atom, int], ...]
"""A unit as a product: units with their exponents."""


@dataclass(frozen=True, slots=True)
class Lexicon:
    symbols: dict[str, Factors]
    """Case kept; also spellings that stand for several factors (``mph``)."""
    names: dict[str, Factors]
    """Case folded; a hyphen stands for the space or hyphen between words."""
    firsts: frozenset[str]
    """First words of the names of several words."""
    longest_name: int
    """Words in the longest name."""
    ambiguous: dict[str, str]
    """Spellings of two units → why, in words."""
    shy: frozenset[str]
    """Symbols that are as often words: they count only where no word follows."""
    raised: frozenset[str]
    """Symbols of units after which a plain digit is an exponent."""


@cache
def lexicon() -> Lexicon:
    """The tables, read at first use."""
    raw: dict[str, Any] = tomllib.loads((files(__package__) / "units.toml").read_text("utf-8"))
    atoms: dict[str, Atom] = {}
    names: dict[str, Atom] = {}
    for registry, row in raw["units"].items():
        own, words = row.get("symbols", []), row.get("names", [])
        atom = Atom(own[0] if own else registry, registry)
        for symbol in () if row.get("prefixed_only") else own:
            atoms.setdefault(symbol, atom)
        _add_names(names, words, "", atom)
    for registry, row in raw["units"].items():
        for prefix in row.get("prefixes", []):
            _add_prefixed(atoms, names, prefix, registry, row)
    symbols: dict[str, Factors] = {symbol: ((atom, 1),) for symbol, atom in atoms.items()}
    for capitals, small in raw["capitals"].items():
        symbols[capitals] = symbols[small]
    for symbol, cells in raw["aliases"].items():
        symbols[symbol] = tuple((atoms[s], e) for s, e in zip(cells[::2], cells[1::2], strict=True))
    for symbol, (likelier, _) in raw["ambiguous"].items():
        symbols[symbol] = symbols[likelier]
    several = [name for name in names if "-" in name]
    return Lexicon(
        symbols=symbols,
        names={name: ((atom, 1),) for name, atom in names.items()},
        firsts=frozenset(name.partition("-")[0] for name in several),
        longest_name=max(name.count("-") for name in several) + 1,
        ambiguous={s: f"unit {s!r} can mean {both}" for s, (_, both) in raw["ambiguous"].items()},
        shy=frozenset(raw["shy"]["symbols"]),
        raised=frozenset(raw["raised"]["symbols"]),
    )


def _add_names(names: dict[str, Atom], words: list[str], prefix: str, atom: Atom) -> None:
    for word in words:
        names.setdefault(prefix + word, atom)
        if not word.endswith("s"):
            names.setdefault(prefix + word + "s", atom)


def _add_prefixed(
    atoms: dict[str, Atom], names: dict[str, Atom], prefix: str, registry: str, row: dict[str, Any]
) -> None:
    long = _PREFIX_NAMES[prefix]
    own, words = row.get("symbols", []), row.get("names", [])
    atom = Atom(prefix + own[0] if own else long + registry, long + registry)
    for symbol in own:
        atoms.setdefault(prefix + symbol, atom)
        if prefix == "µ":
            atoms.setdefault("u" + symbol, atom)
    if prefix == "µ" and registry == "gram":
        atoms.setdefault("mcg", atom)  # what clinics write, since a hand-written µ reads as m
    _add_names(names, words, long, atom)
    for spelling in _OTHER_PREFIXES.get(long, ()):
        _add_names(names, words, spelling, atom)
