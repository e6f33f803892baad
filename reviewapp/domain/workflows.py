"""Workflows and their revisions."""

from __future__ import annotations

import builtins
from datetime import datetime
from typing import Annotated, Any, Literal, Self

from pydantic import Field, model_validator

from reviewapp.domain.base import Model, Slug
from reviewapp.domain.blocks import EXTRACT, Block, ExtractBlock, check_line
from reviewapp.domain.choices import ModelName
from reviewapp.domain.ids import content_hash
from reviewapp.domain.properties import Property, PropertyName

DEFAULT_GATE = 0.8
DROP_BELOW = 0.5
"""A value with less support than this is dropped, whatever the gate says."""
Gate = Annotated[float, Field(ge=DROP_BELOW, le=1)]
"""Support from which on a value is written without a person (inclusive)."""


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
    learnt_from: tuple[str, ...] = ()
    """First 16 hex digits of the hashes of the texts it learnt from: whoever grades it leaves those out."""


class ModelExample(Model):
    """A text and what to read in it, shown to a model."""

    text: str = Field(min_length=1, max_length=20_000)
    readings: tuple[dict[str, str], ...]
    """Each ``{"property": …, "value": …, "quote": …}``; the quote stands in the text word for word."""


class ModelExtractor(Model):
    """A language model reads; needs the extra ``models`` (docs/models.md)."""

    kind: Literal["model"] = "model"
    model: ModelName | None = None
    """None: the one chosen for use ``extract``; a test's settings always name one."""
    instructions: str = Field(default="", max_length=20_000)
    """What the model is told beside the properties and the workflow's context."""
    examples: tuple[ModelExample, ...] = Field(default=(), max_length=20)
    temperature: float | None = Field(default=None, ge=0, le=2)
    """None: the provider's default; some models take no other."""
    part_characters: int = Field(default=24_000, ge=500, le=400_000)
    """A longer text is read in parts of at most so many characters."""
    overlap_characters: int = Field(default=400, ge=0, le=10_000)
    """What two neighbouring parts have in common."""
    output_tokens: int = Field(default=4_096, ge=16, le=128_000)
    """Most tokens of one reply."""
    tries: int = Field(default=2, ge=1, le=10)
    """Replies asked for until one can be used. An overloaded provider is asked again beside that."""

    @model_validator(mode="after")
    def _overlap_is_smaller_than_a_part(self) -> Self:
        if self.overlap_characters * 2 >= self.part_characters:
            raise ValueError("overlap_characters must be less than half of part_characters")
        return self


class ProgramLimits(Model):
    """How much a program of one's own may take for one text."""

    seconds: float = Field(default=60, gt=0, le=3_600)
    """Wall-clock time; then the program and all it started are ended."""
    megabytes: int = Field(default=2_048, ge=16, le=1_048_576)
    """Memory of its data (10⁶ bytes)."""


class CommandExtractor(ProgramLimits):
    """Any program: one JSON document on stdin, one on stdout (docs/programs.md)."""

    kind: Literal["command"] = "command"
    command: tuple[str, ...] = Field(min_length=1, max_length=100)
    """Program and arguments; no shell stands between."""
    keep_running: bool = False
    """False: started anew for every text. True: one JSON line in, one out, for as long as the test runs."""


class PythonExtractor(ProgramLimits):
    """A function of one's own, in a process of its own that stays for the test (docs/programs.md)."""

    kind: Literal["python"] = "python"
    function: str = Field(max_length=300)
    """``package.module:function``; it takes the request as a dict and returns the reply."""

    @model_validator(mode="after")
    def _names_a_function(self) -> Self:
        module, colon, name = self.function.partition(":")
        if not (colon and name.isidentifier() and all(part.isidentifier() for part in module.split("."))):
            raise ValueError(f"found {self.function!r}, expected package.module:function")
        return self


