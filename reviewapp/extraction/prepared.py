"""A text made ready for searching: its normalised form, with the way back to the original positions.

The normalised form is Unicode NFKC with case folded, white space runs as one space, curly quotes, dashes, minus signs
and non-breaking hyphens as their ASCII twins, decimal digits of every script as 0-9, hidden characters (soft hyphen,
zero width, direction marks, the points of Hebrew and Arabic) removed, and words that a hyphen splits at a line end
joined. A superscript after a digit
keeps a mark of its own (``10³`` → ``10^3``) and so does a fraction (``2½`` → ``2 1/2``): folding must not make up
numbers.

All positions are code points. Nearly all characters fold one to one, so the map is kept as runs: a plain run counts
along with the text, a whole run stands for characters that may not be split (a ligature, an emoji with joiners, a
letter with its marks).
"""

from __future__ import annotations

import re
import unicodedata
from array import array
from bisect import bisect_right
from collections.abc import Callable, Hashable
from functools import cached_property, lru_cache
from typing import Any, Final, NamedTuple, TypeVar, cast

import regex

T = TypeVar("T")

PLAIN: Final = 0
"""A run that counts along one to one."""
WHOLE: Final = 1
"""A run that is one character to a reader; no span may begin or end inside."""
GAP: Final = 2
"""White space folded to one space, or a hyphen with the line end behind it, folded to nothing."""

