"""Reads a unit off a text: ``mm``, ``W/cm²``, ``W cm−2``, ``Ω·cm2``, ``square metres``, ``kg per day``."""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass
from functools import lru_cache

from reviewapp.extraction.units.lexicon import Atom, Factors, lexicon
from reviewapp.extraction.units.registry import NUMBER

_SUPERSCRIPT = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻", "0123456789+-")
_LETTER = r"[^\W\d_⁰-ⁿ²³¹¼-¾⅐-↉]"
_WORD = re.compile(rf"°[ \u00a0]?[A-Za-z](?!{_LETTER})|{_LETTER}+|[°%‰℃℉㎎-㏄]")
_PERCENT_OF = re.compile(r"%\s?(wt|vol|w/w|v/v|\(w/w\)|\(v/v\))|(wt|vol|mol|at|w|v)\.?\s?%|(w/w|v/v)\s?%")
_SCALE = re.compile(
    r"°[ \u00a0]?(?:on the )?(celsius|fahrenheit|centigrade|rankine)(?![^\W\d_])(?: scale\b)?", re.IGNORECASE
)
_EXPONENT = re.compile(
    r"\ ?\^\ ?[({]?(?P<caret>[-+–]?\d)[)}]?(?!\d)|\*\*\(?(?P<stars>-?\d)\)?(?!\d)|(?P<super>[⁺⁻]?[¹²³⁴⁵⁶])"
    r"|[-–]\ ?(?P<minus>[1-4])(?![\d.,]*\d|\ ?[%°])|(?P<flat>[234])(?![\w'°]|[.,]\d)"
)
_JOIN = re.compile(
    r"[ \u00a0]?(?P<over>/|\bper\b|\bpro\b|\bpar\b)[ \u00a0]?|(?P<dot>[ \u00a0]?[·*•][ \u00a0]?|-)|(?P<gap>[ \u00a0])"
)
_TURNS = re.compile(r"U(?=[ \u00a0]?/[ \u00a0]?(?:min|s|h)\b|[ \u00a0]min[-–]1)")
"""German: ``U/min``, *Umdrehungen je Minute*; any other ``U`` is activity."""
_POWER_WORD = re.compile(r"(square|sq\.?|quadrat|cubic|cu\.|cu(?=[ \u00a0-])|kubik)[ \u00a0-]?", re.IGNORECASE)
_POWER_AFTER = re.compile(r"[ \u00a0](squared|cubed)\b", re.IGNORECASE)
_UNDER_PAIR = re.compile(
    r"(?:(?P<first>kg|g|mol|c?m)(?P<kelvin>K)"
    r"|(?P<raised>[cm]?m|ft)(?P<power>[23²³])"
    r"(?:[ \u00a0]?[·*•][ \u00a0]?|[ \u00a0](?=K|a(?:[.,;:)\n]|$)))?(?P<second>K|h|min|s|d|a))(?![^\W_]|['’])"
)
"""Two units under one bar without brackets, as heating and energy papers write: ``W/m²K``, ``J/kgK``, ``kWh/m²a``."""
_ROUND = re.compile(r"(10{1,6}|1[.,\u00a0 ]000)[ \u00a0]?(?=[^\W\d_])")
"""A round number under the bar: ``l/100 km``."""
_SHARES = {"gram": "wt%", "kilogram": "wt%", "milliliter": "vol%", "liter": "vol%"}
_ORDER_GAPS = frozenset(
    ("kW h", "W h", "MW h", "GW h", "A h", "mA h", "N m", "kN m", "Pa s", "mPa s", "lbf ft", "ft lbf")
)
"""Units multiplied with a mere space between; any others need an exponent to be told from a following word."""

