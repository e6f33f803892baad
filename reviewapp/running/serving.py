"""Serving the app over HTTP until a signal says stop.

waitress with a few threads, driven by our own loop, because its own one drops on a signal what it has not answered
yet. A stop goes like this:

1. The signal only leaves a mark; the loop sees it between two rounds.
2. What has already arrived is read, then nobody new is let in and idle connections are closed.
3. Requests under way are answered and their answers sent, for at most `DRAIN_SECONDS`.
4. The runner ends (inputs in flight finish or stay unread), the files are closed, the exit code is 0.

A second signal ends the process at once; nothing acknowledged is lost by that either, since an answer is committed
before it is acknowledged.
"""

from __future__ import annotations

import errno
import logging
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from types import FrameType
from typing import TYPE_CHECKING, Any

from waitress import wasyncore
from waitress.channel import HTTPChannel
from waitress.server import BaseWSGIServer, create_server

from reviewapp.errors import InvalidInput
from reviewapp.running.block_testing import BlockTestRunner
from reviewapp.running.crowding import give_up, to_close
from reviewapp.running.evaluating import EvaluationRunner
from reviewapp.running.runner import DEFAULT_MODEL_CALLS, DEFAULT_WORKERS, Runner
from reviewapp.store.data_folder import DataFolder

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication

DEFAULT_HOST = "127.0.0.1"
DEFAULT_PORT = 8000
DEFAULT_THREADS = 4
DRAIN_SECONDS = 30.0
"""How long a stop waits for requests under way."""
HALF_SENT_SECONDS = 1.0
"""How long a stop waits for the rest of a request that has begun to arrive."""
BODY_LIMIT_BYTES = 128_000_000
"""Longest body that is taken at all. The app's own limits are lower and say so on a page; beyond this one the
connection is closed before anything is kept."""
BODIES_BYTES = 4 * BODY_LIMIT_BYTES
"""Most that bodies which are still arriving take on the disk, all together."""
CONNECTION_LIMIT = 1_000
CROWDED = 800
"""At so many connections those who hold most give up some (`crowding`), until a quarter fewer are left."""
ROUND_SECONDS = 1.0
"""The loop looks after idle connections at least this often."""
SWITCH_SECONDS = 0.001
"""How long a thread that reads texts may keep an answer waiting before it yields; Python's own 5 ms, which an
answer meets at every step of SQLite, make people wait while a test runs."""

log = logging.getLogger(__name__)


