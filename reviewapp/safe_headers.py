"""Headers of every answer, of the pages and of the API alike: nothing is guessed, framed or told to other sites."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from werkzeug.datastructures import Headers

HEADERS: Final = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "X-Frame-Options": "DENY",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
NO_PAGE: Final = "default-src 'none'; frame-ancestors 'none'"
"""The policy of what is no page: whoever opens it as one gets nothing to run."""


def add_safe_headers(headers: Headers, policy: str) -> None:
    """Set what is not set yet; `policy` is the Content-Security-Policy."""
    for name, value in HEADERS.items():
        headers.setdefault(name, value)
    headers.setdefault("Content-Security-Policy", policy)
