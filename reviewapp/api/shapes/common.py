"""What every answer shares."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Any, Generic, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, PlainSerializer, WithJsonSchema


class Shape(BaseModel):
    """A JSON object; unknown fields are refused, NaN and infinity too."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False, use_attribute_docstrings=True)


def _rfc3339(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


Moment = Annotated[
    datetime,
    PlainSerializer(_rfc3339, return_type=str),
    WithJsonSchema({"type": "string", "format": "date-time", "examples": ["2026-11-30T09:30:00.000000Z"]}),
]
"""A time: RFC 3339, UTC, microseconds."""

Row = TypeVar("Row", bound=BaseModel)


class ListOf(BaseModel, Generic[Row]):
    """One page of a list."""

    # Descriptions are written out: pydantic cannot read docstrings of a parametrised class, which has no source.
    model_config = ConfigDict(frozen=True, extra="forbid")

    object: Literal["list"] = "list"
    data: list[Row]
    has_more: bool = Field(description="True when the next page has at least one row.")
    next_cursor: str | None = Field(
        default=None,
        description="Send it as `cursor`, with the same filters, for the next page. Opaque; it survives inserts and "
        "deletes.",
    )


class ErrorBody(Shape):
    """What went wrong."""

    type: Literal[
        "invalid_request_error", "not_found_error", "auth_error", "rate_limit_error", "routing_error", "api_error"
    ]
    code: str
    """A word that programs can rely on."""
    message: str
    """One sentence for people: what was found, what was expected, the way out."""
    request_id: str | None
    """The same as in the header `X-Request-Id` and in the server's log."""
    doc_url: str | None = None
    """Where the reference explains it."""
    param: str | None = None
    """The field that it is about."""
    retryable: bool | None = None
    """False: sending it again will not help."""
    retry_after_seconds: int | None = None
    retry_at_ms: int | None = None
    """When it may work again, milliseconds since 1970."""
    details: dict[str, Any] | None = None
    """Facts that belong to the code."""


class ErrorEnvelope(Shape):
    """The one shape of every error."""

    error: ErrorBody


class Scope(Shape):
    """The query of every call."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    graph: str = "default"
    """The workspace. A write makes it; a read of one that is not there answers 404."""


class ById(Scope):
    id: str = Field(min_length=1, max_length=200)


class ByName(Scope):
    name: str = Field(min_length=1, max_length=200)


class Paging(Scope):
    cursor: str | None = Field(default=None, max_length=2_000)
    """`next_cursor` of the page before."""
