"""Paths: from an output to the value that a test looks at.

``lines.0.sku`` (or ``lines[0].sku``): keys of objects, digits for places of a list, counted from 0. Nothing else:
wildcards, negative places and empty parts are misfits, not values that are absent.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Final

from reviewapp.evals.conditions.outcomes import INVALID_PATH, PATH_NOT_FOUND, PATH_TYPE_ERROR, kind_of, shown

_BRACKETS: Final = re.compile(r"\[([0-9]+)\]")
INDEX_DIGITS: Final = 15
"""A longer index is beyond every list."""


class _Absent:
    def __repr__(self) -> str:
        return "ABSENT"


ABSENT: Final = _Absent()
"""An output that a block declares and did not give this time."""


@dataclass(frozen=True, slots=True)
class Found:
    """The path leads to a value; null is one."""

    value: Any


@dataclass(frozen=True, slots=True)
class Absent:
    """There is nothing at the path: a key or place is missing, or null is in the way."""

    partial_path: str
    partial_value: Any
    message: str
    code: str = PATH_NOT_FOUND


@dataclass(frozen=True, slots=True)
class Misfit:
    """The path cannot be walked: it steps into a bare value, or a part of it is no selector."""

    partial_path: str
    partial_value: Any
    message: str
    code: str = PATH_TYPE_ERROR


def parts_of(path: str | None) -> tuple[str, ...] | None:
    """``a[0].b`` → ``("a", "0", "b")``; None where it is not a path."""
    if not path:
        return ()
    dotted = _BRACKETS.sub(lambda found: f".{found[1]}" if found.start() else found[1], path)
    parts = tuple(dotted.split("."))
    if any(part in ("", "*") or "[" in part or "]" in part for part in parts):
        return None
    return parts


def walk(output: Any, path: str | None) -> Found | Absent | Misfit:
    """Where a path leads in an output (`ABSENT`: the block gave none)."""
    parts = parts_of(path)
    if output is ABSENT:
        if parts is None:
            return Misfit("", None, _no_path(path), INVALID_PATH)
        return Absent("", None, "The block gave nothing at this output.")
    if parts is None:
        return _before_the_fault(output, path or "")
    value = output
    for place, part in enumerate(parts):
        behind = ".".join(parts[:place])
        if isinstance(value, dict):
            if part not in value:
                return Absent(behind, value, f"There is no {part!r} {_at(behind)}.")
            value = value[part]
        elif isinstance(value, list):
            if not (part.isascii() and part.isdigit()):
                return Misfit(behind, value, f"{part!r} selects nothing from the list {_at(behind)}; use a number.")
            if len(part) > INDEX_DIGITS or int(part) >= len(value):
                return Absent(behind, value, f"The list {_at(behind)} has {len(value)} entries, none at {part}.")
            value = value[int(part)]
        elif value is None:
            return Absent(behind, None, f"There is null {_at(behind)}, so nothing at {part!r}.")
        else:
            message = f"{shown(value)} {_at(behind)} is {kind_of(value)}; {part!r} cannot be looked up in it."
            return Misfit(behind, value, message)
    return Found(value)


def _before_the_fault(output: Any, path: str) -> Misfit:
    """How far the good parts before the first bad one lead."""
    good: list[str] = []
    for part in path.split("."):
        step = parts_of(part) if part else None
        if step is None or not isinstance(walk(output, ".".join([*good, *step])), Found):
            break
        good.extend(step)
    reached = walk(output, ".".join(good))
    value = reached.value if isinstance(reached, Found) else None
    return Misfit(".".join(good), value, _no_path(path), INVALID_PATH)


def _no_path(path: str | None) -> str:
    return f"{path!r} is no path; write keys and list places with dots between, such as 'lines.0.sku'."


def _at(path: str) -> str:
    return f"at {path!r}" if path else "at the top"
