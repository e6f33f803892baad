"""From a mocking strategy to answers, call by call.

A strategy that does not parse, names a class that is not on `TARGETS`, or cannot be made raises `MocksRefused` before
anything runs: the package drops such a strategy and runs the real functions, which may send real mail.
"""

from __future__ import annotations

import builtins
import datetime
import decimal
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from reviewapp.domain.eval_sets import Behaviour, LlmMocks, Mockito, Mocks, UnknownMocks, read_mocks

TARGETS: Final[Mapping[str, type[Any]]] = {
    "builtins.dict": dict,
    "datetime.date": datetime.date,
    "datetime.datetime": datetime.datetime,
    "datetime.timedelta": datetime.timedelta,
    "decimal.Decimal": decimal.Decimal,
} | {
    f"builtins.{name}": getattr(builtins, name)
    for name in (
        "ArithmeticError",
        "AssertionError",
        "AttributeError",
        "ConnectionError",
        "ConnectionRefusedError",
        "ConnectionResetError",
        "EOFError",
        "Exception",
        "FileExistsError",
        "FileNotFoundError",
        "IOError",
        "IndexError",
        "KeyError",
        "LookupError",
        "MemoryError",
        "NotImplementedError",
        "OSError",
        "OverflowError",
        "PermissionError",
        "RuntimeError",
        "StopIteration",
        "TimeoutError",
        "TypeError",
        "UnicodeError",
        "ValueError",
        "ZeroDivisionError",
    )
}
"""What ``_target_`` may name; nothing else is imported or called."""

Simulate = Callable[[LlmMocks, str, Sequence[Any], Mapping[str, Any], Any], Any]
"""(strategy, function, args, kwargs, JSON Schema of what it returns or None) → answer of a model."""


class MocksRefused(Exception):
    """A strategy that cannot be followed; the case fails and no function runs."""


class MockAnswerError(Exception):
    """What a mocked call raises; the cause says why. The package's name for it is UiPathMockResponseGenerationError."""


class NoSuchCall(Exception):
    """A mocked function was called with arguments that no behaviour is for."""


class Plan:
    """The answers of one item's strategy. Counts calls; one for each run of an item."""

    def __init__(self, strategy: Mocks, simulate: Simulate | None = None) -> None:
        """Raises MocksRefused."""
        self._strategy = strategy
        self._simulate = simulate
        self._lock = threading.Lock()
        self._stubs: dict[str, list[_Stub]] = {}
        self._simulated: frozenset[str] = frozenset()
        match strategy:
            case UnknownMocks():
                raise MocksRefused(
                    f"The mocking strategy of type {strategy.type!r} cannot be followed ({strategy.reason}); "
                    "mockito and llm are known. Nothing was run."
                )
            case Mockito():
                for behaviour in strategy.behaviors:
                    self._stubs.setdefault(behaviour.function, []).append(_Stub(behaviour))
            case LlmMocks():
                self._simulated = frozenset(tool.name for tool in strategy.tools_to_simulate)
                if simulate is None:
                    raise MocksRefused(
                        "The item's tools are to be simulated by a model, and none was chosen here; choose one, or "
                        "use a mockito strategy. Nothing was run."
                    )

    @property
    def functions(self) -> frozenset[str]:
        """Names of all functions that it answers for."""
        return frozenset(self._stubs) | self._simulated

    def covers(self, function: str) -> bool:
        """Whether calls of it are answered here; others run for real."""
        return function in self._stubs or function in self._simulated

    def answer(
        self,
        function: str,
        args: Sequence[Any],
        kwargs: Mapping[str, Any],
        schema: Callable[[], Any] = lambda: None,
    ) -> Any:
        """The next answer for this call. `schema`: of what the function returns, made where a model is asked.

        Raises MockAnswerError, or NotImplementedError bare.
        """
        try:
            if isinstance(self._strategy, LlmMocks):
                assert self._simulate is not None  # noqa: S101 - checked when the plan was made
                return self._simulate(self._strategy, function, args, kwargs, schema())
            with self._lock:
                for stub in reversed(self._stubs[function]):
                    if stub.is_for(args, kwargs):
                        return stub.next()
            raise NoSuchCall
        except NotImplementedError:
            raise
        except Exception as error:
            raise MockAnswerError from error


class _Stub:
    """One behaviour with its place in its sequence."""

    def __init__(self, behaviour: Behaviour) -> None:
        given = behaviour.arguments
        self._args = None if given is None else _resolved(given.args)
        self._kwargs = None if given is None else _resolved(given.keywords)
        self._answers = [(answer.type, _resolved(answer.value)) for answer in behaviour.then]
        self._calls = 0

    def is_for(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> bool:
        return self._args is None or (list(args) == self._args and dict(kwargs) == self._kwargs)

    def next(self) -> Any:
        if not self._answers:
            return None
        kind, value = self._answers[min(self._calls, len(self._answers) - 1)]
        self._calls += 1
        if kind == "raise":
            if not isinstance(value, BaseException):
                raise TypeError("exceptions must derive from BaseException")
            raise value
        return value


def _resolved(value: Any) -> Any:
    """The value with every ``{"_target_": "builtins.ValueError"}`` made. Raises MocksRefused."""
    if isinstance(value, list):
        return [_resolved(inner) for inner in value]
    if not isinstance(value, dict):
        return value
    if "_target_" not in value:
        return {key: _resolved(inner) for key, inner in value.items()}
    target = value["_target_"]
    known = TARGETS.get(target) if isinstance(target, str) else None
    if known is None:
        raise MocksRefused(
            f"The mocking strategy names {target!r} under _target_, which is not made here; built-in exceptions are "
            "(builtins.ValueError …), builtins.dict, dates of datetime and decimal.Decimal. Nothing was run."
        )
    settings = {key: _resolved(inner) for key, inner in value.items() if key != "_target_"}
    try:
        return known(**settings)
    except (TypeError, ValueError, ArithmeticError) as error:
        raise MocksRefused(
            f"{target} cannot be made with {', '.join(settings)} ({error}); leave these out. Nothing was run."
        ) from error


def make_plan(strategy: Mapping[str, Any] | None, simulate: Simulate | None = None) -> Plan | None:
    """A plan out of an item's ``mockingStrategy``; None where it has none. Raises MocksRefused."""
    return None if strategy is None else Plan(read_mocks(dict(strategy)), simulate)
