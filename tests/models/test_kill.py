"""A worker that is killed in the middle of a test with a model: nothing is asked twice that was read, nothing lost."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from reviewapp.calls import list_calls
from reviewapp.domain.workflows import ModelExtractor
from reviewapp.running.runner import Runner
from reviewapp.tests import counts, get_inputs, get_test
from reviewapp.workspaces import DataFolder, Workspace
from tests.conftest import REPOSITORY
from tests.models.conftest import LOCAL, Start
from tests.models.fake_provider import FakeProvider, Step

INPUTS = 40


@pytest.mark.slow
def test_a_killed_worker(
    data_folder: DataFolder, workspace: Workspace, provider: FakeProvider, models_file: Path, start: Start
) -> None:
    for n in range(INPUTS):
        reply = f'{{"readings": [{{"property": "width", "value": "{n} mm", "quote": "Width: {n} mm"}}]}}'
        provider.script(f"Shelf {n};", Step(reply, delay=0.3))
    test = start({f"Shelf {n}": f"Shelf {n}; Width: {n} mm" for n in range(INPUTS)}, ModelExtractor(model=LOCAL))
    command = [sys.executable, "-m", "reviewapp", "worker", "--data", str(data_folder.path)]
    environment = {**os.environ, "REVIEWAPP_MODEL_CALLS": "4", "PYTHONPATH": str(REPOSITORY)}
    worker = subprocess.Popen(command, env=environment, cwd=models_file.parent, stderr=subprocess.DEVNULL)
    until = time.monotonic() + 60
    while counts(workspace, test.id).inputs_done < 8:
        assert time.monotonic() < until
        time.sleep(0.02)
    worker.send_signal(signal.SIGKILL)
    worker.wait()
    read = [row.label for row in get_inputs(workspace, test.id) if row.result is not None]
    assert 8 <= len(read) < INPUTS
    time.sleep(0.4)  # what the provider still says is heard by nobody

    Runner(data_folder).run_until_idle()
    ended = get_test(workspace, test.id)
    rows = get_inputs(workspace, test.id)
    assert (ended.status, [v.value for row in rows if row.result for v in row.result.values]) == (
        "done",
        [n / 10 for n in range(INPUTS)],
    )
    asked = Counter(next(f"Shelf {n}" for n in range(INPUTS) if f"Shelf {n};" in a.text) for a in provider.asked)
    assert all(asked[label] == 1 for label in read)
    assert sum(asked.values()) <= INPUTS + 4  # those in flight are asked again
    calls = list_calls(workspace, test=test.id, limit=500)
    assert [c for c in calls if c.status == "open"] == []
    assert ended.cost_micro_usd == sum(c.cost_micro_usd for c in calls)
    assert ended.cost_micro_usd == sum(row.result.cost_micro_usd for row in rows if row.result)
