"""Lists of a test's inputs: filters, progress of each, what to answer next. A page costs a fixed number of queries."""

from __future__ import annotations

from typing import Any

from reviewapp.domain.tests import DROPPED, InputFilter, InputRow, Outcome
from reviewapp.store.connections import Connections
from reviewapp.store.rows import to_json

_NUMBER = "(select number from tests where id = :test)"

_SETTLED = """select count(*) from (
    select 1 from answers_in_force a where a.test = i.test and a.position = i.position
    group by a.property having count(*) >= :overlap or sum(a.person = :by) > 0)"""
"""Properties of input `i` that want no answer of person `by` any more: enough people, or this one, gave theirs."""


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
            base = _Base.of(c, test)
            if base is None:
                return []
            where, values = _where(base, filter)
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
            base = _Base.of(c, test)
            if base is None:
                return 0
            where, values = _where(base, filter)
            found = c.execute(f"select count(*) from test_inputs i where {where}", values).fetchone()
            return int(found[0])

    def next_open(self, test: str, filter: InputFilter, *, by: str, from_position: int) -> int | None:
        """The first input from this position on that wants an answer of `by` and passes the filter."""
        with self._connections.snapshot() as c:
            base = _Base.of(c, test)
            if base is None:
                return None
            wanted = filter.model_copy(update={"unanswered": True, "by": by})
            where, values = _where(base, wanted)
            row = c.execute(
                f"""select i.position from test_inputs i where {where} and i.position >= :from_position
                    order by i.position limit 1""",
                {**values, "from_position": from_position},
            ).fetchone()
        return None if row is None else int(row[0])

    def settled(self, test: str, position: int, *, by: str) -> set[str]:
        """Properties of an input that want no answer of `by` any more."""
        with self._connections.snapshot() as c:
            base = _Base.of(c, test)
            if base is None:
                return set()
            rows = c.execute(
                """select property from answers_in_force where test = :number and position = :position
                    group by property having count(*) >= :overlap or sum(person = :by) > 0""",
                {"number": base.number, "position": position, "overlap": base.overlap, "by": by},
            ).fetchall()
        return {row[0] for row in rows}


class _Base:
    """What every list needs to know of its test."""

    def __init__(self, number: int, overlap: int, properties: int) -> None:
        self.number = number
        self.overlap = overlap
        self.properties = properties

    @classmethod
    def of(cls, connection: Any, test: str) -> _Base | None:
        row = connection.execute(
            "select number, overlap, json_array_length(settings, '$.properties') from tests where id = ?", (test,)
        ).fetchone()
        return None if row is None else cls(*row)


def _where(base: _Base, filter: InputFilter) -> tuple[str, dict[str, Any]]:
    """The filter as SQL over ``test_inputs i``."""
    values: dict[str, Any] = {
        "number": base.number,
        "overlap": base.overlap,
        "properties": base.properties,
        "property": filter.property,
        "by": filter.by or "",
        "answered_by": filter.answered_by,
        "decision": filter.decision,
        "state": filter.state,
        "support_from": filter.support_from,
        "support_below": filter.support_below,
        "words": filter.search.strip().casefold(),
        "outcome": filter.outcome,
        "dropped": to_json(DROPPED),
    }
    parts = ["i.test = :number"]
    if filter.state is not None:
        parts.append("i.state = :state")
    if values["words"]:
        parts.append(
            """(folded_contains(i.label, :words) or folded_contains(
                (select t.text from texts t where t.hash = i.text_hash), :words))"""
        )
    parts += _about_values(filter)
    parts += _about_answers(filter)
    return " and ".join(parts), values


def _about_values(filter: InputFilter) -> list[str]:
    one = "v.test = i.test and v.position = i.position"
    if filter.outcome == "no_value":
        if filter.property is None:
            return ["i.no_value > 0"]
        return [
            f"""i.state = 'read' and not exists (
                select 1 from test_values v where {one} and v.property = :property)"""
        ]
    tests = []
    if filter.outcome in ("dropped", "failed"):
        tests.append("v.outcome in (select value from json_each(:dropped))")
    elif filter.outcome is not None:
        tests.append("v.outcome = :outcome")
    if filter.support_from is not None:
        tests.append("v.support >= :support_from")
    if filter.support_below is not None:
        tests.append("v.support < :support_below")
    if filter.property is not None and (tests or _speaks_of_value(filter)):
        tests.append("v.property = :property")
    if not tests:
        return []
    found = f"exists (select 1 from test_values v where {one} and {' and '.join(tests)})"
    return [f"(i.state in ('failed', 'error') or {found})" if filter.outcome == "failed" else found]


def _speaks_of_value(filter: InputFilter) -> bool:
    """A property alone: inputs where something was read for it."""
    return not (filter.unanswered or filter.answered_by is not None or filter.decision is not None)


def _about_answers(filter: InputFilter) -> list[str]:
    parts = []
    one = "a.test = i.test and a.position = i.position"
    if filter.property is not None:
        one += " and a.property = :property"
    if filter.unanswered:
        if filter.property is None:
            parts.append(f"i.state = 'read' and ({_SETTLED}) < :properties")
        else:
            parts.append(
                f"""i.state = 'read' and not exists (select 1 from answers_in_force a where {one}
                    group by a.property having count(*) >= :overlap or sum(a.person = :by) > 0)"""
            )
    if filter.answered_by is not None or filter.decision is not None:
        tests = [one]
        if filter.answered_by is not None:
            tests.append("a.person = :answered_by")
        if filter.decision is not None:
            tests.append("exists (select 1 from answers w where w.id = a.answer and w.decision = :decision)")
        parts.append(f"exists (select 1 from answers_in_force a where {' and '.join(tests)})")
    return parts
