"""Answers: what people decided, and which answer stands."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Literal

from pydantic import Field

from reviewapp.domain.base import Model
from reviewapp.domain.places import Span
from reviewapp.domain.properties import Value, ValueType
from reviewapp.domain.values import values_equal

Decision = Literal["accept", "correct", "reject", "cant_tell"]
DECISIONS: tuple[Decision, ...] = ("accept", "correct", "reject", "cant_tell")
NOTE_LIMIT = 1_000
AnswerRole = Literal["reviewer", "adjudicator"]


class Answer(Model):
    """One step of one person on one property of one input. Never changed, never deleted."""

    id: int
    """Grows with time within the workspace."""
    test: str
    position: int
    """Of the input in the test."""
    property: str
    by: str
    at: datetime
    decision: Decision | None
    """None takes the person's answer back."""
    value: Value | None = None
    """The right value, in the property's type and unit; with `correct` only."""
    quote: str | None = None
    """Words marked in the text that state the corrected value."""
    spans: tuple[Span, ...] = ()
    note: str = Field(default="", max_length=NOTE_LIMIT)
    seen: int = 0
    """The version of the value that the person saw (the id of the latest answer on it then; 0: none)."""
    text_hash: str | None = None
    """Of the text it answers, so that an answer older than a changed record says so."""
    role: AnswerRole = "reviewer"
    undoes: int | None = None
    """The id of the answer that this step takes back (undo); None for an ordinary step."""
    batch: str | None = None
    """The same for all that one step answered at once; they are undone together."""


class Standing(Model):
    """What counts for one property of one input; computed, never stored."""

    state: Literal["open", "partial", "answered", "disputed"]
    """`partial`: fewer reviewers than wanted have answered; `disputed`: they do not agree."""
    answer: Answer | None = None
    """The answer that stands; only with `answered`."""


def in_force(history: Iterable[Answer]) -> dict[str, Answer]:
    """Every reviewer's answer that counts, by name, out of all steps on one property of one input, oldest first.

    An undone step does not count (nor does an undo that was itself undone, which is a redo); what counts then is the
    step before it, as it was given. Reviewers whose last step takes their answer back are not in it.
    """
    steps = list(history)
    undone: set[int] = set()
    counting: dict[str, Answer] = {}
    for step in reversed(steps):
        if step.id in undone:
            continue
        if step.undoes is not None:
            undone.add(step.undoes)
        elif step.by not in counting:
            counting[step.by] = step
    return {by: step for by, step in counting.items() if step.decision is not None}


def settled(history: Iterable[Answer], overlap: int = 1) -> bool:
    """Whether a value wants no further answer of a reviewer: as many as wanted gave theirs, or an adjudicator decided.

    Their answers may differ: then it is disputed, and an adjudicator's.
    """
    answers = in_force(history).values()
    return len(answers) >= overlap or any(answer.role == "adjudicator" for answer in answers)


def wants_answer(history: Iterable[Answer], by: str, overlap: int = 1) -> bool:
    """Whether a value still wants an answer of this person."""
    steps = list(history)
    return by not in in_force(steps) and not settled(steps, overlap)


def visible(history: Iterable[Answer], by: str, overlap: int = 1) -> list[Answer]:
    """The steps on one value that a person may see.

    With an overlap above 1 review is blind: nobody sees another's steps before they have an answer of their own, or
    the value is settled, so that nobody is asked any more.
    """
    steps = list(history)
    if overlap == 1 or by in in_force(steps) or settled(steps, overlap):
        return steps
    return [step for step in steps if step.by == by]


def standing(history: Iterable[Answer], overlap: int = 1, *, read: Value | None = None) -> Standing:
    """What counts for one property of one input, out of all steps on it, oldest first.

    1. An adjudicator's answer stands, the latest if there are several.
    2. With an overlap of 1 the latest reviewer's answer stands.
    3. With an overlap of k the answer stands that k reviewers agree on, whoever else differs; while fewer than k have
       answered it is `partial`, after that `disputed`.

    `read` is the value the test read: to accept 12 and to correct it to 12.0 is the same answer.
    """
    answers = sorted(in_force(history).values(), key=lambda a: a.id)
    decided = [a for a in answers if a.role == "adjudicator"]
    if decided or (answers and overlap == 1):
        return Standing(state="answered", answer=(decided or answers)[-1])
    if not answers:
        return Standing(state="open")
    groups: list[list[Answer]] = []
    for answer in answers:
        for group in groups:
            if agree(group[0], answer, read=read):
                group.append(answer)
                break
        else:
            groups.append([answer])
    largest = max(groups, key=len)
    if len(largest) >= overlap:
        return Standing(state="answered", answer=largest[-1])
    return Standing(state="partial" if len(answers) < overlap else "disputed")


def agree(a: Answer, b: Answer, *, read: Value | None = None) -> bool:
    """Whether two answers say the same: equal decisions, equal values (12 and 12.0)."""
    said_a, said_b = _says(a, read), _says(b, read)
    if said_a is None or said_b is None:
        return a.decision == b.decision
    return same_value(said_a, said_b)


def _says(answer: Answer, read: Value | None) -> Value | None:
    """The value an answer declares right; None where it declares none."""
    return answer.value if answer.decision == "correct" else read if answer.decision == "accept" else None


def same_value(a: Value, b: Value) -> bool:
    """Whether two values of one property are the same: numbers as numbers, texts without regard to case and spaces."""
    return values_equal(a, b, _type_of(a, b))


def _type_of(a: Value, b: Value) -> ValueType:
    kinds = {type(a), type(b)}
    if kinds == {bool}:
        return "bool"
    if kinds == {int}:
        return "i64"
    return "f64" if kinds <= {int, float} else "text"
