"""Evaluators of tool calls: their order, their arguments, their number, what they gave."""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from reviewapp.evals.eval_sets.base import RowEvaluator
from reviewapp.evals.eval_sets.configs import (
    Config,
    ToolArgsConfig,
    ToolCountConfig,
    ToolOrderConfig,
    ToolOutputConfig,
)
from reviewapp.evals.eval_sets.criteria import (
    Criteria,
    ToolArgsCriteria,
    ToolCall,
    ToolCountCriteria,
    ToolOrderCriteria,
    ToolOutput,
    ToolOutputCriteria,
)
from reviewapp.evals.eval_sets.faults import Fault
from reviewapp.evals.eval_sets.rows import Row, RowScore
from reviewapp.evals.eval_sets.traces import tidy, tool_calls, tool_outputs

PAIRS = 4_000_000
"""Most pairs of an expected and an actual call that are compared, a second or so; beyond it the row is an error."""
OPERATORS: Mapping[str, Callable[[int, int], bool]] = {
    ">": operator.gt,
    "<": operator.lt,
    ">=": operator.ge,
    "<=": operator.le,
    "=": operator.eq,
    "==": operator.eq,
    "!=": operator.ne,
}
C = TypeVar("C", bound=Config)
T = TypeVar("T", bound=Criteria)


class ToolEvaluator(RowEvaluator[C, T]):
    no_criteria = (
        "NO_EVALUATION_CRITERIA_PROVIDED",
        "No evaluation criteria provided and no default evaluation criteria configured",
    )


class ToolOrder(ToolEvaluator[ToolOrderConfig, ToolOrderCriteria]):
    """Longest common subsequence of calls and expected names, as a share of the expected."""

    type_id = "uipath-tool-call-order"
    class_name = "ToolCallOrderEvaluator"
    config_type = ToolOrderConfig
    criteria_type = ToolOrderCriteria

    def score(self, row: Row, criteria: ToolOrderCriteria) -> RowScore:
        expected, calls = criteria.tool_calls_order, tool_calls(row.trace, arguments=False)
        found = self._common(expected, calls)
        shown = [call.name if call.id is None else call.id for call in calls]
        value = len(found) / len(expected) if expected and calls else float(not expected and not calls)
        return RowScore(value, {"expected": str(expected), "actual": str(shown), "lcs": found})

    def _common(self, expected: list[str], calls: Sequence[ToolCall]) -> list[str]:
        _check_pairs(len(expected), len(calls))
        # A call with an id is met by that id only, one without by its tidied name.
        wanted = [(name, tidy(name)) for name in expected]
        made = [(call.id, None if call.id is not None else tidy(call.name)) for call in calls]
        if self.config.strict:
            equal = len(wanted) == len(made) and all(_met(*pair) for pair in zip(made, wanted, strict=True))
            return list(expected) if equal else []
        return [expected[number] for number in _longest_common(made, wanted)]


_Made = tuple[str | None, str | None]
_Wanted = tuple[str, str]


def _met(made: _Made, wanted: _Wanted) -> bool:
    id, name = made
    return wanted[0] == id if id is not None else wanted[1] == name


def _longest_common(made: Sequence[_Made], wanted: Sequence[_Wanted]) -> list[int]:
    """Positions in `wanted` of the subsequence found by walking back from the end; a tie steps in `wanted`."""
    lengths = [[0] * (len(wanted) + 1)]
    for call in made:
        before = lengths[-1]
        row = [0]
        for number, name in enumerate(wanted):
            row.append(before[number] + 1 if _met(call, name) else max(before[number + 1], row[-1]))
        lengths.append(row)
    found = []
    i, j = len(made), len(wanted)
    while i and j:
        if _met(made[i - 1], wanted[j - 1]):
            found.append(j - 1)
            i, j = i - 1, j - 1
        elif lengths[i - 1][j] > lengths[i][j - 1]:
            i -= 1
        else:
            j -= 1
    return found[::-1]


class ToolCount(ToolEvaluator[ToolCountConfig, ToolCountCriteria]):
    """Share of the conditions on how often a tool was called that hold."""

    type_id = "uipath-tool-call-count"
    class_name = "ToolCallCountEvaluator"
    config_type = ToolCountConfig
    criteria_type = ToolCountCriteria

    def score(self, row: Row, criteria: ToolCountCriteria) -> RowScore:
        calls = tool_calls(row.trace, arguments=False)
        made = dict(Counter(call.name if call.id is None else call.id for call in calls))
        expected = criteria.tool_calls_count
        told = {"expected": str(expected), "actual": str(made)}
        key = "explained_tool_calls_count"
        if words := _one_empty(expected, made, "tool calls"):
            return RowScore(float(not expected and not made), told | {key: words})
        explained: dict[str, str] = {}
        met = 0
        for name, (sign, wanted) in expected.items():
            number = made.get(name, made.get(tidy(name), 0))
            holds = OPERATORS[sign](number, wanted)
            met += holds
            explained[name] = f"Actual: {number}, Expected: {wanted}, Score: {float(holds)}"
            if self.config.strict and not holds:
                return RowScore(0.0, told | {key: {name: explained[name]}})
        return RowScore(met / len(expected), told | {key: explained})


