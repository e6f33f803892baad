"""Words and boxes that say yes or no, and which choice of a form is ticked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

import regex

from reviewapp.extraction.rules.candidates import Candidate, make
from reviewapp.extraction.rules.layout import Layout

_YES = frozenset(("yes", "ja", "oui", "si", "tak", "true", "wahr", "vrai", "vorhanden", "included", "available"))
_NO = frozenset(
    ("no", "nein", "non", "nie", "false", "falsch", "faux", "none", "keine", "kein", "not", "nicht", "without", "ohne",
     "sans", "sin", "senza")
)  # fmt: skip
_BOX = regex.compile(
    r"(?P<empty>☐|⬜|🔲|\[ ?\]|\( \))|(?P<ticked>☑|☒|✓|✔|🗹|🗷|⊠|\[[xX✓]\]|\([xX✓]\))|(?P<crossed>✗|✘)"
    r"|(?P<open>□|○|◯)|(?P<full>■|●|◉|⦿)"
)
"""The last two are boxes beside a choice, and bullets elsewhere."""
_BULLETS = ("open", "full")
_GAP = 3
"""Blanks at most between a box and its choice."""
_EITHER = regex.compile(r"\s?[/|]\s?|\s(?:or|oder|ou|of|lub|o)\s", regex.IGNORECASE)
_NUMBER_FOLLOWS = regex.compile(r"[.:#]?\s*[.:]?\s*\d")
"""Behind ``No.``, which then is no answer."""

Span = tuple[int, int]


def find_yes_no(layout: Layout) -> list[Candidate]:
    """What says yes or no: a word, a box, a ticked choice. A choice that was not ticked says nothing, nor does
    ``yes / no`` on a form that nobody filled in."""
    said = _said(layout)
    ticked = ticks(layout, list(said))
    found = []
    for span, word in said.items():
        if span in ticked and not ticked[span][1]:
            continue
        start, end = span
        if span in ticked:
            box = ticked[span][0]
            start, end = min(start, box[0]), max(end, box[1])
        value = "yes" if word in _YES else "no"
        found.append(make(layout, "yesno", start, end, value=value, key=value, facts=frozenset((f"says {word}",))))
    taken = {box for box, _ in ticked.values()}
    for match in _BOX.finditer(layout.text):
        if match.lastgroup not in _BULLETS and match.span() not in taken:
            value = "yes" if match["ticked"] else "no"
            found.append(make(layout, "yesno", *match.span(), value=value, key=value, facts=frozenset(("a box",))))
    return sorted(found, key=lambda c: (c.start, c.end))


def _said(layout: Layout) -> dict[Span, str]:
    """Words that say yes or no, by their place."""
    text = layout.text
    said: dict[Span, str] = {}
    for index, word in enumerate(layout.words):
        if word in _YES or word in _NO:
            start, end = layout.starts[index], layout.ends[index]
            if not (word == "no" and _NUMBER_FOLLOWS.match(text, end, end + 6)):
                said[start, end] = word
    places = list(said)
    for first, second in pairwise(places):
        opposite = (said.get(first) in _YES) != (said[second] in _YES)
        if first in said and opposite and _EITHER.fullmatch(text, first[1], second[0]):
            said = {place: word for place, word in said.items() if place not in (first, second)}
    return said


def ticks(layout: Layout, choices: Sequence[Span]) -> dict[Span, tuple[Span, bool]]:
    """(its box, is it ticked) of every choice that has a box of its own, before it or, where a line puts its choices
    first, behind it."""
    found: dict[Span, tuple[Span, bool]] = {}
    boxes = [(m.span(), m.lastgroup not in ("empty", "open")) for m in _BOX.finditer(layout.text)] if choices else []
    if not boxes:
        return found
    for line, on_line in _by_line(layout, choices):
        begin, end = layout.lines[line].start, layout.lines[line].end
        own = [box for box in boxes if begin <= box[0][0] < end]
        if not own:
            continue
        before = own[0][0][0] < on_line[0][0]
        for box, ticked in own:
            for choice in on_line:
                if choice not in found and _belongs(layout.text, box, choice, before=before, end=end):
                    found[choice] = (box, ticked)
                    break
    return found


def _by_line(layout: Layout, choices: Sequence[Span]) -> Iterator[tuple[int, list[Span]]]:
    lines: dict[int, list[Span]] = {}
    for choice in sorted(choices):
        lines.setdefault(layout.line_at(choice[0]).number, []).append(choice)
    yield from lines.items()


def _belongs(text: str, box: Span, choice: Span, *, before: bool, end: int) -> bool:
    """Whether a box stands right before a choice, or right behind it and before no other word."""
    gap = text[box[1] : choice[0]] if before else text[choice[1] : box[0]]
    if (box[1] > choice[0] if before else choice[1] > box[0]) or len(gap) > _GAP or gap.strip():
        return False
    behind = text[box[1] : end]
    return (
        before or not behind.strip() or behind[:2].isspace() or behind.lstrip()[0] in ",;|" or _choice_goes_on(behind)
    )


def _choice_goes_on(behind: str) -> bool:
    """``ja ☐ nein ☒``: what stands behind the box has a box of its own."""
    return _BOX.search(behind) is not None
