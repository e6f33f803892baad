"""Lists of a test's inputs: filters, progress of each, what to answer next. A page costs a fixed number of queries."""

from __future__ import annotations

from reviewapp.domain.tests import InputFilter, InputRow, Outcome
from reviewapp.store.conditions import Base, Conditions
from reviewapp.store.connections import Connections


class ListingStore:
    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    def rows(
        self,
        test: str,
        filter: InputFilter,
        *,
        by: str = "",
        after: int = -1,
        before: int | None = None,
        limit: int = 1_000,
    ) -> list[InputRow]:
        """Inputs that the filter lets through, by position; `by` is whose answers `mine` counts.

        The first `limit` behind position `after`, or with `before` the last `limit` ahead of that position.
        """
        with self._connections.snapshot() as c:
            base = Base.of(c, test)
            if base is None:
                return []
            conditions = Conditions(base, filter)
            where, values = conditions.where(), conditions.values
            bound, order = "i.position > :after", "asc"
            if before is not None:
                bound, order = "i.position > :after and i.position < :before", "desc"
            rows = c.execute(
                f"""select i.position, i.iri, i.label, i.state, i.no_value from test_inputs i
                    where {where} and {bound} order by i.position {order} limit :limit""",
                {**values, "after": after, "before": before, "limit": limit},
            ).fetchall()
            rows.sort()
            if not rows:
                return []
            span = (base.number, rows[0][0], rows[-1][0])
            outcomes: dict[int, dict[Outcome, int]] = {}
            # Counted here: with a group by, SQLite would rather go over all values of the test by another index.
            for position, outcome in c.execute(
                """select position, outcome from test_values
                    where test = ? and position between ? and ? order by position, seq""",
                span,
            ).fetchall():
                of_input = outcomes.setdefault(position, {})
                of_input[outcome] = of_input.get(outcome, 0) + 1
            answered = {
                position: (total, mine)
                for position, total, mine in c.execute(
                    """select position, count(distinct property), coalesce(sum(person = ?4), 0) from answers_in_force
                        where test = ?1 and position between ?2 and ?3 group by position""",
                    (*span, by),
                ).fetchall()
            }
        return [
            InputRow(
                position=position,
                iri=iri,
                label=label,
                state=state,
                answerable=base.properties if state == "read" else 0,
                answered=answered.get(position, (0, 0))[0],
                mine=answered.get(position, (0, 0))[1],
                no_value=no_value,
                outcomes=outcomes.get(position, {}),
            )
            for position, iri, label, state, no_value in rows
        ]

    def count(self, test: str, filter: InputFilter) -> int:
        """How many inputs the filter lets through."""
        with self._connections.snapshot() as c:
            base = Base.of(c, test)
            if base is None:
                return 0
            conditions = Conditions(base, filter)
            where, values = conditions.where(), conditions.values
            found = c.execute(f"select count(*) from test_inputs i where {where}", values).fetchone()
            return int(found[0])

    def next_open(self, test: str, filter: InputFilter, *, by: str, from_position: int) -> int | None:
        """The first input from this position on that wants an answer of `by` and passes the filter."""
        with self._connections.snapshot() as c:
            base = Base.of(c, test)
            if base is None:
                return None
            wanted = filter.model_copy(update={"unanswered": True, "by": by})
            conditions = Conditions(base, wanted)
            where, values = conditions.where(), conditions.values
            row = c.execute(
                f"""select i.position from test_inputs i where {where} and i.position >= :from_position
                    order by i.position limit 1""",
                {**values, "from_position": from_position},
            ).fetchone()
        return None if row is None else int(row[0])
