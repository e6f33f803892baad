"""Tests and answers through the API."""

from __future__ import annotations

from typing import Any

from reviewapp import answers as answering
from reviewapp import tests as testing
from reviewapp.api.cursors import decode_cursor, page
from reviewapp.api.endpoint import Call, Endpoint
from reviewapp.api.shapes.common import ById, ListOf, Scope
from reviewapp.api.shapes.models import Model, ModelChoices
from reviewapp.api.shapes.tests import (
    DEFAULT_SAMPLE,
    AnswerPost,
    HistoryQuery,
    HistoryShape,
    StepShape,
    TestChangesShape,
    TestCreate,
    TestQuery,
    TestShape,
)
from reviewapp.api.shapes.workflows import STARTER, STARTER_SPELLINGS
from reviewapp.api.tests_wire import show_counts, show_row, show_test
from reviewapp.api.workflows_wire import definition_of
from reviewapp.domain.choices import ModelName, Use
from reviewapp.errors import InvalidInput, NotFound
from reviewapp.workflows import refuse_programs


def create(call: Call[Scope, TestCreate]) -> TestShape:
    """Start a test. It runs in the server; poll `tests/get` until `status` is `done`, `failed` or `cancelled`.

    While a test of the workflow is queued or running, another create is 409 `conflict`. Nothing is written anywhere
    else, whatever the test reads.
    """
    body = call.body
    if (body.name is None and body.workflow is None) == (body.install is None):
        raise InvalidInput("Send exactly one of `name` and `install`.", param="name")
    if body.revision is not None and body.install is not None:
        raise InvalidInput("`revision` goes with `name`, not with `install`.", param="revision")
    limit = call.settings.api_test_inputs
    if body.iris is not None and not 1 <= len(body.iris) <= limit:
        message = (
            f"`iris` has {len(body.iris)} entries; expected 1 to {limit}. Larger tests start from the command line."
        )
        raise InvalidInput(message, code="workflow_param_invalid", param="iris")
    sample = DEFAULT_SAMPLE if body.sample is None else body.sample
    if not 1 <= sample <= limit:
        message = f"`sample` is {sample}; expected 1 to {limit}."
        raise InvalidInput(message, code="workflow_param_invalid", param="sample")
    definition = None if body.install is None else definition_of(call.workspace, body.install, param="install")
    if definition is not None:
        refuse_programs(definition, call.settings.programs)
    test = testing.start_test(
        call.workspace,
        workflow=_workflow_name(body),
        definition=definition,
        revision=body.revision,
        iris=body.iris,
        sample=None if body.iris is not None else sample,
        models=_models(body.models),
        by=call.by,
    )
    return show_test(call, test)


def _workflow_name(body: TestCreate) -> str | None:
    if body.workflow is None:
        return body.name
    if body.workflow.starter not in STARTER_SPELLINGS:
        message = f"Starter {body.workflow.starter!r} is not made here; expected {STARTER!r}."
        raise InvalidInput(message, code="workflow_param_invalid", param="workflow")
    if body.name is not None and body.name != body.workflow.name:
        message = f"`name` {body.name!r} and `workflow.name` {body.workflow.name!r} differ; send one of them."
        raise InvalidInput(message, param="workflow")
    return body.workflow.name


def _models(models: ModelChoices | None) -> dict[Use, ModelName]:
    """The models that are named, by use."""
    if models is None:
        return {}
    named: dict[Use, Model | None] = {"extract": models.extract, "decide": models.decide}
    return {use: ModelName(**model.model_dump()) for use, model in named.items() if model is not None}


def present(call: Call[Scope, TestCreate], stored: dict[str, Any]) -> TestShape:
    """The test that an earlier create with the same key started, as it is now."""
    return show_test(call, testing.get_test(call.workspace, stored["id"]))


def get(call: Call[ById, None]) -> TestShape:
    """A test with its inputs, results and answers so far."""
    return show_test(call, testing.get_test(call.workspace, call.query.id))


def get_tag(call: Call[ById, None]) -> str:
    """The version: it grows with every result, status and answer."""
    return f"{call.query.id}.{testing.test_version(call.workspace, call.query.id)}"


def changes(call: Call[ById, None]) -> TestChangesShape:
    """What changed: status, version and counts, without texts and results. With `If-None-Match` it costs one look-up
    and answers 304 when nothing did."""
    test = testing.get_test(call.workspace, call.query.id)
    return TestChangesShape(id=test.id, status=test.status, version=test.version, counts=show_counts(call, test))


def list_(call: Call[TestQuery, None]) -> ListOf[TestShape]:
    """Tests, newest first, without texts and results."""
    query = call.query
    after = decode_cursor("tests", query.cursor)
    rows = testing.list_tests(
        call.workspace, workflow=query.name, after=None if after is None else str(after), limit=query.limit + 1
    )
    return page("tests", rows, query.limit, lambda test: test.id, lambda test: show_row(call, test))