_PERCENT_BEGINS, _POWER_BEGINS = frozenset("%wvma"), frozenset("sScCqQkKſK")
"""Characters that what is looked for may begin with."""
_PERCENT_WORDS = frozenset(("wt", "vol", "mol", "at", "w", "v"))
"""What `_PERCENT_OF` may begin with."""
_SECOND_SYMBOLS = frozenset(("cm", "mm", "m", "km", "nm", "s", "h", "min", "kg", "g", "l", "L", "mol", "K"))
"""Units that end a pair of symbols written without a space."""
LONGEST_PAIR = 6
"""Characters of two symbols without a space."""
LONGEST_NAME = 30
"""Characters of the longest unit name of several words."""


@dataclass(frozen=True, slots=True)
class UnitMatch:
    """A unit that stands in a text at ``text[start:end]``."""

    start: int
    end: int
    factors: Factors
    shy: bool = False
    """Written with one short symbol that may as well be a word."""
    ambiguous: str | None = None
    """Why it may be another unit, in words."""

    @property
    def canonical(self) -> str:
        return spell(self.factors)


def spell(factors: Factors) -> str:
    """One spelling for one unit: ``W/cm^2``, ``kg``, ``1/s``; factors in a fixed order."""
    powers: dict[str, int] = {}
    for atom, exponent in factors:
        powers[atom.symbol] = powers.get(atom.symbol, 0) + exponent
    over = [_raised(s, e) for s, e in sorted(powers.items()) if e > 0]
    under = [_raised(s, -e) for s, e in sorted(powers.items()) if e < 0]
    return "/".join(["·".join(_counted(over)) or "1", *_counted(under)])


def _counted(spelled: list[str]) -> list[str]:
    """With a number before the unit that it counts: ``100 km``."""
    if len(spelled) > 1 and spelled[0].isdecimal():
        return [f"{spelled[0]} {spelled[1]}", *spelled[2:]]
    return spelled


def _raised(symbol: str, exponent: int) -> str:
    return symbol if exponent == 1 else f"{symbol}^{exponent}"


def match_unit(folded: str, start: int) -> UnitMatch | None:
    """The longest unit that begins at `start` of a folded text, or None. ``1/s`` is one as well."""
    if folded.startswith("1/", start):
        under = match_under(folded, start + 2)
        if under is None:
            return None
        factors, end, shy = tuple((atom, -exponent) for atom, exponent in under.factors), under.end, False
    else:
        first = _factor(folded, start)
        if first is None:
            return None
        factors, end, shy = first
    while join := _JOIN.match(folded, end):
        if join["over"] and (several := _under(folded, join.end())):
            factors, end, shy = factors + tuple((a, -e) for a, e in several[0]), several[1], False
            continue
        following = _factor(folded, join.end())
        if following is None:
            break
        more, after, _ = following
        if join["over"]:
            more = tuple((atom, -exponent) for atom, exponent in more)
        elif not _may_multiply(join, factors, more):
            break
        factors, end, shy = factors + more, after, False
    factors = _share(factors)
    book = lexicon().ambiguous
    ambiguous = next((book[w] for w in _WORD.findall(folded, start, end) if w in book), None)
    return UnitMatch(start, end, factors, shy, ambiguous)


def _share(factors: Factors) -> Factors:
    """``g/100 g`` is a percentage by weight, ``ml/100 ml`` one by volume."""
    match [(atom.registry, exponent) for atom, exponent in factors]:
        case [(over, 1), ("number_100", -1), (under, -1)] if over == under and over in _SHARES:
            return lexicon().symbols[_SHARES[over]]
    return factors


def match_under(folded: str, start: int) -> UnitMatch | None:
    """The unit that begins at `start` as it stands under a bar: also ``100 g`` and ``m²K``."""
    found = _under(folded, start) or _factor(folded, start)
    return found and UnitMatch(start, found[1], found[0])


def _under(folded: str, start: int) -> tuple[Factors, int] | None:
    """What stands under a bar where it is more than one unit, and the position behind it."""
    if folded.startswith("(", start):
        return _bracketed(folded, start + 1)
    if (number := _ROUND.match(folded, start)) and (factor := _factor(folded, number.end())):
        size = re.sub(r"\D", "", number[1])
        return ((Atom(size, f"{NUMBER}{size}"), 1), *factor[0]), factor[1]
    return _pair(folded, start)


