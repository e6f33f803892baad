"""JSON Schema's keywords where the library's own can run without end, or read numbers as computers write them.

Patterns are matched under the time limit of `patterns`, and every step of a check looks at the clock: references can
double the work at each level. `uniqueItems` is linear, and 0.07 is a multiple of 0.01.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from fractions import Fraction
from functools import cache
from math import isfinite
from typing import Any, Final

from jsonschema import ValidationError
from jsonschema.protocols import Validator
from jsonschema.validators import extend

from reviewapp.evals.conditions.patterns import MATCH_SECONDS, TooSlow, as_literal, search

Rule = Callable[[Any, Any, Any, Any], Iterator[ValidationError] | None]
_deadline: ContextVar[float] = ContextVar("deadline")
_MAPS: Final = ("properties", "patternProperties", "$defs", "definitions", "dependentSchemas")
"""Keywords with schemas by name."""
_VALUES: Final = ("const", "enum", "default", "examples")
"""Keywords with what is no schema."""


@contextmanager
def time_limit() -> Iterator[None]:
    """Within it `guarded` validators raise TooSlow once the time is up."""
    token = _deadline.set(time.monotonic() + MATCH_SECONDS)
    try:
        yield
    finally:
        _deadline.reset(token)


@cache
def guarded(kind: type[Validator]) -> type[Validator]:
    """The same validator, with an end to its work."""
    own = {word: rule for word, rule in OWN.items() if word in kind.VALIDATORS}
    rules: dict[str, Rule] = {**kind.VALIDATORS, **own}
    made: type[Validator] = extend(kind, {word: _timed(rule) for word, rule in rules.items()})  # type: ignore[no-untyped-call]
    return made


def _timed(rule: Rule) -> Rule:
    def watched(validator: Any, wanted: Any, instance: Any, schema: Any) -> Iterator[ValidationError]:
        if time.monotonic() > _deadline.get():
            raise TooSlow
        yield from rule(validator, wanted, instance, schema) or ()

    return watched


def _pattern(validator: Any, pattern: str, instance: Any, schema: Any) -> Iterator[ValidationError]:  # noqa: ARG001
    if validator.is_type(instance, "string") and not search(pattern, instance):
        yield ValidationError(f"{instance!r} does not match {pattern!r}")


def _pattern_properties(
    validator: Any,
    patterns: Mapping[str, Any],
    instance: Any,
    schema: Any,  # noqa: ARG001
) -> Iterator[ValidationError]:
    if not validator.is_type(instance, "object"):
        return
    for pattern, wanted in patterns.items():
        for name, value in instance.items():
            if search(pattern, name):
                yield from validator.descend(value, wanted, path=name, schema_path=pattern)


def _additional_properties(validator: Any, wanted: Any, instance: Any, schema: Any) -> Iterator[ValidationError]:
    if not validator.is_type(instance, "object"):
        return
    named, patterns = schema.get("properties", {}), schema.get("patternProperties", {})
    others = [name for name in instance if name not in named and not any(search(p, name) for p in patterns)]
    if validator.is_type(wanted, "object"):
        for name in others:
            yield from validator.descend(instance[name], wanted, path=name)
    elif wanted is False and others:
        yield ValidationError(f"it has {others[0]!r}, which the schema does not name")


def _unique_items(validator: Any, wanted: Any, instance: Any, schema: Any) -> Iterator[ValidationError]:  # noqa: ARG001
    if wanted and validator.is_type(instance, "array") and len({_hashable(one) for one in instance}) < len(instance):
        yield ValidationError("some of its entries are the same")


def _hashable(value: Any) -> Any:
    """Equal ⇔ the JSON values are: bools are no numbers, 1 and 1.0 are the same."""
    if isinstance(value, dict):
        return "object", frozenset((name, _hashable(inner)) for name, inner in value.items())
    if isinstance(value, list):
        return "array", tuple(map(_hashable, value))
    return (type(value), value) if isinstance(value, bool) else value


def _multiple_of(validator: Any, step: Any, instance: Any, schema: Any) -> Iterator[ValidationError]:  # noqa: ARG001
    if validator.is_type(instance, "number") and not (isfinite(instance) and _exact(instance) % _exact(step) == 0):
        yield ValidationError(f"{instance!r} is not a multiple of {step!r}")


def _exact(number: float) -> Fraction:
    """As it is written in decimals."""
    return Fraction(str(number))


OWN: Final[Mapping[str, Rule]] = {
    "pattern": _pattern,
    "patternProperties": _pattern_properties,
    "additionalProperties": _additional_properties,
    "uniqueItems": _unique_items,
    "multipleOf": _multiple_of,
}


def with_plain_patterns(schema: dict[str, Any], value: Any) -> dict[str, Any]:
    """The schema, whose `patternProperties` name the value's own keys where `unevaluatedProperties` stands in it.

    The library matches patterns itself to tell what was evaluated; these it matches at once.
    """
    words = set(_names_in(schema))
    if not {"patternProperties", "unevaluatedProperties"} <= words:
        return schema
    rewritten: dict[str, Any] = _rewritten(schema, frozenset(_names_in(value)))
    return rewritten


def _names_in(value: Any) -> Iterator[str]:
    """The names of all objects in a JSON value."""
    if isinstance(value, dict):
        yield from value
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _names_in(inner)


def _rewritten(schema: Any, names: frozenset[str]) -> Any:
    if isinstance(schema, list):
        return [_rewritten(inner, names) for inner in schema]
    if not isinstance(schema, dict):
        return schema
    made: dict[str, Any] = {}
    for word, content in schema.items():
        if word in _MAPS and isinstance(content, dict):
            inner = {name: _rewritten(one, names) for name, one in content.items()}
            made[word] = _by_name(inner, names) if word == "patternProperties" else inner
        else:
            made[word] = content if word in _VALUES else _rewritten(content, names)
    return made


def _by_name(patterns: Mapping[str, Any], names: frozenset[str]) -> dict[str, Any]:
    """The same, each pattern as the names that it matches; different patterns may match the same names."""
    made: dict[str, Any] = {}
    for pattern, schema in patterns.items():
        literal = as_literal(sorted(name for name in names if search(pattern, name)))
        made[literal] = {"allOf": [made[literal], schema]} if literal in made else schema
    return made
