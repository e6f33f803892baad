"""Datasets on the wire."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, StrictBool, StrictFloat, StrictInt, StrictStr

from reviewapp.api.shapes.common import Moment, Paging, Scope, Shape
from reviewapp.domain.datasets import ITEMS_PER_REQUEST
from reviewapp.domain.properties import ValueType
from reviewapp.domain.records import API_TEXT_LIMIT

AnyValue = StrictBool | StrictInt | StrictFloat | StrictStr
Words = Annotated[str, Field(max_length=10_000)]


class ExpectedShape(Shape):
    """A value that a correct run writes, or, in `leave_out`, one that it must not write."""

    property: str = Field(min_length=1, max_length=100)
    value: AnyValue | None
    """Numbers compare as numbers. Null, in `leave_out` only: no value at all."""
    quote: Words | None = None
    stated: Words | None = None
    accept: list[Words] | None = Field(default=None, max_length=200)
    """Spellings that count as right, in lower case; the value itself is then not implied."""
    reason: Words | None = None


class SourceShape(Shape):
    kind: Literal["test", "review", "answer_key"]
    id: str | None = Field(default=None, max_length=200)


class ItemIn(Shape):
    """An item to write."""

    name: str = Field(min_length=1, max_length=200)
    """Unique in the dataset; an item of the same name is replaced in its place."""
    text: str = Field(min_length=1, max_length=API_TEXT_LIMIT)
    iri: str | None = Field(default=None, max_length=2_000)
    case: Words | None = None
    source: SourceShape | None = None
    values: list[ExpectedShape] | None = Field(default=None, max_length=1_000)
    leave_out: list[ExpectedShape] | None = Field(default=None, max_length=1_000)


class InstallShape(Shape):
    properties: dict[str, ValueType] | None = None
    units: dict[str, str] | None = None
    context: str | None = Field(default=None, max_length=10_000)


class DatasetCreate(Shape):
    """Save a test's answers (`source`), or make a dataset of items of your own."""

    name: str = Field(min_length=1, max_length=200)
    kind: Literal["values"] = "values"
    items: list[ItemIn] | None = Field(default=None, max_length=ITEMS_PER_REQUEST)
    install: InstallShape | None = None
    about: list[Words] | None = Field(default=None, max_length=100)
    source: SourceShape | None = None
    """``{"kind": "test", "id": "wtest_…"}``: the first save makes the test's dataset, a later one rewrites it."""


class ItemsPost(Shape):
    id: str = Field(min_length=1, max_length=200)
    items: list[ItemIn] = Field(min_length=1, max_length=ITEMS_PER_REQUEST)


class ItemsRemove(Shape):
    id: str = Field(min_length=1, max_length=200)
    names: list[str] = Field(min_length=1, max_length=ITEMS_PER_REQUEST)


class DatasetQuery(Paging):
    limit: int = Field(default=20, ge=1, le=50)


class DatasetDelete(Scope):
    id: str = Field(min_length=1, max_length=200)


class ItemShape(Shape):
    name: str
    text: str
    iri: str | None = None
    case: str | None = None
    source: SourceShape | None = None
    values: list[ExpectedShape]
    leave_out: list[ExpectedShape]


class DatasetShape(Shape):
    id: str
    object: Literal["eval_dataset"] = "eval_dataset"
    created: Moment
    changed: Moment
    name: str
    kind: Literal["values"] = "values"
    about: list[str]
    install: InstallShape
    item_count: int
    items: list[ItemShape] | None = None
    """In the order they were added; a list of datasets leaves them out."""
    test: str | None = None
    version: int
    """Grows with every change of its items."""


class DatasetDeleted(Shape):
    id: str
    object: Literal["eval_dataset"] = "eval_dataset"
    deleted: Literal[True] = True


class DatasetExport(Shape):
    """The files `records.json` and `expected.json`: same items, same order."""

    records: list[dict[str, Any]]
    expected: dict[str, Any]
