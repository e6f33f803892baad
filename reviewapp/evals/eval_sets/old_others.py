"""The other evaluators of the old format: columns of a CSV, and judges; and which file is which."""

from __future__ import annotations

import csv
import io
import json
import math
from typing import Any, ClassVar, cast

from pydantic import field_validator

from reviewapp.evals.eval_sets.configs import Config
from reviewapp.evals.eval_sets.faults import Fault
from reviewapp.evals.eval_sets.judges import (
    ACTUAL,
    BEHAVIOUR,
    EXPECTED,
    HISTORY,
    Judge,
    JudgeReply,
    JudgeRequest,
    no_judge,
    with_places,
)
from reviewapp.evals.eval_sets.old import (
    WHOLE_SCORE,
    OldConfig,
    OldCriteria,
    OldEquals,
    OldEvaluator,
    OldSimilarity,
    passed,
    read_old,
)
from reviewapp.evals.eval_sets.rows import Row, RowScore
from reviewapp.evals.eval_sets.targets import at_path
from reviewapp.evals.eval_sets.traces import run_history

AGENTS_OWN = "same-as-agent"
"""Names no model: the workspace's choice is asked."""


class ColumnsConfig(OldConfig):
    target_sub_output_key: str
    """Names of columns, parted by commas."""

    @field_validator("target_sub_output_key")
    @classmethod
    def _names_one(cls, given: str) -> str:
        if not given.strip():
            raise ValueError("name at least one column")
        return given


class OldColumns(OldEvaluator):
    """The named columns are equal in the first row of two CSVs; line by line in every row."""

    type_id = "old-csv-columns"
    class_name = "LegacyCSVExactMatchEvaluator"
    config_type: ClassVar[type[Config]] = ColumnsConfig

    def score(self, row: Row, criteria: OldCriteria) -> RowScore:
        given, wanted = self._texts(row, criteria)
        columns = cast("ColumnsConfig", self.config).target_sub_output_key.split(",")
        names = [name.strip() for name in columns if name.strip()]
        if not names:
            raise ValueError("At least one target column must be specified")
        return passed(_first_row(given, names) == _first_row(wanted, names))

    def lines(self, row: Row, criteria: OldCriteria) -> tuple[list[str], list[str]]:
        """With the heads."""
        given, wanted = (
            [line for line in text.split(self.config.line_delimiter) if line.strip()]
            for text in self._texts(row, criteria)
        )
        if not given or not wanted:
            raise ValueError("CSV must contain at least a header row")
        return given, wanted

    def scored_lines(self, lines: list[str]) -> list[str]:
        return lines[1:]

    def as_output(self, line: str, lines: list[str]) -> str:
        return f"{lines[0]}{self.config.line_delimiter}{line}" if line else lines[0]

    def _texts(self, row: Row, criteria: OldCriteria) -> tuple[str, str]:
        target, expected = self.config.target_output_key, criteria.expected_output
        if self.looks_at_a_part and isinstance(expected, dict) and target in expected:
            expected = expected[target]
        return _csv_text(self.actual(row)), _csv_text(expected)


def _csv_text(value: Any) -> str:
    if isinstance(value, dict):
        value = value["content"] if "content" in value else json.dumps(value)
    elif not isinstance(value, str):
        value = str(value)
    text: str = value
    if not text or not text.strip():
        raise ValueError("CSV output is null or empty")
    return text


def _first_row(text: str, columns: list[str]) -> list[str]:
    """What its first row has in these columns, whatever the case of their names. Raises ValueError."""
    try:
        reader = csv.DictReader(io.StringIO(text))
        if reader.fieldnames is None:
            raise ValueError("CSV must contain headers")
        named = {name.lower(): name for name in reader.fieldnames}
        if missing := [column for column in columns if column.lower() not in named]:
            raise ValueError(f"Missing columns: {', '.join(missing)}")
        row = next(reader, None)
    except csv.Error as error:
        raise ValueError(f"Invalid CSV format: {error}") from error
    if row is None:
        raise ValueError("CSV must contain one data row")
    return [(row.get(named[column.lower()]) or "").strip() for column in columns]


# -- judges --------------------------------------------------------------------------------------------------------


class OldJudgeConfig(OldConfig):
    prompt: str
    model: str = AGENTS_OWN


class OldTrajectoryConfig(OldJudgeConfig):
    @field_validator("prompt")
    @classmethod
    def _has_places(cls, given: str) -> str:
        if BEHAVIOUR not in given or HISTORY not in given:
            raise ValueError(f"it needs places for {BEHAVIOUR} and {HISTORY}")
        return given


