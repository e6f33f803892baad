"""Block tests: a frozen input, one block, one assertion; and what its runs found."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints, field_validator

from reviewapp.domain.base import Model, Slug
from reviewapp.domain.conditions import Assertion
from reviewapp.domain.plain_json import PlainJson

# -- what goes in ------------------------------------------------------------------------------------------------------


ADDRESS_LENGTH = 2_000


class Document(Model):
    """A file that a test is frozen with."""

    original_id: str = Field(max_length=500)
    filename: str = Field(max_length=500)
    mime_type: str = Field(max_length=200)
    gcs_uri: str
    """Where it lies: ``reviewapp:file/…`` once its content is kept here; else as it was given. Of what comes in it may
    be the content itself (``data:…``)."""
    size_bytes: int = 0
    content_fingerprint: str | None = Field(default=None, max_length=200)
    """SHA-256 of the content, 64 hex digits, once it is kept here."""

    @field_validator("gcs_uri")
    @classmethod
    def _is_an_address(cls, address: str) -> str:
        if len(address) > ADDRESS_LENGTH and not address.startswith("data:"):
            raise ValueError(f"the address has {len(address):,} characters; at most {ADDRESS_LENGTH:,} are taken")
        return address


class JsonInput(Model):
    type: Literal["json"]
    data: PlainJson = None


class FileInput(Model):
    type: Literal["file"]
    document: Document


HandleInput = Annotated[JsonInput | FileInput, Field(discriminator="type")]
HandleInputs = dict[str, HandleInput]


class ManualSource(Model):
    """The inputs were given."""

    type: Literal["manual"] = "manual"


class RunStepSource(Model):
    """The inputs are those of a step of a run, as they were when the test was made."""

    type: Literal["run_step"] = "run_step"
    run_id: str = Field(min_length=1, max_length=200)
    """``wfrun_…``, or ``wtest_…``: then the step names the input."""
    step_id: str | None = Field(default=None, max_length=2_000)


Source = Annotated[ManualSource | RunStepSource, Field(discriminator="type")]


# -- the test ----------------------------------------------------------------------------------------------------------


class SchemaDep(Model):
    """The node of an output's schema that an assertion looks at, as it was when the test was made or changed."""

    output_handle_id: str
    schema_path: str
    """``properties.lines.items.properties.sku``; empty: the whole schema."""
    subtree_hash: str
    """16 hex digits over the node's canonical JSON."""
    depends_on_root: bool


class Issue(Model):
    """Something that will keep a test from doing its work, or may."""

    code: str
    message: str


DriftWord = Literal["valid", "drifted", "broken"]
SchemaDriftWord = Literal["none", "partial", "drifted", "unknown"]


class State(Model):
    """How a test stands to the workflow as it is now; made on reading, never stored."""

    drift: DriftWord | None = None
    schema_drift: SchemaDriftWord = "unknown"
    detail: str | None = None
    issues: tuple[Issue, ...] = ()
    validation: Literal["valid", "warning", "invalid"] = "valid"


TestName = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=500)]


class BlockTest(Model):
    id: str
    """``wfnodetest_`` + 32 hex digits."""
    workflow: Slug
    block: str
    name: str | None = None
    source: Source
    inputs: HandleInputs
    """Frozen."""
    inputs_fingerprint: str
    assertion: Assertion
    schema_dep: SchemaDep | None = None
    """None: the assertion's path led nowhere in the schema, or there was none."""
    created: datetime
    created_by: str
    updated: datetime


# -- its results -------------------------------------------------------------------------------------------------------

Lifecycle = Literal["pending", "queued", "running", "completed", "error", "cancelled"]
OutcomeWord = Literal["passed", "failed", "blocked"]
ResultStatus = Literal["passed", "failed", "blocked", "error", "cancelled"]
STATUSES: tuple[str, ...] = ("queued", "running", "passed", "failed", "blocked", "error", "cancelled")


class AssertionFailure(Model):
    code: str
    message: str
    details: dict[str, Any] = {}


class AssertionResult(Model):
    """What the assertion made of the block's outputs."""

    assertion_id: str
    condition_kind: str
    outcome: OutcomeWord
    status: Literal["passed", "failed", "blocked", "error"]
    """`error`: blocked because what judges could not be reached."""
    actual_value: Any = None
    expected_value: Any = None
    score: float | None = None
    threshold: float | None = None
    metric_kind: str | None = None
    assertion_label: str | None = None
    failure: AssertionFailure | None = None
    """None exactly when passed."""


class BlockError(Model):
    """Why a block gave nothing."""

    message: str
    code: str
    raw: str | None = None
    """What its program printed, for people."""


class Fingerprints(Model):
    handle_inputs: str
    block_config: str
    workflow_draft: str
    execution: str
    """The three together."""


class TestResult(Model):
    """One test run once; never changed."""

    id: str
    """``wfnodetestrun_`` + 32 hex digits."""
    run: str
    """The run that made it; later runs with nothing changed show it again."""
    test: str
    workflow: Slug
    block: str
    block_type: str
    source: Source
    inputs_fingerprint: str
    lifecycle: Literal["completed", "error", "cancelled"]
    outcome: OutcomeWord | None = None
    """None: the block failed, or it was cancelled."""
    error: BlockError | None = None
    outputs: dict[str, Any] | None = None
    routing: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    assertion_result: AssertionResult | None = None
    fingerprints: Fingerprints
    started: datetime
    finished: datetime
    milliseconds: int = 0

    @property
    def status(self) -> ResultStatus:
        if self.lifecycle == "completed" and self.outcome is not None:
            return self.outcome
        return "cancelled" if self.lifecycle == "cancelled" else "error"


class WorkflowScope(Model):
    type: Literal["workflow"] = "workflow"


class BlockScope(Model):
    type: Literal["block"]
    block_id: str


class SingleScope(Model):
    type: Literal["single"]
    test_id: str


Scope = Annotated[WorkflowScope | BlockScope | SingleScope, Field(discriminator="type")]
RunStatus = Literal["pending", "running", "completed", "error", "cancelled"]
ENDED: tuple[RunStatus, ...] = ("completed", "error", "cancelled")
Trigger = Literal["manual", "api"]


class BlockTestRun(Model):
    """Tests of a workflow run together."""

    id: str
    """``wftestrun_`` + 32 hex digits."""
    workflow: Slug
    revision: str
    scope: Scope
    trigger: Trigger
    status: RunStatus
    created: datetime
    created_by: str
    started: datetime | None = None
    finished: datetime | None = None
    error: str | None = None
    counts: dict[str, int]
    """By status; all of STATUSES."""
    reused: int = 0
    """Results that an earlier run made."""

    @property
    def total(self) -> int:
        return sum(self.counts.values())

    @property
    def succeeded(self) -> bool:
        """Whether it ended with every test passed."""
        return self.status == "completed" and self.counts["passed"] == self.total


# -- runs of a whole workflow ------------------------------------------------------------------------------------------


class WorkflowStep(Model):
    """One block of a workflow's run."""

    id: str
    """The block's id."""
    type: str
    skipped: bool = False
    """None of its inputs were given."""
    inputs: HandleInputs = {}
    outputs: dict[str, Any] = {}
    routing: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    error: str | None = None
    milliseconds: int = 0


class WorkflowRun(Model):
    """A workflow run on one input, with every step's inputs and outputs."""

    id: str
    """``wfrun_`` + 32 hex digits."""
    workflow: Slug
    revision: str
    at: datetime
    by: str
    steps: tuple[WorkflowStep, ...]

    def step(self, id: str) -> WorkflowStep | None:
        return next((step for step in self.steps if step.id == id), None)
