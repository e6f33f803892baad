"""Signing in and out, and links: an invitation, or one that sets a password."""

from __future__ import annotations

from flask import Blueprint, current_app, flash, g, redirect, request, url_for
from werkzeug.wrappers import Response

from reviewapp import accounts
from reviewapp.domain.people import Link
from reviewapp.errors import Conflict, InvalidInput, TooManyTries
from reviewapp.origins import needs_sign_in, person_of_proxy
from reviewapp.web import identity
from reviewapp.web.context import access, back, data, page, settings

pages = Blueprint("sign_in", __name__)


@pages.get("/sign-in")
def show() -> Response:
    """The form; whoever is known already goes on to the page they wanted."""
    if not needs_sign_in(settings()) or access().name:
        return redirect(back(), 303)
    return page("sign_in.html", back=back(), named=_named_by_proxy())


@pages.post("/sign-in")
def check() -> Response:
    name = request.form.get("name", "")
    try:
        signed_in = accounts.sign_in(
            data(),
            current_app.extensions["sign_in_limits"],
            name,
            request.form.get("password", ""),
            address=identity.address_of(request, settings()),
            device=request.cookies.get(identity.DEVICE_COOKIE),
        )
    except InvalidInput as error:
        return page("sign_in.html", status=422, back=back(), name=name, fault=error.message)
    except TooManyTries as error:
        response = page("sign_in.html", status=429, back=back(), name=name, fault=error.message)
        response.headers["Retry-After"] = str(error.retry_after_seconds)
        return response
    return _let_in(signed_in, back())


@pages.post("/sign-out")
def out() -> Response:
    """End this session."""
    if session := request.cookies.get(identity.SESSION_COOKIE):
        accounts.sign_out(data(), session)
    response = redirect(url_for(".show"), 303)
    identity.forget_session(response, request, settings())
    return response


@pages.get("/link/<secret>")
def link(secret: str) -> Response:
    """What the link is for, and the form that uses it."""
    return _form(secret, accounts.look_at_link(data(), secret))


@pages.post("/link/<secret>")
def follow(secret: str) -> Response:
    found = accounts.look_at_link(data(), secret)
    password = request.form.get("password", "")
    try:
        if found.kind == "password":
            return _let_in(accounts.begin_session(data(), accounts.set_password_by(data(), secret, password)), _start())
        if g.account is not None:
            accounts.accept_as(data(), secret, g.account)
            return redirect(_goal(found), 303)
        if named := _named_by_proxy():
            accounts.accept_as_new(data(), secret, named, None)
            return redirect(_goal(found), 303)
        person = accounts.accept_as_new(data(), secret, request.form.get("name", ""), password)
    except (InvalidInput, Conflict) as error:
        return _form(secret, found, error)
    return _let_in(accounts.begin_session(data(), person), _goal(found))


def _form(secret: str, found: Link, error: InvalidInput | Conflict | None = None) -> Response:
    return page(
        "link.html",
        status=422 if error else 200,
        link=found,
        secret=secret,
        name=request.form.get("name", ""),
        faults={error.param or "name": error.message} if error else {},
        named=_named_by_proxy(),
        needed=needs_sign_in(settings()),
    )


def _named_by_proxy() -> str | None:
    return person_of_proxy(request.remote_addr, request.headers, settings())


def _goal(found: Link) -> str:
    if found.grant is None:
        return _start()
    if found.grant.test is not None:
        return url_for("review.show", workspace=found.grant.workspace, test=found.grant.test)
    return url_for("workspaces.show", workspace=found.grant.workspace)


def _start() -> str:
    return url_for("workspaces.start")


def _let_in(signed_in: accounts.SignedIn, to: str) -> Response:
    flash(f"Signed in as {signed_in.person.name}.", "ok")
    if before := request.cookies.get(identity.SESSION_COOKIE):
        accounts.sign_out(data(), before)  # whatever this browser was before, it is no longer
    response = redirect(to, 303)
    identity.keep_session(response, request, settings(), signed_in)
    return response
