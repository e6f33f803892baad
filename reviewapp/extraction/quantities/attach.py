"""Gives a number its multiplier and its unit: ``5 million``, ``12 kg``, ``27-kilometer``, ``6'``, ``5 ft 10 in``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal

from reviewapp.domain.numbers import NumberReading, scan_numbers
from reviewapp.domain.writing import any_of
from reviewapp.extraction.quantities.alone import split_word
from reviewapp.extraction.quantities.money import (
    may_have_a_sign,
    negative,
    with_currency_after,
    with_currency_before,
    with_ledger_sign,
    with_ore,
    with_price_unit,
)
from reviewapp.extraction.quantities.term import Term
from reviewapp.extraction.units import UnitMatch, convert, currency_after, is_never_a_unit, match_unit

_TIMES = {
    "hundred": 2, "thousand": 3, "tausend": 3, "tsd": 3, "k": 3, "lakh": 5, "million": 6, "millions": 6,
    "millionen": 6, "millones": 6, "mio": 6, "mln": 6, "mn": 6, "m": 6, "crore": 7, "billion": 9, "bn": 9, "b": 9,
    "mrd": 9, "milliarden": 9, "milliard": 9, "milliards": 9, "trillion": 12,
}  # fmt: skip
"""Multipliers behind a number, as powers of ten."""
_DOZENS = re.compile(
    r"[ \u00a0](?:dozens?|dutzend|douzaines?|docenas?|dozzin[ae]|dúzias?|dozijn)(?![^\W_])", re.IGNORECASE
)
_MYRIADS = re.compile(r"[ \u00a0]?(?P<myriad>[万萬만億亿억])")
"""East Asian: ten thousand, a hundred million."""
_MINUS = re.compile(r"(?<![\d%] )(?:^|[^\w\s]|\s)(?P<word>minus) $", re.IGNORECASE)
_PH = re.compile(r"(?<![^\W_])(?P<unit>pH)[ \u00a0=:]{0,3}$")
_MULTIPLIER = re.compile(
    rf"[ \u00a0]?(?:(?P<word>(?i:{any_of(w for w in _TIMES if len(w) > 1)}))\.?(?![^\W_])"
    r"|(?P<letter>[kKMBm])(?:(?P<unit>[ \u00a0][^\W\d_]+)|(?=[.,;)\s]|$)))"
)
_OF_MONEY = re.compile(r"[ \u00a0]?(?P<letter>[kKTM])(?=[ \u00a0]?(?:[A-Z]{3}(?![^\W_])|[€$£¥]))")
"""``250K EUR``, ``5 TEUR``, ``1.5 M€``: a multiplier where a currency follows."""
_TIMES_BEGIN = frozenset("".join(word[0] + word[0].upper() for word in _TIMES) + "dDT万萬만億亿억")
"""Letters that a multiplier, a currency's included, or a dozen begins with."""
_MONEY_WORDS = re.compile(r"(?:illions?|illionen|bn|mn|mio|mrd|thousand)\.?$", re.IGNORECASE)
_INCH_GOES_ON = re.compile(
    r"[ \u00a0]?(?:$|[.,;:)\]/\n]|[x×*Ø]|(?:wide|long|high|deep|thick|tall|diameter|length|width|height|depth|thickness"
    r"|across|by|and|or|pipe|dia)\b)",
    re.IGNORECASE,
)
_LETTER_FOLLOWS = re.compile(r"[ \u00a0][^\W\d_]")
_LETTERS = re.compile(r"[^\W\d_]{1,40}")
_NO_UNIT = re.compile(r"[^\W\d_][\w/·^+-]{0,30}")
_SUM = re.compile(r"[\w+-]+")
_PLUS_GOES_ON = re.compile(r"[\w/+-]")
_PER_TIME = re.compile(r"/(?:s|sec|min|h|hr|hour|minute|second|Sekunde|Minute|Stunde)\b(?![/-]\d)")
_INCH_SIGNS = ("'", '"', "”")
_OPENING = re.compile(r"'(?<![^\W\d_]'(?=[^\W\d_]))")
"""A single quotation mark, not the apostrophe inside a word."""
_REGISTER_NUMBER = 10_000
"""A letter behind a hyphen is part of a number's own name from here on (``789417-W``), below it a unit (``12-V``)."""
PARTS = {
    "ft": ("in",), "h": ("min",), "min": ("s",), "lb": ("oz",), "yr": ("mo",), "kg": ("g",), "m": ("cm", "mm"),
    "d": ("h",), "wk": ("d",), "mo": ("d",), "t": ("kg",),
}  # fmt: skip
"""Units that are told in two steps: ``5 ft 10 in``."""
_PART_GAP = re.compile(r"\.?[ \u00a0]?(?=\d)")
_AND_A_HALF = re.compile(r"[ ]and[ ]a[ ]half(?![^\W_])")
_KIND_OF_DAY = re.compile(
    r"(?P<own>business|working|trading|banking|calendar|consecutive|full|whole|successive|additional)[ \u00a0\n]"
)
_OTHER_DAYS = frozenset(("business", "working", "trading", "banking"))
_FEET_AND_INCHES = re.compile(
    r"(?P<feet>\d{1,3})[ \u00a0]?'[ \u00a0-]?"
    r"(?P<inches>\d{1,2}(?:\.\d+)?|\d{1,2}[ \u00a0-]\d/\d{1,2}|\d{0,2}[½¼¾⅛⅜⅝⅞])"
    r"[ \u00a0]?(?:\"|''|”)"
)


