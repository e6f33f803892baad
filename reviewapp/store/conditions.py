"""A filter as SQL: conditions on inputs (``i``) and on one value of such an input, for lists, counts and searches."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from reviewapp.domain.tests import DROPPED, InputFilter
from reviewapp.store.rows import to_json

OF_INPUT = "v.test = i.test and v.position = i.position"
BESIDE_THE_VALUE = ("duplicate", "unknown_property")
"""Outcomes of readings that are nobody's to answer: there is another for the property, or it was not asked for."""
BESIDE = str(BESIDE_THE_VALUE)
_ANSWERS = "answers_in_force a where a.test = i.test and a.position = i.position and a.property = {name}"
_LATEST = f"(select max(a.answer) from {_ANSWERS})"

WANTS_ANSWER = f"""(not exists (select 1 from {_ANSWERS} and (a.person = :by or exists (
        select 1 from answers w where w.id = a.answer and w.role = 'adjudicator')))
    and (select count(*) from {_ANSWERS}) < :overlap
    or exists (select 1 from looks l where l.answer = (select a.answer from {_ANSWERS} and a.person = :by)
        and l.answer = {_LATEST} and l.verdict = 'send_back'))"""
"""Nobody's answer settles it, this person has none, and fewer than wanted have one; or theirs was sent back."""


@dataclass(frozen=True)
class Base:
    """What every list needs to know of its test."""

    number: int
    overlap: int
    names: str
    """Of the properties, in order; JSON."""
    properties: int

    @classmethod
    def of(cls, connection: Any, test: str) -> Base | None:
        row = connection.execute(
            """select number, overlap, (select json_group_array(value ->> 'name') from (
                    select value from json_each(tests.settings, '$.properties') order by key)),
                json_array_length(settings, '$.properties') from tests where id = ?""",
            (test,),
        ).fetchone()
        return None if row is None else cls(*row)


@dataclass(frozen=True)
class Conditions:
    """A filter, taken apart."""

    base: Base
    filter: InputFilter

    @property
    def values(self) -> dict[str, Any]:
        """For the names in the SQL."""
        filter, base = self.filter, self.base
        return {
            "number": base.number,
            "overlap": base.overlap,
            "names": base.names,
            "properties": base.properties,
            "property": filter.property,
            "by": filter.by or "",
            "answered_by": filter.answered_by,
            "assigned_to": filter.assigned_to,
            "decision": filter.decision,
            "state": filter.state,
            "support_from": filter.support_from,
            "support_below": filter.support_below,
            "words": filter.search.strip().casefold(),
            "outcome": filter.outcome,
            "dropped": to_json(DROPPED),
        }

    @property
    def asks_for_answers(self) -> bool:
        f = self.filter
        return f.unanswered or f.disputed or (f.answered_by, f.decision, f.look) != (None, None, None)

    @property
    def asks_for_reading(self) -> bool:
        return self.filter.outcome not in (None, "no_value") or self._asks_for_support

    @property
    def _asks_for_support(self) -> bool:
        return (self.filter.support_from, self.filter.support_below) != (None, None)

    def where(self) -> str:
        """For ``test_inputs i``: inputs with a value that passes."""
        parts = ["i.test = :number", *self.of_input()]
        of_value = self.of_value(self._name)
        if of_value:
            found = f"exists (select 1 from {self._source} where {' and '.join(of_value)})"
            whole = self.filter.outcome == "failed" and not self.asks_for_answers and not self._asks_for_support
            parts.append(f"(i.state in ('failed', 'error') or {found})" if whole else found)
        return " and ".join(parts)

    def of_input(self) -> list[str]:
        """Conditions on the input ``i`` alone."""
        filter, parts = self.filter, []
        if filter.state is not None:
            parts.append("i.state = :state")
        if self.asks_for_answers or filter.outcome == "no_value":
            parts.append("i.state = 'read'")
        if filter.unanswered and self.base.overlap == 1 and filter.property is None:
            # Most inputs behind somebody who answers are done; a count over the key tells it soonest.
            parts.append(
                """((select count(distinct a.property) from answers_in_force a
                    where a.test = i.test and a.position = i.position) < :properties
                or exists (select 1 from looks l where l.test = i.test and l.position = i.position))"""
            )
        if filter.assigned_to is not None:
            parts.append(
                """exists (select 1 from assignments s
                    where s.test = i.test and s.position = i.position and s.person = :assigned_to)"""
            )
        if filter.answered_by is not None:
            # An index leads to what one person answered; without this every value of every input is asked.
            parts.append(
                """exists (select 1 from answers_in_force a
                    where a.test = i.test and a.person = :answered_by and a.position = i.position)"""
            )
        if filter.search.strip():
            parts.append(
                """(folded_contains(i.label, :words) or folded_contains(
                    (select t.text from texts t where t.hash = i.text_hash), :words))"""
            )
        return parts

    @property
    def _source(self) -> str:
        if self.asks_for_reading or (self.filter.property is not None and not self._beyond_reading):
            return "test_values v"
        return "(select :property as value) p" if self.filter.property is not None else "json_each(:names) p"

    @property
    def _name(self) -> str:
        return "v.property" if self._source == "test_values v" else "p.value"

    @property
    def _beyond_reading(self) -> bool:
        return self.asks_for_answers or self.filter.outcome == "no_value"

    def of_value(self, name: str) -> list[str]:
        """Conditions on one value of ``i``: the reading ``v``, or the property `name` whatever was read."""
        return self.of_reading(name) + self.of_answers(name)

    def of_reading(self, name: str) -> list[str]:
        filter, parts = self.filter, []
        if filter.outcome == "no_value":
            parts.append(f"not exists (select 1 from test_values v where {OF_INPUT} and v.property = {name})")
        elif name == "v.property":
            parts.append(OF_INPUT)
            if self.asks_for_answers:
                parts.append(f"v.outcome not in {BESIDE}")
        if filter.outcome in ("dropped", "failed"):
            parts.append("v.outcome in (select value from json_each(:dropped))")
        elif filter.outcome not in (None, "no_value"):
            parts.append("v.outcome = :outcome")
        if filter.support_from is not None:
            parts.append("v.support >= :support_from")
        if filter.support_below is not None:
            parts.append("v.support < :support_below")
        if filter.property is not None:
            parts.append(f"{name} = :property")
        return parts

    def of_answers(self, name: str) -> list[str]:
        filter, parts = self.filter, []
        if filter.unanswered:
            parts.append(WANTS_ANSWER.format(name=name))
        answers = _ANSWERS.format(name=name)
        if filter.answered_by is not None:
            parts.append(f"exists (select 1 from {answers} and a.person = :answered_by)")
        if filter.decision is not None:
            parts.append(
                f"""exists (select 1 from {answers} and exists (
                    select 1 from answers w where w.id = a.answer and w.decision = :decision))"""
            )
        if filter.disputed:
            parts.append(
                f"""exists (select 1 from disputed_values d
                    where d.test = i.test and d.position = i.position and d.property = {name})"""
            )
        if filter.look is not None:
            parts.append(self._of_look(name))
        return parts

    def _of_look(self, name: str) -> str:
        latest = _LATEST.format(name=name)
        if self.filter.look == "wanted":
            answers = _ANSWERS.format(name=name)
            return f"""exists (select 1 from answers w where w.id = {latest} and w.person <> :by)
                and (select count(*) from {answers}) >= :overlap
                and not exists (select 1 from looks l where l.answer = {latest})"""
        verdict = "confirm" if self.filter.look == "confirmed" else "send_back"
        return f"exists (select 1 from looks l where l.answer = {latest} and l.verdict = '{verdict}')"
