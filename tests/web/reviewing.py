"""What the tests of the test page do: open it, answer on it, look at what was given."""

from __future__ import annotations

from flask.testing import FlaskClient
from selectolax.lexbor import LexborHTMLParser
from werkzeug.test import TestResponse

from reviewapp.domain.tests import Test

HTMX = {"HX-Request": "true"}


def path(test: Test, rest: str = "") -> str:
    return f"/w/default/tests/{test.id}/{rest}"


def parsed(response: TestResponse) -> LexborHTMLParser:
    return LexborHTMLParser(response.text)


def send(
    client: FlaskClient, test: Test, name: str, decision: str, *, htmx: bool = True, **more: object
) -> TestResponse:
    form = {"position": 0, "name": name, "decision": decision, "seen": 0, **more}
    return client.post(path(test, "answers"), data=form, headers=HTMX if htmx else {})
