"""Answered before: what people said of the same text in earlier tests, offered for the new one and taken over by key.

An earlier answer speaks of the text, not of what was read then. So it is put into the new test's terms:

=====================================  =================================  ======================
said earlier                           read now                           offered
=====================================  =================================  ======================
v is right (accept, correct)           v                                  accept
v is right                             another value, or none             correct v
the text states none                   none                               accept
the text states none                   a value                            reject
w is wrong (reject)                    w                                  reject
w is wrong                             another value, or none             nothing
can't tell                             anything                           can't tell
=====================================  =================================  ======================
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from reviewapp.answers import answers_of_input, save_answer, standing_answers
from reviewapp.domain.answers import Answer, Decision, same_value
from reviewapp.domain.places import Span
from reviewapp.domain.properties import Property, Value
from reviewapp.domain.saving import read_for
from reviewapp.domain.tests import ReadValue, Test
from reviewapp.errors import InvalidInput
from reviewapp.store.earlier import Origin as Origin  # part of what `origins` gives
from reviewapp.store.workspace import Workspace
from reviewapp.tests import get_input, get_test


@dataclass(frozen=True)
class EarlierAnswer:
    """An earlier standing answer, as it would be given now."""

    property: str
    decision: Decision
    value: Value | None
    """With `correct` only."""
    quote: str | None
    spans: tuple[Span, ...]
    note: str
    by: str
    """Who gave it."""
    at: datetime
    test: str
    number: int
    """Of the earlier test, for people."""
    answer: int
    """The id of the earlier answer."""


def earlier_answers(
    workspace: Workspace, test_id: str, position: int, *, by: str | None = None, among: Collection[str] | None = None
) -> dict[str, EarlierAnswer]:
    """By property, what the newest earlier test with a standing answer on this text says of it.

    Properties must have had the same name, type and unit. In a test that wants several independent reviewers only the
    person's own (`by`) is offered; of other tests than those `among` which are open to the person (None: all) nothing.
    Nothing for inputs that were not read. Raises NotFound.
    """
    test = get_test(workspace, test_id)
    input = get_input(workspace, test_id, position)
    if input.text_hash is None or input.result is None or input.result.failed or input.result.error:
        return {}
    found: dict[str, EarlierAnswer] = {}
    known: set[str] = set()
    for earlier_id, earlier_position in workspace.earlier.inputs(input.text_hash, test=test_id):
        if among is not None and earlier_id not in among:
            continue
        earlier = get_test(workspace, earlier_id)
        for name, answer in _standing(workspace, earlier, earlier_position).items():
            prop = test.settings.property(name)
            if name in known or prop is None or not _same_property(prop, earlier.settings.property(name)):
                continue
            if test.overlap > 1 and answer.by != by:
                continue
            known.add(name)
            then = read_for(name, _read(workspace, earlier_id, earlier_position))
            offered = _in_terms_of(read_for(name, input.result.values), then, answer)
            if offered is not None:
                found[name] = _earlier(answer, earlier, *offered)
    return found


def take_over(
    workspace: Workspace,
    test_id: str,
    position: int,
    property: str,
    *,
    by: str,
    seen: int | None = None,
    among: Collection[str] | None = None,
) -> Answer:
    """Answer as was answered before; the answer is marked as taken over.

    Raises as `save_answer`, and InvalidInput where nothing is offered.
    """
    with workspace.atomic():
        offered = earlier_answers(workspace, test_id, position, by=by, among=among).get(property)
        if offered is None:
            raise InvalidInput(f"No earlier answer on {property!r} of this text can be taken over.", param="property")
        given = save_answer(
            workspace,
            test_id,
            position,
            property,
            offered.decision,
            by=by,
            value=offered.value,
            note=offered.note,
            seen=seen,
            quote=offered.quote if offered.decision == "correct" else None,
            spans=offered.spans if offered.decision == "correct" else (),
        )
        workspace.earlier.mark(given.id, offered.answer)
    return given


def origins(workspace: Workspace, test_id: str, position: int) -> dict[int, Origin]:
    """Answer id → where it was taken from, for the answers on an input that were taken over."""
    return workspace.earlier.origins(test_id, position)


def _standing(workspace: Workspace, test: Test, position: int) -> dict[str, Answer]:
    input = get_input(workspace, test.id, position)
    given = answers_of_input(workspace, test.id, position)
    standing = standing_answers(test, input, given)
    return {name: s.answer for name, s in standing.items() if s.answer is not None}


def _read(workspace: Workspace, test_id: str, position: int) -> tuple[ReadValue, ...]:
    result = get_input(workspace, test_id, position).result
    return () if result is None else result.values


def _same_property(now: Property, then: Property | None) -> bool:
    return then is not None and (then.value_type, then.unit) == (now.value_type, now.unit)


Offer = tuple[Decision, Value | None, str | None, tuple[Span, ...]]


def _in_terms_of(now: ReadValue | None, then: ReadValue | None, answer: Answer) -> Offer | None:
    """(decision, value, quote, spans) that say the same of what was read now; None: nothing can be said."""
    if answer.decision == "cant_tell":
        return "cant_tell", None, None, ()
    if answer.decision == "reject":
        wrong = now is not None and then is not None and _equal(now.value, then.value)
        return ("reject", None, None, ()) if wrong else None
    if answer.decision == "accept" and then is None:
        return ("accept" if now is None else "reject"), None, None, ()
    right = answer.value if answer.decision == "correct" else then.value if then is not None else None
    if right is None:
        return None
    if now is not None and _equal(now.value, right):
        return "accept", None, None, ()
    if answer.decision == "correct":
        return "correct", right, answer.quote, answer.spans
    place = then.spans if then is not None else ()
    return "correct", right, then.quote if then is not None and place else None, place


def _equal(a: Value | None, b: Value | None) -> bool:
    return a is not None and b is not None and same_value(a, b)


def _earlier(
    answer: Answer, test: Test, decision: Decision, value: Value | None, quote: str | None, spans: tuple[Span, ...]
) -> EarlierAnswer:
    return EarlierAnswer(
        property=answer.property,
        decision=decision,
        value=value,
        quote=quote,
        spans=spans,
        note=answer.note,
        by=answer.by,
        at=answer.at,
        test=test.id,
        number=test.number,
        answer=answer.id,
    )
