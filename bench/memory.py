"""How much memory it takes to import and to run many short records, through the command line as people use it.

python -m bench.memory [--records 10000]
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from bench.harness import Goal, finish, print_table
from bench.process import REPOSITORY
from bench.texts import PROPERTIES, short_records

GOAL_MEGABYTES = 400.0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--records", type=int, default=10_000)
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        data, file, workflow = (Path(folder) / name for name in ("data", "records.jsonl", "positions.json"))
        with file.open("w") as lines:
            for record in short_records(wanted.records):
                lines.write(json.dumps({"name": record.name, "text": record.text}) + "\n")
        definition = {"name": "positions", "collection": "positions"}
        workflow.write_text(json.dumps(definition | {"properties": [p.model_dump() for p in PROPERTIES]}))
        steps = {
            "import": ("records", "import", str(file), "--collection", "positions"),
            "define": ("workflow", "put", str(workflow)),
            "run": ("test", "start", "positions", "--all", "--wait"),
            "import again": ("records", "import", str(file), "--collection", "positions"),
        }
        measured = {name: reviewapp(*words, "--data", str(data)) for name, words in steps.items()}
        size = sum(f.stat().st_size for f in data.rglob("*") if f.is_file()) / 1e6
    rows = [(name, f"{peak:.0f}", f"{seconds:.1f}") for name, (peak, seconds) in measured.items()]
    print_table(f"{wanted.records:,} short records", ("step", "peak MB", "seconds"), rows)
    print(f"\nThe data folder has {size:.0f} MB.")
    finish([Goal("peak memory", max(peak for peak, _ in measured.values()), GOAL_MEGABYTES, "MB")])


def reviewapp(*words: str) -> tuple[float, float]:
    """Run a command to its end: its peak resident memory in MB (10⁶ bytes) and its seconds."""
    begun = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-m", "reviewapp", *words], cwd=REPOSITORY, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    )
    assert process.stderr is not None
    said = process.stderr.read().decode()
    _, status, usage = os.wait4(process.pid, 0)
    process.stderr.close()
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise RuntimeError(f"reviewapp {' '.join(words)} ended with {process.returncode}:\n{said}")
    peak_kilobytes = usage.ru_maxrss / (1024 if sys.platform == "darwin" else 1)
    return peak_kilobytes * 1024 / 1e6, time.perf_counter() - begun


if __name__ == "__main__":
    main()
