"""What a workload did: calls of mockable functions as spans, in the order they ended."""

from __future__ import annotations

import inspect
import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

_spans: ContextVar[list[dict[str, Any]] | None] = ContextVar("spans", default=None)
_everywhere: list[list[dict[str, Any]]] = []


@contextmanager
def recorded(*, everywhere: bool = False) -> Iterator[list[dict[str, Any]]]:
    """Within, calls are kept; the list grows as they end. `everywhere`: those of all threads."""
    kept: list[dict[str, Any]] = []
    token = _spans.set(kept)
    if everywhere:
        _everywhere.append(kept)
    try:
        yield kept
    finally:
        _spans.reset(token)
        if everywhere:
            _everywhere.pop()


@contextmanager
def call_span(function: Callable[..., Any], name: str, args: Any, kwargs: Any) -> Iterator[dict[str, Any]]:
    """One call. Put the answer under ``answer``."""
    kept = _spans.get()
    if kept is None and _everywhere:
        kept = _everywhere[-1]
    made: dict[str, Any] = {}
    if kept is None:
        yield made
        return
    begun = time.time_ns()
    attributes: dict[str, Any] = {"tool.name": name, "input.value": _text(_arguments(function, args, kwargs))}
    try:
        yield made
        answer = made.get("answer")
        # A text goes in as it is, as a tool's message does; anything else as JSON.
        attributes["output.value"] = answer if isinstance(answer, str) else _text({"content": answer})
    except Exception as error:
        attributes["error"] = f"{type(error).__name__}: {error}"
        raise
    finally:
        kept.append({"name": name, "attributes": attributes, "start_time": begun, "end_time": time.time_ns()})


def _arguments(function: Callable[..., Any], args: Any, kwargs: Any) -> dict[str, Any]:
    try:
        return dict(inspect.signature(function).bind(*args, **kwargs).arguments)
    except (TypeError, ValueError):
        return {"args": list(args), **kwargs}


def _text(value: Any) -> str:
    return json.dumps(value, default=_plain, ensure_ascii=False)


def _plain(thing: Any) -> Any:
    return thing.model_dump(mode="json") if hasattr(thing, "model_dump") else str(thing)
