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
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any, BinaryIO

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
            said = json.dumps(answer, default=_plain).encode() + b"\n"
        except MocksRefused as error:
            said = _failed(str(error))
        except Exception as error:
            words = " ".join(str(error).split())[:SAID_LIMIT]
            cause = f" (because of {type(error.__cause__).__name__}: {error.__cause__})" if error.__cause__ else ""
            said = _failed(f"{named} raised {type(error).__name__}: {words}{cause}")
        _write(answers, said)


def private_pipes() -> tuple[BinaryIO, BinaryIO]:
    """(requests, answers): stdin and stdout, out of the reach of the function, which reads nothing and prints to
    stderr."""
    requests, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb", buffering=0)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return requests, answers


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
        _write(answers, json.dumps({"ask": asked}, default=str).encode() + b"\n")
        reply = json.loads(requests.readline())
        if "refused" in reply:
            raise RuntimeError(reply["refused"])
        return reply["answer"]

    return simulate


def _called(function: Callable[..., Any], inputs: dict[str, Any]) -> Any:
    """With the inputs by name where its parameters say so, else with the object."""
    names = inspect.signature(function).parameters.values()
    one = next(iter(names)) if len(names) == 1 else None
    by_name = one is None or one.kind is one.VAR_KEYWORD or one.name in inputs
    result = function(**inputs) if by_name else function(inputs)
    return asyncio.run(_awaited(result)) if inspect.isawaitable(result) else result


async def _awaited(result: Any) -> Any:
    return await result


def _failed(said: str) -> bytes:
    return json.dumps({"failed": said}).encode() + b"\n"


def _plain(thing: Any) -> Any:
    if hasattr(thing, "model_dump"):
        return thing.model_dump(mode="json")
    if hasattr(thing, "__dataclass_fields__"):
        return {name: getattr(thing, name) for name in thing.__dataclass_fields__}
    raise TypeError(f"an output cannot hold {type(thing).__name__}; return dicts, lists, texts and numbers")


def _write(answers: BinaryIO, said: bytes) -> None:
    left = memoryview(said)
    while left:
        left = left[answers.write(left) :]


if __name__ == "__main__":
    # This file's folder is not on the path (-P): reviewapp is found as installed, or beside it.
    sys.path.append(str(Path(__file__).resolve().parents[2]))
    main(sys.argv[1], sys.argv[2])
