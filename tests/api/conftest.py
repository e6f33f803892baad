"""A real server on a free port, with the runner, over a data folder with a few records."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest
from lbb import LbbClient

from reviewapp.app import create_app
from reviewapp.domain.properties import Property
from reviewapp.domain.records import IncomingRecord
from reviewapp.domain.workflows import WorkflowDefinition
from reviewapp.records import declare_properties, import_records
from reviewapp.running.runner import Runner
from reviewapp.running.serving import Server
from reviewapp.settings import Settings
from reviewapp.workflows import put_workflow
from reviewapp.workspaces import DataFolder, Workspace, open_data

SINKS = (
    ("S 4.0", "S 4.0 Sink, stainless steel.\nWidth: 600 mm\nDepth: 500 mm\nMaterial: stainless steel"),
    ("S 4.1", "S 4.1 Sink for the tea kitchen.\nWidth: 45 cm\nMaterial: enamel"),
    ("S 4.2", "S 4.2 Shelf.\nMaterial: oak"),
)
PROPERTIES = (
    Property(name="width", value_type="f64", unit="cm"),
    Property(name="depth", value_type="f64", unit="cm"),
    Property(name="material", value_type="text"),
)


@dataclass
class Live:
    """A server that answers, and what lies behind it."""

    url: str
    data: DataFolder
    settings: Settings

    @property
    def workspace(self) -> Workspace:
        return self.data.workspace("default", create=True)

    def lbb(self, *, graph: str = "default", api_key: str | None = None) -> LbbClient:
        return LbbClient(self.url, graph=graph, api_key=api_key)


@pytest.fixture
def live(tmp_path: Path) -> Iterator[Live]:
    settings = Settings(data=tmp_path / "data", person="Ann")
    data = open_data(settings.data)
    server = Server(create_app(settings, data), port=0)
    thread = threading.Thread(target=server.run)
    thread.start()
    runner = Runner(data)
    runner.start()
    try:
        yield Live(server.url.rstrip("/"), data, settings)
    finally:
        runner.stop()
        server.stop()
        thread.join()
        data.close()


@pytest.fixture
def sinks(live: Live) -> Live:
    """The server with three records, three properties and the workflow ``sinks``."""
    workspace = live.workspace
    import_records(workspace, "sinks", [IncomingRecord(name=n, text=t) for n, t in SINKS], by="Ann")
    declare_properties(workspace, "sinks", PROPERTIES, by="Ann")
    put_workflow(workspace, WorkflowDefinition(name="sinks", collection="sinks"), by="Ann")
    return live


@pytest.fixture
def http(live: Live) -> Iterator[httpx.Client]:
    """Plain HTTP to ``/v1`` of the server."""
    with httpx.Client(base_url=f"{live.url}/v1", timeout=30) as client:
        yield client
