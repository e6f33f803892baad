"""JSON Schema: whether a schema is one, and whether a value fits it. Nothing is fetched from anywhere.

Schemas come from people and values from programs, so the work has a time limit (`keywords`).
"""

from __future__ import annotations

from typing import Any

from reviewapp.evals.conditions.outcomes import shown

SAID = 300
"""Characters of a library's own words in a message."""


class SchemaFault(Exception):
    """No JSON Schema; one sentence."""


def first_misfit(value: Any, schema: dict[str, Any]) -> str | None:
    """Where and how a value does not fit, in words; None: it fits. Raises SchemaFault, TooSlow."""
    import jsonschema
    import referencing
    from jsonschema.validators import validator_for

    from reviewapp.evals.conditions.keywords import guarded, time_limit, with_plain_patterns

    if not isinstance(schema.get("$schema", ""), str):
        raise SchemaFault("The schema's `$schema` is not a text; expected an address, or none.")
    kind = guarded(validator_for(schema, default=jsonschema.Draft202012Validator))
    try:
        with time_limit():
            kind.check_schema(schema)
            validator = kind(with_plain_patterns(schema, value), registry=referencing.Registry())
            errors = sorted(validator.iter_errors(value), key=lambda e: (len(e.absolute_path), str(e.message)))
    except jsonschema.SchemaError as fault:
        raise SchemaFault(f"The schema is no JSON Schema: {_cut(fault.message)}.") from None
    except referencing.exceptions.Unresolvable as fault:
        raise SchemaFault(f"The schema points at {shown(fault.ref)}, which is not in it.") from None
    except RecursionError:
        raise SchemaFault("The schema points at itself without end.") from None
    except (AttributeError, LookupError, TypeError, ValueError):  # what the library makes of it
        raise SchemaFault("The schema points at something in it that is no schema.") from None
    if not errors:
        return None
    error = errors[0]
    place = ".".join(str(part) for part in error.absolute_path)
    said = _cut(error.message)
    return f"at {place!r}, {said}" if place else said


def _cut(said: str) -> str:
    return said if len(said) <= SAID else f"{said[: SAID - 1]}…"
