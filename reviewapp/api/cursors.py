"""Opaque cursors: the sort key of the last row of a page, so that rows made or deleted meanwhile do not shift pages."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Callable, Sequence
from typing import TypeVar

from pydantic import BaseModel

from reviewapp.api.shapes.common import ListOf
from reviewapp.errors import InvalidInput

Key = str | int
Row = TypeVar("Row")
Shown = TypeVar("Shown", bound=BaseModel)


def encode_cursor(kind: str, key: Key) -> str:
    return base64.urlsafe_b64encode(json.dumps([kind, key], ensure_ascii=False).encode()).decode().rstrip("=")


def decode_cursor(kind: str, cursor: str | None) -> Key | None:
    """The key in a cursor of `kind`; None for the first page. Raises InvalidInput for anything we did not write."""
    if cursor is None:
        return None
    try:
        found = json.loads(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
    except (ValueError, binascii.Error, RecursionError):
        found = None
    if isinstance(found, list) and len(found) == 2 and found[0] == kind and type(found[1]) in (str, int):
        key: Key = found[1]
        return key
    raise InvalidInput(
        f"cursor {cursor[:40]!r} is not one that this list gave; send `next_cursor` of the page before, or none.",
        param="cursor",
    )


def page(
    kind: str, rows: Sequence[Row], limit: int, key: Callable[[Row], Key], show: Callable[[Row], Shown]
) -> ListOf[Shown]:
    """A page of at most `limit` rows out of `limit + 1` that were asked for: one more row tells that there is more."""
    shown, more = rows[:limit], len(rows) > limit
    return ListOf(
        data=[show(row) for row in shown],
        has_more=more,
        next_cursor=encode_cursor(kind, key(shown[-1])) if more else None,
    )
