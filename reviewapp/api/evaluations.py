"""Evaluations of datasets through the API: routes of our own, in the style of the others."""

from __future__ import annotations

from collections import Counter
from typing import Any

from reviewapp import evaluations
from reviewapp.api.cursors import decode_cursor, page
from reviewapp.api.endpoint import Call, Endpoint
from reviewapp.api.shapes.common import ById, ListOf, Scope
from reviewapp.api.shapes.evaluations import (
    ChangeShape,
    ChangesQuery,
    CompareQuery,
    ComparisonShape,
    EvaluationCreate,
    EvaluationDeleted,
    EvaluationQuery,
    EvaluationShape,
    ResultShape,
    ResultsQuery,
)
from reviewapp.domain.evaluations import CaseResult, Evaluation, Verdict
from reviewapp.errors import InvalidInput
from reviewapp.evals.grading import verdicts_of, why_ungraded
from reviewapp.evaluations.comparing import ItemChanges


def create(call: Call[Scope, EvaluationCreate]) -> EvaluationShape:
    """Start an evaluation; poll `get` until its `status` is final. `outputs` are graded at once."""
    body = call.body
    if body.outputs is None:
        started = evaluations.start_grading(
            call.workspace,
            body.dataset,
            version=body.version,
            workflow=body.workflow,
            revision=body.revision,
            models=None if body.model is None else {"extract": body.model},
            fresh=body.fresh,
            test=body.test,
            earlier=body.earlier,
            by=call.by,
        )
        return shape(started)
    if body.workflow or body.test or body.earlier:
        raise InvalidInput("`outputs` go alone: without workflow, test or earlier.", param="outputs")
    names = Counter(item.name for item in body.outputs)
    if twin := next((name for name, count in names.items() if count > 1), None):
        raise InvalidInput(f"Two outputs are of item {twin!r}; send one.", param="outputs")
    given = {
        item.name: [v.model_dump(exclude_none=True) for v in item.values if v.value is not None]
        for item in body.outputs
    }
    graded = evaluations.grade_outputs(
        call.workspace, body.dataset, given, name=body.name, version=body.version, by=call.by
    )
    return shape(graded)


def list_(call: Call[EvaluationQuery, None]) -> ListOf[EvaluationShape]:
    """Evaluations of datasets, newest first."""
    query = call.query
    after = decode_cursor("evaluations", query.cursor)
    rows = evaluations.list_evaluations(
        call.workspace,
        dataset=query.dataset,
        kind="dataset",
        after=None if after is None else str(after),
        limit=query.limit + 1,
    )
    return page("evaluations", rows, query.limit, lambda row: row.id, shape)


def get(call: Call[ById, None]) -> EvaluationShape:
    """An evaluation, with its report once it is done."""
    return shape(_of_dataset(call, call.query.id))


def results(call: Call[ResultsQuery, None]) -> ListOf[ResultShape]:
    """Items with their verdicts, in the dataset's order."""
    query = call.query
    found = _of_dataset(call, query.id)
    after = decode_cursor("results", query.cursor)
    rows = evaluations.results(
        call.workspace,
        query.id,
        after=-1 if after is None else int(after),
        limit=query.limit + 1,
        faulty=query.faulty,
    )
    return page("results", rows, query.limit, lambda row: row.position, lambda row: _result(found, row))


def cancel(call: Call[ById, None]) -> EvaluationShape:
    """End an evaluation; what was graded is kept. One that has ended stays as it is."""
    _of_dataset(call, call.query.id)
    return shape(evaluations.cancel_evaluation(call.workspace, call.query.id, by=call.by))


def delete(call: Call[ById, None]) -> EvaluationDeleted:
    """Delete an evaluation with its results; the dataset stays."""
    _of_dataset(call, call.query.id)
    evaluations.delete_evaluation(call.workspace, call.query.id, by=call.by)
    return EvaluationDeleted(id=call.query.id)


def compare(call: Call[CompareQuery, None]) -> ComparisonShape:
    """Two evaluations item by item: fixed, broken, and whether it can be chance, per property and in all."""
    query = call.query
    found = evaluations.compare(call.workspace, query.before, query.after, query.basis)
    return ComparisonShape(before=query.before, after=query.after, comparison=found)


