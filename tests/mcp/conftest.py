"""A data folder with a workflow, and the official client connected to our server in one process or over a wire."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import time

import anyio
import pytest
from mcp import Client

from reviewapp.domain.properties import Property
from reviewapp.domain.records import IncomingRecord
from reviewapp.domain.workflows import WorkflowDefinition
from reviewapp.mcp.serving import make_server
from reviewapp.records import declare_properties, import_records
from reviewapp.running.block_testing import BlockTestRunner
from reviewapp.running.evaluating import EvaluationRunner
from reviewapp.running.runner import Runner
from reviewapp.settings import Settings
from reviewapp.workflows import put_workflow
from reviewapp.workspaces import open_data

TEXT = "S 4.0 Sink\nWidth: 600 mm\nMaterial: oak"


@pytest.fixture
def folder(tmp_path):
    """Filled, and closed again: for a server that is a process of its own."""
    with open_data(tmp_path / "data") as data:
        fill(data)
    return tmp_path / "data"


def fill(data):
    workspace = data.workspace("default", create=True)
    import_records(workspace, "sinks", [IncomingRecord(name="S 4.0", text=TEXT)], by="Ann")
    declare_properties(
        workspace, "sinks", [Property(name="width", value_type="f64", unit="cm"), Property(name="material")], by="Ann"
    )
    put_workflow(workspace, WorkflowDefinition(name="sinks", collection="sinks"), by="Ann")


@pytest.fixture
def data(tmp_path):
    with open_data(tmp_path / "data") as opened:
        fill(opened)
        runner = Runner(opened)
        runner.start()
        with EvaluationRunner(opened), BlockTestRunner(opened):
            yield opened
        runner.stop()


def within(data, conversation, key=None):
    """Talk to the server in this process: ``conversation(call)`` with ``call(tool, **arguments) -> content``."""

    async def talk():
        server = make_server(Settings(data=data.path, person="Ann"), data, key=key)
        async with Client(server) as client:
            await conversation(caller(client))

    anyio.run(talk)


def caller(client):
    async def call(name, /, **arguments):
        found = await client.call_tool(name, arguments)
        content = json.loads(found.content[0].text)
        return {"refused": content} if found.is_error else content

    call.client = client
    return call


async def until(call, name, is_ended, /, **arguments):
    for _ in range(300):
        found = await call(name, **arguments)
        if is_ended(found):
            return found
        await anyio.sleep(0.05)
    raise AssertionError(found)


@pytest.fixture
def http_server(folder):
    """``reviewapp mcp --http`` as a process; its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "reviewapp", "mcp", "--http", "--port", str(port), "--data", str(folder)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        try:
            line = process.stderr.readline()
            assert "MCP is ready" in line, line
            for _ in range(100):
                with socket.socket() as probe:
                    if probe.connect_ex(("127.0.0.1", port)) == 0:
                        break
                time.sleep(0.05)
            yield f"http://127.0.0.1:{port}/mcp"
        finally:
            process.terminate()
            process.wait(15)
