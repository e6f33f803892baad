"""What a line looks like: a firm's name, a part of an address, a heading, a contact line."""

from __future__ import annotations

import re
from functools import cache, lru_cache, reduce
from operator import or_
from typing import NamedTuple

from reviewapp.extraction.rules.layout import Layout, Line
from reviewapp.extraction.rules.vocabulary import look_lists, word_set
from reviewapp.extraction.rules.words import split_words

_POSTCODE = re.compile(
    r"""
    (?<![\w./:#-])(?:[A-Z]{1,2}-)?\d{4,6}(?![\d/:#%-]|[.,]\d)(?=[ ,]+[^\W\d_]{2})
    | \b[A-Z]{2}\s+\d{5}\b
    | \b[A-Z]{1,2}\d[A-Z\d]?\s+\d[A-Z]{2}\b
    """,
    re.VERBOSE,
)
"""A postal code before a place, a US state with its ZIP, a British postcode."""
_HOUSE_NUMBER = re.compile(
    r"""
    ^\W*(?:(?:no|lot|unit|plot|blk|block|nr)\b\.?[ :]*)?\d+[^\W\d_]?(?:[-/&,.\d]*\d[^\W\d_]?)?\b(?=[ ,])
    | ^\W*(?:no|lot)\b[ .:]*[^\W\d_]?-?\d
    """,
    re.VERBOSE | re.IGNORECASE,
)
_HOUSE_NUMBER_BEHIND = re.compile(
    r"[^\W\d_.][.,]?\s(?:no\.?\s?)?\d{1,4}(?:\s?[a-zA-Z])?(?:\s?[-/+]\s?\d{1,4}[a-zA-Z]?)?[\s,]*$"
)
"""At the end of a line with a street: ``Lindenallee 14``, ``Storgatan 12 B``."""
_CODE = re.compile(r"\d{5,}|\d{4,}[- ]?[A-Z]\b|\b[A-Z]{1,3}\d{4,}")
_AMOUNT = re.compile(r"\d[.,]\d{2}(?!\d)")
_PHONE_ALONE = re.compile(r"^[\s+()\d./-]{7,}$")
TRAILING_CODE = re.compile(
    r"\s*(?:[(\[][^()\[\]]*\d{3,}[^()\[\]]*[)\]]|\s[A-Z]{0,3}\d{4,}[-–]?[A-Z]?)\s*(?:[(\[][A-Z]{1,4}\d{0,4}[)\]])?\W*$"
)
"""A register number behind a firm's name: ``(519537-X)``, ``862725-U``."""


class Look(NamedTuple):
    """What one line or cell shows. Lengths in words."""

    words: int
    legal_form: bool
    business: bool
    heading: bool
    greeting: bool
    street: int
    """How many street words."""
    postcode: bool
    region: bool
    house_number: bool
    contact: bool
    code: bool
    amount: bool
    trailing_comma: bool
    digits: bool
    interrupts: bool
    """Tells how to reach somebody, or a number that is no postal code: no part of an address."""
    addressy: float
    """How much it looks like a part of an address; about 1 and more for a typical line of one."""


BUSINESS, HEADING, GREETING, STREET, CONTACT, STREET_ENDING, FIRM, REGION, NUMBER, LETTERS = (1 << n for n in range(10))
"""What a word may show, as bits. `FIRM` and `REGION`: a phrase of that list begins with it."""
_SHORTEST_STREET = 7
"""Letters of a word that ends like a street: ``Lindenallee``."""


@lru_cache(maxsize=16_384)
def marks_of(word: str) -> int:
    """What one folded word shows by itself."""
    marks = NUMBER if word.isdigit() else LETTERS
    for mark, words in _marked():
        if word in words:
            marks |= mark
    ends_like_one = len(word) >= _SHORTEST_STREET and word.endswith(_endings())
    return marks | STREET_ENDING if ends_like_one else marks


@cache
def _marked() -> tuple[tuple[int, frozenset[str]], ...]:
    lists = {BUSINESS: "business", HEADING: "headings", GREETING: "greetings", STREET: "street", CONTACT: "contact"}
    firsts = {FIRM: first_words("legal_forms"), REGION: first_words("regions")}
    return *((mark, word_set(name)) for mark, name in lists.items()), *firsts.items()


@cache
def _endings() -> tuple[str, ...]:
    return tuple(look_lists()["street_endings"])


