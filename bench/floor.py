"""The app with a floor beside it: the least that a handler of the same server could do for an answer.

``/floor/wsgi`` is a bare WSGI function, ``/floor/flask`` a bare Flask view. Both take a form, commit one row (the same
pragmas as a workspace has, one connection a thread, one writer at a time) and render a small Jinja fragment. Started
like the server itself: ``python -m bench.floor serve --data DIR --port 0``.
"""

from __future__ import annotations

import argparse
import sqlite3
import threading
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

from flask import Flask, render_template, request
from jinja2 import Environment
from werkzeug.middleware.dispatcher import DispatcherMiddleware

from reviewapp.app import create_app
from reviewapp.running.serving import serve
from reviewapp.settings import load_settings
from reviewapp.workspaces import open_data

FRAGMENT = """<div id="value-{{ property }}" class="card">
  <h3>{{ property }}</h3> <p class="outcome">{{ decision }}</p>
  {% for by in people %}<span>{{ by }}</span>{% endfor %}
  <p>{{ note }}</p>
</div>"""


class Rows:
    """A table of answers, written the way a workspace is."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._local = threading.local()
        self._writing = threading.Lock()
        with self._connection() as db:
            db.execute("pragma journal_mode = wal")
            db.execute("create table if not exists answers (id integer primary key, property text, decision text)")

    def _connection(self) -> sqlite3.Connection:
        if not hasattr(self._local, "db"):
            self._local.db = sqlite3.connect(self._path, isolation_level=None, timeout=5)
            self._local.db.execute("pragma synchronous = full")
            self._local.db.execute("pragma foreign_keys = on")
        db: sqlite3.Connection = self._local.db
        return db

    def add(self, form: dict[str, str]) -> None:
        db = self._connection()
        with self._writing:
            db.execute("begin immediate")
            db.execute("insert into answers (property, decision) values (:property, :decision)", form)
            db.execute("commit")


def floor(rows: Rows) -> Callable[..., Iterable[bytes]]:
    """The bare WSGI function."""
    template = Environment(autoescape=True).from_string(FRAGMENT)

    def app(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        form = dict(parse_qsl(environ["wsgi.input"].read().decode()))
        rows.add(form)
        body = template.render(form, people=["bench"]).encode()
        start_response("200 OK", [("Content-Type", "text/html"), ("Content-Length", str(len(body)))])
        return [body]

    return app


def flask_floor(rows: Rows) -> Flask:
    """The bare Flask view."""
    app = Flask("floor")
    template = app.jinja_env.from_string(FRAGMENT)

    @app.post("/")
    def answer() -> str:
        form = request.form.to_dict()
        rows.add(form)
        return render_template(template, people=["bench"], **form)

    return app


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("verb", choices=["serve"])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--port", type=int, default=0)
    wanted = parser.parse_args()
    data = open_data(wanted.data)
    app = create_app(load_settings(data=wanted.data, person="bench"), data)
    rows = Rows(wanted.data / "floor.db")
    app.wsgi_app = DispatcherMiddleware(  # type: ignore[method-assign]
        app.wsgi_app, {"/floor/wsgi": floor(rows), "/floor/flask": flask_floor(rows)}
    )
    serve(app, data=data, port=wanted.port, ready=lambda url: print(url, flush=True))


if __name__ == "__main__":
    main()
