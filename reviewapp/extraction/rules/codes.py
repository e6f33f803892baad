"""Candidates that are numbers which name something: invoice numbers, article numbers, mail addresses, links."""

from __future__ import annotations

import re
from collections.abc import Iterator

import regex

from reviewapp.extraction.rules.candidates import Candidate, make
from reviewapp.extraction.rules.layout import Layout

LONGEST_CODE = 40
_CODE = re.compile(
    r"(?<![\w,/#-])(?<![^.]\.)(?=[^\W_])(?=[^\W\d]*(?:[-/.#][^\W\d]*){0,20}\d)"
    r"[^\W_](?:[^\W_]|[-/_.#](?=[^\W_]))*(?:[ ]\d{2,5}\b)*"
)
_MAIL = regex.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_PHONE = re.compile(r"(?<![\w.,/-])(?:\+|0|\(\+?\d)[\d()]{0,20}(?:[ ./-]{1,3}\(?\d{1,}\)?){1,6}(?![\w]|[.,/-]\d)")
_IBAN = re.compile(r"\b[A-Z]{2}\d{2}(?:[ ]?[A-Z\d]{4}){3,7}(?:[ ]?[A-Z\d]{1,3})?\b")
_WITH_COUNTRY = re.compile(r"\b[A-Z]{2}[ -]?[A-Z]?\d{2,4}(?:[ .]?\d{2,4}){1,4}[A-Z]?\b")
_SITE = regex.compile(r"(?:https?://|www\.)[^\s,;)]+", regex.IGNORECASE)
_FORMS = (
    (_MAIL, "mail"),
    (_SITE, "site"),
    (_IBAN, "iban"),
    (_WITH_COUNTRY, "country prefix"),
    (_PHONE, "phone"),
)
FORMS = frozenset(form for _, form in _FORMS)
"""Facts of codes whose form tells what they are."""


class Codes:
    """Numbers that name something: invoice numbers, article numbers, mail addresses, links.

    A page of figures has hundreds; each becomes a candidate when it is asked for.
    """

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.spans = list(_code_spans(layout.text))
        """Start, end and form; None: no form of its own."""
        self._made: dict[int, Candidate] = {}

    def __len__(self) -> int:
        return len(self.spans)

    def on_lines(self, lines: frozenset[int] | None) -> list[Candidate]:
        """Those that begin on these lines (None: all), those with a form of their own first."""
        line_at = self.layout.line_at
        wanted = (i for i, span in enumerate(self.spans) if lines is None or line_at(span[0]).number in lines)
        return [self._made.get(i) or self._make(i) for i in wanted]

    def _make(self, index: int) -> Candidate:
        start, end, form = self.spans[index]
        facts = _code_facts(self.layout.text[start:end]) if form is None else {form}
        made = self._made[index] = make(self.layout, "code", start, end, facts=frozenset(facts))
        return made


def _code_spans(text: str) -> Iterator[tuple[int, int, str | None]]:
    taken: set[int] = set()
    for pattern, form in _FORMS:
        for match in _mails(text) if form == "mail" else pattern.finditer(text):
            taken.update(range(*match.span()))
            yield *match.span(), form
    for match in _CODE.finditer(text):
        start, end = match.span()
        if 2 <= end - start <= LONGEST_CODE and not (start in taken and end - 1 in taken):
            yield start, end, None


def _mails(text: str) -> Iterator[regex.Match[str]]:
    """On lines with an @ alone: few texts have any."""
    at = text.find("@")
    while at >= 0:
        end = text.find("\n", at)
        end = len(text) if end < 0 else end
        yield from _MAIL.finditer(text, text.rfind("\n", 0, at) + 1, end)
        at = text.find("@", end)


def _code_facts(code: str) -> set[str]:
    if code.isdigit():
        digits, letters = len(code), 0
    else:
        digits, letters = sum(map(str.isdigit, code)), sum(map(str.isalpha, code))
    facts = {"digits only"} if digits == len(code) else {"letters and digits"} if letters else {"digits and marks"}
    facts.add("short" if len(code) < 4 else "long" if len(code) > 14 else "middling")
    if " " in code:
        facts.add("spaced")
    if digits <= 2 and letters > 3 and "_" not in code:
        facts.add("mostly letters")
    return facts
