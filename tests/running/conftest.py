"""A data folder, workflows with records, and an executor that the test turns by hand."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from pathlib import Path
from typing import Any

import pytest

from reviewapp.domain.properties import Property
from reviewapp.domain.records import IncomingRecord
from reviewapp.domain.tests import Test
from reviewapp.domain.workflows import WorkflowDefinition
from reviewapp.records import import_records
from reviewapp.tests import start_test
from reviewapp.workflows import put_workflow
from reviewapp.workspaces import DataFolder, Workspace, open_data

WIDTH = Property(name="width", value_type="f64", unit="cm")


@pytest.fixture
def data(tmp_path: Path) -> Iterator[DataFolder]:
    with open_data(tmp_path / "data") as folder:
        yield folder


@pytest.fixture
def workspace(data: DataFolder) -> Workspace:
    return data.workspace("default", create=True)


@pytest.fixture
def start(workspace: Workspace) -> Callable[..., Test]:
    """Starts a test of a workflow on so many records of its own."""

    def start(workflow: str, inputs: int, where: Workspace = workspace) -> Test:
        records = [IncomingRecord(name=f"{workflow} {n:03d}", text=f"Width: {n + 1}0 mm") for n in range(inputs)]
        import_records(where, workflow, records, by="ann")
        put_workflow(where, WorkflowDefinition(name=workflow, collection=workflow, properties=(WIDTH,)), by="ann")
        return start_test(where, workflow=workflow, everything=True, by="ann")

    return start


class ByHand(Executor):
    """Reads nothing by itself: `turn` reads the input that has waited longest."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        """Of everything that was handed out, in order."""
        self._waiting: deque[Callable[[], None]] = deque()
        self._handed_out = threading.Condition()

    def submit(self, read: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()

        def go() -> None:
            if future.set_running_or_notify_cancel():
                future.set_result(read(*args, **kwargs))

        with self._handed_out:
            self.texts.append(args[0])
            self._waiting.append(go)
            self._handed_out.notify_all()
        return future

    def wait_for(self, handed_out: int) -> None:
        """Until so many inputs were handed out in all."""
        with self._handed_out:
            assert self._handed_out.wait_for(lambda: len(self.texts) >= handed_out, timeout=10), self.texts

    def turn(self, inputs: int = 1) -> None:
        for _ in range(inputs):
            self._waiting.popleft()()
