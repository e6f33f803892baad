"""Score an eval set: its items on a target, judged by its evaluators, through the kernel."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from reviewapp.domain.evaluations import CaseResult, Execution
from reviewapp.eval_sets.cases import cases_of, evaluators_of_set
from reviewapp.eval_sets.loading import LoadedSet
from reviewapp.eval_sets.made_inputs import InputWish, MakeInputs, span_of
from reviewapp.eval_sets.reporting import PASSES_FROM, report_of
from reviewapp.eval_sets.reports import ScoreReport
from reviewapp.eval_sets.target_base import MOCKS, WISH, EvalTarget, checked
from reviewapp.evals.kernel import Case, Target, evaluate, in_a_line
from reviewapp.mocks import MocksRefused, make_plan


def score_set(
    loaded: LoadedSet,
    target: EvalTarget,
    *,
    target_name: str,
    passes_from: float = PASSES_FROM,
    seen: Callable[[CaseResult], object] = lambda _: None,
    go_on: Callable[[], bool] = lambda: True,
    make_inputs: MakeInputs | None = None,
) -> ScoreReport:
    """Run and judge every item, one after the other; `seen` gets each as it comes. `make_inputs` asks a model for the
    inputs of items that have an ``inputMockingStrategy``; without it these fail.

    Whatever goes wrong in the target or in an evaluator is a row of the report.
    """
    begun = time.perf_counter()
    results: list[CaseResult] = []

    def keep(result: CaseResult) -> None:
        results.append(result)
        seen(result)

    evaluate(cases_of(loaded), guarded(target, make_inputs), evaluators_of_set(loaded), keep=keep, go_on=go_on)
    milliseconds = round((time.perf_counter() - begun) * 1e3, 1)
    return report_of(loaded, results, target_name=target_name, passes_from=passes_from, milliseconds=milliseconds)


class _Guarded:
    """Refuses items whose mocks cannot be followed, or whose inputs cannot be made, before anything runs."""

    def __init__(self, target: EvalTarget, make_inputs: MakeInputs | None) -> None:
        self._target = target
        self._make_inputs = make_inputs
        self.fingerprint = target.fingerprint

    def run(self, case: Case) -> Execution:
        strategy = case.inputs.get(MOCKS)
        if strategy is not None and self._target.runs_code:
            try:
                make_plan(strategy, simulate=_never)
            except MocksRefused as error:
                return Execution(failed=str(error))
        if WISH in case.inputs and self._target.reads_inputs:
            return self._run_with_made(case)
        return checked(self._target.run(case))

    def _run_with_made(self, case: Case) -> Execution:
        if self._make_inputs is None:
            return Execution(
                failed="The item's inputs are to be made by a model, and none was chosen here; choose one, or take "
                "inputMockingStrategy off the item. Nothing was run."
            )
        try:
            inputs = self._make_inputs(InputWish(**case.inputs[WISH]))
        except Exception as error:
            return Execution(failed=f"The item's inputs could not be made: {in_a_line(error)} Nothing was run.")
        done = checked(self._target.run(replace(case, inputs={**case.inputs, "inputs": inputs})))
        return done.model_copy(update={"trace": (span_of(inputs), *done.trace)})


def guarded(target: EvalTarget, make_inputs: MakeInputs | None = None) -> Target:
    """The target, refusing items whose mocks or inputs cannot be followed."""
    return _Guarded(target, make_inputs)


def _never(*_: Any) -> Any:
    raise AssertionError("a plan is only made here, not followed")