def attach(folded: str, number: NumberReading, mark: str | None, ruled: str | None) -> Term:
    """The number with everything around it that belongs to it alone.

    `mark` is the settled decimal mark, `ruled` the one that the workflow's rules state.
    """
    term = Term(number.start, number.end, number)
    after = folded[number.end : number.end + 1]
    if after != ":" and not may_have_a_sign(folded, number.start) and not _may_have_a_unit(folded, number.end):
        return term  # most numbers of a table at a glance
    term = with_ore(folded, _with_word_for_minus(folded, term))
    term = with_currency_before(folded, term, ruled)
    if term.unit is None and folded[term.start - 3 : term.start].rstrip(" =:\u00a0")[-1:] == "H":
        label = _PH.search(folded, max(0, term.start - 6), term.start)
        if label is not None:
            return term._replace(start=label.start(), unit="pH", unit_span=label.span("unit"), unit_first=True)
    if _may_have_a_unit(folded, term.end):
        term = with_unit(folded, with_multiplier(folded, term), ruled)
        term = _with_second_part(folded, term, mark)
    return with_ledger_sign(folded, term)


def _with_word_for_minus(folded: str, term: Term) -> Term:
    """``minus 5 °C``; in ``10 minus 5`` it is a sum."""
    if folded[max(0, term.start - 2) : term.start].casefold() != "s " or term.number.value <= 0:
        return term
    minus = _MINUS.search(folded, max(0, term.start - 8), term.start)
    return term if minus is None else term._replace(start=minus.start("word"), number=negative(term.number))


def _may_have_a_unit(folded: str, end: int) -> bool:
    """Whether anything but another number, a mark or the line's end stands behind a number."""
    following = folded[end : end + 3].lstrip(" \u00a0")
    if following.startswith("1/"):
        return True  # `5 1/s`
    if not following or following[0].isdigit() or following[0] in ",;:|":
        return False
    return following[0] != "\n" or folded[end : end + 4].lstrip(" \u00a0\n")[:1].islower()


def with_multiplier(folded: str, term: Term) -> Term:
    following = folded[term.end : term.end + 2].lstrip(" \u00a0")
    if following[:1] not in _TIMES_BEGIN:
        return term  # most words behind a number at a glance
    money = _OF_MONEY.match(folded, term.end)
    if money is not None and currency_after(folded, money.end()) is not None:
        key = {"T": "k", "M": "m"}.get(money["letter"], "k")
        return _multiplied(term, Decimal(10) ** _TIMES[key], money.end())
    if myriads := _MYRIADS.match(folded, term.end):
        return _multiplied(term, Decimal(10) ** (4 if myriads["myriad"] in "万萬만" else 8), myriads.end())
    if dozens := _DOZENS.match(folded, term.end):
        return _multiplied(term, Decimal(12), dozens.end())
    match = _MULTIPLIER.match(folded, term.end)
    if match is None:
        return term
    letter = match["letter"]
    if letter is None:
        key, end = match["word"].lower(), match.end()
    else:
        thousand_units = letter == "k" and match["unit"] is not None and _is_unit(match["unit"])
        if not (thousand_units or (term.unit_first and (letter != "m" or match.start("letter") == term.end))):
            return term
        key, end = letter.lower(), match.end("letter")
    return _multiplied(term, Decimal(10) ** _TIMES[key], end)


