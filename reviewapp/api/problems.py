"""Errors as the API says them: a status, a type, a code and one sentence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from reviewapp.api.shapes.common import ErrorBody, ErrorEnvelope
from reviewapp.errors import (
    BudgetExceeded,
    Busy,
    Conflict,
    ImportFaults,
    InvalidInput,
    NotAllowed,
    NotFound,
    ReviewappError,
    StaleAnswer,
    StorageError,
    TooLarge,
)

ErrorType = Literal[
    "invalid_request_error", "not_found_error", "auth_error", "rate_limit_error", "routing_error", "api_error"
]
RETRY_WHEN_BUSY_SECONDS = 1


@dataclass(eq=False)
class Problem(Exception):
    """An error on its way out; raised inside the API, made from our own errors by `problem_of`."""

    status: int
    type: ErrorType
    code: str
    message: str
    param: str | None = None
    retryable: bool | None = None
    retry_after_seconds: int | None = None
    retry_at_ms: int | None = None
    details: dict[str, Any] | None = None

    def envelope(self, request_id: str, doc_url: str) -> ErrorEnvelope:
        return ErrorEnvelope(
            error=ErrorBody(
                type=self.type,
                code=self.code,
                message=self.message,
                request_id=request_id,
                doc_url=doc_url,
                param=self.param,
                retryable=self.retryable,
                retry_after_seconds=self.retry_after_seconds,
                retry_at_ms=self.retry_at_ms,
                details=self.details,
            )
        )


STATUS: tuple[tuple[type[ReviewappError], int, ErrorType], ...] = (
    (TooLarge, 413, "invalid_request_error"),
    (InvalidInput, 400, "invalid_request_error"),
    (NotAllowed, 403, "auth_error"),
    (NotFound, 404, "not_found_error"),
    (Conflict, 409, "invalid_request_error"),
    (BudgetExceeded, 429, "rate_limit_error"),
    (Busy, 503, "api_error"),
    (StorageError, 500, "api_error"),
)
"""The first row that fits decides."""


def problem_of(error: ReviewappError) -> Problem:
    """The problem that an error of ours is on the wire."""
    status, kind = next(((s, t) for cls, s, t in STATUS if isinstance(error, cls)), (500, "api_error"))
    return Problem(
        status=status,
        type=kind,
        code=error.code,
        message=error.message,
        param=error.param,
        retry_after_seconds=RETRY_WHEN_BUSY_SECONDS if isinstance(error, Busy) else None,
        retryable=False if isinstance(error, BudgetExceeded) else None,
        retry_at_ms=round(error.retry_at.timestamp() * 1_000) if isinstance(error, BudgetExceeded) else None,
        details=_details(error),
    )


def _details(error: ReviewappError) -> dict[str, Any] | None:
    if isinstance(error, ImportFaults):
        return {"faults": [{"place": f.place, "message": f.message} for f in error.faults]}
    if isinstance(error, StaleAnswer):
        latest = error.latest
        return {
            "by": latest.by,
            "decision": latest.decision,
            "value": latest.value,
            "at": latest.at.isoformat(),
            "version": latest.id,
        }
    return None
