"""What the inputs of a test gave: written once each, read one at a time."""

from __future__ import annotations

import json
import sqlite3
import threading
from typing import Any

from reviewapp.domain.tests import DROPPED, InputResult, InputState, ReadValue, TestInput
from reviewapp.store.calls import cost_of_input
from reviewapp.store.connections import Connections
from reviewapp.store.tests import read_settings

_INPUT = """select i.position, i.iri, i.label, i.text_hash, i.state, i.failed, i.error, i.raw, i.milliseconds,
    i.cost_micro_usd, i.passed_over, i.test from test_inputs i where i.test = (select number from tests where id = ?)"""


KEPT_INPUTS = 64
"""Inputs kept in memory, so that the people at work do not have theirs read from the file for every answer."""


class ResultStore:
    def __init__(self, connections: Connections) -> None:
        self._connections = connections
        self._read: dict[tuple[str, int | str], TestInput] = {}
        """Inputs looked at lately, those that are read, by test and position and by test and IRI."""
        self._keeping = threading.Lock()

    # -- writing -----------------------------------------------------------------------------------------------

    def unread(self, test: str, *, after: int = -1, limit: int = 64) -> list[TestInput]:
        """Inputs without a result, by position, behind position `after`."""
        with self._connections.read() as c:
            rows = c.execute(
                """select i.position, i.iri, i.label, i.text_hash from test_inputs i
                    where i.test = (select number from tests where id = ?) and i.state = 'queued' and i.position > ?
                    order by i.position limit ?""",
                (test, after, limit),
            ).fetchall()
        return [TestInput(position=r[0], iri=r[1], label=r[2], text_hash=r[3]) for r in rows]

    def save(self, test: str, position: int, result: InputResult) -> bool:
        """Store what an input gave, in one commit. It survives a kill; should the machine itself stop within the next
        moments, the input is read again.

        False, and nothing written, where the input has a result already or the test is not under way: a result is
        never written twice, and an ended test never changes.
        """
        state: InputState = "error" if result.error else "failed" if result.failed else "read"
        with self._connections.write(lasting=False) as c:
            row = c.execute(
                "select number, settings from tests where id = ? and status in ('queued', 'running')", (test,)
            ).fetchone()
            if row is None:
                return False
            number, settings = row
            called = cost_of_input(c, test, position)  # the test's own cost has it already
            names = {p.name for p in read_settings(settings).properties}
            no_value = len(names - {v.property for v in result.values}) if state == "read" else 0
            taken = c.execute(
                """update test_inputs set state = ?, failed = ?, error = ?, raw = ?, milliseconds = ?,
                    cost_micro_usd = ?, no_value = ?, passed_over = ?
                    where test = ? and position = ? and state = 'queued'""",
                (
                    state,
                    result.failed,
                    result.error,
                    result.raw,
                    result.milliseconds,
                    result.cost_micro_usd + called,
                    no_value,
                    json.dumps(result.passed_over, ensure_ascii=False) if result.passed_over else None,
                    number,
                    position,
                ),
            )
            if taken.rowcount != 1:
                return False
            c.executemany(
                """insert into test_values (test, position, seq, property, outcome, support, data)
                    values (?, ?, ?, ?, ?, ?, ?)""",
                [
                    (number, position, seq, v.property, v.outcome, v.support, v.model_dump_json(exclude_defaults=True))
                    for seq, v in enumerate(result.values)
                ],
            )
            _add_up(c, number, state, no_value, result)
            return True

    # -- reading -----------------------------------------------------------------------------------------------

    def input(self, test: str, at: int | str) -> TestInput | None:
        """An input by position or IRI, with its result."""
        kept = self._read.get((test, at))
        if kept is not None:
            return kept
        column = "position" if isinstance(at, int) else "iri"
        with self._connections.snapshot() as c:
            row = c.execute(f"{_INPUT} and i.{column} = ?", (test, at)).fetchone()
            if row is None:
                return None
            found = _input(row, _values(c, row[-1], row[0], row[0]).get(row[0], []))
        if found.result is not None:
            self._keep(test, found)
        return found

    def called(self, test: str, name: str, limit: int) -> list[str]:
        """IRIs of the first inputs whose record has that name."""
        with self._connections.read() as c:
            rows = c.execute(
                """select iri from test_inputs where test = (select number from tests where id = ?) and label = ?
                    order by position limit ?""",
                (test, name, limit),
            ).fetchall()
        return [iri for (iri,) in rows]

    def _keep(self, test: str, found: TestInput) -> None:
        """An answer asks three times for its input; once it is read it never changes."""
        with self._keeping:
            self._read[test, found.position] = self._read[test, found.iri] = found
            while len(self._read) > 2 * KEPT_INPUTS:
                del self._read[next(iter(self._read))]

    def positions_of_texts(self, test: str) -> dict[tuple[str, str | None], int]:
        """(text hash, IRI) → position of an input that was read; (text hash, None) → of the first with that text."""
        with self._connections.read() as c:
            rows = c.execute(
                """select text_hash, iri, position from test_inputs
                    where test = (select number from tests where id = ?) and state <> 'queued' and text_hash is not null
                    order by position desc""",
                (test,),
            ).fetchall()
        return {key: position for digest, iri, position in rows for key in ((digest, iri), (digest, None))}

    def inputs(self, test: str, *, after: int = -1, limit: int = 100) -> list[TestInput]:
        """Inputs with their results, by position: for exports, which go through a test in pieces."""
        with self._connections.snapshot() as c:
            rows = c.execute(
                f"{_INPUT} and i.position > ? order by i.position limit ?", (test, after, limit)
            ).fetchall()
            if not rows:
                return []
            values = _values(c, rows[0][-1], rows[0][0], rows[-1][0])
            return [_input(row, values.get(row[0], [])) for row in rows]


def _add_up(connection: sqlite3.Connection, number: int, state: InputState, no_value: int, result: InputResult) -> None:
    outcomes = [v.outcome for v in result.values] if state == "read" else []
    connection.execute(
        """update tests set version = version + 1, inputs_done = inputs_done + 1, inputs_read = inputs_read + ?,
            inputs_failed = inputs_failed + ?, passed = passed + ?, review = review + ?, dropped = dropped + ?,
            no_value = no_value + ?, cost_micro_usd = cost_micro_usd + ? where number = ?""",
        (
            state == "read",
            state == "failed",
            outcomes.count("written"),
            outcomes.count("review"),
            sum(o in DROPPED for o in outcomes),
            no_value,
            result.cost_micro_usd,
            number,
        ),
    )


def _values(connection: sqlite3.Connection, number: int, first: int, last: int) -> dict[int, list[ReadValue]]:
    rows = connection.execute(
        "select position, data from test_values where test = ? and position between ? and ? order by position, seq",
        (number, first, last),
    ).fetchall()
    found: dict[int, list[ReadValue]] = {}
    for position, data in rows:
        found.setdefault(position, []).append(ReadValue.model_validate_json(data))
    return found


def _input(row: tuple[Any, ...], values: list[ReadValue]) -> TestInput:
    position, iri, label, text_hash, state, failed, error, raw, milliseconds, cost, passed_over, _ = row
    result = None
    if state != "queued":
        result = InputResult(
            values=tuple(values),
            passed_over=json.loads(passed_over) if passed_over else {},
            failed=failed,
            error=error,
            raw=raw,
            milliseconds=milliseconds,
            cost_micro_usd=cost,
        )
    return TestInput(position=position, iri=iri, label=label, text_hash=text_hash, result=result)
