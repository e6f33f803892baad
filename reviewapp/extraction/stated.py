"""Whether a quote states a value: by value, not by spelling (``½`` is 0.5, ``600 mm`` is 60 cm, ``five`` is 5)."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from reviewapp.domain.booleans import read_bool
from reviewapp.domain.dates import find_dates
from reviewapp.domain.numbers import NumberReading, find_numbers
from reviewapp.domain.places import Place, Span
from reviewapp.domain.properties import Property, Value
from reviewapp.domain.values import print_value, shorten
from reviewapp.domain.workflows import Evidence, Rules
from reviewapp.extraction.beside import doubt_beside, doubt_beside_day
from reviewapp.extraction.cues import alike, words
from reviewapp.extraction.prepared import PreparedText, normalised
from reviewapp.extraction.quantities import Quantity, find_quantities
from reviewapp.extraction.units import canonical, convert, match_unit, same_kind
from reviewapp.extraction.wording import negations

TOLERANCE: Final = 1e-6
"""Relative; a fraction such as 1/3 has been rounded once."""
IMPLIED: Final = 0.5
"""What a quote without a word for yes or no, or for the option, is worth: somebody has drawn a conclusion."""
OMITTED: Final = " … "
"""Stands between the pieces of a quote with an ellipsis."""
WINDOW: Final = 80
"""Characters beside a place in which its quantities are read."""
_NUMBERS_SHOWN: Final = 5
_JOINS: Final = r"[ \u00a0]?(?:/|,?[ \u00a0](?:or|oder|and|und|ou|o|bzw\.)[ \u00a0])[ \u00a0]?"


@dataclass(frozen=True, slots=True)
class Stated:
    """How a quote stands to a value."""

    share: float
    """1: it states this very value; 0: nothing of it; between: some of the words, or by implication."""
    rivals: int
    """Other values of the same kind in the quote."""


def whole_phrase(prepared: PreparedText, place: Place, rules: Rules, evidence: Evidence) -> str:
    """The words of a place, widened to the whole quantities whose numbers it holds.

    A quote ``600 mm`` may leave out what the text says about it: ``about 600 mm``, ``500 to 600 mm``, ``up to 600 mm``;
    a quote ``600`` its unit.
    """
    pieces = []
    for line, low, span in _beside(prepared, place):
        start, end = span.start, span.end
        for quantity in find_quantities(line, rules, evidence):
            if any(span.start <= low + n.start and low + n.end <= span.end for n in quantity.numbers):
                unit_end = low + _unit_end(line, quantity)
                start, end = min(start, low + quantity.start), max(end, low + quantity.end, unit_end)
        if prepared.text[start - 1 : start] == "(" and ")" in prepared.text[start:end]:
            start -= 1  # "2) years" out of "two (2) years"
        pieces.append(prepared.text[start:end])
    return OMITTED.join(pieces)


def doubted_day(prepared: PreparedText, place: Place, rules: Rules, evidence: Evidence) -> str | None:
    """Why a day is no single, exact one by the words beside its place (``ca.``, the other end of a span); None: it is.

    A quote ``01.02.2024`` may leave out what the text says about it, as one of a number may (`whole_phrase`).
    """
    for line, low, span in _beside(prepared, place):
        for day in find_dates(line, rules, evidence):
            is_inside = span.start <= low + day.start and low + day.end <= span.end
            if is_inside and (doubt := day.ambiguous or doubt_beside_day(line, day.start, day.end)):
                return doubt
    return None


def doubted_number(prepared: PreparedText, place: Place, rules: Rules, evidence: Evidence) -> str | None:
    """Why a number is one of several (``12/24``, ``5, 10 and 15 mg``), or unsure, by what stands beside it; None: it is
    not."""
    for line, low, span in _beside(prepared, place):
        found = find_quantities(line, rules, evidence)
        own = [q for q in found if span.start <= low + q.number_span[0] and low + q.number_span[1] <= span.end]
        if any(q.one_of for q in own):
            several = [q for q in found if q.one_of]
            shown = line[several[0].start : several[-1].end]
            return f"{shorten(shown)} states several values, not a single one."
        if doubt := next((doubt for q in own if (doubt := doubt_beside(line, q))), None):
            return doubt
    return None


def doubted_option(prepared: PreparedText, place: Place, prop: Property, value: str) -> str | None:
    """Why an option is one of several by what stands beside it (``T30/T90``, ``red or white``); None: it is not."""
    for line, low, span in _beside(prepared, place):
        left, right = line[: span.start - low], line[span.end - low :]
        for option in prop.options:
            if normalised(option) == normalised(value):
                continue
            written = re.escape(option)
            if re.match(rf"{_JOINS}{written}(?![^\W_])", right, re.IGNORECASE) or re.search(
                rf"(?<![^\W_]){written}{_JOINS}\Z", left, re.IGNORECASE
            ):
                return f"{value!r} and {option!r} stand side by side; one of them is expected."
    return None


def _beside(prepared: PreparedText, place: Place) -> Iterator[tuple[str, int, Span]]:
    """(words of its line around each span of a place, where they begin in the text, the span)."""
    for span in place:
        line_start, line_end = prepared.lines[prepared.line_number(span.start)]
        low, high = max(line_start, span.start - WINDOW), max(span.end, min(line_end, span.end + WINDOW))
        yield prepared.text[low:high], low, span


def _unit_end(words: str, quantity: Quantity) -> int:
    """Where the unit ends, an unknown one too, which is to be named; but not a word that only alone would be a unit.

    ``2 in`` out of ``2 in 5 patients`` would be inches.
    """
    if quantity.unit_span is None:
        return quantity.end
    start, end = quantity.unit_span
    return end if quantity.unit or match_unit(words[start:end], 0) is None else quantity.end


def stated(prop: Property, value: Value, quote: str, rules: Rules, evidence: Evidence) -> Stated:
    """How far the quote states the property's typed value."""
    if isinstance(value, bool):
        return _yes_or_no(value, quote)
    if isinstance(value, int | float):
        return _number(prop, value, quote, rules, evidence)
    if prop.value_type == "date":
        found = [{d.value, *d.alternatives} for d in find_dates(quote, rules, evidence) if d.value]
        same = [days for days in found if value in {day.isoformat() for day in days if day}]
        return Stated(float(bool(same)), len(found) - len(same))
    return _words(prop, value, quote)


