"""Room for everybody: one address, or one body that never ends, does not keep the others out.

The server holds a limited number of connections, and a body on the disk until it has all arrived. Whoever opens
connections and sends a character now and then, or body after body, would use both up. So when it gets crowded, the
address that holds most gives up some of its own: those on which nobody is being answered, quiet ones first.
"""

from __future__ import annotations

import ipaddress
from collections import defaultdict
from collections.abc import Iterable

from waitress.channel import HTTPChannel


def to_close(channels: Iterable[HTTPChannel], *, places: int, room_bytes: int) -> list[HTTPChannel]:
    """Connections to give up, so that at most `places` are left and what has arrived of bodies takes `room_bytes`.

    Those with a request that is being answered stay in any case.
    """
    open_ = list(channels)
    waiting = defaultdict[str, list[HTTPChannel]](list)
    for channel in sorted(open_, key=lambda c: -c.last_activity):
        if not channel.requests:
            waiting[_whose(channel)].append(channel)
    given_up: list[HTTPChannel] = []
    for _ in range(min(len(open_) - places, sum(map(len, waiting.values())))):
        given_up.append(max(waiting.values(), key=len).pop())
    held = {address: sum(map(_held_bytes, theirs)) for address, theirs in waiting.items()}
    while sum(held.values()) > room_bytes:
        address = max(held, key=lambda a: held[a])
        largest = max(waiting[address], key=_held_bytes)
        waiting[address].remove(largest)
        held[address] -= _held_bytes(largest)
        given_up.append(largest)
    return given_up


def give_up(channel: HTTPChannel) -> None:
    """Let the connection end at the next round, and what has arrived of a body go at once. For the server's loop."""
    with channel.requests_lock:
        channel.will_close = True
        if channel.request is not None:
            channel.request.close()
            channel.request = None


def _held_bytes(channel: HTTPChannel) -> int:
    """What has arrived of a body that is not whole yet."""
    return 0 if channel.request is None else int(channel.request.body_bytes_received)


def _whose(channel: HTTPChannel) -> str:
    """The address of the other end; of IPv6 the network, of which somebody has all addresses."""
    address = str(channel.addr[0])
    return address if ":" not in address else str(ipaddress.ip_network((address.partition("%")[0], 64), strict=False))
