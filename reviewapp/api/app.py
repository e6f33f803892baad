"""The API as an application of its own, mounted under ``/v1``: whatever happens here is answered in JSON.

Routes come from the endpoints' table. Every answer carries ``X-Request-Id``; nothing redirects.
"""

from __future__ import annotations

import json
import logging
import time
from functools import cache
from typing import Any

from flask import Flask, Response, current_app, g, request
from pydantic import ValidationError
from werkzeug.exceptions import HTTPException, MethodNotAllowed, RequestEntityTooLarge

from reviewapp.api import transport
from reviewapp.api.dialect import Dialect, dialect_of
from reviewapp.api.endpoint import Call, Endpoint
from reviewapp.api.openapi import document, reference_address
from reviewapp.api.problems import Problem, problem_of
from reviewapp.api.reference import reference_page
from reviewapp.api.routes import ENDPOINTS
from reviewapp.errors import ReviewappError
from reviewapp.logs import log_request
from reviewapp.origins import is_from_us, is_our_host, request_id_of
from reviewapp.resources import folder
from reviewapp.safe_headers import NO_PAGE, add_safe_headers
from reviewapp.settings import Settings
from reviewapp.workspaces import DataFolder

log = logging.getLogger(__name__)

BODY_BYTES = 64_000_000
"""Longest body: a whole dataset of 500 items of 40,000 characters, at up to three bytes a character."""
REVIEWERS_BODY_BYTES = 10_000_000
"""Longest body of those who may answer only; JSON takes many times its length once it is read."""


def create_api(settings: Settings, data: DataFolder) -> Flask:
    """The API over `data`."""
    app = Flask("reviewapp.api", template_folder=str(folder("templates")), static_folder=None)
    app.config.update(MAX_CONTENT_LENGTH=BODY_BYTES)
    app.url_map.strict_slashes = False
    app.url_map.merge_slashes = False  # merging would redirect
    app.extensions["settings"] = settings
    app.extensions["data"] = data

    app.before_request(_begin)
    app.after_request(_finish)
    for endpoint in ENDPOINTS:
        app.add_url_rule(
            endpoint.path,
            endpoint=endpoint.operation_id,
            view_func=_View(endpoint),
            methods=[endpoint.method],
            provide_automatic_options=False,
        )
    app.add_url_rule("/openapi.json", view_func=_openapi, methods=["GET"], provide_automatic_options=False)
    app.add_url_rule("/reference", view_func=_reference, methods=["GET"], provide_automatic_options=False)
    app.register_error_handler(Problem, _show_problem)
    app.register_error_handler(ReviewappError, _show_error)
    app.register_error_handler(HTTPException, _show_http_error)
    app.register_error_handler(Exception, _show_bug)
    return app


class _View:
    """One endpoint as Flask calls it."""

    def __init__(self, endpoint: Endpoint) -> None:
        self.endpoint = endpoint
        self.__name__ = endpoint.operation_id

    def __call__(self, **path: str) -> Response:
        endpoint, data = self.endpoint, current_app.extensions["data"]
        settings: Settings = current_app.extensions["settings"]
        g.dialect = endpoint.dialect
        access = transport.access_of(request, data, settings, endpoint.dialect)
        g.caller = access.name
        path = transport.with_graph(endpoint, access, request, path)
        caller = transport.caller_of(endpoint, access, request, path)
        request.max_content_length = REVIEWERS_BODY_BYTES if caller.role in ("viewer", "reviewer") else BODY_BYTES
        query = transport.read_query(endpoint, request, path)
        body = transport.read_body(endpoint, request)
        workspace = transport.workspace_of(endpoint, query.graph, data, access)
        call = Call(data=data, settings=settings, workspace=workspace, caller=caller, query=query, body=body)
        if endpoint.unchanged is not None and (tag := endpoint.unchanged(call)) is not None:
            if request.if_none_match.contains(tag):
                return Response(status=304, headers={"ETag": f'"{tag}"'})
            g.etag = tag
        answer = transport.answer(endpoint, call, request.headers.get("Idempotency-Key"))
        if endpoint.status == 204:
            return Response(status=204)
        return _json(answer, endpoint.status)


@cache
def _document() -> dict[str, Any]:
    return document(ENDPOINTS)


