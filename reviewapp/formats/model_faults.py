"""Sentences for what a model refuses: what was found, what was expected, and the nearest known field."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from reviewapp.domain.base import SLUG_EXPECTED

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

SHOWN_CHARACTERS = 60
_BOUNDS = {
    "greater_than_equal": ("ge", "at least {bound}"),
    "greater_than": ("gt", "more than {bound}"),
    "less_than_equal": ("le", "at most {bound}"),
    "less_than": ("lt", "less than {bound}"),
}
_KINDS = {
    "string": "a text",
    "float": "a number",
    "int": "a whole number",
    "bool": "true or false",
    "tuple": "a list",
    "list": "a list",
    "dict": "fields with values",
    "model": "fields with values",
    "datetime": "a date with a time",
}


def problem(error: ErrorDetails) -> str:
    """One error of pydantic in our words, without its place."""
    kind, found, context = error["type"], error["input"], error.get("ctx", {})
    if kind == "missing":
        return "is missing"
    if kind == "value_error":
        return str(context.get("error", error["msg"]))
    if kind == "literal_error":
        return f"found {shown(found)}, expected one of {context['expected']}"
    if kind in ("union_tag_not_found", "union_tag_invalid"):
        has = f"{context['tag']!r}" if kind == "union_tag_invalid" else "none"
        kinds = context.get("expected_tags", "rules, model, command, python")
        return f"needs a kind, found {has}; expected one of {kinds}"
    if kind in _BOUNDS:
        key, words = _BOUNDS[kind]
        return f"found {shown(found)}, expected {words.format(bound=f'{context[key]:g}')}"
    if kind == "string_pattern_mismatch":
        return f"found {shown(found)}, expected {SLUG_EXPECTED}"
    if kind == "string_too_long":
        return f"has {len(found):,} characters, at most {context['max_length']:,}"
    if kind in ("string_too_short", "too_short"):
        return f"is empty or too short, at least {context['min_length']}"
    if kind == "finite_number":
        return f"found {shown(found)}, expected a finite number"
    expected = _KINDS.get(kind.partition("_")[0])
    return f"found {shown(found)}, expected {expected}" if expected else error["msg"]


def unknown_field(name: str, known: Sequence[str]) -> str:
    """``unknown field 'valuetype'; did you mean 'value_type'?``"""
    near = get_close_matches(name, known, n=1, cutoff=0.5)
    way_out = f"did you mean {near[0]!r}?" if near else f"known are {', '.join(known)}"
    return f"unknown field {shown(name)}; {way_out}"


def shown(value: Any) -> str:
    """What was found, short enough for a sentence."""
    match value:
        case None:
            return "nothing"
        case bool():
            return "true" if value else "false"
        case dict():
            return "fields with values"
        case list() | tuple():
            return "a list"
        case str() if len(value) > SHOWN_CHARACTERS:
            return repr(str(value[:SHOWN_CHARACTERS]) + "…")
        case str():
            return repr(str(value))
        case _:
            return str(value)
