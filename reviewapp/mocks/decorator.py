"""`mockable`: a function whose calls a strategy may answer."""

from __future__ import annotations

import functools
import inspect
import typing
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, ParamSpec, TypeVar

from reviewapp.mocks.plan import Plan
from reviewapp.mocks.spans import call_span

P = ParamSpec("P")
R = TypeVar("R")
_active: ContextVar[Plan | None] = ContextVar("mocks", default=None)
_everywhere: list[Plan] = []
"""The plan that holds in every thread, last; a new thread does not take over its parent's context."""
_names: set[str] = set()


@contextmanager
def mocked(plan: Plan | None, *, everywhere: bool = False) -> Iterator[None]:
    """Within, calls of mockable functions are answered by the plan; `everywhere`: in all threads of the process."""
    token = _active.set(plan)
    if everywhere and plan is not None:
        _everywhere.append(plan)
    try:
        yield
    finally:
        _active.reset(token)
        if everywhere and plan is not None:
            _everywhere.remove(plan)


def _plan() -> Plan | None:
    return _active.get() or (_everywhere[-1] if _everywhere else None)


def mockable_names() -> frozenset[str]:
    """What is mockable in this process, by name."""
    return frozenset(_names)


def mockable(name: str | None = None) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Make a function, plain or async, mockable under its own name or another.

    An answer is brought into the type that the function says it returns (pydantic models, dataclasses …).
    """

    def wrap(function: Callable[P, R]) -> Callable[P, R]:
        called = name or function.__name__
        _names.add(called)

        if inspect.iscoroutinefunction(function):

            @functools.wraps(function)
            async def ask(*args: Any, **kwargs: Any) -> Any:
                plan = _plan()
                with call_span(function, called, args, kwargs) as span:
                    if plan is None or not plan.covers(called):
                        span["answer"] = await function(*args, **kwargs)
                    else:
                        span["answer"] = _as_declared(
                            function, plan.answer(called, args, kwargs, lambda: _schema(function))
                        )
                return span["answer"]

        else:

            @functools.wraps(function)
            def ask(*args: Any, **kwargs: Any) -> Any:
                plan = _plan()
                with call_span(function, called, args, kwargs) as span:
                    if plan is None or not plan.covers(called):
                        span["answer"] = function(*args, **kwargs)
                    else:
                        span["answer"] = _as_declared(
                            function, plan.answer(called, args, kwargs, lambda: _schema(function))
                        )
                return span["answer"]

        return typing.cast("Callable[P, R]", ask)

    return wrap


def _schema(function: Callable[..., Any]) -> Any:
    """JSON Schema of what the function says it returns; None where it does not say."""
    declared = _declared(function)
    if declared is Any:
        return None
    from pydantic import TypeAdapter

    return TypeAdapter(declared).json_schema()


def _declared(function: Callable[..., Any]) -> Any:
    try:
        return typing.get_type_hints(function).get("return", Any)
    except NameError:  # an annotation that only a type checker can see
        return Any


def _as_declared(function: Callable[..., Any], answer: Any) -> Any:
    """The answer in the function's return type. Raises pydantic's ValidationError where it does not fit."""
    declared = _declared(function)
    if declared is Any:
        return answer
    from pydantic import TypeAdapter

    return TypeAdapter(declared).validate_python(answer)
