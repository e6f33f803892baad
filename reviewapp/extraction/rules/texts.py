"""Candidates that are words: firms' names, postal addresses, places."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from operator import attrgetter

import regex

from reviewapp.extraction.rules.candidates import Candidate, make
from reviewapp.extraction.rules.layout import Cell, Layout, Line
from reviewapp.extraction.rules.looks import FIRM, TRAILING_CODE, LineLooks, first_words, marks_of, phrase_end
from reviewapp.extraction.rules.words import split_words

HEAD_LINES = 16
"""Letterheads: names are looked for in this many lines at the top, and elsewhere only by form or label."""
TAIL_LINES = 14
NAME_WORDS, NAME_CHARACTERS = 10, 160
JOINED_LINES = 3
PROSE_REACH = 4_000
"""Characters of running text in which firms' names are looked for."""
BLOCK_LINES = 6
ADDRESS_CHARACTERS = 240
"""Of one line of an address."""
UNLIKE = -0.9
"""A line that looks so little like an address ends one."""
BLOCK_STARTS = 60
"""Lines, from the top, at which an address is let begin."""
CUT_AT_FORM = "cut at a firm's form"
_NAME_PART = regex.compile(r"\s+[-–—·•]\s+|\s*,\s+(?=\d)")
_LEAD_WORDS = re.compile(
    r"(?:(?:by and )?between|and|from|to|zwischen|und|entre|et|y|tra|e|tussen|en)\s+", re.IGNORECASE
)
"""What leads up to the name of a party, at the beginning of a line."""
_TAIL = regex.compile(
    r"(?:\b(?:geb(?:oren)?\.?(?:\s+am)?|born(?:\s+on)?|DOB:?|née?\s+le|nat[oa]\s+il|nacid[oa]\s+el"
    r"|geboren\s+op|ur\.)|\*)\s*\d|(?<=\s)(?P<mail>[(<\[][\w.+-]+@)",
    regex.IGNORECASE,
)
"""When somebody was born, a mail address in brackets."""
_BLANKS, _PARTED = re.compile(r"\s+$"), re.compile(r"[\s,;]*[(<\[]?\s*$")
"""What parts a mail address, or more about somebody, from the name."""
_LABELLED = regex.compile(r"^[^:]{2,32}?\s?:\s*(?=\S)")
_CONTACT_TAIL = regex.compile(
    r"[\s,;.(]{0,3}\b(?:tel|fax|phone|hp|h/p|gst|vat|email|e-mail|website|www)\b[ .:/]*(?:no|id|fax|reg)?\b.*$",
    regex.IGNORECASE,
)
_BEFORE_PLACE = regex.compile(
    r"\b(?:State|Commonwealth|Province|Canton|Republic|Kingdom|Principality|Territory|Dominion)\s+of\s+(?:the\s+)?"
    r"(?P<place>\p{Lu}[\p{L}'’]+(?:\s+(?:and\s+|of\s+)?\p{Lu}[\p{L}'’]+){0,3})",
    regex.IGNORECASE,
)
_ADJECTIVE_OF_LAW = regex.compile(
    r"\b(?:(?:\p{Lu}\p{Ll}+(?:ish|an|ese|ch|i)|Swiss|Dutch|Greek|Scots|Welsh|Czech|Thai)[ ]law"
    r"|(?:\p{L}+(?:isch|deutsch)(?:es|em|en)|deutsche[ms]|belgisches)[ ]Recht"
    r"|droit[ ]\p{Ll}+(?:ais|ien|ois|and|ol|e|que)|(?:ley|derecho)[ ]\p{Ll}+|diritto[ ]\p{Ll}+)\b"
)
"""A law named after a country by an adjective: ``English law``, ``deutsches Recht``."""
_LAW = re.compile(r" law\b|Recht\b|droit |ley |derecho |diritto ")


