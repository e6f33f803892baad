"""What stands right beside a number or a day and keeps it from being one sure value, though it reads well by itself."""

from __future__ import annotations

from typing import Final

import regex

from reviewapp.domain.values import shorten
from reviewapp.extraction.quantities import Quantity
from reviewapp.extraction.quantities.attach import PARTS
from reviewapp.extraction.units import match_unit

CONTEXT: Final = 12
"""Characters shown on either side of what is in doubt."""
_SHORT: Final = 2
"""Digits of numbers that scans tear apart: ``3 5 kg``."""
_VOID: Final = (
    "void|voided|cancelled|canceled|deleted|superseded|obsolete|storniert|ungültig|gestrichen|entfällt|entfallen|überholt"
    "|annulé|supprimé|anulado|anulada|annullato|annullata|vervallen|nieważne|anulowano|makulerad|annulleret"
)
_INSTEAD: Final = (
    "instead of|rather than|in place of|statt|anstatt|anstelle von|au lieu de|en lugar de|en vez de|invece di"
    "|al posto di|in plaats van|zamiast|i stället för|i stedet for"
)
_ARROW: Final = r"\s*(?:→|->|=>|⇒)"
_BELOW_ZERO: Final = (
    "below zero|below freezing|unter null|unter dem gefrierpunkt|sous zéro|bajo cero|sotto zero|onder nul|poniżej zera"
)
_VOID_WORDS, _CHANGED = "it is said to be void", "another value stands for it, or it for another"


def _pattern(written: str) -> regex.Pattern[str]:
    return regex.compile(written, regex.IGNORECASE)


_TIMES: Final = (
    "days?|weeks?|months?|years?|tagen?|tage|wochen?|monaten?|monate|jahren?|jahre|jours|semaines|mois|ans|días|semanas"
    "|meses|años|giorni|settimane|mesi|anni|dagen|weken|maanden|jaar|dni|tygodni|miesięcy|lat"
)
_AFTER: Final = (
    (_pattern(rf"[\s,;:()\[\]–—-]{{0,4}}\b(?:{_VOID})\b"), _VOID_WORDS),
    (_pattern(rf"(?:{_ARROW}\s*|,?\s(?:{_INSTEAD})\s)\D{{0,12}}\d"), _CHANGED),
    (_pattern(r"\s?[?]"), "a question mark stands behind it"),
    (_pattern(r"~~"), "it is struck out"),
)
_BEFORE: Final = (
    (_pattern(rf"\d[^\d\n]{{0,12}}(?:{_ARROW}|,?\s(?:{_INSTEAD}))\s\D{{0,6}}$"), _CHANGED),
    (_pattern(rf"\b(?:{_VOID})[:\s]{{1,3}}\D{{0,4}}$"), _VOID_WORDS),
)
_AFTER_A_NUMBER: Final = (
    *_AFTER,
    (_pattern(rf"\s(?:{_BELOW_ZERO})\b"), "it is counted downwards"),
    (_pattern(r"[ \u00a0]?[-–−][ \u00a0]*(?:$|[\n|;]|\s{2})"), "a minus may stand behind it"),
)
_BEFORE_A_NUMBER: Final = (
    *_BEFORE,
    (_pattern(r"(?:^|[:=|\t(]|\s{2})\s*(?:from|starting (?:at|from)|desde|dès|od)\s\D{0,4}$"), "it may be the least"),
    (_pattern(r"\d[^\W\d_][.,]?$"), "letters and digits are mixed before it"),
)
_BEFORE_A_DAY: Final = (
    *_BEFORE,
    (
        _pattern(rf"\b(?:{_TIMES})\s(?:after|from|before|following|prior to|nach|ab|vor|seit|après|avant|à compter du"
                 r"|después de|antes de|dopo|prima|na|voor|po)\s(?:the\s|dem\s|den\s|le\s|el\s|il\s|del\s)?$"),
        "a time is counted from it",
    ),
    (_pattern(r"\b(?:formerly|previously|originally|ursprünglich|bisher|zuvor|initialement)\s\D{0,12}$"), _CHANGED),
)  # fmt: skip
_Rules = tuple[tuple[regex.Pattern[str], str], ...]
_TORN_AFTER: Final = regex.compile(r"[.,]\d|\.[ ]\d{2}(?!\d)|[ ][.,]\d{2}(?!\d)")
_TORN_BEFORE: Final = regex.compile(r"\d[.,]$|\d[ ][.,]$")
_GROUP_BEFORE: Final = regex.compile(r"(?<![\d.,])\d{1,3},[ ]$")
_DIGITS_BEFORE: Final = regex.compile(r"(?<![\w.,/:-]|[.,][ ])\d{1,2}[ ]$")
_TIMES_BEFORE: Final = regex.compile(r"\d[ \u00a0]?[x×*][ \u00a0]?$", regex.IGNORECASE)
_GOES_ON_IN_PARTS: Final = ("ft", "h", "lb")
_AND: Final = regex.compile(
    r",?[ \u00a0](?:and|und|et|y|e|en)[ \u00a0][^\W_]{1,20}[ \u00a0](?:\(\d{1,2}\)[ \u00a0])?", regex.IGNORECASE
)
_BARE_AFTER: Final = regex.compile(r"[ \u00a0]\d{1,2}(?![\w.,:/])")


