"""Pages between two ids. A cursor is an item's id; its place stays known when the item is deleted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from pydantic import BaseModel

from reviewapp.api.retab.bodies import Paging
from reviewapp.api.retab.shapes import Ends, PageOf
from reviewapp.errors import InvalidInput

Item = TypeVar("Item")
Shown = TypeVar("Shown", bound=BaseModel)


def page(
    paging: Paging,
    rows: Callable[..., list[Item]],
    place: Callable[[str], int | None],
    id_of: Callable[[Item], str],
    show: Callable[[Sequence[Item]], list[Shown]],
) -> PageOf[Shown]:
    """The page that is asked for. Raises InvalidInput for an unknown cursor, or two at once.

    `rows` gives the first `limit` items strictly between the places `above` and `below`, newest first or last.
    """
    if paging.before is not None and paging.after is not None:
        raise InvalidInput("Send `before` or `after`, not both.", param="before")
    falling = paging.order == "desc"
    if paging.before is not None:
        edge = _edge(place, paging.before, "before", behind=not falling)
        found = rows(**edge, newest_first=not falling, limit=paging.limit)[::-1]
    else:
        edge = {} if paging.after is None else _edge(place, paging.after, "after", behind=falling)
        found = rows(**edge, newest_first=falling, limit=paging.limit)
    return PageOf(data=show(found), list_metadata=_ends(found, rows, place, id_of, falling=falling))


def _edge(place: Callable[[str], int | None], cursor: str, name: str, *, behind: bool) -> dict[str, int]:
    at = place(cursor)
    if at is None:
        raise InvalidInput(f"{name} {cursor!r} is no item of this list; begin without a cursor.", param=name)
    return {"below": at} if behind else {"above": at}


def _ends(
    found: Sequence[Any],
    rows: Callable[..., list[Any]],
    place: Callable[[str], int | None],
    id_of: Callable[[Any], str],
    *,
    falling: bool,
) -> Ends:
    if not found:
        return Ends(before=None, after=None)
    first, last = id_of(found[0]), id_of(found[-1])
    before_it = _edge(place, first, "before", behind=not falling)
    behind_it = _edge(place, last, "after", behind=falling)
    return Ends(
        before=first if rows(**before_it, limit=1) else None,
        after=last if rows(**behind_it, limit=1) else None,
    )
