"""Who answers: on one's own machine a chosen name, kept by the browser."""

from __future__ import annotations

from urllib.parse import quote, urlsplit

from flask import Blueprint, redirect, request, url_for
from werkzeug.wrappers import Response

from reviewapp.web.context import NAME_COOKIE, page, person

pages = Blueprint("people", __name__)

NAME_LIMIT = 80
KEPT_SECONDS = 400 * 24 * 3600


@pages.get("/name")
def name() -> Response:
    return page("name.html", name=person(), back=_back())


@pages.post("/name")
def save_name() -> Response:
    chosen = " ".join(request.form.get("name", "").split())
    if not chosen or len(chosen) > NAME_LIMIT:
        fault = f"A name of 1 to {NAME_LIMIT} characters is expected; this one has {len(chosen)}."
        return page("name.html", status=422, name=chosen, back=_back(), fault=fault)
    response = redirect(_back(), 303)
    response.set_cookie(
        NAME_COOKIE, quote(chosen), max_age=KEPT_SECONDS, httponly=True, samesite="Lax", secure=request.is_secure
    )
    return response


def _back() -> str:
    """The page to return to; only ever one of ours."""
    wanted = request.values.get("back", "")
    parts = urlsplit(wanted)
    ours = wanted.startswith("/") and not wanted.startswith("//") and not parts.netloc and "\\" not in wanted
    return wanted if ours else url_for("workspaces.start")