def doubt_beside(line: str, quantity: Quantity) -> str | None:
    """Why a quantity of a line is not sure by what stands right beside it, as a sentence; None: nothing says so."""
    span = quantity.start, quantity.end
    why = _why(line, span, _AFTER_A_NUMBER, _BEFORE_A_NUMBER)
    if why is None and _is_torn(line, quantity):
        why = "more of it may stand beside it"
    elif why is None and _is_counted(line, quantity):
        why = "it is one of several of the kind"
    return _sentence(line, span, why)


def doubt_beside_day(line: str, start: int, end: int) -> str | None:
    """The same for a day at ``line[start:end]``: ``three weeks after 12 March``, ``12.03.2026 (cancelled)``."""
    return _sentence(line, (start, end), _why(line, (start, end), _AFTER, _BEFORE_A_DAY))


def _why(line: str, span: tuple[int, int], after: _Rules, before: _Rules) -> str | None:
    found = next((why for pattern, why in after if pattern.match(line, span[1])), None)
    return found or next((why for pattern, why in before if pattern.search(line, 0, span[0])), None)


def _sentence(line: str, span: tuple[int, int], why: str | None) -> str | None:
    if why is None:
        return None
    return f"{shorten(' '.join(line[max(0, span[0] - CONTEXT) : span[1] + CONTEXT].split()))}: {why}."


def _is_torn(line: str, quantity: Quantity) -> bool:
    """Whether what stands beside it may belong to a number: ``RM 15. 90``, ``1, 234.50``, ``3 5 kg``, ``3 ft 4``."""
    start, end = quantity.number_span
    before, after = line[:start], line[end:]
    number = line[start:end]
    if _TORN_AFTER.match(after) or _TORN_BEFORE.search(before):
        return True
    if _GROUP_BEFORE.search(before) and regex.match(r"\d{3}(?!\d)", number):
        return True
    if _goes_on_in_parts(line, quantity):
        return True
    if quantity.unit in _GOES_ON_IN_PARTS and _BARE_AFTER.match(line, quantity.end):
        return True
    return number.isdigit() and len(number) <= _SHORT and _DIGITS_BEFORE.search(before) is not None


def _goes_on_in_parts(line: str, quantity: Quantity) -> bool:
    """``two years and six months``: half of what is meant."""
    joint = _AND.match(line, quantity.end) if quantity.unit in PARTS else None
    unit = match_unit(line, joint.end()) if joint else None
    return unit is not None and unit.canonical in PARTS[quantity.unit or ""]


def _is_counted(line: str, quantity: Quantity) -> bool:
    """``2 x 12 kg``: each of two; the sides of a size share their unit."""
    return (
        quantity.unit is not None
        and not quantity.shared_unit
        and _TIMES_BEFORE.search(line[: quantity.start]) is not None
    )
