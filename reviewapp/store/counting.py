"""How many values of a filter every chip of the test page stands for, all at once.

What was read is counted over an index that holds all it asks of a reading; who answered over the key of the answers in
force. What is neither is the difference to inputs × properties; so no value is looked up one by one, as a count of the
same filter for each chip would. A million values take some tenths of a second.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from reviewapp.domain.tests import DROPPED, InputFilter, ValueCounts
from reviewapp.store.conditions import BESIDE, BESIDE_THE_VALUE, Base, Conditions
from reviewapp.store.connections import Connections

_DECIDED = """max(exists (
    select 1 from answers w where w.id = a.answer and w.role = 'adjudicator'))"""
_IS_MINE_SENT_BACK = "(g.mine = g.latest and coalesce(l.verdict, '') = 'send_back')"
_SETTLED = "(g.people >= :overlap or g.mine or g.decided)"
_OF_ANSWERS = f"""count(*),
    coalesce(sum({_SETTLED} and not {_IS_MINE_SENT_BACK}), 0),
    coalesce(sum(d.position is not null), 0),
    coalesce(sum(l.verdict is 'send_back'), 0),
    coalesce(sum(g.people >= :overlap and g.mine <> g.latest and l.answer is null), 0)
    from answered g left join looks l on l.answer = g.latest
    left join disputed_values d on d.test = :number and d.position = g.position and d.property = g.property"""
"""Of values that somebody answered: how many there are, want no answer, are disputed, sent back, want a second look."""


@dataclass
class _Answered:
    all: int = 0
    done: int = 0
    disputed: int = 0
    sent_back: int = 0
    look: int = 0

    def add(self, *more: int) -> None:
        self.all, self.done, self.disputed, self.sent_back, self.look = (
            mine + other for mine, other in zip(self._counts, more, strict=True)
        )

    @property
    def _counts(self) -> tuple[int, ...]:
        return self.all, self.done, self.disputed, self.sent_back, self.look


class CountingStore:
    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    def within(self, test: str, filter: InputFilter) -> ValueCounts:
        """The values of a filter that says nothing of outcome, answers wanted, disputes or looks; by these."""
        with self._connections.snapshot() as c:
            base = Base.of(c, test)
            return ValueCounts() if base is None else _Counter(c, base, filter).counts()


class _Counter:
    """One count. In its SQL ``answered`` holds values that somebody answered."""

    def __init__(self, connection: Any, base: Base, filter: InputFilter) -> None:
        self._connection = connection
        self._base = base
        self._filter = filter
        self._conditions = Conditions(base, filter)
        self._values = self._conditions.values

    def counts(self) -> ValueCounts:
        chosen, inputs_failed = self._choose()
        self._values["chosen"] = json.dumps(chosen)
        outcomes, answered = self._of_answered() if self._filter.answered_by else (self._read(), self._answered())
        read = sum(count for outcome, count in outcomes.items() if outcome not in BESIDE_THE_VALUE)
        if self._conditions.asks_for_reading:
            every = read
        else:
            every = answered.all if self._filter.answered_by else len(chosen) * self._properties
        return ValueCounts(
            all=every,
            passed=outcomes.get("written", 0),
            review=outcomes.get("review", 0),
            no_value=every - read,
            failed=sum(outcomes.get(outcome, 0) for outcome in DROPPED) + inputs_failed,
            unanswered=every - answered.done,
            disputed=answered.disputed,
            sent_back=answered.sent_back,
            look=answered.look,
        )

    def _choose(self) -> tuple[list[int], int]:
        """Positions of the inputs that were read, and how many failed: an input whose reader failed counts as one
        failed value, as in the summary of the test, unless the filter asks something of values."""
        asked = " and ".join(["i.test = :number", "i.state <> 'queued'", *self._conditions.of_input()])
        states = self._rows(f"select i.position, i.state from test_inputs i where {asked}")
        read = [position for position, state in states if state == "read"]
        is_of_values = self._conditions.asks_for_reading or self._conditions.asks_for_answers
        return read, 0 if is_of_values else sum(state == "failed" for _, state in states)

    @property
    def _properties(self) -> int:
        names: list[str] = json.loads(self._base.names)
        return sum(self._filter.property in (None, name) for name in names)

    def _narrow(self, table: str) -> list[str]:
        """Conditions that leave values of the inputs and the property at hand."""
        of_property = [f"{table}.property = :property"] if self._filter.property is not None else []
        if self._conditions.of_input() or of_property:
            return [f"{table}.position in (select value from json_each(:chosen))", *of_property]
        return []

    @property
    def _of_reading(self) -> list[str]:
        """Conditions on a reading ``v``."""
        return [
            "v.test = :number",
            *(["v.support >= :support_from"] if self._filter.support_from is not None else []),
            *(["v.support < :support_below"] if self._filter.support_below is not None else []),
        ]

    def _read(self) -> dict[str, int]:
        """Readings by outcome, those beside the value of their property among them."""
        asked = " and ".join([*self._of_reading, *self._narrow("v")])
        # SQLite would take the index that has outcomes in order, and look up in the table what it does not hold.
        is_by_value = self._filter.property is not None or self._conditions.asks_for_reading
        index = "indexed by values_by_property" if is_by_value else ""
        return dict(self._rows(f"select v.outcome, count(*) from test_values v {index} where {asked} group by 1"))

    @property
    def _groups(self) -> str:
        """``answered``, with the answer that came last, this person's own (0: none), and how many people have one."""
        asked = " and ".join(["a.test = :number", *self._narrow("a")])
        by = "having max(a.person = :answered_by)" if self._filter.answered_by else ""
        decided = _DECIDED if self._base.overlap > 1 else "0"
        return f"""answered as (
            select a.position, a.property, max(a.answer) as latest, max(a.answer * (a.person = :by)) as mine,
                count(*) as people, {decided} as decided
            from answers_in_force a where {asked} group by a.position, a.property {by})"""

    @property
    def _joined(self) -> str:
        """The reading that an answer is on."""
        asked = ["v.property = g.property", "v.position = g.position", f"v.outcome not in {BESIDE}"]
        return f"test_values v on {' and '.join([*asked, *self._of_reading])}"

    def _answered(self) -> _Answered:
        reading = f"join {self._joined}" if self._conditions.asks_for_reading else ""
        ((*counts,),) = self._rows(f"with {self._groups} select {_OF_ANSWERS} {reading}")
        return _Answered(*counts)

    def _of_answered(self) -> tuple[dict[str, int], _Answered]:
        """Readings by outcome and answers, both of the values that a person answered."""
        join = "join" if self._conditions.asks_for_reading else "left join"
        outcomes, answered = {}, _Answered()
        for outcome, *counts in self._rows(
            f"with {self._groups} select v.outcome, {_OF_ANSWERS} {join} {self._joined} group by v.outcome"
        ):
            answered.add(*counts)
            if outcome is not None:
                outcomes[outcome] = counts[0]
        return outcomes, answered

    def _rows(self, sql: str) -> list[tuple[Any, ...]]:
        found: list[tuple[Any, ...]] = self._connection.execute(sql, self._values).fetchall()
        return found
