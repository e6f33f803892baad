"""What tests of whole papers share: what is wanted of one, and whether it came."""

from __future__ import annotations

from typing import Any, Final

from reviewapp.domain.properties import Property, Value, ValueType
from reviewapp.domain.workflows import Evidence, WorkflowSettings
from reviewapp.extraction.pipeline import extract

LOOK: Final = "a person looks"
"""Wanted of what is no single, plain value (a bound, a range, one of two): nothing is written."""

Wanted = list[tuple[Property, Value | None]]
Paper = tuple[str, Wanted]


def prop(name: str, value_type: ValueType = "text", unit: str | None = None, *aliases: str, **more: Any) -> Property:
    return Property(name=name, value_type=value_type, unit=unit, aliases=aliases, **more)


def check(text: str, wanted: Wanted) -> None:
    """What is read for all properties at once, written or for a person, is what is wanted; None: nothing is read."""
    settings = WorkflowSettings(collection="any", properties=tuple(p for p, _ in wanted))
    values = {v.property: v for v in extract(text, settings, Evidence()).values}
    read = {name: v.value for name, v in values.items() if v.outcome in ("written", "review")}
    written = {name for name, v in values.items() if v.outcome == "written"}
    assert not written & {p.name for p, value in wanted if value == LOOK}
    plain = {p.name: value for p, value in wanted if value != LOOK}
    assert {name: _bare(read.get(name)) for name in plain} == {name: _bare(value) for name, value in plain.items()}


def _bare(value: Value | None) -> Value | None:
    """Words without case, blanks and marks; numbers to six digits."""
    if isinstance(value, str):
        return "".join(c for c in value.casefold() if c.isalnum())
    return float(f"{value:.6g}") if isinstance(value, int | float) and not isinstance(value, bool) else value
