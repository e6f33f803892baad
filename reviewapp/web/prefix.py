"""Standing under a path: ``https://review.example/rev`` in front of a server that knows only ``/``."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment


class UnderPrefix:
    """Every address that the app makes begins with the public address's path.

    A proxy may pass the path on or cut it off, and the server's own address works as before.
    """

    def __init__(self, app: WSGIApplication, public_url: str) -> None:
        self._app = app
        self._prefix = urlsplit(public_url).path.rstrip("/")

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        path = environ.get("PATH_INFO", "")
        if path == self._prefix or path.startswith(f"{self._prefix}/"):
            path = path[len(self._prefix) :]
        environ = {**environ, "SCRIPT_NAME": self._prefix, "PATH_INFO": path or "/"}
        return self._app(environ, start_response)
