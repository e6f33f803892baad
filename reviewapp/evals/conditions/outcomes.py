"""What a condition makes of a value."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, Literal

OutcomeWord = Literal["passed", "failed", "blocked"]

FAILED = "assertion_failed"
TYPE_ERROR = "type_error"
PATH_NOT_FOUND = "path_not_found"
PATH_TYPE_ERROR = "path_type_error"
INVALID_PATH = "invalid_path"
HANDLE_NOT_FOUND = "output_handle_not_found"
INVALID_REGEX = "invalid_regex"
SCHEMA_INVALID = "schema_invalid"
EXECUTION_ERROR = "execution_error"
BLOCK_FAILED = "block_execution_failed"


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a condition did not pass."""

    code: str
    message: str
    """One sentence."""
    details: dict[str, Any] = field(default_factory=dict)
    """Of a block: `partial_path`, the deepest prefix that is there, and `partial_value`, the value at it."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """Passed, failed or blocked; `failure` is None exactly when passed."""

    outcome: OutcomeWord
    failure: Failure | None = None
    actual: Any = None
    expected: Any = None
    score: float | None = None
    """0..1, of conditions that measure."""
    threshold: float | None = None
    metric: str | None = None

    def at(self, path: str, value: Any) -> Judgement:
        """With the value it was made of; a block that names no place gets this one."""
        failure = self.failure
        if self.outcome == "blocked" and failure is not None and "partial_path" not in failure.details:
            details = {"partial_path": path, "partial_value": value, **failure.details}
            failure = replace(failure, details=details)
        return replace(self, failure=failure, actual=value)


PASSED = Judgement("passed")


def failed(message: str, **details: Any) -> Judgement:
    return Judgement("failed", Failure(FAILED, message, details))


def blocked(code: str, message: str, **details: Any) -> Judgement:
    return Judgement("blocked", Failure(code, message, details))


def decided(holds: bool, message: str, **details: Any) -> Judgement:
    """Passed where it holds, else failed with the message."""
    return PASSED if holds else failed(message, **details)


def measured(score: float, threshold: float, metric: str, what: str) -> Judgement:
    """Passed from the threshold on."""
    told = f"The {what} is {score:.3f}, expected at least {threshold:g}."
    return replace(decided(score >= threshold, told), score=score, threshold=threshold, metric=metric)


NAMES: dict[type, str] = {
    bool: "true or false",
    int: "a number",
    float: "a number",
    str: "a text",
    list: "a list",
    dict: "an object",
    type(None): "null",
}


def kind_of(value: Any) -> str:
    """``a text``, ``null`` …"""
    return NAMES.get(type(value), type(value).__name__)


SHOWN = 80


def shown(value: Any) -> str:
    """A value in a sentence, cut where it is long."""
    import json

    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= SHOWN else f"{text[: SHOWN - 1]}…"


def wrong_type(value: Any, wanted: str) -> Judgement:
    return blocked(TYPE_ERROR, f"The value is {kind_of(value)} ({shown(value)}); expected {wanted}.")
