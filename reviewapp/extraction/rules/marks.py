"""Words and boxes that say yes or no, and which choice of a form is ticked."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
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

_LETTERS = {"y": "yes", "j": "ja", "n": "no"}
_LETTER_ALONE = regex.compile(r"(?<=[:=|\t][ ]{0,8})[YJN](?=[ ]*(?:$|[\n;,|\t]|[ ]{2}))", regex.MULTILINE)
"""``Hazmat: N``: a capital letter that is all there is behind a label."""

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
    for letter in _LETTER_ALONE.finditer(text):
        said.setdefault(letter.span(), _LETTERS[letter[0].casefold()])
    said = dict(sorted(said.items()))
    for first, second in pairwise(list(said)):
        opposite = (said.get(first) in _YES) != (said[second] in _YES)
        if first in said and opposite and _EITHER.fullmatch(text, first[1], second[0]):
            del said[first], said[second]
    return said


def ticks(layout: Layout, choices: Sequence[Span]) -> dict[Span, tuple[Span, bool]]:
    """(its box, is it ticked) of every choice that has a box of its own, before it or, where a line puts its choices
    first, behind it."""
    found: dict[Span, tuple[Span, bool]] = {}
    if not choices:
        return found
    boxes: dict[int, list[tuple[Span, bool]]] = {}
    for match in _BOX.finditer(layout.text):
        on_line = boxes.setdefault(layout.line_at(match.start()).number, [])
        on_line.append((match.span(), match.lastgroup not in ("empty", "open")))
    for number, line_choices in _by_line(layout, choices, boxes.keys()):
        own = boxes[number]
        before = own[0][0][0] < line_choices[0][0]
        places = {choice[0 if before else 1]: choice for choice in reversed(line_choices)}
        for at, (box, ticked) in enumerate(own):
            if not before and not _ends_its_choice(layout, box, number, is_last=at == len(own) - 1):
                continue
            choice = _beside(layout.text, box, places, before=before)
            if choice is not None and choice not in found:
                found[choice] = (box, ticked)
    return found


def _by_line(layout: Layout, choices: Sequence[Span], wanted: Collection[int]) -> Iterator[tuple[int, list[Span]]]:
    lines: dict[int, list[Span]] = {}
    for choice in sorted(choices):
        number = layout.line_at(choice[0]).number
        if number in wanted:
            lines.setdefault(number, []).append(choice)
    yield from lines.items()


def _beside(text: str, box: Span, places: Mapping[int, Span], *, before: bool) -> Span | None:
    """The choice right behind a box or, where boxes stand behind their choices, right before it; `places`: choices by
    where they begin or end."""
    at, step = (box[1], 1) if before else (box[0], -1)
    for _ in range(_GAP + 1):
        if at in places:
            return places[at]
        blank = text[at : at + 1] if before else text[at - 1 : at]
        if not blank.isspace():
            return None
        at += step
    return None


def _ends_its_choice(layout: Layout, box: Span, number: int, *, is_last: bool) -> bool:
    """Whether no other word follows a box behind its choice: ``ja ☐ nein ☒``, where the next one has its own box."""
    if not is_last:
        return True
    behind = layout.text[box[1] : layout.lines[number].end]
    return not behind.strip() or behind[:2].isspace() or behind.lstrip()[0] in ",;|"