def _pair(folded: str, start: int) -> tuple[Factors, int] | None:
    pair = _UNDER_PAIR.match(folded, start)
    if pair is None:
        return None
    symbols = lexicon().symbols
    first = symbols[pair["first"] or pair["raised"]]
    second = symbols[pair["kelvin"] or pair["second"]]
    power = int((pair["power"] or "1").translate(_SUPERSCRIPT))
    return (*((atom, exponent * power) for atom, exponent in first), *second), pair.end()


def _bracketed(folded: str, start: int) -> tuple[Factors, int] | None:
    """The product up to the closing bracket, and the position behind it: ``m·K)``, ``m K)``, ``m²K)``."""
    factors: Factors = ()
    while (factor := _pair(folded, start) or _factor(folded, start)) is not None:
        factors, start = factors + factor[0], factor[1]
        if folded.startswith(")", start):
            return factors, start + 1
        if folded[start : start + 1] not in (" ", "\u00a0", "·", "*", "•"):
            return None
        start += 1
    return None


def _may_multiply(join: re.Match[str], factors: Factors, more: Factors) -> bool:
    if join["dot"]:
        return join["dot"] != "-" or f"{factors[-1][0].symbol} {more[0][0].symbol}" in _ORDER_GAPS
    return more[0][1] != 1 or f"{factors[-1][0].symbol} {more[0][0].symbol}" in _ORDER_GAPS


def _factor(folded: str, start: int) -> tuple[Factors, int, bool] | None:
    """One unit with its exponent."""
    word_power = 1
    if folded[start : start + 1] in _POWER_BEGINS and (power := _POWER_WORD.match(folded, start)):
        inner = _atom(folded, power.end())
        if inner is not None:
            word_power = 2 if power[1][0] in "sSqQ" else 3
            factors, end, _ = inner
            return tuple((a, e * word_power) for a, e in factors), end, False
    found = _atom(folded, start)
    if found is None:
        return _run_together(folded, start)
    factors, end, shy = found
    exponent, after = _exponent(folded, end, factors)
    if exponent != 1:
        shy = False
    if power := _POWER_AFTER.match(folded, after):
        exponent, after = exponent * (2 if power[1][0] in "sS" else 3), power.end()
    return tuple((atom, e * exponent) for atom, e in factors), after, shy


def _run_together(folded: str, start: int) -> tuple[Factors, int, bool] | None:
    """``Wcm−2``, ``Ωcm2``: two symbols without a space; only an exponent behind them tells them from a word."""
    word = _WORD.match(folded, start)
    if word is None:
        return None
    for first, second in _two_symbols(word[0]):
        exponent, end = _exponent(folded, word.end(), second)
        if exponent != 1:
            return first + tuple((atom, e * exponent) for atom, e in second), end, False
    return None


@lru_cache(maxsize=8_192)
def _two_symbols(word: str) -> tuple[tuple[Factors, Factors], ...]:
    """The ways in which a word can be two symbols."""
    symbols = lexicon().symbols
    parts = [(word[:at], word[at:]) for at in range(1, len(word))] if len(word) <= LONGEST_PAIR else []
    known = [(symbols.get(a), symbols.get(b)) for a, b in parts if b in _SECOND_SYMBOLS]
    return tuple((first, second) for first, second in known if first is not None and second is not None)


@lru_cache(maxsize=8_192)
def is_never_a_unit(word: str) -> bool:
    """Whether letters are no unit, nor the beginning of one, whatever stands behind them."""
    if not word.isascii() or word in _PERCENT_WORDS or word.casefold() in lexicon().firsts:
        return False
    return _single(word) is None and not _two_symbols(word) and _POWER_WORD.match(word) is None


