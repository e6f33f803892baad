"""Why a row failed, in words that name the kind of slip: casing of a key, a missing wrapper, text for number …"""

from __future__ import annotations

import json
from typing import Any

SHOWN = 60


def mismatch(actual: Any, expected: Any, place: str = "") -> str | None:
    """The first slip that has a name, else the first difference; None: the two are equal.

    >>> mismatch({"sum": 3}, {"Sum": 3})
    "the key is 'sum', expected 'Sum': only the case differs"
    """
    if place == "" and (said := _wrapper(actual, expected)):
        return said
    return _difference(actual, expected, place)


def _wrapper(actual: Any, expected: Any) -> str | None:
    """One side has the whole of the other under a single key."""
    if isinstance(expected, dict) and len(expected) == 1:
        ((key, inner),) = expected.items()
        if _alike(inner, actual):
            return f"the wrapper {key!r} is missing: the output is what was expected under it"
    if isinstance(actual, dict) and len(actual) == 1:
        ((key, inner),) = actual.items()
        if _alike(inner, expected) and not (isinstance(expected, dict) and key in expected):
            return f"the output stands under {key!r}, expected without that wrapper"
    return None


def _difference(actual: Any, expected: Any, place: str) -> str | None:
    at = f"at {place}: " if place else ""
    if isinstance(actual, dict) and isinstance(expected, dict):
        return _of_objects(actual, expected, place, at)
    if isinstance(actual, list) and isinstance(expected, list):
        if len(actual) != len(expected):
            return f"{at}{_entries(len(actual))}, expected {len(expected)}"
        inner = (_difference(a, e, f"{place}[{n}]") for n, (a, e) in enumerate(zip(actual, expected, strict=True)))
        return next((said for said in inner if said), None)
    if _alike(actual, expected):
        return None
    return at + _of_leaves(actual, expected)


def _of_objects(actual: dict[str, Any], expected: dict[str, Any], place: str, at: str) -> str | None:
    missing = [key for key in expected if key not in actual]
    extra = [key for key in actual if key not in expected]
    folded = {key.lower(): key for key in extra}
    for key in missing:
        if found := folded.get(key.lower()):
            return f"{at}the key is {found!r}, expected {key!r}: only the case differs"
        near = next((other for other in extra if _tidy(other) == _tidy(key)), None)
        if near is not None:
            return f"{at}the key is {near!r}, expected {key!r}: only the writing differs"
    if missing:
        return f"{at}{missing[0]!r} is missing"
    for key, value in expected.items():
        if said := _difference(actual[key], value, f"{place}.{key}" if place else key):
            return said
    return f"{at}{extra[0]!r} was not expected" if extra else None


def _of_leaves(actual: Any, expected: Any) -> str:
    found, wanted = _shown(actual), _shown(expected)
    if _kind(actual) != _kind(expected):
        slip = _retyped(actual, expected)
        return f"{_named(actual)} for {_named(expected)}" + (f": {slip}" if slip else "")
    if isinstance(actual, str) and isinstance(expected, str):
        if actual.lower() == expected.lower():
            return f"{found}, expected {wanted}: only the case differs"
        if "".join(actual.split()) == "".join(expected.split()):
            return f"{found}, expected {wanted}: only white space differs"
    return f"{found}, expected {wanted}"


def _retyped(actual: Any, expected: Any) -> str | None:
    """The same value in another type."""
    if isinstance(expected, dict | list) and isinstance(actual, str):
        try:
            read = json.loads(actual)
        except (ValueError, RecursionError):
            return None
        return "JSON as text; give the object itself" if type(read) is type(expected) else None
    for one, other in ((actual, expected), (expected, actual)):
        if isinstance(one, str):
            if isinstance(other, bool):
                return "the same in another type" if one.strip().lower() == str(other).lower() else None
            if isinstance(other, int | float):
                try:
                    return "the same in another type" if float(one) == other else None
                except (ValueError, OverflowError):
                    return None
    if isinstance(actual, list) and len(actual) == 1 and _alike(actual[0], expected):
        return "the value stands in a list"
    if isinstance(expected, list) and len(expected) == 1 and _alike(expected[0], actual):
        return "the list around it is missing"
    return None


def _alike(a: Any, b: Any) -> bool:
    return isinstance(a, bool) == isinstance(b, bool) and bool(a == b)


def _tidy(key: str) -> str:
    return "".join(c for c in key.lower() if c.isalnum())


def _named(value: Any) -> str:
    """``text 'x'``, ``boolean true``, ``null``."""
    return "null" if value is None else f"{_kind(value)} {_shown(value)}"


def _kind(value: Any) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "boolean"
        case int() | float():
            return "number"
        case str():
            return "text"
        case list():
            return "list"
        case _:
            return "object"


def _entries(number: int) -> str:
    return f"{number} entr{'y' if number == 1 else 'ies'}"


def _shown(value: Any) -> str:
    if isinstance(value, dict | list):
        return f"of {_entries(len(value))}"
    said = json.dumps(value) if value is None or isinstance(value, bool) else repr(value)
    return said if len(said) <= SHOWN else said[: SHOWN - 1] + "…"
