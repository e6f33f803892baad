"""The rule of every condition: a value in, a judgement out.

`judge_assertion` walks the path first. Only `exists` and `not_exists` take an absent value; all others are blocked by
it. A value of a type that a condition cannot look at blocks it too.
"""

from __future__ import annotations

import operator
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from reviewapp.domain import conditions as c
from reviewapp.evals.conditions import outcomes as out
from reviewapp.evals.conditions.equality import lacking, same
from reviewapp.evals.conditions.judges import Judges, NotAvailable
from reviewapp.evals.conditions.outcomes import Failure, Judgement, blocked, decided, kind_of, shown, wrong_type
from reviewapp.evals.conditions.paths import ABSENT, Absent, Found, walk
from reviewapp.evals.conditions.patterns import MATCH_SECONDS, BadPattern, TooSlow, full_match
from reviewapp.evals.conditions.schemas import SchemaFault, first_misfit
from reviewapp.evals.conditions.scores import TooLong, overlap, pages_by_name, text_similarity

COMPARE: Mapping[c.Op, Callable[[Any, Any], bool]] = {
    "gt": operator.gt,
    "gte": operator.ge,
    "lt": operator.lt,
    "lte": operator.le,
    "eq": operator.eq,
    "neq": operator.ne,
}
NO_JUDGES = Judges()
UNJUDGED_SECONDS = 3.0
"""Beyond one pattern's own limit, so that a single slow entry does not keep the others from being looked at."""


def judge_assertion(
    outputs: Mapping[str, Any], declared: Mapping[str, Any], assertion: c.Assertion, judges: Judges = NO_JUDGES
) -> Judgement:
    """What an assertion makes of a block's outputs, by handle; `declared` has every handle the block declares."""
    handle, path = assertion.target.output_handle_id, assertion.target.path
    condition = assertion.condition
    expected = expected_of(condition)
    if handle not in declared:
        there = ", ".join(declared) or "none"
        message = f"The block has no output {handle!r}; it declares: {there}."
        return replace(blocked(out.HANDLE_NOT_FOUND, message, partial_path="", partial_value=None), expected=expected)
    return replace(check(outputs.get(handle, ABSENT), path, condition, judges), expected=expected)


def check(output: Any, path: str | None, condition: c.Condition, judges: Judges = NO_JUDGES) -> Judgement:
    """What a condition makes of the value at a path of one output (`ABSENT`: the block gave none)."""
    reached = walk(output, path)
    if isinstance(reached, Found):
        return _of_value(reached.value, condition, judges).at(_spelled(path), reached.value)
    there = {"partial_path": reached.partial_path, "partial_value": reached.partial_value}
    if isinstance(reached, Absent):
        if isinstance(condition, c.NotExists):
            return out.PASSED
        if isinstance(condition, c.Exists):
            return Judgement("failed", Failure(out.FAILED, reached.message, there))
    return Judgement("blocked", Failure(reached.code, reached.message, there))


def _spelled(path: str | None) -> str:
    return path or ""


def expected_of(condition: c.Condition) -> Any:
    """What a condition expects, as plain JSON, for showing beside the actual value."""
    match condition:
        case c.Exists() | c.NotExists():
            return None
        case c.Between():
            return {"lower": condition.lower, "upper": condition.upper, "inclusive": condition.inclusive}
        case c.MatchesRegex():
            return condition.pattern
        case c.JsonSchemaValid():
            return condition.json_schema
        case c.SimilarityGte():
            return condition.reference
        case c.AllItemsMatch() | c.AnyItemMatches():
            return condition.condition.model_dump(mode="json", by_alias=True)
        case c.LlmJudgedAs() | c.LlmNotJudgedAs():
            return condition.expected_label if condition.expected_label is not None else condition.rubric
        case c.SplitIouGte():
            return condition.expected.model_dump(mode="json")
        case _:
            return condition.expected


def _of_value(value: Any, condition: c.Condition, judges: Judges) -> Judgement:
    match condition:
        case c.AllItemsMatch() | c.AnyItemMatches():
            return _of_items(value, condition, judges)
        case c.SimilarityGte():
            return _similar(value, condition, judges)
        case c.LlmJudgedAs() | c.LlmNotJudgedAs():
            return _judged(value, condition, judges)
        case _:
            return RULES[type(condition)](value, condition)