def _multiplied(term: Term, factor: Decimal, end: int) -> Term:
    number = term.number
    number = number._replace(
        end=end, value=number.value * factor, alternatives=tuple(a * factor for a in number.alternatives)
    )
    return term._replace(end=end, number=number)


def _is_unit(text: str) -> bool:
    unit = match_unit(text, 1)
    return unit is not None and unit.end == len(text)


def with_unit(folded: str, term: Term, ruled: str | None = None) -> Term:
    """The unit or currency behind the number, ``per kg`` included; `ruled` is the rules' decimal mark."""
    if term.unit is None:
        term = with_currency_after(folded, term, ruled)
    if term.unit is not None:
        return with_price_unit(folded, term)
    end = term.end
    if folded[end : end + 1] == ")" and folded[term.start - 1 : term.start] == "(":
        return _behind_bracket(folded, term)
    if folded[end : end + 1] in _INCH_SIGNS:
        return _with_inch_sign(folded, term)
    if folded[end : end + 1] == "+" and not _PLUS_GOES_ON.match(folded, end + 1):
        term = term._replace(end=end + 1, or_more=True)
    start = _unit_start(folded, term)
    return term if start is None else _with_plain_unit(folded, term, start)


def _unit_start(folded: str, term: Term) -> int | None:
    """Where a unit would begin: behind up to two spaces, a hyphen, or the line's end in prose."""
    end = start = term.end
    while start < len(folded) and folded[start] in " \u00a0" and start - end < 2:
        start += 1
    if start == end and folded[end : end + 1] == "-" and folded[end + 1 : end + 2].isalpha():
        register = term.number.value >= _REGISTER_NUMBER and not folded[end + 2 : end + 3].isalpha()
        return None if register else start + 1
    if folded[start : start + 1] == "\n":
        # A lone symbol on the next line is another cell; a whole word goes on with the sentence.
        wrapped = match_unit(folded, start + 1)
        in_prose = wrapped is not None and wrapped.end - wrapped.start > 3 and folded[start + 1].islower()
        return start + 1 if in_prose else None
    return start


def _behind_bracket(folded: str, term: Term) -> Term:
    """``thirty (30) days``."""
    if folded[term.end + 1 : term.end + 2] not in (" ", "\u00a0", "\n"):
        return term
    with_unit = _with_plain_unit(folded, term, term.end + 2)
    return term if with_unit.unit is None else with_unit._replace(start=term.start - 1)


def _with_inch_sign(folded: str, term: Term) -> Term:
    """``9"`` is inches, ``6'`` feet, unless the sign closes a quotation."""
    at = term.end
    sign = folded[at]
    line = folded.rfind("\n", 0, term.start) + 1
    begun = folded[line : term.start] if term.start - line < 400 else ""
    closes = {
        '"': _quotation_open(begun),
        "”": begun.rfind("“") > begun.rfind("”"),
        "'": len(_OPENING.findall(begun)) % 2 == 1 or folded[at + 1 : at + 2].isalpha(),
    }[sign]
    if closes:
        return term
    return term._replace(end=at + 1, unit="ft" if sign == "'" else "in", unit_span=(at, at + 1))


def _quotation_open(begun: str) -> bool:
    """Whether a quotation is open at the end of a line's beginning; a sign behind a digit outside one is inches."""
    is_open = False
    for at, sign in enumerate(begun):
        if sign == '"' and (is_open or not begun[at - 1 : at].isnumeric()):
            is_open = not is_open
    return is_open


