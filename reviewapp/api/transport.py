"""From a request to a checked `Call`, and from what the handler gives to a response.

1. A request id, taken from ``X-Request-Id`` when it is a plain word, else made.
2. The caller: an API key, or, on a server without sign-in and as long as there are no keys, the local person. Else 401.
3. The role that the endpoint asks for, in the workspace that ``graph`` names (`domain.people.Access`). Else 403.
4. Query and body, each read into its model. Else 400, 413 or 415, with the field that does not fit.
5. The workspace: a write of somebody who runs the server makes it, else a missing one answers 404.
6. The handler, once per Idempotency-Key.

Whatever is raised on the way becomes the one error envelope, in one place (`app.py`).
"""

from __future__ import annotations

import hashlib
import json
import math
import re
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ValidationError

from reviewapp.api.dialect import OURS, Dialect
from reviewapp.api.endpoint import Call, Caller, Endpoint
from reviewapp.api.problems import Problem
from reviewapp.domain.base import SLUG_EXPECTED, SLUG_PATTERN
from reviewapp.domain.misfits import misfits
from reviewapp.domain.people import EVERYWHERE, Access, local_access
from reviewapp.idempotency import once
from reviewapp.keys import authenticate, has_keys
from reviewapp.origins import is_from_elsewhere, needs_sign_in
from reviewapp.settings import Settings
from reviewapp.workspaces import DataFolder, Workspace, open_workspace

if TYPE_CHECKING:
    from flask import Request

KEY_LIMIT = 255
"""Longest Idempotency-Key, in characters."""


def access_of(request: Request, data: DataFolder, settings: Settings, dialect: Dialect = OURS) -> Access:
    """Who asks, and what they may do. Raises Problem 401, which does not say whether a key exists or is revoked."""
    secret = _secret_of(request, dialect)
    is_closed = needs_sign_in(settings) or has_keys(data) or is_from_elsewhere(request.remote_addr, request.headers)
    if secret is None or (dialect.key_header is not None and not is_closed):
        if is_closed:
            raise _unauthorized("This server asks for an API key: send `Authorization: Bearer <key>`.")
        return local_access(settings.person)
    key = authenticate(data, secret) if secret else None
    if key is None:
        raise _unauthorized("This API key is not valid here; make one with `reviewapp key create --name NAME`.")
    return key.access


def _secret_of(request: Request, dialect: Dialect) -> str | None:
    """The key that came with it; empty: something came that is none; None: nothing came."""
    if dialect.key_header is not None and (own := request.headers.get(dialect.key_header)) is not None:
        return own.strip()
    header = request.headers.get("Authorization")
    if header is None:
        return None
    scheme, _, secret = header.partition(" ")
    return secret.strip() if scheme.lower() == "bearer" else ""


def _unauthorized(message: str) -> Problem:
    return Problem(401, "auth_error", "unauthorized", message, retryable=False)


def with_graph(endpoint: Endpoint, access: Access, request: Request, path: dict[str, str]) -> dict[str, str]:
    """The path's values, and the workspace of a key that is bound to one where the dialect says so."""
    bound = {grant.workspace for grant in access.grants} - {EVERYWHERE}
    if endpoint.dialect.follows_key and len(bound) == 1 and "graph" not in request.args:
        return {**path, "graph": bound.pop()}
    return path


def caller_of(endpoint: Endpoint, access: Access, request: Request, path: dict[str, str]) -> Caller:
    """The caller with the role that they have in the workspace. Raises Problem 403 where it does not do."""
    default = path.get("graph") or str(endpoint.query.model_fields["graph"].default)
    graph = request.args.getlist("graph")[-1:] or [default]
    return caller_in(endpoint, access, graph[0])


def caller_in(endpoint: Endpoint, access: Access, graph: str) -> Caller:
    """The caller in a workspace. Raises Problem 403."""
    role = access.role_in(graph)
    if role is None or not access.may(endpoint.role, graph):
        held = f"has {role!r}" if role else "has none"
        message = f"This needs the role {endpoint.role!r} in {graph[:80]!r}; the key {access.name!r} {held} there."
        raise Problem(403, "auth_error", "forbidden", message, retryable=False)
    return Caller(access.name, role)


def read_query(endpoint: Endpoint, request: Request, path: dict[str, str]) -> Any:
    """Query and path parameters as the endpoint's model; several of one name are a list only where it has one."""
    found: dict[str, Any] = dict(path)
    for name, field in endpoint.query.model_fields.items():
        values = request.args.getlist(field.alias or name)
        if values:
            found[field.alias or name] = values if "list" in str(field.annotation) else values[-1]
    try:
        return endpoint.query.model_validate(found)
    except ValidationError as error:
        raise _misfit(error, found, endpoint.query, "query") from None


