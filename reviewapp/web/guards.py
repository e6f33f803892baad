"""What every request must pass and every response carries.

The host is ours and nobody else's page sends a form (`reviewapp.origins`); whoever asks is known and may
(`identity`, `roles`); the policy allows our own files and the scripts that carry this response's nonce, nothing inline.
"""

from __future__ import annotations

import logging
import secrets
import time

from flask import Flask, Response, current_app, g, redirect, request, url_for
from werkzeug.exceptions import RequestEntityTooLarge
from werkzeug.wrappers import Response as AnyResponse

from reviewapp.errors import NotAllowed, NotSignedIn
from reviewapp.logs import log_request
from reviewapp.origins import host_name, is_from_us, is_our_host, request_id_of
from reviewapp.safe_headers import add_safe_headers
from reviewapp.settings import Settings
from reviewapp.web import roles
from reviewapp.web.identity import access_of

log = logging.getLogger(__name__)

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
FORM = "application/x-www-form-urlencoded"
STRANGERS_BYTES = 100_000
"""Longest body of somebody who is not known yet: a name, a password and where to go on, many times over."""

POLICY = (
    "default-src 'none'; script-src 'nonce-{nonce}'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'; "
    "require-trusted-types-for 'script'; trusted-types htmx"
)


def install(app: Flask) -> None:
    app.before_request(_begin)
    app.before_request(_check_host)
    app.before_request(_check_origin)
    app.before_request(_check_role)
    app.before_request(_check_size)
    app.after_request(_add_headers)


def _begin() -> None:
    g.nonce = secrets.token_urlsafe(16)
    g.begun = time.perf_counter()
    g.request_id = request_id_of(request.headers.get("X-Request-Id"))


def _check_host() -> None:
    settings: Settings = current_app.extensions["settings"]
    if not is_our_host(request.host, settings):
        raise NotAllowed(
            f"This server does not answer for {host_name(request.host)!r}. Open it as "
            f"http://localhost:{settings.port}/, or set REVIEWAPP_PUBLIC_URL to the address that people type."
        )


VARIES = ", ".join(("HX-Request", "Accept-Language", "Cookie"))
"""What the same address gives different answers for: a piece or the whole page, the language, who asks."""


def _check_origin() -> None:
    if request.method in SAFE_METHODS:
        return
    ours = is_from_us(
        host=request.host,
        origin=request.headers.get("Origin"),
        fetch_site=request.headers.get("Sec-Fetch-Site"),
        settings=current_app.extensions["settings"],
    )
    if not ours:
        raise NotAllowed(
            "This was sent from another site, so nothing was changed. Open the page here and send it again; behind a "
            "proxy, set REVIEWAPP_PUBLIC_URL to the address that people type."
        )


def _check_role() -> AnyResponse | None:
    """Who asks, and whether they may; strangers are sent to sign in, and come back from there."""
    g.access, g.account = None, None
    if request.endpoint == "static":
        return None
    g.access, g.account = access_of(request, current_app.extensions["data"], current_app.extensions["settings"])
    if roles.is_open(request.endpoint):
        return None
    if g.access is None:
        return _send_to_sign_in()
    roles.check(str(request.endpoint), g.access, g.get("workspace_name"), (request.view_args or {}).get("test"))
    return None


def _check_size() -> None:
    """Refuse a form before it is taken apart: Flask limits those with files, but not the fields of any other, and a
    few megabytes of empty ones take seconds and a gigabyte."""
    if request.method in SAFE_METHODS:
        return
    if g.access is None:
        request.max_content_length = STRANGERS_BYTES
    elif request.mimetype == FORM:
        request.max_content_length = request.max_form_memory_size
    fields = request.get_data().count(b"&") + 1 if request.mimetype == FORM else 0
    if fields > current_app.config["MAX_FORM_PARTS"]:
        raise RequestEntityTooLarge


def _send_to_sign_in() -> AnyResponse:
    if request.method in SAFE_METHODS and "HX-Request" not in request.headers:
        here = request.script_root + request.full_path.rstrip("?")
        return redirect(url_for("sign_in.show", back=here), 303)
    raise NotSignedIn(
        "You are not signed in any more, so nothing was saved. Sign in again in another tab, then send this once more."
    )


def _add_headers(response: Response) -> Response:
    add_safe_headers(response.headers, POLICY.format(nonce=g.nonce))
    if request.endpoint != "static":
        response.headers.setdefault("Cache-Control", "no-store")
        response.headers["Vary"] = VARIES
    response.headers["X-Request-Id"] = g.request_id
    if log.isEnabledFor(logging.INFO) and request.endpoint != "static":
        _log(response)
    return response


def _log(response: Response) -> None:
    access = g.get("access")
    log_request(
        log,
        request_id=g.request_id,
        method=request.method,
        route=request.url_rule.rule if request.url_rule else None,
        status=response.status_code,
        begun=g.begun,
        person=access.name if access else "",
    )
