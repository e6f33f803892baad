"""Blocks: the steps of a workflow, in a line. Each takes values by input handle and gives values by output handle."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Annotated, Any, Literal, Self

from pydantic import Field, JsonValue, StringConstraints, field_validator, model_validator

from reviewapp.domain.base import Model, Name
from reviewapp.domain.properties import Property, PropertyName

DOCUMENT = "document"
"""The source that stands for what the workflow itself is given."""
FILE_IN = "input-file-0"
JSON_IN = "input-json-0"
JSON_OUT = "output-json-0"
READINGS_OUT = "output-json-readings"
SPLITS_OUT = "output-json-splits"

BLOCK_ID_PATTERN = r"^[A-Za-z0-9][A-Za-z0-9_-]{0,62}$"
HANDLE_PATTERN = r"^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$"
FUNCTION_PATTERN = r"^[^\W\d]\w*(\.[^\W\d]\w*)*:[^\W\d]\w*$"
BlockId = Annotated[str, StringConstraints(pattern=BLOCK_ID_PATTERN)]
Handle = Annotated[str, StringConstraints(pattern=HANDLE_PATTERN)]
Schema = dict[str, JsonValue]
"""A JSON Schema; empty: anything."""


class _Block(Model):
    id: BlockId
    label: str = Field(default="", max_length=200)
    """What people call it; empty: its id."""
    inputs: dict[Handle, str] = Field(default={}, max_length=20)
    """Where each input comes from: ``document``, or ``block.output-handle`` of an earlier block. Empty: readers get the
    document, a function the first JSON output of the block before it (the document where it is the first)."""

    @property
    def name(self) -> str:
        return self.label or self.id


class ExtractBlock(_Block):
    """Reads properties out of a text, as the workflow's settings say."""

    type: Literal["extract"]
    properties: tuple[PropertyName, ...] = ()
    """Which of the workflow's properties; empty: all."""


class Category(Model):
    name: Name
    cues: tuple[Name, ...] = ()
    """Words or phrases that such texts hold, whatever the case; each as whole words."""
    description: str = Field(default="", max_length=2_000)
    """For a model that classifies, and for people."""


class ClassifyBlock(_Block):
    """Says what a text is; its category's output hands the text on, those of the others give nothing."""

    type: Literal["classify"]
    categories: tuple[Category, ...] = Field(min_length=1, max_length=100)
    otherwise: Name | None = None
    """The category where no cue is found; None: there is none then."""
    by: Literal["cues", "model"] = "cues"

    @model_validator(mode="after")
    def _categories_differ(self) -> Self:
        names = [c.name for c in self.categories]
        _refuse_twins(f"block {self.id!r}: categories", [handle_of_category(n) for n in names])
        if self.otherwise is not None and self.otherwise not in names:
            raise ValueError(f"block {self.id!r}: otherwise {self.otherwise!r} is none of its categories")
        return self


class Section(Model):
    name: Name
    headings: tuple[Name, ...] = ()
    """Words that begin a line of its first page, whatever the case."""
    pages: str = Field(default="", max_length=200)
    """Fixed pages from 1 on: ``1``, ``2-3``, ``4-`` (to the end), ``1,3``; then `headings` are not looked at."""
    description: str = Field(default="", max_length=2_000)

    @field_validator("pages")
    @classmethod
    def _are_pages(cls, pages: str) -> str:
        if pages and not re.fullmatch(r"[1-9]\d{0,5}(-([1-9]\d{0,5})?)?(,[1-9]\d{0,5}(-([1-9]\d{0,5})?)?)*", pages):
            raise ValueError(f"found {pages!r}, expected pages such as '1', '2-3', '4-' or '1,3'")
        return pages


class SplitBlock(_Block):
    """Parts a document into named runs of pages (pages are parted by form feeds)."""

    type: Literal["split"]
    sections: tuple[Section, ...] = Field(min_length=1, max_length=100)
    by: Literal["headings", "model"] = "headings"


class FunctionBlock(_Block):
    """Somebody's own program: a Python function or a command."""

    type: Literal["function"]
    function: str | None = Field(default=None, pattern=FUNCTION_PATTERN, max_length=300)
    """``package.module:function``; called with the input's value (several inputs: a dict by handle)."""
    command: tuple[str, ...] = Field(default=(), max_length=100)
    """Program and arguments; the same value as JSON on stdin, JSON on stdout."""
    outputs: dict[Handle, Schema] = Field(default={JSON_OUT: {}}, min_length=1, max_length=20)
    """Output handles with their JSON Schemas. With one, what comes back is its value; with several, a dict by handle,
    and a handle that is not in it gives nothing."""
    seconds: float = Field(default=60, gt=0, le=3_600)
    megabytes: int = Field(default=2_048, ge=16, le=1_048_576)

    @model_validator(mode="after")
    def _names_one_program(self) -> Self:
        if (self.function is None) == (not self.command):
            raise ValueError(f"block {self.id!r}: name either a function (package.module:function) or a command")
        return self


Block = Annotated[ExtractBlock | ClassifyBlock | SplitBlock | FunctionBlock, Field(discriminator="type")]
EXTRACT = ExtractBlock(id="extract", type="extract")
"""The one block of a workflow that declares none."""


