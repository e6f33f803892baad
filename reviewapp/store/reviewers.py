"""Several people on one test: who is asked for which inputs, what they dispute, who looked a second time."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from reviewapp.domain.looks import Look, Verdict
from reviewapp.domain.tests import TestCounts
from reviewapp.store.connections import Connections
from reviewapp.store.rows import now, when
from reviewapp.store.tests import bump

_NUMBER = "(select number from tests where id = :test)"
_QUEUE = """join assignments s on s.test = t.number and s.person = :person
    join test_inputs i on i.test = t.number and i.position = s.position"""
_LOOK = """select t.id, l.position, l.property, l.answer, l.person, l.at, l.verdict, l.note
    from looks l join tests t on t.number = l.test"""


class ReviewerStore:
    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    # -- who is asked ------------------------------------------------------------------------------------------

    def assign(self, test: str, asked: Iterable[tuple[int, str]]) -> None:
        """Ask people (position, person) for inputs; whoever was asked already still is."""
        with self._connections.write() as c:
            (number,) = c.execute("select number from tests where id = ?", (test,)).fetchone()
            c.executemany(
                "insert or ignore into assignments (test, position, person) values (?, ?, ?)",
                ((number, position, person) for position, person in asked),
            )
            bump(c, number)

    def unassign(self, test: str, person: str | None = None) -> None:
        """Ask a person (None: anybody) for nothing any more; their answers stay."""
        with self._connections.write() as c:
            c.execute(
                f"delete from assignments where test = {_NUMBER} and (:person is null or person = :person)",
                {"test": test, "person": person},
            )
            c.execute("update tests set version = version + 1 where id = ?", (test,))

    def assigned(self, test: str) -> dict[str, int]:
        """How many inputs each person is asked for, by name."""
        with self._connections.read() as c:
            rows = c.execute(
                f"select person, count(*) from assignments where test = {_NUMBER} group by person order by person",
                {"test": test},
            ).fetchall()
        return dict(rows)

    def asked_for(self, test: str) -> dict[int, list[str]]:
        """Who is asked for each input, by position; inputs that nobody is asked for are not in it."""
        with self._connections.read() as c:
            rows = c.execute(
                f"select position, person from assignments where test = {_NUMBER} order by position, person",
                {"test": test},
            ).fetchall()
        found: dict[int, list[str]] = {}
        for position, person in rows:
            found.setdefault(position, []).append(person)
        return found

    def is_asked(self, test: str, person: str) -> bool:
        with self._connections.read() as c:
            row = c.execute(
                f"select 1 from assignments where person = :person and test = {_NUMBER} limit 1",
                {"test": test, "person": person},
            ).fetchone()
        return row is not None

    def queue(self, test: str, person: str) -> TestCounts:
        """The summary of the inputs that a person is asked for, without their outcomes. `answered`: by as many people
        as are wanted to answer each value alone (1: anybody), else by this person."""
        with self._connections.read() as c:
            row = c.execute(
                f"""select count(*), coalesce(sum(i.state <> 'queued'), 0),
                    coalesce(sum(i.state = 'read') * json_array_length(t.settings, '$.properties'), 0),
                    coalesce(sum(i.no_value), 0)
                    from tests t {_QUEUE} where t.id = :test""",
                {"test": test, "person": person},
            ).fetchone()
            (answered,) = c.execute(
                f"""select count(*) from (select distinct a.position, a.property from tests t {_QUEUE}
                    join answers_in_force a on a.test = t.number and a.position = s.position
                    where t.id = :test and (t.overlap = 1 or a.person = :person))""",
                {"test": test, "person": person},
            ).fetchone()
        return TestCounts(inputs=row[0], inputs_done=row[1], answerable=row[2], no_value=row[3], answered=answered)

    def queue_outcomes(self, test: str, person: str) -> dict[str, int]:
        """Values of these inputs by outcome, and ``failed`` for inputs whose reader failed."""
        with self._connections.read() as c:
            rows = c.execute(
                f"""select v.outcome, count(*) from tests t {_QUEUE}
                    join test_values v on v.test = t.number and v.position = s.position
                    where t.id = :test and i.state = 'read' group by v.outcome
                    union all
                    select 'failed', count(*) from tests t {_QUEUE} where t.id = :test and i.state = 'failed'""",
                {"test": test, "person": person},
            ).fetchall()
        return dict(rows)

    def tests_of(self, person: str) -> list[str]:
        """Ids of the tests in which a person is asked for something, newest first."""
        with self._connections.read() as c:
            rows = c.execute(
                """select t.id from tests t where exists (
                    select 1 from assignments s where s.person = ? and s.test = t.number) order by t.number desc""",
                (person,),
            ).fetchall()
        return [row[0] for row in rows]

    def set_overlap(self, test: str, overlap: int) -> None:
        with self._connections.write() as c:
            c.execute("update tests set overlap = ?, version = version + 1 where id = ?", (overlap, test))

    # -- what they dispute -------------------------------------------------------------------------------------

    def set_disputed(self, test: str, position: int, property: str, disputed: bool) -> None:
        values = {"test": test, "position": position, "property": property}
        with self._connections.write() as c:
            if disputed:
                c.execute(
                    f"""insert or ignore into disputed_values (test, position, property)
                        values ({_NUMBER}, :position, :property)""",
                    values,
                )
            else:
                c.execute(
                    f"""delete from disputed_values
                        where test = {_NUMBER} and position = :position and property = :property""",
                    values,
                )

    def disputed(self, test: str, *, after: tuple[int, str] = (-1, ""), limit: int = -1) -> list[tuple[int, str]]:
        """(position, property) of values in dispute, by position and name, behind `after`."""
        with self._connections.read() as c:
            return c.execute(
                f"""select position, property from disputed_values where test = {_NUMBER}
                    and (position, property) > (:position, :property) order by position, property limit :limit""",
                {"test": test, "position": after[0], "property": after[1], "limit": limit},
            ).fetchall()

    def count_disputed(self, test: str) -> int:
        with self._connections.read() as c:
            row = c.execute(f"select count(*) from disputed_values where test = {_NUMBER}", {"test": test}).fetchone()
        return int(row[0])

    def answered_by_several(self, test: str, at_least: int = 2) -> list[tuple[int, str]]:
        """(position, property) of values on which so many people have an answer in force."""
        with self._connections.read() as c:
            return c.execute(
                f"""select position, property from answers_in_force where test = {_NUMBER}
                    group by position, property having count(*) >= :least order by position, property""",
                {"test": test, "least": at_least},
            ).fetchall()

    # -- second looks ------------------------------------------------------------------------------------------

    def add_look(self, look: Look) -> None:
        """Raises Conflict's cause (a second look at one answer is refused by the file): ask `look_at` first."""
        with self._connections.write() as c:
            (number,) = c.execute("select number from tests where id = ?", (look.test,)).fetchone()
            c.execute(
                """insert into looks (test, position, property, answer, person, at, verdict, note)
                    values (?, ?, ?, ?, ?, ?, ?, ?)""",
                (number, look.position, look.property, look.answer, look.by, now(), look.verdict, look.note),
            )
            bump(c, number)

    def looks(self, test: str, position: int) -> dict[str, Look]:
        """The second look at the answer that is there now, by property; where somebody took one."""
        with self._connections.read() as c:
            rows = c.execute(
                f"""{_LOOK} where l.test = {_NUMBER} and l.position = :position and l.answer = (
                    select max(a.answer) from answers_in_force a
                    where a.test = l.test and a.position = l.position and a.property = l.property)""",
                {"test": test, "position": position},
            ).fetchall()
        return {look.property: look for look in map(_look, rows)}

    def look_at(self, answer: int) -> Look | None:
        with self._connections.read() as c:
            row = c.execute(f"{_LOOK} where l.answer = ?", (answer,)).fetchone()
        return None if row is None else _look(row)

    def count_looks(self, test: str) -> dict[Verdict, int]:
        """Second looks at answers that are still there, by verdict."""
        with self._connections.read() as c:
            rows = c.execute(
                f"""select l.verdict, count(*) from looks l where l.test = {_NUMBER} and l.answer = (
                    select max(a.answer) from answers_in_force a
                    where a.test = l.test and a.position = l.position and a.property = l.property)
                    group by l.verdict""",
                {"test": test},
            ).fetchall()
        return dict(rows)


def _look(row: tuple[Any, ...]) -> Look:
    return Look(
        test=row[0],
        position=row[1],
        property=row[2],
        answer=row[3],
        by=row[4],
        at=when(row[5]),
        verdict=row[6],
        note=row[7],
    )
