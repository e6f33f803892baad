"""The words around a number that change what it says (``phrases.toml``), and what joins two numbers."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any, NamedTuple

from reviewapp.domain.writing import any_of
from reviewapp.extraction.quantities.model import Bound

WINDOW = 48
"""Characters before a number that are looked at."""
LONGEST_JOINT = 24

_SIGNS = frozenset("<>=~≤≥≃≅±-")
_PADDING = " \u00a0\t\n(:"
_AFTER_PADDING = " \u00a0,("


class Before(NamedTuple):
    """What stands before a number."""

    start: int
    """Where the words begin; the number's start where there are none."""
    bound: Bound | None = None
    hedge: str | None = None
    opener: str | None = None
    """``between`` or ``from``: a second number is to come."""
    plus_minus: bool = False

    @property
    def says_something(self) -> bool:
        """More than that a second number is to come."""
        return bool(self.bound or self.hedge or self.plus_minus)


@dataclass(frozen=True, slots=True)
class _Phrases:
    bounds: dict[str, Bound]
    openers: dict[str, str]
    after: dict[str, Bound]
    before_pattern: re.Pattern[str]
    after_pattern: re.Pattern[str]
    after_begins: frozenset[str]
    """Characters that a phrase behind a number can begin with."""
    last_words: frozenset[str]
    """Words that a phrase before a number can end with."""
    endings: frozenset[str]
    """Their last two letters; a word of one letter is its own ending."""


@cache
def _phrases() -> _Phrases:
    raw: dict[str, Any] = tomllib.loads((files(__package__) / "phrases.toml").read_text("utf-8"))
    bounds: dict[str, Bound] = {_plain(p): bound for bound, phrases in raw["before"].items() for p in phrases}
    openers = {_plain(p): kind for kind, phrases in raw["openers"].items() for p in phrases}
    after: dict[str, Bound] = {_plain(p): bound for bound, phrases in raw["after"].items() for p in phrases}
    hedges = raw["hedges"]["before"]
    word_end = r"(?:(?<![^\W_])(?![^\W_])|(?<=[^\w\s])|(?<=[^\W_])(?![^\W_]))"
    before_pattern = re.compile(
        rf"(?:(?<![^\W_])|(?=[<>=~≤≥≃≅±+]))(?=\S)(?:(?P<bound>{any_of(_every(raw['before']))}){word_end}"
        rf"|(?P<hedge>{any_of(hedges)}){word_end}"
        rf"|(?P<open>{any_of(_every(raw['openers']))}){word_end}|(?P<pm>±|\+\s?/\s?-|plus or minus))[\s(:]*",
        re.IGNORECASE,
    )
    after_pattern = re.compile(
        rf"[{_AFTER_PADDING}]{{0,2}}(?:(?P<after>{any_of(_every(raw['after']))})"
        rf"|(?P<hedge>{any_of(raw['hedges']['after'])}))(?![^\W_])",
        re.IGNORECASE,
    )
    known = (*bounds, *openers, *hedges, "minus")
    last_words = frozenset(re.split(r"[\s']", p)[-1].strip(".").casefold() for p in known)
    endings = frozenset(word[-2:] for word in last_words)
    after_words = (*_every(raw["after"]), *raw["hedges"]["after"])
    after_begins = frozenset(c for phrase in after_words for c in (phrase[0].lower(), phrase[0].upper()))
    return _Phrases(bounds, openers, after, before_pattern, after_pattern, after_begins, last_words, endings)


def _every(phrases: dict[str, list[str]]) -> list[str]:
    return [phrase for group in phrases.values() for phrase in group]


LONGEST_LAST = 20
"""Characters of the last word of a phrase before a number at most."""
_WORD_FOLLOWS = re.compile(r"\.?[ \u00a0]+[^\W\d_]|[ \u00a0]?[:=]|[ \u00a0]+\d")
_LAST_WORD = re.compile(r"[^\W\d_]+$")


def words_before(folded: str, start: int) -> Before:
    """The bounds, hedges and openers that lead up to position `start`."""
    stop = start
    while stop > 0 and start - stop < 4 and folded[stop - 1] in _PADDING:
        stop -= 1
    if stop == 0 or not (folded[stop - 1] in _SIGNS or _ends_in_a_known_word(folded, stop)):
        return Before(start)
    return _read_before(folded, start)


