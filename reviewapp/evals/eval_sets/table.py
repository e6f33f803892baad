"""All evaluator types. A further one is a class and a line here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from reviewapp.domain.eval_sets import EvaluatorFile
from reviewapp.evals.eval_sets.base import RowEvaluator
from reviewapp.evals.eval_sets.faults import Fault, Stage, refused
from reviewapp.evals.eval_sets.judges import (
    Judge,
    OutputJudge,
    SimulationJudge,
    StrictOutputJudge,
    TrajectoryJudge,
    no_judge,
)
from reviewapp.evals.eval_sets.outputs import BinaryClassification, Contains, ExactMatch, MulticlassClassification
from reviewapp.evals.eval_sets.similarity import JsonSimilarity
from reviewapp.evals.eval_sets.tools import ToolArgs, ToolCount, ToolOrder, ToolOutputs

AnyEvaluator = RowEvaluator[Any, Any]

TYPES: Mapping[str, type[AnyEvaluator]] = {
    kind.type_id: kind
    for kind in (
        ExactMatch,
        Contains,
        JsonSimilarity,
        ToolOrder,
        ToolArgs,
        ToolCount,
        ToolOutputs,
        BinaryClassification,
        MulticlassClassification,
        OutputJudge,
        StrictOutputJudge,
        TrajectoryJudge,
        SimulationJudge,
    )
}
CUSTOM = "file://"
"""How the type and the schema of a custom evaluator begin."""


def configured(type_id: str, settings: Any, *, judge: Judge = no_judge, stage: Stage = "config") -> AnyEvaluator:
    """An evaluator out of its settings. Raises Fault."""
    kind = TYPES.get(type_id)
    if kind is None:
        raise _unknown_type(type_id)
    named = {"name": kind.class_name, **settings} if isinstance(settings, dict) else settings
    try:
        config: Any = kind.config_type.model_validate(named)
    except ValidationError as error:
        raise refused(stage, error, code="FAILED_TO_VALIDATE_EVALUATOR_CONFIG") from error
    if issubclass(kind, OutputJudge | TrajectoryJudge):
        return kind(config, judge)
    return kind(config)


def make_evaluator(content: Any, *, judge: Judge = no_judge) -> tuple[str, AnyEvaluator]:
    """(id, evaluator) out of an evaluator file's JSON, for any but custom ones. Raises Fault."""
    head = evaluator_head(content)
    return head.id, configured(head.evaluator_type_id, merged_settings(head), judge=judge, stage="load")


def evaluator_head(content: Any) -> EvaluatorFile:
    """What every evaluator's file has. Raises Fault (stage ``load``)."""
    if isinstance(content, dict) and content.get("version") != "1.0":
        raise Fault(
            "load",
            f'The evaluator\'s version is {content.get("version")!r}; the text "1.0" was expected.',
            code="INVALID_CONFIG_TYPE",
        )
    type_id = content.get("evaluatorTypeId") if isinstance(content, dict) else None
    kind = TYPES.get(type_id) if isinstance(type_id, str) else None
    if isinstance(content, dict) and kind is None and not str(content.get("evaluatorSchema")).startswith(CUSTOM):
        raise _unknown_type(type_id)
    try:
        return EvaluatorFile.model_validate(content)
    except ValidationError as error:
        if kind is not None and isinstance(settings := content.get("evaluatorConfig", {}), dict):
            outer = _outer(content) if "evaluatorConfig" in content else {}
            configured(kind.type_id, {**settings, **outer}, stage="load")  # of several faults, these first
        within = [kind.class_name] if kind else []
        fault = refused("load", error, type="ValidationError", within=within)
        # To the package, settings are a model of their own.
        fault.fields = tuple(
            field.replace("evaluatorConfig: dict_type", "evaluatorConfig: model_type") for field in fault.fields
        )
        raise fault from error


def _unknown_type(type_id: Any) -> Fault:
    known = ", ".join(TYPES)
    return Fault(
        "load",
        f"There is no evaluator type {type_id!r}; known are {known}, and file://… for custom ones.",
        code="INVALID_EVALUATION_CRITERIA_TYPE",
    )


def _outer(content: dict[str, Any]) -> dict[str, Any]:
    return {name: content[name] for name in ("name", "description") if name in content}


def merged_settings(head: EvaluatorFile) -> dict[str, Any]:
    """The settings with the file's own name and description over those inside."""
    return head.evaluator_config | head.model_dump(include={"name", "description"} & head.model_fields_set)
