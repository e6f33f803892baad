"""Where a request comes from and whom it is meant for; questions of addresses, headers and settings only.

Without sign-in a server on loopback is open to whoever reaches it, so that three things are asked of every request:
that it comes from this machine, that its host is one of ours (a name that somebody else points at this machine
reaches nothing), and, if it changes something, that no other site sent it.
"""

from __future__ import annotations

import ipaddress
import re
import secrets
import socket
from functools import cache, lru_cache
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from reviewapp.settings import Settings

if TYPE_CHECKING:
    from werkzeug.datastructures import Headers

REQUEST_ID = re.compile(r"[\w.:-]{1,128}", re.ASCII)

OF_A_PROXY = ("X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-Ip", "Forwarded", "Via")
"""Headers that only something between browser and server sets."""


def request_id_of(sent: str | None) -> str:
    """The id of a request: what ``X-Request-Id`` says when that is a plain word, else a new one."""
    return sent if sent and REQUEST_ID.fullmatch(sent) else f"req_{secrets.token_hex(12)}"


def needs_sign_in(settings: Settings) -> bool:
    """Whether people at other machines can come: by the address listened on, or by that of a proxy in front."""
    public = urlsplit(settings.public_url).hostname if settings.public_url else None
    return not is_loopback(settings.host) or settings.sso_proxy is not None or not is_loopback(public or "localhost")


@lru_cache(maxsize=1_000)
def is_loopback(host: str | None) -> bool:
    """Whether only this machine has the address: ``localhost``, ``127.0.0.1``, ``::1``."""
    if host == "localhost":
        return True
    address = _address(host)
    return address is not None and address.is_loopback


def is_from_elsewhere(remote: str | None, headers: Headers) -> bool:
    """Whether a request to a server without sign-in was sent or passed on from another machine."""
    return not is_loopback(remote) or any(name in headers for name in OF_A_PROXY)


def is_our_host(host: str, settings: Settings) -> bool:
    """Whether the `Host` header (with or without port) names this server.

    Beyond loopback those are its addresses and the names of this machine, as long as no public address is set; names
    without a dot or below ``.local`` cannot be somebody else's on the internet.
    """
    name = host_name(host)
    public = urlsplit(settings.public_url).hostname if settings.public_url else None
    if is_loopback(name) or name in (public, settings.host):
        return True
    if is_loopback(settings.host):
        return False
    if _address(name) is not None:
        return True
    return public is None and bool(name) and ("." not in name or name.endswith(".local") or name in _own_names())


def is_from_us(*, host: str, origin: str | None, fetch_site: str | None, settings: Settings) -> bool:
    """Whether a request that changes something comes from our own pages or from no browser at all.

    `origin` and `fetch_site` are the headers ``Origin`` and ``Sec-Fetch-Site``. Browsers send the one with every
    unsafe request and the other to trustworthy addresses; a program that sends neither carries nobody's cookies.
    """
    if origin is not None and origin.rstrip("/") == _public_origin(settings):
        return True
    if fetch_site is not None:
        return fetch_site in ("same-origin", "none")
    return origin is None or origin in (f"http://{host}", f"https://{host}")


def host_name(host: str) -> str:
    """``localhost:8000`` → ``localhost``, ``[::1]:8000`` → ``::1``; empty when it is no host at all."""
    try:
        return (urlsplit(f"//{host}").hostname or "").lower()
    except ValueError:
        return ""


def address_for_others(settings: Settings, host: str | None = None) -> str:
    """What a link begins with that is sent to somebody at another machine; without a slash at the end.

    The public address; else the host (with or without port) that a browser called this server by; where that is this
    machine's own loopback, or nothing is known, the machine's name.
    """
    if settings.public_url is not None:
        return settings.public_url.rstrip("/")
    called = host or f"{settings.host}:{settings.port}"
    if is_loopback(host_name(called)) or host_name(called) in ("0.0.0.0", "::", ""):  # noqa: S104  # nosec B104
        port = called.rpartition(":")[2]
        called = socket.gethostname() + (f":{port}" if port.isdecimal() else "")
    return f"http://{called}"


def is_https(scheme: str, host: str, settings: Settings) -> bool:
    """Whether the browser speaks https, by itself or to the proxy whose address people type."""
    public = urlsplit(settings.public_url or "")
    return scheme == "https" or (public.scheme == "https" and host_name(host) == public.hostname)


def client_address(remote: str | None, forwarded_for: str | None, settings: Settings) -> str:
    """The address of whoever asks; behind a proxy that the settings name, as that proxy tells it.

    Of ``X-Forwarded-For`` only the last entry is the proxy's own word.
    """
    trusted = settings.sso_proxy is not None and _same_address(remote, settings.sso_proxy)
    ours = trusted or (settings.public_url is not None and is_loopback(remote))
    told = (forwarded_for or "").rpartition(",")[2].strip()
    if ours and _address(told) is not None:
        return told
    return remote or "unknown"


def person_of_proxy(remote: str | None, headers: Headers, settings: Settings) -> str | None:
    """Who the single sign-on of the trusted proxy says it is; None: nobody, or not from that proxy."""
    if settings.sso_proxy is None or not _same_address(remote, settings.sso_proxy):
        return None
    name = headers.get(settings.sso_header, "").strip()
    try:  # WSGI hands headers on as Latin-1; names are UTF-8
        return name.encode("latin-1").decode("utf-8") or None
    except UnicodeError:
        return name or None


def _same_address(one: str | None, other: str) -> bool:
    first, second = _address(one), _address(other)
    return first is not None and first == second


def _address(text: str | None) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        address = ipaddress.ip_address(text or "")
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return mapped or address


@cache
def _own_names() -> frozenset[str]:
    return frozenset({socket.gethostname().lower(), socket.getfqdn().lower()})


def _public_origin(settings: Settings) -> str | None:
    if settings.public_url is None:
        return None
    parts = urlsplit(settings.public_url)
    return f"{parts.scheme}://{parts.netloc}"
