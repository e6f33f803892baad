"""Regular expressions that people write: how large one gets, so that none holds up the server before it is even tried.

A match can be stopped after a time; putting a pattern together cannot. ``(?:a{5000}){5000}`` is 17 characters and
half a minute of it, in which nobody else is answered. So a pattern is measured first, by its own repetitions.
"""

from __future__ import annotations

import re
from typing import Final

PATTERN_LIMIT: Final = 2_000
"""Longest pattern of a property, in characters."""
WRITTEN_OUT_LIMIT: Final = 20_000
"""Most pieces once every counted repetition is written out: put together in some milliseconds."""
DEPTH_LIMIT: Final = 50
"""Brackets inside each other."""

_TOKEN: Final = re.compile(
    r"""(?P<escaped>\\.)
    | (?P<set>\[\^?\]?(?:\\.|[^\]\\])*\]?)
    | (?P<open>\()
    | (?P<close>\))
    | \{(?P<least>\d*)(?P<range>,(?P<most>\d*))?\}
    | .""",
    re.DOTALL | re.VERBOSE,
)


def refuse_costly(pattern: str, *, longest: int = PATTERN_LIMIT) -> str:
    """The pattern. Raises ValueError for one that is too long, too deep, or too large once written out.

    >>> refuse_costly(r"[A-Z]{2}-\\d{4,6}")
    '[A-Z]{2}-\\\\d{4,6}'
    """
    if len(pattern) > longest:
        raise ValueError(f"a pattern has at most {longest:,} characters, this one has {len(pattern):,}")
    if written_out(pattern) > WRITTEN_OUT_LIMIT:
        raise ValueError(
            f"the counted repetitions of the pattern {_short(pattern)} come to more than {WRITTEN_OUT_LIMIT:,} pieces; "
            "use + or smaller counts"
        )
    return pattern


def written_out(pattern: str) -> int:
    """Pieces of the pattern once counted repetitions are written out; ``(ab){3}`` has six. Raises ValueError when it
    is nested deeper than `DEPTH_LIMIT`."""
    groups = [0]
    last = 0
    for token in _TOKEN.finditer(pattern):
        if token["open"]:
            groups.append(0)
            last = 0
            if len(groups) > DEPTH_LIMIT:
                raise ValueError(
                    f"the pattern {_short(pattern)} has more than {DEPTH_LIMIT} brackets inside each other"
                )
        elif token["close"]:
            last = groups.pop() if len(groups) > 1 else 0
            groups[-1] += last
        elif token["least"] is not None and (token["least"] or token["range"]):
            more = last * (_times(token["most"] or token["least"]) - 1)
            groups[-1] += more
            last += more
        else:
            last = 1
            groups[-1] += 1 if token["set"] or token["escaped"] else len(token[0])
    return sum(groups)


def _times(digits: str) -> int:
    """At least once; what nobody needs to count exactly counts as very often."""
    return max(int(digits[:9] or "0"), 1)


def _short(pattern: str) -> str:
    return repr(pattern if len(pattern) <= 60 else pattern[:59] + "…")
