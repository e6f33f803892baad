"""Evaluators of the old format (files without a version), read only: equality and JSON similarity; how all are read.

Here scores go from 0 to 1, as everywhere else; the package counts them from 0 to 100 (`RowScore.counted`).
"""

from __future__ import annotations

import json
from typing import Any, ClassVar

from pydantic import ValidationError

from reviewapp.domain.eval_sets import FileModel
from reviewapp.evals.eval_sets.base import RowEvaluator
from reviewapp.evals.eval_sets.configs import Config
from reviewapp.evals.eval_sets.criteria import Criteria
from reviewapp.evals.eval_sets.faults import Fault, refused, while_scoring
from reviewapp.evals.eval_sets.lines import by_line, split, wrapped
from reviewapp.evals.eval_sets.rows import Row, RowScore
from reviewapp.evals.eval_sets.similarity import compare, limited
from reviewapp.evals.eval_sets.targets import WHOLE, at_path, attached
from reviewapp.evals.eval_sets.values import as_floats

WHOLE_SCORE = 100.0
"""As the package counts."""


class OldConfig(Config):
    """Out of an old file: its settings stand beside each other, not under one name."""

    target_output_key: str = WHOLE
    line_by_line_evaluation: bool = False
    line_delimiter: str = "\n"


class OldCriteria(Criteria):
    expected_output: Any
    expected_agent_behavior: str


class OldEvaluator(RowEvaluator[OldConfig, OldCriteria]):
    config_type: ClassVar[type[Config]] = OldConfig
    criteria_type = OldCriteria
    is_boolean: ClassVar[bool] = True
    """It passes or fails, with nothing between."""

    def _guarded(self, row: Row, criteria: OldCriteria) -> RowScore:
        if not self.config.line_by_line_evaluation:
            return super()._guarded(row, criteria)
        try:
            given, wanted = self.lines(row, criteria)
        except Exception as error:
            # Raised here, not recorded: what cannot be split fails the whole item.
            fault = while_scoring(error)
            raise Fault("criteria", fault.message, code=fault.code, type=fault.type) from error
        target = self.config.target_output_key

        def score(line: str, partner: str) -> RowScore:
            expected = criteria.model_copy(update={"expected_output": wrapped(self.as_output(partner, wanted), target)})
            output = wrapped(self.as_output(line, given), target)
            return super(OldEvaluator, self)._guarded(Row(output, row.inputs, row.trace), expected)

        summed = by_line(self.scored_lines(given), self.scored_lines(wanted), score, shown=self._shown)
        if self.is_boolean or not summed.lines:
            return summed
        mean = sum(line.counted for line in summed.lines) / len(summed.lines)
        return RowScore(mean / WHOLE_SCORE, summed.details, lines=summed.lines, counted=mean)

    def lines(self, row: Row, criteria: OldCriteria) -> tuple[list[str], list[str]]:
        """(given, wanted)."""
        target, delimiter = self.config.target_output_key, self.config.line_delimiter
        return split(self.actual(row), target, delimiter), split(criteria.expected_output, target, delimiter)

    def scored_lines(self, lines: list[str]) -> list[str]:
        return lines

    def as_output(self, line: str, lines: list[str]) -> str:  # noqa: ARG002 - what heads them may belong to it
        """What a line is scored as."""
        return line

    def actual(self, row: Row) -> Any:
        """What stands under the target's name, else the whole output."""
        target = self.config.target_output_key
        named = target != WHOLE and isinstance(row.output, dict) and target in row.output
        return attached(row.output[target] if named else row.output)

    def _shown(self, scored: RowScore) -> float | bool:
        return scored.score == 1 if self.is_boolean and scored.error is None else scored.counted

    @property
    def looks_at_a_part(self) -> bool:
        return self.config.target_output_key not in ("", WHOLE)


class OldEquals(OldEvaluator):
    """The same JSON text with sorted keys and numbers as floats: true is not 1, 0 is not -0.0. A target that is missing
    on either side compares nothing with nothing."""

    type_id = "old-equals"
    class_name = "LegacyExactMatchEvaluator"

    def score(self, row: Row, criteria: OldCriteria) -> RowScore:
        actual, expected = row.output, criteria.expected_output
        if self.looks_at_a_part and isinstance(actual, dict) and isinstance(expected, dict):
            target = self.config.target_output_key
            actual, expected = _there(actual, target), _there(expected, target)
            if actual is _MISSING or expected is _MISSING:
                actual = expected = {}
        return passed(_canonical(actual) == _canonical(expected))


def _canonical(value: Any) -> str:
    return json.dumps(as_floats(value), sort_keys=True)


class OldSimilarity(OldEvaluator):
    """Matched share of the expected leaves. A target that is missing on one side is an empty object there."""

    type_id = "old-json-similarity"
    class_name = "LegacyJsonSimilarityEvaluator"
    is_boolean = False

    def score(self, row: Row, criteria: OldCriteria) -> RowScore:
        sides = [criteria.expected_output, row.output]
        if self.looks_at_a_part:
            found = [_there(side, self.config.target_output_key) for side in sides]
            sides = [{} if side is _MISSING else side for side in found]
        with limited():
            matched, total = compare(*(as_floats(side) for side in sides))
        counted = max(0.0, min(WHOLE_SCORE, matched / total * WHOLE_SCORE if total else WHOLE_SCORE))
        return RowScore(counted / WHOLE_SCORE, counted=counted)


def passed(holds: bool) -> RowScore:
    return RowScore(float(holds), counted=WHOLE_SCORE * holds)


_MISSING = object()


def _there(value: Any, target: str) -> Any:
    try:
        return at_path(value, target)
    except (KeyError, IndexError, TypeError):
        return _MISSING


class OldFile(FileModel):
    """What every old file has."""

    id: str
    name: str = ""
    category: int
    type: int
    created_at: str
    updated_at: str


def read_old(content: Any, kind: type[OldEvaluator]) -> OldEvaluator:
    """An evaluator of this kind out of an old file's JSON. Raises Fault (stage ``load``)."""
    try:
        file = OldFile.model_validate(content)
        config: Any = kind.config_type.model_validate({**content, "name": file.name})
    except ValidationError as error:
        raise refused("load", error, type="ValidationError") from error
    return kind(config)
