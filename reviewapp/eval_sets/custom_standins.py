"""Small stand-ins for the base classes of custom evaluators, where the `uipath` package is not installed.

Enough for evaluators written after the package's guide: generic base, criteria, config, justification, results.
Imports pydantic only; put in place by `custom_child`.
"""

from __future__ import annotations

import sys
import types
from typing import Any, Generic, TypeVar, get_args

from pydantic import BaseModel, ConfigDict
from pydantic.alias_generators import to_camel

T = TypeVar("T")
C = TypeVar("C")
J = TypeVar("J")


class _Camel(BaseModel):
    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True)


class BaseEvaluationCriteria(_Camel):
    pass


class BaseEvaluatorConfig(_Camel, Generic[T]):
    name: str = ""
    description: str = ""
    default_evaluation_criteria: T | None = None


class BaseEvaluatorJustification(BaseModel):
    model_config = ConfigDict(extra="allow")


class BaseEvaluator(Generic[T, C, J]):
    """A custom evaluator derives from ``BaseEvaluator[Criteria, Config, Justification]``."""

    evaluation_criteria_type: type[BaseModel]
    config_type: type[BaseModel]

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        for base in getattr(cls, "__orig_bases__", ()):
            args = get_args(base)
            if len(args) == 3 and isinstance(args[0], type):
                cls.evaluation_criteria_type, cls.config_type = args[0], args[1]

    @classmethod
    def from_file(cls, content: dict[str, Any]) -> BaseEvaluator[Any, Any, Any]:
        made = cls()
        settings = dict(content.get("evaluatorConfig") or {})
        settings |= {key: content[key] for key in ("name", "description") if content.get(key) is not None}
        made.id = content["id"]
        made.evaluator_config = cls.config_type.model_validate(settings)
        made.name = getattr(made.evaluator_config, "name", "") or cls.__name__
        return made

    id: str
    evaluator_config: Any
    name: str

    def validate_justification(self, justification: Any) -> Any:
        return justification

    def validate_evaluation_criteria(self, criteria: Any) -> Any:
        return self.evaluation_criteria_type.model_validate(criteria)

    async def validate_and_evaluate_criteria(self, execution: Any, criteria: Any) -> Any:
        if criteria is None:
            criteria = self.evaluator_config.default_evaluation_criteria
        if isinstance(criteria, dict):
            criteria = self.validate_evaluation_criteria(criteria)
        if criteria is None:
            raise CriteriaMissing("No evaluation criteria provided and no default evaluation criteria configured")
        try:
            result = await self.evaluate(execution, criteria)
        except Exception as error:
            result = ErrorEvaluationResult(details=f"Exception thrown by evaluator: {error}")
        result.evaluation_time = 0.0  # raises for what is no result, as the package does
        return result

    async def evaluate(self, execution: Any, criteria: Any) -> Any:
        raise NotImplementedError


class CriteriaMissing(Exception):
    pass


class WorkloadExecution(BaseModel):
    model_config = ConfigDict(arbitrary_types_allowed=True)

    agent_input: dict[str, Any] | None
    workload_output: dict[str, Any] | str
    workload_trace: list[Any]
    expected_agent_behavior: str | None = None
    simulation_instructions: str = ""


class NumericEvaluationResult(BaseModel):
    score: float
    details: Any = None
    evaluation_time: float | None = None
    score_type: int = 1


class BooleanEvaluationResult(BaseModel):
    score: bool
    details: Any = None
    evaluation_time: float | None = None
    score_type: int = 0


class ErrorEvaluationResult(BaseModel):
    score: float = 0.0
    details: Any = None
    evaluation_time: float | None = None
    score_type: int = 2


class Span:
    """What evaluators look at of an OpenTelemetry span."""

    def __init__(self, name: str, attributes: dict[str, Any], start: int | None, end: int | None) -> None:
        self.name = name
        self.attributes = attributes
        self.start_time = start
        self.end_time = end
        self.parent = None
        self.status = None
        self.context = None


def put_in_place() -> None:
    """Make ``uipath.eval.evaluators`` and ``uipath.eval.models`` importable."""
    here = globals()
    evaluators = (BaseEvaluator, BaseEvaluationCriteria, BaseEvaluatorConfig, BaseEvaluatorJustification)
    models = (WorkloadExecution, NumericEvaluationResult, BooleanEvaluationResult, ErrorEvaluationResult)
    for name, classes in {
        "uipath": (),
        "uipath.eval": (),
        "uipath.eval.evaluators": evaluators,
        "uipath.eval.evaluators.base_evaluator": evaluators,
        "uipath.eval.models": models,
        "uipath.eval.models.models": models,
    }.items():
        module = types.ModuleType(name)
        module.__path__ = []  # a package, so that what is below it is looked for
        for one in classes:
            setattr(module, one.__name__, one)
        if name.startswith("uipath.eval.models"):
            module.EvaluationResult = here["NumericEvaluationResult"]  # type: ignore[attr-defined]
            module.AgentExecution = WorkloadExecution  # type: ignore[attr-defined]
        sys.modules[name] = module
