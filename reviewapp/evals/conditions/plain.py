"""Conditions that need nothing but the value: a value in, a judgement out.

A value of a type that a condition cannot look at blocks it.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import Any

from reviewapp.domain import conditions as c
from reviewapp.evals.conditions import outcomes as out
from reviewapp.evals.conditions.equality import lacking, same
from reviewapp.evals.conditions.outcomes import Judgement, blocked, decided, kind_of, shown, wrong_type
from reviewapp.evals.conditions.patterns import MATCH_SECONDS, BadPattern, TooSlow, full_match
from reviewapp.evals.conditions.schemas import SchemaFault, first_misfit
from reviewapp.evals.conditions.scores import overlap, pages_by_name

COMPARE: Mapping[c.Op, Callable[[Any, Any], bool]] = {
    "gt": operator.gt,
    "gte": operator.ge,
    "lt": operator.lt,
    "lte": operator.le,
    "eq": operator.eq,
    "neq": operator.ne,
}


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
