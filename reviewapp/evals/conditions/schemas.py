"""JSON Schema: whether a schema is one, and whether a value fits it. Nothing is fetched from anywhere."""

from __future__ import annotations

from typing import Any

from reviewapp.evals.conditions.outcomes import shown


class SchemaFault(Exception):
    """No JSON Schema; one sentence."""


def first_misfit(value: Any, schema: dict[str, Any]) -> str | None:
    """Where and how a value does not fit, in words; None: it fits. Raises SchemaFault."""
    import jsonschema
    import referencing
    from jsonschema.validators import validator_for

    kind = validator_for(schema, default=jsonschema.Draft202012Validator)
    try:
        kind.check_schema(schema)
        validator = kind(schema, registry=referencing.Registry())
        errors = sorted(validator.iter_errors(value), key=lambda e: (len(e.absolute_path), str(e.message)))
    except jsonschema.SchemaError as fault:
        raise SchemaFault(f"The schema is no JSON Schema: {fault.message}.") from None
    except referencing.exceptions.Unresolvable as fault:
        raise SchemaFault(f"The schema points at {shown(fault.ref)}, which is not in it.") from None
    except RecursionError:
        raise SchemaFault("The schema points at itself without end.") from None
    if not errors:
        return None
    error = errors[0]
    place = ".".join(str(part) for part in error.absolute_path)
    said = error.message if len(error.message) <= 300 else f"{error.message[:299]}…"
    return f"at {place!r}, {said}" if place else said
