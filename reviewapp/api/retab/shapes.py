"""What is sent back: one superset that the client's versions 0.0.143 to 0.0.151 read, and 0.0.160 for evals."""

from __future__ import annotations

from typing import Any, Generic, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field

from reviewapp.api.retab.bodies import BlockTarget
from reviewapp.api.shapes.common import Moment, Shape
from reviewapp.domain.block_tests import AssertionResult, Issue, Lifecycle, OutcomeWord, SchemaDep

Row = TypeVar("Row", bound=BaseModel)


class Ends(Shape):
    """Where a page ends."""

    before: str | None
    """The first item's id, where something comes before it."""
    after: str | None
    """The last item's id, where more follow."""


class PageOf(BaseModel, Generic[Row]):
    """One page of a list."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    data: list[Row]
    list_metadata: Ends


class SourceShape(Shape):
    type: Literal["manual", "run_step"]
    handle_inputs: dict[str, Any] | None = None
    """Of a manual source."""
    run_id: str | None = None
    step_id: str | None = None


class SummaryShape(Shape):
    """The last result of a kind."""

    run_record_id: str
    status: Lifecycle
    outcome: OutcomeWord | None
    run_status: str
    """One of the seven: queued, running, passed, failed, blocked, error, cancelled."""
    started_at: Moment
    completed_at: Moment
    duration_ms: int
    workflow_draft_fingerprint: str
    block_config_fingerprint: str
    block_execution_fingerprint: str
    handle_inputs_fingerprint: str
    assertions_passed: int
    assertions_failed: int
    blocked_assertions: int


class TestShape(Shape):
    """A test: frozen inputs, one block, one assertion."""

    id: str
    workflow_id: str
    target: BlockTarget
    source: dict[str, Any]
    """`{"type": "manual", "handle_inputs": …}` or `{"type": "run_step", "run_id": …, "step_id": …}`."""
    name: str | None
    assertion: dict[str, Any]
    assertion_schema_dep: SchemaDep | None
    assertion_drift_status: Literal["valid", "drifted", "broken"] | None
    schema_drift: Literal["none", "partial", "drifted", "unknown"]
    schema_drift_detail: str | None
    validation_status: Literal["valid", "warning", "invalid"]
    validation_issues: list[Issue]
    latest_run_summary: SummaryShape | None
    latest_passing_run_summary: SummaryShape | None
    latest_failing_run_summary: SummaryShape | None
    created_at: Moment
    updated_at: Moment


class LifecycleShape(Shape):
    status: Lifecycle
    message: str | None = None
    """Of an error."""
    details: dict[str, Any] | None = None
    reason: str | None = None
    """Of a cancel."""


class TimingShape(Shape):
    created_at: Moment
    started_at: Moment | None
    completed_at: Moment | None
    duration_ms: int | None


class CountsShape(Shape):
    """The seven statuses, and the same by lifecycle and outcome."""

    queued: int
    running: int
    passed: int
    failed: int
    blocked: int
    error: int
    cancelled: int
    lifecycle_counts: dict[str, int]
    outcome: dict[str, int]


class TriggerShape(Shape):
    type: Literal["manual", "api"]


class RunShape(Shape):
    """Tests run together."""

    id: str
    workflow: dict[str, str]
    """`workflow_id`, `version_id`, `name_at_run_time`."""
    workflow_id: str
    workflow_version_id: str
    trigger: TriggerShape
    lifecycle: LifecycleShape
    timing: TimingShape
    target: BlockTarget | None
    test_id: str | None
    """Of a run of one test."""
    total_tests: int
    counts: CountsShape


class EvalRunShape(RunShape):
    eval_id: str | None
    total_evals: int


class ErrorShape(Shape):
    message: str
    stack_trace: str | None
    block_id: str
    block_name: str
    error_code: str
    context: dict[str, Any] | None = None


class VerdictSummary(Shape):
    result: bool
    passed: bool
    assertions_passed: int
    assertions_failed: int
    blocked_assertions: int
    failed_assertion_ids: list[str]


class ResultShape(Shape):
    """A test, run once."""

    id: str
    run_id: str
    test_id: str
    workflow_id: str
    target: BlockTarget
    source: dict[str, Any]
    status: Literal["queued", "running", "passed", "failed", "blocked", "error", "cancelled"]
    lifecycle: LifecycleShape
    verdict: OutcomeWord | None
    timing: TimingShape
    started_at: Moment
    completed_at: Moment
    duration_ms: int
    execution_fingerprint: str
    handle_inputs_fingerprint: str
    workflow_draft_fingerprint: str
    block_config_fingerprint: str
    outputs: dict[str, Any] | None
    """By output handle."""
    routing_decision: list[str]
    routing_decisions: list[str]
    warnings: list[str]
    error: ErrorShape | None
    skipped: bool = False
    assertion_result: AssertionResult | None
    verdict_summary: VerdictSummary | None


class EvalResultShape(ResultShape):
    workflow_eval_run_id: str
    eval_id: str
    block_id: str
    block_type: str
    block_execution_fingerprint: str
    handle_inputs: dict[str, Any]
    handle_outputs: dict[str, Any] | None
    """By output handle, each with its `type`."""


class BlockShape(Shape):
    """A block of a workflow as it is now."""

    id: str
    type: Literal["extract", "classify", "split", "function"]
    label: str
    input_handles: list[str]
    output_handles: dict[str, Any]
    """By handle, its JSON Schema."""
    fingerprint: str
    tests: int


class BlockList(Shape):
    workflow_id: str
    workflow_version_id: str
    draft_fingerprint: str
    data: list[BlockShape]


class StepShape(Shape):
    step_id: str
    type: str
    skipped: bool
    handle_inputs: dict[str, Any]
    outputs: dict[str, Any]
    routing_decision: list[str]
    warnings: list[str]
    error: str | None
    duration_ms: int


class WorkflowRunShape(Shape):
    """A whole workflow run on one input; any step of it can be made a test (`source.run_id`, `source.step_id`)."""

    id: str
    workflow_id: str
    workflow_version_id: str
    created_at: Moment
    steps: list[StepShape] = Field(description="In the order of the blocks.")
