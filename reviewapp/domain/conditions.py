"""Conditions: what a block test asserts of one value of an output.

The names and signs of the public page (`compare`, `validates_json_schema`, ``>=``) are taken; what is kept and answered
are those of its client (`number_compare`, `json_schema_valid`, ``gte``).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, Self

from pydantic import BeforeValidator, ConfigDict, Field, JsonValue, StrictInt, model_validator

from reviewapp.domain.base import Model
from reviewapp.domain.misfits import shown
from reviewapp.domain.plain_json import plain

DEPTH = 20
"""Conditions inside each other."""

Op = Literal["gt", "gte", "lt", "lte", "eq", "neq"]
SIGNS: dict[str, Op] = {">": "gt", ">=": "gte", "<": "lt", "<=": "lte", "==": "eq", "=": "eq", "!=": "neq"}
OP_WORDS: dict[Op, str] = {
    "gt": "greater than",
    "gte": "at least",
    "lt": "less than",
    "lte": "at most",
    "eq": "equal to",
    "neq": "not equal to",
}
OTHER_NAMES = {"compare": "number_compare", "validates_json_schema": "json_schema_valid"}


def _number(value: Any) -> Any:
    """Bools are no numbers and texts are not read as such."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError(f"found {shown(value)}, expected a number")
    return value


def _sign(value: Any) -> Any:
    return SIGNS.get(value, value) if isinstance(value, str) else value


Number = Annotated[int | float, BeforeValidator(_number)]
Operator = Annotated[Op, BeforeValidator(_sign)]
Share = Annotated[float, Field(ge=0, le=1)]


class Exists(Model):
    kind: Literal["exists"]


class NotExists(Model):
    kind: Literal["not_exists"]


class Equals(Model):
    kind: Literal["equals"]
    expected: JsonValue = None


class NotEquals(Model):
    kind: Literal["not_equals"]
    expected: JsonValue = None


class NumberCompare(Model):
    kind: Literal["number_compare"]
    op: Operator
    expected: Number


class Between(Model):
    kind: Literal["between"]
    lower: Number
    upper: Number
    inclusive: bool = True
    """Whether the bounds themselves count; both or neither."""


class Contains(Model):
    kind: Literal["contains"]
    expected: JsonValue = None


class NotContains(Model):
    kind: Literal["not_contains"]
    expected: JsonValue = None


class StartsWith(Model):
    kind: Literal["starts_with"]
    expected: str


class EndsWith(Model):
    kind: Literal["ends_with"]
    expected: str


class MatchesRegex(Model):
    kind: Literal["matches_regex"]
    pattern: str = Field(max_length=10_000)
    """Python's; the whole text must match."""


class ObjectContains(Model):
    kind: Literal["object_contains"]
    expected: dict[str, JsonValue]


class ArrayContains(Model):
    kind: Literal["array_contains"]
    expected: dict[str, JsonValue]


class LengthCompare(Model):
    kind: Literal["length_compare"]
    op: Operator
    expected: StrictInt


class JsonSchemaValid(Model):
    model_config = ConfigDict(validate_by_name=True, validate_by_alias=True)

    kind: Literal["json_schema_valid"]
    json_schema: dict[str, JsonValue] | None = Field(default=None, alias="schema")
    """None: every value is valid."""


class AllItemsMatch(Model):
    kind: Literal["all_items_match"]
    condition: Condition


class AnyItemMatches(Model):
    kind: Literal["any_item_matches"]
    condition: Condition


class SimilarityGte(Model):
    kind: Literal["similarity_gte"]
    reference: JsonValue = None
    threshold: Share
    method: Literal["levenshtein", "embeddings"] = "levenshtein"


class LlmJudgedAs(Model):
    kind: Literal["llm_judged_as"]
    rubric: str = Field(min_length=1, max_length=20_000)
    expected_label: str | None = None
    """The label the model must give; None: that the rubric is met."""


class LlmNotJudgedAs(Model):
    kind: Literal["llm_not_judged_as"]
    rubric: str = Field(min_length=1, max_length=20_000)
    expected_label: str | None = None


class NamedPages(Model):
    """One split: what it is and the pages it takes, counted from 1."""

    name: str
    pages: tuple[StrictInt, ...]


class SplitPayload(Model):
    splits: tuple[NamedPages, ...]


class SplitIouGte(Model):
    kind: Literal["split_iou_gte"]
    expected: SplitPayload
    threshold: Share = 1.0


Plain = (
    Exists
    | NotExists
    | Equals
    | NotEquals
    | NumberCompare
    | Between
    | Contains
    | NotContains
    | StartsWith
    | EndsWith
    | MatchesRegex
    | ObjectContains
    | ArrayContains
    | LengthCompare
    | JsonSchemaValid
    | AllItemsMatch
    | AnyItemMatches
    | SimilarityGte
    | LlmJudgedAs
    | LlmNotJudgedAs
    | SplitIouGte
)


def _own_name(content: Any) -> Any:
    kind = content.get("kind") if isinstance(content, Mapping) else None
    if isinstance(kind, str) and kind in OTHER_NAMES:
        return {**content, "kind": OTHER_NAMES[kind]}
    return content


Condition = Annotated[Plain, Field(discriminator="kind"), BeforeValidator(_own_name)]
KINDS: tuple[str, ...] = tuple(kind.model_fields["kind"].annotation.__args__[0] for kind in Plain.__args__)
"""All 21, as they are kept."""

AllItemsMatch.model_rebuild()
AnyItemMatches.model_rebuild()


class AssertionTarget(Model):
    """Which value of which output."""

    output_handle_id: str = Field(min_length=1, max_length=200)
    path: str | None = Field(default=None, max_length=1_000)
    """Dotted, below the handle's value: keys, and digits for places of a list. Empty or None: the whole value."""


class Assertion(Model):
    """The one thing that a test asserts."""

    id: str | None = Field(default=None, max_length=200)
    """``assert_…``; None where it has not been kept yet."""
    target: AssertionTarget
    condition: Condition
    label: str | None = Field(default=None, max_length=500)

    @model_validator(mode="before")
    @classmethod
    def _can_be_read_back(cls, content: Any) -> Any:
        return plain(content) if isinstance(content, dict) else content

    @model_validator(mode="after")
    def _is_not_too_deep(self) -> Self:
        inner: Any = self.condition
        for _ in range(DEPTH):
            inner = getattr(inner, "condition", None)
            if inner is None:
                return self
        raise ValueError(f"conditions stand in each other more than {DEPTH} deep; flatten them")
