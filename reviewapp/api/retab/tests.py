"""Block tests, their runs and results: what the client calls. Evals are the same under their later name."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from functools import partial
from typing import Any

from pydantic import BaseModel

from reviewapp import block_tests
from reviewapp.api.dialect import RETAB
from reviewapp.api.endpoint import Call, Endpoint
from reviewapp.api.retab import bodies, shapes, showing
from reviewapp.api.retab.paging import page
from reviewapp.api.retab.shapes import PageOf
from reviewapp.block_tests import RunFilter
from reviewapp.domain.block_tests import BlockTest, RunStepSource, SingleScope, TestResult
from reviewapp.domain.people import Role
from reviewapp.workflows import get_workflow
from reviewapp.workspaces import Workspace


def _show(workspace: Workspace, tests: Sequence[BlockTest]) -> list[shapes.TestShape]:
    states = block_tests.states_of(workspace, tests)
    return [
        showing.show_test(test, state, block_tests.latest_results(workspace, test.id))
        for test, state in zip(tests, states, strict=True)
    ]


def create(call: Call[Any, bodies.TestCreate]) -> shapes.TestShape:
    """Freeze the inputs of one block with one assertion about its output.

    `source` gives the inputs (`manual`), or names a step of a run (`run_step`), whose inputs are then copied.
    """
    body = call.body
    test = block_tests.make_test(
        call.workspace,
        body.workflow_id,
        body.target.block_id,
        body.assertion,
        name=body.name,
        by=call.by,
        **_inputs(body.source),
    )
    return _show(call.workspace, [test])[0]


def _inputs(source: bodies.ManualSourceBody | RunStepSource) -> dict[str, Any]:
    if isinstance(source, RunStepSource):
        return {"step": source}
    return {"inputs": source.handle_inputs or {}}


def list_(call: Call[bodies.TestQuery, None]) -> PageOf[shapes.TestShape]:
    """Tests of a workflow, with their state against the workflow as it is now."""
    query, workspace = call.query, call.workspace
    get_workflow(workspace, query.workflow_id)
    return page(
        query,
        partial(block_tests.test_rows, workspace, query.workflow_id, query.target_block_id),
        partial(block_tests.test_place, workspace),
        lambda test: test.id,
        partial(_show, workspace),
    )


def get(call: Call[bodies.ById, None]) -> shapes.TestShape:
    """A test, with its drift against the workflow as it is now."""
    return _show(call.workspace, [block_tests.get_test(call.workspace, call.query.id)])[0]


def update(call: Call[bodies.ById, bodies.TestUpdate]) -> shapes.TestShape:
    """Change name, assertion or source; what is absent stays. A changed assertion is judged anew at the next run."""
    body, given = call.body, call.body.model_fields_set
    test = block_tests.change_test(
        call.workspace,
        call.query.id,
        name=body.name,
        assertion=body.assertion if "assertion" in given else None,
        by=call.by,
        **(_inputs(body.source) if "source" in given else {}),
    )
    return _show(call.workspace, [test])[0]


def delete(call: Call[bodies.ById, None]) -> BaseModel:
    """Remove a test with its results."""
    block_tests.delete_test(call.workspace, call.query.id, by=call.by)
    return shapes.Ends(before=None, after=None)


# -- runs --------------------------------------------------------------------------------------------------------------


def start(call: Call[Any, bodies.RunCreate]) -> shapes.RunShape:
    """Queue a run of every test of the workflow, of one block's, or of one; its results come as they end."""
    body = call.body
    return showing.show_run(
        block_tests.start_run(call.workspace, body.workflow_id, body.scope, trigger="api", by=call.by)
    )


def start_eval(call: Call[Any, bodies.EvalRunCreate]) -> shapes.EvalRunShape:
    """Queue a run of every eval of the workflow, of one block's, or of one."""
    scope = call.body.scope
    wanted = SingleScope(type="single", test_id=scope.eval_id) if isinstance(scope, bodies.EvalScope) else scope
    return showing.show_eval_run(
        block_tests.start_run(call.workspace, call.body.workflow_id, wanted, trigger="api", by=call.by)
    )


def _runs(call: Call[bodies.RunQuery, None], show: Any) -> PageOf[Any]:
    query, workspace = call.query, call.workspace
    which = RunFilter(
        workflow=query.workflow_id,
        test=query.test_id or query.eval_id,
        block=query.target_block_id,
        statuses=tuple(query.statuses or ()) + ((query.status,) if query.status else ()),
        exclude_status=query.exclude_status,
        triggers=tuple(query.trigger_types or ()) + ((query.trigger_type,) if query.trigger_type else ()),
        created_from=_moment(query.from_date),
        created_to=_moment(query.to_date),
    )
    if query.workflow_id is not None:
        get_workflow(workspace, query.workflow_id)
    return page(
        query,
        partial(block_tests.run_rows, workspace, which),
        partial(block_tests.run_place, workspace),
        lambda run: run.id,
        lambda runs: [show(run) for run in runs],
    )


def _moment(at: datetime | None) -> datetime | None:
    """Without a zone it is UTC."""
    return at if at is None or at.tzinfo is not None else at.replace(tzinfo=UTC)


def list_runs(call: Call[bodies.RunQuery, None]) -> PageOf[shapes.RunShape]:
    """Runs, newest first unless asked otherwise. `test_id` finds runs of this one test only."""
    return _runs(call, showing.show_run)


def list_eval_runs(call: Call[bodies.RunQuery, None]) -> PageOf[shapes.EvalRunShape]:
    """Runs of evals."""
    return _runs(call, showing.show_eval_run)


