"""A test's values and answers as rows of a table: one per property of each input that was read."""

from __future__ import annotations

from collections.abc import Iterator

from reviewapp.answers import answers_of_inputs
from reviewapp.domain.answers import Answer, in_force, visible
from reviewapp.domain.properties import Property, Value
from reviewapp.domain.tests import ReadValue, Test, TestInput
from reviewapp.formats.answers_table import AnswerRow
from reviewapp.store.workspace import Workspace
from reviewapp.tests import get_inputs, get_test

PIECE_INPUTS = 200
PIECE_VALUES = 2_000
"""At most so much is read at a time: the first rows come at once, and memory does not grow with the test."""


def answer_rows(workspace: Workspace, test_id: str, *, by: str | None = None) -> Iterator[AnswerRow]:
    """Rows in the order of inputs and properties. A value that several people answered has a row for each of them.

    With `by` only the answers that this person may see (blind review); None: everybody's.

    Raises NotFound, before the first row.
    """
    test = get_test(workspace, test_id)
    return _rows(workspace, test, by)


def _rows(workspace: Workspace, test: Test, by: str | None) -> Iterator[AnswerRow]:
    after = -1
    piece = max(1, min(PIECE_INPUTS, PIECE_VALUES // max(1, len(test.settings.properties))))
    while inputs := get_inputs(workspace, test.id, after=after, limit=piece):
        first, after = inputs[0].position, inputs[-1].position
        given = answers_of_inputs(workspace, test.id, first, after)
        for input in inputs:
            if input.result is None or input.result.failed or input.result.error:
                continue
            first_read = {value.property: value for value in reversed(input.result.values)}
            given_here = given.get(input.position, {})
            for prop in test.settings.properties:
                read = first_read.get(prop.name)
                steps = given_here.get(prop.name, [])
                if by is not None:
                    steps = visible(steps, by, test.overlap)
                answers = sorted(in_force(steps).values(), key=lambda answer: answer.id)
                if not answers:
                    yield _row(input, prop, read, None)
                for answer in answers:
                    yield _row(input, prop, read, answer)


def _row(input: TestInput, prop: Property, read: ReadValue | None, answer: Answer | None) -> AnswerRow:
    place = read.grounding.place if read is not None and read.grounding is not None else ()
    marked = answer.spans if answer is not None else ()
    spans = marked or place
    return AnswerRow(
        input=input.label or input.iri,
        iri=input.iri,
        property=prop.name,
        type=prop.value_type,
        unit=prop.unit,
        read=None if read is None else read.value if read.value is not None else read.printed,
        stated=read.stated if read is not None else None,
        quote=answer.quote if answer is not None and marked else read.quote if read is not None else None,
        start=spans[0].start if spans else None,
        end=spans[-1].end if spans else None,
        support=read.support if read is not None else None,
        outcome=read.outcome if read is not None else None,
        detail=(read.detail or read.unconfirmed) if read is not None else None,
        decision=answer.decision if answer is not None else None,
        answer=answer.value if answer is not None else None,
        expected=_expected(read, answer),
        note=(answer.note or None) if answer is not None else None,
        reviewer=answer.by if answer is not None else None,
        at=answer.at if answer is not None else None,
    )


def _expected(read: ReadValue | None, answer: Answer | None) -> Value | None:
    """The value that is right after the answer; None where none is."""
    if answer is None:
        return None
    if answer.decision == "correct":
        return answer.value
    return read.value if answer.decision == "accept" and read is not None else None
