"""When two JSON values are the same, and when one is part of the other.

Bools are no numbers at any depth, 1 and 1.0 are the same, lists are ordered, nothing is trimmed or folded. Fields that
hold a reader's reasoning (``reasoning___…``) do not count, on either side.
"""

from __future__ import annotations

from typing import Any

SIDECAR = "reasoning___"


def same(one: Any, other: Any) -> bool:
    if isinstance(one, dict) and isinstance(other, dict):
        left, right = _counted(one), _counted(other)
        return left.keys() == right.keys() and all(same(left[key], right[key]) for key in left)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, int | float) and isinstance(other, int | float):
        return one == other
    return type(one) is type(other) and bool(one == other)


def lacking(whole: dict[str, Any], part: dict[str, Any], place: str = "") -> str | None:
    """The first place where `whole` does not have what `part` has, in words; None: it has all of it.

    Objects inside are parts again; everything else is the same or not.
    """
    for key, wanted in _counted(part).items():
        at = f"{place}.{key}" if place else key
        if key not in whole:
            return f"{at!r} is missing"
        found = whole[key]
        if isinstance(wanted, dict) and isinstance(found, dict):
            if (inner := lacking(found, wanted, at)) is not None:
                return inner
        elif not same(found, wanted):
            return f"{at!r} differs"
    return None


def _counted(value: dict[str, Any]) -> dict[str, Any]:
    return {key: inner for key, inner in value.items() if not key.startswith(SIDECAR)}
