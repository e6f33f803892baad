"""The server: what listens, what a stop answers, what it does not wait for."""

from __future__ import annotations

import http.client
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import pytest
from waitress.server import BaseWSGIServer

from reviewapp.errors import InvalidInput
from reviewapp.running import serving
from reviewapp.running.lease import RUNNER
from reviewapp.running.serving import Server, listen
from reviewapp.workspaces import DataFolder

BIG = 4_000_000


def app(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
    """``/slow`` takes a while, ``/big`` is more than sockets buffer, anything else is quick."""
    path = environ["PATH_INFO"]
    if path == "/slow":
        time.sleep(0.3)
    body = b"x" * BIG if path == "/big" else b"answered"
    start_response("200 OK", [("Content-Type", "text/plain"), ("Content-Length", str(len(body)))])
    return [body]


@contextmanager
def served(threads: int = 4) -> Iterator[tuple[Server, threading.Thread]]:
    server = Server(app, port=0, threads=threads)
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        yield server, thread
    finally:
        server.stop()
        thread.join(10)
        assert not thread.is_alive()


def connect(server: Server) -> socket.socket:
    return socket.create_connection(("127.0.0.1", server.port), timeout=10)


def get(server: Server, path: str) -> bytes:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
    connection.request("GET", path)
    body = connection.getresponse().read()
    connection.close()
    return body


def test_port_0_is_told_as_the_real_one() -> None:
    with served() as (server, _):
        assert server.port > 0
        assert server.url == f"http://127.0.0.1:{server.port}/"
        assert get(server, "/") == b"answered"


def test_localhost_is_listened_on() -> None:
    for opened in listen("localhost", 0):
        assert opened.getsockname()[1] > 0
        opened.close()


def test_a_stop_answers_requests_under_way_and_those_that_wait_for_a_thread() -> None:
    with served(threads=2) as (server, thread), ThreadPoolExecutor(6) as clients:
        answers = [clients.submit(get, server, "/slow") for _ in range(6)]
        time.sleep(0.15)
        server.stop()
        assert [a.result() for a in answers] == [b"answered"] * 6
        thread.join(5)
        assert not thread.is_alive()


# waitress leaves the old file of a long output buffer to the garbage collector.
@pytest.mark.filterwarnings("ignore:.*FileIO:pytest.PytestUnraisableExceptionWarning")
def test_a_stop_sends_a_long_answer_to_its_end() -> None:
    with served() as (server, _), connect(server) as client:
        client.sendall(b"GET /big HTTP/1.0\r\n\r\n")
        received = client.recv(1_000)
        server.stop()
        while piece := client.recv(100_000):
            received += piece
        assert received.endswith(b"x" * BIG)


def test_a_stopped_server_takes_no_new_connection() -> None:
    with served() as (server, thread):
        server.stop()
        thread.join(5)
        with pytest.raises(OSError):  # noqa: PT011 - refused or reset, as the system has it
            get(server, "/")


def test_a_stop_does_not_wait_for_idle_connections(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "HALF_SENT_SECONDS", 60.0)
    with served() as (server, thread):
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
        connection.request("GET", "/")
        assert connection.getresponse().read() == b"answered"
        server.stop()
        thread.join(30)
        assert not thread.is_alive()
        connection.close()


def test_a_stop_does_not_wait_long_for_the_rest_of_a_request() -> None:
    with served() as (server, thread), connect(server) as client:
        client.sendall(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\nbeginning")
        time.sleep(0.1)
        server.stop()
        thread.join(10)
        assert not thread.is_alive()


def test_a_stop_takes_the_rest_of_a_request_that_comes_at_once() -> None:
    with served() as (server, _), connect(server) as client:
        client.sendall(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nbegin")
        time.sleep(0.1)
        server.stop()
        client.sendall(b"ning!")
        assert client.recv(1_000).startswith(b"HTTP/1.1 200 OK")


def test_clients_that_stop_in_the_middle_hold_up_nobody() -> None:
    with served() as (server, _):
        stalled = [connect(server) for _ in range(32)]
        for client in stalled:
            client.sendall(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\nhalf")
        assert get(server, "/") == b"answered"
        for client in stalled:
            client.close()


def test_a_taken_port_is_told_in_one_sentence() -> None:
    (taken,) = listen("127.0.0.1", 0)
    port = taken.getsockname()[1]
    with pytest.raises(InvalidInput) as caught:
        Server(app, port=port)
    assert str(caught.value) == (
        f"Port {port} on 127.0.0.1 is taken by another program; stop that one or choose another with --port."
    )
    taken.close()


@pytest.mark.parametrize(
    ("host", "port", "says"),
    [
        ("no-such-host.invalid", 0, "The host 'no-such-host.invalid' is not known"),
        ("192.0.2.1", 0, "192.0.2.1 is no address of this machine"),
        ("127.0.0.1", 70_000, "There is no port 70000; choose one from 0 to 65535"),
    ],
)
def test_an_address_that_cannot_be_listened_on_is_told(host: str, port: int, says: str) -> None:
    with pytest.raises(InvalidInput, match=says):
        listen(host, port)


SERVES = """
import sys, time
from pathlib import Path
from reviewapp.running.serving import serve
from reviewapp.workspaces import open_data

def app(environ, start_response):
    time.sleep(0.5)
    start_response("200 OK", [("Content-Length", "8")])
    return [b"answered"]

serve(app, data=open_data(Path(sys.argv[1])), port=0, ready=lambda url: print(url, flush=True))
print("ended well", flush=True)
"""


@pytest.mark.parametrize("sent", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_answers_what_is_under_way_and_ends_the_process(data: DataFolder, sent: signal.Signals) -> None:
    command = [sys.executable, "-c", SERVES, str(data.path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        assert process.stdout is not None
        port = int(process.stdout.readline().rstrip("/\n").rpartition(":")[2])
        with socket.create_connection(("127.0.0.1", port), timeout=10) as client:
            client.sendall(b"GET / HTTP/1.0\r\n\r\n")
            time.sleep(0.2)
            assert data.leases.held(RUNNER) is not None
            process.send_signal(sent)
            received = b""
            while piece := client.recv(1_000):
                received += piece
        assert received.startswith(b"HTTP/1.0 200 OK")
        assert received.endswith(b"answered")
        assert process.stdout.read() == "ended well\n"
        assert process.wait(10) == 0
    assert data.leases.held(RUNNER) is None


def test_a_stop_that_is_slow_to_wake_the_loop_never_writes_to_a_closed_pipe(monkeypatch: pytest.MonkeyPatch) -> None:
    """The loop may see the mark before it is woken, and end while the one who stops it is still about to."""
    pull = BaseWSGIServer.pull_trigger

    def slow(listener: BaseWSGIServer) -> None:
        time.sleep(0.4)
        pull(listener)

    with served() as (server, thread):
        monkeypatch.setattr(BaseWSGIServer, "pull_trigger", slow)
        monkeypatch.setattr(serving, "ROUND_SECONDS", 0.01)
        connect(server).close()
        server.stop()
        thread.join(10)
        assert not thread.is_alive()