def _with_plain_unit(folded: str, term: Term, start: int) -> Term:
    word = _LETTERS.match(folded, start)
    other = word is not None and is_never_a_unit(word[0]) and split_word(word[0]) is None
    unit = None if other else _unit_at(folded, start) or _rate_at(folded, start)
    kind = _KIND_OF_DAY.match(folded, start) if unit is None else None
    if kind is not None and (day := match_unit(folded, kind.end())) is not None and not day.shy:
        unit = replace(day, ambiguous=f"{kind['own']} days are other days" if kind["own"] in _OTHER_DAYS else None)
    if unit is None:
        unknown = _NO_UNIT.match(folded, start)
        return term if unknown is None else term._replace(unit_span=unknown.span())
    if _is_joined_to_another(folded, unit.end):
        whole = _SUM.match(folded, start)
        return term._replace(unit_span=whole.span() if whole else None)
    if unit.shy and not _counts(folded, unit, glued=start == term.end):
        return term._replace(unit_span=(unit.start, unit.end))
    name = unit.canonical
    if name == "lb" and _MONEY_WORDS.search(folded, term.start, term.end):
        name = "GBP"  # 20 million pounds
    term = term._replace(end=unit.end, unit=name, unit_span=(unit.start, unit.end), unit_ambiguous=unit.ambiguous)
    half = _AND_A_HALF.match(folded, unit.end)
    if half is None or term.number.decimals:
        return term
    return term._replace(end=half.end(), number=term.number._replace(value=term.number.value + Decimal("0.5")))


def _is_joined_to_another(folded: str, end: int) -> bool:
    """``7 cm+cm`` and ``7 kg-kg`` are no units; ``5 kg-Sack`` is one with a word behind it."""
    sign, following = folded[end : end + 1], _LETTERS.match(folded, end + 1)
    if sign not in ("+", "-") or following is None:
        return False
    if sign == "+":
        return True
    other = match_unit(folded, end + 1)
    return other is not None and other.end == following.end()


def _unit_at(folded: str, start: int) -> UnitMatch | None:
    unit = match_unit(folded, start)
    letters = _LETTERS.match(folded, start) if unit is None else None
    split = split_word(letters[0]) if letters else None
    return unit if split is None else match_unit(folded[: start + split], start)


def _rate_at(folded: str, start: int) -> UnitMatch | None:
    """``/s`` and ``/min`` straight behind a number: so many in that time."""
    if folded[start : start + 1] != "/" or not _PER_TIME.match(folded, start):
        return None
    time = match_unit(folded, start + 1)
    return time and replace(time, start=start, factors=tuple((atom, -power) for atom, power in time.factors), shy=False)


def _counts(folded: str, unit: UnitMatch, *, glued: bool) -> bool:
    """Whether a symbol that is as often a word is a unit here."""
    if folded[unit.start : unit.end] in ("in", "in."):
        return _INCH_GOES_ON.match(folded, unit.end) is not None
    return glued or not _LETTER_FOLLOWS.match(folded, unit.end)


def _with_second_part(folded: str, term: Term, mark: str | None) -> Term:
    """``5 ft 10 in`` and ``1 h 30 min`` are one quantity, told in the smaller unit."""
    smaller = PARTS.get(term.unit or "")
    gap = _PART_GAP.match(folded, term.end) if smaller else None
    if smaller is None or gap is None or term.unit is None or term.number.decimals or term.unit_span is None:
        return term
    second = next(iter(scan_numbers(folded[gap.end() : gap.end() + 24], mark)), None)
    if second is None or second.start != 0 or second.ambiguous:
        return term
    end = gap.end() + second.end
    inner = with_unit(folded, Term(gap.end(), end, second))
    if inner.unit not in smaller:
        return term
    total = convert(term.number.value, term.unit, inner.unit) + second.value
    number = NumberReading(term.number.start, end, total, decimals=second.decimals)
    return Term(term.start, inner.end, number, inner.unit, (term.unit_span[0], inner.end))


def feet_and_inches(folded: str) -> Iterator[Term]:
    """``5'10"``."""
    if "'" not in folded:
        return
    for match in _FEET_AND_INCHES.finditer(folded):
        inches = next(iter(scan_numbers(match["inches"], ".")), None)
        if inches is None or inches.end != len(match["inches"]):
            continue
        number = NumberReading(match.start(), match.end("inches"), 12 * Decimal(match["feet"]) + inches.value)
        yield Term(match.start(), match.end(), number, "in", (match.end("inches"), match.end()))
