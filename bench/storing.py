"""What the store costs: bringing 10,000 records in, their results, one answer, and what a page of them reads.

``python -m bench.storing [--inputs N]``. Everything is on disk, as the server has it (WAL, synchronous FULL).
"""

from __future__ import annotations

import argparse
import itertools
import sqlite3
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from bench.harness import Goal, finish, measure, print_table, print_timings, ratio
from bench.texts import PROPERTIES, short_records
from reviewapp.answers import answers_of_input, save_answer, undo
from reviewapp.datasets import save_dataset
from reviewapp.domain.tests import InputFilter, InputResult, ReadValue, Test
from reviewapp.domain.workflows import WorkflowDefinition
from reviewapp.records import import_records
from reviewapp.store.data_folder import DataFolder
from reviewapp.store.workspace import Workspace
from reviewapp.tests import count_inputs, counts, get_input, list_inputs, next_open, save_result, start_test
from reviewapp.workflows import put_workflow

T = TypeVar("T")
steps: list[tuple[str, float, int]] = []


def timed(what: str, count: int, call: Callable[[], T]) -> T:
    """Run a step once and note how long it took, in all and for each of `count`."""
    begun = time.perf_counter()
    found = call()
    steps.append((what, time.perf_counter() - begun, count))
    return found


def result(position: int) -> InputResult:
    """Four of the five properties read, one of them in need of review."""
    outcome = "review" if position % 3 == 0 else "written"
    return InputResult(
        values=tuple(
            ReadValue(
                property=prop.name,
                value="x",
                printed="x",
                quote="Width: 600 mm",
                support=0.6 if outcome == "review" and n == 0 else 0.9,
                outcome="review" if outcome == "review" and n == 0 else "written",
            )
            for n, prop in enumerate(PROPERTIES[:4])
        )
    )


def filled(workspace: Workspace, inputs: int) -> Test:
    """A finished test with an answer on every value."""
    timed("import records", inputs, lambda: import_records(workspace, "tenders", short_records(inputs), by="bench"))
    timed("import them again", inputs, lambda: import_records(workspace, "tenders", short_records(inputs), by="bench"))
    definition = WorkflowDefinition(name="tenders", collection="tenders", properties=PROPERTIES)
    put_workflow(workspace, definition, by="bench")
    test = timed("start a test of all", 1, lambda: start_test(workspace, workflow="tenders", everything=True, by="b"))
    timed("save results", inputs, lambda: [save_result(workspace, test.id, n, result(n)) for n in range(inputs)])
    workspace.tests.finish(test.id, "done")

    def answer_all() -> None:
        for position, prop in itertools.product(range(inputs), PROPERTIES[:4]):
            save_answer(workspace, test.id, position, prop.name, "accept", by="ann", seen=0)

    timed("save answers", inputs * 4, answer_all)
    timed("save the dataset", inputs, lambda: save_dataset(workspace, test.id, by="ann"))
    timed("save it again", inputs, lambda: save_dataset(workspace, test.id, by="ann"))
    return test


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--inputs", type=int, default=10_000)
    inputs = parser.parse_args().inputs
    with tempfile.TemporaryDirectory() as folder, DataFolder(Path(folder)) as data:
        workspace = data.workspace("bench", create=True)
        test = filled(workspace, inputs)
        print_table(
            "Once",
            ("step", "seconds", "µs each"),
            [(what, f"{seconds:.2f}", f"{seconds / count * 1e6:.0f}") for what, seconds, count in steps],
        )
        bare = sqlite3.connect(Path(folder) / "bare.db", isolation_level=None)
        bare.execute("pragma journal_mode = wal")
        bare.execute("pragma synchronous = full")
        bare.execute("create table answers (id integer primary key, note text)")
        turns = itertools.count()

        def commit_a_row() -> None:
            bare.execute("begin immediate")
            bare.execute("insert into answers (note) values ('accept')")
            bare.execute("commit")

        def answer() -> None:
            turn = next(turns)
            decision = "reject" if turn // inputs % 2 == 0 else "accept"
            save_answer(workspace, test.id, turn % inputs, "width", decision, by="ann")

        late = inputs - 3
        timings = measure(
            {
                "commit one bare row": commit_a_row,
                "save an answer": answer,
                "undo it": lambda: undo(workspace, test.id, "ann"),
            }
        )
        reading = measure(
            {
                "counts": lambda: counts(workspace, test.id),
                "an input": lambda: get_input(workspace, test.id, late),
                "its answers": lambda: answers_of_input(workspace, test.id, late),
                "100 inputs of a list": lambda: list_inputs(workspace, test.id, by="ann", after=late - 100, limit=100),
                "count: needs review": lambda: count_inputs(workspace, test.id, InputFilter(outcome="review")),
                "count: unanswered": lambda: count_inputs(workspace, test.id, InputFilter(unanswered=True)),
                "count: words in texts": lambda: count_inputs(workspace, test.id, InputFilter(search="radiator")),
                "next open input": lambda: next_open(workspace, test.id, by="tom", from_position=late),
                "next open input, none left": lambda: next_open(
                    workspace, test.id, InputFilter(property="width"), by="tom"
                ),
            }
        )
        bare.close()
    print_timings("Writing", timings, baseline="commit one bare row")
    print_timings(f"Reading a test of {inputs:,} inputs, all answered", reading, baseline="counts")
    finish(
        [
            Goal("save an answer / commit one bare row", ratio(timings, "save an answer", "commit one bare row"), 4),
            Goal("counts, ms", reading["counts"].median * 1e3, 1),
        ]
    )


if __name__ == "__main__":
    main()
