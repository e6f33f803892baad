"""Models and who chose them."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from reviewapp.api.shapes.common import Moment, Paging, Scope, Shape

Use = Literal["extract", "decide", "embed"]


class Model(Shape):
    """A model; only these three fields."""

    provider: str = Field(min_length=1, max_length=100)
    model: str = Field(min_length=1, max_length=200)
    effort: str | None = Field(default=None, max_length=50)


class ModelChoices(Shape):
    """Models of one test, per use."""

    extract: Model | None = None
    decide: Model | None = None


class ChoicePut(Shape):
    use: Use
    model: Model
    workflow: str | None = Field(default=None, max_length=200)


class ChoiceQuery(Paging):
    workflow: str | None = Field(default=None, max_length=200)
    use: Use | None = None
    limit: int = Field(default=50, ge=1, le=200)


class ChoiceDelete(Scope):
    use: Use
    workflow: str | None = Field(default=None, max_length=200)


class OptionShape(Shape):
    provider: str
    model: str
    label: str
    available: bool
    efforts: list[str] | None = None
    default_effort: str | None = None
    note: str | None = None
    price_in_per_million_usd: float | None = None
    price_out_per_million_usd: float | None = None


class ChoiceShape(Shape):
    id: str
    object: Literal["model_choice"] = "model_choice"
    use: Use
    scope: Literal["environment", "workflow", "test", "unknown"]
    source: Literal["person", "trial", "default", "unknown"]
    choosable: bool
    model: Model | None = None
    default: Model | None = None
    previous: Model | None = None
    graph: str | None = None
    workflow: str | None = None
    since: Moment | None = None
    by: str | None = None
    created: Moment | None = None
    options: list[OptionShape] | None = None


class ChoiceDeleted(Shape):
    id: str
    object: Literal["model_choice"] = "model_choice"
    deleted: Literal[True] = True
