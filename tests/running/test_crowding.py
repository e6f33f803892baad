"""One address that opens connection after connection, or sends body after body, does not keep others out."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable, Iterator

import pytest

from reviewapp.running import serving
from reviewapp.running.serving import Server
from tests.running.test_serving import served

HALF = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n"


@pytest.fixture
def connect() -> Iterator[Callable[[Server, str], socket.socket]]:
    """Connect from an address of this machine."""
    opened: list[socket.socket] = []

    def connect(server: Server, address: str) -> socket.socket:
        opened.append(socket.create_connection(("127.0.0.1", server.port), 10, source_address=(address, 0)))
        return opened[-1]

    yield connect
    for connection in opened:
        connection.close()


def is_open(connection: socket.socket) -> bool:
    connection.setblocking(False)
    try:
        return connection.recv(1) != b""
    except BlockingIOError:
        return True
    except ConnectionError:
        return False
    finally:
        connection.setblocking(True)


def wait_until(holds: Callable[[], bool]) -> None:
    for _ in range(100):
        if holds():
            return
        time.sleep(0.05)
    raise AssertionError("it did not happen within five seconds")


def test_whoever_holds_most_connections_gives_up_some(connect, monkeypatch):
    monkeypatch.setattr(serving, "CROWDED", 40)
    with served() as (server, _):
        neighbour = connect(server, "127.0.0.2")
        neighbour.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n")
        crowd = [connect(server, "127.0.0.3") for _ in range(200)]
        for connection in crowd:
            connection.sendall(b"GET / HTTP/1.1\r\nHost: x\r\nX: ")
        wait_until(lambda: sum(map(is_open, crowd)) <= 40)
        neighbour.sendall(b"Connection: close\r\n\r\n")
        assert neighbour.recv(1_000).startswith(b"HTTP/1.1 200 OK")
        newcomer = connect(server, "127.0.0.4")
        newcomer.sendall(b"GET / HTTP/1.0\r\n\r\n")
        assert newcomer.recv(1_000).startswith(b"HTTP/1.0 200 OK")


def test_what_is_being_answered_is_answered_in_the_crowd(connect, monkeypatch):
    monkeypatch.setattr(serving, "CROWDED", 10)
    with served(threads=2) as (server, _):
        asked = [connect(server, "127.0.0.3") for _ in range(6)]
        for connection in asked:
            connection.sendall(b"GET /slow HTTP/1.0\r\n\r\n")
        wait_until(lambda: sum(bool(channel.requests) for channel in server._channels()) == len(asked))
        idle = [connect(server, "127.0.0.3") for _ in range(30)]
        wait_until(lambda: sum(map(is_open, idle)) <= 10)
        assert [connection.recv(1_000)[:15] for connection in asked] == [b"HTTP/1.0 200 OK"] * 6


# waitress leaves the file of a body that never came to its end to the garbage collector.
@pytest.mark.filterwarnings("ignore:.*FileIO:pytest.PytestUnraisableExceptionWarning")
def test_bodies_that_never_end_do_not_fill_the_disk(connect, monkeypatch):
    monkeypatch.setattr(serving, "BODIES_BYTES", 3_000_000)
    with served() as (server, _):
        neighbour = connect(server, "127.0.0.2")
        neighbour.sendall(HALF % 1_000_001 + b"x" * 1_000_000)
        hoarders = [connect(server, "127.0.0.3") for _ in range(4)]
        for connection in hoarders:
            connection.sendall(HALF % 2_000_000 + b"x" * 1_000_000)
        wait_until(lambda: sum(map(is_open, hoarders)) <= 2)
        neighbour.sendall(b"x")
        assert neighbour.recv(1_000).startswith(b"HTTP/1.1 200 OK")


def test_a_body_beyond_every_limit_is_refused_before_it_comes(connect):
    with served() as (server, _):
        connection = connect(server, "127.0.0.3")
        connection.sendall(HALF % serving.BODY_LIMIT_BYTES)
        assert b" 413 " in connection.recv(1_000)