class OldJudge(OldEvaluator):
    """A model says how well output and expectation agree."""

    type_id = "old-llm-judge"
    class_name = "LegacyLlmAsAJudgeEvaluator"
    config_type: ClassVar[type[Config]] = OldJudgeConfig
    is_boolean = False
    judge: Judge = staticmethod(no_judge)

    def score(self, row: Row, criteria: OldCriteria) -> RowScore:
        actual, expected = (self._part(side) for side in (row.output, criteria.expected_output))
        if _is_empty(expected):
            raise Fault(
                "evaluate",
                "The evaluation criteria must contain a non-empty expected output.",
                code="EMPTY_EXPECTED_OUTPUT",
            )
        prompt = with_places(cast("OldJudgeConfig", self.config).prompt, ACTUAL, EXPECTED)
        return self._judged(prompt.replace(ACTUAL, str(actual)).replace(EXPECTED, str(expected)))

    def _part(self, side: Any) -> Any:
        try:
            return at_path(side, self.config.target_output_key) if self.looks_at_a_part else side
        except (KeyError, IndexError, TypeError):
            return side

    def _judged(self, prompt: str) -> RowScore:
        model = cast("OldJudgeConfig", self.config).model
        reply = self.judge(JudgeRequest("" if model == AGENTS_OWN else model, prompt, 0.0, None))
        score, justification = _read(reply, model)
        return RowScore(score / WHOLE_SCORE, justification, counted=score)


class OldTrajectoryJudge(OldJudge):
    """A model says how well the run follows the expected behaviour."""

    type_id = "old-trajectory-judge"
    class_name = "LegacyTrajectoryEvaluator"
    config_type = OldTrajectoryConfig

    def score(self, row: Row, criteria: OldCriteria) -> RowScore:
        if not criteria.expected_agent_behavior.strip():
            raise Fault(
                "evaluate",
                "The evaluation criteria must contain a non-empty expected agent behavior.",
                code="EMPTY_EXPECTED_AGENT_BEHAVIOR",
            )
        history = run_history(row.trace) if row.trace else "[]"
        prompt = cast("OldJudgeConfig", self.config).prompt.replace(BEHAVIOUR, criteria.expected_agent_behavior)
        return self._judged(prompt.replace(HISTORY, history))


def _read(reply: JudgeReply, model: str) -> tuple[float, str]:
    """(score from 0 to 100, why). Raises ValueError."""
    fields = reply.arguments
    if not reply.choices:
        raise ValueError(f"No choices in response from model {model}")
    if fields is None:
        raise ValueError(f"No tool calls in response from model {model}")
    for name in ("score", "justification"):
        if name not in fields:
            raise ValueError(f"Missing '{name}' in tool call arguments from model {model}")
    given, wanted = fields["score"], f"from model {model}: expected a number between 0 and 100"
    try:
        score = float(given)
    except (TypeError, ValueError) as error:
        raise ValueError(f"Non-numeric score {given!r} in tool call arguments {wanted}") from error
    if not math.isfinite(score) or not 0 <= score <= 100:
        raise ValueError(f"Invalid score {score!r} in tool call arguments {wanted}")
    return score, str(fields["justification"])


def _is_empty(value: Any) -> bool:
    """Nothing, blank text, or an object of nothing but blank texts."""
    if isinstance(value, str):
        return not value.strip()
    if isinstance(value, dict):
        return all(isinstance(inner, str) and not inner.strip() for inner in value.values())
    return value is None or value == []


# -- which is which ------------------------------------------------------------------------------------------------

DETERMINISTIC: dict[Any, type[OldEvaluator]] = {1: OldEquals, 6: OldSimilarity, 10: OldColumns}
"""By type; their category is 0."""
JUDGES: dict[Any, type[OldEvaluator]] = {1: OldJudge, 3: OldTrajectoryJudge}
"""By category, whatever their type."""


def make_old_evaluator(content: Any, *, judge: Judge = no_judge) -> tuple[str, OldEvaluator]:
    """(id, evaluator) out of an old file's JSON. Raises Fault (stage ``load``)."""
    category, number = (content.get(name) if isinstance(content, dict) else None for name in ("category", "type"))
    by_number = category == 0 and not isinstance(number, dict | list)
    kind = DETERMINISTIC.get(number) if by_number else JUDGES.get(category if isinstance(category, int) else None)
    made = read_old(content, kind or OldEquals)
    if kind is None:
        raise Fault(
            "load",
            f"There is no evaluator of the old format with category {category} and type {number}; known are equality "
            "(0, 1), JSON similarity (0, 6), columns of a CSV (0, 10), judges (1) and judges of runs (3).",
            type="ValueError",
        )
    if isinstance(made, OldJudge):
        made.judge = judge
    return content["id"], made
