"""Reading a file of records: time against the bare parsing of its lines, and peak memory.

python -m bench.reading [--megabytes 30]
"""

from __future__ import annotations

import argparse
import csv
import json
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from bench.harness import Goal, finish, measure, print_table, print_timings, ratio
from bench.process import REPOSITORY
from bench.texts import short_records

GOAL_RATIO = 10.0
"""JSONL read, checked and spooled against `json.loads` of every line."""
GOAL_MEGABYTES = 60.0
"""Added to the memory of the process, whatever the size of the file."""
RECORD_CHARACTERS = 1_000
_PEAK = """
import pathlib, re, sys
from reviewapp.formats.readers import read_files
def peak():  # not getrusage: a child begins with its parent's
    return int(re.search(r"VmHWM:\\s+(\\d+)", pathlib.Path("/proc/self/status").read_text())[1])
before = peak()
count = sum(1 for _ in read_files(sys.argv[1:]).records)
print((peak() - before) * 1024 / 1e6)
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--megabytes", type=int, default=30)
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        jsonl, table = write_files(Path(folder), wanted.megabytes * 1_000_000)
        cases = {"json.loads of every line": bare(jsonl), "JSONL": reading(jsonl), "CSV": reading(table)}
        timings = measure(cases, runs=5)
        peaks = {path.suffix: peak_megabytes(path) for path in (jsonl, table)}
    print_timings(f"{wanted.megabytes} MB of records", timings, baseline="json.loads of every line")
    print_table("Peak memory added", ("file", "MB"), [(name, f"{peak:.0f}") for name, peak in peaks.items()])
    finish(
        [
            Goal("JSONL / json.loads", ratio(timings, "JSONL", "json.loads of every line"), GOAL_RATIO),
            Goal("peak memory added", max(peaks.values()), GOAL_MEGABYTES, "MB"),
        ]
    )


def write_files(folder: Path, size: int) -> tuple[Path, Path]:
    """The same records as JSONL and as CSV."""
    jsonl, table = folder / "records.jsonl", folder / "records.csv"
    seeds = [record.text for record in short_records(100)]
    texts = [(text * (RECORD_CHARACTERS // len(text) + 1))[:RECORD_CHARACTERS] for text in seeds]
    with jsonl.open("w", encoding="utf-8") as lines, table.open("w", encoding="utf-8", newline="") as cells:
        writer = csv.writer(cells)
        writer.writerow(["name", "text"])
        for n in range(size // RECORD_CHARACTERS):
            text = f"{n}: {texts[n % len(texts)]}"
            lines.write(json.dumps({"name": f"record {n}", "text": text}, ensure_ascii=False) + "\n")
            writer.writerow([f"record {n}", text])
    return jsonl, table


def bare(path: Path) -> Callable[[], int]:
    def run() -> int:
        with path.open(encoding="utf-8") as lines:
            return sum(len(json.loads(line)["text"]) for line in lines)

    return run


def reading(path: Path) -> Callable[[], int]:
    from reviewapp.formats.readers import read_files

    return lambda: len(read_files([path]).records)


def peak_megabytes(path: Path) -> float:
    """Memory that reading the file and going through its records adds to a process of its own."""
    command = [sys.executable, "-c", _PEAK, str(path)]
    return float(subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, check=True).stdout)


if __name__ == "__main__":
    main()
