"""From what we keep to what the client reads."""

from __future__ import annotations

from typing import Any, cast

from reviewapp.api.retab import shapes
from reviewapp.api.retab.bodies import BlockTarget
from reviewapp.domain.block_tests import (
    BlockScope,
    BlockTest,
    BlockTestRun,
    FileInput,
    HandleInput,
    HandleInputs,
    ManualSource,
    SingleScope,
    State,
    TestResult,
)

Latest = tuple[TestResult | None, TestResult | None, TestResult | None]


def show_test(test: BlockTest, state: State, latest: Latest) -> shapes.TestShape:
    last, passing, failing = latest
    return shapes.TestShape(
        id=test.id,
        workflow_id=test.workflow,
        target=BlockTarget(block_id=test.block),
        source=_source(test.source, test.inputs),
        name=test.name,
        assertion=test.assertion.model_dump(mode="json", by_alias=True),
        assertion_schema_dep=test.schema_dep,
        assertion_drift_status=state.drift,
        schema_drift=state.schema_drift,
        schema_drift_detail=state.detail,
        validation_status=state.validation,
        validation_issues=list(state.issues),
        latest_run_summary=_summary(last),
        latest_passing_run_summary=_summary(passing),
        latest_failing_run_summary=_summary(failing),
        created_at=test.created,
        updated_at=test.updated,
    )


def _source(source: Any, inputs: HandleInputs) -> dict[str, Any]:
    if isinstance(source, ManualSource):
        return {"type": "manual", "handle_inputs": {handle: show_input(given) for handle, given in inputs.items()}}
    return cast("dict[str, Any]", source.model_dump(mode="json"))


def show_input(given: HandleInput) -> dict[str, Any]:
    """Later clients read a file's ``id``, earlier ones its ``original_id``."""
    shown = given.model_dump(mode="json")
    if isinstance(given, FileInput):
        shown["document"]["id"] = given.document.original_id
    return shown


def _summary(result: TestResult | None) -> shapes.SummaryShape | None:
    if result is None:
        return None
    return shapes.SummaryShape(
        run_record_id=result.id,
        status=result.lifecycle,
        outcome=result.outcome,
        run_status=result.status,
        started_at=result.started,
        completed_at=result.finished,
        duration_ms=result.milliseconds,
        workflow_draft_fingerprint=result.fingerprints.workflow_draft,
        block_config_fingerprint=result.fingerprints.block_config,
        block_execution_fingerprint=result.fingerprints.block_config,
        handle_inputs_fingerprint=result.fingerprints.handle_inputs,
        assertions_passed=int(result.outcome == "passed"),
        assertions_failed=int(result.outcome == "failed"),
        blocked_assertions=int(result.outcome == "blocked"),
    )


def _run_fields(run: BlockTestRun) -> dict[str, Any]:
    counts = run.counts
    completed = counts["passed"] + counts["failed"] + counts["blocked"]
    lifecycle: dict[str, Any] = {"status": run.status}
    if run.status == "error":
        lifecycle["message"] = run.error or "The run stopped with an error."
    if run.status == "cancelled":
        lifecycle["reason"] = run.error
    ended = run.finished if run.status in ("completed", "error", "cancelled") else None
    took = None if ended is None or run.started is None else round((ended - run.started).total_seconds() * 1_000)
    return {
        "id": run.id,
        "workflow": {
            "workflow_id": run.workflow,
            "version_id": run.revision,
            "name_at_run_time": run.workflow,
        },
        "workflow_id": run.workflow,
        "workflow_version_id": run.revision,
        "trigger": {"type": run.trigger},
        "lifecycle": lifecycle,
        "timing": {
            "created_at": run.created,
            "started_at": run.started,
            "completed_at": ended,
            "duration_ms": took,
        },
        "target": BlockTarget(block_id=run.scope.block_id) if isinstance(run.scope, BlockScope) else None,
        "test_id": run.scope.test_id if isinstance(run.scope, SingleScope) else None,
        "total_tests": run.total,
        "counts": {
            **counts,
            "lifecycle_counts": {
                "pending": 0,
                "queued": counts["queued"],
                "running": counts["running"],
                "completed": completed,
                "error": counts["error"],
                "cancelled": counts["cancelled"],
            },
            "outcome": {word: counts[word] for word in ("passed", "failed", "blocked")},
        },
    }


def show_run(run: BlockTestRun) -> shapes.RunShape:
    return shapes.RunShape.model_validate(_run_fields(run))


def show_eval_run(run: BlockTestRun) -> shapes.EvalRunShape:
    fields = _run_fields(run)
    return shapes.EvalRunShape.model_validate({**fields, "eval_id": fields["test_id"], "total_evals": run.total})


def _result_fields(result: TestResult, inputs: HandleInputs, run: str | None) -> dict[str, Any]:
    lifecycle: dict[str, Any] = {"status": result.lifecycle}
    error = None
    if result.error is not None:
        error = {
            "message": result.error.message,
            "stack_trace": result.error.raw,
            "block_id": result.block,
            "block_name": result.block,
            "error_code": result.error.code,
        }
        lifecycle |= {"message": result.error.message, "details": error}
    prints = result.fingerprints
    return {
        "id": result.id,
        "run_id": run or result.run,
        "test_id": result.test,
        "workflow_id": result.workflow,
        "target": BlockTarget(block_id=result.block),
        "source": _source(result.source, inputs),
        "status": result.status,
        "lifecycle": lifecycle,
        "verdict": result.outcome,
        "timing": {
            "created_at": result.started,
            "started_at": result.started,
            "completed_at": result.finished,
            "duration_ms": result.milliseconds,
        },
        "started_at": result.started,
        "completed_at": result.finished,
        "duration_ms": result.milliseconds,
        "execution_fingerprint": prints.execution,
        "handle_inputs_fingerprint": prints.handle_inputs,
        "workflow_draft_fingerprint": prints.workflow_draft,
        "block_config_fingerprint": prints.block_config,
        "outputs": result.outputs,
        "routing_decision": list(result.routing),
        "routing_decisions": list(result.routing),
        "warnings": list(result.warnings),
        "error": error,
        "assertion_result": result.assertion_result,
        "verdict_summary": _verdict_summary(result),
    }


def show_result(result: TestResult, inputs: HandleInputs, run: str | None = None) -> shapes.ResultShape:
    """`run`: the run that it is shown for."""
    return shapes.ResultShape.model_validate(_result_fields(result, inputs, run))


def show_eval_result(result: TestResult, inputs: HandleInputs, run: str | None = None) -> shapes.EvalResultShape:
    fields = _result_fields(result, inputs, run)
    outputs = None if result.outputs is None else {k: {"type": "json", "data": v} for k, v in result.outputs.items()}
    return shapes.EvalResultShape.model_validate(
        {
            **fields,
            "workflow_eval_run_id": fields["run_id"],
            "eval_id": result.test,
            "block_id": result.block,
            "block_type": result.block_type,
            "block_execution_fingerprint": result.fingerprints.block_config,
            "handle_inputs": {handle: show_input(given) for handle, given in inputs.items()},
            "handle_outputs": outputs,
        }
    )


def _verdict_summary(result: TestResult) -> dict[str, Any] | None:
    verdict = result.assertion_result
    if verdict is None:
        return None
    passed = verdict.outcome == "passed"
    return {
        "result": passed,
        "passed": passed,
        "assertions_passed": int(passed),
        "assertions_failed": int(verdict.outcome == "failed"),
        "blocked_assertions": int(verdict.outcome == "blocked"),
        "failed_assertion_ids": [] if passed else [verdict.assertion_id],
    }
