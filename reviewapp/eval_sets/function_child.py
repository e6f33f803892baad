"""The child process of `FunctionTarget`: one item a line on stdin, its output and trace a line on stdout.

Run as ``python -P function_child.py FOLDER package.module:function``. What the function prints goes to stderr.
"""

from __future__ import annotations

import asyncio
import contextlib
import inspect
import json
import os
import sys
import types
import typing
from collections.abc import Callable
from dataclasses import is_dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, BinaryIO

# This file's folder is not on the path (-P): reviewapp is found as installed, or beside it.
sys.path.append(str(Path(__file__).resolve().parents[2]))

from reviewapp.child import line_of, private_pipes, write

SAID_LIMIT = 500


def main(folder: str, named: str) -> None:
    """Answer until stdin ends."""
    requests, answers = private_pipes()
    sys.path.insert(0, folder)
    os.chdir(folder)
    function: Callable[..., Any] | None = None
    ended: list[dict[str, Any]] = []
    while line := requests.readline():
        request = json.loads(line)
        ended.clear()
        try:
            from reviewapp.mocks import MocksRefused, make_plan, mockable_names, mocked
            from reviewapp.mocks.spans import recorded

            simulate = _asking(requests, answers) if request.get("simulates") else None
            plan = make_plan(request["mocks"], simulate)  # before the project's code is touched
            if function is None:
                module, _, name = named.partition(":")
                adopt_mockable()
                listen(ended)
                function = getattr(import_module(module), name)
            if plan is not None and (unseen := plan.functions - mockable_names()):
                raise MocksRefused(
                    f"The mocking strategy is for {', '.join(sorted(unseen))}, which nothing in the project marks as "
                    "mockable; put @mockable() on it. Nothing was run."
                )
            with mocked(plan, everywhere=True), recorded(everywhere=True) as spans:
                output = _called(function, request["inputs"])
            # Tools that are traced with OpenTelemetry say themselves what they did; else our own notes do.
            traced = any("tool.name" in span["attributes"] for span in ended)
            answer: dict[str, Any] = {"output": output, "trace": ended if traced else spans}
            said = line_of(answer)
        except MocksRefused as error:
            said = line_of({"failed": str(error)})
        except Exception as error:
            words = " ".join(str(error).split())[:SAID_LIMIT]
            cause = f" (because of {type(error.__cause__).__name__}: {error.__cause__})" if error.__cause__ else ""
            said = line_of({"failed": f"{named} raised {type(error).__name__}: {words}{cause}"})
        write(answers, said)


def adopt_mockable() -> None:
    """Let the package's own ``@mockable`` be ours, so that agents written for it are mocked as they are."""
    from reviewapp.mocks import mockable

    def compatible(name: str | None = None, description: str | None = None, **_: Any) -> Any:  # noqa: ARG001
        return mockable(name)

    with contextlib.suppress(Exception):  # installed: its modules stay, but for this name
        import_module("uipath.eval.mocks.mockable")
    for parent, child in (
        ("", "uipath"),
        ("uipath", "eval"),
        ("uipath.eval", "mocks"),
        ("uipath.eval.mocks", "mockable"),
    ):
        full = f"{parent}.{child}" if parent else child
        if full not in sys.modules:
            made = types.ModuleType(full)
            made.__path__ = []
            sys.modules[full] = made
            if parent:
                setattr(sys.modules[parent], child, made)
    for full in ("uipath.eval.mocks", "uipath.eval.mocks.mockable"):
        vars(sys.modules[full])["mockable"] = compatible


def listen(ended: list[dict[str, Any]]) -> None:
    """Have every OpenTelemetry span put into `ended` as it ends, where that library is installed."""
    try:
        from opentelemetry import trace
        from opentelemetry.sdk.trace import SpanProcessor, TracerProvider
    except ImportError:
        return

    class Keeper(SpanProcessor):  # type: ignore[misc]  # no types here: the library is the project's
        def on_end(self, span: Any) -> None:
            ended.append(
                {
                    "name": span.name,
                    "attributes": dict(span.attributes or {}),
                    "start_time": span.start_time,
                    "end_time": span.end_time,
                    "span_id": f"{span.context.span_id:016x}",
                }
            )

    provider = TracerProvider()
    provider.add_span_processor(Keeper())
    trace.set_tracer_provider(provider)


def _asking(requests: BinaryIO, answers: BinaryIO) -> Callable[..., Any]:
    """Has the parent ask a model for a simulated tool: a line out, a line in."""

    def simulate(_strategy: Any, function: str, args: Any, kwargs: Any, schema: Any) -> Any:
        asked = {"tool": function, "args": list(args), "kwargs": dict(kwargs), "schema": schema}
        write(answers, json.dumps({"ask": asked}, default=str).encode() + b"\n")
        reply = json.loads(requests.readline())
        if "refused" in reply:
            raise RuntimeError(reply["refused"])
        return reply["answer"]

    return simulate


def _called(function: Callable[..., Any], inputs: dict[str, Any]) -> Any:
    """With the inputs by name where its parameters say so, else with the object: in its class, where it names one."""
    names = inspect.signature(function).parameters.values()
    one = next(iter(names)) if len(names) == 1 else None
    by_name = one is None or one.kind is one.VAR_KEYWORD or one.name in inputs
    result = function(**inputs) if by_name or one is None else function(_in_class(function, one.name, inputs))
    return asyncio.run(_awaited(result)) if inspect.isawaitable(result) else result


def _in_class(function: Callable[..., Any], parameter: str, inputs: dict[str, Any]) -> Any:
    """As the model or dataclass that the parameter is declared as. Raises ValidationError where they do not fit."""
    try:
        declared = typing.get_type_hints(function).get(parameter)
    except (NameError, TypeError):  # an annotation that only a type checker can see; a callable object
        return inputs
    if not hasattr(declared, "model_validate") and not is_dataclass(declared):
        return inputs
    from pydantic import TypeAdapter

    adapter: Any = TypeAdapter(typing.cast("Any", declared))
    return adapter.validate_python(inputs)


async def _awaited(result: Any) -> Any:
    return await result


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
