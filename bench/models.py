"""Reading with a model that takes 100 ms a reply: how near to the ideal, and what the runner's own work costs.

``python -m bench.models [--records 200] [--at-once 16] [--delay 0.1]``. The provider is a process of its own that
speaks OpenAI's protocol; every call goes through the provider's real library, the log and the budget.
"""

from __future__ import annotations

import argparse
import math
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from reviewapp.calls import list_calls, set_budget
from reviewapp.domain.choices import ModelName
from reviewapp.domain.properties import Property
from reviewapp.domain.records import IncomingRecord
from reviewapp.domain.workflows import ModelExtractor, WorkflowDefinition
from reviewapp.records import import_records
from reviewapp.running.runner import Runner
from reviewapp.running.serving import SWITCH_SECONDS
from reviewapp.tests import get_test, start_test
from reviewapp.workflows import put_workflow
from reviewapp.workspaces import open_data

GOAL = 1.25


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--records", type=int, default=200)
    parser.add_argument("--at-once", type=int, default=16)
    parser.add_argument("--delay", type=float, default=0.1)
    asked = parser.parse_args()
    sys.setswitchinterval(SWITCH_SECONDS)  # as the server and the worker do
    command = [sys.executable, "-m", "tests.models.fake_provider", "--delay", str(asked.delay)]
    provider = subprocess.Popen(command, cwd=Path(__file__).parent.parent, stdout=subprocess.PIPE, text=True)
    assert provider.stdout is not None
    try:
        url = provider.stdout.readline().strip()
        with tempfile.TemporaryDirectory() as folder:
            seconds, cpu = _run(Path(folder), url, asked.records, asked.at_once)
    finally:
        provider.kill()
        provider.wait()
    ideal = math.ceil(asked.records / asked.at_once) * asked.delay
    print(f"{asked.records} records, {asked.delay * 1000:.0f} ms a reply, {asked.at_once} at once")
    print(f"  ideal      {ideal:6.2f} s")
    kept = seconds <= GOAL * ideal
    print(f"  took       {seconds:6.2f} s   {seconds / ideal:.2f} × (goal {GOAL}): {'kept' if kept else 'MISSED'}")
    print(f"  processor  {1000 * cpu / asked.records:6.2f} ms a record")
    sys.exit(0 if kept else 1)


def _run(folder: Path, url: str, count: int, at_once: int) -> tuple[float, float]:
    (folder / "models.toml").write_text(
        f'[providers.local]\nurl = "{url}/v1"\nprice = {{ input = 1, output = 1 }}\ncalls_at_once = {at_once}\n'
    )
    os.environ["REVIEWAPP_MODELS_FILE"] = str(folder / "models.toml")
    width = Property(name="width", value_type="f64", unit="cm")
    with open_data(folder / "data") as data:
        workspace = data.workspace("default", create=True)

        def run(name: str, records: int) -> tuple[float, float]:
            texts = [
                IncomingRecord(name=f"{name} {n:05d}", text=f"{name} {n}. Width: {n + 1} mm") for n in range(records)
            ]
            import_records(workspace, name, texts, by="bench")
            reader = ModelExtractor(model=ModelName(provider="local", model="small"))
            definition = WorkflowDefinition(name=name, collection=name, properties=(width,), extractor=reader)
            put_workflow(workspace, definition, by="bench")
            test = start_test(workspace, workflow=name, everything=True, by="bench")
            began, used = time.perf_counter(), time.process_time()
            Runner(data, model_calls=at_once).run_until_idle()
            took = time.perf_counter() - began, time.process_time() - used
            ended = get_test(workspace, test.id)
            assert ended.status == "done", ended.error
            calls = list_calls(workspace, test=test.id, limit=records + 1)
            assert ended.cost_micro_usd == sum(c.cost_micro_usd for c in calls) == 100 * records
            return took

        set_budget(workspace, 10**9, by="bench")
        run("warm", at_once)  # libraries imported, connections open
        return run("measured", count)


if __name__ == "__main__":
    main()
