"""Line by line: two texts split, their lines paired by position and scored each for itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from reviewapp.evals.eval_sets.rows import RowScore
from reviewapp.evals.eval_sets.targets import WHOLE
from reviewapp.evals.eval_sets.values import text_form


def split(value: Any, target: str, delimiter: str) -> list[str]:
    """Its lines, without those that are blank; of an object that has the target's name, what stands there."""
    if target not in ("", WHOLE) and isinstance(value, dict) and target in value:
        value = value[target]
    return [line for line in text_form(value).split(delimiter) if line.strip()]


def wrapped(line: str, target: str) -> str | dict[str, str]:
    """A line as the output it stood in."""
    return line if target in ("", WHOLE) else {target: line}


def by_line(
    given: list[str],
    wanted: list[str],
    score: Callable[[str, str], RowScore],
    *,
    shown: Callable[[RowScore], Any] = lambda scored: scored.score,
) -> RowScore:
    """The mean of what `score` gives for each pair; where one side has no more lines its partner is empty.

    `shown`: what stands in the details for a line's score.
    """
    scores, details = [], []
    for number in range(max(len(given), len(wanted))):
        line = given[number] if number < len(given) else ""
        partner = wanted[number] if number < len(wanted) else ""
        scored = score(line, partner)
        scores.append(scored)
        details.append(
            {
                "line_number": number + 1,
                "actual": line,
                "expected": partner,
                "score": shown(scored),
                "details": scored.details,
            }
        )
    return RowScore(
        sum(one.score for one in scores) / len(scores) if scores else 0.0,
        {
            "line_by_line_results": details,
            "total_lines_actual": len(given),
            "total_lines_expected": len(wanted),
            "aggregation_method": "average",
        },
        lines=tuple(scores),
    )
