"""Small conversions between columns and fields."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any


def now() -> str:
    """The time as columns hold it: ISO 8601, UTC, microseconds; text order is time order."""
    return at(datetime.now(UTC))


def at(moment: datetime) -> str:
    """A moment in UTC as columns hold it."""
    return moment.isoformat(timespec="microseconds")


def when(text: str) -> datetime:
    return datetime.fromisoformat(text)


def maybe_when(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text)


def to_json(content: Any) -> str:
    """Compact JSON; NaN and infinity are refused."""
    return json.dumps(content, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