def read_body(endpoint: Endpoint, request: Request) -> Any:
    if endpoint.body is None:
        return None
    raw = request.get_data(cache=False)
    if endpoint.dialect.reads_leniently:
        return fit_body(endpoint.body, parse_json(raw) if raw.strip() else {})
    if not raw:
        raise Problem(400, "invalid_request_error", "invalid_request", "The body is empty; expected a JSON object.")
    if not request.is_json:
        found = request.mimetype or "no content type"
        message = f"The body came as {found}; expected JSON with `Content-Type: application/json`."
        raise Problem(415, "invalid_request_error", "unsupported_media_type", message)
    return fit_body(endpoint.body, parse_json(raw))


def parse_json(raw: bytes) -> Any:
    """Strict JSON in UTF-8: no NaN, no lone surrogates, no unbounded depth."""
    try:
        content = json.loads(raw.decode("utf-8-sig"), parse_constant=_refuse_constant, parse_float=_finite)
        json.dumps(content, ensure_ascii=False).encode()  # a lone surrogate fails here, in whatever field it stands
    except RecursionError:
        message = "The JSON is nested too deeply; flatten it."
    except UnicodeEncodeError:
        message = "The JSON holds half a character (a lone surrogate such as \\ud83d); send whole characters."
    except UnicodeDecodeError as error:
        message = f"The body is not UTF-8: byte {error.start} cannot be read. Send JSON in UTF-8."
    except ValueError as error:
        message = f"The body is not JSON: {error}."
    else:
        return content
    raise Problem(400, "invalid_request_error", "invalid_json", message) from None


def _finite(written: str) -> float:
    number = float(written)
    if not math.isfinite(number):
        raise ValueError(f"{written[:40]} is too large for a number")
    return number


def _refuse_constant(word: str) -> None:
    raise ValueError(f"{word} is not a JSON value")


def fit_body(model: type[BaseModel], content: Any) -> BaseModel:
    try:
        return model.model_validate(content)
    except ValidationError as error:
        raise _misfit(error, content, model, "body") from None


def _misfit(error: ValidationError, given: Any, model: type[BaseModel], whole: str) -> Problem:
    """All misfits of a body or query; the first is the message, `param` its field."""
    found = misfits(error, given, model.model_validate)
    first = found[0]
    more = f" ({len(found) - 1} more in `details`)" if len(found) > 1 else ""
    rows = [{"param": misfit.place, "message": f"{misfit.message}."} for misfit in found[:50]]
    return Problem(
        400,
        "invalid_request_error",
        "invalid_request",
        f"{first.place or whole}: {first.message}.{more}",
        param=str(first.where[0]) if first.where else None,
        details={"misfits": rows} if len(found) > 1 else None,
    )


def workspace_of(endpoint: Endpoint, graph: str, data: DataFolder, access: Access) -> Workspace:
    if not re.fullmatch(SLUG_PATTERN, graph):
        message = f"graph {graph[:80]!r} is no workspace name; expected {SLUG_EXPECTED}."
        raise Problem(400, "invalid_request_error", "invalid_request", message, param="graph")
    return open_workspace(data, graph, create=endpoint.writes and access.may("admin", EVERYWHERE), by=access.name)


def answer(endpoint: Endpoint, call: Call[Any, Any], key: str | None) -> dict[str, Any]:
    """What the handler gives, as JSON; with a key, what it gave the first time."""

    def run() -> dict[str, Any]:
        return _to_json(endpoint.handler(call))

    if key is None or not endpoint.keyed:
        return run()
    if len(key) > KEY_LIMIT or not key.isprintable():
        message = f"The Idempotency-Key has {len(key)} characters; expected at most {KEY_LIMIT} printable ones."
        raise Problem(400, "invalid_request_error", "invalid_request", message, param="Idempotency-Key")
    asked = {"query": call.query.model_dump(mode="json"), "body": _to_json(call.body) if call.body else None}
    fingerprint = hashlib.sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()
    stored, repeated = once(call.workspace, f"{endpoint.method} {endpoint.path}", key, fingerprint, run)
    if repeated and endpoint.present is not None:
        return _to_json(endpoint.present(call, stored))
    return stored


def _to_json(model: BaseModel) -> dict[str, Any]:
    return model.model_dump(mode="json", by_alias=True)
