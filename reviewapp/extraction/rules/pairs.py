"""Label–value pairs side by side: ``flow tank 5 l/min; flow mixer 6 l/min`` gives each number a label of its own."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby

import regex

from reviewapp.extraction.quantities import Quantity
from reviewapp.extraction.rules.layout import Layout, Line
from reviewapp.extraction.rules.steps import Step

MOST_WORDS = 6
"""Words of a label at most."""
_PART = r"(?:\s*[;,|/·•]\s*(?:and\s|und\s|et\s|y\s)?|\t\s*|\s{2,}|\.\s+|\s(?:and|und|et|y)\s)"
"""What parts one pair from the next."""
_WORD = r"[\p{L}\p{M}][\p{L}\p{M}\p{N}_.'’%°²³-]*|[(\[][^()\[\]\n]{1,20}[)\]]"
_LABEL = rf"(?P<label>(?:{_WORD})(?:[ _/-]{{1,2}}(?:{_WORD})){{0,{MOST_WORDS - 1}}})"
_SAYS = r"[ \t]*[:=–—-]?[ \t|]*"
"""Between a label and its number."""
_LEAD_IN = r"(?:[^\n\d]{0,60}?(?:[:–—]|\s-)\s+)?"
"""``Technical data:`` before the first pair."""
_LETTER = re.compile(r"[^\W\d_]")
_FIRST = regex.compile(rf"[\s|*•·-]*{_LEAD_IN}{_LABEL}{_SAYS}")
_NEXT = regex.compile(rf"{_PART}{_LABEL}{_SAYS}")
_END = regex.compile(r"[\s.;,|)]*")
_BEGIN_ANYHOW = regex.compile(r"[^\n]*")
_LABEL_BEHIND = rf"[ \t]{{1,2}}(?:(?=\p{{L}}{{2}}){_LABEL}|[(\[](?=\p{{L}}{{2}}){_LABEL}[)\]])"
"""A lone letter behind a number is a code of its own (``31.80 S``), not its label."""
_BEHIND = regex.compile(rf"{_LABEL_BEHIND}{_PART}")
_LAST = regex.compile(rf"{_LABEL_BEHIND}[\s.;,|]*(?:(?<=[.;,]\s)[^\n\d]*)?")


def find_pairs(layout: Layout, quantities: Sequence[Quantity]) -> dict[int, Step]:
    """By number of the quantity its own label, on lines that are nothing but such pairs, two or more.

    The labels stand all before their numbers or all behind them; behind, any words may lead up to the first number:
    ``It offers 180 mm height, 90 mm width and 40 mm depth.``
    """
    found: dict[int, Step] = {}
    text, at = layout.text, 0
    for line, group in groupby(quantities, key=lambda q: layout.line_at(q.start)):
        here = list(group)
        if len(here) > 1 and here[-1].end <= line.end and _LETTER.search(text, here[0].end, here[1].start):
            labels = _labels(text, line, here)
            if labels is not None:
                run = (min(labels[0][0], here[0].start), max(labels[-1][1], here[-1].end))
                found.update((at + i, Step(label=label, run=run)) for i, label in enumerate(labels))
        at += len(here)
    return found


def _labels(text: str, line: Line, quantities: Sequence[Quantity]) -> list[tuple[int, int]] | None:
    """The place of each quantity's label; None: the line is not made of pairs."""
    count = len(quantities)
    before = (_FIRST, *[_NEXT] * (count - 1), _END)
    behind = (_BEGIN_ANYHOW, *[_BEHIND] * (count - 1), _LAST)
    # `5 V maximum` is a bound, but `5 V maximum voltage` may be a label: behind numbers it counts as one.
    ends = {before: [q.end for q in quantities], behind: [q.core_span[1] for q in quantities]}
    for patterns, number_ends in ends.items():
        gaps = zip((line.start, *number_ends), (*(q.start for q in quantities), line.end), patterns, strict=True)
        labels = []
        for start, end, pattern in gaps:
            match = pattern.fullmatch(text, start, end)
            if match is None:
                break
            if "label" in match.re.groupindex:
                labels.append(match.span("label"))
        else:
            return labels
    return None
