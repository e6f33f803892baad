"""How often somebody may try to sign in: counted by person and address, so that no stranger shuts a person out.

Four counts, each a moving window (the `limits` package, the engine of Flask-Limiter):

- tries of one address, whoever it tries to be;
- tries for one name from one address; a success clears them;
- tries for one name from all browsers that this person never signed in with;
- tries for one name from one browser that the person did sign in with. Only this one binds such a browser, so that a
  stranger who tries names again and again, be it behind the same address, slows down strangers, not the person
  (OWASP, "device cookies"). It also counts wrong old passwords where somebody is signed in.

Of IPv6 a whole network counts as one address: whoever has one has all of it. A name that nobody has is counted like
any other. Counts are in memory: the server is one process.
"""

from __future__ import annotations

import ipaddress
import time

from limits import RateLimitItem, RateLimitItemPerHour, RateLimitItemPerMinute
from limits.storage import MemoryStorage
from limits.strategies import MovingWindowRateLimiter

from reviewapp.domain.people import folded_name
from reviewapp.errors import TooManyTries

OF_ADDRESS = RateLimitItemPerMinute(200, 10, namespace="address")
"""A whole office may come through one address."""
OF_NAME_AT_ADDRESS = RateLimitItemPerMinute(8, 10, namespace="name-at-address")
OF_NAME_UNKNOWN = RateLimitItemPerHour(60, 1, namespace="name")
OF_DEVICE = RateLimitItemPerMinute(20, 10, namespace="device")


class SignInLimits:
    """Counts tries to sign in; one for each server."""

    def __init__(self) -> None:
        self._window = MovingWindowRateLimiter(MemoryStorage())

    def count(self, name: str, address: str, device: str | None) -> None:
        """Count one try before it is looked at; `device`: hash of a browser known for this name, else None.

        Raises TooManyTries.
        """
        name, network = folded_name(name)[:200], network_of(address)
        counts: list[tuple[RateLimitItem, tuple[str, ...]]] = [(OF_DEVICE, (name, device or ""))]
        if device is None:
            counts = [(OF_ADDRESS, (network,)), (OF_NAME_AT_ADDRESS, (name, network)), (OF_NAME_UNKNOWN, (name,))]
        for limit, of in counts:
            if not self._window.hit(limit, *of):
                raise TooManyTries(self._window.get_window_stats(limit, *of).reset_time - time.time())

    def succeeded(self, name: str, address: str) -> None:
        """The right password was given: slips before it do not count."""
        self._window.clear(OF_NAME_AT_ADDRESS, folded_name(name)[:200], network_of(address))


def network_of(address: str) -> str:
    """Who counts as one: an IPv4 address, a /64 of IPv6."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return address
    return address if parsed.version == 4 else str(ipaddress.ip_network((int(parsed), 64), strict=False))
