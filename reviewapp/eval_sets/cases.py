"""The cases of an eval set, and its evaluators as the kernel asks them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from reviewapp.domain.eval_sets import EvalItem, InputMocks
from reviewapp.eval_sets.judging import BEHAVIOUR, CustomJudging, FaultyEvaluator, PackageEvaluator, StrictEvaluator
from reviewapp.eval_sets.loading import LoadedEvaluator, LoadedSet
from reviewapp.eval_sets.made_inputs import input_schema
from reviewapp.eval_sets.target_base import MOCKS, WISH
from reviewapp.evals.eval_sets.runs import criteria_of
from reviewapp.evals.kernel import Case, Evaluator


def cases_of(loaded: LoadedSet) -> Iterable[Case]:
    """An item each, with the criteria of every evaluator that judges it."""
    for position, item in enumerate(loaded.eval_set.evaluations):
        inputs: dict[str, Any] = {"inputs": item.inputs, "id": item.id}
        if item.expected_agent_behavior:
            inputs[BEHAVIOUR] = item.expected_agent_behavior
        if item.raw_mocks is not None:
            inputs[MOCKS] = item.raw_mocks
        if item.input_mocking_strategy is not None:
            inputs[WISH] = _wish(loaded, item, item.input_mocking_strategy)
        criteria = {
            name: criteria_for(item, one, loaded.dialect == "strict")
            for name, one in named(loaded).items()
            if loaded.dialect == "strict" or one.key in item.evaluation_criterias
        }
        yield Case(position, item.name, inputs, criteria)


def _wish(loaded: LoadedSet, item: EvalItem, strategy: InputMocks) -> dict[str, Any]:
    """The fields of an `InputWish`."""
    return {
        "prompt": strategy.prompt,
        "model": strategy.model.model if strategy.model else "",
        "schema": input_schema(loaded.root),
        "behaviour": item.expected_agent_behavior,
        "expected": item.evaluation_criterias or item.expected_output,
    }


def criteria_for(item: EvalItem, one: LoadedEvaluator, strict: bool) -> dict[str, Any] | None:
    """The item's own, else what stands in for them; None: there are none."""
    if one.evaluator is not None and not strict:
        return criteria_of(item, one.key, one.evaluator)
    given = item.evaluation_criterias.get(one.key)
    if strict and item.expected_output is not None:
        given = {"expectedOutput": item.expected_output, **(given or {})}
    return given or (one.default if strict else None)


def named(loaded: LoadedSet) -> dict[str, LoadedEvaluator]:
    """Evaluators under names of their own: two files may have one id."""
    found: dict[str, LoadedEvaluator] = {}
    for one in loaded.evaluators:
        name, number = one.key, 2
        while name in found:
            name, number = f"{one.key}#{number}", number + 1
        found[name] = one
    return found


def evaluators_of_set(loaded: LoadedSet) -> dict[str, Evaluator]:
    return {name: _judging(one, loaded.dialect == "strict") for name, one in named(loaded).items()}


def _judging(one: LoadedEvaluator, strict: bool) -> Evaluator:
    if one.fault is not None:
        return FaultyEvaluator(one.fault)
    if one.custom is not None:
        return CustomJudging(one.custom)
    assert one.evaluator is not None  # noqa: S101 - one of the three is there
    return StrictEvaluator(one.target) if strict else PackageEvaluator(one.evaluator)
