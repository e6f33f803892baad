"""JSON as the standard has it, numbers kept as they are written.

Refused in one sentence: NaN and Infinity, a name twice in one object, more than 100 levels, anything malformed.
"""

from __future__ import annotations

import json
import math
import re
from typing import Any, NoReturn

from reviewapp.formats.limits import JSON_DEPTH

LONGEST_NUMBER = 1_000
"""Digits of a whole number."""
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{}]', re.DOTALL)


class JsonFault(ValueError):
    """The text is not JSON that can be taken; the message is a sentence without its place."""


class NumberText(str):
    """A number as the file writes it: ``1.10`` stays ``1.10`` and a long one keeps all its digits."""

    __slots__ = ()


def loads(text: str, *, typed: bool = False) -> Any:
    """Lists, dicts, strings, bools, None, and `NumberText` for numbers (`typed`: int and float).

    Raises `JsonFault`.
    """
    _refuse_depth(text)
    try:
        return json.loads(
            text,
            parse_int=_whole_number if typed else NumberText,
            parse_float=_finite_number if typed else NumberText,
            parse_constant=_refuse_constant,
            object_pairs_hook=_each_name_once,
        )
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, " if error.lineno > 1 else ""
        raise JsonFault(f"is not valid JSON: {error.msg} ({where}character {error.colno})") from error
    except RecursionError as error:
        raise JsonFault(_too_deep()) from error


def kind_of(value: Any) -> str:
    """What a JSON value is, for messages: ``a list``, ``null``."""
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case NumberText() | int() | float():
            return f"the number {value}"
        case str():
            return "a text"
        case list():
            return "a list"
        case _:
            return "an object"


def _whole_number(digits: str) -> int:
    if len(digits) > LONGEST_NUMBER:
        raise JsonFault(f"holds a number of {len(digits):,} digits; at most {LONGEST_NUMBER:,}")
    return int(digits)


def _finite_number(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise JsonFault(f"holds {digits[:40]}, which is beyond the range of numbers")
    return number


def _each_name_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twin = next(name for name in names if names.count(name) > 1)
        raise JsonFault(f"has the field {twin!r} twice in one object; keep one")
    return found


def _refuse_constant(constant: str) -> NoReturn:
    raise JsonFault(f"holds {constant}, which is no JSON number; use null or leave the field out")


def _refuse_depth(text: str) -> None:
    if text.count("[") + text.count("{") <= JSON_DEPTH:
        return
    depth = 0
    for token in _TOKEN.finditer(text):
        mark = token[0]
        if mark in "[{":
            depth += 1
            if depth > JSON_DEPTH:
                raise JsonFault(_too_deep())
        elif mark in "]}":
            depth -= 1


def _too_deep() -> str:
    return f"has lists or objects inside each other more than {JSON_DEPTH} levels deep; a record is one flat object"
