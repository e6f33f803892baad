"""Evaluators of the old format (files without a version): equality and JSON similarity, read only.

Here scores go from 0 to 1, as everywhere else; the package counts them from 0 to 100 and gives no details.
"""

from __future__ import annotations

from typing import Any

from pydantic import ValidationError

from reviewapp.domain.eval_sets import FileModel
from reviewapp.evals.eval_sets.base import RowEvaluator
from reviewapp.evals.eval_sets.configs import Config
from reviewapp.evals.eval_sets.criteria import Criteria
from reviewapp.evals.eval_sets.faults import Fault, refused
from reviewapp.evals.eval_sets.rows import Row, RowScore
from reviewapp.evals.eval_sets.similarity import compare
from reviewapp.evals.eval_sets.strict import strictly_equal
from reviewapp.evals.eval_sets.targets import WHOLE, at_path
from reviewapp.evals.eval_sets.values import as_floats


class OldConfig(Config):
    target_output_key: str = WHOLE


class OldCriteria(Criteria):
    expected_output: dict[str, Any] | str
    expected_agent_behavior: str = ""


class OldEvaluator(RowEvaluator[OldConfig, OldCriteria]):
    config_type = OldConfig
    criteria_type = OldCriteria

    def sides(self, row: Row, criteria: OldCriteria) -> tuple[Any, Any]:
        """(actual, expected) at the target; two empty objects where either side has nothing there."""
        target = self.config.target_output_key
        actual, expected = row.output, criteria.expected_output
        if target not in ("", WHOLE) and isinstance(actual, dict) and isinstance(expected, dict):
            try:
                actual, expected = at_path(actual, target), at_path(expected, target)
            except (KeyError, IndexError, TypeError):
                actual = expected = {}
        return as_floats(actual), as_floats(expected)


class OldEquals(OldEvaluator):
    """The same JSON: numbers by value, true is not 1, texts to the letter."""

    type_id = "old-equals"
    class_name = "LegacyExactMatchEvaluator"

    def score(self, row: Row, criteria: OldCriteria) -> RowScore:
        return RowScore(float(strictly_equal(*self.sides(row, criteria))))


class OldSimilarity(OldEvaluator):
    """Matched share of the expected leaves."""

    type_id = "old-json-similarity"
    class_name = "LegacyJsonSimilarityEvaluator"

    def score(self, row: Row, criteria: OldCriteria) -> RowScore:
        actual, expected = self.sides(row, criteria)
        matched, total = compare(expected, actual)
        return RowScore(max(0.0, min(1.0, matched / total if total else 1.0)))


KINDS: dict[tuple[int, int], type[OldEvaluator]] = {(0, 1): OldEquals, (0, 6): OldSimilarity}
"""(category, type) → what is scored here."""


class OldFile(FileModel):
    id: str
    name: str
    category: int
    type: int
    target_output_key: str = WHOLE
    file_name: str
    created_at: str
    updated_at: str


def make_old_evaluator(content: Any) -> tuple[str, OldEvaluator]:
    """(id, evaluator) out of an old file's JSON. Raises Fault (stage ``load``)."""
    try:
        file = OldFile.model_validate(content)
    except ValidationError as error:
        raise refused("load", error, type="ValidationError") from error
    kind = KINDS.get((file.category, file.type))
    if kind is None:
        raise Fault(
            "load",
            f"Evaluators of the old format with category {file.category} and type {file.type} are not scored here; "
            "equality (0, 1) and JSON similarity (0, 6) are. Bring the file into the new form.",
            type="ValueError",
        )
    return file.id, kind(OldConfig(name=file.name, target_output_key=file.target_output_key))
