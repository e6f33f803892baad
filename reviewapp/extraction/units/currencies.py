"""Currencies: units of their own kind, never converted into each other (``currencies.toml``)."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

from reviewapp.domain.writing import any_of

_SPACES = " \u00a0"
SIGN_CHARACTERS = frozenset("$€£¥₹₽₺₩₫฿₪₦₱₴₡₲₵₸₼")
_LETTERS_BEFORE_SIGN = frozenset(
    ("US", "U.S.", "USD", "C", "CA", "A", "AU", "NZ", "S", "HK", "NT", "MX", "R", "CN", "JP")
)
_LONGEST_WORD = 24
"""Characters of the words that are looked up; no name of a currency is so long."""
_WORD = re.compile(rf"[^\W\d_]{{1,{_LONGEST_WORD}}}\.?(?:[^\W\d_]\.?)?\$?|[$€£¥₹₽₺₩₫฿₪₦₱₴₡₲₵₸₼]")
_LONGEST_CODE = 5
_RUN_INTO = re.compile(r"(?<![^\W_])[A-Z]{3,}(?P<code>RM|EUR|USD|CHF|MYR|SGD)\Z")


@dataclass(frozen=True, slots=True)
class CurrencyMatch:
    """A currency at ``text[start:end]``."""

    start: int
    end: int
    currency: str
    """ISO 4217 code, or a sign that several share (``$``)."""


@dataclass(frozen=True, slots=True)
class _Currencies:
    signs: dict[str, str]
    """Signs and codes as texts write them, case kept → currency."""
    names: dict[str, str]
    """Names in small letters, a hyphen for a space → currency."""
    firsts: frozenset[str]
    """First words of the names of two."""
    codes: frozenset[str]
    shared: dict[str, frozenset[str]]
    three_decimals: frozenset[str]
    no_decimals: frozenset[str]
    comma_money: frozenset[str]
    mixed_money: frozenset[str]


@cache
def _currencies() -> _Currencies:
    raw: dict[str, Any] = tomllib.loads((files(__package__) / "currencies.toml").read_text("utf-8"))
    return _Currencies(
        signs=raw["signs"] | {code: code for code in raw["codes"]},
        names=raw["names"],
        firsts=frozenset(name.partition("-")[0] for name in raw["names"] if "-" in name),
        codes=frozenset(raw["codes"]),
        shared={sign: frozenset(members) for sign, members in raw["shared"].items()},
        three_decimals=frozenset(raw["three_decimals"]),
        no_decimals=frozenset(raw["no_decimals"]),
        comma_money=frozenset(raw["comma_money"]),
        mixed_money=frozenset(raw["mixed_money"]),
    )


def currency_before(folded: str, end: int) -> CurrencyMatch | None:
    """The currency that stands directly before position `end` (``RM 9.00``, ``US$5``), or None."""
    stop = end
    while stop > 0 and end - stop < 2 and folded[stop - 1] in _SPACES:
        stop -= 1
    if stop == 0:
        return None
    last = folded[stop - 1]
    if last in SIGN_CHARACTERS:
        return _sign_before(folded, stop)
    if not (last.isalpha() or last == "."):
        return None
    piece = folded[max(0, stop - _LONGEST_CODE - 1) : stop]
    found = _code_at_end(piece)
    if stop == end and found is None and len(piece) > _LONGEST_CODE and piece.isalpha():
        run_into = _RUN_INTO.search(folded[max(0, stop - _LONGEST_WORD) : stop])
        found = _code_at_end(run_into["code"]) if run_into else None  # CHANGERM15.60
    if found is None or (stop == end and found[0] == "lei"):
        return None
    return CurrencyMatch(stop - len(found[0]), stop, found[1])


def _sign_before(folded: str, stop: int) -> CurrencyMatch:
    signs = _currencies().signs
    for length in (4, 3, 2, 1):
        start = stop - 1 - length
        if start >= 0 and folded[start : stop - 1] in _LETTERS_BEFORE_SIGN and not folded[start - 1 : start].isalpha():
            return CurrencyMatch(start, stop, signs.get(folded[start:stop], signs[folded[stop - 1]]))
    return CurrencyMatch(stop - 1, stop, signs[folded[stop - 1]])


@lru_cache(maxsize=8_192)
def _code_at_end(piece: str) -> tuple[str, str] | None:
    """(code as written, currency) that a few characters of a text end with."""
    start = len(piece)
    while start > 0 and (piece[start - 1].isalpha() or piece[start - 1] == "."):
        start -= 1
    word = piece[start:].lstrip(".")
    if not word or len(piece) - start > _LONGEST_CODE:
        return None
    signs = _currencies().signs
    currency = signs.get(word) or signs.get(word.rstrip("."))
    return None if currency is None else (word, currency)


def currency_after(folded: str, start: int) -> CurrencyMatch | None:
    """The currency that stands directly behind position `start` (``5 €``, ``20 dollars``), or None."""
    begin = start
    while begin < len(folded) and begin - start < 2 and folded[begin] in _SPACES:
        begin += 1
    word = _WORD.match(folded, begin)
    if word is None:
        return None
    code = _code_in(word[0])
    if code is not None:
        return CurrencyMatch(begin, begin + len(code), _currencies().signs[code])
    return _name_after(folded, begin, word[0].rstrip("."))


@lru_cache(maxsize=8_192)
def _code_in(word: str) -> str | None:
    """The sign or code that a word is, abbreviated or at the end of a sentence."""
    signs = _currencies().signs
    return next((text for text in (word, word.rstrip("."), word.split(".")[0]) if text in signs), None)


def _name_after(folded: str, begin: int, first: str) -> CurrencyMatch | None:
    table = _currencies()
    word, end = first.casefold(), begin + len(first)
    if word in table.firsts and folded[end : end + 1] in (" ", "-"):
        second = _WORD.match(folded, end + 1)
        if second is not None and f"{word}-{second[0].casefold()}" in table.names:
            return CurrencyMatch(begin, second.end(), table.names[f"{word}-{second[0].casefold()}"])
    currency = table.names.get(word)
    return None if currency is None else CurrencyMatch(begin, end, currency)


def sole_currency(text: str) -> str | None:
    """The one currency that a text names anywhere (beside an amount, in brackets, by its sign); None: none or several.

    A receipt that heads its column ``RM`` states the unit of every amount on it. A shared sign (``$``) goes with the
    one currency that agrees with it.
    """
    signs = _currencies().signs
    named = {signs[sign] for sign in _signs_in(text)}
    exact = {currency for currency in named if currency not in _currencies().shared}
    if len(exact) > 1 or not named:
        return None
    sole = next(iter(exact or named))
    return sole if all(same_currency(sole, other) for other in named) else None


def _signs_in(text: str) -> Iterator[str]:
    """Signs and codes that stand where a currency would."""
    like_one, named = _named()
    begin = like_one.search(text)
    while begin is not None:
        match = named.match(text, begin.start())
        if match is not None:
            yield match[0]
        begin = like_one.search(text, begin.start() + 1 if match is None else match.end())


@cache
def _named() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """(what looks like a sign or code, quickly searched for; the same where it counts as one)."""
    codes = any_of([*_currencies().codes, "US$", "HK$", "NZ$", "AU$", "R$", "S$", "A$", "C$", "NT$", "Rp", "SFr."])
    # Codes are words as well (TRY, MAD): they need an amount or brackets beside them.
    before, after = r"(?:(?<=\d)|(?<=\d )|(?<=\())", r"(?:(?=\s{0,2}\d)|(?=\)))"
    word = r"(?<![^\W\d_])"
    signs = "".join(sorted(SIGN_CHARACTERS))
    named = re.compile(rf"{before}{codes}(?![^\W_])|{word}{codes}{after}|{word}RM(?![^\W\d_])|[{signs}]")
    return re.compile(rf"{codes}|RM|[{signs}]"), named


def currency_of(unit: str) -> str | None:
    """``€``, ``eur``, ``Euro`` → ``EUR``; None: no currency."""
    text = unit.strip()
    table = _currencies()
    if text in table.signs:
        return table.signs[text]
    if text.islower() and text.upper() in table.codes:  # `Myr` is a million years
        return text.upper()
    return table.names.get(text.casefold().replace(" ", "-"))


def same_currency(a: str, b: str) -> bool:
    """Whether two currencies (codes or shared signs) can be the same one."""
    shared = _currencies().shared
    return a == b or b in shared.get(a, ()) or a in shared.get(b, ())


def has_three_decimals(currency: str) -> bool:
    """Whether it has a thousand parts, so that ``1.234`` is an amount of it."""
    return currency in _currencies().three_decimals


def has_no_decimals(currency: str) -> bool:
    """Whether it has no parts in use, so that ``15,000`` is thousands."""
    return currency in _currencies().no_decimals


def is_comma_money(currency: str) -> bool:
    """Whether its countries write a decimal comma, so that ``kr 6.645`` has thousands."""
    return currency in _currencies().comma_money


def is_mixed_money(currency: str) -> bool:
    """Whether some of its countries write a decimal comma and some a point."""
    return currency in _currencies().mixed_money
