"""What does not fit in a body or query, field by field, in our words."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from pydantic import ValidationError

from reviewapp.formats.model_faults import problem, shown

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

_ALTERNATIVES = {"str": "a text", "int": "a whole number", "float": "a number", "bool": "true or false"}
"""Types of which a field may have one; pydantic tells a misfit for each."""


class Misfit(NamedTuple):
    param: str
    """``items.0.values.2.value``; empty: the whole."""
    message: str
    """A sentence without its place."""


def misfits(error: ValidationError) -> list[Misfit]:
    """One for every field, in their order."""
    grouped = groupby(error.errors(include_url=False), key=_field)
    return [Misfit(param, _sentence(list(rows))) for param, rows in grouped]


def _field(row: ErrorDetails) -> str:
    is_alternative = row["type"].endswith("_type") and row["loc"] != () and row["loc"][-1] in _ALTERNATIVES
    place = row["loc"][:-1] if is_alternative else row["loc"]
    return ".".join(str(part) for part in place)


def _sentence(rows: list[ErrorDetails]) -> str:
    first = rows[0]
    if len(rows) > 1:
        wanted = [words for name, words in _ALTERNATIVES.items() if any(row["loc"][-1] == name for row in rows)]
        return f"found {shown(first['input'])}, expected {', '.join(wanted[:-1])} or {wanted[-1]}."
    if first["type"] == "extra_forbidden":
        return f"is not known here; leave it out (found {shown(first['input'])})."
    return f"{problem(first).removesuffix('.')}."
