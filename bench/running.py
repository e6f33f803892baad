"""What the runner adds to an input: the runner against a bare loop of the same pipeline calls.

python -m bench.running [--inputs 300] [--runs 7]
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from pathlib import Path

from bench.harness import Goal, finish, print_table, ratio_of
from bench.texts import PROPERTIES, long_text, short_records
from reviewapp.domain.records import IncomingRecord
from reviewapp.domain.tests import Test
from reviewapp.domain.workflows import WorkflowDefinition
from reviewapp.extraction.extractors import make_extractor
from reviewapp.extraction.pipeline import extract
from reviewapp.extraction.prepared import PreparedText
from reviewapp.records import import_records
from reviewapp.running.runner import Runner
from reviewapp.tests import counts, get_input, input_text, start_test
from reviewapp.workflows import put_workflow
from reviewapp.workspaces import DataFolder, Workspace, open_data

ME = "bench"
GOAL_MILLISECONDS = 2.0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--inputs", type=int, default=300, help="short records per run")
    parser.add_argument("--runs", type=int, default=7, help="rounds of runner and bare loop in turn")
    wanted = parser.parse_args()
    short = list(short_records(wanted.inputs))
    long = [IncomingRecord(name=f"Long {n}", text=long_text(40_000, n)) for n in range(max(1, wanted.inputs // 50))]
    rows, worst = [], 0.0
    for title, records in (("short (400 characters)", short), ("long (40,000 characters)", long)):
        with tempfile.TemporaryDirectory() as folder, open_data(Path(folder)) as data:
            runner, bare = compare(data, records, wanted.runs)
        added = statistics.median(r - b for r, b in zip(runner, bare, strict=True)) / len(records) * 1_000
        worst = max(worst, added)
        each = [statistics.median(side) / len(records) * 1_000 for side in (runner, bare)]
        rows.append((title, len(records), *(f"{e:.2f}" for e in each), f"{added:.2f}", f"{ratio_of(runner, bare):.2f}"))
    heads = ("texts", "inputs", "runner ms/input", "bare loop ms/input", "added ms/input", "ratio")
    print_table("The runner against a bare loop of pipeline calls", heads, rows)
    finish([Goal("added by the runner", worst, GOAL_MILLISECONDS, "ms per input")])


def compare(data: DataFolder, records: list[IncomingRecord], runs: int) -> tuple[list[float], list[float]]:
    """Seconds of every round, of a test run by the runner and of the same texts in a bare loop."""
    workspace = data.workspace("default", create=True)
    import_records(workspace, "positions", records, by=ME)
    put_workflow(workspace, WorkflowDefinition(name="positions", collection="positions", properties=PROPERTIES), by=ME)
    runner, bare = [], []
    for _ in range(runs):
        test = start_test(workspace, workflow="positions", everything=True, by=ME)
        begun = time.perf_counter()
        Runner(data).run_until_idle()
        runner.append(time.perf_counter() - begun)
        assert counts(workspace, test.id).inputs_done == len(records)
        bare.append(bare_loop(workspace, test))
    return runner[1:] or runner, bare[1:] or bare  # the first round warms caches up


def bare_loop(workspace: Workspace, test: Test) -> float:
    texts = [input_text(workspace, get_input(workspace, test.id, at)) for at in range(test.input_count)]
    extractor = make_extractor(test.settings)
    begun = time.perf_counter()
    for text in texts:
        extract(PreparedText(text), test.settings, test.evidence, extractor)
    return time.perf_counter() - begun


if __name__ == "__main__":
    main()
