"""Answers that other tests have on the same text, and which answers were taken over from them."""

from __future__ import annotations

from dataclasses import dataclass

from reviewapp.store.connections import Connections

MOST_TESTS = 20
"""Latest tests with answers on a text that are looked at."""


@dataclass(frozen=True)
class Origin:
    """Where an answer was taken over from."""

    answer: int
    """The id of the answer in the earlier test."""
    test: str
    number: int
    by: str
    """Whose answer it was."""


class EarlierStore:
    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    def inputs(self, text_hash: str, *, test: str) -> list[tuple[str, int]]:
        """(test, position) of answered inputs with this text in tests older than `test`, newest first."""
        with self._connections.read() as c:
            return c.execute(
                """select t.id, i.position from test_inputs i join tests t on t.number = i.test
                    where i.text_hash = ?1 and i.test < (select number from tests where id = ?2)
                    and exists (select 1 from answers_in_force a where a.test = i.test and a.position = i.position)
                    order by i.test desc limit ?3""",
                (text_hash, test, MOST_TESTS),
            ).fetchall()

    def mark(self, answer: int, source: int) -> None:
        """Note that an answer was taken over from an earlier one; again is fine."""
        with self._connections.write() as c:
            c.execute("insert or ignore into taken_over (answer, source) values (?, ?)", (answer, source))

    def origins(self, test: str, position: int) -> dict[int, Origin]:
        """Answer id → where it was taken from, for the answers on an input that were."""
        with self._connections.read() as c:
            rows = c.execute(
                """select a.id, s.id, t.id, t.number, s.person from answers a
                    join taken_over o on o.answer = a.id join answers s on s.id = o.source
                    join tests t on t.number = s.test
                    where a.test = (select number from tests where id = ?) and a.position = ?""",
                (test, position),
            ).fetchall()
        return {row[0]: Origin(row[1], row[2], row[3], row[4]) for row in rows}
