"""Threads that read at once in a process that has just started, when everything is loaded for the first time."""

from __future__ import annotations

import json
import subprocess
import sys

READS = """
import json, threading
from concurrent.futures import ThreadPoolExecutor
from reviewapp.domain.properties import Property
from reviewapp.domain.workflows import Evidence, WorkflowSettings
from reviewapp.running.reading import Reader

properties = (
    Property(name="width", value_type="f64", unit="cm"),
    Property(name="power", value_type="f64", unit="kW"),
    Property(name="date", value_type="date"),
    Property(name="total", value_type="f64", unit="EUR"),
)
read = Reader.of(WorkflowSettings(collection="tables", properties=properties), Evidence())
text = "Width: 600 mm\\nPower: 1500 W\\nDate: 3 May 2024\\nTotal: EUR 12.50"
together = threading.Barrier(8)

def read_at_once(_):
    together.wait()
    result = read(text)
    return [result.failed, {v.property: v.value for v in result.values}]

with ThreadPoolExecutor(8) as threads:
    print(json.dumps(list(threads.map(read_at_once, range(8)))))
"""


def test_threads_that_read_first_read_alike() -> None:
    for _ in range(3):
        said = subprocess.run([sys.executable, "-c", READS], capture_output=True, text=True, check=False)
        assert said.returncode == 0, said.stderr
        values = {"width": 60.0, "power": 1.5, "date": "2024-05-03", "total": 12.5}
        assert json.loads(said.stdout) == [[None, values]] * 8
