"""One number with what belongs to it alone: sign, multiplier, currency, unit, a second part (``5 ft 10 in``)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal

from reviewapp.domain.dates import scan_dates
from reviewapp.domain.number_words import scan_number_words
from reviewapp.domain.numbers import NumberReading, scan_numbers
from reviewapp.domain.workflows import Evidence, Rules
from reviewapp.domain.writing import settled_date_order, settled_decimal_mark
from reviewapp.extraction.units import convert, currency_after, currency_before, match_unit
from reviewapp.extraction.units.currencies import has_three_decimals, is_comma_money

_CLOCK = re.compile(
    r"(?<![\d.,:])(?:[01]?\d|2[0-4])(?::[0-5]\d(?::[0-5]\d(?:[.,]\d+)?)?(?![\d:])(?:[ \u00a0]?[ap]\.?m\b)?"
    r"|(?:\.[0-5]\d)?[ \u00a0]?[ap]\.?m\.?(?![^\W_])|(?:[.:][0-5]\d)?[ \u00a0]Uhr\b|h[0-5]\d(?!\d))",
    re.IGNORECASE,
)
_MULTIPLIER = re.compile(
    r"[ \u00a0]?(?P<word>thousand|million|billion|trillion|lakh|crore|tausend|tsd\.?|mio\.?|millionen|mrd\.?|milliarden|milliards?"
    r"|millions?|millones|mln|mn|bn|hundred)(?![^\W_])|(?P<letter>[kKMB])(?=[ \u00a0](?:[^\W\d_]|$)|[.,;)]|$)(?P<spaced>[ \u00a0][^\W\d_]+)?",
    re.IGNORECASE,
)
_TIMES = {
    "hundred": 2, "thousand": 3, "tausend": 3, "tsd": 3, "k": 3, "lakh": 5, "million": 6, "millions": 6, "millionen": 6, "millones": 6,
    "mio": 6, "mln": 6, "mn": 6, "m": 6, "crore": 7, "billion": 9, "bn": 9, "b": 9, "mrd": 9, "milliarden": 9, "milliard": 9,
    "milliards": 9, "trillion": 12,
}  # fmt: skip
_INCH_GOES_ON = re.compile(
    r"[ \u00a0]?(?:$|[.,;:)\]/\n]|[x×*]|(?:wide|long|high|deep|thick|tall|diameter|length|width|height|depth|thickness|across|by|and|or"
    r"|pipe|dia\b|[Øø]))",
    re.IGNORECASE,
)
_WORD_FOLLOWS = re.compile(r"[ \u00a0][^\W\d_]")
_ORDINAL = re.compile(r"(?:st|nd|rd|th)(?![^\W_])")
_LETTERS = re.compile(r"[^\W\d_]+")
_SECOND_PART = {"ft": ("in",), "h": ("min",), "min": ("s",), "lb": ("oz",), "yr": ("mo",), "m": ("cm",)}
_FEET = re.compile(
    r"(?P<feet>\d{1,3})[ \u00a0]?'[ \u00a0-]?(?P<inches>\d{1,2}(?:\.\d+)?|\d{1,2}[ \u00a0-]\d/\d{1,2}|\d{0,2}[½¼¾⅛⅜⅝⅞])[ \u00a0]?(?:\"|''|”)"
)
_ARTICLE = re.compile(
    r"(?<![^\W_])(?P<article>an?)[ \u00a0](?=(?:gallon|litre|liter|mile|kilo|kilometer|kilometre|pound|ounce|penny|year|month|week|day|hour"
    r"|meter|metre|ton|tonne|inch|foot|acre|hectare|gram|decade|century)(?![^\W_]))"
)
_RATE_BEFORE = re.compile(
    r"(?:\b(?:once|twice|times|per|each|every|such|half|within)|[\d%€$£])[ \u00a0]*$", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Term:
    """One number and what belongs to it, at ``text[start:end]``."""

    start: int
    end: int
    number: NumberReading
    unit: str | None = None
    unit_span: tuple[int, int] | None = None
    unit_ambiguous: str | None = None
    currency_first: bool = False
    in_words: bool = False
    inner_end: int = 0
    """End of number and multiplier, where the unit is looked for."""


def scan_terms(folded: str, rules: Rules, evidence: Evidence) -> list[Term]:
    """All terms in text order; numbers of dates, times, ordinals and identifiers are none."""
    mark = settled_decimal_mark(rules, evidence)
    dates = scan_dates(folded, rules, settled_date_order(rules, evidence))
    taken = [(d.start, d.end) for d in dates if d.incomplete is None or folded[d.start : d.end][-4:].isdigit()]
    taken += [m.span() for m in _CLOCK.finditer(folded)]
    terms = [term for number in _numbers(folded, mark) if (term := _term(folded, number, mark)) is not None]
    terms += _feet_and_inches(folded)
    terms += _word_terms(folded)
    return list(_without_overlaps(terms, sorted(taken)))


def _numbers(folded: str, mark: str | None) -> Iterator[NumberReading]:
    for number in scan_numbers(folded, mark):
        if _stands_alone(folded, number):
            yield number


def _stands_alone(folded: str, number: NumberReading) -> bool:
    """False for digits of a word or identifier: ``1A2B``, ``TD0116``, ``COVID-19``, ``21st``."""
    start, end = number.start, number.end
    before = folded[start - 1] if start else " "
    if before.isalpha() and not _glued_before(folded, number):
        return False
    if before in "-–/_#" and start > 1 and (folded[start - 2].isalpha() or before in "_#"):
        if not _joins_numbers(folded, start - 2):
            return False
    if before == "." and start > 1 and folded[start - 2].isdigit():
        return False
    after = folded[end] if end < len(folded) else " "
    if after == "_" or (after == "-" and re.match(r"-0\d", folded[end : end + 3])):
        return False
    if folded[start:end].isdigit() and end - start > 1 and folded[start] == "0" and after != ".":
        return False
    if after.isalpha():
        return not _ORDINAL.match(folded, end) and _glued_after(folded, number)
    return True


def _joins_numbers(folded: str, last: int) -> bool:
    """Whether the word that ends at `last` is a unit or an ``x`` between numbers (``5 mg-6 mg``, ``2 x -3``)."""
    first = _word_start(folded, last)
    if not re.search(r"\d[ \u00a0]?$", folded[max(0, first - 2) : first]):
        return False
    unit = match_unit(folded, first)
    return folded[first : last + 1] in ("x", "X") or (unit is not None and unit.end == last + 1)


def _word_start(folded: str, last: int) -> int:
    start = last
    while start > 0 and folded[start - 1].isalpha() and last - start < 20:
        start -= 1
    return start


def _glued_before(folded: str, number: NumberReading) -> bool:
    """Letters straight before a number: a currency (``RM9.00``), or a word run into an amount (``Change1.00``)."""
    if currency_before(folded, number.start):
        return True
    start = _word_start(folded, number.start - 1)
    amount = number.decimals and number.value.as_tuple().exponent == -2
    if number.start - start == 1 and folded[start] in "xX×":
        return start == 0 or not folded[start - 1].isalpha()
    return amount and number.start - start >= 3


def _glued_after(folded: str, number: NumberReading) -> bool:
    """Letters straight behind a number: a unit, a multiplier, a currency, or a word run into an amount."""
    end = number.end
    letters = _LETTERS.match(folded, end)
    word = letters[0] if letters else ""
    tail = folded[end + len(word) : end + len(word) + 1]
    if word in ("x", "X", "k", "K", "M", "B") or currency_after(folded, end):
        return True
    unit = match_unit(folded, end)
    if unit is not None and unit.end >= end + len(word):
        return not folded[unit.end : unit.end + 1].isalnum()
    if _split_word(word) is not None:
        return True
    if _MULTIPLIER.match(folded, end):
        return True
    if len(word) >= 3 and (number.decimals or not tail.isdigit()):
        return word[0].isupper() or not word.isascii() or number.decimals or len(word) >= 5
    return not word.isascii()


def _split_word(word: str) -> int | None:
    """``kgGross`` → 2: where a unit ends and the next word begins with a capital."""
    for at in range(1, min(6, len(word) - 2)):
        if word[at].isupper() and word[at + 1].islower() and word[at - 1].islower():
            unit = match_unit(word[:at], 0)
            if unit is not None and unit.end == at:
                return at
    return None


def _term(folded: str, number: NumberReading, mark: str | None) -> Term | None:
    term = Term(number.start, number.end, number, inner_end=number.end)
    term = _with_currency_before(folded, term, mark)
    term = _with_multiplier(folded, term)
    term = _with_unit(folded, term)
    term = _second_part(folded, term, mark)
    return _accounting(folded, term)


def _with_currency_before(folded: str, term: Term, mark: str | None) -> Term:
    found = currency_before(folded, term.start)
    if found is None:
        return term
    number, start = term.number, found.start
    sign = folded[start - 1 : start]
    if sign in ("-", "–") and number.value > 0 and not folded[max(0, start - 2) : start - 1].isalnum():
        start -= 1
        number = _negative(number)
    number = _money(replace(number, start=min(number.start, start)), found.currency, mark)
    return replace(
        term, start=start, number=number, unit=found.currency, unit_span=(found.start, found.end), currency_first=True
    )


def _negative(number: NumberReading) -> NumberReading:
    return replace(number, value=-number.value, alternatives=tuple(-a for a in number.alternatives))


def _money(number: NumberReading, currency: str, mark: str | None) -> NumberReading:
    """``kr 6.645``: an amount with three digits behind the one mark has thousands, not mills."""
    if mark is not None or not number.ambiguous or not number.alternatives or has_three_decimals(currency):
        return number
    grouped = max((number.value, *number.alternatives), key=abs)
    others = tuple(n for n in (number.value, *number.alternatives) if n != grouped)
    settled = is_comma_money(currency) and number.value != grouped
    return replace(number, value=grouped, alternatives=others, ambiguous=None if settled else number.ambiguous)


def _with_multiplier(folded: str, term: Term) -> Term:
    match = _MULTIPLIER.match(folded, term.end)
    if match is None:
        return term
    if match["letter"]:
        letter = match["letter"]
        if letter in "MB" and not term.currency_first:
            return term
        if letter in "kK" and not (
            term.currency_first or (letter == "k" and match["spaced"] and _is_unit(match["spaced"]))
        ):
            return term
        key, end = letter.lower(), match.end("letter")
    else:
        key, end = match["word"].lower().strip("."), match.end("word")
    number = term.number
    power = _TIMES[key]
    number = replace(
        number,
        end=end,
        value=number.value.scaleb(power),
        alternatives=tuple(a.scaleb(power) for a in number.alternatives),
    )
    return replace(term, end=end, inner_end=end, number=number)


def _is_unit(text: str) -> bool:
    unit = match_unit(text, len(text) - len(text.lstrip()))
    return unit is not None and unit.end == len(text)


def _with_unit(folded: str, term: Term) -> Term:
    """The unit or currency behind the number; ``$350 per kg`` takes both."""
    end = term.inner_end
    if term.unit is None:
        money = currency_after(folded, end)
        if money is not None:
            number = _money(term.number, money.currency, None)
            term = replace(term, end=money.end, number=number, unit=money.currency, unit_span=(money.start, money.end))
    if term.unit is not None:
        return _per(folded, term)
    start = end
    while start < len(folded) and folded[start] in " \u00a0" and start - end < 2:
        start += 1
    if start == end and folded[end : end + 1] == "-" and folded[end + 1 : end + 2].isalpha():
        if term.number.value >= 10_000 and not folded[end + 2 : end + 3].isalpha():
            return term  # 789417-W is a register number, not watts
        start += 1
    if folded[end : end + 1] == ")" and folded[term.number.start - 1 : term.number.start] == "(":
        return _parenthesised(folded, term)
    if folded[start : start + 1] in ("'", '"', "”"):
        return _prime(folded, term, start)
    return _plain_unit(folded, term, start)


def _parenthesised(folded: str, term: Term) -> Term:
    """``thirty (30) days``: the unit stands behind the bracket."""
    gap = folded[term.inner_end + 1 : term.inner_end + 2]
    if gap not in (" ", "\u00a0", "\n"):
        return term
    unit = match_unit(folded, term.inner_end + 2)
    if unit is None or unit.shy:
        return term
    return replace(term, end=unit.end, unit=unit.canonical, unit_span=(unit.start, unit.end))


def _plain_unit(folded: str, term: Term, start: int) -> Term:
    glued = start == term.inner_end
    if (letters := _LETTERS.match(folded, start)) and (split := _split_word(letters[0])) is not None:
        unit = match_unit(folded[:start] + letters[0][:split], start)
    else:
        unit = match_unit(folded, start)
    if unit is None:
        unknown = re.compile(r"[^\W\d_][\w/·^+-]{0,30}").match(folded, start)
        return term if unknown is None else replace(term, unit_span=unknown.span())
    if folded[unit.end : unit.end + 1] == "+" and folded[unit.end + 1 : unit.end + 2].isalpha():
        whole = re.compile(r"[\w+]+").match(folded, start)
        return replace(term, unit_span=whole.span() if whole else None)
    if unit.shy and not _shy_unit_counts(folded, unit.start, unit.end, glued):
        return replace(term, unit_span=(unit.start, unit.end))
    if unit.canonical == "lb" and term.inner_end > term.number.end - 1 and _has_multiplier(folded, term):
        return replace(term, end=unit.end, unit="GBP", unit_span=(unit.start, unit.end))
    return replace(
        term, end=unit.end, unit=unit.canonical, unit_span=(unit.start, unit.end), unit_ambiguous=unit.ambiguous
    )


def _has_multiplier(folded: str, term: Term) -> bool:
    """``20 million pounds`` is money."""
    return re.search(r"(?:illion|bn|mn|thousand)$", folded[term.start : term.inner_end]) is not None


def _shy_unit_counts(folded: str, start: int, end: int, glued: bool) -> bool:
    if folded[start:end] in ("in", "in."):
        return _INCH_GOES_ON.match(folded, end) is not None
    return glued or not _WORD_FOLLOWS.match(folded, end)


def _per(folded: str, term: Term) -> Term:
    """A price per unit keeps the currency and says the rest: ``$350 per kg`` → ``$/kg``."""
    match = re.compile(r"[ \u00a0]?(?:/|per\b)[ \u00a0]?").match(folded, term.end)
    unit = match_unit(folded, match.end()) if match else None
    if match is None or unit is None:
        return term
    under = "/".join(part for part in (unit.canonical,))
    return replace(
        term, end=unit.end, unit=f"{term.unit}/{under}", unit_span=(term.unit_span or (0, 0))[:1] + (unit.end,)
    )


def _prime(folded: str, term: Term, start: int) -> Term:
    """``9"`` is inches, ``6'`` feet, unless the sign closes a quotation."""
    sign = folded[start]
    line_start = folded.rfind("\n", 0, term.start) + 1
    if sign == '"' and folded.count('"', line_start, term.start) % 2:
        return term
    if sign == "”" and folded.rfind("“", line_start, term.start) > folded.rfind("”", line_start, term.start):
        return term
    if sign == "'" and (folded[start + 1 : start + 2].isalpha() or folded.count("'", line_start, term.start) % 2):
        return term
    if start > term.inner_end:
        return term
    return replace(term, end=start + 1, unit="ft" if sign == "'" else "in", unit_span=(start, start + 1))


