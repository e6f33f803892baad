"""What every JSON program can hold and we can read back: finite numbers, whole characters, an end to the nesting."""

from __future__ import annotations

import math
from typing import Annotated, Any, Final

from pydantic import BeforeValidator, JsonValue

DEPTH: Final = 100
"""Lists and objects inside each other. What reads kept values back stops at 200."""


def fault_of(value: Any) -> str | None:
    """Why others could not read the JSON value back, in words; None: they can."""
    level = [value]
    for _ in range(DEPTH + 1):
        below: list[Any] = []
        for one in level:
            if isinstance(one, dict):
                if (fault := next((f for key in one if (f := _fault_of_leaf(key))), None)) is not None:
                    return fault
                below.extend(one.values())
            elif isinstance(one, list | tuple):
                below.extend(one)
            elif (fault := _fault_of_leaf(one)) is not None:
                return fault
        if not below:
            return None
        level = below
    return f"lists and objects stand in each other more than {DEPTH} deep; flatten them"


def _fault_of_leaf(value: Any) -> str | None:
    if isinstance(value, float) and not math.isfinite(value):
        return "a number is NaN or too large"
    if isinstance(value, str) and not value.isascii():
        try:
            value.encode()
        except UnicodeEncodeError:
            return "a character is cut in half (a lone surrogate)"
    return None


def plain(value: Any) -> Any:
    """The value as it is. Raises ValueError where others could not read it back."""
    if (fault := fault_of(value)) is not None:
        raise ValueError(fault)
    return value


PlainJson = Annotated[JsonValue, BeforeValidator(plain)]
