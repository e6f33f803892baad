"""The words around a number that change what it says: bounds, hedges, and what joins two numbers."""

from __future__ import annotations

import re
from dataclasses import dataclass

from reviewapp.extraction.quantities.model import Bound

WINDOW = 48
"""Characters before a number that are looked at."""

_BOUNDS: dict[str, Bound] = {
    phrase: bound
    for bound, phrases in {
        "at most": "up to|at most|no more than|not more than|not exceeding|not to exceed|no greater than|not greater than|a maximum of"
        "|maximum of|maximum|max.|max|höchstens|maximal|bis zu|nicht mehr als|au plus|jusqu'à|maximum de|hasta|como máximo|al massimo"
        "|fino a|ten hoogste|maksimum|≤|<=|=<",
        "below": "less than|fewer than|lower than|smaller than|below|under|weniger als|unter|kleiner als|moins de|inférieur à"
        "|menos de|inferior a|meno di|minder dan|kurang daripada|<",
        "at least": "at least|no less than|not less than|no fewer than|not fewer than|a minimum of|minimum of|minimum|min.|mindestens"
        "|wenigstens|minimal|nicht weniger als|au moins|minimum de|al menos|por lo menos|como mínimo|almeno|ten minste|minstens"
        "|sekurang-kurangnya|≥|>=|=>",
        "above": "more than|greater than|higher than|larger than|over more than|above|over|exceeding|beyond|in excess of|upwards of"
        "|mehr als|über|größer als|plus de|supérieur à|más de|superior a|più di|meer dan|lebih daripada|>",
    }.items()
    for phrase in phrases.split("|")
}  # type: ignore[misc]
_HEDGES = (
    "about|approximately|approx.|approx|around|circa|ca.|ca|c.|roughly|nearly|almost|some|somewhere around|close to|near the|near"
    "|in the order of|of the order of|on the order of|in the region of|an estimated|estimated|nominally|~|≃|≅|≈|etwa|ungefähr|rund|zirka"
    "|circa|schätzungsweise|knapp|environ|à peu près|près de|aproximadamente|alrededor de|cerca de|unos|unas|ongeveer|około|lebih kurang"
).split("|")
_AFTER: dict[str, Bound] = {
    "or more": "at least", "or above": "at least", "or greater": "at least", "or higher": "at least", "and above": "at least",
    "and more": "at least", "minimum": "at least", "min.": "at least", "oder mehr": "at least", "ou plus": "at least",
    "or less": "at most", "or below": "at most", "or fewer": "at most", "or lower": "at most", "and below": "at most",
    "maximum": "at most", "max.": "at most", "max": "at most", "oder weniger": "at most", "ou moins": "at most",
}  # fmt: skip
_OPENERS = ("between", "from", "range of", "range from", "ranging from", "ranges from", "in the range of", "in the range", "zwischen",
            "von", "de", "entre", "desde", "da", "van", "tussen", "dari", "antara", "pH", "range")  # fmt: skip


def _alternatives(phrases: list[str]) -> str:
    return "|".join(
        (r"(?<![^\W_])" if p[0].isalpha() else "")
        + re.escape(p).replace(r"\ ", r"[\s]+")
        + (r"(?![^\W_])" if p[-1].isalpha() else "")
        for p in sorted(phrases, key=len, reverse=True)
    )


_PREFIX = re.compile(
    rf"(?:(?P<bound>{_alternatives(list(_BOUNDS))})|(?P<hedge>{_alternatives(_HEDGES)})|(?P<open>{_alternatives(list(_OPENERS))})"
    r"|(?P<pm>±|\+\s?/\s?-|plus or minus))[\s(:]*",
    re.IGNORECASE,
)
_LAST_WORDS = frozenset(
    re.split(r"[\s']", p)[-1].casefold().strip(".") for p in (*_BOUNDS, *_HEDGES, *_OPENERS) if p[-1] not in "<>=~≤≥≈≃≅"
)
_SUFFIX = re.compile(
    rf"[ \u00a0,(]{{0,2}}(?:(?P<after>{_alternatives(list(_AFTER))})|(?P<hedge>nominally|or so|approx\.?|approximately|ca\.))",
    re.IGNORECASE,
)
_WORD_AT_END = re.compile(r"([^\W\d_]+)[.)]?[\s(:]*$")
_PAD = 40

_FIRST_AFTER = frozenset(
    p.split(" ")[0] for p in (*_AFTER, "nominally", "or", "approx", "approximately", "ca", "min", "max")
)


@dataclass(frozen=True, slots=True)
class Before:
    """What stands before a number."""

    start: int
    """Where the words begin; the number's start where there are none."""
    bound: Bound | None = None
    hedge: str | None = None
    opener: str | None = None
    """``between``, ``from``: a second number is to come."""
    plus_minus: bool = False


def words_before(folded: str, start: int) -> Before:
    """The bounds, hedges and openers that lead up to position `start`."""
    window = folded[max(0, start - WINDOW) : start]
    stripped = window.rstrip(" \u00a0\n(:")
    if not stripped or not (stripped[-1] in "<>=~≤≥≈≃≅±-+" or _ends_in_a_known_word(stripped)):
        return Before(start)
    pieces = list(_PREFIX.finditer(window))
    begin, bound, hedge, opener, plus_minus = len(window), None, None, None, False
    for piece in reversed(pieces):
        if piece.end() != begin:
            break
        begin = piece.start()
        bound = _BOUNDS.get(_plain(piece["bound"])) or bound if piece["bound"] else bound
        hedge = piece["hedge"] or hedge
        opener = _plain(piece["open"]) if piece["open"] else opener
        plus_minus = plus_minus or piece["pm"] is not None
    if begin == len(window):
        return Before(start)
    return Before(start - len(window) + begin, bound, hedge, opener, plus_minus)


def _ends_in_a_known_word(stripped: str) -> bool:
    word = _WORD_AT_END.search(stripped)
    return word is not None and word[1].casefold() in _LAST_WORDS


def _plain(phrase: str) -> str:
    return " ".join(phrase.split()).casefold()


def words_after(folded: str, end: int) -> tuple[int, Bound | None, str | None]:
    """(end, bound, hedge) of the words that follow position `end`: ``or more``, ``max.``, ``nominally``."""
    match = _SUFFIX.match(folded, end)
    if match is None:
        return end, None, None
    if match["after"]:
        return match.end(), _AFTER[_plain(match["after"])], None
    return match.end(), None, match["hedge"]


_JOINT = re.compile(
    r"""
    [\s\u00a0]*(?:
        (?P<tolerance>±|\+\s?/\s?-|plus\ or\ minus)
      | (?P<dash>[-–~]|\.\.\.?|…)
      | (?P<to>to|bis|through|until|à|jusqu'à|hasta|tot|hingga|sampai|do|a)(?=[\s<>~≈])
      | (?P<by>[x×*]|by(?=\s))
      | (?P<and>,?\ ?(?:and\ the|and|or|und|oder|et|ou|y|o|e|en|dan|&)(?=[\s\u00a0]))
      | (?P<comma>,)
    )[\s\u00a0]*(?P<hedge>~|≈|about\ |approximately\ |approx\.?\ |around\ |ca\.\ |etwa\ |to\ )?(?P<bound>[<>≤≥])?[\s\u00a0]*$
    """,
    re.VERBOSE | re.IGNORECASE,
)


def joint(between: str) -> re.Match[str] | None:
    """What joins two numbers, from the text between them."""
    return _JOINT.match(between) if len(between) <= 24 else None
