"""Workflow definitions as people write them: YAML or JSON in, readable YAML out.

The YAML is the plain part of YAML 1.2: no tags, no anchors, every name once. Nothing is turned into something else
behind the writer's back: ``02138``, ``1.10``, ``no`` and ``2024-01-01`` are what they look like; a field that is a
number takes ``0.8`` as a number.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

import yaml
from pydantic import BaseModel, ValidationError

from reviewapp.domain.blocks import ClassifyBlock, ExtractBlock, FunctionBlock, SplitBlock
from reviewapp.domain.misfits import problem, shown, unknown_field
from reviewapp.domain.properties import Property
from reviewapp.domain.workflows import (
    CommandExtractor,
    ModelExtractor,
    PythonExtractor,
    ReplayExtractor,
    Rules,
    RulesExtractor,
    WorkflowDefinition,
)
from reviewapp.errors import InvalidInput
from reviewapp.formats.strict_json import JsonFault, NumberText, loads

FILE_CHARACTERS = 2_000_000
DEPTH = 40
"""Levels of lists and fields inside each other."""
WIDTH = 110
"""Characters of a line that is written."""
_FREE_FORM = ("learnt", "outputs")
"""The fields whose content has no declared shape; numbers in it are numbers."""
_NUMBER = re.compile(r"[-+]?[0-9._]+(?:e[-+]?[0-9]+)?", re.IGNORECASE)
_EXTRACTORS: dict[str, type[BaseModel]] = {
    "rules": RulesExtractor,
    "model": ModelExtractor,
    "command": CommandExtractor,
    "python": PythonExtractor,
    "replay": ReplayExtractor,
}
_BLOCKS: dict[str, type[BaseModel]] = {
    "extract": ExtractBlock,
    "classify": ClassifyBlock,
    "split": SplitBlock,
    "function": FunctionBlock,
}
_MODELS: dict[str, type[BaseModel]] = {"properties": Property, "rules": Rules}

Path = tuple[str | int, ...]


class _Faults(Exception):
    """Sentences, each with its place."""


def read_definition(text: str, name: str = "workflow") -> WorkflowDefinition:
    """The definition in a YAML or JSON text; `name` is the file's, for messages.

    Raises `InvalidInput` with every fault at once, each with its line (YAML) and field.
    """
    lines: dict[Path, int] = {}
    try:
        document = _load(text.lstrip("\ufeff"), lines)
        if not isinstance(document, dict):
            raise _Faults(f"expected fields such as name, collection and properties, found {shown(document)}")
        return WorkflowDefinition.model_validate(document)
    except (_Faults, JsonFault) as fault:
        faults = [str(fault)]
    except ValidationError as error:
        faults = [_sentence(where, field, message, lines) for where, field, message in _problems(error, document)]
    count = "" if len(faults) == 1 else f"{len(faults)} faults:\n"
    raise InvalidInput(f"{name}: {count}" + "\n".join(faults), code="workflow_invalid")


def write_definition(definition: WorkflowDefinition) -> str:
    """YAML that `read_definition` reads back as the same definition; defaults are left out."""
    document: dict[str, Any] = {"name": definition.name, "collection": definition.collection}
    rest = definition.model_dump(mode="json", exclude_defaults=True, exclude={"name", "collection", "properties"})
    document |= rest
    if definition.extractor != WorkflowDefinition.model_fields["extractor"].default:
        document["extractor"] = {"kind": definition.extractor.kind, **rest.get("extractor", {})}
    if definition.properties:
        document["properties"] = [_property(p) for p in definition.properties]
    return yaml.dump(document, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=WIDTH)


def _property(item: Property | str) -> str | dict[str, Any]:
    if isinstance(item, str):
        return item
    fields = item.model_dump(mode="json", exclude_defaults=True)
    return {"name": item.name, "value_type": item.value_type, **fields}


def _load(text: str, lines: dict[Path, int]) -> Any:
    if len(text) > FILE_CHARACTERS:
        raise _Faults(f"has {len(text):,} characters; at most {FILE_CHARACTERS:,}")
    if text.lstrip().startswith("{"):
        return _typed_where_free(loads(text))
    try:
        node = yaml.compose(text, Loader=_Composer)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        place = f"line {mark.line + 1}, character {mark.column + 1}: " if mark else ""
        raise _Faults(f"{place}is not valid YAML: {error.problem or error.context}") from error
    except yaml.YAMLError as error:
        raise _Faults(f"is not valid YAML: {error}") from error
    except RecursionError as error:
        raise _Faults(f"has more than {DEPTH} levels inside each other") from error
    return _typed_where_free(_plain(node, (), lines)) if node is not None else None


class _Composer(yaml.SafeLoader):
    """Composes nodes without aliases, which could grow without end."""

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        event = self.peek_event()  # type: ignore[no-untyped-call]
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None) is not None:
            raise yaml.MarkedYAMLError(problem="anchors and aliases (& *) are not taken", problem_mark=event.start_mark)
        return super().compose_node(parent, index)


def _plain(node: yaml.Node, path: Path, lines: dict[Path, int]) -> Any:
    """Lists, dicts, None, bools and texts; plain numbers as `NumberText`."""
    lines[path] = node.start_mark.line + 1
    if len(path) > DEPTH:
        raise _Faults(f"line {lines[path]}: has more than {DEPTH} levels inside each other")
    if isinstance(node, yaml.SequenceNode):
        return [_plain(child, (*path, i), lines) for i, child in enumerate(node.value)]
    if isinstance(node, yaml.MappingNode):
        fields: dict[str, Any] = {}
        for key_node, value_node in node.value:
            if not isinstance(key_node, yaml.ScalarNode):
                raise _Faults(f"line {key_node.start_mark.line + 1}: a field name must be a text")
            key = str(key_node.value)
            if key in fields:
                raise _Faults(f"line {key_node.start_mark.line + 1}: the field {key!r} stands twice; keep one")
            fields[key] = _plain(value_node, (*path, key), lines)
            lines[(*path, key)] = key_node.start_mark.line + 1
        return fields
    written = str(node.value)
    bare = isinstance(node, yaml.ScalarNode) and node.style is None
    if bare and written in ("", "~", "null"):
        return None
    return NumberText(written) if bare else written


def _typed_where_free(document: Any) -> Any:
    """The document with the numbers, true and false of its free-form part as such."""
    if isinstance(document, dict):
        return {
            key: _typed(value) if key in _FREE_FORM else _typed_where_free(value) for key, value in document.items()
        }
    if isinstance(document, list):
        return [_typed_where_free(value) for value in document]
    return str(document) if isinstance(document, NumberText) else document


def _typed(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _typed(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_typed(item) for item in value]
    if isinstance(value, NumberText):
        try:
            return loads(value, typed=True)  # true, false and numbers are written in YAML as in JSON
        except JsonFault:
            return str(value)
    return value


def _problems(error: ValidationError, document: Mapping[str, Any]) -> Iterator[tuple[Path, Path, str]]:
    """Where to look, the field to name, and what is wrong."""
    for details in error.errors(include_url=False):
        path = details["loc"]
        if not path:  # of the whole definition: what its fields say together
            yield path, path, problem(details)
            continue
        if path[0] == "properties" and len(path) > 2:
            entry = document["properties"][path[1]]
            if ("Property" in str(path[2])) != isinstance(entry, dict):
                continue  # pydantic tried both: a property with fields, and a bare name
            path = (*path[:2], *path[3:])
            if not isinstance(entry, dict | str):
                yield path, path[:2], f"found {shown(entry)}, expected a property's name or its fields"
                continue
        model = _MODELS.get(str(path[0]), WorkflowDefinition) if len(path) > 1 else WorkflowDefinition
        if path[0] == "extractor" and len(path) > 1 and path[1] in _EXTRACTORS:  # pydantic names the kind on the way
            model = _EXTRACTORS[str(path[1])]
            path = (path[0], *path[2:])
        if path[0] == "blocks" and len(path) > 2 and path[2] in _BLOCKS:  # and the type of a block
            model = _BLOCKS[str(path[2])]
            path = (*path[:2], *path[3:])
        if details["type"] in ("union_tag_not_found", "union_tag_invalid"):
            message = problem(details)
            if details["type"] == "union_tag_not_found":
                message += f", expected one of {', '.join(map(repr, _BLOCKS if path[0] == 'blocks' else _EXTRACTORS))}"
            yield path, (*path, details["ctx"]["discriminator"].strip("'")), message
        elif details["type"] == "extra_forbidden":
            yield path, path[:-1], unknown_field(str(path[-1]), list(model.model_fields))
        else:
            yield path, path, problem(details)


def _sentence(where: Path, field: Path, message: str, lines: Mapping[Path, int]) -> str:
    line = next((lines[where[:n]] for n in range(len(where), -1, -1) if where[:n] in lines), None)
    named = ""
    for part in field:
        named += f"[{part + 1}]" if isinstance(part, int) else f".{part}" if named else part
    place = ", ".join(p for p in (f"line {line}" if line is not None else "", named) if p)
    return f"{place}: {message}" if place else message


class _Dumper(yaml.SafeDumper):
    """Writes long texts as blocks and lists of words on one line."""


def _represent_text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    style = None
    if not text.replace("\n", "").isprintable():  # line ends of other kinds would not come back
        style = '"'
    elif "\n" in text and not text.startswith((" ", "\n")):
        style = "|"
    elif _NUMBER.fullmatch(text):  # a word of digits to us, but a number to other readers of YAML
        style = "'"
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


def _represent_list(dumper: yaml.SafeDumper, items: list[Any]) -> yaml.SequenceNode:
    words = all(isinstance(item, str | int | float) for item in items)
    short = words and len(json.dumps(items, ensure_ascii=False)) < WIDTH - 20
    return dumper.represent_sequence("tag:yaml.org,2002:seq", items, flow_style=short)


_Dumper.add_representer(str, _represent_text)
_Dumper.add_representer(list, _represent_list)
