"""What each type of evaluator is to hold the output against; camelCase in files, snake_case is read too."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict

from reviewapp.domain.eval_sets import FileModel


class Criteria(FileModel):
    """Of one evaluator for one item."""


class OutputCriteria(Criteria):
    expected_output: dict[str, Any] | str


class ContainsCriteria(Criteria):
    search_text: str


class ClassCriteria(Criteria):
    expected_class: str


class BehaviourCriteria(Criteria):
    expected_agent_behavior: str


class ToolOrderCriteria(Criteria):
    tool_calls_order: list[str]


class ToolCountCriteria(Criteria):
    tool_calls_count: dict[str, tuple[str, int]]
    """Tool → (operator, number)."""


class ToolCall(BaseModel):
    """A call of a tool, expected or made. Prints as ``ToolCall(name='a', args={}, id=None)``, which details show."""

    model_config = ConfigDict(frozen=True)

    name: str
    args: dict[str, Any]
    id: str | None = None


class ToolOutput(BaseModel):
    """What a tool is to give, or gave."""

    model_config = ConfigDict(frozen=True)

    name: str
    output: str
    id: str | None = None


class ToolArgsCriteria(Criteria):
    tool_calls: list[ToolCall]


class ToolOutputCriteria(Criteria):
    tool_outputs: list[ToolOutput]
