"""What evaluations cost: grading stored outputs, the kernel's share of it, comparing, intervals, exporting.

``python -m bench.evaluations [--items N]``. Everything is on disk, as the server has it.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from bench.harness import Goal, finish, print_table
from reviewapp.datasets import export_dataset
from reviewapp.domain.datasets import Expected, Install, Item
from reviewapp.evals.grading import AnswerKey, criteria_of
from reviewapp.evals.kernel import Case, evaluate
from reviewapp.evaluations import compare, grade_outputs
from reviewapp.evaluations.targets import OfFile
from reviewapp.formats.datasets import Losses
from reviewapp.store import DataFolder, Workspace

T = TypeVar("T")
PROPERTIES = ("width", "height", "depth", "colour", "count")
FORMS = ("jsonl", "csv", "label-studio", "huggingface")


def item(number: int) -> Item:
    values = tuple(Expected(property=p, value=float(number + n)) for n, p in enumerate(PROPERTIES[:4]))
    text = f"Item {number}\n" + "Steel door, width 600 mm, height 2 m, colour red. " * 10
    return Item(name=f"item {number}", text=text, values=values, leave_out=(Expected(property="count", value=None),))


def outputs(items: int, wrong_every: int) -> dict[str, list[dict[str, Any]]]:
    return {
        f"item {n}": [
            {"property": p, "value": n + k if (n + k) % wrong_every else -1, "quote": "600 mm", "support": 0.9}
            for k, p in enumerate(PROPERTIES[:4])
        ]
        for n in range(items)
    }


def timed(call: Callable[[], T]) -> tuple[float, T]:
    begun = time.perf_counter()
    found = call()
    return time.perf_counter() - begun, found


def filled(workspace: Workspace, items: int) -> str:
    """A dataset of so many items, in pieces, so that memory tells of the exports only."""
    id = "ds_" + "0" * 32
    install = Install.model_validate({"properties": dict.fromkeys(PROPERTIES, "f64"), "units": {}})
    with workspace.atomic():
        entries = workspace.datasets.keep_texts((item(n) for n in range(items)), by_hand=False)
        workspace.datasets.make(id, name="bench", install=install, entries=entries, by="bench")
    return id


def export_size(workspace: Workspace, dataset: str, form: str) -> int:
    """Bytes of the dataset in this form; the pieces are thrown away as they come."""
    return sum(len(piece) for piece in export_dataset(workspace, dataset, form, Losses()))


def exported_apart(folder: Path, dataset: str, form: str) -> tuple[str, ...]:
    """(seconds, MB, MB of memory that it adds) of an export in a process of its own."""
    command = [sys.executable, "-m", "bench.evaluations", "--only", str(folder), dataset, form]
    return tuple(subprocess.run(command, capture_output=True, text=True, check=True).stdout.split())


def export_only(folder: str, dataset: str, form: str) -> None:
    with DataFolder(folder) as data:
        workspace = data.workspace("large")
        next(export_dataset(workspace, dataset, form, Losses()))  # what is imported for it counts for nobody
        before = peak_megabytes()
        spent, size = timed(partial(export_size, workspace, dataset, form))
        print(f"{spent:.1f} {size / 1e6:.0f} {peak_megabytes() - before:.0f}")


def peak_megabytes() -> float:
    """Most memory that this process ever had (KiB on Linux)."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1_000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--items", type=int, default=10_000, help="to grade")
    parser.add_argument("--exported", type=int, default=100_000, help="items to export")
    parser.add_argument("--only", nargs=3, metavar=("FOLDER", "DATASET", "FORM"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.only:
        export_only(*options.only)
        return
    items, exported = options.items, options.exported
    with tempfile.TemporaryDirectory() as folder, DataFolder(Path(folder)) as data:
        workspace = data.workspace("bench", create=True)
        dataset = filled(workspace, items)
        first, second = outputs(items, 7), outputs(items, 9)
        tracemalloc.start()
        before = tracemalloc.get_traced_memory()[0]
        grade_outputs(workspace, dataset, first, name="traced", by="bench")
        peak = (tracemalloc.get_traced_memory()[1] - before) / 1e6
        tracemalloc.stop()
        seconds, graded = timed(lambda: grade_outputs(workspace, dataset, first, name="first", by="bench"))
        _, other = timed(lambda: grade_outputs(workspace, dataset, second, name="second", by="bench"))
        cases = [
            Case(position=n, name=f"item {n}", inputs={}, criteria={"k": criteria_of(item(n))}) for n in range(items)
        ]
        bare, _ = timed(lambda: evaluate(cases, OfFile(first, "f"), {"k": AnswerKey()}, keep=lambda _: None))
        comparing, comparison = timed(lambda: compare(workspace, graded.id, other.id))
        print_table(
            f"{items:,} items with {len(PROPERTIES)} properties",
            ("step", "seconds", "µs an item"),
            [
                (name, f"{spent:.2f}", f"{spent / items * 1e6:.0f}")
                for name, spent in (
                    ("grade stored outputs", seconds),
                    ("of it, the kernel", bare),
                    ("compare two", comparing),
                )
            ],
        )
        print(f"second against first: {comparison.total.words}")

        large = data.workspace("large", create=True)
        id = filled(large, exported)
        large.close()
        rows = [(form, *exported_apart(Path(folder), id, form)) for form in FORMS]
        print_table(f"Exporting {exported:,} items", ("form", "seconds", "MB", "memory it adds, MB"), rows)
    finish(
        [
            Goal(f"grade {items:,} stored items, s", seconds, 5 * items / 10_000),
            Goal("memory while grading, MB", peak, 100),
            Goal("memory that any export adds, MB", max(float(row[3]) for row in rows), 60),
        ]
    )


if __name__ == "__main__":
    main()