@cache
def _phrases(key: str) -> dict[str, frozenset[tuple[str, ...]]]:
    """Phrases by their first word."""
    table: dict[str, set[tuple[str, ...]]] = {}
    for phrase in look_lists()[key]:
        words = split_words(phrase)
        table.setdefault(words[0], set()).add(words)
    return {word: frozenset(found) for word, found in table.items()}


def first_words(key: str) -> frozenset[str]:
    """The words that a phrase of a list begins with."""
    return frozenset(_phrases(key))


def phrase_end(key: str, words: list[str], at: int, last: int) -> int:
    """One after the last word of the longest phrase of a list that begins at word `at`; `at` itself: none."""
    best = at
    for phrase in _phrases(key).get(words[at], ()):
        end = at + len(phrase)
        if best < end <= last and tuple(words[at:end]) == phrase:
            best = end
    return best


def ends_a_firm(piece: str) -> bool:
    """Whether a piece is a firm's form and nothing else: ``Inc.``, ``S.A. de C.V.``."""
    words = list(split_words(piece))
    return bool(words) and phrase_end("legal_forms", words, 0, len(words)) == len(words)


def has_phrase(key: str, words: list[str], first: int, last: int) -> bool:
    """Whether a phrase of a list stands within words first to last."""
    return any(phrase_end(key, words, at, last) > at for at in range(first, last))


def look_at(layout: Layout, start: int, end: int) -> Look:
    """The look of ``text[start:end]``, which lies within one line."""
    piece = layout.text[start:end]
    first, last = layout.word_at(start), layout.word_at(end)
    words = layout.words[first:last]
    marks = reduce(or_, map(marks_of, words), 0)
    digits, heading = marks & NUMBER > 0, marks & HEADING > 0
    streets = _streets(words) if marks & (STREET | STREET_ENDING) else 0
    streets += piece.startswith("C/")
    legal_form = marks & FIRM > 0 and has_phrase("legal_forms", layout.words, max(first, last - 5), last)
    region = marks & REGION > 0 and has_phrase("regions", layout.words, first, last)
    postcode = digits and _POSTCODE.search(piece) is not None
    house_number = digits and _has_house_number(piece, streets)
    contact = marks & CONTACT > 0 or (not marks & LETTERS and _PHONE_ALONE.match(piece) is not None)
    code = digits and _CODE.search(piece) is not None
    amount = digits and _AMOUNT.search(piece) is not None
    trailing_comma = piece.rstrip().endswith(",")
    speaks_for = 0.6 * min(streets, 2) + 1.2 * postcode + 0.7 * region + 0.6 * house_number + 0.3 * trailing_comma
    return Look(
        words=len(words),
        legal_form=legal_form,
        business=marks & BUSINESS > 0,
        heading=heading,
        greeting=marks & GREETING > 0,
        street=streets,
        postcode=postcode,
        region=region,
        house_number=house_number,
        contact=contact,
        code=code,
        amount=amount,
        trailing_comma=trailing_comma,
        digits=digits,
        interrupts=contact or (code and not postcode),
        addressy=speaks_for - 1.0 * contact - 1.2 * legal_form - 1.0 * amount - 0.4 * heading,
    )


def _streets(words: list[str]) -> int:
    """How many street words are among them."""
    marks = [marks_of(word) for word in set(words)]
    return sum(mark & STREET > 0 for mark in marks) + sum(mark & STREET_ENDING > 0 for mark in marks)


def _has_house_number(piece: str, streets: int) -> bool:
    """Before a street, or behind one."""
    return _HOUSE_NUMBER.match(piece) is not None or (streets > 0 and _HOUSE_NUMBER_BEHIND.search(piece) is not None)


class LineLooks(dict[int, Look]):
    """Looks of whole lines by line number, made when first asked for; None for a line that is not there."""

    def __init__(self, layout: Layout) -> None:
        super().__init__()
        self.layout = layout
        self._spans: dict[tuple[int, int], Look] = {}

    def __missing__(self, number: int) -> Look:
        line = self.layout.lines[number]
        look = self[number] = look_at(self.layout, line.inner_start, line.inner_end)
        return look

    def within(self, line: Line, start: int, end: int) -> Look:
        """The look of a piece of a line; names and addresses ask for the same pieces."""
        if start == line.inner_start and end == line.inner_end:
            return self[line.number]
        look = self._spans.get((start, end))
        if look is None:
            look = self._spans[start, end] = look_at(self.layout, start, end)
        return look

    def of(self, number: int) -> Look | None:
        """The look of a line; None before the first and after the last."""
        return self[number] if 0 <= number < len(self.layout.lines) else None
