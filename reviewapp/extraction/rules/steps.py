"""Labels in step with numbers: ``width x height: 18 x 4 in`` calls the first number width and the second height."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from itertools import pairwise

import regex

from reviewapp.extraction.quantities import Quantity

MOST = 3
"""Numbers in step at most."""
REACH = 120
"""Characters before and behind the numbers in which their labels stand."""
LONGEST_GAP = 10
"""Characters between two numbers that are joined."""
_JOINING = frozenset("x×X*/")
_TIMES = regex.compile(r"[^\d\n]{0,6}\s?[x×X*]\s?(?:[WBLHDT]\s?[=:]?\s?)?")
_LETTER_BEFORE = re.compile(r"\b([WBLHDT])\s?[=:]?\s?$")
_LETTER_BEHIND = re.compile(r"\s?[(\[]?([WBLHDT])\b")
_SLASH = regex.compile(r"[^\d\n/]{0,6}/\s?")
_WORD = r"(?![xX]\b)\p{L}[\p{L}.'’]*"
_LABEL = rf"(?P<label>{_WORD}(?:[ -]{_WORD}){{0,2}})"
_AND = r"(?:\s+[xX]\s+|\s*[×*/,]\s*)"
_LEAD_UP = r"[\s:=)\]]*(?:[(\[][^()\[\]\n\d]{1,12}[)\]])?[ :=]*\n?[ ]*"
"""Between the last label and the first number: a colon, the unit in brackets, the end of the line."""
_SET_OFF = re.compile(r"[:=)\]\n]")
_BEFORE = {n: regex.compile(rf"(?<!{_AND}){_LABEL}(?:{_AND}{_LABEL}){{{n - 1}}}{_LEAD_UP}$") for n in (2, 3)}
_BEHIND = {n: regex.compile(rf"\s*[(\[]\s*{_LABEL}(?:{_AND}{_LABEL}){{{n - 1}}}\s*[)\]]") for n in (2, 3)}
_LEGEND = re.compile(r"\b([WBLHDTÄ])\s?[x×X/]\s?([WBLHDTÄ])(?:\s?[x×X/]\s?([WBLHDTÄ]))?\b")
_LETTERS = {"W": "width", "B": "width", "L": "length", "H": "height", "D": "depth", "T": "depth"}


@dataclass(frozen=True, slots=True)
class Step:
    """One of several numbers given together."""

    facts: frozenset[str] = frozenset()
    """``2 of 3``: its place among measures; ``legend: height``: what a legend of letters (``W x H x D``) calls it."""
    label: tuple[int, int] | None = None
    """Characters of its own label."""
    run: tuple[int, int] | None = None
    """Characters of all the label–value pairs that it is one of (`pairs`)."""


UNLABELLED = Step()


def find_steps(text: str, quantities: Sequence[Quantity]) -> dict[int, Step]:
    """By number of the quantity what its place among others says."""
    steps: dict[int, Step] = {}
    beside = _beside(text, quantities)
    for joint in (_TIMES, _SLASH):
        joined = {at for at, gap in beside.items() if joint.fullmatch(text, *gap)}
        for first, count in _runs(joined):
            steps.update(_steps(text, quantities[first : first + count], first, measures=joint is _TIMES))
    return steps


def _beside(text: str, quantities: Sequence[Quantity]) -> dict[int, tuple[int, int]]:
    """By number of the quantity the gap before the next one, where that is short and has a sign that may join them."""
    gaps: dict[int, tuple[int, int]] = {}
    for at, (one, other) in enumerate(pairwise(quantities)):
        end, following = one.numbers[-1].end, other.start
        if following - end <= LONGEST_GAP and not _JOINING.isdisjoint(text[end:following]):
            gaps[at] = end, following
    return gaps


def _runs(joined: Set[int]) -> Iterator[tuple[int, int]]:
    """(number of the first, how many) of quantities that are joined, each to the next one."""
    for first in sorted(at for at in joined if at - 1 not in joined):
        count = 2
        while first + count - 1 in joined:
            count += 1
        if count <= MOST:
            yield first, count


def _steps(text: str, run: Sequence[Quantity], first: int, *, measures: bool) -> Iterator[tuple[int, Step]]:
    count = len(run)
    legend = _legend(text, run)
    labels = _labels(text, run) if legend is None else None
    if labels is None and legend is None and not measures:
        return
    for at in range(count):
        facts = {f"legend: {legend[at]}"} if legend else {f"{at + 1} of {count}"} if measures else set[str]()
        yield first + at, Step(frozenset(facts), labels[at] if labels else None)


def _legend(text: str, run: Sequence[Quantity]) -> list[str] | None:
    """What a legend on the same line calls the measures: ``W x H x D  320 x 610 x 145 mm``, also behind them."""
    own = _own_letters(text, run)
    if own is not None:
        return own
    begin = text.rfind("\n", 0, run[0].start) + 1
    end = text.find("\n", run[-1].end)
    for since, until in ((begin, run[0].start), (run[-1].end, len(text) if end < 0 else end)):
        found = _LEGEND.search(text, since, until)
        letters = [letter for letter in found.groups() if letter] if found else []
        if len(letters) == len(run):
            return [_LETTERS.get(letter, "other") for letter in letters]
    return None


def _own_letters(text: str, run: Sequence[Quantity]) -> list[str] | None:
    """``W 600 x H 400 mm``, ``600 mm W x 400 mm H``: each measure with a letter of its own."""
    before = [_LETTER_BEFORE.search(text, max(0, q.start - 4), q.start) for q in run]
    behind = [_LETTER_BEHIND.match(text, q.end) for q in run]
    for found in (before, behind):
        if all(found) and len({m[1] for m in found if m}) == len(run):
            return [_LETTERS[m[1]] for m in found if m]
    return None


def _labels(text: str, run: Sequence[Quantity]) -> list[tuple[int, int]] | None:
    """The places of as many labels as there are numbers, right before them or in brackets behind them."""
    start, end = run[0].start, run[-1].end
    found = _BEFORE[len(run)].search(text, max(0, start - REACH), start)
    if found is not None and "," in found[0] and not _SET_OFF.search(found[0]):
        found = None  # `steel doors, clear opening 1000 x 2100 mm` is a sentence
    if found is None:
        found = _BEHIND[len(run)].match(text, end, end + REACH)
    return None if found is None else found.spans("label")
