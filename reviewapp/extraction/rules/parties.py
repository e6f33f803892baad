"""Parties before their roles: ``Acme Inc., a Delaware corporation (the "Supplier")``, ``Alpha GmbH (Mieter)``."""

from __future__ import annotations

from collections.abc import Callable

import regex

from reviewapp.extraction.rules.looks import ends_a_firm

REACH = 300
"""Characters before a role in which its party begins."""
LONGEST = 90
"""Characters of a party's name."""
_OPENED = regex.compile(
    r"(?P<open>[(\[])\s*(?:[^()\[\]\n]{0,60}?[\"“„”«']\s*|hereinafter\s+|nachfolgend\s+|im Folgenden\s+)?"
    r"(?:(?:the|der|die|das|den|le|la|el|il|de|het)\s+)?[\"“„”«']?\s*(?:(?:the|der|die|das)\s+)?$",
    regex.IGNORECASE,
)
"""A bracket that opens right before a role, quoted or not."""
_CALLED = regex.compile(
    r"\s[-–—]\s*(?:nachfolgend|nachstehend|im Folgenden|hereinafter)\s+(?:called\s+)?(?:the\s+|der\s+|die\s+)?[\"“„]?$",
    regex.IGNORECASE,
)
"""``- nachstehend Arbeitgeber genannt -``."""
_BEGINS = regex.compile(
    r"(?:\bgenannt\s?[-–—]?\s*(?:(?:and|und)\s+)?|\b(?:between|among|zwischen|entre|tussen|tra|from|with|mit|von|to|by)\b:?\s+(?:\(\d\)\s*)?"
    r"|[)\]]\s*,?\s*(?:(?:and|und|et|y|e|en)\b\s*)?|;\s*(?:and\s+)?|(?<=[,;:.\n])\n\s*|\n\s*(?:and|und|et|y|e|en)\b\s*"
    r"|\n\s*(?:\(?\d{1,2}[.)]|[-•*])\s*|,?\s+(?:and|und)\s+(?=(?:Herrn?|Frau|Mr|Mrs|Ms|Dr)\b))"
)
"""What the name of a party begins behind."""
_TITLES = regex.compile(r"\s*(?:(?:the|der|die|das|dem|den|le|la|Firma)\s+)?(?=\p{Lu})")
_QUOTED = regex.compile(r"[\"“”„«»]")
"""No name has one: what begins the text may be its first sentence, ``This Agreement (the "Agreement") is made``."""
_COMMA = regex.compile(r",\s*(?P<next>[^,]*)")


def party_before(text: str, role: int) -> tuple[int, int] | None:
    """Where the party stands whose role begins at `role`; None: the role is not in brackets behind a party."""
    since = max(0, role - REACH)
    opened = _OPENED.search(text, max(since, role - 80), role) or _CALLED.search(text, max(since, role - 40), role)
    if opened is None:
        return None
    stop = opened.start()
    begins = [m.end() for m in _BEGINS.finditer(text, since, stop)]
    if since == 0:
        begins.insert(0, 0)
    start = next((at for at in map(_behind_titles(text, stop), reversed(begins)) if _may_begin(text, at)), None)
    if start is None:
        return None
    end = _end_of_name(text, start, stop)
    while end > start and text[end - 1] in " ,;\n\t":
        end -= 1
    is_name = 1 < end - start <= LONGEST and not _QUOTED.search(text, start, end)
    return (start, end) if is_name and any(map(str.isalpha, text[start:end])) else None


def _behind_titles(text: str, stop: int) -> Callable[[int], int]:
    """Where a name begins behind articles and blanks."""

    def behind(at: int) -> int:
        title = _TITLES.match(text, at, stop)
        return title.end() if title else at

    return behind


def _may_begin(text: str, at: int) -> bool:
    return text[at : at + 1].isupper() or text[at : at + 1].isdigit()


def _end_of_name(text: str, start: int, stop: int) -> int:
    """At the first comma that no firm's form follows: ``Lumen Robotics, Inc., a Delaware corporation``."""
    for comma in _COMMA.finditer(text, start, stop):
        if not ends_a_firm(comma["next"].strip()):
            return comma.start()
    return stop
