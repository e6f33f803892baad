"""Workflow tests on the wire."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, StrictBool, StrictFloat, StrictInt, StrictStr, model_validator

from reviewapp.api.shapes.common import ById, Moment, Paging, Shape
from reviewapp.api.shapes.models import ModelChoices
from reviewapp.api.shapes.workflows import TriggeredBody
from reviewapp.domain.answers import NOTE_LIMIT, Decision
from reviewapp.domain.places import Region, Span
from reviewapp.domain.tests import Outcome, TestStatus

DEFAULT_SAMPLE = 6
IRIS_LIMIT = 20
"""Most inputs of a test that comes through the API unless the server's setting `api_test_inputs` says more."""

Iri = Annotated[str, Field(min_length=1, max_length=2_000)]


class TestCreate(Shape):
    """Start a test: of a workflow by `name`, or of settings that are not saved (`install`). Exactly one of the two."""

    __test__ = False

    name: str | None = Field(default=None, max_length=200)
    """The workflow to test, with the revision in use unless `revision` names another."""
    install: TriggeredBody | None = None
    """The body of PUT `/v1/workflows/triggered`, tested without saving it."""
    revision: str | None = Field(default=None, max_length=200)
    """A revision of the named workflow; testing it activates nothing."""
    models: ModelChoices | None = None
    """Models for this test alone."""
    iris: list[Iri] | None = None
    """The inputs by IRI; else a sample."""
    sample: StrictInt | None = None
    """How many inputs, the first of the collection by IRI; 6 by default."""
    workflow: WorkflowRef | None = None
    """The same as `name`, with its starter."""

    @model_validator(mode="after")
    def _one_source(self) -> TestCreate:
        if self.iris is not None and self.sample is not None:
            raise ValueError("found both `iris` and `sample`; send one of them")
        return self


class ReplayBody(Shape):
    """What another system read."""

    name: str = Field(max_length=200)
    """The workflow whose properties, gate and checks apply."""
    records: list[dict[str, Any]] = Field(min_length=1, max_length=100_000)
    """Each ``{"record": IRI or name, "readings": [{"property", "value", "quote"}, …]}``, or with its `text`."""
    source: str = Field(default="results", min_length=1, max_length=150, pattern=r"^[^/\\\\]+$")
    """What the results are called."""
    add_records: bool = False
    """Bring in records that are not there, from their `text`."""


class WorkflowRef(Shape):
    starter: str
    name: str


class TestQuery(Paging):
    """The query of the list of tests."""

    __test__ = False

    name: str | None = Field(default=None, max_length=200)
    """Only tests of this workflow."""
    limit: int = Field(default=10, ge=1, le=50)


class InputShape(Shape):
    iri: str
    label: str | None = None
    """Empty until the input is read."""
    text: str | None = None
    """What the workflow read; empty until then, and left out of lists."""


class ValueShape(Shape):
    """A value as the text states it, and what the live workflow would do with it."""

    property: str
    value: str
    """In the property's unit, as text: ``60``, ``2026-11-30``, ``true``."""
    quote: str
    outcome: Outcome
    support: float | None = None
    stated: str | None = None
    """Number and unit as in the text, only when they were converted."""
    unconfirmed: str | None = None
    """Why a person has to look, whatever the support."""
    source: str | None = None
    region: Region | None = None
    detail: str | None = None
    """Which check failed and what was found."""
    spans: list[Span] | None = None
    """Where the quote stands in the input's text: code points, start inclusive, end exclusive. None: not found."""
    match: Literal["exact", "normalised", "fuzzy"] | None = None
    """How the quote was found."""


class AnswerShape(Shape):
    decision: Decision
    value: Any | None = None
    note: str | None = None
    option: str | None = None
    by: str | None = None
    at: Moment | None = None


class ResultShape(Shape):
    iri: str
    values: list[ValueShape] | None = None
    answers: dict[str, AnswerShape] | None = None
    """The standing answer of each answered property."""
    passed_over: dict[str, str] | None = None
    """Property without a value: why no block of the workflow's line looked for it."""
    failed: bool | None = None
    """True: the reader's reply could not be used."""
    error: str | None = None
    """Why there was nothing to read, or why the reader failed."""
    region: Region | None = None
    cost_micro_usd: int | None = None


