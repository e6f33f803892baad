"""Candidates that only the property's own cues lead to: what stands behind a label, in a column, beside a word."""

from __future__ import annotations

from collections.abc import Iterator

import regex

from reviewapp.extraction.rules.candidates import Candidate, make
from reviewapp.extraction.rules.cues import PART, Hit, Hits
from reviewapp.extraction.rules.features import Query, Sight
from reviewapp.extraction.rules.fields import begins_with_a_label, heads_a_column, says_nothing, stated_by
from reviewapp.extraction.rules.layout import Layout, Line
from reviewapp.extraction.rules.marks import ticks
from reviewapp.extraction.rules.parties import party_before
from reviewapp.extraction.rules.texts import before_a_tail
from reviewapp.extraction.rules.views import View
from reviewapp.extraction.rules.words import all_words, split_words

MOST_HITS = 12
LONGEST_WORDS = 14
_COLUMN_ROWS = 3
MAY_BE_A_HEAD = "beside a label that may head a column"
"""Fact of what stands in the next cell where the rows around do not tell a label from a head."""
BEHIND_A_LONGER_LABEL = "in the cell behind a longer label"
"""Fact of what stands beside ``Amtliches Kennzeichen`` for ``kennzeichen``; ``Previous owner`` is no owner."""
_NUMBERING = regex.compile(r"(?:\p{Lu}|\d{1,2})(?:\.\d{1,2}){0,2}[.)]?\s+")
_ADJECTIVE = regex.compile(r"(?:(?:\p{Lu}|\d{1,2})(?:\.\d{1,2}){0,2}[.)]?\s+)?\p{L}+\.?\s")
BEFORE_ITS_ROLE = "before its role"
BEHIND_A_WORD = "behind a word"
"""Fact of what goes on behind a cue without colon or gap, and may go on with the label: ``Room charge``."""
_LEADERS = regex.compile(r"\.{3}|…|_{3}")
_LEAD = regex.compile(r"[\s:=.#–—-]*(?:(?:[Nn][°º]|№|N[ro]\.)[ ]?(?=[^\s]*\d))?")
_REMARK = regex.compile(r"\s*[(\[][^()\[\]\n]{1,40}[)\]]\s*(?=[:=]|$)")
"""``Material (housing):``: a remark that belongs to the label."""
_TECHNICAL = regex.compile(
    r"(?<![\p{L}\d])\p{Lu}{2,5}[ ]\d[\p{L}\d./-]*(?![^\s.,;)])"
    r"|(?:\d+(?:\.\d+)?\s?(?:mol|wt|vol)?\s?%\s+)?"
    r"(?<![\p{L}\d])(?=[\p{L}\d./()\[\]−–-]*\p{Lu})(?=[^\s]*(?:\p{Lu}[^\s]*\p{Lu}|\p{L}\d|\d\p{L}))"
    r"[\p{L}\d(\[][\p{L}\d.()\[\]/−–‐+-]*[\p{L}\d)\]]"
)
"""A token of a trade: ``Ni-YSZ``, ``La0.6Sr0.4CoO3``, ``X5CrNi18-10``, ``IP67``, ``RAL 9016``."""
_NAME_IN_TWO = regex.compile(r"\p{Lu}\p{Ll}{2,}-?\p{Lu}\p{Ll}{2,}(?:-\p{Lu}\p{Ll}{2,})?")
"""``Karl-Heinz``, ``AquaNode``: a name, and no token of a trade."""
_NEXT_PAIR = regex.compile(r"\s*[,;|/]\s*(?:\p{L}[\p{L}\p{N}._-]*[ ]?){1,4}(?::\s|=)")
REACH_CHARACTERS = 90
_PAUSE = regex.compile(r"[,;:()\n]|\.(?=\s|$)|  |$")


