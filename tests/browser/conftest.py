"""A real server on a free port and a real browser. Every page is watched for console errors."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, sync_playwright

from reviewapp.app import create_app
from reviewapp.domain.choices import ModelName
from reviewapp.domain.tests import Test
from reviewapp.running.serving import Server
from reviewapp.settings import Settings
from reviewapp.workspaces import DataFolder, Workspace
from tests.browser.shoot import ARGS
from tests.models.fake_provider import FakeProvider
from tests.web import world

LOCAL = ModelName(provider="local", model="a-model-with-a-rather-long-name:70b-instruct-q4", effort="low")

EXPECTED_ERRORS = ("422", "409", "413", "503", "ERR_CONNECTION_REFUSED", "Failed to fetch")
"""What a browser itself writes about an answer that is no success."""


class RunningServer:
    """The app behind a socket; can be stopped and started again on the same port."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.port = 0
        self.start()

    def start(self) -> None:
        self.data = DataFolder(self.path)
        self.workspace: Workspace = self.data.workspace("default", create=True)
        self.app = create_app(Settings(data=self.path, person="Ann"), self.data)
        self._server = Server(self.app, port=self.port)
        self.port = self._server.port
        self._thread = threading.Thread(target=self._server.run, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self._server.stop()
        self._thread.join(timeout=20)
        self.data.close()

    @property
    def url(self) -> str:
        return f"http://localhost:{self.port}"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[RunningServer]:
    running = RunningServer(tmp_path / "data")
    yield running
    running.stop()


@pytest.fixture
def sinks(server: RunningServer) -> Test:
    return world.sinks(server.workspace)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    chromium = shutil.which("chromium")
    if chromium is None:
        pytest.skip("chromium is not installed")
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=chromium, args=ARGS)
        yield launched
        launched.close()


@pytest.fixture
def page(browser: Browser, server: RunningServer) -> Iterator[Page]:
    """A page that fails its test on a console error that the test did not provoke."""
    context = browser.new_context(base_url=server.url, viewport={"width": 1440, "height": 900})
    opened = context.new_page()
    complaints: list[str] = []

    def note(message: ConsoleMessage) -> None:
        if message.type == "error" and not any(known in message.text for known in EXPECTED_ERRORS):
            complaints.append(message.text)

    opened.on("console", note)
    opened.on("pageerror", lambda error: complaints.append(str(error)))
    yield opened
    context.close()
    assert complaints == []


@pytest.fixture
def provider(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeProvider]:
    """A provider of models on this machine, and one without a key."""
    fake = FakeProvider()
    monkeypatch.setenv("REVIEWAPP_MODELS_FILE", str(models_file(fake, tmp_path)))
    yield fake
    fake.close()


def models_file(fake: FakeProvider, folder: Path) -> Path:
    file = folder / "models.toml"
    file.write_text(
        f'[providers.local]\nurl = "{fake.url}/v1"\nprice = {{ input = 0.25, output = 2 }}\n'
        f'models = [{{ name = "{LOCAL.model}", label = "The large local one", efforts = ["low", "high"] }}]\n'
        '[providers.away]\nurl = "https://models.example.com/v1"\nkey_env = "NO_SUCH_KEY"\nmodels = ["m"]\n'
    )
    return file
