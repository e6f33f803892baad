"""Candidates that are values by form: days, numbers with their units, currencies, yes and no."""

from __future__ import annotations

import re
from collections.abc import Hashable, Sequence
from decimal import Decimal
from functools import lru_cache

import regex

from reviewapp.domain.dates import find_dates
from reviewapp.domain.properties import Property
from reviewapp.domain.workflows import Evidence, Rules
from reviewapp.extraction.quantities import Quantity, find_quantities
from reviewapp.extraction.rules.candidates import Candidate, make
from reviewapp.extraction.rules.layout import Cell, Layout, Line
from reviewapp.extraction.rules.pairs import find_pairs
from reviewapp.extraction.rules.steps import UNLABELLED, find_steps
from reviewapp.extraction.rules.vocabulary import End, Shape, unit_in_name
from reviewapp.extraction.units import canonical, convert, is_currency, same_kind, sign_means

_TIME = regex.compile(r"(?<![\d.,])\d{1,2}\s?:\s?\d{2}(?:\s?:\s?\d{2})?(?:\s?[AaPp]\.?[Mm]\b)?")
_YEAR = re.compile(r"\d{4}")
_CENTS = re.compile(r"[.,]\d{2}$")
_WORDS = regex.compile(r"\p{L}{3}")
_FEET_AND_INCHES = re.compile("['′’].*[\"″”]")
SHORTEST_UNIT, LONGEST_UNIT = 2, 12
"""Characters of a unit that has a cell of its own; single letters are as often something else."""
_LIKE_A_CODE = 6
"""A run of so many digits without a mark is rather a code than a number."""


def find_days(layout: Layout, rules: Rules, evidence: Evidence) -> list[Candidate]:
    """Every complete date."""
    found = []
    for reading in find_dates(layout.text, rules, evidence):
        if reading.value is None:
            continue
        written = layout.text[reading.start : reading.end]
        facts = {"ambiguous"} if reading.ambiguous else set()
        if _WORDS.search(written):
            facts.add("month in words")
        if not _YEAR.search(written):
            facts.add("year of two digits")
        if _TIME.match(layout.text, _skip_blanks(layout.text, reading.end)):
            facts.add("time behind it")
        iso = reading.value.isoformat()
        found.append(make(layout, "date", reading.start, reading.end, key=iso, facts=frozenset(facts)))
    return found


def _skip_blanks(text: str, at: int) -> int:
    while at < len(text) and text[at] in " \t":
        at += 1
    return at


def find_values(layout: Layout, rules: Rules, evidence: Evidence) -> list[Candidate]:
    """Every number that is no part of a date, a time or a code, with its unit; of a range its first number."""
    text = layout.text
    found = []
    quantities = find_quantities(text, rules, evidence)
    steps = find_pairs(layout, quantities) | find_steps(text, quantities)
    for index, quantity in enumerate(quantities):
        unit, facts, line = quantity.unit, _number_facts(text, quantity), layout.line_at(quantity.start)
        step = steps.get(index, UNLABELLED)
        if step.facts:
            facts |= step.facts
        start, end = quantity.start, quantity.end
        value = _printed(text, quantity)
        if unit is None and quantity.kind == "single" and (column := _unit_cell(layout, quantity, line)) is not None:
            unit, end = column
            if end > quantity.end:
                value = f"{value} {text[line.start : end].split()[-1]}"
        ends: tuple[tuple[Decimal, str], ...] = ()
        key: Hashable = (quantity.value, unit)
        if quantity.kind != "single":
            key = (quantity.kind, *(n.value for n in quantity.numbers), unit)
            ends = _ends(text, quantity)
        found.append(
            make(
                layout,
                "number",
                start,
                end,
                line=line,
                value=value,
                key=key,
                facts=facts,
                number=quantity.value,
                grouped=_grouped(quantity),
                ends=ends,
                unit_span=quantity.unit_span if unit else None,
                unit=unit,
                label=layout.words_in(step.label),
                run=layout.words_in(step.run),
            )
        )
    return found


_SIGN = regex.compile(r"[\p{Pd}−]")


