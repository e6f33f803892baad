"""Terms joined to quantities: ranges, tolerances, dimensions and lists are told apart, never averaged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from reviewapp.domain.workflows import Evidence, Rules
from reviewapp.domain.writing import fold
from reviewapp.extraction.quantities.model import Kind, Quantity
from reviewapp.extraction.quantities.phrases import Before, joint, words_after, words_before
from reviewapp.extraction.quantities.terms import Term, scan_terms
from reviewapp.extraction.units import convert, kind_of, same_kind

_LENGTHS = "[length]"


def find_quantities(text: str, rules: Rules, evidence: Evidence) -> list[Quantity]:
    """Every quantity of the text in order: bare numbers, numbers with units, amounts of money, numbers in words.

    Numbers of dates, times and identifiers are none. A range is one quantity with two numbers. The members of a list
    (``5 and 6 mg``) and of dimensions (``18 x 4 in``) are single quantities that share the unit.
    """
    folded = fold(text)
    terms = scan_terms(folded, rules, evidence)
    joints = [joint(folded[a.end : b.start]) for a, b in zip(terms, terms[1:], strict=False)]
    befores = [words_before(folded, term.start) for term in terms]
    terms = _share_units(folded, terms, joints)
    quantities: list[Quantity] = []
    at = 0
    while at < len(terms):
        kind = _pair_kind(folded, terms, joints, befores, at)
        if kind is None:
            quantities.append(_single(folded, terms[at], befores[at]))
            at += 1
        else:
            hedge = joints[at]["hedge"] if kind == "range" else None  # type: ignore[index]
            quantities.append(_pair(folded, terms[at], terms[at + 1], befores[at], kind, hedge))
            at += 2
    return quantities


def _pair_kind(
    folded: str, terms: Sequence[Term], joints: Sequence[object], befores: Sequence[Before], at: int
) -> Kind | None:
    """Whether the term and the next one are the two ends of a range, or a number and its tolerance."""
    if at + 1 >= len(terms):
        return None
    join = joint(folded[terms[at].end : terms[at + 1].start])
    if join is None:
        return None
    first, second, opener = terms[at], terms[at + 1], befores[at].opener
    if not _units_agree(first, second):
        return None
    if join["tolerance"]:
        return "tolerance"
    if join["to"]:
        return "range"
    if join["and"]:
        between = opener in ("between", "zwischen", "entre", "tussen", "antara") and "or" not in join["and"]
        return "range" if between else None
    if join["dash"]:
        return "range" if _dash_is_range(folded, first, second) else None
    return None


def _units_agree(first: Term, second: Term) -> bool:
    if first.unit is None or second.unit is None:
        return first.unit is None or first.currency_first
    return first.unit == second.unit or same_kind(first.unit, second.unit)


def _dash_is_range(folded: str, first: Term, second: Term) -> bool:
    dash = folded[first.end : second.start]
    if second.number.value < 0 and first.unit is None and second.unit is None:
        return False
    digits = folded[second.number.start : second.number.end]
    if digits[:1] == "0" and digits[1:2].isdigit():
        return False
    if first.unit is None and second.unit is None and dash.strip() == "-":
        return dash == "-" and first.number.value < second.number.value
    return True


def _share_units(folded: str, terms: list[Term], joints: Sequence[object]) -> list[Term]:
    """Gives the unit of the last member to those before it: ``2, 5 and 10 µg``, ``4 × 4 × 5 mm``."""
    shared = list(terms)
    for last in range(len(terms) - 1, 0, -1):
        unit = shared[last].unit
        if unit is None or shared[last].currency_first or terms[last].unit is None:
            continue
        first = _first_member(folded, terms, last)
        for at in range(first, last):
            if shared[at].unit is None:
                shared[at] = replace(
                    shared[at], unit=unit, unit_span=terms[last].unit_span, unit_ambiguous=terms[last].unit_ambiguous
                )
    return shared


def _first_member(folded: str, terms: list[Term], last: int) -> int:
    """Index of the first term of the list or the dimensions that end with `last`."""
    join = joint(folded[terms[last - 1].end : terms[last].start])
    if join is None or terms[last - 1].unit is not None:
        return last
    if join["by"]:
        if kind_of(terms[last].unit or "") != _LENGTHS:
            return last
        first = last - 1
        while first > 0 and _joined_by(folded, terms[first - 1], terms[first], "by") and terms[first - 1].unit is None:
            first -= 1
        return first
    if join["and"]:
        first = last - 1
        while (
            first > 0 and _joined_by(folded, terms[first - 1], terms[first], "comma") and terms[first - 1].unit is None
        ):
            first -= 1
        return first
    return last


def _joined_by(folded: str, a: Term, b: Term, how: str) -> bool:
    join = joint(folded[a.end : b.start])
    return join is not None and join[how] is not None


def _single(folded: str, term: Term, before: Before) -> Quantity:
    end, bound, hedge = words_after(folded, term.end)
    bound = before.bound or bound
    kind: Kind = "deviation" if before.plus_minus else "bound" if bound else "single"
    beside = term.unit_span is not None and term.unit is not None and not term.start <= term.unit_span[0] <= term.end
    return Quantity(
        start=before.start if _says_something(before) else term.start,
        end=end if (bound or hedge) else term.end,
        kind=kind,
        numbers=(term.number,),
        unit=term.unit,
        unit_span=term.unit_span,
        unit_ambiguous=term.unit_ambiguous,
        bound=bound,
        hedge=before.hedge or hedge,
        shared_unit=beside,
        in_words=term.in_words,
    )


def _says_something(before: Before) -> bool:
    return bool(before.bound or before.hedge or before.plus_minus)


def _pair(folded: str, first: Term, second: Term, before: Before, kind: Kind, hedge: str | None) -> Quantity:
    unit = first.unit or second.unit
    other = second.number
    if first.unit and second.unit and first.unit != second.unit:
        other = replace(other, value=convert(other.value, second.unit, first.unit, difference=kind == "tolerance"))
    spans = [t.unit_span for t in (second, first) if t.unit is not None and t.unit_span is not None]
    end, _, after = words_after(folded, second.end)
    return Quantity(
        start=before.start,
        end=end if after else second.end,
        kind=kind,
        numbers=(first.number, other),
        unit=unit,
        unit_span=spans[0] if spans else second.unit_span,
        unit_ambiguous=first.unit_ambiguous or second.unit_ambiguous,
        hedge=before.hedge or (hedge.strip() if hedge and hedge.strip() != "to" else None) or after,
        in_words=first.in_words or second.in_words,
    )
