"""The number grammar: every common way of writing a number, read exactly, with ambiguity said.

A *numeral* is the run of characters that makes one number: ``1.234,50``, ``1 234 567``, ``1'234.5``,
``18 1/4``, ``3½``, ``1.5 × 10⁻³``, ``6.67430(15)e-11``, ``١٢٫٥``. Version numbers (``1.2.3``) are none. Units,
currencies and words such as "two" are read by `reviewapp.extraction.quantities`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from decimal import Context, Decimal
from functools import lru_cache
from typing import NamedTuple

from reviewapp.domain.workflows import Evidence, Rules
from reviewapp.domain.writing import EN_DASH, fold, settled_decimal_mark

DIGITS_LIMIT = 40
"""Longer runs of digits and separators are identifiers, not numbers."""
EXPONENT_LIMIT = 400
"""Powers of ten beyond this fit no float."""

_EXACT = Context(prec=60)
_DIVIDE = Context(prec=28)

_VULGAR = {
    "¼": (1, 4), "½": (1, 2), "¾": (3, 4), "⅐": (1, 7), "⅑": (1, 9), "⅒": (1, 10), "⅓": (1, 3), "⅔": (2, 3),
    "⅕": (1, 5), "⅖": (2, 5), "⅗": (3, 5), "⅘": (4, 5), "⅙": (1, 6), "⅚": (5, 6), "⅛": (1, 8),
    "⅜": (3, 8), "⅝": (5, 8), "⅞": (7, 8),
}  # fmt: skip
_SUPERSCRIPT = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻", "0123456789+-")
_SUBSCRIPT = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")
_DENOMINATORS = frozenset((2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 16, 20, 24, 25, 32, 40, 50, 60, 64, 100, 128, 1000))

_NUMERAL = re.compile(
    r"""
    (?:
        (?P<whole>\d{1,4})[ \u00a0-](?P<num>\d{1,3})/(?P<den>\d{1,4})(?![\d/]|[.,]\d)      # 18 1/4
      | (?P<top>\d{1,3})/(?P<bottom>\d{1,4})(?![\d/]|[.,]\d)                               # 1/40
      | (?:(?P<units>\d{1,9})[ \u00a0]?)?(?P<vulgar>[¼½¾⅐-⅞])                                # 3½
      | (?:(?P<before>\d{1,9})[ \u00a0]?)?(?P<over>[¹²³⁴-⁹][⁰¹²³⁴-⁹]?)/(?P<under>[₁-₉][₀-₉]?)  # 3¹/₂
      | (?<![\d.,])10                                                                       # 10⁶
        (?:\ ?\^\ ?[({]?(?P<caret10>[-+–]?\d{1,3})[)}]?(?![\d.,]*\d)|(?P<super10>[⁺⁻]?[⁰¹²³⁴-⁹]{1,3}))
      | (?P<core>
            [1-9]\d{0,2}(?P<gap>[ \u00a0])\d{3}(?:(?P=gap)\d{3})*(?:[.,]\d+)?(?![.,']?\d)(?![ \u00a0]\d)
          | \d+(?:[.,']\d+)*
          | (?<![\w.,)])\.\d+
        )
        (?P<dashed>(?:\.|,)(?:--?|–)(?![\w-]))?
        (?:\((?P<uncertain>\d{1,3})\))?
        (?:
            [eE](?P<e>[+-]?\d{1,3})(?![\w]|[.,]\d)
          | [ \u00a0]?(?P<times>[×xX*·])[ \u00a0]?10
            (?:\ ?\^\ ?[({]?(?P<caret>[-+–]?\d{1,3})[)}]?|\*\*\(?(?P<stars>[-+]?\d{1,3})\)?
               |(?P<super>[⁺⁻]?[⁰¹²³⁴-⁹]{1,3})
               |\ ?(?P<dash>[-–]\ ?\d{1,3})(?![\d.,]*\d)|(?P<flat>[1-9]\d?)(?![\d]|[.,]\d|[ \u00a0]?[×xX*])
               |[ \u00a0](?P<parted>[1-9]\d?)(?![\d]|[.,/:'-]\d|[ \u00a0]?[×xX*]|[ \u00a0]\d))
        )?
    )
    """,
    re.VERBOSE,
)
_BEGINS = re.compile(r"[\d¼½¾⅐-⅞]|\.(?=\d)|[¹²³⁴-⁹](?=[⁰¹²³⁴-⁹]?/[₁-₉])")
"""What a numeral may begin with: searched for far more quickly than the whole grammar."""
_COMMON = re.compile(r"\d+(?:[.,]\d+(?=$|[\n:;|)]|[ ](?![×xX*·]))|(?=$|[\n:;|)]|[ ][A-WYZa-wyz\n(]))")
"""By far the most: digits with at most one mark, and nothing behind them that could belong to them."""
_PARTED_MINUS = re.compile(r":[ \u00a0]{0,2}(?P<sign>-)[ \u00a0]$")
"""``Amount: - 45``"""
_DIGITS = re.compile(r"\d+")
_LEADING_COMMA = re.compile(rf"[-+]?,\d{{1,{DIGITS_LIMIT}}}")
_TRAILING_MARK = re.compile(rf"[-+]?\d{{1,{DIGITS_LIMIT}}}[.,]")


class NumberReading(NamedTuple):
    """One number that stands in a text, sign included: ``text[start:end]``."""

    start: int
    end: int
    value: Decimal
    """Exact; fractions to 28 digits. Where `ambiguous`, the likelier reading."""
    ambiguous: str | None = None
    """Why there is a second reading, in words; None: there is none, or the rules or the evidence settle it."""
    alternatives: tuple[Decimal, ...] = ()
    """The other readings, also where they are settled against."""
    decimals: bool = False
    """Written with a decimal mark."""


def find_numbers(text: str, rules: Rules, evidence: Evidence) -> list[NumberReading]:
    """All numbers written in digits, in text order.

    Digits that belong to a word (``1A2B``, ``TD01167104``) are still found: whoever looks for quantities knows which
    letters beside a number are units.
    """
    return list(scan_numbers(fold(text), settled_decimal_mark(rules, evidence)))


def read_number(text: str, rules: Rules, evidence: Evidence) -> NumberReading | None:
    """The one number that the whole text is (white space aside), or None.

    ``,5`` and ``5.`` count here, though not in a running text, where they belong to a list or end a sentence.
    """
    folded = fold(text)
    stripped = folded.strip()
    offset = len(folded) - len(folded.lstrip())
    if _LEADING_COMMA.fullmatch(stripped):
        value = Decimal(stripped.replace(",", "0."))
        return NumberReading(offset, offset + len(stripped), value, decimals=True)
    if _TRAILING_MARK.fullmatch(stripped):
        whole = read_number(stripped[:-1], rules, evidence)
        return None if whole is None else whole._replace(start=offset, end=offset + len(stripped))
    found = list(scan_numbers(stripped, settled_decimal_mark(rules, evidence)))
    if len(found) != 1 or found[0].start > 0 or found[0].end < len(stripped):
        return None
    return found[0]._replace(start=offset, end=offset + len(stripped))


def scan_numbers(folded: str, mark: str | None) -> Iterator[NumberReading]:
    """Numbers of a text that went through `fold`; `mark` is the settled decimal mark, if one is."""
    begin = _BEGINS.search(folded)
    while begin is not None:
        common = _COMMON.match(folded, begin.start())
        match = common or _NUMERAL.match(folded, begin.start())
        begin = _BEGINS.search(folded, begin.end() if match is None else match.end())
        if match is None:
            continue
        reading = _read(match, mark) if common is None else _plain(match[0], *match.span(), mark)
        if reading is None:
            if common is None and len(match[0]) <= DIGITS_LIMIT:
                yield from _side_by_side(match)
            continue
        yield _with_sign(reading, folded)


def _read(match: re.Match[str], mark: str | None) -> NumberReading | None:
    start, end = match.span()
    if match.lastgroup == "core":  # by far the most: digits and marks, nothing behind them
        return _plain(match["core"], start, end, mark)
    if match["vulgar"]:
        top, bottom = _VULGAR[match["vulgar"]]
        return _fraction(start, end, match["units"] or "0", top, bottom)
    if match["over"]:
        top, bottom = int(match["over"].translate(_SUPERSCRIPT)), int(match["under"].translate(_SUBSCRIPT))
        return _fraction(start, end, match["before"] or "0", top, bottom)
    if match["den"]:
        if int(match["num"]) < int(match["den"]) and int(match["den"]) in _DENOMINATORS:
            return _fraction(start, end, match["whole"], int(match["num"]), int(match["den"]))
        return None
    if match["bottom"]:
        return _slashed(start, end, int(match["top"]), int(match["bottom"]))
    if match["caret10"] or match["super10"]:
        raw = match["caret10"] or match["super10"].translate(_SUPERSCRIPT)
        exponent = int(raw.replace(EN_DASH, "-"))
        return NumberReading(start, end, _scale(Decimal(1), exponent)) if abs(exponent) <= EXPONENT_LIMIT else None
    core = match["core"]
    if len(core) > DIGITS_LIMIT or (match["parted"] and match["times"] in "xX*" and core.isdigit()):
        return None
    plain = _read_core(core, _mark_beside(match) or mark)
    if plain is None:
        return None
    value, ambiguous, other = plain
    decimals = value.as_tuple().exponent != 0
    alternatives: tuple[Decimal, ...] = () if other is None else (other,)
    if match["uncertain"] and not decimals:
        end = match.end("core")
        return NumberReading(start, end, value, ambiguous, alternatives)
    power = _power(match)
    if power is not None:
        exponent, doubt = power
        if abs(exponent) > EXPONENT_LIMIT:
            return None
        if doubt is not None:
            ambiguous, alternatives = doubt, (value * Decimal(f"10{match['flat'] or ''}"),)
        else:
            alternatives = tuple(_scale(a, exponent) for a in alternatives)
        value = _scale(value, exponent)
    return NumberReading(start, end, value, ambiguous, alternatives, decimals)


def _mark_beside(match: re.Match[str]) -> str | None:
    """The decimal mark that what follows the digits tells: ``1.299,-``, ``45.-``, ``2.998E8``, ``1.013 × 10⁵``."""
    if match["dashed"]:
        return match["dashed"][0]
    marks = [c for c in match["core"] if not c.isalnum()]
    if len(marks) == 1 and (match["e"] or (marks[0] == "." and match["times"])):
        return marks[0]
    return None


def _plain(core: str, start: int, end: int, mark: str | None) -> NumberReading | None:
    if len(core) > DIGITS_LIMIT:
        return None
    read = _read_core(core, mark)
    if read is None:
        return None
    value, ambiguous, other = read
    decimals = not core.isdigit() and value.as_tuple().exponent != 0
    return NumberReading(start, end, value, ambiguous, () if other is None else (other,), decimals)


def _scale(value: Decimal, exponent: int) -> Decimal:
    return value.scaleb(exponent, _EXACT)


def _power(match: re.Match[str]) -> tuple[int, str | None] | None:
    """(power of ten, why it is ambiguous)."""
    raw = match["e"] or match["caret"] or match["stars"] or match["dash"]
    if raw:
        exponent = int(raw.replace(EN_DASH, "-").replace(" ", ""))
        loose = match["dash"] and match["times"] in "xX*" and match["core"].isdigit()
        return exponent, f"{match[0]!r} can mean a power of ten or a product with a range" if loose else None
    if match["super"]:
        return int(match["super"].translate(_SUPERSCRIPT)), None
    if flat := match["flat"] or match["parted"]:
        other = "two numbers" if match["parted"] else f"a product (times 10{flat})"
        return int(flat), f"{match[0]!r} can mean a power of ten (10^{flat}) or {other}"
    return None


def _fraction(start: int, end: int, whole: str, top: int, bottom: int) -> NumberReading:
    value = _EXACT.add(Decimal(whole), _DIVIDE.divide(Decimal(top), Decimal(bottom)))
    return NumberReading(start, end, value, decimals=True)


def _slashed(start: int, end: int, top: int, bottom: int) -> NumberReading | None:
    """``1/40`` and ``3/2`` are fractions; ``50/60`` and ``80/20`` are two numbers."""
    if bottom == 0 or math.gcd(top, bottom) != 1 or (top > bottom and bottom not in (2, 3, 4, 8, 16, 32, 64)):
        return None
    return _fraction(start, end, "0", top, bottom)


@lru_cache(maxsize=8_192)
def _read_core(core: str, mark: str | None) -> tuple[Decimal, str | None, Decimal | None] | None:
    """(value, why ambiguous, other reading) of digits with separators; None: not a number."""
    marks = [c for c in core if not c.isdigit()]
    if not marks:
        return Decimal(core), None, None
    first, last = marks[0], marks[-1]
    kinds = set(marks)
    if len(kinds) > 2 or (len(kinds) == 2 and (marks.count(last) > 1 or last not in ".,")):
        return None
    if len(kinds) == 2:
        whole, _, decimals = core.rpartition(last)
        return (Decimal(f"{_joined(whole, first)}.{decimals}"), None, None) if _grouped(whole, first) else None
    if first in " \u00a0'":
        if not _grouped(core, first):
            return None
        number = Decimal(_joined(core, first))
        loose = first == " " and len(marks) == 1 and mark != "," and not core.endswith("000")
        return number, f"{core!r} can be one number or two" if loose else None, None
    if len(marks) > 1:
        return (Decimal(_joined(core, first)), None, None) if _grouped(core, first) else None
    whole, _, decimals = core.partition(first)
    point = Decimal(f"{whole or '0'}.{decimals}")
    if len(decimals) != 3 or len(whole) > 3 or whole.startswith("0") or not whole:
        return point, None, None
    return _one_mark(core, first, point, Decimal(whole + decimals), mark)


def _one_mark(
    core: str, sign: str, point: Decimal, grouped: Decimal, mark: str | None
) -> tuple[Decimal, str | None, Decimal | None]:
    """``1.234`` and ``1,234``: with nothing to settle it a comma is likelier to part thousands, a point decimals."""
    if mark is not None:
        return (point, None, grouped) if sign == mark else (grouped, None, point)
    reason = f"{core!r} can be read as {point} or {grouped}"
    return (grouped, reason, point) if sign == "," else (point, reason, grouped)


def _joined(digits: str, separator: str) -> str:
    return digits.replace(separator, "")


def _grouped(digits: str, separator: str) -> bool:
    """Groups of three (1,234,567), or Indian ones (12,34,567: twos before the last three)."""
    head, *groups = digits.split(separator)
    if not groups or not 1 <= len(head) <= 3 or head.startswith("0"):
        return False
    if all(len(g) == 3 for g in groups):
        return True
    return separator == "," and len(head) <= 2 and len(groups[-1]) == 3 and all(len(g) == 2 for g in groups[:-1])


def _side_by_side(match: re.Match[str]) -> Iterator[NumberReading]:
    """``1,2,3``, ``50/60`` and ``2 x 10 20``: numbers side by side."""
    if match["parted"]:
        yield from (
            NumberReading(match.start() + part.start(), match.start() + part.end(), Decimal(part[0]))
            for part in _DIGITS.finditer(match[0])
        )
        return
    mark = "/" if match["bottom"] else "," if match["core"] and "," in match["core"] else None
    if mark is None:
        return
    start = match.start()
    for part in match[0].split(mark):
        if part.isdigit() and not (len(part) > 1 and part.startswith("0")):
            yield NumberReading(start, start + len(part), Decimal(part))
        start += len(part) + 1


def _minus_to_come(folded: str, at: int) -> bool:
    """Whether a sign stands before position `at`, so that a minus there may be parted from its number."""
    before = folded[max(0, at - 3) : at].rstrip()[-1:]
    return before != "" and before in "=~<>≤≥"


def _with_sign(reading: NumberReading, folded: str) -> NumberReading:
    """A minus directly before the number, unless it ties it to a word or makes a range."""
    at = reading.start - 1
    if at < 0:
        return reading
    sign = folded[at]
    if sign in " \u00a0":
        if at == 0 or folded[at - 1] != "-":
            return reading  # by far the most
        if _minus_to_come(folded, at - 1):
            at, sign = at - 1, "-"  # `= − 10`
        elif minus := _PARTED_MINUS.search(folded, max(0, at - 4), at + 1):
            return _parted(reading, folded, minus.start("sign"))
        else:
            return reading
    if sign == "+" and (at == 0 or not folded[at - 1].isalnum()):
        return reading._replace(start=at)
    if sign not in f"-{EN_DASH}":
        return reading
    before = folded[at - 1] if at else " "
    if before.isalnum() or before in ")]}%°'\"²³-–":
        return reading
    if sign == EN_DASH and before.isspace() and folded[max(0, at - 8) : at].rstrip()[-1:].isdigit():
        return reading
    return reading._replace(
        start=at,
        value=reading.value.copy_negate(),
        alternatives=tuple(a.copy_negate() for a in reading.alternatives),
    )


def _parted(reading: NumberReading, folded: str, sign: int) -> NumberReading:
    """A number behind a minus and a space."""
    shown = folded[sign : reading.end]
    doubt = reading.ambiguous or f"{shown!r} can be a negative number, or one behind a dash"
    others = (reading.value, *reading.alternatives)
    return reading._replace(start=sign, value=reading.value.copy_negate(), ambiguous=doubt, alternatives=others)
