"""What an evaluator is given and what it gives back."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from reviewapp.evals.eval_sets.faults import THROWN, Fault, while_scoring

ScoreType = Literal[0, 1, 2]
"""0 boolean (old format only), 1 number, 2 error."""


@dataclass(frozen=True, slots=True)
class Row:
    """One execution of the workload, as evaluators see it."""

    output: Any
    """Object or text; anything else is refused."""
    inputs: Any = field(default_factory=dict)
    trace: tuple[Any, ...] = ()
    """Spans as plain JSON (`reviewapp.evals.eval_sets.traces`), in the order they ended."""
    simulation_instructions: str = ""


class RowScore:
    """How one evaluator judged one row.

    `details` may be handed in as something to call: they hold the text forms of both sides, which cost more than the
    comparison, and are then made when somebody looks. What making them raises becomes the score's error (only ever
    beside a score of 0).
    """

    __slots__ = ("_details", "_error", "counted", "lines", "score")

    def __init__(
        self,
        score: float,
        details: Any = None,
        error: Fault | None = None,
        lines: tuple[RowScore, ...] = (),
        counted: float | None = None,
    ) -> None:
        self.score = score
        """0..1; 0 where there is an error."""
        self.counted = score if counted is None else counted
        """What the package's result object has: the old format counts to 100."""
        self._details = details
        self._error = error
        self.lines = lines
        """Of a line-by-line evaluation: the lines' own scores, first line first."""

    @property
    def details(self) -> Any:
        """Plain JSON; the text of the error where there is one."""
        if callable(self._details):
            try:
                self._details = self._details()
            except Exception as error:
                self._error = while_scoring(error)
                self._details = THROWN + self._error.message
        return self._details

    @property
    def error(self) -> Fault | None:
        """What went wrong while scoring; None: nothing."""
        if callable(self._details):
            _ = self.details
        return self._error

    @property
    def score_type(self) -> ScoreType:
        return 1 if self.error is None else 2

    def __repr__(self) -> str:
        return f"RowScore({self.score!r}, {self.details!r})"


def failed(fault: Fault) -> RowScore:
    """The score of a row whose scoring met an error."""
    return RowScore(0.0, THROWN + fault.message, fault)
