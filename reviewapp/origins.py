"""Whether a request is meant for this server and comes from its own pages; questions of headers and settings only.

Without sign-in a server on loopback is open to whoever reaches it, so that two things are asked of every request:
that its host is one of ours (a name that somebody else points at this machine reaches nothing), and, if it changes
something, that no other site sent it.
"""

from __future__ import annotations

from urllib.parse import urlsplit

from reviewapp.settings import Settings

LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})


def is_our_host(host: str, settings: Settings) -> bool:
    """Whether the `Host` header (with or without port) names this server. A server beyond loopback takes any."""
    if settings.host not in LOOPBACK:
        return True
    return host_name(host) in LOOPBACK | _public_hosts(settings)


def is_from_us(*, host: str, origin: str | None, fetch_site: str | None, settings: Settings) -> bool:
    """Whether a request that changes something comes from our own pages or from no browser at all.

    `origin` and `fetch_site` are the headers ``Origin`` and ``Sec-Fetch-Site``. Browsers send the one with every
    unsafe request and the other to trustworthy addresses; a program that sends neither carries nobody's cookies.
    """
    if origin is not None and origin.rstrip("/") == _public_origin(settings):
        return True
    if fetch_site is not None:
        return fetch_site in ("same-origin", "none")
    return origin is None or urlsplit(origin).netloc == host


def host_name(host: str) -> str:
    """``localhost:8000`` → ``localhost``, ``[::1]:8000`` → ``::1``; empty when it is no host at all."""
    try:
        return (urlsplit(f"//{host}").hostname or "").lower()
    except ValueError:
        return ""


def _public_hosts(settings: Settings) -> set[str]:
    host = urlsplit(settings.public_url).hostname if settings.public_url else None
    return {host.lower()} if host else set()


def _public_origin(settings: Settings) -> str | None:
    if settings.public_url is None:
        return None
    parts = urlsplit(settings.public_url)
    return f"{parts.scheme}://{parts.netloc}"