def find_phrases(sight: Sight, view: View) -> list[Candidate]:
    """What the text puts where the property's cues point, in text order, each span once."""
    found: dict[tuple[int, int], Candidate] = {}
    hits = [h for h in sight.own.hits if h[2] >= PART][:MOST_HITS]
    for hit in hits:
        for start, end, fact in _beside(hit, sight.own, view):
            known = (start, end) in found and fact != BEFORE_ITS_ROLE
            if end <= start or known or says_nothing(view.layout.text[start:end]):
                continue
            words = view.layout.word_at(end) - view.layout.word_at(start)
            if words <= LONGEST_WORDS:
                end = before_a_tail(view.layout.text, start, end)
                candidate = make(
                    view.layout, "phrase", start, end, facts=frozenset((fact, *_phrase_facts(view, start, end)))
                )
                found[start, end] = candidate
    return sorted(found.values(), key=lambda c: (c.start, c.end))


def _phrase_facts(view: View, start: int, end: int) -> Iterator[str]:
    words = view.layout.words[view.layout.word_at(start) : view.layout.word_at(end)]
    yield "one word" if len(words) <= 1 else "few words" if len(words) < 5 else "many words"
    if any(w.isdigit() for w in words):
        yield "digits"


def _beside(hit: Hit, own: Hits, view: View) -> Iterator[tuple[int, int, str]]:
    layout = view.layout
    party = party_before(layout.text, layout.starts[hit[0]])
    if party is not None:
        yield *party, BEFORE_ITS_ROLE
        return
    first, last = hit[0], hit[1] - 1
    start, end = layout.starts[first], layout.ends[last]
    line = layout.line_at(start)
    index = layout.cell_index(line, start)
    cell = line.cells[index]
    begins = start <= cell.start + 2 or _NUMBERING.fullmatch(layout.text, cell.start, start) is not None
    if begins and not line.prose:
        if line.number not in layout.heads:
            yield from _behind_label(view, line, index, end, own)
        said = stated_by(layout, *hit[:2])
        if said is None or not says_nothing(said):
            yield from _below_head(view, line, index)
    elif (
        not line.prose
        and end == cell.end
        and index + 1 < len(line.cells)
        and _ADJECTIVE.fullmatch(layout.text, cell.start, start)
    ):
        for begin, stop, _ in _behind_label(view, line, index, end, own):
            yield begin, stop, BEHIND_A_LONGER_LABEL
    elif layout.text[end : end + 2].lstrip()[:1] in (":", "="):
        yield from _trim(layout, end, _clause_end(layout, end), "behind a label")
    else:
        yield from _trim(layout, end, _pause(layout, end), "up to the next comma")
    if line.prose or len(line.cells) == 1:
        yield from _technical(layout, start, end)


def _behind_label(view: View, line: Line, index: int, end: int, own: Hits) -> Iterator[tuple[int, int, str]]:
    layout, cell = view.layout, line.cells[index]
    remark = _REMARK.match(layout.text, end, cell.end)
    end = remark.end() if remark else end
    rest = _LEAD.match(layout.text, end, cell.end)
    begin = rest.end() if rest else end
    if begin < cell.end:
        between = layout.text[end:begin]
        marked = ":" in between or "=" in between or _LEADERS.search(between) is not None
        stop = _before_next_pair(layout, begin, cell.end) if marked else cell.end
        if not (marked and begins_with_a_label(view, begin, stop, known=True)):
            yield begin, stop, "behind a label" if marked else BEHIND_A_WORD
    elif index + 1 < len(line.cells) and (head := heads_a_column(view, line, index, own)) is not True:
        following = line.cells[index + 1]
        lead = _LEAD.match(layout.text, following.start, following.end)
        begin = lead.end() if lead else following.start
        if not begins_with_a_label(view, begin, following.end, known=True):
            yield begin, following.end, "in the next cell" if head is False else MAY_BE_A_HEAD