def _exponent(folded: str, end: int, factors: Factors) -> tuple[int, int]:
    match = _EXPONENT.match(folded, end)
    if match is None:
        return 1, end
    if match["minus"]:
        # `5 m-3 m` is a range, not a power.
        again = _atom(folded, match.end() + 1) if folded[match.end() : match.end() + 1] in (" ", "\u00a0") else None
        again = again or _atom(folded, match.end())
        if again is not None and again[0] == factors:
            return 1, end
        return -int(match["minus"]), match.end()
    if match["flat"]:
        if len(factors) != 1 or factors[0][1] != 1:
            return 1, end
        return (int(match["flat"]) if factors[0][0].symbol in lexicon().raised else 1), match.end()
    raw = match["caret"] or match["stars"] or match["super"].translate(_SUPERSCRIPT)
    return int(raw.replace("–", "-")), match.end()


def _atom(folded: str, start: int) -> tuple[Factors, int, bool] | None:
    """One unit without exponent: the longest name of several words, a symbol, or a single name."""
    first = folded[start : start + 1]
    if first in _PERCENT_BEGINS and (percent := _PERCENT_OF.match(folded, start)):
        kind = next(g for g in percent.groups() if g).strip("()").replace("w/w", "wt").replace("v/v", "vol")
        kind = {"w": "wt", "v": "vol"}.get(kind, kind)
        return lexicon().symbols[f"{kind}%"], percent.end(), False
    if first == "°" and (scale := _SCALE.match(folded, start)):
        return lexicon().names[scale[1].casefold()], scale.end(), False
    if first == "U" and _TURNS.match(folded, start):
        return lexicon().symbols["rev"], start + 1, False
    word = _WORD.match(folded, start)
    if word is None:
        return None
    factors, taken = _lookup(_piece(folded, word))
    if factors is None:
        return None
    end = start + taken
    if folded[end : end + 1] == "." and folded[end - 1].isalpha() and folded[end + 1 : end + 2] not in ("", "\n"):
        end += 1 if _is_abbreviation(folded, start, end) else 0
    return factors, end, folded[start:end] in lexicon().shy


def _is_abbreviation(folded: str, start: int, end: int) -> bool:
    """``in.``, ``lbs.``, ``Std.``: the full stop belongs to the unit when the sentence goes on."""
    following = folded[end + 1 : end + 3].lstrip()
    return end - start <= 4 and bool(following) and (following[0].islower() or following[0] in "x×),;/")


def _piece(folded: str, word: re.Match[str]) -> str:
    """The word, with what follows it where it begins a name of several words."""
    if word[0].casefold() in lexicon().firsts and folded[word.end() : word.end() + 1] in (" ", "-", "\u00a0", "."):
        return folded[word.start() : word.start() + LONGEST_NAME]
    return word[0]


@lru_cache(maxsize=20_000)
def _lookup(piece: str) -> tuple[Factors | None, int]:
    """(factors, characters taken) of the longest unit at the beginning of the piece."""
    book = lexicon()
    words = list(_WORD.finditer(piece))
    first = words[0]
    for count in range(min(len(words), book.longest_name), 1, -1):
        chosen = words[:count]
        gaps = [piece[a.end() : b.start()] for a, b in itertools.pairwise(chosen)]
        if all(gap in (" ", "-", "\u00a0", ". ") for gap in gaps):
            factors = book.names.get("-".join(w[0].casefold() for w in chosen))
            if factors is not None:
                return factors, chosen[-1].end()
    return _single(first[0].replace(" ", "").replace("\u00a0", "")), first.end()


def _single(word: str) -> Factors | None:
    book = lexicon()
    if word[0] == "°" and len(word) == 2:
        return book.symbols.get(f"°{word[1].upper()}") or (book.symbols["°"] if word[1] in "NSEWO" else None)
    if word in ("oC", "oF"):
        return book.symbols["°" + word[1]]
    if word in ("C", "F"):
        return book.symbols["°" + word]
    return book.symbols.get(word) or (book.names.get(word.casefold()) if len(word) > 1 or not word.isascii() else None)
