"""Where something stands: spans in a text, regions on a page."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, Self, cast

from pydantic import Field, model_validator

from reviewapp.domain.base import Model


class Span(Model):
    """A piece of a text. For every span shown or exported, ``text[start:end]`` is what it claims."""

    start: int = Field(ge=0)
    """First position, counted in Unicode code points (not bytes, not UTF-16 units)."""
    end: int = Field(ge=0)
    """Position after the last one; ``end > start``."""

    @model_validator(mode="after")
    def _not_empty(self) -> Self:
        if self.end <= self.start:
            raise ValueError(f"span {self.start}:{self.end} is empty; end must be greater than start")
        return self

    def cut(self, text: str) -> str:
        return text[self.start : self.end]


def cut_out(text: str, spans: Iterable[Span]) -> str:
    """The words at these spans, in their order, with an ellipsis between several."""
    return " … ".join(span.cut(text) for span in spans)


MatchMethod = Literal["exact", "normalised", "fuzzy"]
"""How a quote was found: letter for letter; after folding case, white space, quotes, dashes and
hyphens; or with small slips in letters (never in digits, signs, comparisons or negations)."""

Place = tuple[Span, ...]
"""One place where a quote stands: its spans in order; more than one when the quote has an ellipsis."""


class Grounding(Model):
    """Where a quote stands in its text."""

    method: MatchMethod
    place: Place
    """The place that states the value."""
    others: tuple[Place, ...] = ()
    """Further places with the same words, in text order."""
    score: float = Field(ge=0, le=100)
    """100 for exact and normalised; the similarity of a fuzzy match otherwise."""

    @classmethod
    def exact(cls, start: int, end: int) -> Self:
        """One place, letter for letter; checked like any other, but in one call: it is made for nearly every value."""
        made = cls.__pydantic_validator__.validate_python(
            {"method": "exact", "place": ({"start": start, "end": end},), "score": 100.0}
        )
        return cast("Self", made)


class Region(Model):
    """A box on a page; coordinates run from 0 to 1 from the page's top left."""

    page: int = Field(ge=0)
    """Counted from 0."""
    x0: float = Field(ge=0, le=1)
    y0: float = Field(ge=0, le=1)
    x1: float = Field(ge=0, le=1)
    y1: float = Field(ge=0, le=1)
