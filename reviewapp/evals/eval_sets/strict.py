"""The API workflows' exact match: deep equality with types, whole numbers exact."""

from __future__ import annotations

import json
from typing import Any, Literal

from reviewapp.evals.eval_sets.values import check_depth

Verdict = Literal["PASS", "FAIL", "ERROR"]
TYPE_ID = "uipath-exact-match"


def strict_verdict(actual: Any, expected: Any, target: Any = "*") -> Verdict:
    """PASS where both sides have the target and it is equal there.

    `target`: ``"*"``, ``""`` or null is the whole; a key or dotted path (no index; empty parts vanish); a list of them
    of which all must hold, and none is no match. An expected output that is JSON text is read. The output of a run that
    is no object is wrapped as ``{"result": …}`` first. Raises Fault where a value is nested too deep.
    """
    check_depth(actual)
    check_depth(expected)
    expected = _read(expected)
    if isinstance(target, list):
        return "PASS" if target and all(_holds(actual, expected, one) for one in target) else "FAIL"
    return "PASS" if _holds(actual, expected, target) else "FAIL"


def wrapped(output: Any) -> Any:
    """As an API workflow gives it: what is no object under ``result``."""
    return output if isinstance(output, dict) else {"result": output}


def strictly_equal(a: Any, b: Any) -> bool:
    """Equal as JSON: true is not 1, 5 is 5.0, the order of keys does not matter, texts to the letter."""
    if isinstance(a, bool) or isinstance(b, bool):
        return a is b
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(strictly_equal(value, b[key]) for key, value in a.items())
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(strictly_equal, a, b))
    if isinstance(a, int | float) and isinstance(b, int | float):
        return a == b
    return type(a) is type(b) and bool(a == b)


def _holds(actual: Any, expected: Any, target: Any) -> bool:
    if target is None or target in ("", "*"):
        return strictly_equal(actual, expected)
    parts = [part for part in str(target).split(".") if part]
    found, wanted = _at(actual, parts), _at(expected, parts)
    return found is not _MISSING and wanted is not _MISSING and strictly_equal(found, wanted)


_MISSING = object()


def _at(value: Any, parts: list[str]) -> Any:
    for part in parts:
        if not isinstance(value, dict) or part not in value:
            return _MISSING
        value = value[part]
    return value


def _read(expected: Any) -> Any:
    if not isinstance(expected, str):
        return expected
    try:
        return json.loads(expected, parse_constant=_no_json)
    except (ValueError, RecursionError):
        return expected


def _no_json(constant: str) -> Any:
    """``NaN`` and ``Infinity`` are Python's, not JSON's: a text that holds them is a text."""
    raise ValueError(constant)
