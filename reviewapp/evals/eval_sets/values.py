"""Values as evaluators see them: numbers as floats, and their text form."""

from __future__ import annotations

from typing import Any

from reviewapp.evals.eval_sets.faults import Fault

EXACT = 2**53
"""Whole numbers up to here are themselves as floats."""
LEVELS = 300
"""Deepest nesting of objects and lists that is scored; beyond it the row is refused with a sentence."""


def as_floats(value: Any, room: int = LEVELS) -> Any:
    """The same with every whole number as a float, at any depth (booleans stay).

    Raises OverflowError beyond the range of floats, Fault below `LEVELS`.
    """
    kind = type(value)
    if kind is str or kind is bool or value is None or kind is float:
        return value
    if kind is int:
        return float(value)
    if room == 0:
        raise too_deep()
    # Plain loops and tests by type: this runs for every value of every row.
    if kind is dict:
        changed = {}
        for key, inner in value.items():
            k = type(inner)
            changed[key] = inner if k is str or k is float else float(inner) if k is int else as_floats(inner, room - 1)
        return changed
    return [as_floats(inner, room - 1) for inner in value]


def has_long_numbers(value: Any, room: int = LEVELS) -> bool:
    """Whether a whole number stands in it that floats cannot tell from its neighbours, or that they cannot hold.

    Raises Fault below `LEVELS`.
    """
    if room == 0:
        raise too_deep()
    for inner in value.values() if type(value) is dict else value:
        kind = type(inner)
        if kind is str:
            continue
        if kind is int:
            if inner > EXACT or inner < -EXACT:
                return True
        elif (kind is dict or kind is list) and has_long_numbers(inner, room - 1):
            return True
    return False


def surely_differ(a: Any, b: Any, room: int = LEVELS) -> bool:
    """Of two values that Python finds unequal: whether they still differ with their whole numbers as floats.

    False where that cannot be told here.
    """
    if room == 0:
        return False
    if type(a) is dict and type(b) is dict:
        if a.keys() != b.keys():
            return True
        return any(surely_differ(inner, b[key], room - 1) for key, inner in a.items() if inner != b[key])
    if type(a) is list and type(b) is list:
        if len(a) != len(b):
            return True
        return any(surely_differ(x, y, room - 1) for x, y in zip(a, b, strict=True) if x != y)
    if isinstance(a, int | float) and isinstance(b, int | float):
        try:
            return float(a) != float(b)
        except OverflowError:
            return False
    return True


def too_deep() -> Fault:
    return Fault(
        "evaluate",
        f"Objects and lists are inside each other more than {LEVELS} levels deep; flatten them, or name a deeper "
        "targetOutputKey.",
        type="RecursionError",
    )


def check_depth(value: Any) -> None:
    """Raises Fault where a value is nested deeper than `LEVELS`; needs no stack."""
    level = [value]
    for _ in range(LEVELS + 1):
        inner: list[Any] = []
        for thing in level:
            if isinstance(thing, dict):
                inner += [v for v in thing.values() if isinstance(v, dict | list)]
            elif isinstance(thing, list):
                inner += [v for v in thing if isinstance(v, dict | list)]
        if not inner:
            return
        level = inner
    raise too_deep()


def check_plain(value: Any) -> None:
    """Whether a value is JSON that can be scored, kept and shown: not too deep, finite numbers, whole characters.

    Needs no stack. Raises Fault with a sentence.
    """
    level = [value]
    for _ in range(LEVELS + 2):
        inner: list[Any] = []
        for thing in level:
            kind = type(thing)
            if kind is str:
                if not thing.isascii():
                    _check_text(thing)
            elif kind is float:
                if thing - thing != 0:
                    raise Fault("input", f"{thing} is no JSON number; give a finite one, or null.", type="ValueError")
            elif kind is dict:
                inner += thing.values()
                inner += thing.keys()
            elif kind is list:
                inner += thing
        if not inner:
            return
        level = inner
    raise too_deep()


def _check_text(text: str) -> None:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise Fault(
            "input",
            f"A text holds half a character (\\u{ord(text[error.start]):04x} without its other half); write it whole.",
            type="ValueError",
        ) from None


def text_form(value: Any) -> str:
    """As Python prints it: ``True``, ``None``, ``1.0``, ``{'a': 'x'}``; a text is itself."""
    return value if isinstance(value, str) else str(value)
