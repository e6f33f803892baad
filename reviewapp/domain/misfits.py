"""What a model refuses, in our words: for every field where it stands, what was found and what was expected.

pydantic names the ways it tried on the way to a field (the kind of a condition, each type that a field may have) and
says what is wrong in words of its own; neither means anything to whoever sent the field.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, NamedTuple

from pydantic import BaseModel, ValidationError

from reviewapp.domain.base import SLUG_EXPECTED, SLUG_PATTERN
from reviewapp.domain.blocks import BLOCK_ID_PATTERN, FUNCTION_PATTERN, HANDLE_PATTERN

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
    "mapping": "fields with values",
    "datetime": "a date with a time",
    "date": "a date",
    "none": "nothing",
}
_PATTERNS = {
    f"^{SLUG_PATTERN}$": SLUG_EXPECTED,
    BLOCK_ID_PATTERN: "1 to 63 letters, digits, dashes and underscores, beginning with a letter or digit",
    HANDLE_PATTERN: "1 to 100 letters, digits, dashes and underscores, beginning with a letter or digit",
    FUNCTION_PATTERN: "package.module:function",
}
_NOBODY = "?"
"""A kind that nothing has."""


class Misfit(NamedTuple):
    """One field that does not fit."""

    where: tuple[str | int, ...]
    """``("items", 0, "values", 2, "value")`` of what was handed in; empty: the whole."""
    message: str
    """A clause without its place: ``found 5, expected a text``."""
    type: str
    """pydantic's word for it."""

    @property
    def place(self) -> str:
        """``items.0.values.2.value``"""
        return ".".join(str(part) for part in self.where)

    @property
    def sentence(self) -> str:
        """``items.0.name: found 5, expected a text``"""
        return f"{self.place}: {self.message}" if self.where else self.message


def misfits(error: ValidationError, given: Any, validate: Callable[[Any], Any] | None = None) -> list[Misfit]:
    """One for every field of `given` that was refused, in their order; never empty.

    `validate`, which raised the error, is asked once more for the kinds there are where one is missing.
    """
    grouped: dict[tuple[str | int, ...], list[tuple[bool, ErrorDetails]]] = {}
    for row in error.errors(include_url=False):
        where = _place(row["loc"], given, is_absent=row["type"] == "missing")
        grouped.setdefault(where, []).append((len(where) < len(row["loc"]), row))
    within = {where[:end] for where in grouped for end in range(len(where))}
    found = []
    for where, rows in grouped.items():
        if where in within and all(is_alternative for is_alternative, _ in rows):
            continue  # another way to read it got further
        found.append(_misfit(where, [row for _, row in rows], given, validate))
    return found


def misfit(error: ValidationError, given: Any = None) -> Misfit:
    """The first."""
    return misfits(error, given)[0]


def _place(loc: Sequence[str | int], given: Any, *, is_absent: bool) -> tuple[str | int, ...]:
    """`loc` without what is no field of `given`: the ways that were tried."""
    where: list[str | int] = []
    for at, part in enumerate(loc):
        held = _field(given, part)
        if held is not _NOTHING:
            given = held
            where.append(part)
        elif is_absent and at == len(loc) - 1:
            where.append(part)
    return tuple(where)


_NOTHING = object()


def _field(given: Any, part: str | int) -> Any:
    if isinstance(given, Mapping):
        return given.get(part, _NOTHING)
    if isinstance(given, list | tuple) and isinstance(part, int):
        return given[part] if part < len(given) else _NOTHING
    if isinstance(given, BaseModel):
        return getattr(given, str(part), _NOTHING)
    return _NOTHING


def _misfit(
    where: tuple[str | int, ...],
    rows: Sequence[ErrorDetails],
    given: Any,
    validate: Callable[[Any], Any] | None,
) -> Misfit:
    first = rows[0]
    kind, message = first["type"], problem(first)
    kinds = list(dict.fromkeys(words for row in rows if (words := _expected_kind(row)) is not None))
    if len(kinds) > 1:
        message = f"found {shown(first['input'])}, expected any of: {', '.join(kinds)}"
    elif kind == "extra_forbidden":
        message = f"is not known here; leave it out (found {shown(first['input'])})"
    elif kind in ("union_tag_not_found", "union_tag_invalid"):
        name = first["ctx"]["discriminator"].strip("'")
        if kind == "union_tag_not_found" and validate is not None:
            message += _kinds_there_are(where, name, given, validate)
        where = (*where, name)
    return Misfit(where, message.removesuffix("."), kind)


def _kinds_there_are(where: tuple[str | int, ...], name: str, given: Any, validate: Callable[[Any], Any]) -> str:
    """``, expected one of 'manual', 'run_step'``"""
    asked = deepcopy(given)
    place = asked
    for part in where:
        place = place[part]
    place[name] = _NOBODY
    try:
        validate(asked)
    except ValidationError as error:
        for row in error.errors(include_url=False, include_input=False):
            if row["type"] == "union_tag_invalid" and _place(row["loc"], asked, is_absent=False) == where:
                return f", expected one of {row['ctx']['expected_tags']}"
    return ""


def problem(error: ErrorDetails) -> str:
    """One error of pydantic in our words, without its place."""
    kind, found, context = error["type"], error["input"], error.get("ctx", {})
    if kind in ("missing", "union_tag_not_found"):
        return "is missing"
    if kind == "value_error":
        return str(context.get("error", error["msg"]))
    if kind == "literal_error":
        return f"found {shown(found)}, expected one of {context['expected']}"
    if kind == "union_tag_invalid":
        tag = found.get(context["discriminator"].strip("'")) if isinstance(found, dict) else context["tag"]
        return f"found {shown(tag)}, expected one of {context['expected_tags']}"
    if kind in _BOUNDS:
        key, words = _BOUNDS[kind]
        return f"found {shown(found)}, expected {words.format(bound=_figure(context[key]))}"
    if kind == "string_pattern_mismatch":
        words = _PATTERNS.get(context["pattern"], f"a text like {context['pattern']}")
        return f"found {shown(found)}, expected {words}"
    if kind == "string_too_long":
        return f"has {len(found):,} characters, at most {context['max_length']:,}"
    if kind == "too_long":
        return f"has {len(found):,} entries, at most {context['max_length']:,}"
    if kind in ("string_too_short", "too_short"):
        return f"is empty or too short, at least {context['min_length']}"
    if kind == "finite_number":
        return f"found {shown(found)}, expected a finite number"
    if kind == "int_parsing_size":
        return f"found a number of {len(str(found))} digits, expected a shorter one"
    expected = _expected_kind(error)
    return f"found {shown(found)}, expected {expected}" if expected else error["msg"]


def _expected_kind(error: ErrorDetails) -> str | None:
    """Of an error that says what kind of value belongs there."""
    says_kind = error["type"].endswith(("_type", "_parsing", "_from_float", "_required"))
    return _KINDS.get(error["type"].partition("_")[0]) if says_kind else None


def _figure(bound: Any) -> str:
    """``4,000,000``, ``0.5``"""
    return f"{bound:,}" if isinstance(bound, int) else f"{bound:g}"


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
        case int() | float() if len(str(value)) > SHOWN_CHARACTERS:
            return f"a number of {len(str(value)):,} digits"
        case _:
            return str(value)