def _openapi() -> Response:
    return _json(_document(), 200)


def _reference() -> Response:
    outside = request.script_root.removesuffix("/v1")
    page = Response(reference_page(_document(), request.script_root, f"{outside}/static/app.css"), mimetype="text/html")
    page.headers["Content-Security-Policy"] = "default-src 'none'; style-src 'self'; frame-ancestors 'none'"
    return page


def _begin() -> None:
    g.request_id, g.begun = request_id_of(request.headers.get("X-Request-Id")), time.perf_counter()
    settings: Settings = current_app.extensions["settings"]
    if not is_our_host(request.host, settings):
        message = f"This server does not answer for {request.host!r}; set REVIEWAPP_PUBLIC_URL to the address in use."
        raise Problem(403, "auth_error", "forbidden", message)
    origin, fetch_site = request.headers.get("Origin"), request.headers.get("Sec-Fetch-Site")
    if request.method not in ("GET", "HEAD") and not is_from_us(
        host=request.host, origin=origin, fetch_site=fetch_site, settings=settings
    ):
        message = "A page of another site sent this; nothing was changed. Call the API from a program."
        raise Problem(403, "auth_error", "forbidden", message)


def _finish(response: Response) -> Response:
    response.headers["X-Request-Id"] = g.request_id
    response.headers["Cache-Control"] = "no-store"
    add_safe_headers(response.headers, NO_PAGE)
    if etag := g.get("etag"):
        response.headers["ETag"] = f'"{etag}"'
    if log.isEnabledFor(logging.INFO):
        log_request(
            log,
            request_id=g.request_id,
            method=request.method,
            route=f"/v1{request.url_rule.rule}" if request.url_rule else None,
            status=response.status_code,
            begun=g.begun,
            person=g.get("caller", ""),
        )
    return response


def _json(content: Any, status: int) -> Response:
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return Response(text, status, content_type="application/json")


def _show_problem(problem: Problem) -> Response:
    dialect: Dialect = g.get("dialect") or dialect_of(request.path)
    envelope = dialect.say(problem, g.request_id, reference_address(request.script_root, problem.code))
    response = _json(envelope.model_dump(mode="json", exclude_unset=False), dialect.status(problem))
    if problem.retry_after_seconds is not None:
        response.headers["Retry-After"] = str(problem.retry_after_seconds)
    if problem.status == 401:
        response.headers["WWW-Authenticate"] = "Bearer"
    return response


def _show_error(error: ReviewappError) -> Response:
    problem = problem_of(error)
    if problem.status == 500:
        log.error("%s: %s", type(error).__name__, error.message, extra={"request_id": g.request_id})
    return _show_problem(problem)


def _show_http_error(error: HTTPException) -> Response:
    status = error.code or 500
    if isinstance(error, MethodNotAllowed):
        allowed = sorted(error.valid_methods or ())
        message = f"{request.method} is not possible at {_here()}; it takes {', '.join(allowed)}."
        response = _show_problem(Problem(405, "invalid_request_error", "method_not_allowed", message))
        response.headers["Allow"] = ", ".join(allowed)
        return response
    if isinstance(error, RequestEntityTooLarge):
        limit = (request.max_content_length or BODY_BYTES) // 1_000_000
        message = f"The body is longer than {limit} MB; send it in parts."
        return _show_problem(Problem(413, "invalid_request_error", "too_large", message))
    if status == 404:
        message = (
            f"no route for {request.method} {_here()}; the reference at {request.script_root}/reference lists all."
        )
        return _show_problem(Problem(404, "routing_error", "not_found", message))
    message = f"The request could not be read ({error.name}); check its address, headers and body."
    return _show_problem(Problem(status, "invalid_request_error", "invalid_request", message))


def _show_bug(error: Exception) -> Response:
    kind = "an answer does not fit its shape" if isinstance(error, ValidationError) else "unexpected error"
    log.exception("%s: %s", kind, type(error).__name__, extra={"request_id": g.request_id})
    message = "This is our fault, not yours; the server's log has it under this request id."
    return _show_problem(Problem(500, "api_error", "internal_error", message))


def _here() -> str:
    return f"{request.script_root}{request.path}"[:200]
