"""Files of eval-set projects as they are read, and what is known of a project. Files are never written from these
models: unknown fields of an item would be lost (`reviewapp.formats.eval_sets` patches the file's own JSON)."""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError, field_validator, model_validator
from pydantic.alias_generators import to_camel

from reviewapp.domain.base import Model
from reviewapp.domain.misfits import misfits

Dialect = Literal["strict", "package", "old"]
DIALECT_WORDS: dict[Dialect, str] = {
    "strict": "API workflow (strict)",
    "package": "coded agent (package)",
    "old": "old format (read only)",
}
_GUID = re.compile(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")


class FileModel(BaseModel):
    """A part of a project's files: camelCase, snake_case is read too, unknown fields are passed over."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, frozen=True, extra="ignore")


# -- mocking -------------------------------------------------------------------------------------------------------


class Arguments(FileModel):
    """Exactly these, by Python's equality."""

    args: list[Any] = []
    keywords: dict[str, Any] = Field(default={}, alias="kwargs")


class Answer(FileModel):
    type: Literal["return", "raise"]
    value: Any


class Behaviour(FileModel):
    """What a mocked function answers, call by call; the last answer repeats, no answer at all gives null."""

    function: str
    arguments: Arguments | None = None
    """None: any arguments."""
    then: list[Answer]


class Mockito(FileModel):
    type: Literal["mockito"]
    behaviors: list[Behaviour] = Field(alias="config")

    @model_validator(mode="before")
    @classmethod
    def _either_name(cls, given: Any) -> Any:
        if isinstance(given, dict) and "behaviors" in given and "config" not in given:
            return {**given, "config": given["behaviors"]}
        return given


class SimulatedTool(FileModel):
    name: str


class ModelChoice(FileModel):
    model: str
    temperature: float | str | None = None
    max_tokens: int | None = None


class LlmMocks(FileModel):
    type: Literal["llm"]
    prompt: str
    tools_to_simulate: list[SimulatedTool]
    model: ModelChoice | None = None


class UnknownMocks(FileModel):
    """A strategy that cannot be followed. The package drops it and runs the real functions; here the case fails."""

    type: str
    reason: str
    content: dict[str, Any]


Mocks = Mockito | LlmMocks | UnknownMocks
KnownMocks = Annotated[LlmMocks | Mockito, Field(discriminator="type")]
_KNOWN_MOCKS: TypeAdapter[LlmMocks | Mockito] = TypeAdapter(KnownMocks)


def read_mocks(given: dict[str, Any]) -> Mocks:
    """The strategy of an item; `UnknownMocks` where it does not fit its type, with the reason."""
    try:
        return _KNOWN_MOCKS.validate_python(given)
    except ValidationError as error:
        said = "; ".join(f"{found.place or 'mockingStrategy'}: {found.message}" for found in misfits(error, given))
        return UnknownMocks(type=str(given.get("type")), reason=said, content=given)


class UnknownMockingStrategy(FileModel):
    """All that a strategy must have for the file to load; named as the package names it in its errors."""

    type: str


class InputMocks(FileModel):
    prompt: str
    model: ModelChoice | None = None


# -- the eval set --------------------------------------------------------------------------------------------------


class EvaluatorReference(FileModel):
    ref: str
    weight: float = Field(default=1.0, ge=0)


class EvalItem(FileModel):
    id: str
    name: str
    inputs: dict[str, Any]
    expected_output: dict[str, Any] | str | None = None
    evaluation_criterias: dict[str, dict[str, Any] | None]
    expected_agent_behavior: str = ""
    mocking_strategy: Annotated[KnownMocks | UnknownMockingStrategy, Field(union_mode="left_to_right")] | None = None
    """As far as the file must be right to load; `mocks` says why a strategy cannot be followed."""
    input_mocking_strategy: InputMocks | None = None
    raw_mocks: dict[str, Any] | None = Field(default=None, alias="__raw_mocks")

    @model_validator(mode="before")
    @classmethod
    def _keep_mocks(cls, given: Any) -> Any:
        if isinstance(given, dict):
            strategy = given.get("mockingStrategy", given.get("mocking_strategy"))
            if isinstance(strategy, dict):
                return {**given, "__raw_mocks": strategy}
        return given

    @field_validator("id")
    @classmethod
    def _small_guid(cls, given: str) -> str:
        return given.lower() if _GUID.fullmatch(given) else given

    @property
    def mocks(self) -> Mocks | None:
        return None if self.raw_mocks is None else read_mocks(self.raw_mocks)


class ModelSettings(FileModel):
    id: str
    model_name: str
    temperature: float | str | None = None


class MemorySettings(FileModel):
    id: str
    result_count: str = "same-as-agent"
    search_mode: str = "same-as-agent"
    threshold: str = "same-as-agent"


class EvalSet(FileModel):
    id: str
    name: str
    version: Literal["1.0"] = "1.0"
    evaluator_refs: list[str] = []
    evaluator_configs: list[str | EvaluatorReference] = []
    evaluations: list[EvalItem] = []
    model_settings: list[ModelSettings] = []
    agent_memory_enabled: bool = False
    agent_memory_settings: list[MemorySettings] = []

    @property
    def references(self) -> dict[str, float]:
        """What evaluators are run, with their weights. ``evaluatorConfigs`` stands in for ``evaluatorRefs``."""
        if not self.evaluator_configs:
            return dict.fromkeys(self.evaluator_refs, 1.0)
        return {
            one if isinstance(one, str) else one.ref: 1.0 if isinstance(one, str) else one.weight
            for one in self.evaluator_configs
        }


class OldItem(FileModel):
    """Of the old format (no ``version``)."""

    id: str
    name: str
    inputs: dict[str, Any]
    expected_output: dict[str, Any]
    expected_agent_behavior: str = ""
    eval_set_id: str
    created_at: str
    updated_at: str
    simulate_input: bool | None = None
    input_generation_instructions: str | None = None
    simulate_tools: bool | None = None
    simulation_instructions: str | None = None
    tools_to_simulate: list[SimulatedTool] = []


class OldEvalSet(FileModel):
    id: str
    file_name: str
    evaluator_refs: list[str] = []
    evaluator_configs: list[str | EvaluatorReference] = []
    """Read and without effect, as in the package."""
    evaluations: list[OldItem] = []
    name: str
    batch_size: int = 10
    timeout_minutes: int = 20
    model_settings: list[ModelSettings] = []
    agent_memory_enabled: bool = False
    agent_memory_settings: list[MemorySettings] = []
    created_at: str
    updated_at: str

    def renewed(self) -> EvalSet:
        """In the new form: every evaluator gets the item's expectation; simulated tools become ``llm`` mocks."""
        return EvalSet(
            id=self.id,
            name=self.name,
            evaluator_refs=self.evaluator_refs,
            evaluations=[EvalItem.model_validate(self._item(item)) for item in self.evaluations],
        )

    def _item(self, item: OldItem) -> dict[str, Any]:
        criteria = {"expectedOutput": item.expected_output, "expectedAgentBehavior": item.expected_agent_behavior}
        found: dict[str, Any] = {
            "id": item.id,
            "name": item.name,
            "inputs": item.inputs,
            "expectedAgentBehavior": item.expected_agent_behavior,
            "evaluationCriterias": dict.fromkeys(self.evaluator_refs, criteria),
        }
        if item.simulate_input and item.input_generation_instructions:
            found["inputMockingStrategy"] = {"prompt": item.input_generation_instructions}
        if item.simulate_tools:
            found["mockingStrategy"] = {
                "type": "llm",
                "prompt": item.simulation_instructions or "",
                "toolsToSimulate": [{"name": tool.name} for tool in item.tools_to_simulate],
            }
        return found


class EvaluatorFile(FileModel):
    """What every evaluator's file must have, camelCase only; its settings are its type's affair."""

    model_config = ConfigDict(populate_by_name=False)

    version: Literal["1.0"]
    id: str
    evaluator_type_id: str
    evaluator_config: dict[str, Any]
    evaluator_schema: str = ""
    name: Any = None
    description: Any = None
    """These two, where the file has them, stand in for those of its settings, whatever they are."""


class Project(Model):
    """An eval-set project that a workspace knows. The files stay where they are and are read anew for each use."""

    id: str
    """``eproj_`` + 32 hex digits."""
    folder: str
    """Absolute path of the project."""
    name: str
    dialect: Dialect | None = None
    """The person's choice; None: as the files tell."""
    target: str = ""
    """What its sets are run on, as `reviewapp score --target` takes it; empty: not said yet."""
    pattern: str = ""
    """For a command with a log: what finds the output in it."""
    fix: str = ""
    """The command of a loop that mends what fails; empty: none was said."""
    trusted: bool = False
    """Its Python and its commands may run: custom evaluators, command and function targets, the fix of a loop."""


Side = Literal["output", "expectation"]
"""Which of the two is right where a behaviour changed."""


class Settled(Model):
    """A person's word on one row of a run whose behaviour changed."""

    file: str
    item: str
    evaluator: str
    side: Side
    by: str

    @property
    def key(self) -> tuple[str, str, str]:
        return self.file, self.item, self.evaluator
