"""From an assertion to a judgement: the path walked, the value judged, alone or entry by entry.

`judge_assertion` walks the path first. Only `exists` and `not_exists` take an absent value; all others are blocked by
it. A value of a type that a condition cannot look at blocks it too.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from reviewapp.domain import conditions as c
from reviewapp.evals.conditions import outcomes as out
from reviewapp.evals.conditions.judges import Judges, NotAvailable
from reviewapp.evals.conditions.outcomes import Failure, Judgement, blocked, decided, kind_of, wrong_type
from reviewapp.evals.conditions.paths import ABSENT, Absent, Found, walk
from reviewapp.evals.conditions.plain import RULES
from reviewapp.evals.conditions.scores import TooLong, text_similarity

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
