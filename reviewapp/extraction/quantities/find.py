"""Terms joined to quantities: ranges, tolerances, dimensions and lists are told apart, never averaged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from itertools import pairwise

from reviewapp.domain.numbers import NumberReading
from reviewapp.domain.workflows import Evidence, Rules
from reviewapp.domain.writing import fold
from reviewapp.extraction.quantities.model import Kind, Quantity
from reviewapp.extraction.quantities.phrases import Before, Joint, joint, words_after, words_before
from reviewapp.extraction.quantities.term import Term
from reviewapp.extraction.quantities.terms import scan_terms
from reviewapp.extraction.units import convert, kind_of, same_kind

KEPT_TO = 400
"""Characters of a text whose quantities are kept for the next who asks."""
_SIZES = ("[length]", "angle")
"""Kinds that dimensions are told in."""


def find_quantities(text: str, rules: Rules, evidence: Evidence) -> list[Quantity]:
    """Every quantity of the text in order: bare numbers, numbers with units, amounts of money, numbers in words.

    Numbers of dates, times and identifiers are none. A range is one quantity with two numbers. The members of a list
    (``5 and 6 mg``) and of dimensions (``18 x 4 in``) are single quantities that share the unit.
    """
    return list(_kept(text, rules, evidence)) if len(text) <= KEPT_TO else _found(text, rules, evidence)


@lru_cache(maxsize=256)
def _kept(text: str, rules: Rules, evidence: Evidence) -> tuple[Quantity, ...]:
    """A quote's quantities are asked for several times while its value is judged."""
    return tuple(_found(text, rules, evidence))


def _found(text: str, rules: Rules, evidence: Evidence) -> list[Quantity]:
    folded = fold(text)
    terms = scan_terms(folded, rules, evidence)
    joints = [joint(folded, a.end, b.start) for a, b in pairwise(terms)]
    terms = _share_units(terms, joints)
    quantities: list[Quantity] = []
    at = 0
    while at < len(terms):
        before = words_before(folded, terms[at].start)
        pair = _pair(folded, terms, joints, before, at) if at < len(joints) and joints[at] is not None else None
        power = _bare_power(folded, terms, at)
        if power is not None:
            quantities.append(_single(folded, power, before))
            at += 2
        elif pair is None:
            single = _single(folded, terms[at], before)
            quantities.append(single._replace(one_of=True) if _is_one_of_several(terms, joints, at) else single)
            at += 1
        else:
            quantities.append(_joined(folded, pair, before))
            at += 2
    return quantities


def _bare_power(folded: str, terms: Sequence[Term], at: int) -> Term | None:
    """``10−5 mbar`` out of a text that lost its superscripts; a range would not fall."""
    if at + 1 >= len(terms) or terms[at + 1].unit is None or folded[terms[at].start : terms[at].end] != "10":
        return None
    first, second = terms[at], terms[at + 1]
    digit = folded[first.end : second.number.end]
    if len(digit) != 2 or digit[0] not in "-–" or not "1" <= digit[1] <= "9":
        return None
    shown = folded[first.start : second.number.end]
    number = NumberReading(
        first.number.start,
        second.number.end,
        Decimal(1).scaleb(-int(digit[1])),
        f"{shown!r} can mean a power of ten or a range",
        (Decimal(10),),
    )
    return second._replace(start=first.start, number=number)


@dataclass(frozen=True, slots=True)
class _Pair:
    """Two terms that make one quantity."""

    first: Term
    second: Term
    kind: Kind
    hedge: str | None


def _pair(folded: str, terms: Sequence[Term], joints: Sequence[Joint | None], before: Before, at: int) -> _Pair | None:
    """The term and the next one as the two ends of a range, or a number and its tolerance; None: they are neither."""
    join = joints[at]
    if join is None:
        return None
    first, second = terms[at], terms[at + 1]
    if not _units_agree(first, second):
        return None
    if join.kind == "tolerance":
        return _Pair(first, second, "tolerance", None)
    if join.kind == "to" and "to" in (
        _kind(joints[at - 1]) if at else None,
        _kind(next(iter(joints[at + 1 : at + 2]), None)),
    ):
        return None  # `0.06 to 0.42 to 0.74 ppm` is a list
    between = join.kind == "and" and before.opener == "between" and "or" not in join.word
    dash = join.kind == "dash" and _dash_is_range(folded, first, second)
    return _Pair(first, second, "range", join.hedge) if join.kind == "to" or between or dash else None


def _units_agree(first: Term, second: Term) -> bool:
    if first.unit is None or second.unit is None:
        return first.unit is None or first.unit_first
    return first.unit == second.unit or same_kind(first.unit, second.unit) or second.unit.startswith(f"{first.unit}/")


