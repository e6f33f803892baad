"""Answers: appended, never changed; and beside them, whose answer is in force."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from typing import Any

from pydantic import TypeAdapter

from reviewapp.domain.answers import Answer
from reviewapp.domain.places import Span
from reviewapp.store.connections import Connections
from reviewapp.store.rows import now, to_json, when
from reviewapp.store.tests import bump

_ANSWER = """select a.id, t.id, a.position, a.property, a.person, a.at, a.decision, a.value, a.quote, a.spans, a.note,
    a.seen, a.text_hash, a.role, a.undoes, a.batch from answers a join tests t on t.number = a.test"""
_NUMBER = "(select number from tests where id = ?)"

ANYBODY = ""
"""In the counts: values that anybody has answered."""

_spans = TypeAdapter(tuple[Span, ...])


class AnswerStore:
    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    def append(self, answer: Answer, *, in_force: int | None) -> int:
        """Append an answer (its `id` and `at` are set here) and note which of the person's answers is now in force.

        `in_force` 0 stands for the new answer itself, None for no answer. Gives its id; read it back after the commit.
        """
        with self._connections.write() as c:
            (number,) = c.execute("select number from tests where id = ?", (answer.test,)).fetchone()
            made = c.execute(
                """insert into answers (test, position, property, person, at, decision, value, quote, spans, note, seen,
                    text_hash, role, undoes, batch) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""",
                (
                    number,
                    answer.position,
                    answer.property,
                    answer.by,
                    now(),
                    answer.decision,
                    None if answer.value is None else to_json(answer.value),
                    answer.quote,
                    _spans.dump_json(answer.spans).decode() if answer.spans else "[]",
                    answer.note,
                    answer.seen,
                    answer.text_hash,
                    answer.role,
                    answer.undoes,
                    answer.batch,
                ),
            )
            assert made.lastrowid is not None  # noqa: S101 - an insert has one
            _put_in_force(c, number, answer, None if in_force is None else in_force or made.lastrowid)
            bump(c, number)
            return made.lastrowid

    def get(self, id: int) -> Answer:
        with self._connections.read() as c:
            return _answer(c.execute(f"{_ANSWER} where a.id = ?", (id,)).fetchone())

    def history(self, test: str, position: int, property: str) -> list[Answer]:
        """Every step of everybody on one value, oldest first."""
        with self._connections.read() as c:
            rows = c.execute(
                f"{_ANSWER} where a.test = {_NUMBER} and a.position = ? and a.property = ? order by a.id",
                (test, position, property),
            ).fetchall()
        return [_answer(row) for row in rows]

    def of_inputs(self, test: str, first: int, last: int) -> dict[int, dict[str, list[Answer]]]:
        """Every step on the inputs from `first` to `last` (inclusive): by position and property, oldest first."""
        with self._connections.read() as c:
            rows = c.execute(
                f"""{_ANSWER} where a.test = {_NUMBER} and a.position between ? and ?
                    order by a.position, a.property, a.id""",
                (test, first, last),
            ).fetchall()
        found: dict[int, dict[str, list[Answer]]] = {}
        for row in rows:
            answer = _answer(row)
            found.setdefault(answer.position, {}).setdefault(answer.property, []).append(answer)
        return found

    def steps_back(self, test: str, by: str) -> Iterator[tuple[int, int | None]]:
        """(id, undoes) of a person's steps in a test, newest first; read in pieces."""
        before = 1 << 62
        while True:
            with self._connections.read() as c:
                rows = c.execute(
                    f"""select id, undoes from answers where test = {_NUMBER} and person = ? and id < ?
                        order by id desc limit 50""",
                    (test, by, before),
                ).fetchall()
            yield from rows
            if len(rows) < 50:
                return
            before = rows[-1][0]

    def of_batch(self, batch: str) -> list[int]:
        """Ids of what one step answered at once, newest first."""
        with self._connections.read() as c:
            rows = c.execute("select id from answers where batch = ? order by id desc", (batch,)).fetchall()
        return [row[0] for row in rows]

    def progress(self, test: str) -> list[tuple[str, str, int]]:
        """(person, property, answers in force), by person and property."""
        with self._connections.read() as c:
            return c.execute(
                f"""select person, property, count from answer_counts
                    where test = {_NUMBER} and person <> ? and count > 0 order by person, property""",
                (test, ANYBODY),
            ).fetchall()

    def finished_inputs(self, test: str) -> dict[str, int]:
        """Inputs of which a person has answered every property, by person."""
        with self._connections.read() as c:
            rows = c.execute(
                f"""select person, count(*) from (select person, position from answers_in_force where test = {_NUMBER}
                        group by person, position having count(*) >= (select json_array_length(settings, '$.properties')
                            from tests where id = ?)) group by person""",
                (test, test),
            ).fetchall()
        return dict(rows)

    def answered_values(self, test: str) -> dict[str, int]:
        """Values that anybody has an answer on, by property."""
        with self._connections.read() as c:
            rows = c.execute(
                f"select property, count from answer_counts where test = {_NUMBER} and person = ?", (test, ANYBODY)
            ).fetchall()
        return dict(rows)


def _put_in_force(c: sqlite3.Connection, number: int, answer: Answer, id: int | None) -> None:
    """Note which answer of the person is in force on the value (None: none is), and count."""
    value = (number, answer.position, answer.property)
    rows = c.execute("select person from answers_in_force where test = ? and position = ? and property = ?", value)
    people = {row[0] for row in rows.fetchall()}
    if id is None:
        c.execute(
            "delete from answers_in_force where test = ? and position = ? and property = ? and person = ?",
            (*value, answer.by),
        )
    else:
        c.execute(
            """insert into answers_in_force (test, position, property, person, answer) values (?, ?, ?, ?, ?)
                on conflict do update set answer = excluded.answer""",
            (*value, answer.by, id),
        )
    after = people - {answer.by} if id is None else people | {answer.by}
    if after != people:
        change = len(after) - len(people)
        counted = [answer.by] if people and after else [answer.by, ANYBODY]
        c.executemany(
            """insert into answer_counts (test, person, property, count) values (?1, ?2, ?3, max(?4, 0))
                on conflict do update set count = count + ?4""",
            [(number, person, answer.property, change) for person in counted],
        )


def _answer(row: sqlite3.Row | tuple[Any, ...]) -> Answer:
    return Answer(
        id=row[0],
        test=row[1],
        position=row[2],
        property=row[3],
        by=row[4],
        at=when(row[5]),
        decision=row[6],
        value=None if row[7] is None else json.loads(row[7]),
        quote=row[8],
        spans=() if row[9] == "[]" else _spans.validate_json(row[9]),
        note=row[10],
        seen=row[11],
        text_hash=row[12],
        role=row[13],
        undoes=row[14],
        batch=row[15],
    )
