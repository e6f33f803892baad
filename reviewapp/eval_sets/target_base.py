"""What all targets of eval sets have in common."""

from __future__ import annotations

from typing import Any, Protocol

from reviewapp.domain.evaluations import Execution
from reviewapp.evals.eval_sets.faults import Fault
from reviewapp.evals.eval_sets.values import check_plain
from reviewapp.evals.kernel import Case

SECONDS = 300.0
"""For one item."""
MEGABYTES = 4_096
MOCKS = "mocks"
"""In a case's inputs: its mocking strategy, beside ``inputs``."""
WISH = "wish"
"""In a case's inputs: which inputs a model is to make for it (`made_inputs.InputWish`)."""


class EvalTarget(Protocol):
    """A `Target` of the kernel whose cases' inputs are ``{"inputs": …, "mocks"?: …}``."""

    runs_code: bool
    """Whether running it may change something outside: the user is asked first."""
    reads_inputs: bool
    """Whether its outputs come of the case's inputs."""

    @property
    def fingerprint(self) -> str | None: ...

    def run(self, case: Case) -> Execution: ...

    def close(self) -> None: ...


def checked(execution: Execution) -> Execution:
    """The same with an id for every span, or a failure where output or trace cannot be scored and kept."""
    try:
        check_plain([execution.output, list(execution.trace)])
    except Fault as fault:
        return Execution(failed=f"The output cannot be scored: {fault.message}", milliseconds=execution.milliseconds)
    return execution.model_copy(update={"trace": tuple(map(_with_id, range(len(execution.trace)), execution.trace))})


def _with_id(number: int, span: Any) -> Any:
    """Judges take spans without an id for one where tool and second are the same."""
    if not isinstance(span, dict) or span.get("span_id"):
        return span
    return {**span, "span_id": f"{number + 1:016x}"}