def _dash_is_range(folded: str, first: Term, second: Term) -> bool:
    """``10-15`` is a range; ``304-0000``, ``9 - 7`` and ``5 -6`` are not."""
    dash = folded[first.end : second.start]
    without_unit = first.unit is None and second.unit is None
    if without_unit and second.number.value < 0:
        return False
    digits = folded[second.number.start : second.number.end]
    if digits[:1] == "0" and digits[1:2].isdigit():
        return False
    if without_unit and dash.strip() == "-":
        return dash == "-" and first.number.value < second.number.value
    return True


def _share_units(terms: list[Term], joints: Sequence[Joint | None]) -> list[Term]:
    """Gives the unit of the last member to those before it: ``2, 5 and 10 µg``, ``4 × 4 × 5 mm``."""
    shared = list(terms)
    for last in range(len(terms) - 1, 0, -1):
        unit = terms[last].unit
        if unit is None or terms[last].unit_first:
            continue
        for at in range(_first_member(terms, joints, last), last):
            shared[at] = shared[at]._replace(
                unit=unit,
                unit_span=terms[last].unit_span,
                unit_ambiguous=terms[last].unit_ambiguous,
                unit_shared=True,
            )
    return shared


def _first_member(terms: Sequence[Term], joints: Sequence[Joint | None], last: int) -> int:
    """Index of the first term of the list or the dimensions that end with `last`."""
    join = joints[last - 1]
    if join is None or join.kind not in ("by", "and", "to", "slash"):
        return last
    inner = "comma" if join.kind == "and" else join.kind
    first = last
    while (
        first > 0
        and terms[first - 1].unit is None
        and _kind(joints[first - 1]) == (join.kind if first == last else inner)
    ):
        first -= 1
    if join.kind == "by" and first < last and kind_of(terms[last].unit or "") not in _SIZES:
        return last
    if join.kind == "to" and last - first == 1:
        return last
    if join.word.startswith(",") and last - first == 1:
        return last  # `in 2013, and 278,000 t` is no list
    return first


def _is_one_of_several(terms: Sequence[Term], joints: Sequence[Joint | None], at: int) -> bool:
    """Whether the term is a member of a list or an alternative: its neighbour has no unit of its own, nor has it."""
    return (at > 0 and joints[at - 1] is not None and _are_alternatives(terms, joints, at - 1)) or (
        at < len(joints) and joints[at] is not None and _are_alternatives(terms, joints, at)
    )


def _are_alternatives(terms: Sequence[Term], joints: Sequence[Joint | None], at: int) -> bool:
    """Whether a term and the next one are."""
    first, second, kind = terms[at], terms[at + 1], _kind(joints[at])
    if first.unit != second.unit or not (first.unit is None or first.unit_shared):
        return False
    if kind == "comma":
        return first.unit is not None or (at + 1 < len(joints) and _kind(joints[at + 1]) == "and")
    return kind in ("slash", "and")


def _kind(join: Joint | None) -> str | None:
    return None if join is None else join.kind


def _single(folded: str, term: Term, before: Before) -> Quantity:
    end, bound, hedge = words_after(folded, term.end)
    if term.unit_span is None and not (before.says_something or bound or hedge or term.or_more or term.in_words):
        return Quantity(term.start, end, "single", (term.number,), (term.start, term.end))
    bound = before.bound or bound or ("at least" if term.or_more else None)
    kind: Kind = "deviation" if before.plus_minus else "bound" if bound else "single"
    return Quantity(
        start=before.start if before.says_something else term.start,
        end=end,
        kind=kind,
        numbers=(term.number,),
        core_span=(term.start, term.end),
        unit=term.unit,
        unit_span=term.unit_span,
        unit_ambiguous=term.unit_ambiguous,
        bound=bound,
        hedge=before.hedge or hedge,
        shared_unit=term.unit_shared,
        in_words=term.in_words,
    )


def _joined(folded: str, pair: _Pair, before: Before) -> Quantity:
    first, second = pair.first, pair.second
    other = second.number
    unit = first.unit or second.unit
    if first.unit and second.unit and second.unit.startswith(f"{first.unit}/"):
        unit = second.unit  # `€5 – €6 per kg`
    elif first.unit and second.unit and first.unit != second.unit:
        other = other._replace(value=convert(other.value, second.unit, first.unit, difference=pair.kind == "tolerance"))
    with_unit = next((t for t in (second, first) if t.unit is not None), second)
    end, _, hedge = words_after(folded, second.end)
    return Quantity(
        start=before.start,
        end=end if hedge else second.end,
        kind=pair.kind,
        numbers=(first.number, other),
        core_span=(first.start, second.end),
        unit=unit,
        unit_span=with_unit.unit_span,
        unit_ambiguous=first.unit_ambiguous or second.unit_ambiguous,
        hedge=before.hedge or pair.hedge or hedge,
        in_words=first.in_words or second.in_words,
    )
