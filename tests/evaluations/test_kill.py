"""``kill -9`` in the middle of an evaluation: what was graded is kept, nothing is graded twice, the rest goes on."""

from __future__ import annotations

import subprocess
import sys
import time

import pytest

from reviewapp.datasets import create_dataset
from reviewapp.domain.datasets import Expected, Install, Item
from reviewapp.evaluations import get_evaluation, list_evaluations, results
from reviewapp.running.evaluating import EvaluationRunner
from reviewapp.store import DataFolder
from tests.evaluations.worlds import workflow

ITEMS = 450


@pytest.mark.slow
def test_a_killed_evaluation_goes_on(data_folder: DataFolder) -> None:
    workspace = data_folder.workspace("default", create=True)
    workflow(workspace)
    texts = [
        f"Door {n}\n" + "Fittings as in the list of the architect. " * 40 + f"\nWidth: {n} mm" for n in range(ITEMS)
    ]
    items = [
        Item(name=f"i{n}", text=t, values=(Expected(property="width", value=n / 10),)) for n, t in enumerate(texts)
    ]
    install = Install(properties={"width": "f64"}, units={"width": "cm"})
    create_dataset(workspace, "Doors", items=items, install=install, by="ann")
    command = [
        sys.executable,
        "-m",
        "reviewapp",
        "evaluate",
        "Doors",
        "--workflow",
        "doors",
        "--data",
        str(data_folder.path),
    ]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as program:
        begun = time.monotonic()
        while not any(e.cases_done for e in list_evaluations(workspace)) and time.monotonic() < begun + 60:
            time.sleep(0.01)
        program.kill()
    (found,) = list_evaluations(workspace)
    assert found.status == "running"
    assert 0 < found.cases_done < ITEMS
    kept = [result.position for result in results(workspace, found.id, limit=ITEMS)]
    assert kept == list(range(found.cases_done)), "what is counted is what is kept"
    EvaluationRunner(data_folder).run_until_idle()
    ended = get_evaluation(workspace, found.id)
    assert (ended.status, ended.cases_done) == ("done", ITEMS)
    assert [result.position for result in results(workspace, found.id, limit=ITEMS)] == list(range(ITEMS))
    report = ended.report
    assert report is not None
    assert report.items == ITEMS
    assert report.properties["width"]["read"].counts.right > 0.9 * ITEMS
