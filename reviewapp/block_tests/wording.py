"""What a block test asserts, in words: ``total is exactly 100.5``."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, Final

from reviewapp.domain import conditions as c

LONGEST: Final = 60
"""Characters of a value within the words."""
WORDS: Final[dict[str, str]] = {
    "equals": "is exactly",
    "not_equals": "is anything but",
    "exists": "is there",
    "not_exists": "is not there",
    "number_compare gte": "is a number of at least",
    "number_compare lte": "is a number of at most",
    "number_compare gt": "is a number above",
    "number_compare lt": "is a number below",
    "number_compare eq": "is the number",
    "number_compare neq": "is a number other than",
    "between": "is between",
    "contains": "contains",
    "not_contains": "does not contain",
    "starts_with": "starts with",
    "ends_with": "ends with",
    "matches_regex": "as a whole matches the pattern",
    "object_contains": "is an object that has",
    "array_contains": "is a list with an entry that has",
    "length_compare eq": "has the length",
    "length_compare neq": "has a length other than",
    "length_compare gte": "has at least the length",
    "length_compare lte": "has at most the length",
    "length_compare gt": "is longer than",
    "length_compare lt": "is shorter than",
    "json_schema_valid": "fits the schema",
    "all_items_match": "has only entries, each of which",
    "any_item_matches": "has an entry that",
    "similarity_gte": "is like",
    "llm_judged_as": "meets, as a model judges,",
    "llm_not_judged_as": "does not meet, as a model judges,",
    "split_iou_gte": "parts the pages as",
}
"""Kind (and its op) → in words, behind the name of the value."""


def key_of(condition: c.Condition) -> str:
    """In `WORDS`."""
    op = getattr(condition, "op", None)
    return f"{condition.kind} {op}" if op else condition.kind


def in_words(assertion: c.Assertion, say: Callable[[str], str] = str) -> str:
    """`say` brings our own words into another language."""
    target = assertion.target
    return f"{target.path or target.output_handle_id} {_condition(assertion.condition, say)}"


def _condition(condition: c.Condition, say: Callable[[str], str]) -> str:
    return f"{say(WORDS[key_of(condition)])} {_expected(condition, say)}".rstrip()


def _expected(condition: c.Condition, say: Callable[[str], str]) -> str:
    match condition:
        case c.Exists() | c.NotExists():
            return ""
        case c.Between():
            return f"{_shown(condition.lower)} – {_shown(condition.upper)}"
        case c.AllItemsMatch() | c.AnyItemMatches():
            return _condition(condition.condition, say)
        case c.JsonSchemaValid():
            return _shown(condition.json_schema)
        case c.MatchesRegex():
            return _shown(condition.pattern)
        case c.SimilarityGte():
            return f"{_shown(condition.reference)} (≥ {condition.threshold:g})"
        case c.SplitIouGte():
            parts = "; ".join(f"{split.name} {_pages(split.pages)}" for split in condition.expected.splits)
            return f"{_cut(parts)} (≥ {condition.threshold:g})"
        case c.LlmJudgedAs() | c.LlmNotJudgedAs():
            label = condition.expected_label
            return _shown(condition.rubric if label is None else f"{label}: {condition.rubric}")
        case _:
            return _shown(condition.expected)


def _shown(value: Any) -> str:
    return _cut(value if isinstance(value, str) and value.strip() else json.dumps(value, ensure_ascii=False))


def _pages(pages: tuple[int, ...]) -> str:
    return ", ".join(map(str, pages))


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
