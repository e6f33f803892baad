"""Which model does what: chosen for a workflow, for the workspace, or by default."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from pydantic import Field

from reviewapp.domain.base import Model
from reviewapp.errors import InvalidInput

Use = Literal["extract", "decide", "embed"]
"""Read values out of a text; judge whether a quote supports a value; compare texts."""
USES: tuple[Use, ...] = ("extract", "decide", "embed")


class ModelName(Model):
    """A model of a provider."""

    provider: str = Field(min_length=1, max_length=100)
    model: str = Field(min_length=1, max_length=200)
    effort: str | None = Field(default=None, max_length=50)

    def __str__(self) -> str:
        return f"{self.provider}/{self.model}"


def model_named(words: str) -> ModelName:
    """``openai/gpt-5-mini``: provider and model. Raises InvalidInput."""
    provider, slash, model = words.partition("/")
    if not slash or not provider or not model:
        raise InvalidInput(
            f"{words!r} is no model; name it as PROVIDER/MODEL, such as openai/gpt-5-mini.", param="model"
        )
    return ModelName(provider=provider, model=model)


class ModelOption(Model):
    """A model that a use can run on here."""

    name: ModelName
    label: str
    available: bool = True
    note: str = ""
    """What it is, or what keeps it from being asked."""
    efforts: tuple[str, ...] = ()
    """How hard it may think; empty: it is not told."""
    input_usd_per_million: float | None = 0.0
    """US dollars per million tokens; None: not known."""
    output_usd_per_million: float | None = 0.0


class ModelChoice(Model):
    """The model of one use in one scope."""

    use: Use
    workflow: str | None
    """None: the choice for the whole workspace."""
    model: ModelName | None
    previous: ModelName | None = None
    by: str | None = None
    since: datetime | None = None
    """None: nobody chose, it is the default."""
    created: datetime | None = None


EMBEDDED: dict[Use, ModelOption] = {
    "extract": ModelOption(
        name=ModelName(provider="embedded", model="rules"),
        label="Embedded rules",
        note="Reads by cues, lines, tables and units; no network, no cost.",
    ),
    "decide": ModelOption(
        name=ModelName(provider="embedded", model="support"),
        label="Embedded support",
        note="Scores how well a quote supports its value; no network, no cost.",
    ),
}
"""What there is without any provider; nothing compares texts by model yet."""
EMBEDDED_PROVIDERS = ("embedded", "program")
"""Names that stand where a provider's does and are none: nobody is asked, nothing is paid."""
