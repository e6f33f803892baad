"""Who is asked for which input."""

from __future__ import annotations

from collections.abc import Mapping, Sequence


def share(
    positions: Sequence[int], people: Sequence[str], each: int, asked: Mapping[int, Sequence[str]] | None = None
) -> list[tuple[int, str]]:
    """(position, person): every input goes to `each` of the people, all people get equally many (to one).

    `asked` are those who are asked for an input already: they count, and only who is missing is added; so that a
    higher `each` later keeps what there is. With `each` of as many as there are people everybody gets everything.

    >>> share([0, 1, 2, 3], ["ann", "ben"], 1)
    [(0, 'ann'), (1, 'ben'), (2, 'ann'), (3, 'ben')]
    """
    before = asked or {}
    load = {person: sum(person in there for there in before.values()) for person in people}
    added: list[tuple[int, str]] = []
    for position in positions:
        there = before.get(position, ())
        missing = each - len(there)
        free = sorted((p for p in people if p not in there), key=lambda p: (load[p], people.index(p)))
        for person in free[: max(missing, 0)]:
            load[person] += 1
            added.append((position, person))
    return added
