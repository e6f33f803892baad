"""Python's regular expressions under a time limit.

`re` cannot be stopped and holds every thread while it backtracks. So `re` says whether a pattern is one, and the
`regex` module, which can be stopped and lets the other threads go on (`concurrent`), does the matching; what that
module reads otherwise is rewritten.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable
from functools import lru_cache
from typing import Any, Final

from reviewapp.domain.patterns import WRITTEN_OUT_LIMIT, refuse_costly

MATCH_SECONDS: Final = 2.0
_QUANTIFIER: Final = re.compile(r"\{\d*(?:,\d*)?\}")
_SET_BEGINS: Final = re.compile(r"\[\^?\]?")
"""A bracket that stands first in a set is one of its characters."""
_WORD: Final = r"\p{L}\p{N}_"
_NO_WORD: Final = (
    r"\p{M}\p{S}\p{Z}\p{C}\p{Pd}\p{Ps}\p{Pe}\p{Pi}\p{Pf}\p{Po}\u203f\u2040\u2054\ufe33\ufe34\ufe4d-\ufe4f\uff3f"
)
_SPACE: Final = r"\s\x1c-\x1f"
_NO_SPACE: Final = (
    r"\x00-\x08\x0e-\x1b\x21-\x84\x86-\x9f\xa1-\u167f\u1681-\u1fff\u200b-\u2027\u202a-\u202e\u2030-\u205e\u2060-\u2fff"
    r"\u3001-\U0010ffff"
)
_ALONE: Final = {
    r"\w": f"[{_WORD}]",
    r"\W": f"[^{_WORD}]",
    r"\s": f"[{_SPACE}]",
    r"\S": f"[^{_SPACE}]",
    r"\b": f"(?:(?<=[{_WORD}])(?![{_WORD}])|(?<![{_WORD}])(?=[{_WORD}]))",
    r"\B": rf"(?:(?!\A\Z)(?:(?<=[{_WORD}])(?=[{_WORD}])|(?<![{_WORD}])(?![{_WORD}])))",
}
"""Classes of Python as `regex` writes them: by `str.isalnum` and `str.isspace`."""
_IN_A_SET: Final = {r"\w": _WORD, r"\W": _NO_WORD, r"\s": _SPACE, r"\S": _NO_SPACE}


class BadPattern(Exception):
    """No regular expression; says why."""


class TooSlow(Exception):
    """The pattern backtracks without end on this text."""


def full_match(pattern: str, text: str) -> bool:
    """`re.fullmatch`. Raises BadPattern, TooSlow."""
    compiled = _compile(pattern)
    try:
        return compiled.fullmatch(text, timeout=MATCH_SECONDS, concurrent=True) is not None
    except TimeoutError:
        raise TooSlow from None


def search(pattern: str, text: str) -> bool:
    """Whether `re.search` finds something. Raises BadPattern, TooSlow."""
    try:
        return _compile(pattern).search(text, timeout=MATCH_SECONDS, concurrent=True) is not None
    except TimeoutError:
        raise TooSlow from None


def as_literal(words: Iterable[str]) -> str:
    """A pattern that finds these words, each as a whole text; it never backtracks."""
    return rf"\A(?:{'|'.join(map(re.escape, words)) or '(?!)'})\Z"


@lru_cache(maxsize=256)
def _compile(pattern: str) -> Any:
    import regex

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of what later Pythons may read otherwise
            refuse_costly(pattern, longest=WRITTEN_OUT_LIMIT)
            flags = re.compile(pattern).flags
            return regex.compile(_as_python_reads_it(pattern, flags))
    except (re.error, regex.error, ValueError, OverflowError, RecursionError) as error:
        raise BadPattern(str(error)) from None


def _as_python_reads_it(pattern: str, flags: int) -> str:
    """What the two modules read otherwise, written so that `regex` reads it as `re` does.

    Braces that do not count (``{e<=1}``, fuzzy to `regex`) and ``[[:`` (POSIX to `regex`) are plain characters, and the
    classes of words and spaces hold what they hold in Python: ``²`` and ``½``, but no combining accent.
    """
    out: list[str] = []
    in_set = False
    as_is = bool(flags & (re.ASCII | re.VERBOSE)) or "(?a" in pattern
    place = 0
    while place < len(pattern):
        end = place + 1
        piece = pattern[place]
        if pattern.startswith("\\N{", place):
            end = pattern.find("}", place) + 1
            piece = pattern[place:end]
        elif piece == "\\":
            end = place + 2
            piece = pattern[place:end]
            piece = piece if as_is else (_IN_A_SET if in_set else _ALONE).get(piece, piece)
        elif in_set:
            in_set = piece != "]"
            piece = "\\[" if piece == "[" else piece
        elif piece == "[":
            in_set = True
            begin = _SET_BEGINS.match(pattern, place)
            end = begin.end() if begin else end
            piece = pattern[place:end]
        elif piece == "{" and not _QUANTIFIER.match(pattern, place):
            piece = "\\{"
        out.append(piece)
        place = end
    return "".join(out)
