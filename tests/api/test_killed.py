"""A real server is killed under the public client: what it acknowledged stays, a wait goes on with the next server."""

from __future__ import annotations

import asyncio
import socket
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from lbb import AsyncLbbClient, LbbClient

from bench.process import ServerProcess
from reviewapp.client import Client
from reviewapp.domain.workflows import WorkflowDefinition
from reviewapp.records import import_records
from reviewapp.workflows import put_workflow
from reviewapp.workspaces import open_data
from tests.api.conftest import PROPERTIES
from tests.builders import records

pytestmark = pytest.mark.slow

INPUTS = 20
LINES_PER_TEXT = 1_500
"""So long that reading all inputs takes seconds, and a kill falls into it."""
WAIT_SECONDS = 120


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A data folder with long texts and a workflow on them."""
    data = open_data(tmp_path / "data")
    workspace = data.workspace("default", create=True)
    lines = [f"Position {i}: width {i} mm, oak" for i in range(LINES_PER_TEXT)]
    texts = {f"S {n}": "\n".join([f"Sink {n}", *lines]) for n in range(INPUTS)}
    import_records(workspace, "sinks", records(texts), by="Ann")
    definition = WorkflowDefinition(name="sinks", collection="sinks", properties=PROPERTIES)
    put_workflow(workspace, definition, by="Ann")
    data.close()
    return tmp_path / "data"


def done(url: str, id: str) -> int:
    with Client(url) as client:
        return client.workflows.tests.get(id).counts.inputs_done


def test_a_wait_outlives_a_killed_server(folder: Path) -> None:
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    patient: dict[str, Any] = {"max_retries": 200, "retry_delay": 0.1, "retry_budget_ms": WAIT_SECONDS * 1_000}
    server = ServerProcess(folder, arguments=("--port", str(port)))
    try:
        tests = LbbClient(url, graph="default", **patient).workflows.tests

        async def wait(id: str) -> Any:
            async with AsyncLbbClient(url, graph="default", **patient) as client:
                return await client.workflows.tests.wait(id, poll_interval=0.05)

        begun = tests.create(name="sinks", sample=INPUTS, idempotency_key="once")
        ended: list[Any] = []
        waits = [
            threading.Thread(target=lambda: ended.append(tests.wait(begun.id, poll_interval=0.05))),
            threading.Thread(target=lambda: ended.append(Client(url).workflows.tests.wait(begun.id))),
            threading.Thread(target=lambda: ended.append(asyncio.run(wait(begun.id)))),
        ]
        for waiting in waits:
            waiting.start()
        give_up = time.monotonic() + WAIT_SECONDS
        while (read := done(url, begun.id)) < 2:
            assert time.monotonic() < give_up
        assert read < INPUTS
        server.kill()
        time.sleep(0.5)
        server = ServerProcess(folder, arguments=("--port", str(port)))
        assert done(url, begun.id) >= read
        for waiting in waits:
            waiting.join(WAIT_SECONDS)
        assert [(test.id, getattr(test.status, "value", test.status)) for test in ended] == [(begun.id, "done")] * 3
        assert [(result.failed, result.error) for result in ended[0].results] == [(None, None)] * INPUTS
        assert tests.create(name="sinks", sample=INPUTS, idempotency_key="once").id == begun.id
        assert [test.id for test in tests.all()] == [begun.id]
    finally:
        server.kill()