def _second_part(folded: str, term: Term, mark: str | None) -> Term:
    """``5 ft 10 in`` and ``1 h 30 min`` are one quantity, told in the smaller unit."""
    smaller = _SECOND_PART.get(term.unit or "")
    if smaller is None or term.currency_first or term.number.value != term.number.value.to_integral_value():
        return term
    gap = re.compile(r"(?:[ \u00a0]|,[ ]|[ ]and[ ])?(?=\d)").match(folded, term.end)
    if gap is None or term.unit == "m" and gap[0]:
        return term
    second = next(iter(scan_numbers(folded[gap.end() : gap.end() + 24], mark)), None)
    if second is None or second.start != 0:
        return term
    inner = _with_unit(folded, Term(gap.end(), gap.end() + second.end, second, inner_end=gap.end() + second.end))
    if inner.unit not in smaller or second.ambiguous:
        return term
    if "and" in gap[0] or "," in gap[0]:
        return term
    total = convert(term.number.value, term.unit or "", inner.unit) + second.value
    number = NumberReading(term.number.start, inner.inner_end, total, decimals=second.decimals)
    return Term(
        term.start,
        inner.end,
        number,
        inner.unit,
        (term.unit_span or (0, 0))[:1] + (inner.end,),
        inner_end=inner.inner_end,
    )


