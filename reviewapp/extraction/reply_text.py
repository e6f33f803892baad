"""The JSON in what a language model wrote: alone, in a fence, behind thoughts or prose, or with small slips.

What is cut off or cannot be read stays unread: a half is never guessed. Of several documents (a model may repeat the
prompt's example first) the last one counts; where that one holds nothing and one before it does, it is not known which
is meant, and the reply is unreadable.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator, Sequence
from typing import Any, Final

from reviewapp.domain.properties import Property
from reviewapp.domain.tests import Reading
from reviewapp.extraction.reply_shapes import LISTS, Unreadable, readings_of

LONGEST: Final = 2_000_000
"""Characters of a reply."""
LONGEST_AS_PYTHON: Final = 200_000
"""Characters of one in Python's writing, whose parser takes a hundred times that in memory."""
_THOUGHTS: Final = re.compile(r"<(think|thinking|reasoning)>.*?(?:</\1>|\Z)", re.DOTALL | re.IGNORECASE)
"""Also those that never end: the reply was cut off before it began."""
_END_OF_THOUGHTS: Final = re.compile(r"\A.*</(?:think|thinking|reasoning)>", re.DOTALL | re.IGNORECASE)
"""Some servers leave out the opening mark."""
_FENCE: Final = re.compile(r"```[ \t]*[\w-]*[ \t]*\r?\n?(.*?)```", re.DOTALL)
_TRAILING_COMMA: Final = re.compile(r",(\s*[\]}])")
_STRINGS: Final = re.compile(r'"(?:[^"\\]|\\.)*"|[^"]+|"', re.DOTALL)
_STARTS: Final = 200
"""Places where a document may begin that are tried."""


def _all_kept(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object; a field that it has twice holds both values as a list, so that none is lost without a word."""
    held: dict[str, Any] = {}
    for name, value in pairs:
        if name in held:
            before = held[name] if isinstance(held[name], list) else [held[name]]
            value = [*before, *(value if isinstance(value, list) else [value])]
        held[name] = value
    return held


_DECODER: Final = json.JSONDecoder(strict=False, object_pairs_hook=_all_kept)
"""Line ends inside strings are read as they stand."""


def documents_in(text: str) -> Iterator[Any]:
    """The JSON documents (lists and objects) in a model's reply, the likeliest first; none where there is none."""
    yield from _documents(_without_thoughts(text[:LONGEST]))


def read_reply(text: str, properties: Sequence[Property]) -> tuple[Reading, ...]:
    """The readings in a model's reply; an empty list is a reply. Raises `Unreadable` with one sentence."""
    if len(text) > LONGEST:
        raise Unreadable(f"The reply has {len(text):,} characters; at most {LONGEST:,} are read.")
    said = _without_thoughts(text)
    if not said:
        raise Unreadable("The reply is empty." if not text.strip() else "The reply ends among the model's thoughts.")
    trouble: Unreadable | None = None
    empty = False
    for document in _documents(said):
        try:
            readings = readings_of(document, properties)
        except Unreadable as error:
            trouble = trouble or error
            continue
        if readings and empty:
            raise Unreadable("The reply gives readings and then none; which of the two is meant is not known.")
        if readings:
            return readings
        empty = True
    if empty:
        return ()
    raise trouble or Unreadable(_no_json(said))


def _without_thoughts(text: str) -> str:
    """The reply alone; what is JSON as it stands may speak of such marks in its strings."""
    if _parsed(said := text.strip("\ufeff \t\r\n")) is not None:
        return said
    return _END_OF_THOUGHTS.sub("", _THOUGHTS.sub("", text)).strip("\ufeff \t\r\n")


def _documents(said: str) -> Iterator[Any]:
    """What may be meant, the likeliest first."""
    whole = _parsed(said)
    if whole is not None:
        yield whole
        return
    if (lines := _json_lines(said)) is not None:
        yield lines
        return
    for fenced in reversed(_FENCE.findall(said)):
        document = _parsed(fenced.strip())
        if document is not None:
            yield document
    yield from reversed(_embedded(said))


def _parsed(text: str) -> list[Any] | dict[str, Any] | None:
    for candidate in (text, _without_trailing_commas(text)):
        try:
            document = _DECODER.decode(candidate)
        except (ValueError, RecursionError):
            continue
        if isinstance(document, str):  # JSON inside a JSON string
            return _parsed(document) if document.lstrip()[:1] in ("{", "[") else None
        return document if isinstance(document, list | dict) else None
    if text[:1] in ("{", "[") and len(text) <= LONGEST_AS_PYTHON:
        try:  # as Python prints it: single quotes, True, None
            document = ast.literal_eval(text)
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            return None
        return document if isinstance(document, list | dict) else None
    return None


def _without_trailing_commas(text: str) -> str:
    """Outside strings only."""
    if not _TRAILING_COMMA.search(text):
        return text
    pieces = _STRINGS.findall(text)
    kept: list[str] = []
    for piece in pieces:
        kept.append(piece if piece.startswith('"') else _TRAILING_COMMA.sub(r"\1", piece))
    return "".join(kept)


def _json_lines(said: str) -> list[Any] | None:
    lines = [line.strip().rstrip(",") for line in said.splitlines() if line.strip()]
    if len(lines) < 2 or not all(line.startswith("{") and line.endswith("}") for line in lines):
        return None
    parsed = [_parsed(line) for line in lines]
    whole = any(isinstance(p, dict) and any(isinstance(p.get(name), list) for name in LISTS) for p in parsed)
    return None if whole or any(p is None for p in parsed) else parsed  # whole replies, one a line, are several


def _embedded(said: str) -> list[Any]:
    """Documents inside prose that hold something, in text order. One that is cut off ends the search: what is inside
    a half is not the reply."""
    found: list[Any] = []
    at = 0
    for _ in range(_STARTS):
        starts = [p for p in (said.find("{", at), said.find("[", at)) if p >= 0]
        if not starts:
            break
        begin = min(starts)
        try:
            document, end = _DECODER.raw_decode(said, begin)
        except (ValueError, RecursionError):
            if _is_cut_off(said[begin:]):
                return []
            at = begin + 1
            continue
        if document:
            found.append(document)
        at = end
    return found


def _is_cut_off(rest: str) -> bool:
    """Whether a JSON document begins here that never ends."""
    if not re.match(r'[{\[]\s*(["{\[]|$)', rest):
        return False  # a bracket of prose
    depth, inside, escaped = 0, False, False
    for character in rest:
        if inside:
            if escaped:
                escaped = False
            elif character == "\\":
                escaped = True
            elif character == '"':
                inside = False
        elif character == '"':
            inside = True
        elif character in "{[":
            depth += 1
        elif character in "}]":
            depth -= 1
            if depth == 0:
                return False
    return True


def _no_json(said: str) -> str:
    words = " ".join(said.split())
    shown = words if len(words) <= 60 else f"{words[:59]}…"
    if "{" in said or "[" in said:
        return f"The reply's JSON cannot be read, it may be cut off; it begins {shown!r}."
    return f"The reply holds no JSON; it begins {shown!r}."
