"""Who is at the door: the person of the session's cookie, the one a trusted proxy names, or the local person."""

from __future__ import annotations

from urllib.parse import quote, unquote

from flask import Flask, Request
from flask import request as flask_request
from flask.sessions import SecureCookieSessionInterface
from werkzeug.wrappers import Response

from reviewapp import accounts
from reviewapp.domain.people import Access, Person, local_access
from reviewapp.errors import NotAllowed
from reviewapp.origins import client_address, is_from_elsewhere, is_https, needs_sign_in, person_of_proxy
from reviewapp.settings import Settings
from reviewapp.workspaces import DataFolder

NAME_COOKIE = "reviewapp-name"
SESSION_COOKIE = "reviewapp-session"
DEVICE_COOKIE = "reviewapp-browser"
LANGUAGE_COOKIE = "reviewapp-language"
KEPT_SECONDS = 400 * 24 * 3600
"""As long as browsers keep a cookie at most."""


def access_of(request: Request, data: DataFolder, settings: Settings) -> tuple[Access | None, Person | None]:
    """What whoever asks may do, and their account; (None, None): a stranger who has to sign in.

    Raises NotAllowed for a request from elsewhere to a server that has no sign-in, and for a name of the proxy's
    that has no open account.
    """
    if not needs_sign_in(settings):
        if is_from_elsewhere(request.remote_addr, request.headers):
            raise NotAllowed(
                "This server has no sign-in and answers only to its own machine. Behind a proxy, set "
                "REVIEWAPP_PUBLIC_URL to the address that people type; then people sign in."
            )
        chosen = unquote(request.cookies.get(NAME_COOKIE, "")).strip()[:200]
        return local_access(chosen or settings.person), None
    named = person_of_proxy(request.remote_addr, request.headers, settings)
    if named is not None:
        person = accounts.person_or_none(data, named)
        return (None, None) if person is None or person.disabled else (person.access, person)
    session = request.cookies.get(SESSION_COOKIE)
    person = None if not session else accounts.who_is_signed_in(data, session)
    return (None, None) if person is None else (person.access, person)


class Messages(SecureCookieSessionInterface):
    """Flask's own cookie, which carries messages to the next page: below our path, and only by https where that is."""

    def get_cookie_path(self, app: Flask) -> str:  # noqa: ARG002
        return f"{flask_request.script_root}/"

    def get_cookie_secure(self, app: Flask) -> bool:
        return is_https(flask_request.scheme, flask_request.host, app.extensions["settings"])


def address_of(request: Request, settings: Settings) -> str:
    """The address that the tries to sign in are counted for."""
    return client_address(request.remote_addr, request.headers.get("X-Forwarded-For"), settings)


def keep_session(response: Response, request: Request, settings: Settings, signed_in: accounts.SignedIn) -> None:
    """Give the browser its session, and what tells it from a stranger's at the next sign-in."""
    _set(response, request, settings, SESSION_COOKIE, signed_in.session, None)
    _set(response, request, settings, DEVICE_COOKIE, signed_in.device, KEPT_SECONDS)


def forget_session(response: Response, request: Request, settings: Settings) -> None:
    _set(response, request, settings, SESSION_COOKIE, "", 0)


def keep_name(response: Response, request: Request, settings: Settings, name: str) -> None:
    """The name that somebody without sign-in chose."""
    _set(response, request, settings, NAME_COOKIE, quote(name), KEPT_SECONDS)


def keep_language(response: Response, request: Request, settings: Settings, language: str) -> None:
    """The language that somebody chose in this browser."""
    _set(response, request, settings, LANGUAGE_COOKIE, language, KEPT_SECONDS)


def _set(response: Response, request: Request, settings: Settings, name: str, value: str, seconds: int | None) -> None:
    response.set_cookie(
        name,
        value,
        max_age=seconds,
        path=f"{request.script_root}/",
        httponly=True,
        samesite="Lax",
        secure=is_https(request.scheme, request.host, settings),
    )