def handle_of_category(name: str) -> str:
    """``Credit note`` → ``output-file-credit-note``."""
    slug = re.sub(r"[\W_]+", "-", name.casefold()).strip("-")
    return f"output-file-{slug or 'category'}"


def input_handles(block: Block) -> tuple[str, ...]:
    """The inputs that a block takes; readers take one of theirs."""
    if block.inputs:
        return tuple(block.inputs)
    return (JSON_IN,) if isinstance(block, FunctionBlock) else (FILE_IN, JSON_IN)


def output_handles(block: Block, properties: Sequence[Property]) -> dict[str, Schema]:
    """Every output that a block declares, with its JSON Schema (empty: anything)."""
    match block:
        case ExtractBlock():
            read = [p for p in properties if not block.properties or p.name in block.properties]
            return {JSON_OUT: _values_schema(read), READINGS_OUT: _readings_schema(read)}
        case ClassifyBlock():
            names = [c.name for c in block.categories]
            return {JSON_OUT: _category_schema(names), **{handle_of_category(name): {} for name in names}}
        case SplitBlock():
            return {SPLITS_OUT: _splits_schema([s.name for s in block.sections])}
        case FunctionBlock():
            return dict(block.outputs)


_JSON_TYPES = {"text": "string", "keyword": "string", "i64": "integer", "f64": "number", "bool": "boolean"}


def _value_schema(prop: Property) -> Schema:
    schema: dict[str, Any] = {"type": [_JSON_TYPES.get(prop.value_type, "string"), "null"]}
    if prop.value_type == "date":
        schema["format"] = "date"
    if prop.unit is not None:
        schema["x-unit"] = prop.unit
    if prop.options:
        schema["enum"] = [*prop.options, None]
    for word, limit in (("minimum", prop.minimum), ("maximum", prop.maximum)):
        if limit is not None:
            schema[word] = limit
    return schema


def _object(fields: dict[str, Any]) -> Schema:
    return {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}


def _values_schema(properties: Sequence[Property]) -> Schema:
    return _object({p.name: _value_schema(p) for p in properties})


def _readings_schema(properties: Sequence[Property]) -> Schema:
    text: dict[str, Any] = {"type": ["string", "null"]}

    def reading(prop: Property) -> Schema:
        fields = {
            "value": _value_schema(prop),
            "outcome": text,
            "quote": text,
            "support": {"type": ["number", "null"]},
            "stated": text,
            "unconfirmed": text,
            "detail": text,
        }
        return {**_object(fields), "type": ["object", "null"]}

    return _object({p.name: reading(p) for p in properties})


def _category_schema(names: Sequence[str]) -> Schema:
    scores: dict[str, Any] = _object({name: {"type": "integer"} for name in names})
    return _object({"category": {"type": ["string", "null"], "enum": [*names, None]}, "scores": scores})


def _splits_schema(names: Sequence[str]) -> Schema:
    split: dict[str, Any] = _object(
        {"name": {"type": "string", "enum": list(names)}, "pages": {"type": "array", "items": {"type": "integer"}}}
    )
    return _object({"splits": {"type": "array", "items": split}})


def check_line(blocks: Sequence[Block], properties: Sequence[Property] | None) -> None:
    """Raises ValueError where blocks do not make a line: twins, inputs from nowhere, unknown properties.

    `properties` None: they are not known yet (a definition may name all that are declared).
    """
    _refuse_twins("block ids", [block.id for block in blocks])
    known = None if properties is None else {p.name for p in properties}
    before: dict[str, Block] = {}
    for block in blocks:
        if isinstance(block, ExtractBlock) and known is not None:
            for name in block.properties:
                if name not in known:
                    raise ValueError(f"block {block.id!r} reads {name!r}, which is no property of the workflow")
        for handle, source in block.inputs.items():
            _check_source(block.id, handle, source, before)
        before[block.id] = block


def _check_source(id: str, handle: str, source: str, before: dict[str, Block]) -> None:
    if source == DOCUMENT:
        return
    from_block, _, output = source.partition(".")
    if from_block not in before:
        there = ", ".join(before) or "none"
        raise ValueError(
            f"block {id!r}, input {handle!r}: {source!r} is neither {DOCUMENT!r} nor an output of an earlier block "
            f"(there are: {there}); write it as block.output-handle"
        )
    declared = output_handles(before[from_block], ())
    if output not in declared:
        raise ValueError(
            f"block {id!r}, input {handle!r}: block {from_block!r} has no output {output!r}; it declares "
            f"{', '.join(declared)}"
        )


def _refuse_twins(what: str, names: Sequence[str]) -> None:
    if twins := sorted({n for n in names if names.count(n) > 1}):
        raise ValueError(f"{what} must differ; found twice: {twins[0]!r}")


def sources_of(blocks: Sequence[Block]) -> dict[str, dict[str, str]]:
    """Block → input handle → where it comes from, with the defaults filled in."""
    found: dict[str, dict[str, str]] = {}
    previous: Block | None = None
    for block in blocks:
        if block.inputs:
            found[block.id] = dict(block.inputs)
        elif isinstance(block, FunctionBlock) and previous is not None:
            first = next(iter(output_handles(previous, ())))
            found[block.id] = {JSON_IN: f"{previous.id}.{first}"}
        else:
            found[block.id] = {FILE_IN: DOCUMENT} if not isinstance(block, FunctionBlock) else {JSON_IN: DOCUMENT}
        previous = block
    return found