def _accounting(folded: str, term: Term) -> Term:
    """``(1,234.00)`` in parentheses, and ``100.00-``, are how ledgers write a negative amount."""
    amount = term.number.decimals and term.number.value.as_tuple().exponent == -2 and term.number.value > 0
    if not amount:
        return term
    before, after = folded[term.start - 1 : term.start], folded[term.end : term.end + 1]
    money = term.unit is not None and term.currency_first
    if before == "(" and after == ")" and (money or (term.unit is None and "," in folded[term.start : term.end])):
        shown = folded[term.start - 1 : term.end + 1]
        number = replace(
            _negative(term.number),
            ambiguous=f"{shown!r} in parentheses can be a negative amount",
            alternatives=(term.number.value,),
        )
        return replace(term, start=term.start - 1, end=term.end + 1, number=number)
    if after == "-" and not folded[term.end + 1 : term.end + 2].strip() and (money or term.unit is None):
        return replace(term, end=term.end + 1, number=replace(_negative(term.number), end=term.number.end + 1))
    return term


def _feet_and_inches(folded: str) -> Iterator[Term]:
    if "'" not in folded:
        return
    for match in _FEET.finditer(folded):
        inches = next(iter(scan_numbers(match["inches"], None)), None)
        if inches is None or inches.end != len(match["inches"]):
            continue
        number = NumberReading(match.start(), match.end("inches"), 12 * Decimal(match["feet"]) + inches.value)
        yield Term(match.start(), match.end(), number, "in", (match.end("inches"), match.end()), inner_end=match.end())