def _unit_cell(layout: Layout, quantity: Quantity, line: Line) -> tuple[str, int] | None:
    """(unit, end of the value with it) where the next cell of the row, or the one before, holds nothing but a unit, as
    tables of results have it."""
    if len(line.cells) == 1:
        return None
    index = layout.cell_index(line, quantity.start)
    cell, end = line.cells[index], quantity.number_span[1]
    if end >= cell.end and index + 1 < len(line.cells) and (unit := _lone_unit(layout, line.cells[index + 1])):
        return unit, line.cells[index + 1].end
    if end >= cell.end and index > 1 and quantity.start == cell.start:
        unit = _lone_unit(layout, line.cells[index - 1])
        return None if unit is None else (unit, end)
    return None


def _lone_unit(layout: Layout, cell: Cell) -> str | None:
    written = layout.text[cell.start : cell.end]
    if not SHORTEST_UNIT <= len(written) <= LONGEST_UNIT or " " in written:
        return None
    unit = _canonical(written)
    return None if unit is None or is_currency(unit) else unit


@lru_cache(maxsize=4_096)
def _canonical(written: str) -> str | None:
    return canonical(written)


def _grouped(quantity: Quantity) -> Decimal | None:
    others = quantity.numbers[0].alternatives if quantity.kind == "single" else ()
    return next((n for n in others if n == n.to_integral_value()), None)


def _ends(text: str, quantity: Quantity) -> tuple[tuple[Decimal, str], ...]:
    """Both ends of a range, the lower first, each as it would be written alone: ``5–6 kg`` → ``5 kg``, ``6 kg``."""
    if quantity.kind != "range":
        return ()
    unit = text[slice(*quantity.unit_span)] if quantity.unit and quantity.unit_span else ""
    written = [(n.value, f"{text[n.start : n.end]} {unit}".strip()) for n in quantity.numbers]
    return tuple(sorted(written))


def _printed(text: str, quantity: Quantity) -> str:
    """The number with its unit beside it, also where a list states the unit once: ``500, 600 °C`` → ``500 °C``."""
    if quantity.kind != "single":
        return " ".join(text[quantity.start : quantity.end].split())
    start, end = quantity.number_span
    number = text[start:end]
    apart = quantity.value < 0 and not _SIGN.search(number)
    if apart or (quantity.unit_span is not None and quantity.unit is not None and start < quantity.unit_span[0] < end):
        return " ".join(text[slice(*quantity.core_span)].split())  # `-kr 6.645`, `RM(0.02)`, `5 ft 10 in`
    if quantity.unit is None or quantity.unit_span is None or quantity.unit_span[0] == start:
        return " ".join(number.split())
    unit = text[slice(*quantity.unit_span)]
    return f"{unit} {number}" if quantity.unit_span[0] < start else f"{number} {unit}"


def _number_facts(text: str, quantity: Quantity) -> frozenset[str]:
    start, end = quantity.number_span
    written = text[start:end]
    facts = {"decimals" if quantity.numbers[0].decimals else "whole number"}
    if quantity.kind != "single":
        facts.add(quantity.kind)
    if quantity.bound:
        facts.add(f"{quantity.bound} it")
    if quantity.hedge:
        facts.add("hedged")
    if quantity.in_words:
        facts.add("in words")
    if quantity.shared_unit:
        facts.add("unit shared with others")
    if (quantity.unit and is_currency(quantity.unit)) or _CENTS.search(written):
        facts.add("amount")
    if written.isdigit():
        if len(written) == 4 and written[:2] in ("19", "20") and quantity.unit is None:
            facts.add("like a year")
        if len(written) >= _LIKE_A_CODE:
            facts.add("like a code")
    if quantity.unit == "%":
        facts.add("percent")
    if text[end : end + 1] in ("-", "/", "_") and text[end + 1 : end + 2].isalpha():
        facts.add("goes on like a code")
    return frozenset(facts)