def answer(call: Call[Scope, AnswerPost]) -> TestShape:
    """Answer one property of one input, or take the answer back with `answer: null`.

    `accept` of a property without a value says that the text states none. A later answer replaces an earlier one;
    all stay in the history.
    """
    body = call.body
    _check_addressed(call, body)
    said = body.answer
    answering.save_answer(
        call.workspace,
        body.id,
        body.iri,
        body.property,
        None if said is None else said.decision,
        by=call.by,
        value=None if said is None else said.value,
        note="" if said is None or said.note is None else said.note,
        seen=body.seen,
        quote=None if said is None else said.quote,
    )
    return show_test(call, testing.get_test(call.workspace, body.id))


def _check_addressed(call: Call[Scope, AnswerPost], body: AnswerPost) -> None:
    """The input has a result and the property belongs to the test; with the codes of this protocol."""
    test = testing.get_test(call.workspace, body.id)
    try:
        found = testing.get_input(call.workspace, body.id, body.iri)
    except NotFound:
        message = f"Test {body.id!r} has no input {body.iri!r}."
        raise InvalidInput(message, code="workflow_param_invalid", param="iri") from None
    if found.result is None:
        message = f"Input {body.iri!r} is not read yet; answer it when it has a result."
        raise InvalidInput(message, code="workflow_param_invalid", param="iri")
    if test.settings.property(body.property) is None:
        there = ", ".join(repr(p.name) for p in test.settings.properties)
        message = f"Property {body.property!r} is not read by this test; it reads {there}."
        raise InvalidInput(message, code="workflow_param_invalid", param="property")


def cancel(call: Call[ById, None]) -> TestShape:
    """End a test; what was read stays. A test that has ended is answered as it is."""
    return show_test(call, testing.cancel_test(call.workspace, call.query.id, call.by))


def history(call: Call[HistoryQuery, None]) -> HistoryShape:
    """Every step that was taken on one value, by whom and when."""
    query = call.query
    test = testing.get_test(call.workspace, query.id)
    given = {query.property: answering.history(call.workspace, query.id, query.iri, query.property)}
    steps = answering.in_sight(test, given, call.by)[query.property]
    row = testing.get_input(call.workspace, query.id, query.iri)
    standing = answering.standing_answers(test, row, {query.property: steps})[query.property]
    return HistoryShape(
        test=query.id,
        iri=query.iri,
        property=query.property,
        state=standing.state,
        steps=[
            StepShape(
                version=step.id,
                decision=step.decision,
                value=step.value,
                note=step.note or None,
                by=step.by,
                at=step.at,
                role=step.role,
                undoes=step.undoes,
            )
            for step in steps
        ],
    )


PATH = "/workflows/named/tests"
ENDPOINTS = (
    Endpoint(
        "POST",
        PATH,
        "author",
        create,
        TestShape,
        body=TestCreate,
        tag="Tests",
        summary="Start a test",
        keyed=True,
        present=present,
        refusals=(
            (400, "workflow_param_invalid model_choice_unsupported"),
            (404, "named_workflow_not_found workflow_revision_not_found"),
            (409, "conflict model_choice_unavailable"),
            (429, "workflow_budget_exceeded"),
        ),
    ),
    Endpoint(
        "GET", f"{PATH}/get", "viewer", get, TestShape, query=ById, tag="Tests", summary="A test", unchanged=get_tag
    ),
    Endpoint(
        "GET",
        f"{PATH}/changes",
        "viewer",
        changes,
        TestChangesShape,
        query=ById,
        tag="Tests",
        summary="Whether a test changed",
        unchanged=get_tag,
    ),
    Endpoint("GET", PATH, "viewer", list_, ListOf[TestShape], query=TestQuery, tag="Tests", summary="List tests"),
    Endpoint(
        "POST",
        f"{PATH}/answer",
        "reviewer",
        answer,
        TestShape,
        body=AnswerPost,
        tag="Tests",
        summary="Answer a value",
        keyed=True,
        present=lambda call, stored: show_test(call, testing.get_test(call.workspace, stored["id"])),
        refusals=((400, "workflow_param_invalid"), (404, "not_found"), (409, "stale_answer")),
    ),
    Endpoint(
        "POST",
        f"{PATH}/cancel",
        "author",
        cancel,
        TestShape,
        query=ById,
        tag="Tests",
        summary="Cancel a test",
        refusals=((404, "not_found"),),
    ),
    Endpoint(
        "GET",
        f"{PATH}/history",
        "viewer",
        history,
        HistoryShape,
        query=HistoryQuery,
        tag="Tests",
        summary="The history of a value",
        refusals=((400, "workflow_param_invalid"),),
    ),
)
