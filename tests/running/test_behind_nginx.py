"""Behind a real nginx, with the configuration of the docs: https, a path, one setting."""

from __future__ import annotations

import os
import re
import shutil
import socket
import ssl
import subprocess
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from http.cookiejar import CookieJar, DefaultCookiePolicy
from pathlib import Path

import pytest

from reviewapp import accounts
from reviewapp.app import create_app
from reviewapp.running.serving import Server
from reviewapp.settings import Settings
from reviewapp.store import DataFolder
from tests.conftest import REPOSITORY
from tests.web import team, world

pytestmark = pytest.mark.slow

NGINX = shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
OPENSSL = shutil.which("openssl")
HOST = "review.example"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture
def data(tmp_path: Path) -> Iterator[DataFolder]:
    with DataFolder(tmp_path / "data") as folder:
        world.sinks(folder.workspace("default", create=True))
        team.add(folder, "Ann", "author")
        yield folder


@pytest.fixture
def proxy(tmp_path: Path, data: DataFolder, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The public address of a server behind nginx."""
    look_up = socket.getaddrinfo
    monkeypatch.setattr(
        socket,
        "getaddrinfo",
        lambda host, *more, **named: look_up("127.0.0.1" if host == HOST else host, *more, **named),
    )
    if NGINX is None or OPENSSL is None:
        pytest.skip("nginx or openssl is not installed")
    port = free_port()
    public = f"https://{HOST}:{port}/rev"
    server = Server(create_app(Settings(data=data.path, public_url=public), data), port=0)
    thread = threading.Thread(target=server.run)
    thread.start()
    process = subprocess.Popen(
        [NGINX, "-e", "stderr", "-p", str(tmp_path), "-c", str(configure(tmp_path, port, server.port))]
    )
    try:
        wait_for(port)
        yield public
    finally:
        process.terminate()
        process.wait(timeout=10)
        server.stop()
        thread.join(timeout=20)


def configure(folder: Path, port: int, upstream: int) -> Path:
    """The docs' own configuration, on other ports and with a certificate made here."""
    subprocess.run(
        [str(OPENSSL), "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", f"/CN={HOST}",
         "-addext", f"subjectAltName=DNS:{HOST}", "-keyout", folder / "key.pem", "-out", folder / "cert.pem"],
        check=True, capture_output=True,
    )  # fmt: skip
    site = (REPOSITORY / "docs" / "deployment" / "nginx.conf").read_text()
    for old, new in (
        ("listen 443 ssl", f"listen 127.0.0.1:{port} ssl"),
        ("server_name review.example", f"server_name {HOST}"),
        ("/etc/ssl/review.example.pem", str(folder / "cert.pem")),
        ("/etc/ssl/review.example.key", str(folder / "key.pem")),
        ("127.0.0.1:8000", f"127.0.0.1:{upstream}"),
        ("Host $host;", "Host $http_host;"),  # the port of the test is part of the address
    ):
        assert old in site
        site = site.replace(old, new)
    temporary = "".join(
        f"{kind}_temp_path {folder}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    path = folder / "nginx.conf"
    path.write_text(
        f"daemon off; master_process off; pid {folder}/pid; error_log stderr; events {{}} "
        f"http {{ access_log off; {temporary} {site} }}"
    )
    return path


def wait_for(port: int) -> None:
    for _ in range(100):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise AssertionError("nginx does not listen")


class Browser:
    """Keeps cookies by the rules: Secure ones go by https only, those with a path below it only."""

    def __init__(self, public: str) -> None:
        self.public = public
        parts = urllib.parse.urlsplit(public)
        self.origin = f"{parts.scheme}://{parts.netloc}"
        trusting = ssl.create_default_context()
        trusting.check_hostname = False
        trusting.verify_mode = ssl.CERT_NONE
        self.jar = CookieJar(DefaultCookiePolicy(rfc2965=False))
        self._opener = urllib.request.build_opener(
            urllib.request.HTTPSHandler(context=trusting), urllib.request.HTTPCookieProcessor(self.jar)
        )

    def open(self, path: str, form: dict[str, str] | None = None, **headers: str) -> tuple[int, str, str]:
        """Status, address and page in the end."""
        sent = (
            {"Sec-Fetch-Site": "same-origin"}
            if form is None
            else {"Origin": self.origin, "Sec-Fetch-Site": "same-origin"}
        )
        body = None if form is None else urllib.parse.urlencode(form).encode()
        request = urllib.request.Request(self.public + path, body, sent | headers)
        try:
            with self._opener.open(request, timeout=20) as got:
                return got.status, got.url, got.read().decode()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, str(error.url), error.read().decode()


def test_sign_in_and_answer_under_https_and_a_path(proxy: str, data: DataFolder) -> None:
    browser = Browser(proxy)
    status, address, page = browser.open("/w/default/tests/")
    assert (status, address) == (200, f"{proxy}/sign-in?back=/rev/w/default/tests/")
    status, address, page = browser.open(
        "/sign-in", {"name": "Ann", "password": team.PASSWORD, "back": "/rev/w/default/tests/"}
    )
    assert (status, address) == (200, f"{proxy}/w/default/tests/")
    assert "as Ann" in page
    cookies = {cookie.name: cookie for cookie in browser.jar}
    assert cookies["reviewapp-session"].secure
    assert cookies["reviewapp-session"].path == "/rev/"
    assert [link for link in re.findall(r'(?:href|src|action)="([^"#?]+)', page) if not link.startswith("/rev/")] == []

    test = data.workspace("default").tests.rows()[0].id
    form = {"position": "0", "name": "material", "seen": "0", "decision": "accept"}
    status, address, page = browser.open(f"/w/default/tests/{test}/answers", form)
    assert status == 200
    assert address.startswith(f"{proxy}/w/default/tests/{test}/")
    assert data.workspace("default").answers.history(test, 0, "material")[0].by == "Ann"


def test_what_comes_from_another_site_is_refused_and_the_setting_named(proxy: str, data: DataFolder) -> None:
    browser = Browser(proxy)
    browser.open("/sign-in", {"name": "Ann", "password": team.PASSWORD, "back": "/rev/"})
    status, _, page = browser.open(
        "/w/default/tests/", {"workflow": "sinks"}, **{"Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"}
    )
    assert status == 403
    assert "REVIEWAPP_PUBLIC_URL" in page


def test_a_header_of_the_browser_signs_nobody_in(proxy: str) -> None:
    status, address, _ = Browser(proxy).open(
        "/w/default/", **{"X-Forwarded-User": "Ann", "X-Forwarded-For": "127.0.0.1"}
    )
    assert (status, address.partition("?")[0]) == (200, f"{proxy}/sign-in")


def test_tries_are_counted_for_the_address_that_nginx_tells(proxy: str, data: DataFolder) -> None:
    browser = Browser(proxy)
    for number in range(9):
        status, _, _ = browser.open(
            "/sign-in", {"name": "Ann", "password": "wrong"}, **{"X-Forwarded-For": f"203.0.113.{number}"}
        )
    assert status == 429
    assert {e.by for e in data.trail.latest() if e.did == "fail to sign in"} == {"somebody at 127.0.0.1"}


def test_an_invitation_has_the_public_address(proxy: str, data: DataFolder) -> None:
    accounts.set_role(data, "Ann", "admin", by="setup")
    browser = Browser(proxy)
    browser.open("/sign-in", {"name": "Ann", "password": team.PASSWORD, "back": "/rev/"})
    form = {"role": "reviewer", "uses": "1", "days": "1", "test": ""}
    _, _, page = browser.open("/w/default/people/invitations", form)
    link = re.search(rf'value="({re.escape(proxy)}/link/[^"]+)"', page)
    assert link is not None
    status, _, page = Browser(proxy).open(link[1].removeprefix(proxy))
    assert status == 200
    assert "Ann invites you" in page
