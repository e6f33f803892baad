"""Evaluators of outputs: exact match, contains, the two classifications; and how all of them go line by line."""

from __future__ import annotations

import marshal
from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, TypeVar

from reviewapp.evals.eval_sets import metrics
from reviewapp.evals.eval_sets.base import RowEvaluator
from reviewapp.evals.eval_sets.configs import (
    BinaryConfig,
    ContainsConfig,
    ExactMatchConfig,
    MulticlassConfig,
    OutputConfig,
)
from reviewapp.evals.eval_sets.criteria import ClassCriteria, ContainsCriteria, Criteria, OutputCriteria
from reviewapp.evals.eval_sets.faults import Fault, while_scoring
from reviewapp.evals.eval_sets.lines import by_line, split, wrapped
from reviewapp.evals.eval_sets.rows import Row, RowScore
from reviewapp.evals.eval_sets.targets import WHOLE, actual_at, expected_at
from reviewapp.evals.eval_sets.values import as_floats, has_long_numbers, surely_differ, text_form

WITHOUT_REFERENCES = 2
"""Version of `marshal` whose bytes tell values and their order, and not which of them are one object."""
C = TypeVar("C", bound=OutputConfig)
T = TypeVar("T", bound=Criteria)


class OutputEvaluator(RowEvaluator[C, T]):
    """Looks at a part of the output, whole or line by line."""

    def actual(self, row: Row) -> Any:
        """The part that is looked at, numbers as floats. Raises Fault."""
        return as_floats(actual_at(row.output, self.config.target_output_key))

    @abstractmethod
    def expected(self, criteria: T) -> Any:
        """What it is held against. Raises Fault."""

    @abstractmethod
    def for_line(self, criteria: T, line: str | dict[str, str]) -> T:
        """The criteria of one line."""

    def _guarded(self, row: Row, criteria: T) -> RowScore:
        target = self.config.target_output_key
        if not self.config.line_by_line_evaluator or not isinstance(target, str):
            return super()._guarded(row, criteria)
        try:
            actual, expected = self.actual(row), self.expected(criteria)
            given, wanted = (split(side, target, self.config.line_delimiter) for side in (actual, expected))
        except Exception as error:
            # Raised here, not recorded: what cannot be split fails the whole item.
            fault = while_scoring(error)
            raise Fault("criteria", fault.message, code=fault.code, type=fault.type) from error

        def score(line: str, partner: str) -> RowScore:
            output = Row(wrapped(line, target), row.inputs, row.trace, row.simulation_instructions)
            return super(OutputEvaluator, self)._guarded(output, self.for_line(criteria, wrapped(partner, target)))

        return by_line(given, wanted, score)


class ExpectedOutputEvaluator(OutputEvaluator[C, OutputCriteria]):
    """Held against an expected output."""

    criteria_type = OutputCriteria
    takes_expected_output = True

    def __init__(self, config: C) -> None:
        super().__init__(config)
        self._takes_whole = config.target_output_key == WHOLE and not config.line_by_line_evaluator

    def expected(self, criteria: OutputCriteria) -> Any:
        return as_floats(expected_at(criteria.expected_output, self.config.target_output_key))

    def for_line(self, criteria: OutputCriteria, line: str | dict[str, str]) -> OutputCriteria:
        return criteria.model_copy(update={"expected_output": line})

    def evaluate(self, row: Row, criteria: Any) -> RowScore:
        # The common case, two whole objects, needs neither criteria models nor targets.
        if type(criteria) is dict and type(row.output) is dict and self._takes_whole:
            expected = criteria.get("expectedOutput")
            if type(expected) is dict and (scored := self.score_whole(row.output, expected)) is not None:
                return scored
        return super().evaluate(row, criteria)

    def score_whole(self, output: dict[str, Any], expected: dict[str, Any]) -> RowScore | None:  # noqa: ARG002
        """The score of two whole objects on the short way; None: the long way is to be gone."""
        return None


