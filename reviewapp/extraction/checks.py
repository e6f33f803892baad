"""A property's own checks: options, pattern, bounds, length."""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import Final

import regex

from reviewapp.domain.properties import Property, Value
from reviewapp.domain.values import print_number

PATTERN_SECONDS: Final = 0.2
"""Time a property's pattern has for one value."""
_SHOWN: Final = 60
_OPTIONS_SHOWN: Final = 8


def failed_check(prop: Property, value: Value, printed: str) -> str | None:
    """Which check of the property its typed value fails, as one sentence; None: it passes all."""
    return (
        _option(prop, value, printed)
        or _pattern(prop, printed)
        or _bounds(prop, value, printed)
        or _length(prop, value, printed)
    )


def option_meant(prop: Property, value: Value) -> str | None:
    """The option that a value spells, without regard to case, spaces and ways of encoding; None: none of them."""
    if value in prop.options:
        return str(value)
    wanted = _bare(str(value))
    return next((option for option in prop.options if _bare(option) == wanted), None)


def _bare(text: str) -> str:
    """``CO₂``, an accent of its own and a ligature as their plain letters."""
    return unicodedata.normalize("NFKC", "".join(unicodedata.normalize("NFKC", text).split()).casefold())


def _option(prop: Property, value: Value, printed: str) -> str | None:
    if not prop.options or option_meant(prop, value) is not None:
        return None
    shown = ", ".join(prop.options[:_OPTIONS_SHOWN])
    if (more := len(prop.options) - _OPTIONS_SHOWN) > 0:
        return f"{_short(printed)} is not one of the options: {shown} and {more} more."
    return f"{_short(printed)} is not one of the options: {shown}."


def _pattern(prop: Property, printed: str) -> str | None:
    if prop.pattern is None:
        return None
    try:
        matches = _compiled(prop.pattern).fullmatch(printed, timeout=PATTERN_SECONDS, concurrent=True)
    except regex.error as error:
        return f"The pattern {prop.pattern!r} is not a regular expression ({error}); mend the property."
    except TimeoutError:
        return (
            f"The pattern {prop.pattern!r} did not come to an end within {PATTERN_SECONDS} s on {_short(printed)}; "
            "write it without nested repetitions."
        )
    return None if matches else f"{_short(printed)} does not match the pattern {prop.pattern}."


@lru_cache(maxsize=256)
def _compiled(pattern: str) -> regex.Pattern[str]:
    return regex.compile(pattern)


def _bounds(prop: Property, value: Value, printed: str) -> str | None:
    if isinstance(value, str | bool):
        return None
    unit = f" {prop.unit}" if prop.unit else ""
    if prop.minimum is not None and value < prop.minimum:
        return f"{printed}{unit} is below the minimum {print_number(prop.minimum)}{unit}."
    if prop.maximum is not None and value > prop.maximum:
        return f"{printed}{unit} is above the maximum {print_number(prop.maximum)}{unit}."
    return None


def _length(prop: Property, value: Value, printed: str) -> str | None:
    if not isinstance(value, str):
        return None
    found = f"{_short(printed)} has {len(value)} character{'' if len(value) == 1 else 's'}"
    if prop.min_length is not None and len(value) < prop.min_length:
        return f"{found}; at least {prop.min_length} are expected."
    if prop.max_length is not None and len(value) > prop.max_length:
        return f"{found}; at most {prop.max_length} are expected."
    return None


def _short(found: str) -> str:
    return repr(found if len(found) <= _SHOWN else found[: _SHOWN - 1] + "…")
