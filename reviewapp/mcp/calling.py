"""From a tool's arguments to an endpoint and back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pydantic import ValidationError

from reviewapp.api import transport
from reviewapp.api.endpoint import Call, Endpoint
from reviewapp.api.problems import Problem, problem_of
from reviewapp.domain.misfits import misfit
from reviewapp.domain.people import EVERYWHERE, Access
from reviewapp.errors import ReviewappError
from reviewapp.settings import Settings
from reviewapp.workspaces import DataFolder

GRAPH = "graph"
"""The argument that names the workspace, as in the API."""


@dataclass(frozen=True)
class Tool:
    """A tool: an endpoint under another name, told to an assistant."""

    name: str
    endpoint: Endpoint
    title: str
    description: str
    """What it is for, when to use it, what comes back and what to do next; an assistant knows nothing else."""
    renamed: Mapping[str, str] = field(default_factory=dict)
    """Argument → the endpoint's field, where they differ (``test_id`` → ``id``)."""
    old: Mapping[str, str] = field(default_factory=dict)
    """Fields of older clients, refused with where their content goes now."""

    @property
    def reads(self) -> bool:
        return not self.endpoint.writes

    @property
    def input_schema(self) -> dict[str, Any]:
        """JSON Schema of the arguments: the query's and the body's fields beside each other."""
        properties: dict[str, Any] = {}
        required: list[str] = []
        definitions: dict[str, Any] = {}
        names = {inner: outer for outer, inner in self.renamed.items()}
        for model in (self.endpoint.query, self.endpoint.body):
            if model is None:
                continue
            schema = model.model_json_schema()
            definitions |= schema.get("$defs", {})
            properties |= {names.get(name, name): told for name, told in schema.get("properties", {}).items()}
            required += [names.get(name, name) for name in schema.get("required", ())]
        properties[GRAPH] = {"type": "string", "description": "The workspace; left out: the key's own, else `default`."}
        made: dict[str, Any] = {"type": "object", "properties": properties, "additionalProperties": False}
        if required:
            made["required"] = required
        if definitions:
            made["$defs"] = definitions
        return made


class Refused(Exception):
    """A tool call that was refused; `said` is what the assistant reads."""

    def __init__(self, code: str, said: str, details: Any = None) -> None:
        super().__init__(said)
        self.code = code
        self.said = said
        self.details = details


def call_tool(
    tool: Tool, arguments: Mapping[str, Any], access: Access, data: DataFolder, settings: Settings
) -> dict[str, Any]:
    """What the endpoint answers. Raises Refused with one sentence: arguments, role, nothing there."""
    try:
        return _call(tool, arguments, access, data, settings)
    except (Problem, ReviewappError) as error:
        problem = error if isinstance(error, Problem) else problem_of(error)
        raise Refused(problem.code, problem.message, problem.details) from None


def _call(
    tool: Tool, arguments: Mapping[str, Any], access: Access, data: DataFolder, settings: Settings
) -> dict[str, Any]:
    endpoint = tool.endpoint
    graph = arguments.get(GRAPH) or _graph_of(access, settings)
    if not isinstance(graph, str):
        raise Refused("invalid_request", f"{GRAPH} is {graph!r}; expected the name of a workspace.")
    caller = transport.caller_in(endpoint, access, graph)
    _refuse_old(tool, arguments)
    given = {tool.renamed.get(name, name): value for name, value in arguments.items() if name != GRAPH}
    in_query = {name: given.pop(name) for name in list(given) if name in endpoint.query.model_fields}
    query = _fit_query(tool, {**in_query, GRAPH: graph})
    if endpoint.body is None and given:
        odd = sorted(given)[0]
        takes = ", ".join(tool.input_schema["properties"])
        raise Refused("invalid_request", f"{tool.name} takes no argument {odd!r}; it takes {takes}.")
    body = None if endpoint.body is None else transport.fit_body(endpoint.body, given)
    workspace = transport.workspace_of(endpoint, graph, data, access)
    call = Call(data=data, settings=settings, workspace=workspace, caller=caller, query=query, body=body)
    answer = transport.answer(endpoint, call, None)
    return {"deleted": True} if endpoint.status == 204 else answer


def _graph_of(access: Access, settings: Settings) -> str:
    """Of a key that is bound to one workspace that one; else the settings' own."""
    bound = {grant.workspace for grant in access.grants} - {EVERYWHERE}
    return bound.pop() if len(bound) == 1 else settings.workspace


def _refuse_old(tool: Tool, arguments: Mapping[str, Any]) -> None:
    hints = [f"{name!r} is not taken here; use '{place}'" for name, place in tool.old.items() if name in arguments]
    if hints:
        raise Refused("invalid_request", "; ".join(hints) + ".")


def _fit_query(tool: Tool, found: dict[str, Any]) -> Any:
    names = {inner: outer for outer, inner in tool.renamed.items()}
    try:
        return tool.endpoint.query.model_validate(found)
    except ValidationError as error:
        first = misfit(error, found)
        inner = first.place
        raise Refused("invalid_request", f"{names.get(inner, inner)}: {first.message}.") from None
