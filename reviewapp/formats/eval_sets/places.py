"""Where values stand in a JSON text.

Positions are code points, start inclusive, end exclusive. The text is valid JSON: whoever calls has parsed it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

Step = str | int
Path = Sequence[Step]
_SPACE = re.compile(r"[ \t\n\r]*")
_read = json.JSONDecoder().raw_decode


class Member:
    """One member of an object, or one entry of a list (without a key)."""

    __slots__ = ("content", "end", "key", "start", "value")

    def __init__(self, key: str | None, start: int, value: int, end: int, content: Any) -> None:
        self.key = key
        self.start = start
        """Where the member begins: its key's quote, or the value of a list's entry."""
        self.value = value
        """Where its value begins."""
        self.end = end
        self.content = content
        """What its value is."""


def members(text: str, start: int) -> Iterator[Member]:
    """Of the object or list that begins at `start`, in their order."""
    is_object = text[start] == "{"
    at = _skip_space(text, start + 1)
    while text[at] not in "]}":
        begun, key = at, None
        if is_object:
            key, at = _read(text, at)
            at = _skip_space(text, _skip_space(text, at) + 1)  # behind the colon
        content, end = _read(text, at)
        yield Member(key, begun, at, end, content)
        at = _skip_space(text, end)
        if text[at] == ",":
            at = _skip_space(text, at + 1)


def find(text: str, path: Path) -> Member | None:
    """The member at the path; None where there is none. Of a name that stands twice the last counts, as for readers."""
    start = _skip_space(text, 0)
    content, end = _read(text, start)
    found = Member(None, start, start, end, content)
    for step in path:
        if not _is_within(found.content, step):
            return None
        inner = list(members(text, found.value))
        found = inner[step] if isinstance(step, int) else next(one for one in reversed(inner) if one.key == step)
    return found


def _is_within(content: Any, step: Step) -> bool:
    if isinstance(step, int):
        return isinstance(content, list) and 0 <= step < len(content)
    return isinstance(content, dict) and step in content


def _skip_space(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    return match.end() if match else at
