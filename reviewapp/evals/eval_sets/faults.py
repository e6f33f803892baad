"""What goes wrong around an evaluator, by stage.

========== ==================================================================== ===================================
stage      what                                                                 what follows in a run
========== ==================================================================== ===================================
load       a file that is no eval set, no evaluator                             the set cannot be run
config     an evaluator's settings do not fit its type                          the set cannot be run
input      the output is neither an object nor a text                           the item fails for every evaluator
criteria   the criteria do not fit the evaluator, or there are none             the item fails for every evaluator
evaluate   while scoring: a key is not there, a label is unknown …              score 0 of this evaluator only
========== ==================================================================== ===================================
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from pydantic import ValidationError

from reviewapp.domain.misfits import problem

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

Stage = Literal["load", "config", "input", "criteria", "evaluate"]
EVALUATION_ERROR = "UiPathEvaluationError"
"""The kind of error that carries a code."""
THROWN = "Exception thrown by evaluator: "
"""How the details of an error result begin."""


class Fault(Exception):
    """One thing that went wrong; `message` is what the package says."""

    def __init__(
        self,
        stage: Stage,
        message: str,
        *,
        code: str | None = None,
        type: str = EVALUATION_ERROR,
        fields: Sequence[str] = (),
    ) -> None:
        super().__init__(message)
        self.stage = stage
        self.message = message
        self.code = code
        self.type = type
        self.fields = tuple(fields)
        """``evaluations.0.inputs: missing``: the place of each fault and its kind, where a model refused."""

    @property
    def said(self) -> str:
        """One line with the code: for people and reports."""
        return f"{self.code}: {self.message}" if self.code else f"{self.type}: {self.message}"


def missing_target(error: Exception) -> Fault:
    """A path that leads nowhere, in the actual output or in the expected one."""
    return Fault("evaluate", f"Error: {error}", code="TARGET_OUTPUT_KEY_NOT_FOUND")


def while_scoring(error: Exception) -> Fault:
    """Anything that was raised by scoring: a `Fault` as it is, else under its own kind."""
    if isinstance(error, Fault):
        return error
    return Fault("evaluate", str(error), type=type(error).__name__)


def refused(
    stage: Stage,
    error: ValidationError,
    *,
    code: str | None = None,
    type: str = EVALUATION_ERROR,
    within: Sequence[str] = (),
) -> Fault:
    """What a model refused; `within` are the outer places of the value it was given."""
    errors = error.errors(include_url=False)
    fields = [f"{place(found, within)}: {found['type']}" for found in errors]
    said = "; ".join(f"{place(found, within) or 'the value'}: {problem(found)}" for found in errors)
    return Fault(stage, said, code=code, type=type, fields=fields)


def place(error: ErrorDetails, within: Sequence[str] = ()) -> str:
    """``toolCalls.0.args``; which alternative of a union it was is told only where it is a plain word."""
    return ".".join([*within, *(str(part) for part in error["loc"] if not _is_marker(part))])


def _is_marker(part: int | str) -> bool:
    return isinstance(part, str) and "[" in part