def _exists(_value: Any, _condition: c.Exists) -> Judgement:
    return out.PASSED


def _not_exists(value: Any, _condition: c.NotExists) -> Judgement:
    return out.failed(f"There is a value ({shown(value)}); expected none.")


def _equals(value: Any, condition: c.Equals) -> Judgement:
    return decided(same(value, condition.expected), f"Found {shown(value)}, expected {shown(condition.expected)}.")


def _not_equals(value: Any, condition: c.NotEquals) -> Judgement:
    return decided(not same(value, condition.expected), f"Found {shown(value)}, expected anything else.")


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _number_compare(value: Any, condition: c.NumberCompare) -> Judgement:
    if not _is_number(value):
        return wrong_type(value, "a number")
    holds = COMPARE[condition.op](value, condition.expected)
    return decided(holds, f"{shown(value)} is not {c.OP_WORDS[condition.op]} {condition.expected}.")


def _between(value: Any, condition: c.Between) -> Judgement:
    if not _is_number(value):
        return wrong_type(value, "a number")
    low, high = condition.lower, condition.upper
    holds = low <= value <= high if condition.inclusive else low < value < high
    bounds = "bounds included" if condition.inclusive else "bounds excluded"
    return decided(holds, f"{shown(value)} is not between {low} and {high} ({bounds}).")


def _holds(value: Any, expected: Any) -> bool | Judgement:
    if isinstance(value, list):
        return any(same(item, expected) for item in value)
    if not isinstance(value, str):
        return wrong_type(value, "a text or a list")
    if not isinstance(expected, str):
        message = f"The value is a text, what is sought in it is {kind_of(expected)} ({shown(expected)}), not a text."
        return blocked(out.TYPE_ERROR, message)
    return expected in value


def _contains(value: Any, condition: c.Contains) -> Judgement:
    held = _holds(value, condition.expected)
    if isinstance(held, Judgement):
        return held
    return decided(held, f"{shown(condition.expected)} is not in {shown(value)}.")


def _not_contains(value: Any, condition: c.NotContains) -> Judgement:
    held = _holds(value, condition.expected)
    if isinstance(held, Judgement):
        return held
    return decided(not held, f"{shown(condition.expected)} is in {shown(value)}.")


def _starts_with(value: Any, condition: c.StartsWith) -> Judgement:
    if not isinstance(value, str):
        return wrong_type(value, "a text")
    return decided(value.startswith(condition.expected), f"{shown(value)} does not start so.")


def _ends_with(value: Any, condition: c.EndsWith) -> Judgement:
    if not isinstance(value, str):
        return wrong_type(value, "a text")
    return decided(value.endswith(condition.expected), f"{shown(value)} does not end so.")


def _matches_regex(value: Any, condition: c.MatchesRegex) -> Judgement:
    try:
        if not isinstance(value, str):
            full_match(condition.pattern, "")
            return wrong_type(value, "a text")
        holds = full_match(condition.pattern, value)
    except BadPattern as fault:
        return blocked(out.INVALID_REGEX, f"{condition.pattern!r} is no regular expression: {fault}.")
    except TooSlow:
        message = (
            f"{condition.pattern!r} took longer than {MATCH_SECONDS:g} s on this text; write it without nested repeats."
        )
        return blocked(out.EXECUTION_ERROR, message)
    return decided(holds, f"{shown(value)} as a whole does not match {condition.pattern!r}.")


def _object_contains(value: Any, condition: c.ObjectContains) -> Judgement:
    if not isinstance(value, dict):
        return wrong_type(value, "an object")
    lack = lacking(value, condition.expected)
    return decided(lack is None, f"In the object, {lack}.")


def _array_contains(value: Any, condition: c.ArrayContains) -> Judgement:
    if not isinstance(value, list):
        return wrong_type(value, "a list")
    holds = any(isinstance(item, dict) and lacking(item, condition.expected) is None for item in value)
    return decided(holds, f"None of the {len(value)} entries has all of {shown(condition.expected)}.")


def _length_compare(value: Any, condition: c.LengthCompare) -> Judgement:
    if not isinstance(value, str | list | dict):
        return wrong_type(value, "a text, a list or an object")
    holds = COMPARE[condition.op](len(value), condition.expected)
    return decided(
        holds,
        f"The length is {len(value)}, not {c.OP_WORDS[condition.op]} {condition.expected}.",
        actual_length=len(value),
    )