class ReplayExtractor(Model):
    """What another system read, brought in as a file; only a test's settings hold it."""

    kind: Literal["replay"] = "replay"
    source: str = Field(max_length=200)
    """Name of the file, without its folder."""
    import_id: str
    """``rply_`` + 32 hex digits, a hash of what was brought in."""


ExtractorChoice = Annotated[
    RulesExtractor | ModelExtractor | CommandExtractor | PythonExtractor | ReplayExtractor,
    Field(discriminator="kind", description="who reads the text"),
]
RUNS_PROGRAMS: tuple[str, ...] = ("command", "python")
"""Extractors that run what the workflow names: for those only who may run programs on the server anyway."""


class WorkflowSettings(Model):
    """Everything that decides what a run reads and writes. Equal settings, equal revision."""

    collection: Slug
    properties: tuple[Property, ...]
    """At least one, but for a line of blocks that reads none."""
    context: str = Field(default="", max_length=10_000)
    """What a reader should know about these texts."""
    gate: Gate = DEFAULT_GATE
    gates: dict[str, Gate] = {}
    """Of single properties, in place of `gate`."""
    rules: Rules = Rules()
    extractor: ExtractorChoice = RulesExtractor()
    decide: ModelName | None = None
    """The model that judges how well quotes support their values; None: the embedded score alone."""
    blocks: tuple[Block, ...] = Field(default=(), max_length=50)
    """The steps, in order; empty: one `extract` block that reads all properties."""

    @model_validator(mode="after")
    def _blocks_make_a_line(self) -> Self:
        check_line(self.blocks, self.properties)
        if not self.properties and any(isinstance(block, ExtractBlock) for block in self.line):
            raise ValueError("properties must name at least one thing to read")
        return self

    @model_validator(mode="after")
    def _names_are_unique(self) -> Self:
        names = [p.name for p in self.properties]
        twins = sorted({n for n in names if names.count(n) > 1})
        if twins:
            raise ValueError(f"property names must differ; found twice: {', '.join(map(repr, twins))}")
        return self

    @model_validator(mode="after")
    def _gates_are_of_properties(self) -> Self:
        if odd := sorted(self.gates.keys() - {p.name for p in self.properties}):
            raise ValueError(f"gates name {odd[0]!r}, which is none of the properties")
        return self

    def property(self, name: str) -> Property | None:
        return next((p for p in self.properties if p.name == name), None)

    def gate_of(self, name: str) -> float:
        """The gate of a property: its own, else the workflow's."""
        return self.gates.get(name, self.gate)

    def defined_as(self, name: str) -> WorkflowDefinition:
        """What a person would write to make these settings; a `decide` model is chosen elsewhere."""
        shared = WorkflowSettings.model_fields.keys() & WorkflowDefinition.model_fields.keys()
        return WorkflowDefinition(name=name, **{field: getattr(self, field) for field in shared})

    @builtins.property
    def line(self) -> tuple[Block, ...]:
        """The blocks, the one of a plain workflow too."""
        return self.blocks or (EXTRACT,)

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
    gate: Gate = DEFAULT_GATE
    gates: dict[str, Gate] = {}
    """Of single properties, in place of `gate`."""
    rules: Rules = Rules()
    extractor: ExtractorChoice = RulesExtractor()
    blocks: tuple[Block, ...] = Field(default=(), max_length=50)
    """The steps, in order (docs/block-tests.md); empty: one `extract` block."""

    @model_validator(mode="after")
    def _blocks_make_a_line(self) -> Self:
        check_line(self.blocks, None)
        return self

    def settings(self, properties: tuple[Property, ...]) -> WorkflowSettings:
        """The settings that it makes with these properties. Raises ValueError where its blocks or gates need others."""
        return WorkflowSettings(
            collection=self.collection,
            properties=properties,
            context=self.context,
            gate=self.gate,
            gates=self.gates,
            rules=self.rules,
            extractor=self.extractor,
            blocks=self.blocks,
        )


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
