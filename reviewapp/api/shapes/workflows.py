"""Workflows, revisions and starters on the wire."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import ConfigDict, Field

from reviewapp.api.shapes.common import ByName, Moment, Paging, Scope, Shape
from reviewapp.domain.calls import MOST_DOLLARS

STARTER = "values.extract"
STARTER_SPELLINGS = (STARTER, "values.extract@v1", "infer.llm", "infer.llm@v1")
"""How requests may name it; answers say `values.extract`."""


class WatchField(Shape):
    model_config = ConfigDict(frozen=True, extra="ignore")

    path: str | list[str]
    name: str | None = None
    max: int | None = Field(default=None, ge=0)


class Watch(Shape):
    """What the workflow reads."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    class_: str = Field(alias="class", min_length=1, max_length=2_000)
    """The collection."""
    fields: list[str | WatchField] | None = None
    """`text` is what records have."""
    exclude: list[Any] | None = None


class GateBody(Shape):
    model_config = ConfigDict(frozen=True, extra="ignore")

    below: float = Field(ge=0, le=1)
    """Values with less support than this go to a person."""


class TriggeredBody(Shape):
    """Make or change a workflow. Fields that belong to other starters are passed over."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    starter: str = Field(max_length=200)
    name: str | None = Field(default=None, max_length=200)
    """By default made from the class."""
    watch: Watch | None = None
    params: dict[str, Any] | None = None
    """`properties`: names of declared properties (all by default); `context`; our own `rules` and `extractor`."""
    gate: GateBody | None = None
    budget_usd_per_month: float | None = Field(default=None, ge=0, le=MOST_DOLLARS)


class PreviewBody(TriggeredBody):
    sample: int | None = Field(default=None, ge=1, le=20)
    iris: list[str] | None = Field(default=None, max_length=20)
    propose: bool | None = None


class PreviewShape(Shape):
    name: str
    starter: str = STARTER
    watch: dict[str, Any] | None = None
    instance_count: int
    details: dict[str, Any]
    """`samples`: what would be read from each sampled input. Nothing is written."""


class StatusShape(Shape):
    state: Literal["backfilling", "ready", "paused", "failed", "unavailable"]


class NamedShape(Shape):
    """A workflow."""

    object: Literal["workflow"] = "workflow"
    name: str
    starter: str = STARTER
    workflow: dict[str, str] = {"workflow_type": "lbb.values.extract", "version": "v1"}
    runs_in: Literal["lbb", "worker"] = "lbb"
    shards: int = 1
    paused: bool
    status: StatusShape
    triggers: list[dict[str, Any]]
    active_revision: str
    params: dict[str, Any]
    gate: dict[str, float]
    budget_usd_per_month: float | None = None
    """What its models may cost in a calendar month (UTC); None: no limit of its own."""
    created: Moment


class TriggeredShape(Shape):
    """The same workflow as its starter sees it."""

    starter: str = STARTER
    version: str = "v1"
    name: str
    status: StatusShape
    watch: dict[str, Any]
    params: dict[str, Any]
    gate: dict[str, float]
    active_revision: str


class TriggeredList(Shape):
    starters: list[TriggeredShape]


class StarterParam(Shape):
    name: str
    kind: Literal["string", "number", "bool", "string_list", "object"]
    description: str
    required: bool = False


class StarterShape(Shape):
    """A kind of workflow that can be made here."""

    id: str
    version: str
    title: str
    summary: str
    group: str
    available: bool
    runs_in: Literal["lbb", "worker"] = "lbb"
    truth: list[str]
    watch: Literal["required", "fixed", "none"]
    params: list[StarterParam]


class StarterList(Shape):
    starters: list[StarterShape]


class TriggeredQuery(Scope):
    starter: str | None = None
    name: str | None = None


class NamedQuery(Paging):
    """Without `name` a page of all workflows, with it that one."""

    name: str | None = Field(default=None, max_length=200)
    limit: int = Field(default=100, ge=1, le=200)


class DeleteQuery(ByName):
    confirm: str = Field(max_length=200)
    """The name again."""


class TriggeredDelete(DeleteQuery):
    starter: str


class TriggeredByName(ByName):
    starter: str


class PauseBody(Shape):
    paused: bool


class Deleted(Shape):
    deleted: Literal[True] = True


class RunShape(Shape):
    workflow: NamedShape
    queued: bool
    """True when a run was started."""


class RefreshShape(Shape):
    starter: TriggeredShape
    queued: bool
    """True when a run was started."""


class RevisionQuery(ByName, Paging):
    limit: int = Field(default=20, ge=1, le=100)


class RevisionById(ByName):
    id: str = Field(min_length=1, max_length=200)


class ActivateBody(Shape):
    name: str = Field(max_length=200)
    id: str = Field(max_length=200)
    expected_revision: str | None = Field(default=None, max_length=200)


class RevisionRequest(Shape):
    route: Literal["triggered", "named"] = "triggered"
    body: dict[str, Any]


class RevisionShape(Shape):
    id: str
    object: Literal["workflow_revision"] = "workflow_revision"
    created: Moment
    workflow: str
    starter: str = STARTER
    available: bool = True
    bound: bool
    """True for the row in force."""
    settings: dict[str, Any]
    request: RevisionRequest
    """The request that makes it."""
    target: dict[str, str] = {"workflow_type": "lbb.values.extract", "version": "v1"}
    activation: int | None = None
    action: Literal["create", "change", "activate", "existing"] | None = None
    activated_at: Moment | None = None
    activated_by: str | None = None
    previous_revision: str | None = None
    source: str | None = None
