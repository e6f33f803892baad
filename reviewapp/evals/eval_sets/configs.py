"""The settings of each type of evaluator, as its file has them under ``evaluatorConfig``."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from reviewapp.domain.eval_sets import FileModel
from reviewapp.evals.eval_sets.criteria import (
    BehaviourCriteria,
    ClassCriteria,
    ContainsCriteria,
    OutputCriteria,
    ToolArgsCriteria,
    ToolCountCriteria,
    ToolOrderCriteria,
    ToolOutputCriteria,
)

CLASS_LIMIT = 2_000
"""Most labels of one evaluator: a matrix has the square of it."""
Averaging = Literal["macro", "micro"]


class Config(FileModel):
    name: str = ""
    """Empty: the type's class name."""
    description: str = ""
    default_evaluation_criteria: Any = None


class OutputConfig(Config):
    target_output_key: str | list[str] = "*"
    line_by_line_evaluator: bool = False
    line_delimiter: str = "\n"


# -- aggregators of exact match ------------------------------------------------------------------------------------


class Precision(FileModel):
    type: Literal["precision"]
    averaging: Averaging


class Recall(FileModel):
    type: Literal["recall"]
    averaging: Averaging


class FScore(FileModel):
    type: Literal["fscore"]
    averaging: Averaging
    f_value: float = Field(default=1.0, gt=0, le=1000)


class Matrix(FileModel):
    type: Literal["confusion_matrix"]


Aggregator = Annotated[Precision | Recall | FScore | Matrix, Field(discriminator="type")]


class ExactMatchConfig(OutputConfig):
    default_evaluation_criteria: OutputCriteria | None = None
    case_sensitive: bool = False
    negated: bool = False
    classes: list[str] | None = Field(default=None, max_length=CLASS_LIMIT)
    aggregators: list[Aggregator] | None = None

    @model_validator(mode="after")
    def _aggregators_have_labels(self) -> ExactMatchConfig:
        if not self.aggregators:
            return self
        hindrances = {
            "they need a list of classes": not self.classes,
            "lineByLineEvaluator leaves them no labels": self.line_by_line_evaluator,
            "labels are compared whatever their case, so caseSensitive does not go with them": self.case_sensitive,
            "negated turns scores round but not labels": self.negated,
            "classes must be unlike each other whatever their case, and neither blank nor padded": _unclear(
                self.classes or []
            ),
        }
        for words, stands in hindrances.items():
            if stands:
                raise ValueError(f"Aggregators cannot be used: {words}.")
        return self


def _unclear(classes: list[str]) -> bool:
    folded = {label.lower() for label in classes}
    return len(folded) < len(classes) or any(label != label.strip() or not label for label in classes)


class ContainsConfig(OutputConfig):
    default_evaluation_criteria: ContainsCriteria | None = None
    case_sensitive: bool = False
    negated: bool = False


class SimilarityConfig(OutputConfig):
    default_evaluation_criteria: OutputCriteria | None = None


class BinaryConfig(OutputConfig):
    default_evaluation_criteria: ClassCriteria | None = None
    positive_class: str
    metric_type: Literal["precision", "recall", "f-score"] = "precision"
    f_value: float = 1.0


class MulticlassConfig(OutputConfig):
    default_evaluation_criteria: ClassCriteria | None = None
    classes: list[str] = Field(max_length=CLASS_LIMIT)
    metric_type: Literal["precision", "recall", "f-score"] = "f-score"
    averaging: Averaging = "macro"
    f_value: float = 1.0


class ToolOrderConfig(Config):
    default_evaluation_criteria: ToolOrderCriteria | None = None
    strict: bool = False


class ToolArgsConfig(Config):
    default_evaluation_criteria: ToolArgsCriteria | None = None
    strict: bool = False
    subset: bool = False
    """Read and without effect: extra arguments of a call never matter."""


class ToolCountConfig(Config):
    default_evaluation_criteria: ToolCountCriteria | None = None
    strict: bool = False


class ToolOutputConfig(Config):
    default_evaluation_criteria: ToolOutputCriteria | None = None
    strict: bool = False


class JudgeSettings(FileModel):
    """What all judges have."""

    model: str = ""
    temperature: float = 0.0
    max_tokens: int | None = None


class OutputJudgeConfig(OutputConfig, JudgeSettings):
    default_evaluation_criteria: OutputCriteria | None = None
    prompt: str = (
        "Compare what an agent gave with what was expected of it, and say how well the two agree in meaning.\n\n"
        "Expected:\n{{ExpectedOutput}}\n\nGiven:\n{{ActualOutput}}"
    )


class StrictOutputJudgeConfig(OutputJudgeConfig):
    prompt: str = (
        "Compare two JSON objects key by key. Begin at 100 and take off in equal parts for every expected key that is "
        "missing or whose value differs.\n\nExpected:\n{{ExpectedOutput}}\n\nGiven:\n{{ActualOutput}}"
    )


class TrajectoryJudgeConfig(Config, JudgeSettings):
    default_evaluation_criteria: BehaviourCriteria | None = None
    prompt: str = (
        "Say how well an agent's run follows the behaviour that was expected of it.\n\n"
        "Its input:\n{{UserOrSyntheticInput}}\n\nExpected behaviour:\n{{ExpectedAgentBehavior}}\n\n"
        "What it did:\n{{AgentRunHistory}}"
    )


class SimulationJudgeConfig(TrajectoryJudgeConfig):
    prompt: str = (
        "Say how well an agent's run with simulated tools follows the behaviour that was expected of it. The tools "
        "were simulated after these instructions:\n{{SimulationInstructions}}\n\n"
        "Its input:\n{{UserOrSyntheticInput}}\n\nExpected behaviour:\n{{ExpectedAgentBehavior}}\n\n"
        "What it did:\n{{AgentRunHistory}}"
    )
