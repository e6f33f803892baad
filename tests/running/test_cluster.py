"""A real dask scheduler with worker processes of its own: tests are read there, and only the runner writes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from reviewapp.domain.tests import Test
from reviewapp.errors import InvalidInput
from reviewapp.running.cluster import connected
from reviewapp.running.runner import Runner
from reviewapp.tests import counts, get_inputs, get_test
from reviewapp.workspaces import DataFolder, Workspace
from tests.conftest import REPOSITORY

pytestmark = pytest.mark.slow
Start = Callable[..., Test]


class Cluster:
    """A scheduler and worker processes, each with one thread."""

    def __init__(self, folder: Path, workers: int) -> None:
        self._folder = folder
        self._processes: list[subprocess.Popen[bytes]] = []
        file = folder / "scheduler.json"
        self._run("distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard",
                  "--scheduler-file", str(file))  # fmt: skip
        until(file.exists)
        until(lambda: file.stat().st_size > 0)
        self.address = json.loads(file.read_text())["address"]
        self.workers = [
            self._run(
                "distributed.cli.dask_worker",
                self.address,
                "--nthreads",
                "1",
                "--no-nanny",
                "--no-dashboard",
                "--local-directory",
                str(folder),
            )
            for _ in range(workers)
        ]

    def _run(self, module: str, *arguments: str) -> subprocess.Popen[bytes]:
        environment = {**os.environ, "PYTHONPATH": str(REPOSITORY), "PYTHONWARNINGS": "ignore"}
        command = [sys.executable, "-m", module, *arguments]
        process = subprocess.Popen(
            command, env=environment, cwd=self._folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        self._processes.append(process)
        return process

    def close(self) -> None:
        for process in reversed(self._processes):
            process.kill()
            process.wait()


def until(holds: Callable[[], bool], seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "it did not come about in time"
        time.sleep(0.05)


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    pytest.importorskip("distributed")
    made = Cluster(tmp_path, workers=2)
    yield made
    made.close()


@pytest.mark.filterwarnings("ignore")
def test_a_test_is_read_on_a_cluster_though_a_worker_is_killed(
    cluster: Cluster, data: DataFolder, workspace: Workspace, start: Start
) -> None:
    test = start("tables", 400)
    with connected(cluster.address) as there:
        until(lambda: len(there.executor._client.nthreads()) == 2)  # type: ignore[attr-defined]
        runner = Runner(data, executor=there.executor, workers=2)
        runner.start()
        until(lambda: counts(workspace, test.id).inputs_done > 20)
        cluster.workers[0].send_signal(signal.SIGKILL)
        assert counts(workspace, test.id).inputs_done < 400
        until(lambda: get_test(workspace, test.id).status == "done")
        runner.stop()
    read = get_inputs(workspace, test.id, limit=500)
    assert [[v.value for v in row.result.values] for row in read if row.result] == [[n + 1.0] for n in range(400)]
    assert counts(workspace, test.id).failed == 0


@pytest.mark.filterwarnings("ignore")
def test_without_a_scheduler_it_says_so() -> None:
    pytest.importorskip("distributed")
    with (
        pytest.raises(InvalidInput, match=r"No scheduler answers at 'tcp://127.0.0.1:9'"),
        connected("tcp://127.0.0.1:9"),
    ):
        raise AssertionError("it connected")