def changes(call: Call[ChangesQuery, None]) -> ListOf[ChangeShape]:
    """The items with values that were fixed or broke, with both sides."""
    query = call.query
    behind = decode_cursor("changes", query.cursor)
    rows = evaluations.list_changes(
        call.workspace,
        query.before,
        query.after,
        query.basis,
        behind=-1 if behind is None else int(behind),
        limit=query.limit + 1,
    )

    def one(row: ItemChanges) -> ChangeShape:
        return ChangeShape(position=row.position, item=row.name, changes=list(row.changes))

    return page("changes", rows, query.limit, lambda row: row.position, one)


# -- showing -------------------------------------------------------------------------------------------------------


def shape(evaluation: Evaluation) -> EvaluationShape:
    grading = evaluation.grading
    return EvaluationShape(
        id=evaluation.id,
        number=evaluation.number,
        created=evaluation.created,
        created_by=evaluation.created_by,
        finished=evaluation.finished,
        status=evaluation.status,
        error=evaluation.error,
        dataset=grading.dataset,
        dataset_version=grading.dataset_version,
        label=grading.label,
        subject=grading.subject,
        item_count=evaluation.case_count,
        items_done=evaluation.cases_done,
        items_failed=evaluation.cases_failed,
        items_reused=evaluation.cases_reused,
        milliseconds=evaluation.milliseconds,
        cost_micro_usd=evaluation.cost_micro_usd,
        report=evaluation.report,
    )


def _result(evaluation: Evaluation, result: CaseResult) -> ResultShape:
    return ResultShape(
        position=result.position,
        item=result.name,
        failed=why_ungraded(result),
        learnt_from=evaluation.grading.was_learnt(result.inputs_fingerprint),
        verdicts=[Verdict.model_validate(row) for row in verdicts_of(result) or ()],
    )


def _of_dataset(call: Call[Any, Any], id: str) -> Evaluation:
    return evaluations.get_grading(call.workspace, id)


def _present(call: Call[Any, Any], stored: dict[str, Any]) -> EvaluationShape:
    return shape(_of_dataset(call, stored["id"]))


PATH = "/evals/runs"
TAG = "Evaluations"
_GONE = ((404, "not_found"),)
_NOT_ENDED = ((404, "not_found"), (409, "conflict"))

ENDPOINTS = (
    Endpoint(
        "POST",
        PATH,
        "author",
        create,
        EvaluationShape,
        body=EvaluationCreate,
        tag=TAG,
        summary="Grade a dataset",
        keyed=True,
        present=_present,
        refusals=_NOT_ENDED,
    ),
    Endpoint(
        "GET",
        PATH,
        "viewer",
        list_,
        ListOf[EvaluationShape],
        query=EvaluationQuery,
        tag=TAG,
        summary="List evaluations",
    ),
    Endpoint(
        "GET",
        f"{PATH}/get",
        "viewer",
        get,
        EvaluationShape,
        query=ById,
        tag=TAG,
        summary="An evaluation",
        refusals=_GONE,
    ),
    Endpoint(
        "GET",
        f"{PATH}/results",
        "viewer",
        results,
        ListOf[ResultShape],
        query=ResultsQuery,
        tag=TAG,
        summary="Its items with their verdicts",
        refusals=_GONE,
    ),
    Endpoint(
        "POST",
        f"{PATH}/cancel",
        "author",
        cancel,
        EvaluationShape,
        query=ById,
        tag=TAG,
        summary="Cancel an evaluation",
        refusals=_GONE,
    ),
    Endpoint(
        "DELETE",
        PATH,
        "author",
        delete,
        EvaluationDeleted,
        query=ById,
        tag=TAG,
        summary="Delete an evaluation",
        refusals=_GONE,
    ),
    Endpoint(
        "GET",
        f"{PATH}/compare",
        "viewer",
        compare,
        ComparisonShape,
        query=CompareQuery,
        tag=TAG,
        summary="Compare two evaluations",
        refusals=_NOT_ENDED,
    ),
    Endpoint(
        "GET",
        f"{PATH}/changes",
        "viewer",
        changes,
        ListOf[ChangeShape],
        query=ChangesQuery,
        tag=TAG,
        summary="What was fixed and what broke",
        refusals=_NOT_ENDED,
    ),
)
