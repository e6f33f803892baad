"""Python's regular expressions under a time limit.

`re` cannot be stopped and holds every thread while it backtracks. So `re` says whether a pattern is one, and the
`regex` module, which can be stopped and lets the other threads go on (`concurrent`), does the matching; what only that
module reads otherwise is escaped.
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
            re.compile(pattern)
            return regex.compile(_as_python_reads_it(pattern))
    except (re.error, regex.error, ValueError, OverflowError, RecursionError) as error:
        raise BadPattern(str(error)) from None


def _as_python_reads_it(pattern: str) -> str:
    """Braces that do not count (``{e<=1}``, fuzzy to `regex`) and ``[[:`` (POSIX to `regex`) as plain characters."""
    out: list[str] = []
    place = 0
    while place < len(pattern):
        if pattern.startswith("\\N{", place):
            end = pattern.find("}", place) + 1
        elif pattern[place] == "\\":
            end = place + 2
        elif pattern[place] == "{" and not _QUANTIFIER.match(pattern, place):
            out.append("\\")
            end = place + 1
        elif pattern.startswith("[[:", place):
            out.append("[\\")
            place, end = place + 1, place + 3
        else:
            end = place + 1
        out.append(pattern[place:end])
        place = end
    return "".join(out)