class Server:
    """A WSGI app behind a listening socket. Listens from birth, answers from `run` on."""

    def __init__(
        self,
        app: WSGIApplication,
        *,
        host: str = DEFAULT_HOST,
        port: int = DEFAULT_PORT,
        threads: int = DEFAULT_THREADS,
        body_limit: int = BODY_LIMIT_BYTES,
    ) -> None:
        """Port 0 takes a free one. Raises `InvalidInput` where the address cannot be listened on."""
        self._sockets = listen(host, port)
        self.host = host
        self.port: int = self._sockets[0].getsockname()[1]
        self._map: dict[int, Any] = {}
        self._waitress = create_server(
            app,
            map=self._map,
            sockets=self._sockets,
            threads=threads,
            connection_limit=CONNECTION_LIMIT,
            max_request_body_size=body_limit,
            asyncore_use_poll=True,
            clear_untrusted_proxy_headers=False,  # `reviewapp.origins` says whose word counts
            ident=None,
        )
        self._stopping = False
        self._ended = False
        self._ending = threading.RLock()  # a signal's handler may interrupt the thread that holds it
        self._look_at = 0.0

    @property
    def url(self) -> str:
        """Where a browser on this machine finds it: ``http://127.0.0.1:8000/``."""
        host = {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1"}.get(self.host, self.host)  # noqa: S104  # nosec B104
        return f"http://[{host}]:{self.port}/" if ":" in host else f"http://{host}:{self.port}/"

    def run(self) -> None:
        """Answer requests until `stop`; returns when what was under way is answered."""
        try:
            while not self._stopping:
                self._round(ROUND_SECONDS)
                self._make_room()
            self._drain()
        finally:
            self._dispatcher.shutdown(timeout=1)
            with self._ending:
                self._ended = True
                wasyncore.close_all(self._map)

    def stop(self) -> None:
        """Ask `run` to end. Returns at once; fit for other threads and for signal handlers."""
        self._stopping = True
        self._wake()

    def _round(self, seconds: float) -> None:
        wasyncore.loop(timeout=seconds, use_poll=True, map=self._map, count=1)

    def _make_room(self) -> None:
        """Look, at most once a round's time, whether somebody keeps others out."""
        if len(self._map) < CROWDED and time.monotonic() < self._look_at:
            return
        self._look_at = time.monotonic() + ROUND_SECONDS
        places = CROWDED * 3 // 4 if len(self._map) >= CROWDED else CROWDED
        given_up = to_close(self._channels(), places=places, room_bytes=BODIES_BYTES)
        for channel in given_up:
            give_up(channel)
        if given_up:
            log.warning("It was crowded: %d connections on which nothing was asked were closed.", len(given_up))

    def _drain(self) -> None:
        self._round(0)  # connections and requests that the system holds for us already
        for listener in self._listeners:
            listener.accepting = False
            listener.del_channel()
            listener.socket.close()
        begun = time.monotonic()
        while time.monotonic() < begun + DRAIN_SECONDS:
            half_sent_counts = time.monotonic() < begun + HALF_SENT_SECONDS
            open_channels = self._channels()
            under_way = [c for c in open_channels if _is_under_way(c, half_sent_counts)]
            if not under_way:
                return
            for channel in open_channels:
                if channel not in under_way:
                    channel.will_close = True
            self._round(0.05)
        log.warning("Stopped with %d requests not answered after %g s.", len(self._channels()), DRAIN_SECONDS)

    @property
    def _listeners(self) -> list[Any]:
        return [d for d in list(self._map.values()) if isinstance(d, BaseWSGIServer)]

    def _channels(self) -> list[Any]:
        return [d for d in list(self._map.values()) if isinstance(d, HTTPChannel)]

    @property
    def _dispatcher(self) -> Any:
        return self._waitress.task_dispatcher

    def _wake(self) -> None:
        with self._ending:
            if self._ended:  # the pipes are closed, and their numbers may stand for other files by now
                return
            for listener in self._listeners:
                listener.pull_trigger()


def _is_under_way(channel: HTTPChannel, half_sent_counts: bool) -> bool:
    """Whether somebody waits for an answer on this connection, or has not got all of it yet."""
    half_sent = channel.request is not None and half_sent_counts
    return bool(channel.requests or channel.total_outbufs_len or half_sent)


def listen(host: str, port: int) -> list[socket.socket]:
    """Listening sockets for every address that `host` stands for (``localhost``: two), all on one port.

    Raises `InvalidInput` with a sentence for a taken port, an unknown host, or a port that needs more rights.
    """
    if not 0 <= port <= 65_535:
        raise InvalidInput(f"There is no port {port}; choose one from 0 to 65535 (0: any free one).", param="port")
    sockets: list[socket.socket] = []
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        for family, _, _, _, address in found:
            try:
                same_port = sockets[0].getsockname()[1] if sockets else port
                sockets.append(socket.create_server((address[0], same_port), family=family))
            except OSError as error:
                # ``localhost`` is ::1 as well, also on machines without IPv6: one address is enough there.
                if error.errno not in (errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT) or len(found) == 1:
                    raise
        if not sockets:
            raise OSError(errno.EADDRNOTAVAIL, os.strerror(errno.EADDRNOTAVAIL))
    except OSError as error:
        for opened in sockets:
            opened.close()
        raise InvalidInput(_why_not(host, port, error), param="port") from error
    return sockets


def _why_not(host: str, port: int, error: OSError) -> str:
    match error.errno:
        case errno.EADDRINUSE:
            return f"Port {port} on {host} is taken by another program; stop that one or choose another with --port."
        case errno.EACCES | errno.EPERM:
            return f"Port {port} needs more rights than this account has; choose one above 1023 with --port."
        case errno.EADDRNOTAVAIL:
            return f"{host} is no address of this machine; use {DEFAULT_HOST} or one that it has."
    if isinstance(error, socket.gaierror):
        return f"The host {host!r} is not known; use a name or an address of this machine, such as {DEFAULT_HOST}."
    return f"Cannot listen on {host}, port {port} ({error}); choose another with --host and --port."


def serve(
    app: WSGIApplication,
    *,
    data: DataFolder,
    host: str = DEFAULT_HOST,
    port: int = DEFAULT_PORT,
    threads: int = DEFAULT_THREADS,
    body_limit: int = BODY_LIMIT_BYTES,
    workers: int = DEFAULT_WORKERS,
    executor: Executor | None = None,
    model_calls: int = DEFAULT_MODEL_CALLS,
    ready: Callable[[str], None] = print,
    typed_by_others: Callable[[str], str] = str,
) -> None:
    """Serve the app and run its tests until SIGTERM or SIGINT, then close `data`. For the main thread.

    `executor`, `workers` and `model_calls` say where texts are read and how many at a time (see `Runner`). `ready`
    gets the address once it is listened on; `typed_by_others` makes of it the one for other machines, which is noted in
    the data folder for commands that print links. Tests that another process runs already stay with that one until it
    ends. Raises `InvalidInput` where the address cannot be listened on.
    """
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)  # it warns of every short wait
    sys.setswitchinterval(SWITCH_SECONDS)
    runner = Runner(data, executor=executor, workers=workers, model_calls=model_calls)
    evaluations = EvaluationRunner(data, model_calls=model_calls)
    block_tests = BlockTestRunner(data)
    try:
        server = Server(app, host=host, port=port, threads=threads, body_limit=body_limit)
        with _stopped_by_signals(server.stop):
            runner.start(standby=True, address=typed_by_others(server.url))
            evaluations.start()
            block_tests.start()
            try:
                ready(server.url)
                server.run()
            finally:
                block_tests.stop()
                evaluations.stop()
                runner.stop()
    finally:
        data.close()


@contextmanager
def _stopped_by_signals(stop: Callable[[], None]) -> Iterator[None]:
    """The first SIGTERM or SIGINT calls `stop`; a second one does what it does by default."""
    wanted = (signal.SIGTERM, signal.SIGINT)
    before = {number: signal.getsignal(number) for number in wanted}

    def first(_number: int, _frame: FrameType | None) -> None:
        for number in wanted:
            signal.signal(number, signal.SIG_DFL)
        stop()

    for number in wanted:
        signal.signal(number, first)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
