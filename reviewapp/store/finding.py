"""Values of a test one by one, in the orders that cut across its inputs: weakest support first, or by property."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import islice
from typing import Any

from reviewapp.domain.tests import InputFilter, Order, ValueAt
from reviewapp.store.conditions import BESIDE, OF_INPUT, WANTS_ANSWER, Base, Conditions
from reviewapp.store.connections import Connections

Row = tuple[int, str, str, str | None, float | None, int]
"""position, label, property, outcome, support, wants no answer"""

_RANK = "coalesce(v.support, -1)"
"""As the index has it."""
UNSTATED = 2.0
"""The rank of a value that was not read, behind every support."""
INPUTS_AT_ONCE = 40
"""Inputs looked through together for what was not read."""


class FindingStore:
    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    def rows(
        self,
        test: str,
        filter: InputFilter,
        order: Order,
        *,
        beside: tuple[int, str] | None = None,
        back: bool = False,
        limit: int = 50,
    ) -> list[ValueAt]:
        """The first `limit` values of the filter behind the value `beside` (position, property) in this order.

        With `back` the last ones ahead of it, nearest first; without `beside` from the start, or from the end.
        """
        with self._connections.snapshot() as c:
            base = Base.of(c, test)
            if base is None:
                return []
            reader = _Reader(c, Conditions(base, filter), back, limit)
            walk = reader.by_property(beside) if order == "property" else reader.weakest_first(beside)
            return [
                ValueAt(position=p, label=label, property=name, outcome=outcome, support=support, answered=bool(done))
                for p, label, name, outcome, support, done in islice(walk, limit)
            ]


class _Reader:
    """One walk through the values of one test. Queries are made as far as they are needed."""

    def __init__(self, connection: Any, conditions: Conditions, back: bool, limit: int) -> None:
        self._connection = connection
        self._conditions = conditions
        self._values = {**conditions.values, "limit": limit}
        self._beyond, self._direction = ("<", "desc") if back else (">", "asc")
        self._back = back

    def by_property(self, beside: tuple[int, str] | None) -> Iterator[Row]:
        """All values of a property by position, then those of the next property."""
        names: list[str] = json.loads(self._conditions.base.names)
        if self._back:
            names.reverse()
        start: int | None = None
        if beside is not None and beside[1] in names:
            names = names[names.index(beside[1]) :]
            start = beside[0]
        for name in names:
            if self._conditions.filter.property in (None, name):
                yield from self._of_property(name, start)
            start = None

    def _of_property(self, name: str, start: int | None) -> list[Row]:
        here = f"v.property = :name and v.outcome not in {BESIDE}"
        joined = f"left join test_values v on {OF_INPUT} and {here}"
        seek = [] if start is None else [f"i.position {self._beyond} :start"]
        # A reading stands beside its input here, so that what is asked of one is asked of the row itself.
        asked = [c for c in self._conditions.of_value("v.property") if c != OF_INPUT]
        if not self._conditions.asks_for_reading:
            asked = self._conditions.of_value(":name")
        return self._rows(joined, ":name", [*seek, *asked], "i.position", {"name": name, "start": start})

    def weakest_first(self, beside: tuple[int, str] | None) -> Iterator[Row]:
        """Values that failed a check, then by support, then what was not read; equal ones by position."""
        rank = None if beside is None else self._rank(beside)
        among_read = beside if rank is not None and rank != UNSTATED else None
        among_unstated = beside if rank == UNSTATED else None
        if self._back:
            if among_read is None:
                yield from self._unstated(among_unstated)
            yield from self._read(among_read, rank)
        else:
            if among_unstated is None:
                yield from self._read(among_read, rank)
            yield from self._unstated(among_unstated)

    def _rank(self, value: tuple[int, str]) -> float:
        row = self._connection.execute(
            f"""select coalesce(support, -1) from test_values where test = :number and position = :position
                and property = :name and outcome not in {BESIDE}""",
            {"number": self._conditions.base.number, "position": value[0], "name": value[1]},
        ).fetchone()
        return UNSTATED if row is None else float(row[0])

    def _read(self, beside: tuple[int, str] | None, rank: float | None) -> Iterator[Row]:
        """Those of the same rank first: so the index leads to the very value, also where thousands have one support."""
        if self._conditions.filter.outcome == "no_value":
            return
        if beside is None:
            yield from self._ranked([], {})
            return
        values = {"rank": rank, "position": beside[0], "name": beside[1]}
        of_rank = [f"{_RANK} = :rank", f"(v.position, v.property) {self._beyond} (:position, :name)"]
        yield from self._ranked(of_rank, values, one_rank=True)
        yield from self._ranked([f"{_RANK} {self._beyond} :rank"], values)

    def _ranked(self, seek: list[str], values: dict[str, Any], one_rank: bool = False) -> list[Row]:
        index, order = ("indexed by values_by_support", "") if one_rank else ("", f"{_RANK} {self._direction}, ")
        asked = [c for c in self._conditions.of_value("v.property") if c != OF_INPUT]
        found = self._connection.execute(
            f"""select v.position, i.label, v.property, v.outcome, v.support,
                    not {WANTS_ANSWER.format(name="v.property")}
                from test_values v {index} join test_inputs i on i.test = v.test and i.position = v.position
                where v.test = :number and v.outcome not in {BESIDE}
                    and {" and ".join([*seek, *self._conditions.of_input(), *asked, "true"])}
                order by {order}v.position {self._direction}, v.property {self._direction} limit :limit""",
            {**self._values, **values},
        )
        return list(found.fetchall())

    def _unstated(self, beside: tuple[int, str] | None) -> Iterator[Row]:
        """Some inputs at a time: no index has what is not there, and all of a large test would have to be sorted."""
        if self._conditions.asks_for_reading:
            return
        position, name = beside or (0, "")
        seek = [] if beside is None else [f"(i.position, p.value) {self._beyond} (:position, :name)"]
        missing = f"""not exists (select 1 from test_values v
            where {OF_INPUT} and v.property = p.value and v.outcome not in {BESIDE})"""
        asked = ["i.position between :first and :last", "i.no_value > 0", missing]
        for first, last in self._pieces(None if beside is None else position):
            yield from self._rows(
                "cross join json_each(:names) p",
                "p.value",
                [*seek, *asked, *self._conditions.of_value("p.value")],
                f"i.position {self._direction}, p.value",
                {"position": position, "name": name, "first": first, "last": last},
                reading="null, null",
            )

    def _pieces(self, start: int | None) -> Iterator[tuple[int, int]]:
        """First and last position of some inputs at a time, from input `start` on in this order."""
        (end,) = self._connection.execute(
            "select coalesce(max(position), -1) from test_inputs where test = :number", self._values
        ).fetchone()
        if self._back:
            for last in range(end if start is None else start, -1, -INPUTS_AT_ONCE):
                yield max(0, last - INPUTS_AT_ONCE + 1), last
        else:
            for first in range(start or 0, end + 1, INPUTS_AT_ONCE):
                yield first, first + INPUTS_AT_ONCE - 1

    def _rows(
        self,
        joined: str,
        name: str,
        asked: list[str],
        order: str,
        values: dict[str, Any],
        reading: str = "v.outcome, v.support",
    ) -> list[Row]:
        found = self._connection.execute(
            f"""select i.position, i.label, {name}, {reading}, not {WANTS_ANSWER.format(name=name)}
                from test_inputs i {joined}
                where i.test = :number and i.state = 'read'
                    and {" and ".join([*self._conditions.of_input(), *asked, "true"])}
                order by {order} {self._direction} limit :limit""",
            {**self._values, **values},
        )
        return list(found.fetchall())
