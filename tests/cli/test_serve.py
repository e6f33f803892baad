from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import urllib.request

import pytest

from reviewapp.accounts import add_person, set_role
from reviewapp.cli.serve import free_port, host_and_port, refuse_without_admin
from reviewapp.errors import InvalidInput
from reviewapp.origins import needs_sign_in
from reviewapp.settings import Settings


@pytest.mark.parametrize("host", ["127.0.0.1", "127.8.8.8", "::1", "localhost"])
def test_loopback_needs_no_admin(host, data_folder):
    settings = Settings(host=host)
    refuse_without_admin(settings, data_folder)
    assert not needs_sign_in(settings)


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.7", "example.org", ""])  # noqa: S104
def test_other_addresses_need_an_admin_and_say_the_command(host, run):
    ended = run("serve", "--host", host)
    assert ended.code == 1
    assert ended.err.startswith(f"Error: Other machines can reach address {host!r}, and there is no admin yet")
    assert "`reviewapp user add NAME --role admin`" in ended.err


@pytest.mark.parametrize("more", [{"public_url": "https://review.example/app"}, {"sso_proxy": "10.0.0.5"}])
def test_behind_a_proxy_loopback_needs_an_admin_too(more, data_folder):
    settings = Settings(**more)
    with pytest.raises(InvalidInput, match="Other machines can reach this server"):
        refuse_without_admin(settings, data_folder)
    add_person(data_folder, "Ann", None, by="setup")
    set_role(data_folder, "Ann", "admin", by="setup")
    refuse_without_admin(settings, data_folder)


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


@pytest.mark.slow
def test_at_every_address_people_sign_in(tmp_path):
    words = [sys.executable, "-m", "reviewapp", "user", "add", "Ann", "--role", "admin"]
    subprocess.run(words, cwd=tmp_path, input="three words do\n", text=True, check=True, capture_output=True)
    words = [sys.executable, "-m", "reviewapp", "serve", "--host", "0.0.0.0", "--port", "0", "--json"]  # noqa: S104
    log = {**os.environ, "REVIEWAPP_LOG_FORMAT": "json"}
    with subprocess.Popen(
        words, cwd=tmp_path, env=log, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as server:
        try:
            assert server.stdout is not None
            told = ""
            while not told.endswith("}\n"):
                line = server.stdout.readline()
                assert line, server.stderr.read() if server.stderr else ""
                told += line
            with urllib.request.urlopen(json.loads(told)["url"], timeout=20) as page:
                assert page.url.endswith("/sign-in?back=/")
            server.send_signal(signal.SIGTERM)
            assert server.wait(timeout=20) == 0
            assert server.stderr is not None
            lines = [json.loads(line) for line in server.stderr.read().splitlines()]
        finally:
            server.kill()
    assert [(line["route"], line["status"]) for line in lines if "route" in line] == [("/", 303), ("/sign-in", 200)]


@pytest.mark.parametrize(
    ("host", "url", "expected"),
    [
        ("0.0.0.0", "http://127.0.0.1:8001/", "0.0.0.0:8001"),  # noqa: S104
        ("::", "http://[::1]:8002/", "[::]:8002"),
        ("192.168.1.7", "http://192.168.1.7:80/", "192.168.1.7:80"),
    ],
)
def test_what_others_type_has_the_port_that_was_got(host, url, expected):
    assert host_and_port(host, url) == expected
