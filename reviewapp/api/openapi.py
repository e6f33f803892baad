"""The OpenAPI 3.1 document, made from the endpoints' table and the models of their shapes."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from pydantic.json_schema import models_json_schema

from reviewapp import __version__
from reviewapp.api.endpoint import Endpoint
from reviewapp.api.shapes.common import ErrorEnvelope

if TYPE_CHECKING:
    from pydantic import BaseModel

REFERENCES = "#/components/schemas/{model}"
ALWAYS = ((400, "invalid_request"), (401, "unauthorized"), (403, "forbidden"), (500, "internal_error"), (503, "busy"))
"""What every endpoint may refuse with."""


def reference_address(root: str, code: str) -> str:
    """Where the reference page explains an error code."""
    return f"{root}/reference#error-{code}"


def document(endpoints: Sequence[Endpoint]) -> dict[str, Any]:
    """The whole document as JSON data."""
    keys, schemas = _schemas(endpoints)
    paths: dict[str, dict[str, Any]] = {}
    for endpoint in endpoints:
        paths.setdefault(_template(endpoint.path), {})[endpoint.method.lower()] = _operation(endpoint, keys)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "reviewapp",
            "version": __version__,
            "description": "Workflow tests, answers and datasets. JSON in UTF-8; positions in texts count code points.",
        },
        "servers": [{"url": "/v1"}],
        "security": [{"key": []}, {}],
        "paths": paths,
        "components": {
            "schemas": schemas,
            "securitySchemes": {
                "key": {"type": "http", "scheme": "bearer"},
                "api_key": {"type": "apiKey", "in": "header", "name": "Api-Key"},
            },
        },
    }


def _template(path: str) -> str:
    return path.replace("<", "{").replace(">", "}")


def _schemas(endpoints: Sequence[Endpoint]) -> tuple[dict[Any, Any], dict[str, Any]]:
    """References by (model, mode), and all schemas by name."""
    wanted: dict[tuple[type[BaseModel], Any], None] = {(ErrorEnvelope, "serialization"): None}
    for endpoint in endpoints:
        wanted[(endpoint.dialect.envelope, "serialization")] = None
        for answer in filter(None, (endpoint.answer, endpoint.also)):
            wanted[(answer, "serialization")] = None
        if endpoint.body is not None:
            wanted[(endpoint.body, "validation")] = None
    keys, definitions = models_json_schema(list(wanted), ref_template=REFERENCES)
    return dict(keys), definitions.get("$defs", {})


def _operation(endpoint: Endpoint, keys: dict[Any, Any]) -> dict[str, Any]:
    operation: dict[str, Any] = {
        "operationId": endpoint.operation_id,
        "tags": [endpoint.tag],
        "summary": endpoint.summary,
        "description": f"{inspect.getdoc(endpoint.handler) or ''}\n\nNeeds the role `{endpoint.role}`.".strip(),
        "parameters": _parameters(endpoint),
        "responses": _responses(endpoint, keys),
    }
    if endpoint.dialect.key_header is not None:
        operation["security"] = [{"key": []}, {"api_key": []}, {}]
    if endpoint.body is not None:
        schema = keys[(endpoint.body, "validation")]
        operation["requestBody"] = {"required": True, "content": {"application/json": {"schema": schema}}}
    return operation


def _parameters(endpoint: Endpoint) -> list[dict[str, Any]]:
    schema = endpoint.query.model_json_schema(ref_template=REFERENCES)
    required = set(schema.get("required", ()))
    in_path = {part[1:-1] for part in endpoint.path.split("/") if part.startswith("<")}
    rows = []
    for name, field in schema.get("properties", {}).items():
        described = {k: v for k, v in field.items() if k not in ("title", "description")}
        row = {
            "name": name,
            "in": "path" if name in in_path else "query",
            "required": name in required or name in in_path,
            "schema": _without_null(described),
        }
        if "description" in field:
            row["description"] = field["description"]
        rows.append(row)
    if endpoint.keyed:
        rows.append(
            {
                "name": "Idempotency-Key",
                "in": "header",
                "required": False,
                "schema": {"type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[ -~]+$"},
                "description": "The same key and request again answers the same and does nothing twice.",
            }
        )
    return rows


def _without_null(schema: dict[str, Any]) -> dict[str, Any]:
    """A query has no null: left out is left out."""
    kept = [option for option in schema.get("anyOf", ()) if option != {"type": "null"}]
    if len(kept) == 1:
        return {
            **kept[0],
            **{k: v for k, v in schema.items() if k not in ("anyOf", "default") or (v is not None and k != "anyOf")},
        }
    return schema


def _answer(endpoint: Endpoint, keys: dict[Any, Any]) -> dict[str, Any]:
    shapes = [keys[(shape, "serialization")] for shape in (endpoint.answer, endpoint.also) if shape is not None]
    return shapes[0] if len(shapes) == 1 else {"anyOf": shapes}


def _responses(endpoint: Endpoint, keys: dict[Any, Any]) -> dict[str, Any]:
    done: dict[str, Any] = {"description": "Done." if endpoint.status == 204 else "What was asked for."}
    if endpoint.status != 204:
        done["content"] = {"application/json": {"schema": _answer(endpoint, keys)}}
    responses: dict[str, Any] = {str(endpoint.status): done}
    if endpoint.unchanged is not None:
        responses["304"] = {"description": "Nothing changed since the state that `If-None-Match` names."}
    refusals: dict[int, list[str]] = {}
    extra = ((413, "too_large"), (415, "unsupported_media_type")) if endpoint.body is not None else ()
    keyed = ((409, "idempotency_conflict"),) if endpoint.keyed else ()
    reads = () if endpoint.writes else ((404, "not_found"),)
    for status, codes in (*ALWAYS, *extra, *keyed, *reads, *endpoint.refusals):
        status = endpoint.dialect.statuses.get(status, status)
        refusals.setdefault(status, []).extend(code for code in codes.split() if code not in refusals.get(status, ()))
    error = keys[(endpoint.dialect.envelope, "serialization")]
    for status, words in sorted(refusals.items()):
        responses[str(status)] = {
            "description": "Refused: " + ", ".join(f"`{w}`" for w in words) + ".",
            "content": {"application/json": {"schema": error}},
        }
    return responses