def _json_schema_valid(value: Any, condition: c.JsonSchemaValid) -> Judgement:
    if condition.json_schema is None:
        return out.PASSED
    try:
        misfit = first_misfit(value, condition.json_schema)
    except SchemaFault as fault:
        return blocked(out.SCHEMA_INVALID, str(fault))
    except TooSlow:
        message = f"The schema took longer than {MATCH_SECONDS:g} s on this value; look at its patterns and references."
        return blocked(out.EXECUTION_ERROR, message)
    return out.PASSED if misfit is None else out.failed(f"The value does not fit the schema: {misfit}.")


def _split_iou_gte(value: Any, condition: c.SplitIouGte) -> Judgement:
    found = pages_by_name(value)
    if found is None:
        return wrong_type(value, 'splits, such as {"splits": [{"name": "invoice", "pages": [1, 2]}]}')
    wanted = pages_by_name(condition.expected.model_dump(mode="json")) or {}
    return out.measured(overlap(found, wanted), condition.threshold, "split_iou", "overlap of the pages")


Rule = Callable[[Any, Any], Judgement]
RULES: Mapping[type, Rule] = {
    c.Exists: _exists,
    c.NotExists: _not_exists,
    c.Equals: _equals,
    c.NotEquals: _not_equals,
    c.NumberCompare: _number_compare,
    c.Between: _between,
    c.Contains: _contains,
    c.NotContains: _not_contains,
    c.StartsWith: _starts_with,
    c.EndsWith: _ends_with,
    c.MatchesRegex: _matches_regex,
    c.ObjectContains: _object_contains,
    c.ArrayContains: _array_contains,
    c.LengthCompare: _length_compare,
    c.JsonSchemaValid: _json_schema_valid,
    c.SplitIouGte: _split_iou_gte,
}
"""Those that need nothing but the value."""


def _of_items(value: Any, condition: c.AllItemsMatch | c.AnyItemMatches, judges: Judges) -> Judgement:
    """One failing item decides `all`, one passing item decides `any`; without one, an item that blocks blocks.

    Once items could not be judged for `UNJUDGED_SECONDS` (slow patterns, judges out of reach) the rest is not tried.
    """
    if not isinstance(value, list):
        return wrong_type(value, "a list")
    every = isinstance(condition, c.AllItemsMatch)
    block: Judgement | None = None
    lost = 0.0
    for place, item in enumerate(value):
        if lost > UNJUDGED_SECONDS:
            break
        begun = time.monotonic()
        inner = _of_value(item, condition.condition, judges)
        if inner.outcome == "blocked":
            lost += time.monotonic() - begun
        if every and inner.outcome == "failed":
            reason = inner.failure.message if inner.failure else ""
            return out.failed(f"Entry {place}: {reason}", index=place, item=item)
        if not every and inner.outcome == "passed":
            return out.PASSED
        if inner.outcome == "blocked" and block is None and inner.failure is not None:
            failure = Failure(
                inner.failure.code, f"Entry {place}: {inner.failure.message}", {"index": place, "item": item}
            )
            block = Judgement("blocked", failure)
    if block is not None:
        return block
    return decided(every, f"None of the {len(value)} entries matches.")


def _similar(value: Any, condition: c.SimilarityGte, judges: Judges) -> Judgement:
    reference = condition.reference
    if isinstance(value, str) != isinstance(reference, str):
        return wrong_type(value, kind_of(reference))
    try:
        score = text_similarity(value, reference, None if condition.method == "levenshtein" else judges.similarity)
    except (NotAvailable, TooLong) as reason:
        return blocked(out.EXECUTION_ERROR, str(reason))
    return out.measured(score, condition.threshold, condition.method, "similarity")


def _judged(value: Any, condition: c.LlmJudgedAs | c.LlmNotJudgedAs, judges: Judges) -> Judgement:
    try:
        given, reason = judges.judge(value, condition.rubric, condition.expected_label)
    except NotAvailable as fault:
        return blocked(out.EXECUTION_ERROR, str(fault))
    wanted = isinstance(condition, c.LlmJudgedAs)
    word = "gave" if given else "did not give"
    return decided(given is wanted, f"The model {word} this judgement: {reason}", reason=reason)
