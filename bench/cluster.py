"""10,000 records read on a local cluster of two worker processes, one of them killed on the way: memory, and each once.

``python -m bench.cluster [--records 10000]``
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from reviewapp.domain.properties import Property
from reviewapp.domain.records import IncomingRecord
from reviewapp.domain.workflows import WorkflowDefinition
from reviewapp.records import import_records
from reviewapp.running.cluster import connected
from reviewapp.running.runner import Runner
from reviewapp.tests import counts, get_test, start_test
from reviewapp.workflows import put_workflow
from reviewapp.workspaces import DataFolder, Workspace, open_data

GOAL_MB = 400


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--records", type=int, default=10_000)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, open_data(Path(folder) / "data") as data:
        seconds = _run(Path(folder), data, asked.records)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{asked.records:,} records on two workers, one killed on the way")
    print(f"  took  {seconds:7.1f} s  {1000 * seconds / asked.records:.2f} ms a record")
    print(f"  peak  {peak:7.0f} MB of the runner (goal {GOAL_MB}): {'kept' if peak <= GOAL_MB else 'MISSED'}")
    sys.exit(0 if peak <= GOAL_MB else 1)


def _run(folder: Path, data: DataFolder, records: int) -> float:
    workspace = data.workspace("default", create=True)
    texts = (IncomingRecord(name=f"{n:05d}", text=f"Shelf {n}, oak.\nWidth: {n + 1} mm") for n in range(records))
    import_records(workspace, "shelves", texts, by="bench")
    width = Property(name="width", value_type="f64", unit="cm")
    put_workflow(workspace, WorkflowDefinition(name="shelves", collection="shelves", properties=(width,)), by="bench")
    processes = [_start("dask_scheduler", folder, "--port", "0", "--scheduler-file", str(folder / "s.json"))]
    try:
        address = _address(folder / "s.json")
        workers = [_start("dask_worker", folder, address, "--nthreads", "1", "--no-nanny") for _ in range(2)]
        processes += workers
        time.sleep(4)
        test = start_test(workspace, workflow="shelves", everything=True, by="bench")
        killer = threading.Thread(target=_kill_halfway, args=(workspace, test.id, workers[0], records))
        killer.start()
        begun = time.perf_counter()
        with connected(address) as cluster:
            runner = Runner(data, executor=cluster.executor, workers=2)
            runner.run_until_idle()
            runner.stop()
        took = time.perf_counter() - begun
        killer.join()
    finally:
        for process in reversed(processes):
            process.kill()
            process.wait()
    numbers = counts(workspace, test.id)
    assert get_test(workspace, test.id).status == "done"
    assert (numbers.inputs_done, numbers.passed, numbers.failed) == (records, records, 0), numbers
    return took


def _kill_halfway(workspace: Workspace, test: str, worker: subprocess.Popen[bytes], records: int) -> None:
    while counts(workspace, test).inputs_done < records // 2:
        time.sleep(0.2)
    worker.send_signal(signal.SIGKILL)


def _start(program: str, folder: Path, *arguments: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", f"distributed.cli.{program}", *arguments, "--no-dashboard"]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parent.parent)}
    quiet = subprocess.DEVNULL
    return subprocess.Popen(command, cwd=folder, env=environment, stdout=quiet, stderr=quiet)


def _address(file: Path) -> str:
    while not file.exists() or not file.stat().st_size:
        time.sleep(0.1)
    address: str = json.loads(file.read_text())["address"]
    return address


if __name__ == "__main__":
    main()