@lru_cache(maxsize=20_000)
def _fit(unit: str | None, wanted: str | None, shape: Shape) -> str | None:
    """How a unit suits a property's: one of the facts below, or None where it cannot be meant."""
    if shape == "duration" and (unit is None or not same_kind(unit, "s")):
        return None
    if wanted is None:
        if shape == "duration":
            return "same kind"
        if unit is None:
            return "no unit"
        if shape == "money":
            return "currency" if is_currency(unit) else None
        return "counted in pieces" if unit == "pcs" else "with a unit"
    if unit is None:
        return "no unit"
    if unit == canonical(wanted):
        return "same unit"
    if same_kind(unit, wanted):
        return "same kind"
    base, per, _ = unit.partition("/")
    if per and (base == canonical(wanted) or (is_currency(wanted) and is_currency(base) and same_kind(base, wanted))):
        return "per unit"  # `€5 per kg`, `6.75 % per annum`
    return "other currency" if is_currency(unit) and is_currency(wanted) else None


def fit_unit(candidate: Candidate, prop: Property, shape: Shape, end: End) -> tuple[str, Decimal, str | None] | None:
    """How a number suits a property, the number in the property's unit, and how it is written if not as it stands.

    None where it cannot be meant. `end` is the end of a range that the property asks for.
    """
    if candidate.number is None:
        return None
    number, written = candidate.number, None
    if candidate.ends and end is not None:
        number, written = candidate.ends[0 if end == "low" else -1]
    if prop.value_type == "i64" and number != number.to_integral_value():
        if candidate.grouped is None or candidate.unit is not None:
            return None
        number = candidate.grouped
    named = unit_in_name(prop)
    fit = _fit(candidate.unit, prop.unit or named, shape)
    if fit is None and prop.unit is not None and sign_means(_sign(candidate), prop.unit) is not None:
        fit = "no unit"  # `20 Grad`: of which scale the text does not say
    if fit is None or (named is not None and fit not in ("same unit", "no unit")):
        return None  # of a unit that only the name tells nothing is converted
    if prop.value_type in ("text", "keyword") and "in words" in candidate.facts and candidate.unit_span is not None:
        written = f"{number.normalize():f} {_time_word(candidate, number)}"
    if fit == "same kind" and candidate.unit and prop.unit and prop.value_type in ("f64", "i64"):
        number = convert(number, candidate.unit, prop.unit)
    return fit, number, written


def _sign(candidate: Candidate) -> str:
    """The unit as printed, where it ends the number and is the only one."""
    span = candidate.unit_span
    if span is None or span[1] != candidate.end or _FEET_AND_INCHES.search(candidate.value):
        return ""
    return candidate.value[span[0] - span[1] :]


def find_measures(layout: Layout, numbers: Sequence[Candidate]) -> list[Candidate]:
    """Whole quantities as words: hedge, bound, numbers and unit as the text has them."""
    return [make(layout, "phrase", n.start, n.end, facts=n.facts) for n in numbers]


def find_units(layout: Layout, numbers: Sequence[Candidate]) -> list[Candidate]:
    """The units printed beside numbers."""
    return [make(layout, "phrase", *n.unit_span, facts=n.facts) for n in numbers if n.unit_span is not None]


def _time_word(candidate: Candidate, number: Decimal) -> str:
    """The unit as printed; "the third anniversary" is three years."""
    word = candidate.value.split()[-1]
    if candidate.unit == "yr" and word.casefold() == "anniversary":
        return "year" if number == 1 else "years"
    return word


_SIGNS = regex.compile(
    r"\p{Sc}|\b(?:RM|Rs|kr|zł|Kč|Ft|Fr)\b|\b(?:USD|EUR|GBP|CHF|MYR|INR|PLN|SGD|CAD|AUD|SEK|NOK|DKK|JPY|CNY)\b"
)


def find_currencies(layout: Layout) -> list[Candidate]:
    """Currencies printed, by sign or code; each candidate's value is the ISO code."""
    from reviewapp.extraction.units import currency_of

    usual = {"$": "USD", "Rs": "INR", "kr": "SEK", "¥": "JPY"}
    found = []
    for match in _SIGNS.finditer(layout.text):
        currency = currency_of(match[0])
        if currency is not None:
            code = usual.get(currency, currency)
            facts = frozenset(("by sign",)) if currency != match[0] else frozenset(("by code",))
            found.append(make(layout, "currency", *match.span(), value=code, key=code, facts=facts))
    return found
