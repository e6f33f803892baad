"""Evaluations as endpoints for tools: start one, follow it, look at its faults, compare two."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from reviewapp import evaluations
from reviewapp.api.endpoint import Call, Endpoint
from reviewapp.api.shapes.common import Moment, Scope, Shape
from reviewapp.domain.evaluations import Basis, Evaluation


class EvaluationStart(Shape):
    """Exactly one of `workflow`, `test` and `earlier`."""

    dataset: str = Field(min_length=1, max_length=200)
    """Id of the dataset (`ds_…`)."""
    version: int | None = None
    """An earlier version of it."""
    workflow: str | None = Field(default=None, max_length=200)
    """Run this workflow on the dataset's texts."""
    revision: str | None = Field(default=None, max_length=200)
    """A revision of it; else the one in use."""
    test: str | None = Field(default=None, max_length=200)
    """Grade what this test read, without reading again."""
    earlier: str | None = Field(default=None, max_length=200)
    """Score the outputs of this evaluation again."""


class ById(Scope):
    id: str = Field(min_length=1, max_length=200)


class FaultQuery(ById):
    limit: int = Field(default=20, ge=1, le=200)


class ListQuery(Scope):
    dataset: str | None = Field(default=None, max_length=200)
    limit: int = Field(default=20, ge=1, le=100)


class CompareQuery(Scope):
    first: str = Field(min_length=1, max_length=200)
    """The earlier evaluation."""
    second: str = Field(min_length=1, max_length=200)
    basis: Basis = "written"
    """`written`: values that need no person count; `read`: those shown to a person too."""


class EvaluationShape(Shape):
    id: str
    number: int
    status: str
    """queued, running, done, failed, cancelled."""
    label: str
    """What was graded."""
    dataset: str
    cases: int
    cases_done: int
    cases_failed: int
    cost_micro_usd: int
    created_at: Moment
    error: str | None
    report: dict[str, Any] | None
    """Once done: precision, recall and F1 with their 95 % intervals, in all and per property."""


class EvaluationList(Shape):
    data: list[EvaluationShape]


class FaultList(Shape):
    data: list[dict[str, Any]]
    """Cases with a fault: name, the verdict of every property, what was found and expected."""


class Comparison(Shape):
    comparison: dict[str, Any]


def _show(found: Evaluation) -> EvaluationShape:
    return EvaluationShape(
        id=found.id,
        number=found.number,
        status=found.status,
        label=found.grading.label,
        dataset=found.grading.dataset,
        cases=found.case_count,
        cases_done=found.cases_done,
        cases_failed=found.cases_failed,
        cost_micro_usd=found.cost_micro_usd,
        created_at=found.created,
        error=found.error,
        report=None if found.report is None else found.report.model_dump(mode="json"),
    )


def start(call: Call[Scope, EvaluationStart]) -> EvaluationShape:
    body = call.body
    found = evaluations.start_grading(
        call.workspace,
        body.dataset,
        version=body.version,
        workflow=body.workflow,
        revision=body.revision,
        test=body.test,
        earlier=body.earlier,
        by=call.by,
    )
    return _show(found)


def get(call: Call[ById, None]) -> EvaluationShape:
    return _show(evaluations.find_evaluation(call.workspace, call.query.id))


def faults(call: Call[FaultQuery, None]) -> FaultList:
    found = evaluations.find_evaluation(call.workspace, call.query.id)
    rows = evaluations.results(call.workspace, found.id, limit=call.query.limit, faulty=True)
    return FaultList(data=[row.model_dump(mode="json", exclude={"score_fingerprints"}) for row in rows])


def list_(call: Call[ListQuery, None]) -> EvaluationList:
    query = call.query
    rows = evaluations.list_evaluations(call.workspace, dataset=query.dataset, kind="dataset", limit=query.limit)
    return EvaluationList(data=[_show(row) for row in rows])


def compare(call: Call[CompareQuery, None]) -> Comparison:
    query = call.query
    first = evaluations.find_evaluation(call.workspace, query.first)
    second = evaluations.find_evaluation(call.workspace, query.second)
    found = evaluations.compare(call.workspace, first.id, second.id, basis=query.basis)
    return Comparison(comparison=found.model_dump(mode="json"))


PATH = "/evaluations"
"""Not a route: these endpoints have no HTTP address of their own."""
START = Endpoint("POST", PATH, "author", start, EvaluationShape, body=EvaluationStart)
GET = Endpoint("GET", PATH, "viewer", get, EvaluationShape, query=ById)
FAULTS = Endpoint("GET", PATH, "viewer", faults, FaultList, query=FaultQuery)
LIST = Endpoint("GET", PATH, "viewer", list_, EvaluationList, query=ListQuery)
COMPARE = Endpoint("GET", PATH, "viewer", compare, Comparison, query=CompareQuery)
