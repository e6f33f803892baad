"""What all evaluator types share: criteria or their default, one score a row, errors as records."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar, Generic, TypeVar, cast

from pydantic import ValidationError

from reviewapp.evals.eval_sets.configs import Config
from reviewapp.evals.eval_sets.criteria import Criteria
from reviewapp.evals.eval_sets.faults import Fault, refused, while_scoring
from reviewapp.evals.eval_sets.rows import Row, RowScore, failed

C = TypeVar("C", bound=Config)
T = TypeVar("T", bound=Criteria)


class RowEvaluator(ABC, Generic[C, T]):
    """One evaluator of a project: a type with its settings. Keeps nothing; safe for several threads."""

    type_id: ClassVar[str]
    class_name: ClassVar[str]
    """What an evaluator without a name is called."""
    config_type: ClassVar[type[Config]]
    criteria_type: ClassVar[type[Criteria]]
    takes_expected_output: ClassVar[bool] = False
    """An item's own ``expectedOutput`` stands in where its criteria have none."""
    no_criteria: ClassVar[tuple[str, str]] = (
        "MISSING_EVALUATION_CRITERIA",
        "Evaluation criteria must be provided either in the request or as default in config",
    )
    """Code and words for a row without criteria."""

    def __init__(self, config: C) -> None:
        self.config = config

    @property
    def name(self) -> str:
        return self.config.name

    def evaluate(self, row: Row, criteria: Any) -> RowScore:
        """Score a row. `criteria` are plain JSON; None: the evaluator's default.

        An error while scoring is a record in the score. Raises Fault (stages ``input`` and ``criteria``): the row
        cannot be scored at all.
        """
        _check_output(row.output)
        return self._guarded(row, self._criteria(criteria))

    def reduce(self, scores: Sequence[RowScore]) -> float:
        """One figure for all rows: their mean, 0 where there are none."""
        return sum(score.score for score in scores) / len(scores) if scores else 0.0

    @abstractmethod
    def score(self, row: Row, criteria: T) -> RowScore:
        """May raise anything: it becomes an error record."""

    def _guarded(self, row: Row, criteria: T) -> RowScore:
        try:
            return self.score(row, criteria)
        except Exception as error:
            return failed(while_scoring(error))

    def _criteria(self, given: Any) -> T:
        if given is None:
            given = self.config.default_evaluation_criteria
        if given is None:
            code, words = self.no_criteria
            raise Fault("criteria", words, code=code)
        if type(given) is self.criteria_type:
            return cast("T", given)
        try:
            return cast("T", self.criteria_type.model_validate(given))
        except ValidationError as error:
            raise refused("criteria", error, code="CANNOT_VALIDATE_EVALUATION_CRITERIA") from error


def _check_output(output: Any) -> None:
    if not isinstance(output, dict | str):
        raise Fault(
            "input",
            f"The output is {_KINDS.get(type(output), type(output).__name__)}; an object or a text can be scored.",
            type="ValidationError",
            fields=("workload_output: dict_type", "workload_output.str: string_type"),
        )


_KINDS = {list: "a list", type(None): "null", int: "a number", float: "a number", bool: "true or false"}