def find_names(layout: Layout, looks: LineLooks) -> list[Candidate]:
    """Names that a letterhead, a signature or a label may give: cells of lines, their parts, and lines joined."""
    found: dict[tuple[int, int], Candidate] = {}
    for line in _head_and_tail(layout):
        for cell in line.cells[:4]:
            for start, end, facts in _name_spans(layout, line, cell):
                _add_name(found, layout, looks, (start, end), facts)
    if any(line.prose for line in layout.lines):
        for start, end, facts in find_names_in_prose(layout):
            _add_name(found, layout, looks, (start, end), facts)
    return list(found.values())


def _head_and_tail(layout: Layout) -> list[Line]:
    lines = layout.lines
    chosen = lines[:HEAD_LINES] + lines[max(HEAD_LINES, len(lines) - TAIL_LINES) :]
    return [line for line in chosen if not line.prose]


_NAME_LOOKS = ("legal_form", "business", "heading", "greeting", "postcode", "contact", "code", "amount", "digits")
_name_looks = attrgetter(*_NAME_LOOKS)


def _add_name(
    found: dict[tuple[int, int], Candidate],
    layout: Layout,
    looks: LineLooks,
    span: tuple[int, int],
    facts: set[str],
) -> None:
    start, end = span
    count = layout.word_at(end) - layout.word_at(start)
    if not 1 <= count <= NAME_WORDS or span in found:
        return
    found[span] = make(layout, "name", start, end, facts=frozenset(facts | name_facts(layout, looks, start, end)))


def name_facts(layout: Layout, looks: LineLooks, start: int, end: int) -> set[str]:
    """What a name looks like by itself."""
    count = layout.word_at(end) - layout.word_at(start)
    look = looks.within(layout.line_at(start), start, end)
    facts = {name for name, there in zip(_NAME_LOOKS, _name_looks(look), strict=True) if there}
    if look.street > 1 or (look.street and look.house_number):
        facts.add("street")
    facts.add("one word" if count == 1 else "two words" if count == 2 else "many words" if count > 5 else "some words")
    return facts


def before_a_tail(text: str, start: int, end: int) -> int:
    """Where a name ends and more is said of somebody: ``Karl Brandt, geb. 11.02.1951``, ``Ada <ada@b.example>``."""
    tail = _TAIL.search(text, start + 1, end)
    if tail is None:
        return end
    parted = (_BLANKS if tail["mail"] else _PARTED).search(text, start + 1, tail.start())
    return parted.start() if parted else end


def _name_spans(layout: Layout, line: Line, cell: Cell) -> Iterator[tuple[int, int, set[str]]]:
    text = layout.text
    if cell.end - cell.start > NAME_CHARACTERS:
        return
    stop = before_a_tail(text, cell.start, cell.end)
    piece = text[cell.start : stop]
    yield cell.start, stop, set()
    trimmed = TRAILING_CODE.search(piece)
    if trimmed and trimmed.start() > 3:
        yield cell.start, cell.start + trimmed.start(), {"trimmed"}
    part = _NAME_PART.search(piece)
    if part and part.start() > 2:
        yield cell.start, cell.start + part.start(), {"first part"}
    label = _LABELLED.match(piece)
    if label:
        yield cell.start + label.end(), stop, {"labelled"}
        part = _NAME_PART.search(piece, label.end() + 2)
        if part:
            yield cell.start + label.end(), cell.start + part.start(), {"labelled", "first part"}
    lead = _LEAD_WORDS.match(piece)
    behind = label.end() if label else lead.end() if lead else 0
    yield from _cut_names(layout, cell.start + behind, stop, label is not None)
    if lead:
        yield cell.start + lead.end(), stop, {"behind a small word"}
    if len(line.cells) > 1 or line.number >= HEAD_LINES:
        return
    end_line = line
    for joined in range(2, JOINED_LINES + 1):
        if end_line.number + 1 >= len(layout.lines):
            return
        end_line = layout.lines[end_line.number + 1]
        if end_line.prose or len(end_line.cells) > 1 or end_line.blank_before:
            return
        yield cell.start, end_line.inner_end, {"joined", f"joined {joined}"}
        last = text[end_line.inner_start : end_line.inner_end]
        trimmed = TRAILING_CODE.search(last)
        if trimmed and trimmed.start() > 2:
            yield cell.start, end_line.inner_start + trimmed.start(), {"joined", f"joined {joined}", "trimmed"}


