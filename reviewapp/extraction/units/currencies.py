"""Currencies: units of their own kind, never converted into each other."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

_DOLLARS = "USD CAD AUD NZD SGD HKD TWD BBD BSD BZD FJD JMD NAD TTD XCD LRD SBD SRD BND KYD BMD GYD".split(" ")
_CROWNS = "SEK NOK DKK ISK CZK".split(" ")
_RUPEES = "INR PKR LKR NPR MUR SCR".split(" ")
_YENS = "JPY CNY".split(" ")

MEMBERS: dict[str, tuple[str, ...]] = {
    "$": tuple(_DOLLARS),
    "kr": tuple(_CROWNS),
    "Rs": tuple(_RUPEES),
    "¥": tuple(_YENS),
    "pound": ("GBP",),
}
"""Signs that several currencies share: they agree with each of them, and no more can be said."""

_SIGNS = {
    "€": "EUR", "£": "GBP", "¥": "¥", "₹": "INR", "₽": "RUB", "₺": "TRY", "₩": "KRW", "₫": "VND", "฿": "THB", "₪": "ILS",
    "₦": "NGN", "₱": "PHP", "₴": "UAH", "₡": "CRC", "₲": "PYG", "₵": "GHS", "₸": "KZT", "₼": "AZN", "$": "$", "元": "CNY", "円": "JPY",
    "US$": "USD", "U.S.$": "USD", "USD$": "USD", "C$": "CAD", "CA$": "CAD", "A$": "AUD", "AU$": "AUD", "NZ$": "NZD", "S$": "SGD",
    "HK$": "HKD", "NT$": "TWD", "MX$": "MXN", "R$": "BRL", "RM": "MYR", "Rp": "IDR", "Rs": "Rs", "Rs.": "Rs", "kr": "kr", "kr.": "kr",
    "Kr": "kr", "zł": "PLN", "Kč": "CZK", "Ft": "HUF", "lei": "RON", "Fr.": "CHF", "SFr.": "CHF", "SFr": "CHF", "CN¥": "CNY", "JP¥": "JPY",
    "ريال": "SAR", "د.إ": "AED", "лв": "BGN", "руб": "RUB", "руб.": "RUB", "грн": "UAH",
}  # fmt: skip
_CODES = (
    *_DOLLARS, *_CROWNS, *_RUPEES, *_YENS, "EUR", "GBP", "CHF", "MYR", "IDR", "THB", "PHP", "VND", "KRW", "BRL", "MXN", "ARS",
    "CLP", "COP", "PEN", "UYU", "PLN", "HUF", "RON", "BGN", "HRK", "RSD", "TRY", "RUB", "UAH", "KZT", "ILS", "AED", "SAR", "QAR",
    "KWD", "BHD", "OMR", "JOD", "EGP", "MAD", "TND", "ZAR", "NGN", "KES", "GHS", "TZS", "UGX", "BDT", "MMK", "KHR", "LAK", "MNT",
)  # fmt: skip
_NAMES = {
    "euro": "EUR", "euros": "EUR", "dollar": "$", "dollars": "$", "us-dollar": "USD", "us-dollars": "USD", "pound-sterling": "GBP",
    "pounds-sterling": "GBP", "sterling": "GBP", "franc": "CHF", "francs": "CHF", "franken": "CHF", "swiss-francs": "CHF", "yen": "JPY",
    "yuan": "CNY", "renminbi": "CNY", "rmb": "CNY", "rupee": "Rs", "rupees": "Rs", "ringgit": "MYR", "rupiah": "IDR", "baht": "THB",
    "kronor": "SEK", "kroner": "kr", "krone": "kr", "krona": "SEK", "kronen": "kr", "zloty": "PLN", "złoty": "PLN", "złotych": "PLN",
    "forint": "HUF", "rubles": "RUB", "roubles": "RUB", "rubel": "RUB", "lira": "TRY", "shekel": "ILS", "shekels": "ILS", "won": "KRW",
    "dong": "VND", "reais": "BRL", "peso": "MXN", "pesos": "MXN", "rand": "ZAR", "dirham": "AED", "dirhams": "AED", "riyal": "SAR",
    "riyals": "SAR", "quid": "GBP", "penny": "penny", "pence": "penny", "pennies": "penny", "cent": "cent", "cents": "cent",
    "dime": "dime", "dimes": "dime",
}  # fmt: skip

THREE_DECIMALS = frozenset(("BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"))
"""Currencies of a thousand parts: ``1.234`` is one and a bit of these."""
COMMA_MONEY = frozenset(
    ("kr", "SEK", "NOK", "DKK", "ISK", "BRL", "IDR", "VND", "PLN", "CZK", "HUF", "RUB", "UAH", "ARS", "CLP")
)
"""Currencies of countries that write a decimal comma: ``kr 6.645`` has thousands."""


@dataclass(frozen=True, slots=True)
class CurrencyMatch:
    """A currency at ``text[start:end]``."""

    start: int
    end: int
    currency: str
    """ISO 4217 code, or a sign that several share (`MEMBERS`)."""


@cache
def _before() -> re.Pattern[str]:
    signs = sorted([*_SIGNS, *_CODES], key=len, reverse=True)
    return re.compile(rf"(?<![^\W\d_])(?P<sign>{'|'.join(map(re.escape, signs))})\.?[ \u00a0]{{0,2}}$")


@cache
def _after() -> re.Pattern[str]:
    signs = sorted([*_SIGNS, *_CODES], key=len, reverse=True)
    names = sorted(_NAMES, key=len, reverse=True)
    words = "|".join(re.escape(n).replace(r"\-", "[ -]") for n in names)
    return re.compile(
        rf"[ \u00a0]{{0,2}}(?:(?P<sign>{'|'.join(map(re.escape, signs))})(?![^\W\d_])|(?P<name>(?i:{words}))(?![^\W\d_]))"
    )


def currency_before(folded: str, end: int) -> CurrencyMatch | None:
    """The currency that stands directly before position `end` (``RM 9.00``, ``US$5``), or None."""
    window = max(0, end - 9)
    match = _before().search(folded, window, end)
    if match is None:
        return None
    return CurrencyMatch(match.start("sign"), match.end("sign"), _SIGNS.get(match["sign"], match["sign"]))


def currency_after(folded: str, start: int) -> CurrencyMatch | None:
    """The currency that stands directly behind position `start` (``5 €``, ``20 dollars``), or None."""
    match = _after().match(folded, start)
    if match is None:
        return None
    if match["sign"]:
        return CurrencyMatch(match.start("sign"), match.end("sign"), _SIGNS.get(match["sign"], match["sign"]))
    name = match["name"].casefold().replace(" ", "-")
    return CurrencyMatch(match.start("name"), match.end("name"), _NAMES[name])


def currency_of(unit: str) -> str | None:
    """``€``, ``eur``, ``Euro`` → ``EUR``; None: no currency."""
    text = unit.strip()
    if text in _SIGNS:
        return _SIGNS[text]
    if text.upper() in _CODES:
        return text.upper()
    return _NAMES.get(text.casefold().replace(" ", "-"))


def same_currency(a: str, b: str) -> bool:
    """Whether two currencies (codes or shared signs) can be the same one."""
    return a == b or b in MEMBERS.get(a, ()) or a in MEMBERS.get(b, ())