_SAME_LOOK: Final = {
    **dict.fromkeys("‘’‚‛′‵ʼʹ´`＇", "'"),
    **dict.fromkeys("“”„‟″‶«»＂〝〞", '"'),
    **dict.fromkeys("‹›", "'"),
    **dict.fromkeys("‐‑‒–—―−⁃﹘﹣－", "-"),
    **dict.fromkeys("⁄∕", "/"),
    "ٱ": "ا",
    "٫": ".",
    "٬": ",",
    # CJK radicals that NFKC leaves alone, by Unicode's EquivalentUnifiedIdeograph.txt.
    **dict(
        zip(
            "⺟⺠⻁⻄⻅⻉⻋⻓⻔⻘⻙⻚⻛⻜⻝⻢⻣⻤⻥⻦⻨⻩⻬⻮⻰⻳",
            "母民虎西见贝车长门青韦页风飞食马骨鬼鱼鸟麦黄齐齿龙龟",
            strict=True,
        )
    ),
}
_JOINERS: Final = regex.compile(
    r"[\p{GCB=Extend}\p{GCB=ZWJ}\p{GCB=SpacingMark}\p{GCB=Prepend}\p{GCB=L}\p{GCB=V}\p{GCB=T}\p{GCB=Regional_Indicator}]"
)
"""Characters that may make one grapheme cluster of several code points (Unicode UAX 29)."""
_CLUSTER: Final = regex.compile(r"\X")
_SELECTORS: Final = re.compile("[\u200c\u200d\ufe00-\ufe0f\U000e0100-\U000e01ef]")
_POINTS: Final = re.compile(
    "[\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u0652\u0670\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed]"
)
"""Vowel points and accents of Hebrew and Arabic: some write them, most do not, and it is the same word."""
_STRETCH: Final = "\u0640"
"""Arabic: draws a word out, says nothing."""
_ASCII_TABLE: Final = {
    **{ord(c): c.lower() for c in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"},
    **dict.fromkeys(map(ord, "\t\n\v\f\r\x1c\x1d\x1e\x1f"), " "),
    ord("`"): "'",
}


class _Plan(NamedTuple):
    """How to fold a text with a given set of characters."""

    table: dict[int, str]
    """Characters that fold to one character."""
    special: re.Pattern[str]
    """Everything else; its groups are gap, split, cluster and odd."""


class NormalForm(NamedTuple):
    """A normalised text and its runs; run i begins at ``norm_at[i]`` and ``text_at[i]``, the last entry is the end."""

    norm: str
    norm_at: array[int]
    text_at: array[int]
    kinds: bytearray


class PreparedText:
    """A text, its normalised form (made once, when first asked for) and whatever else is computed once per text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._made: dict[Hashable, Any] = {}

    def once(self, key: Hashable, make: Callable[[PreparedText], T]) -> T:
        """What `make` gives for this text; computed at the first call, kept under `key`."""
        if key not in self._made:
            self._made[key] = make(self)
        return cast("T", self._made[key])

    @cached_property
    def form(self) -> NormalForm:
        return normal_form(self.text)

    @property
    def norm(self) -> str:
        return self.form.norm

    @cached_property
    def lines(self) -> tuple[tuple[int, int], ...]:
        """Start and end of every line, line ends not included; a form feed ends a line as well."""
        breaks = [m.span() for m in _LINE_END.finditer(self.text)]
        starts = [0, *(after for _, after in breaks)]
        ends = [*(before for before, _ in breaks), len(self.text)]
        return tuple(zip(starts, ends, strict=True))

    @cached_property
    def _line_starts(self) -> array[int]:
        return array("L", (start for start, _ in self.lines))

    def line_number(self, position: int) -> int:
        """Index into `lines` of the line that holds this position."""
        return bisect_right(self._line_starts, position) - 1

    def to_text(self, start: int, end: int) -> tuple[int, int]:
        """The span of the text behind ``norm[start:end]`` (``end > start``), widened to whole characters."""
        _, norm_at, text_at, kinds = self.form
        first = bisect_right(norm_at, start) - 1
        last = bisect_right(norm_at, end - 1) - 1
        begin = text_at[first] if kinds[first] else text_at[first] + start - norm_at[first]
        until = text_at[last + 1] if kinds[last] else text_at[last] + end - norm_at[last]
        return begin, until

    def to_norm(self, position: int) -> int:
        """Where a position of the text lies in the normalised form; a position inside a character gives its begin."""
        _, norm_at, text_at, kinds = self.form
        run = bisect_right(text_at, position) - 1
        return norm_at[run] if kinds[run] else norm_at[run] + position - text_at[run]

    def cuts_norm(self, position: int) -> bool:
        """Whether a position of the normalised form lies inside one character of the text."""
        _, norm_at, _, kinds = self.form
        run = bisect_right(norm_at, position) - 1
        return kinds[run] == WHOLE and position > norm_at[run]

    def cuts_text(self, position: int) -> bool:
        """Whether a position of the text lies inside what a reader sees as one character."""
        if self.text.isascii():
            return False
        _, _, text_at, kinds = self.form
        run = bisect_right(text_at, position) - 1
        return kinds[run] == WHOLE and position > text_at[run]


_LINE_END: Final = re.compile(r"\r\n|[\n\r\f]")


def normalised(text: str) -> str:
    """The normalised form of a quote or a label, without white space at its ends."""
    plan = _plan_of(text)
    if plan.special.search(text) is None:
        return text.translate(plan.table).strip()
    return normal_form(text).norm.strip()


def normal_form(text: str) -> NormalForm:
    plan = _plan_of(text)
    flat = text.translate(plan.table)
    pieces: list[str] = []
    norm_at, text_at, kinds = array("L"), array("L"), bytearray()
    length = done = 0

    def add(start: int, piece: str, kind: int) -> None:
        nonlocal length
        norm_at.append(length)
        text_at.append(start)
        kinds.append(kind)
        pieces.append(piece)
        length += len(piece)

    for match in plan.special.finditer(text):
        start, end = match.span()
        if start > done:
            add(done, flat[done:start], PLAIN)
        done = end
        match match.lastgroup:
            case "gap":
                add(start, " ", GAP)
            case "split":
                add(start, "", GAP)
            case "odd":
                add(start, _fold_after(match[0], text[start - 1 : start]), WHOLE)
            case _:
                for cluster in _CLUSTER.findall(match[0]):
                    add(start, _fold_after(cluster, text[start - 1 : start] if start else ""), WHOLE)
                    start += len(cluster)
    if done < len(text) or not text:
        add(done, flat[done:], PLAIN)
    norm_at.append(length)
    text_at.append(len(text))
    kinds.append(PLAIN)
    return NormalForm("".join(pieces), norm_at, text_at, kinds)


def _fold_after(cluster: str, before: str) -> str:
    """The fold of a character, apart from a digit before it where it folds to digits."""
    folded = fold(cluster)
    if before.isdecimal() and (folded[:1].isdecimal() or folded[:1] in ("+", "-")) and not cluster[0].isdecimal():
        how = unicodedata.decomposition(cluster[0])
        return ("^" if how.startswith("<super>") else " ") + folded if how else folded
    return folded


@lru_cache(maxsize=50_000)
def fold(cluster: str) -> str:
    """One character (grapheme cluster) in its normalised form; empty for hidden ones."""
    if cluster in _SAME_LOOK:
        return _SAME_LOOK[cluster]
    if len(cluster) == 1:
        if cluster.isspace():
            return " "
        if cluster.isdecimal():
            return str(unicodedata.decimal(cluster))
        if unicodedata.category(cluster) == "Cf" or cluster == _STRETCH:
            return ""
    bare = _SELECTORS.sub("", cluster)
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", bare).casefold())
    if folded[:1].isspace():
        # Spacing accents (¨ ¯ ¸) decompose into a space and a mark; that space is not in the text.
        return bare
    return "".join(_SAME_LOOK.get(c, c) for c in _POINTS.sub("", folded))


def _plan_of(text: str) -> _Plan:
    return _ASCII_PLAN if text.isascii() else _plan(frozenset(c for c in set(text) if c > "\x7f"))


@lru_cache(maxsize=256)
def _plan(characters: frozenset[str]) -> _Plan:
    joiners = {c for c in characters if _JOINERS.match(c)}
    folds = {c: fold(c) for c in characters - joiners}
    odd = {c for c, folded in folds.items() if len(folded) != 1 or _is_small_number(c)}
    table = _ASCII_TABLE | {ord(c): folded for c, folded in folds.items() if c not in odd}
    return _Plan(table, _special(joiners, odd))


def _is_small_number(char: str) -> bool:
    return not char.isdecimal() and fold(char)[:1] in "0123456789+-" and bool(unicodedata.decomposition(char))


def _special(joiners: set[str], odd: set[str]) -> re.Pattern[str]:
    hidden = "".join(re.escape(c) for c in sorted(odd) if not fold(c))
    parts = []
    if joiners:
        joining = "".join(re.escape(c) for c in sorted(joiners))
        # A zero width joiner ties the next character to it, a virama (class 9) the next consonant.
        ties = "\u200d" + "".join(c for c in sorted(joiners) if unicodedata.combining(c) == 9)
        parts.append(rf"(?P<cluster>.?[{joining}]+(?:(?<=[{ties}]).[{joining}]*)*)")
    parts.append(
        rf"(?P<split>(?<=[^\W\d_]|[\u0300-\u036f])[-\u2010\u00ad][ \t{hidden}]*\r?\n[\s{hidden}]*(?=[^\W\d_]))"
    )
    parts.append(rf"(?P<gap>\s[\s{hidden}]+)" if hidden else r"(?P<gap>\s\s+)")
    if odd:
        parts.append(rf"(?P<odd>[{''.join(re.escape(c) for c in sorted(odd))}])")
    return re.compile("|".join(parts), re.DOTALL)


_ASCII_PLAN: Final = _Plan(_ASCII_TABLE, _special(set(), set()))