def _below_head(view: View, line: Line, index: int) -> Iterator[tuple[int, int, str]]:
    layout, head = view.layout, line.cells[index]
    column = head.start - line.start
    for number in range(line.number + 1, min(len(layout.lines), line.number + 1 + _COLUMN_ROWS)):
        row = layout.lines[number]
        if row.prose or row.blank_before > 1:
            return
        if len(row.cells) == len(line.cells) and len(row.cells) > 1:
            cell = row.cells[index]
        else:
            under = [c for c in row.cells if abs(c.start - row.start - column) <= 2]
            if not under:
                continue
            cell = under[0]
        if begins_with_a_label(view, cell.start, cell.end, known=False):
            return
        yield cell.start, cell.end, "under a head" if number > line.number + 1 else "right under a head"


def _before_next_pair(layout: Layout, start: int, end: int) -> int:
    """Where the next label and its colon begin, in ``Colour: red; Material: steel``; else `end`."""
    following = _NEXT_PAIR.search(layout.text, start, end)
    return following.start() if following else end


def _pause(layout: Layout, at: int) -> int:
    stop = _PAUSE.search(layout.text, at, at + REACH_CHARACTERS)
    return stop.start() if stop else at


def _clause_end(layout: Layout, at: int) -> int:
    stop = regex.search(r"[.;\n](?=\s|$)|\n", layout.text[at : at + 200])
    return _before_next_pair(layout, at, at + stop.start() if stop else min(len(layout.text), at + 200))


def _trim(layout: Layout, start: int, end: int, fact: str) -> Iterator[tuple[int, int, str]]:
    lead = _LEAD.match(layout.text, start, end)
    begin = lead.end() if lead else start
    while end > begin and layout.text[end - 1] in " ,;.":
        end -= 1
    yield begin, end, fact


def _technical(layout: Layout, start: int, end: int) -> Iterator[tuple[int, int, str]]:
    text = layout.text
    for match in _TECHNICAL.finditer(text, max(0, start - REACH_CHARACTERS), min(len(text), end + REACH_CHARACTERS)):
        if (match.end() <= start or match.start() >= end) and not _NAME_IN_TWO.fullmatch(match[0]):
            yield *_without_brackets(text, *match.span()), "term of a trade"


def _without_brackets(text: str, start: int, end: int) -> tuple[int, int]:
    """``(YSZ)`` is said as an aside; ``(La0.8Sr0.2)MnO3`` and ``(Ba,Sr)(Co,Fe)O3`` keep theirs."""
    inner = text[start + 1 : end - 1]
    closed = text[start] + text[end - 1] in ("()", "[]") and not any(sign in inner for sign in "()[]")
    return (start + 1, end - 1) if closed else (start, end)


def find_options(query: Query, view: View) -> list[Candidate]:
    """Where the text names one of the property's options.

    Inside a longer option a shorter one does not count, nor does one whose box is not ticked.
    """
    layout = view.layout
    places: dict[str, list[int]] = {}
    for index, word in enumerate(layout.words):
        places.setdefault(word, []).append(index)
    found: list[tuple[int, int, str]] = []
    taken: set[int] = set()
    for option in sorted(query.prop.options, key=lambda o: -len(o)):
        words = all_words(option)
        if not words:
            continue
        for at in places.get(words[0], ()):
            if at not in taken and tuple(layout.words[at : at + len(words)]) == words:
                found.append((at, at + len(words), option))
                taken.update(range(at, at + len(words)))
    candidates = []
    ticked = ticks(layout, [(layout.starts[first], layout.ends[last - 1]) for first, last, _ in found])
    for first, last, option in sorted(found):
        start, end = layout.starts[first], layout.ends[last - 1]
        if (start, end) in ticked and not ticked[start, end][1]:
            continue
        candidates.append(
            make(
                layout,
                "option",
                start,
                end,
                key=option.casefold(),
                facts=frozenset(_cased(layout.text, start, end, option)),
            )
        )
    return candidates


def _cased(text: str, start: int, end: int, option: str) -> Iterator[str]:
    if text[start:end] == option:
        yield "spelt alike"
    if len(split_words(option)) > 1:
        yield "of several words"