class ToolArgs(ToolEvaluator[ToolArgsConfig, ToolArgsCriteria]):
    """Share of the expected calls that were made with the expected arguments; further arguments are free."""

    type_id = "uipath-tool-call-args"
    class_name = "ToolCallArgsEvaluator"
    config_type = ToolArgsConfig
    criteria_type = ToolArgsCriteria

    def score(self, row: Row, criteria: ToolArgsCriteria) -> RowScore:
        return _paired(
            criteria.tool_calls,
            tool_calls(row.trace),
            "tool calls",
            looked_at=lambda call: call.args,
            holds=lambda made, wanted: all(name in made and made[name] == value for name, value in wanted.items()),
            key="explained_tool_calls_args",
            strict=self.config.strict,
        )


class ToolOutputs(ToolEvaluator[ToolOutputConfig, ToolOutputCriteria]):
    """Share of the expected outputs that a call of the tool gave, to the letter; `strict` ends at the first that is
    another."""

    type_id = "uipath-tool-call-output"
    class_name = "ToolCallOutputEvaluator"
    config_type = ToolOutputConfig
    criteria_type = ToolOutputCriteria

    def score(self, row: Row, criteria: ToolOutputCriteria) -> RowScore:
        return _paired(
            criteria.tool_outputs,
            tool_outputs(row.trace),
            "tool calls outputs",
            looked_at=lambda call: call.output,
            holds=operator.eq,
            key="explained_tool_calls_outputs",
            strict=self.config.strict,
            at_once=self.config.strict,
        )


Call = TypeVar("Call", ToolCall, ToolOutput)


def _paired(
    expected: Sequence[Call],
    made: Sequence[Call],
    what: str,
    *,
    looked_at: Callable[[Call], Any],
    holds: Callable[[Any, Any], bool],
    key: str,
    strict: bool,
    at_once: bool = False,
) -> RowScore:
    """Every expected call takes the first free one of its tool that holds; what was tried is told under `key`.

    `strict`: all or nothing; `at_once`: ends at the first that does not hold, and tells only that.
    """
    told = {"expected": str(expected), "actual": str(made)}
    if words := _one_empty(expected, made, what):
        return RowScore(float(not expected and not made), told | {key: words})
    _check_pairs(len(expected), len(made))
    explained: dict[str, str] = {}
    used: set[int] = set()
    tried: Counter[str] = Counter()
    for wanted in expected:
        found = False
        for position, call in enumerate(made):
            if position in used or not _same_tool(call, wanted):
                continue
            found = holds(looked_at(call), looked_at(wanted))
            entry = f"{call.name}_{tried[call.name]}"
            tried[call.name] += 1
            explained[entry] = f"Actual: {looked_at(call)}, Expected: {looked_at(wanted)}, Score: {float(found)}"
            if found:
                used.add(position)
                break
            if at_once:
                return RowScore(0.0, told | {key: {entry: explained[entry]}})
        if at_once and not found:
            lacking = f"No matching actual tool call found for expected {wanted.name}"
            return RowScore(0.0, told | {key: {"_result": lacking}})
    share = len(used) / len(expected)
    return RowScore(float(share == 1) if strict else share, told | {key: explained})


def _same_tool(made: ToolCall | ToolOutput, wanted: ToolCall | ToolOutput) -> bool:
    """A call with an id is met by that id, written as the id or as the name; one without by its tidied name."""
    if made.id is not None:
        return made.id == (wanted.name if wanted.id is None else wanted.id)
    return tidy(made.name) == tidy(wanted.name)


def _one_empty(expected: Any, made: Any, what: str) -> dict[str, str] | None:
    if expected and made:
        return None
    both = not expected and not made
    return {"_result": f"{'Both expected and' if both else 'Either expected or'} actual {what} are empty"}


def _check_pairs(expected: int, made: int) -> None:
    if expected * made > PAIRS:
        raise Fault(
            "evaluate",
            f"{expected:,} expected calls and {made:,} made are too many to compare; at most {PAIRS:,} pairs are.",
            type="OverflowError",
        )