def _cut_names(layout: Layout, start: int, end: int, labelled: bool) -> Iterator[tuple[int, int, set[str]]]:
    """A name that ends with a firm's form though the line goes on: ``Pohl GmbH, Baunatal``."""
    first, last = layout.word_at(start), layout.word_at(end)
    for at in range(first + 1, last - 1):
        if not marks_of(layout.words[at]) & FIRM:
            continue
        stop = phrase_end("legal_forms", layout.words, at, last)
        if at < stop < last and not layout.text[layout.ends[stop - 1] : layout.starts[stop]].isspace():
            yield start, layout.ends[stop - 1], {CUT_AT_FORM, *({"labelled"} if labelled else ())}
            return


def find_names_in_prose(layout: Layout) -> Iterator[tuple[int, int, set[str]]]:
    """Capitalised words up to a firm's form, in the first lines and the last of running text."""
    text, words = layout.text, layout.words
    limit = layout.word_at(PROSE_REACH)
    for at in range(1, min(limit, len(words))):
        if not marks_of(words[at]) & FIRM:
            continue
        stop = phrase_end("legal_forms", words, at, len(words))
        if stop == at or not text[layout.starts[at]].isupper():
            continue
        first = at
        while first > 0 and _goes_on(text, layout.ends[first - 1], layout.starts[first]) and at - first < NAME_WORDS:
            before = text[layout.starts[first - 1]]
            if not (
                before.isupper() or before.isdigit() or words[first - 1] in ("and", "of", "und", "et", "de", "y", "e")
            ):
                break
            first -= 1
        while first < at and not text[layout.starts[first]].isupper():
            first += 1
        if first < at:
            yield layout.starts[first], layout.ends[stop - 1], {"in running text"}


def _goes_on(text: str, end: int, start: int) -> bool:
    """Whether a name may run on over what stands between two words."""
    return text[end:start].strip(" .&'’-,/\n") == "" and "\n\n" not in text[end:start] and start - end <= 3


def find_blocks(layout: Layout, looks: LineLooks) -> list[Candidate]:
    """Postal addresses: one to six lines under each other, of which the first looks like the part of one."""
    found: list[Candidate] = []
    tails = _ContactTails(layout.text)
    count = len(layout.lines)
    for line in layout.lines[:BLOCK_STARTS] + layout.lines[max(BLOCK_STARTS, count - TAIL_LINES) :]:
        if line.prose:
            continue
        for index, cell in enumerate(line.cells[:3]):
            if cell.end - cell.start > ADDRESS_CHARACTERS:
                continue
            look = looks.within(line, cell.start, cell.end)
            label = _LABELLED.match(layout.text[cell.start : cell.end])
            if look.addressy < 0.5 and not label:
                continue
            found.extend(_grow_block(layout, looks, tails, line, index, cell.start))
            if label:
                found.extend(_grow_block(layout, looks, tails, line, index, cell.start + label.end()))
    return found


