"""From the results of a set's cases to its report: rows with their verdicts, figures, the package's own shape."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from reviewapp.domain.eval_sets import EvalItem
from reviewapp.domain.evaluations import CaseResult, Score
from reviewapp.eval_sets.cases import criteria_for, named
from reviewapp.eval_sets.judging import OUTSIDE, PackageEvaluator
from reviewapp.eval_sets.loading import LoadedEvaluator, LoadedSet
from reviewapp.eval_sets.made_inputs import inputs_in
from reviewapp.eval_sets.reports import ScoreReport, ScoreRow, Verdict
from reviewapp.evals.eval_sets.faults import Fault
from reviewapp.evals.eval_sets.mismatches import mismatch
from reviewapp.evals.eval_sets.rows import RowScore
from reviewapp.evals.eval_sets.runs import ItemResult, Result, RunSummary, summarise
from reviewapp.evals.eval_sets.strict import strict_verdict, wrapped
from reviewapp.evals.eval_sets.targets import expected_at
from reviewapp.formats.eval_sets.patching import same

PASSES_FROM = 1.0
ROUNDING = 1e-12


def report_of(
    loaded: LoadedSet,
    results: Iterable[CaseResult],
    *,
    target_name: str,
    passes_from: float = PASSES_FROM,
    milliseconds: float = 0,
) -> ScoreReport:
    ordered = sorted(results, key=lambda result: result.position)
    items = loaded.eval_set.evaluations
    rows = [row for result in ordered for row in _rows(loaded, items[result.position], result, passes_from)]
    outcomes = [_outcome(loaded, items[result.position], result) for result in ordered]
    summary = _summary(loaded, outcomes)
    counts = {verdict: sum(row.verdict == verdict for row in rows) for verdict in ("PASS", "FAIL", "ERROR")}
    return ScoreReport(
        eval_set=loaded.eval_set.name,
        id=loaded.eval_set.id,
        file=loaded.document.path.relative_to(loaded.root).as_posix(),
        dialect=loaded.dialect,
        target=target_name,
        rows=tuple(rows),
        passed=counts["PASS"],
        failed=counts["FAIL"],
        errors=counts["ERROR"],
        green=bool(rows) and counts["PASS"] == len(rows),
        evaluator_scores=summary.evaluator_scores,
        final_score=summary.final_score,
        overall_score=summary.overall_score,
        metrics=summary.metrics,
        result=_in_package_shape(loaded, outcomes, summary),
        notes=_notes(rows),
        milliseconds=milliseconds,
    )


def _notes(rows: Iterable[ScoreRow]) -> tuple[str, ...]:
    apart = sum(row.other_dialect is not None for row in rows)
    return (f"{apart} row(s) would come out otherwise in the other dialect.",) if apart else ()


def _rows(loaded: LoadedSet, item: EvalItem, result: CaseResult, passes_from: float) -> Iterable[ScoreRow]:
    strict = loaded.dialect == "strict"
    stopped = _outside(result)
    for name, one in named(loaded).items():
        if not strict and one.key not in item.evaluation_criterias:
            continue
        criteria = criteria_for(item, one, strict) or one.default
        score = result.scores.get(name) or Score(value=0, error=result.execution.failed or "It was not run.")
        if stopped is not None and score.error is None:
            score = Score(value=0, error=f"The item failed as a whole, at evaluator {stopped[0]}: {stopped[1]}")
        verdict: Verdict
        if score.error is not None:
            verdict, why = "ERROR", score.error
        elif score.value >= passes_from - ROUNDING:
            verdict, why = "PASS", None
        else:
            verdict, why = "FAIL", _why(result.execution.output, criteria, one, score)
        inner = score.details.get("details") if isinstance(score.details, dict) else None
        other = None if verdict == "ERROR" else _other_verdict(loaded, one, result.execution.output, criteria, verdict)
        yield ScoreRow(
            id=item.id,
            item=item.name,
            evaluator=one.key,
            evaluator_name=one.name,
            verdict=verdict,
            score=score.value,
            inputs=inputs_in(item.inputs, result.execution.trace),
            actual=result.execution.output,
            expected=expected_of(criteria),
            takes_output="expectedOutput" in (criteria or {}),
            why=why,
            details=inner,
            other_dialect=other,
        )


def _outside(result: CaseResult) -> tuple[str, str] | None:
    """(evaluator, why) of an item that failed though its run did not: the first score that says so."""
    for name, score in result.scores.items():
        if isinstance(score.details, dict) and score.details.get(OUTSIDE):
            return name, score.error or "it cannot be scored"
    return None


def expected_of(criteria: dict[str, Any] | None) -> Any:
    """What a row shows as expected: the expected output where there is nothing else."""
    if criteria is None:
        return None
    return criteria["expectedOutput"] if criteria.keys() == {"expectedOutput"} else criteria


def _why(output: Any, criteria: dict[str, Any] | None, one: LoadedEvaluator, score: Score) -> str:
    expected = (criteria or {}).get("expectedOutput")
    if expected is not None:
        target = one.target if isinstance(one.target, str | list) and one.target else "*"
        try:
            said = mismatch(_at(output, target), _at(expected, target))
        except (Fault, ValueError):  # a path that leads nowhere: the whole is compared instead
            said = mismatch(output, expected)
        if said is not None:
            return said if score.value == 0 else f"score {score.value:.4g}: {said}"
    if score.justification:
        return score.justification
    return f"score {score.value:.4g}"


def _at(value: Any, target: Any) -> Any:
    return expected_at(value, target) if target != "*" else value


def _other_verdict(
    loaded: LoadedSet, one: LoadedEvaluator, output: Any, criteria: dict[str, Any] | None, verdict: Verdict
) -> Verdict | None:
    """Of exact match in the other dialect, where it differs."""
    expected = (criteria or {}).get("expectedOutput")
    if expected is None or one.evaluator is None or one.evaluator.type_id != "uipath-exact-match":
        return None
    try:
        if loaded.dialect == "strict":
            scored = PackageEvaluator(one.evaluator).score(
                {"inputs": {}}, wrapped(output), (), {"expectedOutput": expected}
            )
            other: Verdict = "ERROR" if scored.error else "PASS" if scored.value == 1 else "FAIL"
            other = "FAIL" if other == "ERROR" and verdict == "FAIL" else other
        else:
            other = strict_verdict(output, expected, one.target)
    except Fault:  # nested too deep to be held against each other
        return None
    return other if other != verdict else None


def _outcome(loaded: LoadedSet, item: EvalItem, result: CaseResult) -> ItemResult:
    """In the terms of the package's run: lines beside their evaluator, bare zeros where the item failed."""
    failed = result.execution.failed
    found: list[Result] = []
    for name, one in named(loaded).items():
        score = result.scores.get(name)
        if failed is not None or score is None:
            continue
        if isinstance(score.details, dict) and score.details.get(OUTSIDE):
            failed = score.error or "the item failed"
            continue
        details = score.details or {}
        for number, line in enumerate(details.get("lines", ()), 1):
            part = RowScore(line["score"], line["details"], counted=line.get("counted"))
            found.append(Result(f"{one.key}_line_{number}", f"{one.name} (Line {number})", part, is_line=True))
        found.append(
            Result(one.key, one.name, RowScore(score.value, details.get("details"), counted=details.get("counted")))
        )
    if failed is not None:
        found += [Result(one.key, one.name, RowScore(0.0)) for one in loaded.evaluators]
    return ItemResult(item.id, item.name, tuple(found), failed)


