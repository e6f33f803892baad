"""One's own account, and for admins of the server all accounts."""

from __future__ import annotations

from flask import Blueprint, current_app, flash, redirect, request, url_for
from werkzeug.wrappers import Response

from reviewapp import accounts
from reviewapp.domain.people import EVERYWHERE, ROLES
from reviewapp.errors import Conflict, InvalidInput, TooManyTries
from reviewapp.origins import address_for_others
from reviewapp.web import identity
from reviewapp.web.context import account, data, page, person, settings
from reviewapp.web.errors import status_of

pages = Blueprint("accounts", __name__)

LINKS_END = "It can be used once, within a day; nobody can be shown it again."


@pages.get("/me")
def me() -> Response:
    return _me()


@pages.post("/me/password")
def change_password() -> Response:
    """A new password; sessions in other browsers end."""
    old, new = request.form.get("old", ""), request.form.get("password", "")
    session = request.cookies.get(identity.SESSION_COOKIE)
    try:
        limits = current_app.extensions["sign_in_limits"]
        accounts.change_password(data(), limits, account(), old, new, session=session)
    except (InvalidInput, TooManyTries) as error:
        return _me(error)
    flash("Your password is changed; in other browsers you are signed out.", "ok")
    return redirect(url_for(".me"), 303)


@pages.post("/me/sign-out-everywhere")
def sign_out_everywhere() -> Response:
    """End all sessions of this person, this one too."""
    accounts.sign_out_everywhere(data(), account(), by=person())
    flash("You are signed out everywhere.", "ok")
    response = redirect(url_for("sign_in.show"), 303)
    identity.forget_session(response, request, settings())
    return response


@pages.get("/people")
def index() -> Response:
    """All accounts of the server."""
    return _list()


@pages.post("/people")
def add() -> Response:
    """An account with a link that sets its password."""
    name, role = request.form.get("name", ""), request.form.get("role", "")
    try:
        added = accounts.add_person(data(), name, None, by=person())
        if role:
            accounts.set_role(data(), added.name, role, by=person())
        secret = accounts.make_password_link(data(), added.name, by=person())
    except (InvalidInput, Conflict) as error:
        return _list(error=error, name=name)
    return _list(link=link_address(secret), told=f"{added.name} is added. Send this link to them to set a password.")


@pages.post("/people/role")
def set_role() -> Response:
    """The role for every workspace; empty: none."""
    changed = accounts.set_role(
        data(), request.form.get("name", ""), request.form.get("role") or None, workspace=EVERYWHERE, by=person()
    )
    flash(f"{changed.name}: {changed.access.role_in(EVERYWHERE) or 'no role for every workspace'}.", "ok")
    return redirect(url_for(".index"), 303)


@pages.post("/people/close")
def close() -> Response:
    closed = accounts.disable(data(), request.form.get("name", ""), by=person())
    flash(f"The account of {closed.name} is closed and signed out; answers stay.", "ok")
    if keys := accounts.keys_left_by(data(), closed.name):
        flash(
            f"API keys that {closed.name} made go on working: {', '.join(keys)}. Revoke those that should not.", "warn"
        )
    return redirect(url_for(".index"), 303)


@pages.post("/people/open")
def open() -> Response:
    opened = accounts.enable(data(), request.form.get("name", ""), by=person())
    flash(f"The account of {opened.name} is open again.", "ok")
    return redirect(url_for(".index"), 303)


@pages.post("/people/reset")
def reset() -> Response:
    """A link that sets a new password; the old one and all sessions end."""
    name = request.form.get("name", "")
    secret = accounts.make_password_link(data(), name, by=person())
    return _list(link=link_address(secret), told=f"Send this link to {name}; the old password is gone.")


def _me(error: InvalidInput | TooManyTries | None = None) -> Response:
    faults = {error.param or "old": error.message} if error else {}
    status = 200 if error is None else status_of(error)
    mine = account()
    sessions = accounts.open_sessions(data(), mine)
    return page("me.html", status=status, account=mine, sessions=sessions, faults=faults)


def _list(
    *, error: InvalidInput | Conflict | None = None, name: str = "", link: str | None = None, told: str = ""
) -> Response:
    return page(
        "accounts.html",
        status=422 if error else 200,
        people=accounts.list_people(data()),
        roles=ROLES,
        name=name,
        faults={error.param or "name": error.message} if error else {},
        link=link,
        told=told,
        links_end=LINKS_END,
    )


def link_address(secret: str) -> str:
    """The whole address of a link, as it is sent to somebody."""
    path = url_for("sign_in.link", secret=secret).removeprefix(request.script_root)
    return address_for_others(settings(), request.host) + path