class _ContactTails(dict[Cell, int | None]):
    """Where the contact data at the end of a cell begin; None: it has none. Blocks that overlap ask for the same."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text

    def __missing__(self, cell: Cell) -> int | None:
        tail = _CONTACT_TAIL.search(self.text, cell.start, cell.end)
        found = self[cell] = tail.start() if tail else None
        return found


def _grow_block(
    layout: Layout, looks: LineLooks, tails: _ContactTails, first: Line, index: int, start: int
) -> Iterator[Candidate]:
    label = {"behind a label"} if start > first.cells[index].start else set[str]()
    column = first.cells[index].start - first.start
    end_cell = first.cells[index]
    line = first
    above: list[tuple[int, int]] = []
    """Of the lines above the last one, each piece."""
    columns = len(first.cells) > 1
    for count in range(1, BLOCK_LINES + 1):
        begin = max(start, end_cell.start)
        tail = tails[end_cell]
        if tail is not None and tail > begin + 3:
            yield _block(layout, [*above, (begin, tail)], label | {"cut at contact"}, columns=columns)
            return
        if tail is None or count == 1:
            yield _block(layout, [*above, (begin, end_cell.end)], set(label), columns=columns)
        if line.number + 1 >= len(layout.lines):
            return
        above.append((begin, end_cell.end))
        line = layout.lines[line.number + 1]
        below = [c for c in line.cells if abs(c.start - line.start - column) <= 2]
        if line.prose or line.blank_before > 1 or not below or (len(line.cells) > 1 and len(first.cells) == 1):
            return
        if looks.within(line, *below[0]).addressy < UNLIKE:
            return
        columns = columns or len(line.cells) > 1
        end_cell = below[0]
        if end_cell.end - end_cell.start > ADDRESS_CHARACTERS:
            return


def _block(layout: Layout, pieces: list[tuple[int, int]], facts: set[str], *, columns: bool) -> Candidate:
    """`columns`: other columns stand beside it, which are no part of it."""
    facts.add(f"{len(pieces)} lines")
    start, end = pieces[0][0], pieces[-1][1]
    written = " ".join(layout.text[a:b] for a, b in pieces) if columns else layout.text[start:end]
    parted = tuple(pieces) if columns and len(pieces) > 1 else ()
    value = " ".join(written.split())
    return make(layout, "block", start, end, value=value, facts=frozenset(facts), pieces=parted)


def find_places(layout: Layout) -> list[Candidate]:
    """Countries, states and regions by name, and whatever follows "State of"."""
    found: dict[tuple[int, int], Candidate] = {}
    text, words, count = layout.text, layout.words, len(layout.words)
    countries, firsts = _countries(), _first_words_of_places()
    end = 0
    for at in [i for i, word in enumerate(words) if word in firsts]:
        start = layout.starts[at]
        if at < end or not text[start].isupper():
            continue
        end = phrase_end("regions", words, at, count)
        for phrase in countries.get(words[at], ()):
            if at + len(phrase) > end and tuple(words[at : at + len(phrase)]) == phrase:
                end = at + len(phrase)
        if end > at:
            span = (start, layout.ends[end - 1])
            found[span] = make(layout, "place", *span, facts=frozenset(("known",)))
    for match in _BEFORE_PLACE.finditer(text):
        start, end = match.span("place")
        if text[start].isupper() and not any(s < end and start < e for s, e in found):
            found[start, end] = make(layout, "place", start, end, facts=frozenset(("state of",)))
    for match in _ADJECTIVE_OF_LAW.finditer(text) if _LAW.search(text) else ():
        found[match.span()] = make(layout, "place", *match.span(), facts=frozenset(("law by adjective",)))
    return sorted(found.values(), key=lambda c: c.start)


@cache
def _first_words_of_places() -> frozenset[str]:
    return first_words("regions") | frozenset(_countries())


@cache
def _countries() -> dict[str, tuple[tuple[str, ...], ...]]:
    """Names of countries in five languages by their first word (Unicode CLDR, through babel)."""
    from babel import Locale

    names: set[tuple[str, ...]] = set()
    for language in ("en", "de", "fr", "es", "it"):
        for code, name in Locale(language).territories.items():
            words = split_words(name)
            if code.isalpha() and words and len(words[0]) > 1:
                names.add(words)
    table: dict[str, list[tuple[str, ...]]] = {}
    for words in sorted(names, key=lambda w: (-len(w), w)):
        table.setdefault(words[0], []).append(words)
    return {word: tuple(found) for word, found in table.items()}
