"""A real server with a workflow of blocks, a key, and the background runner of block tests."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import dataclass

import httpx
import pytest

from reviewapp.app import create_app
from reviewapp.domain.properties import Property
from reviewapp.domain.records import IncomingRecord
from reviewapp.keys import create_key
from reviewapp.records import declare_properties, import_records
from reviewapp.running.block_testing import BlockTestRunner
from reviewapp.running.serving import Server
from reviewapp.settings import Settings
from reviewapp.workspaces import DataFolder, open_data
from tests.block_tests.conftest import SUMS, TEXT, put

ECHO = """
def echo(given):
    return given
"""
ECHO_BLOCK = {"id": "echo", "type": "function", "function": "echo_of_tests:echo", "seconds": 20}


@dataclass
class Served:
    url: str
    key: str
    data: DataFolder

    @property
    def workspace(self):
        return self.data.workspace("default", create=True)

    def http(self, key: str | None = None) -> httpx.Client:
        return httpx.Client(base_url=f"{self.url}/v1", headers={"Api-Key": key or self.key}, timeout=30)

    def put(self, *blocks):
        """The workflow ``intake``, with a block that gives what it gets at the end."""
        from tests.block_tests.conftest import BLOCKS

        return put(self.workspace, [*(blocks or BLOCKS), ECHO_BLOCK])


@pytest.fixture
def served(tmp_path, monkeypatch) -> Iterator[Served]:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sums_of_tests.py").write_text(SUMS)
    (tmp_path / "echo_of_tests.py").write_text(ECHO)
    settings = Settings(data=tmp_path / "data", person="Ann")
    data = open_data(settings.data)
    server = Server(create_app(settings, data), port=0)
    thread = threading.Thread(target=server.run)
    thread.start()
    runner = BlockTestRunner(data)
    runner.start()
    try:
        workspace = data.workspace("default", create=True)
        import_records(workspace, "sinks", [IncomingRecord(name="S 4.0", text=TEXT)], by="Ann")
        declare_properties(
            workspace,
            "sinks",
            [Property(name="width", value_type="f64", unit="cm"), Property(name="material")],
            by="Ann",
        )
        _, key = create_key(data, "retab", role="author", by="Ann")
        made = Served(server.url.rstrip("/"), key, data)
        made.put()
        yield made
    finally:
        runner.stop()
        server.stop()
        thread.join()
        data.close()
