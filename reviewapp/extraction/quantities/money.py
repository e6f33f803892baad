"""What is particular to amounts of money: signs before them, ledgers' negatives, prices per unit, three decimals."""

from __future__ import annotations

import re
from decimal import Decimal

from reviewapp.domain.numbers import NumberReading
from reviewapp.extraction.quantities.alone import CREDIT, is_amount
from reviewapp.extraction.quantities.term import Term
from reviewapp.extraction.units import currency_after, currency_before, is_currency, match_under, same_currency
from reviewapp.extraction.units.currencies import (
    SIGN_CHARACTERS,
    has_no_decimals,
    has_three_decimals,
    is_comma_money,
    is_mixed_money,
)

_CELL_ENDS = re.compile(r"[ \u00a0]*(?:$|[\n|;]|\s{2})")
_MINUS_BEHIND = re.compile(r"-(?=$|\s)(?![ \u00a0]*\d)")
_ORE = re.compile(r":(?:-(?!\w)|(?P<ore>\d\d)(?=[ \u00a0]?(?:kr|SEK|NOK|DKK)\b))", re.IGNORECASE)
_PER = re.compile(r"[ \u00a0]?(?:/|per\b)[ \u00a0]?")


def with_ore(folded: str, term: Term) -> Term:
    """``1 234:50 kr`` and ``49:-``, as Swedish prices have it."""
    ore = _ORE.match(folded, term.end)
    if ore is None or term.number.decimals:
        return term
    digits = re.sub(r"\D", "", folded[term.number.start : term.end])
    value = Decimal(f"{digits}.{(ore['ore'] or '00')}")
    number = NumberReading(term.number.start, ore.end(), value, decimals=ore["ore"] is not None)
    return term._replace(end=ore.end(), number=number)


def may_have_a_sign(folded: str, start: int) -> bool:
    """Whether letters or a sign stand before a number, which may be a currency or pH."""
    before = folded[max(0, start - 3) : start].rstrip(" =:\u00a0")[-1:]
    return before.isalpha() or before == "." or before in SIGN_CHARACTERS


def with_currency_before(folded: str, term: Term, ruled: str | None) -> Term:
    """``RM 9.00``, ``-kr 6.645``, ``R$ -2,00``: the minus may stand before the sign or behind it."""
    found = currency_before(folded, term.start)
    if found is None:
        return term
    number, start = term.number, found.start
    before = folded[start - 1 : start]
    if before in ("-", "–") and number.value > 0 and not folded[max(0, start - 2) : start - 1].isalnum():
        start -= 1
        number = negative(number)
    number = _read_as_money(number, found.currency, ruled)
    term = term._replace(
        start=start, number=number, unit=found.currency, unit_span=(found.start, found.end), unit_first=True
    )
    code = currency_after(folded, term.end)
    if code is None or code.currency == found.currency or not same_currency(code.currency, found.currency):
        return term
    return term._replace(end=code.end, unit=code.currency)  # $5,000.00 USD


def with_currency_after(folded: str, term: Term, ruled: str | None) -> Term:
    found = currency_after(folded, term.end)
    if found is None:
        return term
    number = _read_as_money(term.number, found.currency, ruled)
    return term._replace(end=found.end, number=number, unit=found.currency, unit_span=(found.start, found.end))


def negative(number: NumberReading) -> NumberReading:
    return number._replace(
        value=number.value.copy_negate(), alternatives=tuple(a.copy_negate() for a in number.alternatives)
    )


