"""What goes into a block and what comes out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


class BlockFailed(Exception):
    """The block could not do its work; one sentence, and for people what a program printed."""

    def __init__(self, message: str, *, raw: str | None = None, for_good: bool = False) -> None:
        """`for_good`: it can do no more of it, whatever the text (budget spent, key refused)."""
        super().__init__(message)
        self.message = message
        self.raw = raw
        self.for_good = for_good


@dataclass(frozen=True, slots=True)
class Given:
    """One input of a block."""

    value: Any
    """Plain JSON; of a file its description."""
    text: str | None = None
    """What the file says; None: it is no file, or its content is not here."""
    file: str | None = None
    """The file's name; None: it is no file."""


@dataclass(frozen=True, slots=True)
class Output:
    """What a block made."""

    values: Mapping[str, Any]
    """By output handle; one that is declared and not here gave nothing this time."""
    routing: tuple[str, ...] = ()
    """The handles that a block chose among its own (a category's)."""
    warnings: tuple[str, ...] = ()
    cost_micro_usd: int = 0
    details: Mapping[str, Any] = field(default_factory=dict)


def document_of(inputs: Mapping[str, Given]) -> tuple[str, Any]:
    """The text that a reading block reads, and the value it came as. Raises BlockFailed where there is none."""
    for handle, given in inputs.items():
        if given.file is not None:
            if given.text is None:
                raise BlockFailed(f"The content of {given.file!r} ({handle}) is not here; bring the file in again.")
            return given.text, given.value
        if isinstance(given.value, str):
            return given.value, given.value
        if isinstance(given.value, dict) and isinstance(given.value.get("text"), str):
            return given.value["text"], given.value
    found = ", ".join(inputs) or "no input"
    raise BlockFailed(
        f'There is no text to read among {found}; give a file, a JSON text, or an object such as {{"text": "…"}}.'
    )
