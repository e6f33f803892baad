"""What block tests cost: 1,000 tests run the first time, again with nothing changed, judged anew, and after a change
of one block.

``python -m bench.block_tests [--tests N]``. On disk, as the server has it; ten blocks, of which one is changed.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path
from unittest.mock import patch

from bench.harness import Goal, finish, print_table
from reviewapp.block_tests import execute_run, make_test, start_run, targets
from reviewapp.domain.block_tests import BlockTestRun
from reviewapp.domain.conditions import Assertion
from reviewapp.domain.workflows import WorkflowDefinition
from reviewapp.store import DataFolder, Workspace
from reviewapp.workflows import put_workflow

BLOCKS = 10
CACHED_SECONDS = 10.0
"""Goal for 1,000 tests."""


def put(workspace: Workspace, changed: str = "invoice") -> None:
    """A line of blocks that classify; `changed` is a cue of the first."""
    blocks = [
        {
            "id": f"kind{n}",
            "type": "classify",
            "inputs": {"input-json-0": "document"},
            "categories": [{"name": "invoice", "cues": [changed if n == 0 else "invoice"]}, {"name": "order"}],
            "otherwise": "order",
        }
        for n in range(BLOCKS)
    ]
    definition = {"name": "line", "collection": "texts", "blocks": blocks}
    put_workflow(workspace, WorkflowDefinition.model_validate(definition), by="bench")


def fill(workspace: Workspace, tests: int) -> None:
    workspace.records.make_collection("texts", "bench")
    put(workspace)
    target = {"output_handle_id": "output-json-0", "path": "category"}
    for n in range(tests):
        kind = "invoice" if n % 2 else "order"
        text = f"{kind} {n}\n" + "Steel door, width 600 mm, height 2 m. " * 40
        condition = {"kind": "equals", "expected": kind}
        make_test(
            workspace,
            "line",
            f"kind{n % BLOCKS}",
            Assertion.model_validate({"target": target, "condition": condition}),
            inputs={"input-json-0": {"type": "json", "data": text}},
            by="bench",
        )


def timed_run(workspace: Workspace) -> tuple[float, int, BlockTestRun]:
    """(seconds, blocks that worked, the run)"""
    worked = 0
    original = targets.BlockTarget.run

    def counted(self: targets.BlockTarget, case: targets.Case) -> targets.Execution:
        nonlocal worked
        worked += 1
        return original(self, case)

    with patch.object(targets.BlockTarget, "run", counted):
        begun = time.perf_counter()
        ended = execute_run(workspace, start_run(workspace, "line", by="bench").id)
        return time.perf_counter() - begun, worked, ended


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tests", type=int, default=1_000)
    tests = parser.parse_args().tests
    with tempfile.TemporaryDirectory() as folder, DataFolder(Path(folder)) as data:
        workspace = data.workspace("default", create=True)
        begun = time.perf_counter()
        fill(workspace, tests)
        making = time.perf_counter() - begun
        first, ran_first, _ = timed_run(workspace)
        again, ran_again, repeated = timed_run(workspace)
        put(workspace, changed="order")
        after, ran_after, _ = timed_run(workspace)
    print_table(
        f"{tests} block tests of {BLOCKS} blocks",
        ("", "seconds", "ms a test", "blocks that worked"),
        [
            ("made", f"{making:.2f}", f"{making / tests * 1e3:.2f}", ""),
            ("run the first time", f"{first:.2f}", f"{first / tests * 1e3:.2f}", ran_first),
            ("again, nothing changed", f"{again:.2f}", f"{again / tests * 1e3:.2f}", ran_again),
            ("after a change of one block", f"{after:.2f}", f"{after / tests * 1e3:.2f}", ran_after),
        ],
    )
    allowed = CACHED_SECONDS * tests / 1_000
    finish(
        [
            Goal("again, nothing changed (s)", again, allowed),
            Goal("after a change of one block (s)", after, allowed),
            Goal("blocks that worked again, nothing changed", ran_again, 0),
            Goal("results taken over", tests - repeated.reused, 0),
            Goal("blocks that worked after a change, beyond those of the changed one", ran_after - tests // BLOCKS, 0),
        ]
    )


if __name__ == "__main__":
    main()