def _read_as_money(number: NumberReading, currency: str, ruled: str | None) -> NumberReading:
    """``kr 6.645``: an amount with three digits behind its one mark has thousands, not mills.

    The rules' decimal mark goes before that. Where the other texts write a point and the currency's countries do not
    (``1.234 EUR``), both readings are possible.
    """
    if ruled is not None or not number.alternatives or has_three_decimals(currency):
        return number
    readings = (number.value, *number.alternatives)
    grouped = max(readings, key=abs)
    if has_no_decimals(currency):
        return number._replace(value=grouped, alternatives=tuple(n for n in readings if n != grouped), ambiguous=None)
    comma_money = is_comma_money(currency)
    if number.ambiguous is None and (number.value == grouped or not (comma_money or is_mixed_money(currency))):
        return number
    reason = number.ambiguous or f"the amount can be read as {readings[0]} or {readings[1]}"
    settled = number.ambiguous is not None and comma_money and number.value != grouped
    return number._replace(
        value=grouped,
        alternatives=tuple(n for n in readings if n != grouped),
        ambiguous=None if settled else reason,
    )


def with_price_unit(folded: str, term: Term) -> Term:
    """``$350 per kg`` → ``$/kg``."""
    per = _PER.match(folded, term.end)
    unit = match_under(folded, per.end()) if per else None
    if unit is None or term.unit_span is None:
        return term
    start = term.unit_span[0]
    return term._replace(end=unit.end, unit=f"{term.unit}/{unit.canonical}", unit_span=(start, unit.end))


def with_ledger_sign(folded: str, term: Term) -> Term:
    """``(1,234.00)`` in parentheses, ``100.00-`` and ``100.00 CR`` are how ledgers write a negative amount."""
    if "C" in folded[term.end : term.end + 2] and (credit := CREDIT.match(folded, term.end)) and term.number.value > 0:
        money = term.unit is not None and is_currency(term.unit)
        if money or (term.unit is None and is_amount(term.number)):
            shown = folded[term.start : credit.end()]
            number = negative(term.number)
            if not money:
                reason = f"{shown!r} can be a credit or an amount with a code behind it"
                number = number._replace(ambiguous=reason, alternatives=(term.number.value,))
            return term._replace(end=credit.end(), number=number)
    if term.unit is not None and not term.unit_first and _MINUS_BEHIND.match(folded, term.end):
        of_money = is_currency(term.unit) and term.number.value > 0
        return term._replace(end=term.end + 1, number=negative(term.number)) if of_money else term  # 5,00 EUR-
    if folded[term.end : term.end + 1] not in (")", "-") or not (term.unit is None or term.unit_first):
        return term
    if not is_amount(term.number) or term.number.value <= 0:
        return term
    if folded[term.start - 1 : term.start] == "(" and folded[term.end : term.end + 1] == ")":
        return _in_brackets(folded, term)
    if _MINUS_BEHIND.match(folded, term.end):
        term = term._replace(end=term.end + 1, number=negative(term.number)._replace(end=term.number.end + 1))
        return with_currency_after(folded, term, None) if term.unit is None else term
    return term


def _in_brackets(folded: str, term: Term) -> Term:
    """``RM(0.02)`` and ``(1.234,50) EUR`` are negative; ``(45.00)`` alone may be."""
    if term.unit is None and (sign := currency_before(folded, term.start - 1)):
        unit_span = (sign.start, sign.end)
        term = term._replace(start=sign.start, end=term.end + 1, unit=sign.currency, unit_span=unit_span)
        return term._replace(number=negative(term.number), unit_first=True)
    inside = term
    term = term._replace(start=term.start - 1, end=term.end + 1)
    if term.unit is None and (found := currency_after(folded, term.end)):
        told_again = folded[: term.start].rstrip(" ")[-1:].isalpha()  # zwanzig (20,00) EUR
        number = term.number if told_again else negative(term.number)
        return term._replace(end=found.end, number=number, unit=found.currency, unit_span=(found.start, found.end))
    reason = f"{folded[term.start : term.end]!r} in parentheses can be a negative amount"
    if term.unit_first or "," in folded[term.start : term.end]:
        number = negative(term.number)._replace(ambiguous=reason, alternatives=(term.number.value,))
    elif _CELL_ENDS.match(folded, term.end):
        number = term.number._replace(ambiguous=reason, alternatives=(-term.number.value,))
    else:
        return inside
    return term._replace(number=number)