class _Mean:
    """Reduces the scores of evaluators that are none of the thirteen types."""

    config = None

    def __init__(self, name: str) -> None:
        self.name = name

    def reduce(self, scores: Any) -> float:
        return sum(one.score for one in scores) / len(scores) if scores else 0.0


def _summary(loaded: LoadedSet, outcomes: list[ItemResult]) -> RunSummary:
    strict = loaded.dialect == "strict"
    reducers: list[Any] = [
        (one.key, one.evaluator if one.evaluator is not None and not strict else _Mean(one.name))
        for one in loaded.evaluators
    ]
    return summarise(outcomes, reducers, loaded.weights)


def _in_package_shape(loaded: LoadedSet, outcomes: list[ItemResult], summary: RunSummary) -> dict[str, Any]:
    return {
        "evaluationSetName": loaded.eval_set.name,
        "evaluationSetResults": [
            {
                "evaluationName": item.name,
                "evaluationRunResults": [
                    {
                        "evaluatorName": one.evaluator_name,
                        "evaluatorId": one.evaluator_id,
                        "result": {"score": one.score.counted}
                        | ({} if one.score.details is None else {"details": one.score.details}),
                        "isLineResult": one.is_line,
                    }
                    for one in item.results
                ],
            }
            for item in outcomes
        ],
        "datasetEvaluatorResults": summary.metrics,
    }


def stale(before: ScoreReport, after: ScoreReport) -> list[ScoreRow]:
    """Rows that passed before and do not now, because the output changed: the expectation may be out of date."""
    earlier = {(row.id, row.evaluator): row for row in before.rows}
    found = []
    for row in after.rows:
        old = earlier.get((row.id, row.evaluator))
        if old and old.verdict == "PASS" and row.verdict == "FAIL" and not same(old.actual, row.actual):
            found.append(row)
    return found
