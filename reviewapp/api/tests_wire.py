"""A test as the wire shows it: its settings, inputs, results and answers in sight of the caller."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from reviewapp import answers as answering
from reviewapp import tests as testing
from reviewapp.api.endpoint import Call
from reviewapp.api.shapes.tests import (
    AnswerShape,
    CountsShape,
    InputShape,
    PropertyShape,
    ResultShape,
    SettingsShape,
    TestShape,
    ValueShape,
    WorkflowRef,
)
from reviewapp.api.shapes.workflows import STARTER
from reviewapp.api.workflows_wire import TEXT_FIELD
from reviewapp.choices import models_of
from reviewapp.domain.answers import Answer, Standing
from reviewapp.domain.choices import EMBEDDED_PROVIDERS
from reviewapp.domain.records import API_TEXT_LIMIT
from reviewapp.domain.tests import InputResult, ReadValue, Test, TestInput
from reviewapp.workspaces import Workspace

INPUTS_AT_ONCE = 500
TEXTS_UP_TO_INPUTS = 100
"""A test with more inputs than this comes without texts; each is at `GET /records/get`."""


def inputs_in_pieces(workspace: Workspace, test_id: str) -> Iterator[list[TestInput]]:
    """The inputs of a test, some at a time."""
    after = -1
    while rows := testing.get_inputs(workspace, test_id, after=after, limit=INPUTS_AT_ONCE):
        yield rows
        after = rows[-1].position


def show_row(call: Call[Any, Any], test: Test) -> TestShape:
    """A test in a list."""
    rows = testing.list_inputs(call.workspace, test.id, limit=test.input_count)
    inputs = [InputShape(iri=row.iri, label=row.label or None) for row in rows]
    return _test(call, test, inputs, [])


def show_test(call: Call[Any, Any], test: Test) -> TestShape:
    """A test whole."""
    with_texts = test.input_count <= TEXTS_UP_TO_INPUTS
    inputs: list[InputShape] = []
    results: list[ResultShape] = []
    for rows in inputs_in_pieces(call.workspace, test.id):
        answers = answering.answers_of_inputs(call.workspace, test.id, rows[0].position, rows[-1].position)
        for row in rows:
            if row.result is None:
                inputs.append(InputShape(iri=row.iri))
                continue
            text = testing.input_text(call.workspace, row)[:API_TEXT_LIMIT] if with_texts else None
            inputs.append(InputShape(iri=row.iri, label=row.label or None, text=text))
            seen = answering.in_sight(test, answers.get(row.position, {}), call.by)
            standing = answering.standing_answers(test, row, seen)
            results.append(_result(row, row.result, standing))
    return _test(call, test, inputs, results)


def _test(call: Call[Any, Any], test: Test, inputs: list[InputShape], results: list[ResultShape]) -> TestShape:
    settings = test.settings
    return TestShape(
        id=test.id,
        created=test.created,
        created_by=test.created_by,
        workflow=WorkflowRef(starter=STARTER, name=test.workflow),
        installed=test.installed,
        status=test.status,
        finished=test.finished,
        error=None if test.error is None else test.error[:500],
        stopped=test.is_stopped,
        settings=SettingsShape(
            **{"class": settings.collection},
            context=settings.context or None,
            fields=[TEXT_FIELD],
            properties=[PropertyShape(name=p.name, value_type=p.value_type, unit=p.unit) for p in settings.properties],
            gate=settings.gate,
        ),
        inputs=inputs,
        results=results,
        counts=show_counts(call, test),
        estimate_micro_usd=test.estimate_micro_usd,
        cost_micro_usd=test.cost_micro_usd,
        fingerprint=test.fingerprint,
        revision=test.revision,
        dataset=test.dataset,
        uses={use: str(name) for use, name in models_of(settings).items()},
        models={
            use: name.model_dump(exclude_none=True)
            for use, name in models_of(settings).items()
            if name.provider not in EMBEDDED_PROVIDERS
        }
        or None,
        version=test.version,
    )


def show_counts(call: Call[Any, Any], test: Test) -> CountsShape:
    counts = testing.counts_seen(call.workspace, test, call.by)
    return CountsShape(
        inputs_done=counts.inputs_done,
        passed=counts.passed,
        review=counts.review,
        no_value=counts.no_value,
        failed=counts.failed,
        answered=counts.answered,
    )


def _result(row: TestInput, result: InputResult, standing: dict[str, Standing]) -> ResultShape:
    answers = {name: _answer(stands.answer) for name, stands in standing.items() if stands.answer is not None}
    return ResultShape(
        iri=row.iri,
        values=[_value(value) for value in result.values],
        answers={name: answer for name, answer in answers.items() if answer is not None} or None,
        passed_over=result.passed_over or None,
        failed=True if result.failed is not None else None,
        error=result.error or result.failed,
        cost_micro_usd=result.cost_micro_usd,
    )


def _value(value: ReadValue) -> ValueShape:
    grounding = value.grounding
    return ValueShape(
        property=value.property,
        value=value.printed,
        quote=value.quote,
        outcome=value.outcome,
        support=value.support,
        stated=value.stated,
        unconfirmed=value.unconfirmed,
        region=value.region,
        detail=value.detail,
        spans=None if grounding is None else list(grounding.place),
        match=None if grounding is None else grounding.method,
    )


def _answer(given: Answer) -> AnswerShape | None:
    """None: the answer was taken back."""
    if given.decision is None:
        return None
    return AnswerShape(decision=given.decision, value=given.value, note=given.note or None, by=given.by, at=given.at)
