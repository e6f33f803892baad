"""Changing a JSON text where it is meant to change, and nowhere else.

Order of keys, unknown fields, indentation, line ends, the writing of numbers: all that is not changed stays to the
letter. What is new is written in the manner of its surroundings.
"""

from __future__ import annotations

import json
import re
from typing import Any

from reviewapp.formats.eval_sets.places import Member, Path, find, members

_FIRST_INDENT = re.compile(r"[\[{]\r?\n([ \t]+)")


def updated(text: str, path: Path, value: Any) -> str:
    """The text with `value` at `path`; only those parts that differ are written.

    A name that is not there is added at the end of its object, an index one beyond the last at the end of its list.
    Raises KeyError where the way to it is not there.
    """
    found = find(text, path)
    if found is None:
        return _added(text, path, value)
    old = json.loads(text[found.value : found.end])
    if same(old, value):
        return text
    if isinstance(old, dict) and isinstance(value, dict) and old and value:
        for name in [name for name in old if name not in value]:
            text = removed(text, [*path, name])
        for name, inner in value.items():
            text = updated(text, [*path, name], inner)
        return text
    if isinstance(old, list) and isinstance(value, list) and old and len(old) == len(value):
        for number, inner in enumerate(value):
            text = updated(text, [*path, number], inner)
        return text
    one_line = bool(old) and isinstance(old, dict | list) and "\n" not in text[found.value : found.end]
    written = _written(text, value, _indent_of(text, found.start), one_line=one_line)
    return text[: found.value] + written + text[found.end :]


def removed(text: str, path: Path) -> str:
    """The text without the member at `path` (and the comma that parted it). Unchanged where there is none."""
    found, parent = find(text, path), find(text, path[:-1])
    if found is None or parent is None:
        return text
    inner = list(members(text, parent.value))
    position = next(n for n, one in enumerate(inner) if one.start == found.start)
    if position + 1 < len(inner):
        return text[: found.start] + text[inner[position + 1].start :]
    if position:
        return text[: inner[position - 1].end] + text[found.end :]
    closing = text[parent.value : parent.end][-1]
    return text[: parent.value + 1] + closing + text[parent.end :]


def same(a: Any, b: Any) -> bool:
    """Equal as JSON writes it: true is not 1, 1 and 1.0 are equal."""
    if isinstance(a, bool) or isinstance(b, bool):
        return a is b
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(same(inner, b[name]) for name, inner in a.items())
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(same, a, b))
    return bool(a == b)


def _added(text: str, path: Path, value: Any) -> str:
    parent = find(text, path[:-1])
    step = path[-1]
    if parent is None or text[parent.value] != ("[" if isinstance(step, int) else "{"):
        raise KeyError(f"{step!r} cannot be added: what holds it is not there")
    inner = list(members(text, parent.value))
    if isinstance(step, int) and step != len(inner):
        raise KeyError(f"entry {step} cannot be added: there are {len(inner)}")
    spread = "\n" in text[parent.value : parent.end] or (not inner and _unit(text) is not None)
    outer = _indent_of(text, parent.start)
    indent = _indent_of(text, inner[-1].start) if inner and spread else outer + (_unit(text) or "")
    written = _written(text, value, indent if spread else "", one_line=not spread)
    if isinstance(step, str):
        written = _dumps(text, step) + _colon(text) + written
    end = _line_end(text)
    if inner:
        parting = f",{end}{indent}" if spread else _comma(text, inner)
        return text[: inner[-1].end] + parting + written + text[inner[-1].end :]
    filled = f"{end}{indent}{written}{end}{outer}" if spread else written
    return text[: parent.value + 1] + filled + text[parent.end - 1 :]


# -- the manner of a text ------------------------------------------------------------------------------------------


def _written(text: str, value: Any, indent: str, *, one_line: bool) -> str:
    unit = _unit(text)
    if one_line or unit is None or not isinstance(value, dict | list):
        return _dumps(text, value)
    lines = json.dumps(value, ensure_ascii=_escapes(text), indent=unit).split("\n")
    return (_line_end(text) + indent).join(lines)


def _dumps(text: str, value: Any) -> str:
    colon = _colon(text)
    separators = (", " if colon == ": " else ",", colon)
    return json.dumps(value, ensure_ascii=_escapes(text), separators=separators)


def _unit(text: str) -> str | None:
    """What one level is indented by; None: the text has no lines."""
    match = _FIRST_INDENT.search(text[:10_000])
    return match[1] if match else None


def _colon(text: str) -> str:
    match = re.search(r'"\s*:( ?)', text[:2_000])
    return ": " if match is None or match[1] else ":"


def _comma(text: str, inner: list[Member]) -> str:
    if len(inner) > 1:
        return text[inner[-2].end : inner[-1].start]
    return ", " if _colon(text) == ": " else ","


def _indent_of(text: str, at: int) -> str:
    """The white space that the line at this place begins with."""
    begun = text.rfind("\n", 0, at) + 1
    match = re.match(r"[ \t]*", text[begun:at])
    return match[0] if match else ""


def _line_end(text: str) -> str:
    at = text.find("\n")
    return "\r\n" if at > 0 and text[at - 1] == "\r" else "\n"


def _escapes(text: str) -> bool:
    """Whether the text writes other letters as escapes."""
    return text.isascii() and re.search(r"\\u[0-9a-fA-F]{4}", text) is not None