class PropertyShape(Shape):
    name: str
    value_type: str
    unit: str | None = None


class FieldShape(Shape):
    path: list[str]
    name: str
    max: int


class SettingsShape(Shape):
    """Frozen at the start of the test."""

    class_: str = Field(alias="class")
    """The collection."""
    context: str | None = None
    fields: list[FieldShape] | None = None
    properties: list[PropertyShape]
    gate: float


class CountsShape(Shape):
    inputs_done: int
    """Inputs with a result."""
    passed: int
    """Values that would be written."""
    review: int
    """Values a person would review."""
    no_value: int
    """Properties of read inputs without any value."""
    failed: int
    """Values a check dropped, and inputs whose reader failed."""
    answered: int
    """(input, property) pairs with an answer."""


class TestShape(Shape):
    """A workflow test."""

    __test__ = False

    id: str
    object: Literal["workflow_test"] = "workflow_test"
    created: Moment
    created_by: str
    workflow: WorkflowRef
    installed: bool
    """False: a test of settings that are not saved."""
    status: TestStatus
    finished: Moment | None = None
    error: str | None = None
    stopped: bool = False
    """Failed because no more could be read for now (budget spent, key refused, provider gone); `tests/continue` goes on
    with it."""
    settings: SettingsShape
    inputs: list[InputShape]
    results: list[ResultShape]
    """One for every input read so far, in the order of `inputs`; empty in a list."""
    counts: CountsShape
    estimate_micro_usd: int
    cost_micro_usd: int
    fingerprint: str
    """Equal if and only if the workflow is the same; does not depend on the inputs."""
    revision: str | None = None
    dataset: str | None = None
    uses: dict[str, str]
    models: dict[str, Any] | None = None
    version: int
    """Grows with every change; send it as `since` to `tests/changes`."""


class AnswerBody(Shape):
    """What a person decided."""

    decision: Decision
    value: StrictBool | StrictInt | StrictFloat | StrictStr | None = None
    """The right value, with `correct` only: a number, text or boolean in the property's type and unit."""
    note: str | None = Field(default=None, max_length=NOTE_LIMIT)
    option: str | None = Field(default=None, max_length=200)
    """Belongs to other kinds of review; refused here."""
    quote: str | None = Field(default=None, max_length=10_000)
    """Words of the text that state the corrected value."""

    @model_validator(mode="after")
    def _value_goes_with_correct(self) -> AnswerBody:
        if self.decision == "correct" and self.value is None:
            raise ValueError("`correct` needs the right `value`")
        if self.decision != "correct" and self.value is not None:
            raise ValueError(f"`value` goes with `correct`; found it with {self.decision!r}")
        if self.option is not None:
            raise ValueError("`option` belongs to other kinds of review; send `decision` and perhaps `value`")
        return self


class AnswerPost(Shape):
    """Answer one property of one input; `answer: null` takes the answer back."""

    id: str = Field(min_length=1, max_length=200)
    """The test."""
    iri: str = Field(min_length=1, max_length=2_000)
    property: str = Field(min_length=1, max_length=200)
    answer: AnswerBody | None
    seen: int | None = None
    """The version of the value that was looked at (`version` of its history); a later answer of somebody else is then
    409 `stale_answer` and nothing is overwritten. Left out: the latest counts."""


class StepShape(Shape):
    """One step in the history of a value."""

    version: int
    decision: Decision | None
    """None: taken back."""
    value: Any | None = None
    note: str | None = None
    by: str
    at: Moment
    role: Literal["reviewer", "adjudicator"]
    undoes: int | None = None


class HistoryShape(Shape):
    object: Literal["answer_history"] = "answer_history"
    test: str
    iri: str
    property: str
    state: Literal["open", "partial", "answered", "disputed"]
    steps: list[StepShape]
    """In the order they were given; nothing is ever overwritten."""


class HistoryQuery(ById):
    iri: str = Field(min_length=1, max_length=2_000)
    property: str = Field(min_length=1, max_length=200)


class TestChangesShape(Shape):
    """How far a test is."""

    __test__ = False

    id: str
    object: Literal["workflow_test_changes"] = "workflow_test_changes"
    status: TestStatus
    version: int
    counts: CountsShape
