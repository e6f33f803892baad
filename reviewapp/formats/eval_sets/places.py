"""Where values stand in a JSON text, without building the whole of it.

Positions are code points, start inclusive, end exclusive. The text is valid JSON: whoever calls has parsed it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence

Step = str | int
Path = Sequence[Step]
_SPACE = re.compile(r"[ \t\n\r]*")
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
_SCALAR = re.compile(r"[^\s,\]}]+")
_MARKS = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{}]', re.DOTALL)


def skip_space(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    return match.end() if match else at


def value_end(text: str, start: int) -> int:
    """Where the value that begins at `start` ends."""
    first = text[start]
    if first == '"':
        return _end(_STRING.match(text, start))
    if first not in "[{":
        return _end(_SCALAR.match(text, start))
    depth = 0
    for mark in _MARKS.finditer(text, start):
        sign = mark[0]
        if sign in "[{":
            depth += 1
        elif sign in "]}":
            depth -= 1
            if depth == 0:
                return mark.end()
    raise ValueError("an object or list does not end")


def _end(match: re.Match[str] | None) -> int:
    if match is None:
        raise ValueError("no value stands here")
    return match.end()


class Member:
    """One member of an object, or one entry of a list (without a key)."""

    __slots__ = ("end", "key", "start", "value")

    def __init__(self, key: str | None, start: int, value: int, end: int) -> None:
        self.key = key
        self.start = start
        """Where the member begins: its key's quote, or the value of a list's entry."""
        self.value = value
        """Where its value begins."""
        self.end = end


def members(text: str, start: int) -> Iterator[Member]:
    """Of the object or list that begins at `start`, in their order."""
    is_object = text[start] == "{"
    at = skip_space(text, start + 1)
    while text[at] not in "]}":
        begun, key = at, None
        if is_object:
            key_end = value_end(text, at)
            key = json.loads(text[at:key_end])
            at = skip_space(text, skip_space(text, key_end) + 1)  # behind the colon
        end = value_end(text, at)
        yield Member(key, begun, at, end)
        at = skip_space(text, end)
        if text[at] == ",":
            at = skip_space(text, at + 1)


def find(text: str, path: Path) -> Member | None:
    """The member at the path; None where there is none. Of a name that stands twice the last counts, as for readers."""
    start = skip_space(text, 0)
    found = Member(None, start, start, value_end(text, start))
    for step in path:
        if text[found.value] not in "[{":
            return None
        inner = list(members(text, found.value))
        if isinstance(step, int):
            if text[found.value] != "[" or not 0 <= step < len(inner):
                return None
            found = inner[step]
        else:
            named = [member for member in inner if member.key == step]
            if not named:
                return None
            found = named[-1]
    return found