def _word_terms(folded: str) -> Iterator[Term]:
    whole = folded.strip(" .,;:\n")
    for number, needs_unit in scan_number_words(folded):
        term = _with_unit(
            folded,
            _with_multiplier(folded, Term(number.start, number.end, number, in_words=True, inner_end=number.end)),
        )
        if term.unit is not None or not needs_unit or folded[number.start : number.end] == whole:
            yield term
    for match in _ARTICLE.finditer(folded):
        if not _RATE_BEFORE.search(folded, max(0, match.start() - 12), match.start()):
            number = NumberReading(match.start("article"), match.end("article"), Decimal(1))
            yield _with_unit(
                folded, Term(match.start(), match.end(), number, in_words=True, inner_end=match.end("article"))
            )


def _without_overlaps(terms: list[Term], taken: list[tuple[int, int]]) -> Iterator[Term]:
    """Terms in order; of two that overlap the longer one; none that touches a date or a time."""
    position, next_taken = 0, 0
    for term in _digits_after_words(sorted(terms, key=lambda t: (t.start, -t.end))):
        number_start = term.number.start
        while next_taken < len(taken) and taken[next_taken][1] <= term.start:
            next_taken += 1
        if next_taken < len(taken) and taken[next_taken][0] < term.number.end and number_start < taken[next_taken][1]:
            continue
        if term.start < position:
            continue
        position = term.end
        yield term


def _digits_after_words(terms: list[Term]) -> Iterator[Term]:
    """``two (2) years`` is one number: the words fall away where the same number follows in brackets."""
    for at, term in enumerate(terms):
        following = terms[at + 1] if at + 1 < len(terms) else None
        repeated = (
            term.in_words
            and following is not None
            and following.number.value == term.number.value
            and 1 <= following.number.start - term.end <= 3
        )
        if not repeated:
            yield term
