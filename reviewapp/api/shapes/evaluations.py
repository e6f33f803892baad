"""Evaluations, comparisons and versions of datasets on the wire."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from reviewapp.api.shapes.common import Moment, Paging, Scope, Shape
from reviewapp.api.shapes.datasets import AnyValue, ItemShape, Words
from reviewapp.domain.choices import ModelName
from reviewapp.domain.evaluations import Basis, EvaluationStatus, Report, Subject, Verdict
from reviewapp.evals.comparison import Change, Comparison

Id = Annotated[str, Field(min_length=1, max_length=200)]


class OutputValue(Shape):
    """A value that another system gave."""

    property: str = Field(min_length=1, max_length=100)
    value: AnyValue | None
    quote: Words | None = None
    outcome: Literal["written", "review"] = "written"
    """Whether it was written, or shown to a person."""
    support: float | None = Field(default=None, ge=0, le=1)


class OutputItem(Shape):
    name: str = Field(min_length=1, max_length=200)
    """Of the item in the dataset."""
    values: list[OutputValue] = Field(max_length=1_000)


class EvaluationCreate(Shape):
    """Grade a dataset with a workflow, a test, an earlier evaluation's outputs, or outputs of your own: one of them."""

    dataset: Id
    version: int | None = Field(default=None, ge=1)
    """Left out: the present one."""
    workflow: str | None = Field(default=None, max_length=63)
    revision: str | None = Field(default=None, max_length=200)
    """With `workflow`: its id; left out: the one in use."""
    model: ModelName | None = None
    """With `workflow`: reads with it, in place of the one it names."""
    fresh: bool = False
    """With `workflow`: reads again what an earlier evaluation has read."""
    test: str | None = Field(default=None, max_length=200)
    earlier: str | None = Field(default=None, max_length=200)
    outputs: list[OutputItem] | None = Field(default=None, min_length=1, max_length=10_000)
    """Graded at once; everything else waits for its turn (`status` queued)."""
    name: str = Field(default="outputs", min_length=1, max_length=200)
    """Of the outputs, for people."""


class EvaluationQuery(Paging):
    dataset: str | None = Field(default=None, max_length=200)
    limit: int = Field(default=20, ge=1, le=50)


class ResultsQuery(Paging):
    id: Id
    faulty: bool = False
    """Only items with a fault or that could not be read."""
    limit: int = Field(default=100, ge=1, le=500)


class CompareQuery(Scope):
    before: Id
    after: Id
    basis: Basis = "written"


class ChangesQuery(Paging):
    before: Id
    after: Id
    basis: Basis = "written"
    limit: int = Field(default=100, ge=1, le=500)


class EvaluationShape(Shape):
    id: str
    object: Literal["evaluation"] = "evaluation"
    number: int
    created: Moment
    created_by: str
    finished: Moment | None = None
    status: EvaluationStatus
    error: str | None = None
    dataset: str
    dataset_version: int
    """The version that was graded; it stays readable."""
    label: str
    """What was graded, in few words."""
    subject: Subject
    item_count: int
    items_done: int
    items_failed: int
    items_reused: int
    """Taken over from an earlier evaluation with the same text and settings."""
    milliseconds: float
    cost_micro_usd: int
    report: Report | None = None
    """When it is done."""


class ResultShape(Shape):
    position: int
    item: str
    failed: str | None = None
    """Why it could not be read."""
    learnt_from: bool = False
    """The revision learnt from this item; it is left out of the report."""
    verdicts: list[Verdict]


class ComparisonShape(Shape):
    object: Literal["comparison"] = "comparison"
    before: str
    after: str
    comparison: Comparison


class ChangeShape(Shape):
    position: int
    item: str
    changes: list[Change]


class EvaluationDeleted(Shape):
    id: str
    object: Literal["evaluation"] = "evaluation"
    deleted: Literal[True] = True


class VersionShape(Shape):
    version: int
    at: Moment
    by: str
    note: str
    item_count: int


class VersionList(Shape):
    """Newest first."""

    object: Literal["list"] = "list"
    data: list[VersionShape]


class DiffQuery(Scope):
    id: Id
    before: int | None = Field(default=None, ge=1)
    """A version; left out: the present one."""
    after: int | None = Field(default=None, ge=1)
    other: str | None = Field(default=None, max_length=200)
    """Another dataset to begin from, instead of this one's version `before`."""


class ItemChangeShape(Shape):
    kind: Literal["added", "removed", "changed"]
    name: str
    before: ItemShape | None = None
    after: ItemShape | None = None


class DiffShape(Shape):
    object: Literal["dataset_diff"] = "dataset_diff"
    changes: list[ItemChangeShape]
    has_more: bool = False
    """At most 1,000 changes are told."""


class MergeBody(Shape):
    ids: list[Id] = Field(min_length=2, max_length=50)
    name: str = Field(min_length=1, max_length=200)
    prefer_last: bool = False
    """Where items with the same text contradict each other, the later one counts; false: 409 `contradiction`."""


class SplitBody(Shape):
    id: Id
    names: Annotated[list[str], Field(min_length=2, max_length=2)]
    share: float | None = Field(default=None, gt=0, lt=1)
    pattern: str | None = Field(default=None, max_length=200)
    seed: str = Field(default="", max_length=100)


class GateQuery(Scope):
    workflow: str = Field(min_length=1, max_length=63)
    wanted: float = Field(default=0.98, ge=0.5, le=1)
    property: str | None = Field(default=None, max_length=100)
    test: str | None = Field(default=None, max_length=200)


class GateShape(Shape):
    object: Literal["gate_study"] = "gate_study"
    workflow: str
    gate: float
    """The one in use, of the property where one was asked for."""
    gates: dict[str, float]
    """Of single properties, in place of the workflow's."""
    evaluation: str | None = None
    """The grading that the answers are of; left out: they are of tests."""
    other_test: str | None = None
    """The test of another revision that they are of, whose support may mean something else."""
    study: dict[str, Any]
    suggestion: dict[str, Any]


class GateBody(Shape):
    workflow: str = Field(min_length=1, max_length=63)
    gate: float | None = Field(default=None, ge=0.5, le=1)
    """Left out, with `property`: the workflow's again."""
    property: str | None = Field(default=None, max_length=100)
    """Of this one only."""
    expected_revision: str | None = Field(default=None, max_length=200)


class GateSet(Shape):
    workflow: str
    gate: float
    gates: dict[str, float]
    """Of single properties, in place of `gate`."""
    revision: str
    """The one in use now."""
