"""What is sent in: bodies and queries. Unknown fields are refused, by name."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal, Self

from pydantic import Field, model_validator

from reviewapp.api.shapes.common import Scope, Shape
from reviewapp.block_tests.hints import OLD_FIELDS, OLD_RUN_FIELDS, hints_for
from reviewapp.domain.base import Slug
from reviewapp.domain.block_tests import BlockScope, RunStepSource, SingleScope, TestName, WorkflowScope
from reviewapp.domain.conditions import Assertion
from reviewapp.domain.plain_json import PlainJson


class BlockTarget(Shape):
    type: Literal["block"] = "block"
    block_id: str = Field(min_length=1, max_length=200)


class ManualSourceBody(Shape):
    type: Literal["manual"]
    handle_inputs: dict[str, PlainJson] | None = None
    """By input handle: `{"type": "json", "data": …}`, `{"type": "file", "document": {…}}`, `{"type": "file",
    "file_id": …}`, or the id of a file, a record's IRI or a `data:` address alone."""


SourceBody = Annotated[ManualSourceBody | RunStepSource, Field(discriminator="type")]


class TestCreate(Shape):
    workflow_id: str = Field(min_length=1, max_length=200)
    target: BlockTarget
    source: SourceBody
    assertion: Assertion
    name: TestName | None = None

    @model_validator(mode="before")
    @classmethod
    def _no_old_fields(cls, content: Any) -> Any:
        return _refuse_old(content, OLD_FIELDS)


class TestUpdate(Shape):
    """What is absent stays as it is."""

    name: TestName | None = None
    assertion: Assertion = Field(default=None, validate_default=False)  # type: ignore[assignment]  # null is refused
    source: SourceBody = Field(default=None, validate_default=False)  # type: ignore[assignment]

    @model_validator(mode="before")
    @classmethod
    def _no_old_fields(cls, content: Any) -> Any:
        return _refuse_old(content, OLD_FIELDS)


class EvalScope(Shape):
    type: Literal["single"]
    eval_id: str = Field(min_length=1, max_length=200)


RunScope = Annotated[SingleScope | WorkflowScope | BlockScope, Field(discriminator="type")]
EvalRunScope = Annotated[EvalScope | WorkflowScope | BlockScope, Field(discriminator="type")]


class RunCreate(Shape):
    workflow_id: str = Field(min_length=1, max_length=200)
    scope: RunScope | None = None
    """Absent: every test of the workflow."""

    @model_validator(mode="before")
    @classmethod
    def _no_old_fields(cls, content: Any) -> Any:
        return _refuse_old(content, OLD_RUN_FIELDS)


class EvalRunCreate(Shape):
    workflow_id: str = Field(min_length=1, max_length=200)
    scope: EvalRunScope | None = None

    @model_validator(mode="before")
    @classmethod
    def _no_old_fields(cls, content: Any) -> Any:
        return _refuse_old(content, OLD_RUN_FIELDS)


class WorkflowRunCreate(Shape):
    """One input: exactly one of `text`, `iri`, `document`, `data`."""

    workflow_id: Slug
    text: str | None = Field(default=None, max_length=4_000_000)
    iri: str | None = Field(default=None, max_length=2_000)
    """Of a record."""
    document: dict[str, PlainJson] | str | None = None
    data: PlainJson = None

    @model_validator(mode="after")
    def _one_input(self) -> Self:
        texts = [name for name in ("text", "iri", "document") if getattr(self, name) is not None]
        found = texts + ["data"] * ("data" in self.model_fields_set)
        if len(found) != 1:
            raise ValueError(f"found {' and '.join(found) or 'no input'}, expected one of text, iri, document and data")
        return self


def _refuse_old(content: Any, old: dict[str, str]) -> Any:
    if isinstance(content, dict) and (hints := hints_for(content, old)):
        raise ValueError("; ".join(hints))
    return content


# -- queries -----------------------------------------------------------------------------------------------------------


class ById(Scope):
    id: str = Field(min_length=1, max_length=200)


class Paging(Scope):
    before: str | None = Field(default=None, max_length=200)
    """Id of an item: the page just before it."""
    after: str | None = Field(default=None, max_length=200)
    """Id of an item: the page just behind it."""
    limit: int = Field(default=50, ge=1, le=100)
    order: Literal["asc", "desc"] = "desc"
    """By creation."""


class TestQuery(Paging):
    workflow_id: str = Field(min_length=1, max_length=200)
    target_block_id: str | None = Field(default=None, max_length=200)


class RunQuery(Paging):
    workflow_id: str | None = Field(default=None, max_length=200)
    test_id: str | None = Field(default=None, max_length=200)
    eval_id: str | None = Field(default=None, max_length=200)
    target_block_id: str | None = Field(default=None, max_length=200)
    status: str | None = Field(default=None, max_length=50)
    statuses: list[str] | None = Field(default=None, max_length=20)
    exclude_status: str | None = Field(default=None, max_length=50)
    trigger_type: str | None = Field(default=None, max_length=50)
    trigger_types: list[str] | None = Field(default=None, max_length=20)
    from_date: datetime | None = None
    to_date: datetime | None = None
    sort_by: Literal["created_at"] = "created_at"


class ResultQuery(Paging):
    run_id: str = Field(min_length=1, max_length=200)
    limit: int = Field(default=20, ge=1, le=100)


class WorkflowQuery(Scope):
    workflow_id: str = Field(min_length=1, max_length=200)
