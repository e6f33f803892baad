"""From the spans of a run to its tool calls.

A span is plain JSON: ``{"name", "attributes": {…}, "start_time", "end_time" (nanoseconds or null), "span_id"}``. One
with the attribute ``tool.name`` is a tool call; their order is that of the list, in which spans stand as they ended.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from reviewapp.evals.eval_sets.criteria import ToolCall, ToolOutput

NAME_LIMIT = 64
"""Characters of a tool's name that count when names are compared."""
_OTHER_SIGNS = re.compile(r"[^a-zA-Z0-9_-]")


def span(name: str, *, start: int | None = None, end: int | None = None, **attributes: Any) -> dict[str, Any]:
    """A span out of attributes written with ``__`` for the dot: ``span("a", tool__name="a")``."""
    named = {key.replace("__", "."): value for key, value in attributes.items()}
    return {"name": name, "attributes": named, "start_time": start, "end_time": end}


def tidy(name: str) -> str:
    """As names of tools are compared: runs of blanks as ``_``, other signs dropped, 64 characters."""
    return _OTHER_SIGNS.sub("", "_".join(name.split()))[:NAME_LIMIT]


def tool_calls(trace: Iterable[Any], *, arguments: bool = True) -> list[ToolCall]:
    """The calls in the order of the trace; `arguments` are read only where they are wanted."""
    return [
        ToolCall(
            name=str(found["tool.name"]),
            args=_arguments(found.get("input.value")) if arguments else {},
            id=_id(found),
        )
        for found in _attributes(trace)
    ]


def tool_outputs(trace: Iterable[Any]) -> list[ToolOutput]:
    return [
        ToolOutput(name=str(found["tool.name"]), output=_output(found.get("output.value", "")), id=_id(found))
        for found in _attributes(trace)
    ]


def run_history(trace: Sequence[Any]) -> str:
    """What the agent did, call by call, for a judge; synthesized calls too, each span once.

    Spans without a ``span_id`` are told apart by the tool and the second it began, as the package does.
    """
    said: list[str] = []
    seen: set[Any] = set()
    for one in trace:
        found = _attributes_of(one)
        name = found.get("tool.name")
        if not name:
            continue
        begun = _clock(one.get("start_time"))
        key = one.get("span_id") or (str(name), begun)
        if key in seen:
            continue
        seen.add(key)
        said += [
            f"[{begun}] LLM Response:",
            "  Agent Selected 1 Tool(s):",
            "",
            f"  Tool: {name}",
            f"  Arguments: {found.get('input.value', {})}",
            "",
            f"[{_clock(one.get('end_time')) or begun}] Tool Call Response - {name}:",
            str(found.get("output.value", {})).strip(),
            "",
        ]
    return "\n".join(said)


def _attributes(trace: Iterable[Any]) -> Iterable[Mapping[str, Any]]:
    for one in trace:
        found = _attributes_of(one)
        if found.get("tool.name") and not found.get("tool.synthesized", False):
            yield found


def _attributes_of(one: Any) -> Mapping[str, Any]:
    found = one.get("attributes") if isinstance(one, Mapping) else None
    return found if isinstance(found, Mapping) else {}


def _id(found: Mapping[str, Any]) -> str | None:
    given = found.get("tool.id")
    return None if given is None else str(given)


def _arguments(given: Any) -> dict[str, Any]:
    if isinstance(given, dict):
        return given
    if not isinstance(given, str):
        return {}
    try:
        read = json.loads(given)
    except (ValueError, RecursionError):
        read = _literal(given)
    return read if isinstance(read, dict) else {}


def _literal(text: str) -> Any:
    """A Python literal; None where the text is none. Evaluates nothing."""
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, RecursionError, MemoryError, TypeError):
        return None


def _output(given: Any) -> str:
    if isinstance(given, str):
        try:
            read = json.loads(given)
        except (ValueError, RecursionError):
            return given
        if not isinstance(read, dict):
            return given
        given = read
    found = given.get("content", "") if isinstance(given, dict) else str(given)
    return str(found) if found else ""


def _clock(nanoseconds: Any) -> str:
    if not isinstance(nanoseconds, int):
        return ""
    return datetime.fromtimestamp(nanoseconds / 1e9).strftime("%Y-%m-%d %H:%M:%S")
