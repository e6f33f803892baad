"""People for the page tests: accounts with roles, and clients that are signed in as them."""

from __future__ import annotations

from flask import Flask
from flask.testing import FlaskClient

from reviewapp import accounts
from reviewapp.domain.people import EVERYWHERE, Person
from reviewapp.web.identity import SESSION_COOKIE
from reviewapp.workspaces import DataFolder

PASSWORD = "three words do"
HOST = "localhost"
"""What the test client calls the server; another one is named in the header `Host` of each request."""


def add(data: DataFolder, name: str, role: str | None = None, workspace: str = EVERYWHERE) -> Person:
    """An account with that password and role."""
    person = accounts.add_person(data, name, PASSWORD, by="setup")
    return person if role is None else accounts.set_role(data, name, role, workspace=workspace, by="setup")


def signed_in(app: Flask, data: DataFolder, person: Person, path: str = "/", host: str = HOST) -> FlaskClient:
    """A browser in which that person has signed in."""
    client = stranger(app)
    session = accounts.begin_session(data, person).session
    client.set_cookie(SESSION_COOKIE, session, domain=host, path=path)
    return client


def stranger(app: Flask) -> FlaskClient:
    """A browser at another machine."""
    client = app.test_client()
    client.environ_base["REMOTE_ADDR"] = "192.0.2.7"
    return client
