"""API keys: made and shown once, listed, revoked."""

from __future__ import annotations

from flask import Blueprint, flash, redirect, request, url_for
from werkzeug.wrappers import Response

from reviewapp import keys
from reviewapp.domain.people import EVERYWHERE
from reviewapp.errors import Conflict, InvalidInput, NotFound
from reviewapp.languages import gettext
from reviewapp.web.context import data, page, person

pages = Blueprint("keys", __name__, url_prefix="/keys")


@pages.get("/")
def index() -> Response:
    return _list()


@pages.post("/")
def make() -> Response:
    """A key; its secret is on this answer and nowhere else."""
    form = request.form
    try:
        key, secret = keys.create_key(
            data(),
            form.get("name", ""),
            role=form.get("role", ""),
            workspace=form.get("workspace") or EVERYWHERE,
            by=person(),
        )
    except (InvalidInput, Conflict, NotFound) as error:
        return _list(error)
    return _list(made=key.name, secret=secret)


@pages.post("/revoke")
def revoke() -> Response:
    gone = keys.revoke_key(data(), request.form.get("key", ""), by=person())
    flash(f"Key {gone.name} is revoked; whatever used it is refused from now on.", "ok")
    return redirect(url_for(".index"), 303)


def _list(
    error: InvalidInput | Conflict | NotFound | None = None, *, made: str | None = None, secret: str | None = None
) -> Response:
    return page(
        "keys.html",
        status=422 if error else 200,
        keys=keys.list_keys(data()),
        workspaces=[("", gettext("every one")), *((name, name) for name in data().workspaces())],
        form={"role": "author"} | (request.form.to_dict() if error else {}),
        faults={error.param or "name": error.message} if error else {},
        made=made,
        secret=secret,
    )