def get_run(call: Call[bodies.ById, None]) -> shapes.RunShape:
    """A run; it has ended when its lifecycle is completed, error or cancelled."""
    return showing.show_run(block_tests.get_run(call.workspace, call.query.id))


def get_eval_run(call: Call[bodies.ById, None]) -> shapes.EvalRunShape:
    """A run of evals."""
    return showing.show_eval_run(block_tests.get_run(call.workspace, call.query.id))


def cancel(call: Call[bodies.ById, None]) -> shapes.RunShape:
    """End a run; what has ended stays."""
    return showing.show_run(block_tests.cancel_run(call.workspace, call.query.id, by=call.by))


def cancel_eval(call: Call[bodies.ById, None]) -> shapes.EvalRunShape:
    """End a run of evals; what has ended stays."""
    return showing.show_eval_run(block_tests.cancel_run(call.workspace, call.query.id, by=call.by))


# -- results -----------------------------------------------------------------------------------------------------------


def _results(call: Call[bodies.ResultQuery, None], show: Any) -> PageOf[Any]:
    query, workspace = call.query, call.workspace
    block_tests.get_run(workspace, query.run_id)

    def shown(results: Sequence[TestResult]) -> list[Any]:
        return [show(r, block_tests.inputs_of(workspace, r), query.run_id) for r in results]

    return page(
        query,
        partial(block_tests.result_rows, workspace, query.run_id),
        partial(block_tests.result_place, workspace, query.run_id),
        lambda result: result.id,
        shown,
    )


def list_results(call: Call[bodies.ResultQuery, None]) -> PageOf[shapes.ResultShape]:
    """Results of a run, as far as there are any yet, in the order of its tests (`order=asc`) or the other way."""
    return _results(call, showing.show_result)


def list_eval_results(call: Call[bodies.ResultQuery, None]) -> PageOf[shapes.EvalResultShape]:
    """Results of a run of evals."""
    return _results(call, showing.show_eval_result)


def get_result(call: Call[bodies.ById, None]) -> shapes.ResultShape:
    """A result."""
    result = block_tests.get_result(call.workspace, call.query.id)
    return showing.show_result(result, block_tests.inputs_of(call.workspace, result))


def get_eval_result(call: Call[bodies.ById, None]) -> shapes.EvalResultShape:
    """A result of an eval."""
    result = block_tests.get_result(call.workspace, call.query.id)
    return showing.show_eval_result(result, block_tests.inputs_of(call.workspace, result))


NOT_FOUND = "named_workflow_not_found test_not_found run_not_found block_not_found result_not_found record_not_found"


def row(method: Any, path: str, role: Role, handler: Any, answer: Any, summary: str, **more: Any) -> Endpoint:
    refusals = ((400, "invalid_request"), (404, f"not_found {NOT_FOUND}"), *more.pop("refusals", ()))
    return Endpoint(
        method,
        f"/workflows/{path}",
        role,
        handler,
        answer,
        tag="Block tests",
        summary=summary,
        refusals=refusals,
        dialect=RETAB,
        **more,
    )


def _endpoints() -> tuple[Endpoint, ...]:
    t, e, one = "tests", "evals", bodies.ById
    test, run, result = shapes.TestShape, shapes.RunShape, shapes.ResultShape
    eval_run, eval_result = shapes.EvalRunShape, shapes.EvalResultShape
    tests, runs, results = bodies.TestQuery, bodies.RunQuery, bodies.ResultQuery
    rows = []
    for p, noun in ((t, "test"), (e, "eval")):
        rows += [
            row("POST", p, "author", create, test, f"Make a block {noun}", body=bodies.TestCreate, status=201),
            row("GET", p, "viewer", list_, PageOf[test], f"List block {noun}s", query=tests),  # type: ignore[valid-type]
            row("GET", f"{p}/<id>", "viewer", get, test, f"A block {noun}", query=one),
            row(
                "PATCH",
                f"{p}/<id>",
                "author",
                update,
                test,
                f"Change a block {noun}",
                query=one,
                body=bodies.TestUpdate,
            ),
            row("DELETE", f"{p}/<id>", "author", delete, shapes.Ends, f"Delete a block {noun}", query=one, status=204),
        ]
    return (
        *rows,
        row("POST", f"{t}/runs", "author", start, run, "Run block tests", body=bodies.RunCreate, status=201),
        row("GET", f"{t}/runs", "viewer", list_runs, PageOf[run], "List runs of block tests", query=runs),  # type: ignore[valid-type]
        row("GET", f"{t}/runs/<id>", "viewer", get_run, run, "A run of block tests", query=one),
        row("POST", f"{t}/runs/<id>/cancel", "author", cancel, run, "Cancel a run of block tests", query=one),
        row("GET", f"{t}/results", "viewer", list_results, PageOf[result], "Results of a run", query=results),  # type: ignore[valid-type]
        row("GET", f"{t}/results/<id>", "viewer", get_result, result, "A result", query=one),
        row("POST", f"{e}/runs", "author", start_eval, eval_run, "Run evals", body=bodies.EvalRunCreate, status=201),
        row("GET", f"{e}/runs", "viewer", list_eval_runs, PageOf[eval_run], "List runs of evals", query=runs),  # type: ignore[valid-type]
        row("GET", f"{e}/runs/<id>", "viewer", get_eval_run, eval_run, "A run of evals", query=one),
        row("POST", f"{e}/runs/<id>/cancel", "author", cancel_eval, eval_run, "Cancel a run of evals", query=one),
        row("GET", f"{e}/results", "viewer", list_eval_results, PageOf[eval_result], "Results of evals", query=results),  # type: ignore[valid-type]
        row("GET", f"{e}/results/<id>", "viewer", get_eval_result, eval_result, "A result of an eval", query=one),
    )


ENDPOINTS = _endpoints()