def _ends_in_a_known_word(folded: str, stop: int) -> bool:
    end = stop - 1 if folded[stop - 1] == "." else stop
    ending = folded[max(0, end - 2) : end].casefold()
    if not (ending in _phrases().endings or ending[-1:] in _phrases().endings):
        return False  # most words of a table at a glance
    last = _LAST_WORD.search(folded[max(0, end - LONGEST_LAST) : end])
    return last is not None and last[0].casefold() in _phrases().last_words


def _read_before(folded: str, start: int) -> Before:
    phrases = _phrases()
    window = folded[max(0, start - WINDOW) : start]
    begin, bound, hedge, opener, plus_minus = len(window), None, None, None, False
    for piece in reversed(list(phrases.before_pattern.finditer(window))):
        if piece.end() != begin:
            break
        if piece["bound"] and _plain(piece["bound"]) == "min" and window[: piece.start()].rstrip()[-1:].isdigit():
            break  # `5 min 600 mm`
        begin = piece.start()
        bound = phrases.bounds[_plain(piece["bound"])] if piece["bound"] else bound
        hedge = piece["hedge"] or hedge
        opener = phrases.openers[_plain(piece["open"])] if piece["open"] else opener
        plus_minus = plus_minus or piece["pm"] is not None
    return Before(start - len(window) + begin, bound, hedge, opener, plus_minus)


def _plain(phrase: str) -> str:
    return " ".join(phrase.split()).casefold()


def words_after(folded: str, end: int) -> tuple[int, Bound | None, str | None]:
    """(end, bound, hedge) of the words that follow position `end`: ``or more``, ``max.``, ``nominally``."""
    phrases = _phrases()
    following = folded[end : end + 3].lstrip(_AFTER_PADDING)[:1]
    if folded[end : end + 1] not in _AFTER_PADDING or following not in phrases.after_begins:
        return end, None, None
    match = phrases.after_pattern.match(folded, end)
    if match is None:
        return end, None, None
    if match["after"]:
        if match[0].startswith(",") and _WORD_FOLLOWS.match(folded, match.end()):
            return end, None, None  # `230 V, maximum voltage 253 V`
        return match.end(), phrases.after[_plain(match["after"])], None
    return match.end(), None, match["hedge"]


@dataclass(frozen=True, slots=True)
class Joint:
    """What stands between two numbers."""

    kind: str
    """``tolerance`` ± · ``dash`` · ``to`` · ``by`` x · ``and`` · ``comma`` · ``slash``."""
    word: str
    hedge: str | None


_JOINT = re.compile(
    r"""
    [\s\u00a0]*(?:
        (?P<tolerance>±|\+\s?/\s?-|plus\ or\ minus)
      | (?P<dash>[-–~÷]|\.\.\.?|…)
      | (?P<to>to|bis|auf|through|until|à|jusqu'à|hasta|fino a|tot|naar|hingga|sampai|até|do|до|a)(?=[\s<>~])
      | (?P<by>[x×*]|by(?=\s))
      | (?P<slash>/)
      | (?P<and>,?[ ]?(?:and\ the|and|or|und|oder|et|ou|y|o|e|en|dan|&)(?=[\s\u00a0]))
      | (?P<comma>,)
    )[\s\u00a0]*(?P<hedge>~|about\ |approximately\ |approx\.?\ |around\ |ca\.\ |etwa\ |to\ )?(?:[<>≤≥])?[\s\u00a0]*$
    """,
    re.VERBOSE | re.IGNORECASE,
)


def joint(folded: str, start: int, end: int) -> Joint | None:
    """What joins two numbers, from the text between them; None: nothing that does."""
    return _joint(folded[start:end]) if 0 < end - start <= LONGEST_JOINT else None


@lru_cache(maxsize=4_096)
def _joint(between: str) -> Joint | None:
    """Mostly a few blanks or a mark: the same again and again."""
    match = _JOINT.match(between)
    if match is None:
        return None
    kind = match.lastgroup if match.lastgroup != "hedge" else next(k for k, v in match.groupdict().items() if v)
    hedge = (match["hedge"] or "").strip()
    return Joint(kind or "comma", match[0].strip(), hedge if hedge not in ("", "to") else None)
