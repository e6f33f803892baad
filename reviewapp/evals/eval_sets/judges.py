"""Evaluators that ask a language model. What asks is handed in; without it every row is an error record."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from reviewapp.evals.eval_sets.base import RowEvaluator
from reviewapp.evals.eval_sets.configs import (
    JudgeSettings,
    OutputJudgeConfig,
    SimulationJudgeConfig,
    StrictOutputJudgeConfig,
    TrajectoryJudgeConfig,
)
from reviewapp.evals.eval_sets.criteria import BehaviourCriteria, OutputCriteria
from reviewapp.evals.eval_sets.faults import Fault
from reviewapp.evals.eval_sets.outputs import ExpectedOutputEvaluator
from reviewapp.evals.eval_sets.rows import Row, RowScore
from reviewapp.evals.eval_sets.traces import run_history
from reviewapp.evals.eval_sets.values import text_form

ACTUAL, EXPECTED = "{{ActualOutput}}", "{{ExpectedOutput}}"
HISTORY, BEHAVIOUR = "{{AgentRunHistory}}", "{{ExpectedAgentBehavior}}"
INPUT, INSTRUCTIONS = "{{UserOrSyntheticInput}}", "{{SimulationInstructions}}"
TALKATIVE = ("claude-haiku-4-5", "claude-sonnet-4-5")
"""Families of models that cannot be asked without a limit of tokens."""
TALKATIVE_TOKENS = 8_000


@dataclass(frozen=True, slots=True)
class JudgeRequest:
    """One question to a model, answered with ``{"score": 0..100, "justification": text}``."""

    model: str
    prompt: str
    temperature: float
    max_tokens: int | None


@dataclass(frozen=True, slots=True)
class JudgeReply:
    """What came back."""

    arguments: Mapping[str, Any] | None = None
    """The answer in fields; None: the model answered in words."""
    text: str | None = None
    choices: int = 1
    """How many answers there are; 0: none."""


Judge = Callable[[JudgeRequest], JudgeReply]
"""May raise: the row is then an error."""
S = TypeVar("S", bound=JudgeSettings)


def no_judge(request: JudgeRequest) -> JudgeReply:
    """Stands where no model was chosen."""
    raise LookupError(
        f"no model was chosen for judges here, {request.model or 'none'!r} is what the evaluator names; choose one in "
        "the settings of models"
    )


class OutputJudge(ExpectedOutputEvaluator[OutputJudgeConfig]):
    """A model says how well output and expectation agree in meaning."""

    type_id = "uipath-llm-judge-output-semantic-similarity"
    class_name = "LLMJudgeOutputEvaluator"
    config_type = OutputJudgeConfig

    def __init__(self, config: OutputJudgeConfig, judge: Judge = no_judge) -> None:
        super().__init__(config)
        self._judge = judge

    def score(self, row: Row, criteria: OutputCriteria) -> RowScore:
        expected, actual = text_form(self.expected(criteria)), text_form(self.actual(row))
        prompt = with_places(self.config.prompt, ACTUAL, EXPECTED).replace(ACTUAL, actual).replace(EXPECTED, expected)
        return _judged(self._judge, self.config, prompt, expected, actual)


class StrictOutputJudge(OutputJudge):
    """The same with another prompt; the penalties per key are asked of the model, not computed."""

    type_id = "uipath-llm-judge-output-strict-json-similarity"
    class_name = "LLMJudgeStrictJSONSimilarityOutputEvaluator"
    config_type = StrictOutputJudgeConfig


class TrajectoryJudge(RowEvaluator[TrajectoryJudgeConfig, BehaviourCriteria]):
    """A model says how well the run follows the expected behaviour."""

    type_id = "uipath-llm-judge-trajectory-similarity"
    class_name = "LLMJudgeTrajectoryEvaluator"
    config_type = TrajectoryJudgeConfig
    criteria_type = BehaviourCriteria
    no_criteria = (
        "NO_EVALUATION_CRITERIA_PROVIDED",
        "No evaluation criteria provided and no default evaluation criteria configured",
    )

    def __init__(self, config: TrajectoryJudgeConfig, judge: Judge = no_judge) -> None:
        super().__init__(config)
        self._judge = judge

    def score(self, row: Row, criteria: BehaviourCriteria) -> RowScore:
        history = run_history(row.trace)
        prompt = with_places(self.config.prompt, HISTORY, BEHAVIOUR)
        for mark, text in (
            (HISTORY, history),
            (BEHAVIOUR, criteria.expected_agent_behavior),
            (INPUT, text_form(row.inputs)),
            (INSTRUCTIONS, row.simulation_instructions),
        ):
            prompt = prompt.replace(mark, text)
        return _judged(self._judge, self.config, prompt, criteria.expected_agent_behavior, history)


class SimulationJudge(TrajectoryJudge):
    """The same for runs with simulated tools."""

    type_id = "uipath-llm-judge-trajectory-simulation"
    class_name = "LLMJudgeTrajectorySimulationEvaluator"
    config_type = SimulationJudgeConfig


def with_places(prompt: str, actual: str, expected: str) -> str:
    """The prompt with a section at its end for either mark that it has no place for."""
    for mark, head, tag in ((actual, "Actual Output", "ActualOutput"), (expected, "Expected Output", "ExpectedOutput")):
        if mark not in prompt:
            prompt += f"\n\n## {head}\n<{tag}>\n{mark}\n</{tag}>"
    return prompt


def _judged(judge: Judge, settings: JudgeSettings, prompt: str, expected: str, actual: str) -> RowScore:
    tokens = settings.max_tokens
    if tokens is None and any(family in settings.model for family in TALKATIVE):
        tokens = TALKATIVE_TOKENS
    try:
        reply = judge(JudgeRequest(settings.model, prompt, settings.temperature, tokens))
    except Exception as error:
        said = f"Model: {settings.model}, Error: {type(error).__name__}: {error}"
        raise Fault("evaluate", said, code="FAILED_TO_GET_LLM_RESPONSE") from error
    score, justification = _read(reply)
    return RowScore(
        max(0.0, min(1.0, round(score / 100.0, 2))),
        {"expected": expected, "actual": actual, "justification": justification},
    )


def _read(reply: JudgeReply) -> tuple[float, str]:
    if not reply.choices:
        raise Fault("evaluate", "The LLM response contained no choices", code="INVALID_LLM_RESPONSE")
    fields = reply.arguments
    if fields is None:
        raise Fault("evaluate", f"Expected tool call but got text response: {reply.text}", code="NO_TOOL_CALL")
    for name in ("score", "justification"):
        if name not in fields:
            raise Fault("evaluate", f"Tool arguments: {dict(fields)}", code=f"MISSING_{name.upper()}")
    try:
        return float(fields["score"]), str(fields["justification"])
    except (TypeError, ValueError) as error:
        said = f"Error: {error}, Arguments: {dict(fields)}"
        raise Fault("evaluate", said, code="INVALID_TOOL_ARGUMENTS") from error
