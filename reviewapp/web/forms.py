"""Reading forms: what several pages share."""

from __future__ import annotations

from collections.abc import Iterable

from pydantic import TypeAdapter, ValidationError

from reviewapp.domain.base import Slug
from reviewapp.domain.misfits import misfit

_slug: TypeAdapter[str] = TypeAdapter(Slug)


def is_slug(name: str) -> bool:
    """Whether `name` may name a workspace, a collection or a workflow."""
    try:
        _slug.validate_python(name)
    except ValidationError:
        return False
    return True


def first_fault(error: ValidationError) -> tuple[str, str]:
    """The field (its last named part) and the sentence of the first fault of a model."""
    names = [str(part) for part in error.errors(include_url=False)[0]["loc"] if isinstance(part, str)]
    message = misfit(error).message
    return (names[-1] if names else ""), f"{message[:1].upper()}{message[1:]}."


def whole_number(typed: str) -> int | None:
    """``12`` as typed, of eight digits at most, without a sign; None for anything else."""
    digits = typed.strip()
    return int(digits) if digits.isascii() and digits.isdecimal() and len(digits) <= 8 else None


def split_list(text: str) -> tuple[str, ...]:
    """``a, b; c`` or one a line → the entries, trimmed, empty ones left out."""
    return tuple(_trimmed(text.replace(";", ",").replace("\n", ",").split(",")))


def _trimmed(entries: Iterable[str]) -> Iterable[str]:
    return (entry.strip() for entry in entries if entry.strip())
