"""The real server as a process of its own: started, asked, stopped, killed."""

from __future__ import annotations

import http.client
import os
import re
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Self
from urllib.parse import urlencode

REPOSITORY = Path(__file__).resolve().parent.parent
START_SECONDS = 30.0
ADDRESS = re.compile(r"http://[\w.\[\]:]+:(\d+)/")


class ServerProcess:
    """``reviewapp serve`` on a free port of this machine, or another module that prints its address likewise."""

    def __init__(self, data: Path, *, module: str = "reviewapp", arguments: tuple[str, ...] = ()) -> None:
        """Returns when the address is printed; `seconds_to_listen` tells how long that took."""
        begun = time.perf_counter()
        self.process = subprocess.Popen(
            [sys.executable, "-m", module, "serve", "--data", str(data), "--port", "0", *arguments],
            cwd=REPOSITORY,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
        )
        self.begun = begun
        self.port = self._wait_for_address()
        self.seconds_to_listen = time.perf_counter() - begun

    def _wait_for_address(self) -> int:
        assert self.process.stdout is not None
        said = []
        for line in self.process.stdout:
            said.append(line)
            if found := ADDRESS.search(line):
                return int(found[1])
        raise RuntimeError(f"the server ended before it listened:\n{''.join(said)}")

    def client(self, timeout: float = 30.0) -> Client:
        return Client(self.port, timeout)

    def kill(self) -> None:
        """``kill -9``: no handler runs, nothing is flushed."""
        self.process.send_signal(signal.SIGKILL)
        self._gone()

    def stop(self) -> int:
        """SIGTERM; the exit code."""
        self.process.send_signal(signal.SIGTERM)
        return self._gone()

    def _gone(self) -> int:
        code = self.process.wait(60)
        if self.process.stdout is not None:
            self.process.stdout.close()
        return code

    def peak_megabytes(self) -> float:
        """Most memory the process has had so far, in MB (10⁶ bytes); Linux, ``VmHWM`` of proc(5)."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        found = re.search(r"VmHWM:\s+(\d+) kB", status)
        assert found is not None
        return int(found[1]) * 1024 / 1e6

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.process.poll() is None:
            self.stop()


@dataclass(frozen=True)
class Reply:
    status: int
    headers: dict[str, str] = field(repr=False)
    """By name in small letters."""
    body: bytes = field(repr=False)


class Client:
    """A browser of sorts: one kept-alive connection, forms, no redirects followed."""

    def __init__(self, port: int, timeout: float) -> None:
        self._port = port
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=timeout)

    def get(self, path: str, headers: dict[str, str] | None = None) -> Reply:
        return self._send("GET", path, None, headers or {})

    def post(self, path: str, form: dict[str, str], headers: dict[str, str] | None = None) -> Reply:
        """A form from a page of the server itself."""
        own = {"Content-Type": "application/x-www-form-urlencoded", "Origin": f"http://127.0.0.1:{self._port}"}
        return self._send("POST", path, urlencode(form).encode(), own | (headers or {}))

    def upload(self, path: str, form: dict[str, str], name: str, content: bytes) -> Reply:
        """A form with one file, in its field ``files``."""
        mark = "----a-file-of-records"
        parts = [
            f'--{mark}\r\nContent-Disposition: form-data; name="{key}"\r\n\r\n{value}\r\n'
            for key, value in form.items()
        ]
        head = f'--{mark}\r\nContent-Disposition: form-data; name="files"; filename="{name}"\r\n\r\n'
        body = "".join(parts).encode() + head.encode() + content + f"\r\n--{mark}--\r\n".encode()
        own = {"Content-Type": f"multipart/form-data; boundary={mark}", "Origin": f"http://127.0.0.1:{self._port}"}
        return self._send("POST", path, body, own)

    def _send(self, method: str, path: str, body: bytes | None, headers: dict[str, str]) -> Reply:
        self._connection.request(method, path, body, headers)
        response = self._connection.getresponse()
        headers = {name.lower(): value for name, value in response.getheaders()}
        return Reply(response.status, headers, response.read())

    def close(self) -> None:
        self._connection.close()
