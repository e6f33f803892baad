"""Workflows and their revisions."""

from __future__ import annotations

import builtins
from datetime import datetime
from typing import Annotated, Any, Literal, Self

from pydantic import Field, model_validator

from reviewapp.domain.base import Model, Slug
from reviewapp.domain.ids import content_hash
from reviewapp.domain.properties import Property, PropertyName

DEFAULT_GATE = 0.8
DROP_BELOW = 0.5
"""A value with less support than this is dropped, whatever the gate says."""


class Rules(Model):
    """How this workflow's texts write numbers and dates, where a writing has two readings."""

    decimal_mark: Literal["auto", ".", ","] = "auto"
    """``auto``: what the rest of the text, then of the collection, settles; else the value is unconfirmed."""
    date_order: Literal["auto", "dmy", "mdy", "ymd"] = "auto"
    two_digit_years: int = Field(default=69, ge=0, le=99)
    """Two-digit years up to this one are 20xx, the others 19xx."""


class Evidence(Model):
    """What texts say about their own number and date writing: how many writings allow one reading only.

    Evidence of a text or a whole collection adds up with ``+``.
    """

    decimal_comma: int = 0
    decimal_point: int = 0
    day_first: int = 0
    month_first: int = 0

    def __add__(self, other: Evidence) -> Evidence:
        return Evidence(
            decimal_comma=self.decimal_comma + other.decimal_comma,
            decimal_point=self.decimal_point + other.decimal_point,
            day_first=self.day_first + other.day_first,
            month_first=self.month_first + other.month_first,
        )


class RulesExtractor(Model):
    """The embedded extractor: no model, no network."""

    kind: Literal["rules"] = "rules"
    learnt: dict[str, Any] | None = None
    """Weights and cues fitted from answers (JSON of `extraction.rules`); None: the defaults."""


ExtractorChoice = Annotated[RulesExtractor, Field(description="who reads the text")]


class WorkflowSettings(Model):
    """Everything that decides what a run reads and writes. Equal settings, equal revision."""

    collection: Slug
    properties: tuple[Property, ...] = Field(min_length=1)
    context: str = Field(default="", max_length=10_000)
    """What a reader should know about these texts."""
    gate: float = Field(default=DEFAULT_GATE, ge=DROP_BELOW, le=1)
    """Support from which on a value is written without a person (inclusive)."""
    rules: Rules = Rules()
    extractor: ExtractorChoice = RulesExtractor()

    @model_validator(mode="after")
    def _names_are_unique(self) -> Self:
        names = [p.name for p in self.properties]
        twins = sorted({n for n in names if names.count(n) > 1})
        if twins:
            raise ValueError(f"property names must differ; found twice: {', '.join(map(repr, twins))}")
        return self

    def property(self, name: str) -> Property | None:
        return next((p for p in self.properties if p.name == name), None)

    @builtins.property  # the method above has its plain name here
    def fingerprint(self) -> str:
        """32 hex digits; equal ⇔ same settings. Defaults are left out, so a later version's new field changes none."""
        content = self.model_dump(mode="json", exclude_defaults=True)
        content["extractor"] = {**content.get("extractor", {}), "kind": self.extractor.kind}
        return content_hash(content)


class WorkflowDefinition(Model):
    """What a person writes (YAML, JSON, form) to make or change a workflow."""

    name: Slug
    collection: Slug
    properties: tuple[Property | PropertyName, ...] = ()
    """Whole properties are declared for the collection; a bare name picks a declared one. Empty: all declared."""
    context: str = ""
    gate: float = Field(default=DEFAULT_GATE, ge=DROP_BELOW, le=1)
    rules: Rules = Rules()
    extractor: ExtractorChoice = RulesExtractor()


Action = Literal["create", "change", "activate", "existing"]


class Revision(Model):
    """One state of a workflow, kept for ever."""

    id: str
    """``wrev_`` + 32 hex digits, a hash of workflow name and settings."""
    workflow: Slug
    number: int
    """1, 2, 3 … in the order they were first made."""
    settings: WorkflowSettings
    created: datetime
    created_by: str
    note: str = ""
    """Why it was made."""


class Activation(Model):
    """One row of a workflow's history."""

    number: int
    workflow: Slug
    revision: str
    action: Action
    at: datetime
    by: str
    previous: str | None = None


class Workflow(Model):
    """A named workflow with the revision in use."""

    name: Slug
    collection: Slug
    active: Revision
    created: datetime
    paused: bool = False
    revision_count: int = 1
