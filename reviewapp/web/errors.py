"""Errors as pages: one clear sentence, and the way on.

For htmx the sentence goes into the page's status line, so that whatever was typed stays where it is.
"""

from __future__ import annotations

import logging

from flask import Flask, current_app, g, make_response, render_template
from flask.globals import request_ctx
from flask.wrappers import Response
from markupsafe import Markup
from werkzeug.exceptions import HTTPException, RequestEntityTooLarge

from reviewapp.errors import (
    BudgetExceeded,
    Busy,
    Conflict,
    ImportFaults,
    InvalidInput,
    NotAllowed,
    NotFound,
    NotSignedIn,
    ReviewappError,
    StorageError,
    TooLarge,
    TooManyTries,
)
from reviewapp.languages import said
from reviewapp.web.context import is_htmx

log = logging.getLogger(__name__)

STATUS: tuple[tuple[type[ReviewappError], int], ...] = (
    (TooLarge, 413),
    (ImportFaults, 422),
    (InvalidInput, 422),
    (NotSignedIn, 401),
    (NotAllowed, 403),
    (NotFound, 404),
    (Conflict, 409),
    (BudgetExceeded, 429),
    (TooManyTries, 429),
    (Busy, 503),
    (StorageError, 500),
)
TITLES = {
    400: "That request could not be read",
    401: "Sign in first",
    403: "Not allowed",
    404: "Not found",
    405: "Not possible here",
    409: "It has changed in the meantime",
    413: "Too large",
    422: "Something does not fit",
    429: "Not now",
    500: "Something went wrong here",
    503: "Busy",
}
SENTENCES = {
    400: "The request could not be read. Go back, reload the page and try again.",
    404: "There is no page at this address. It may have been deleted, or the address is not complete.",
    405: "This address does not take that kind of request. Go back and use the page's own buttons.",
    500: "This is our fault, not yours; what was saved before is safe. Try again, and if it stays, tell whoever runs "
    "this server: the log has the details.",
}


def install(app: Flask) -> None:
    app.register_error_handler(ReviewappError, show_error)
    app.register_error_handler(HTTPException, _show_http_error)
    app.register_error_handler(Exception, _show_bug)


def status_of(error: ReviewappError) -> int:
    return next((status for kind, status in STATUS if isinstance(error, kind)), 500)


def show_error(error: ReviewappError) -> Response:
    status = status_of(error)
    if status >= 500 and not isinstance(error, Busy):
        log.error("%s: %s", type(error).__name__, error.message, extra={"request_id": g.get("request_id")})
    return _render(status, error.message)


def _show_http_error(error: HTTPException) -> Response:
    status = error.code or 500
    if isinstance(error, RequestEntityTooLarge):
        return _render(status, _too_large())
    return _render(status, SENTENCES.get(status) or error.description or error.name)


def _show_bug(error: Exception) -> Response:
    log.exception("unexpected %s", type(error).__name__, extra={"request_id": g.get("request_id")})
    return _render(500, SENTENCES[500])


def _too_large() -> str:
    files = current_app.config["MAX_CONTENT_LENGTH"] // 1_000_000
    text = current_app.config["MAX_FORM_MEMORY_SIZE"] // 1_000_000
    return (
        f"That is more than this page takes: {files} MB of files at once, or {text} MB of pasted text. Nothing was "
        "saved; go back, your text is still in the form. Send it in parts, or use `reviewapp records import`."
    )


def _render(status: int, message: str) -> Response:
    title = TITLES.get(status, "Something went wrong")
    if is_htmx():
        response = make_response(Markup('<p class="bad" role="alert">{}</p>').format(said(message)), status)
        response.headers["HX-Retarget"] = "#status"
        response.headers["HX-Reswap"] = "innerHTML"
        response.headers["HX-Push-Url"] = "false"
        return response
    g.setdefault("nonce", "")
    if not request_ctx.url_adapter:  # a host that none can have: no address can be made, so no page either
        return make_response((message, status, {"Content-Type": "text/plain; charset=utf-8"}))
    return make_response(render_template("error.html", status=status, title=title, message=message), status)
