"""The reference as a page: the OpenAPI document for people, without script and without network."""

from __future__ import annotations

from typing import Any

from flask import render_template
from markupsafe import Markup

CODES = {
    "invalid_request": "A field is missing, unknown or does not fit; `param` names it.",
    "invalid_json": "The body is not JSON in UTF-8.",
    "workflow_param_invalid": "A workflow, test or answer names something that is not there; `param` says which part.",
    "import_faults": "Records do not fit; `details.faults` lists all of them. Nothing was brought in.",
    "model_choice_unsupported": "The use cannot run on that model; the choices' `options` list what it can run on.",
    "contradiction": "Items with the same text expect different things; nothing was merged.",
    "model_choice_unavailable": "The model cannot be asked now: it has no key here, or its price is not known.",
    "workflow_budget_exceeded": "It may cost more than the month's budget has left; wait until `retry_at_ms`.",
    "unauthorized": "No API key, or one that is not valid here.",
    "forbidden": "The key's role does not cover it, or a page of another site sent it.",
    "test_not_found": "No such block test.",
    "run_not_found": "No such run, or none that could still be cancelled.",
    "result_not_found": "No such result of a block test.",
    "block_not_found": "The workflow has no such block.",
    "too_many_whole_runs": "As many whole runs as may are at work; try again when one has ended.",
    "record_not_found": "No such record.",
    "not_found": "No such test, dataset, record or route.",
    "named_workflow_not_found": "No workflow of that name.",
    "triggered_workflow_not_found": "No workflow of that starter and name.",
    "workflow_revision_not_found": "The workflow has no such revision.",
    "method_not_allowed": "The address takes other methods; `Allow` lists them.",
    "conflict": "It does not fit what is there now, for example a second test while one is under way.",
    "idempotency_conflict": "The Idempotency-Key was sent before with another request.",
    "stale_answer": "Somebody answered since the version in `seen`; nothing was overwritten.",
    "workflow_revision_conflict": "Another revision is in use than `expected_revision` says.",
    "workflow_revision_stale": "The revision no longer resolves to the settings it had.",
    "too_large": "More than a stated limit.",
    "unsupported_media_type": "The body is not `application/json`.",
    "busy": "Another program is writing; nothing was saved, try again.",
    "storage": "The workspace's file cannot be used; the server's log says why.",
    "damaged_file": "The workspace's file is damaged.",
    "newer_file": "The workspace's file was written by a newer reviewapp.",
    "internal_error": "Our fault; the server's log has it under the request id.",
}
"""Every code that an answer may carry."""


def reference_page(document: dict[str, Any], root: str, stylesheet: str) -> str:
    """HTML of the reference. `root` is where the API is mounted, `stylesheet` an address."""
    tags: dict[str, list[dict[str, Any]]] = {}
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            row = {
                "path": path,
                "method": method.upper(),
                "operation": operation,
                "body": _reference(operation.get("requestBody")),
                "answers": _answers(operation["responses"]),
            }
            tags.setdefault(operation["tags"][0], []).append(row)
    return render_template(
        "reference.html",
        document=document,
        tags=list(tags.items()),
        root=root,
        stylesheet=stylesheet,
        codes=CODES,
        kind=_kind,
        shape_link=_shape_link,
    )


def _reference(request_body: dict[str, Any] | None) -> str | None:
    if request_body is None:
        return None
    return _name(request_body["content"]["application/json"]["schema"])


def _answers(responses: dict[str, Any]) -> list[str]:
    """Names of the shapes of success; none where nothing is sent back."""
    done = next(response for status, response in responses.items() if status.startswith("2"))
    if "content" not in done:
        return []
    schema = done["content"]["application/json"]["schema"]
    return [_name(option) for option in schema.get("anyOf", [schema])]


def _name(schema: dict[str, Any]) -> str:
    return str(schema["$ref"]).rsplit("/", 1)[-1]


def _shape_link(name: str) -> Markup:
    return Markup('<a href="#shape-{0}"><code>{0}</code></a>').format(name)


def _kind(schema: dict[str, Any]) -> Markup:
    """A schema in a few words: ``text, at most 200``, ``list of Span``."""
    if "$ref" in schema:
        return _shape_link(_name(schema))
    if "const" in schema:
        return Markup("<code>{}</code>").format(schema["const"])
    if "enum" in schema:
        return Markup(" or ").join(Markup("<code>{}</code>").format(word) for word in schema["enum"])
    for word in ("anyOf", "oneOf"):
        if word in schema:
            return Markup(" or ").join(_kind(option) for option in schema[word])
    match schema.get("type"):
        case "array":
            return Markup("list of {}").format(_kind(schema.get("items", {})))
        case "object":
            return Markup("object")
        case "string":
            return Markup("text{}").format(_bounds(schema, "maxLength", "minLength", " characters"))
        case "integer" | "number" as number:
            return Markup("{}{}").format(number, _bounds(schema, "maximum", "minimum", ""))
        case None:
            return Markup("any value")
        case other:
            return Markup("{}").format(other)


def _bounds(schema: dict[str, Any], most: str, least: str, what: str) -> str:
    parts = []
    if least in schema:
        parts.append(f"at least {schema[least]}{what}")
    if most in schema:
        parts.append(f"at most {schema[most]}{what}")
    return f" ({', '.join(parts)})" if parts else ""
