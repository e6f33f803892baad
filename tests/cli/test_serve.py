from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
import urllib.request

import pytest

from reviewapp.cli.serve import free_port, refuse_other_machines
from reviewapp.errors import InvalidInput


@pytest.mark.parametrize("host", ["127.0.0.1", "127.8.8.8", "::1", "localhost"])
def test_loopback_is_served(host):
    refuse_other_machines(host)
    assert host


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.7", "example.org", ""])  # noqa: S104
def test_other_addresses_are_refused_with_the_way_out(host, run):
    ended = run("serve", "--host", host)
    assert ended.code == 1
    assert ended.err.startswith(f"Error: Address {host!r} can be reached from other machines")
    assert "127.0.0.1" in ended.err


@pytest.fixture
def taken():
    """A port that somebody listens on."""
    with socket.socket() as holder:
        holder.bind(("127.0.0.1", 0))
        holder.listen()
        yield holder.getsockname()[1]


def test_the_next_free_port_is_taken(taken):
    assert free_port("127.0.0.1", taken, 20) > taken
    assert free_port("127.0.0.1", 0, 1) == 0


def test_a_named_port_that_is_taken_is_refused(taken, run):
    with pytest.raises(InvalidInput, match=f"Port {taken} is taken on 127.0.0.1"):
        free_port("127.0.0.1", taken, 1)
    ended = run("serve", "--port", str(taken))
    assert ended.code == 1
    assert f"Port {taken} is taken" in ended.err


def test_it_tells_its_address_answers_and_stops(tmp_path):
    command = [sys.executable, "-m", "reviewapp", "serve", "--port", "0", "--json"]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            told = ""
            while not told.endswith("}\n"):
                line = server.stdout.readline()
                assert line, server.stderr.read() if server.stderr else ""
                told += line
            document = json.loads(told)
            with urllib.request.urlopen(document["url"], timeout=10) as page:
                assert page.status == 200
            server.send_signal(signal.SIGTERM)
            assert server.wait(timeout=20) == 0
        finally:
            server.kill()
