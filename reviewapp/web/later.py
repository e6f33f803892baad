"""An application that is made when it is first asked.

The API's models are a good part of a cold start, and pages need none of them.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment


class Later:
    """A WSGI application that `make` gives at the first request, once."""

    def __init__(self, make: Callable[[], WSGIApplication]) -> None:
        self._make = make
        self._made: WSGIApplication | None = None
        self._lock = threading.Lock()

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        return self.made()(environ, start_response)

    def made(self) -> WSGIApplication:
        """The application; made now, if it was not before."""
        if self._made is None:
            with self._lock:
                if self._made is None:
                    self._made = self._make()
        return self._made