def number_missing(prop: Property, value: Value, quote: str, rules: Rules, evidence: Evidence) -> str | None:
    """Why a number is not in its own quote, as one sentence; None: it is, or the value is no number."""
    if isinstance(value, str | bool) or stated(prop, value, quote, rules, evidence).share:
        return None
    found = find_quantities(quote, rules, evidence) or find_numbers(quote, rules, evidence)
    shown = list(dict.fromkeys(" ".join(quote[n.start : n.end].split()) for n in found))
    unit = f" {prop.unit}" if prop.unit else ""
    there = f"it has {', '.join(shown[:_NUMBERS_SHOWN])}" if shown else "it has no number"
    return f"The quote does not state {print_value(value, prop.value_type)}{unit}; {there}."


def _number(prop: Property, value: float, quote: str, rules: Rules, evidence: Evidence) -> Stated:
    same = rivals = 0
    quantities = find_quantities(quote, rules, evidence)
    for quantity in quantities:
        rival = not prop.unit or not quantity.unit or same_kind(quantity.unit, prop.unit)
        for number in quantity.numbers:
            if any(_equal(reading, value) for reading in _readings(number, quantity.unit, prop.unit)):
                same += 1
            elif rival:
                rivals += 1
    if not same:
        # Numbers of identifiers and dates are no quantities, but the quote states them all the same.
        taken = [(q.start, q.end) for q in quantities]
        loose = (n for n in find_numbers(quote, rules, evidence) if not any(s <= n.start < e for s, e in taken))
        same = sum(_equal(reading, value) for number in loose for reading in _plain(number))
    return Stated(float(same > 0), rivals)


def _plain(number: NumberReading) -> tuple[Decimal, ...]:
    return (number.value, *number.alternatives)


def _readings(number: NumberReading, unit: str | None, wanted: str | None) -> Iterable[Decimal]:
    """What a number with its unit can mean in the wanted unit; as it stands where there is nothing to convert."""
    for plain in _plain(number):
        if unit and wanted and unit != wanted and same_kind(unit, wanted):
            yield convert(plain, unit, wanted)
            yield convert(plain, unit, wanted, difference=True)
        else:
            yield plain


def _equal(number: Decimal, value: float) -> bool:
    if isinstance(value, int):
        return number == value
    return math.isclose(float(number), value, rel_tol=TOLERANCE)


def _yes_or_no(value: bool, quote: str) -> Stated:
    said = [read_bool(word) for word in words(quote)]
    negated = bool(negations(normalised(quote)))
    said += [False] * negated
    same, other = said.count(value), said.count(not value)
    if same or other:
        return Stated(float(same > 0), other if not (negated and not value) else 0)
    return Stated(IMPLIED, 0)


def _words(prop: Property, value: str, quote: str) -> Stated:
    wanted, there = words(value), words(quote)
    rivals = sum(_holds(there, words(option)) for option in prop.options if normalised(option) != normalised(value))
    if _holds(there, wanted) or (not wanted and normalised(value) in normalised(quote)):
        contained = sum(
            _holds(wanted, words(option)) for option in prop.options if normalised(option) != normalised(value)
        )
        return Stated(1.0, max(0, rivals - contained))
    if "".join(normalised(value).split()) in "".join(normalised(quote).split()):
        return Stated(0.9, rivals)
    if (unit := canonical(value)) and any(canonical(piece) == unit for piece in quote.split()):
        return Stated(1.0, rivals)
    share = sum(any(alike(w, t) for t in there) for w in wanted) / len(wanted) if wanted else 0.0
    if prop.options:
        return Stated(max(IMPLIED, 0.9 * share), rivals)
    return Stated(0.9 * share, rivals)


def _holds(there: tuple[str, ...], wanted: tuple[str, ...]) -> bool:
    """Whether these words stand there in a row."""
    size = len(wanted)
    return size > 0 and any(there[at : at + size] == wanted for at in range(len(there) - size + 1))