class ExactMatch(ExpectedOutputEvaluator[ExactMatchConfig]):
    """1 where the two are equal; texts whatever their case unless `case_sensitive`."""

    type_id = "uipath-exact-match"
    class_name = "ExactMatchEvaluator"
    config_type = ExactMatchConfig

    def score_whole(self, output: dict[str, Any], expected: dict[str, Any]) -> RowScore | None:
        """With no number beyond the exact range of floats, Python's equality is the equality of floats."""
        if self.config.negated:
            return None
        try:
            if output == expected:
                if has_long_numbers(expected):
                    return None
                return RowScore(1.0, lambda: _both_of_equal(output, expected))
            if not surely_differ(output, expected):
                return None
        except (Fault, RecursionError):
            return None
        return RowScore(0.0, lambda: _both(output, expected))

    def score(self, row: Row, criteria: OutputCriteria) -> RowScore:
        actual, expected = self.actual(row), self.expected(criteria)
        shown, wanted = text_form(actual), text_form(expected)
        if isinstance(actual, str) or isinstance(expected, str):
            equal = shown == wanted
            if not equal and not self.config.case_sensitive:
                equal = shown.lower() == wanted.lower()
        else:
            equal = actual == expected
        return RowScore(float(equal != self.config.negated), {"expected": wanted, "actual": shown})


def _both(output: Any, expected: Any) -> dict[str, str]:
    return {"expected": text_form(as_floats(expected)), "actual": text_form(as_floats(output))}


def _both_of_equal(output: Any, expected: Any) -> dict[str, str]:
    """The same; what is alike to the order of its keys is written once."""
    if marshal.dumps(output, WITHOUT_REFERENCES) != marshal.dumps(expected, WITHOUT_REFERENCES):
        return _both(output, expected)
    text = text_form(as_floats(expected))
    return {"expected": text, "actual": text}


class Contains(OutputEvaluator[ContainsConfig, ContainsCriteria]):
    """1 where the text form of the output holds the text that is sought."""

    type_id = "uipath-contains"
    class_name = "ContainsEvaluator"
    config_type = ContainsConfig
    criteria_type = ContainsCriteria

    def expected(self, criteria: ContainsCriteria) -> Any:
        return criteria.search_text

    def for_line(self, criteria: ContainsCriteria, line: str | dict[str, str]) -> ContainsCriteria:  # noqa: ARG002
        return criteria

    def score(self, row: Row, criteria: ContainsCriteria) -> RowScore:
        actual, sought = text_form(self.actual(row)), criteria.search_text
        if not self.config.case_sensitive:
            actual, sought = actual.lower(), sought.lower()
        return RowScore(float((sought in actual) != self.config.negated), {"expected": sought, "actual": actual})


class Classification(OutputEvaluator[C, ClassCriteria]):
    """1 where the label is the expected one, whatever the case."""

    criteria_type = ClassCriteria

    def expected(self, criteria: ClassCriteria) -> Any:  # noqa: ARG002
        """Asked for line by line only, which classifications cannot do."""
        raise Fault("evaluate", "This method was not implemented by the subclass.", code="NOT_IMPLEMENTED")

    def for_line(self, criteria: ClassCriteria, line: str | dict[str, str]) -> ClassCriteria:  # noqa: ARG002
        return criteria

    def check(self, expected: str, predicted: str) -> None:
        """Raises Fault where one of the labels cannot be."""

    def score(self, row: Row, criteria: ClassCriteria) -> RowScore:
        predicted, expected = text_form(self.actual(row)).lower(), criteria.expected_class.lower()
        self.check(expected, predicted)
        return RowScore(float(predicted == expected), {"expected": expected, "actual": predicted})


class BinaryClassification(Classification[BinaryConfig]):
    type_id = "uipath-binary-classification"
    class_name = "BinaryClassificationEvaluator"
    config_type = BinaryConfig

    def check(self, expected: str, predicted: str) -> None:  # noqa: ARG002
        if not self.config.positive_class:
            raise Fault("evaluate", "positive_class must be a non-empty string", code="INVALID_POSITIVE_CLASS")

    def reduce(self, scores: Sequence[RowScore]) -> float:
        figures = metrics.binary(scores, self.config.positive_class, self.config.f_value)
        return figures.named(self.config.metric_type)


class MulticlassClassification(Classification[MulticlassConfig]):
    type_id = "uipath-multiclass-classification"
    class_name = "MulticlassClassificationEvaluator"
    config_type = MulticlassConfig

    def check(self, expected: str, predicted: str) -> None:
        classes = [label.lower() for label in self.config.classes]
        for kind, label in (("Expected", expected), ("Predicted", predicted)):
            if label not in classes:
                raise Fault(
                    "evaluate",
                    f"{kind} class '{label}' is not in the configured classes: {classes}",
                    code=f"INVALID_{kind.upper()}_CLASS",
                )

    def reduce(self, scores: Sequence[RowScore]) -> float:
        settings = self.config
        figures = metrics.multiclass(scores, settings.classes, settings.averaging, settings.f_value)
        return figures.named(settings.metric_type)
