"""Answers of many people and programs at once."""

from __future__ import annotations

import multiprocessing
import sqlite3
import threading
from pathlib import Path

import pytest

from reviewapp import answers as use
from reviewapp.errors import Busy, StaleAnswer
from reviewapp.store import DataFolder
from reviewapp.tests import counts
from tests.answers.conftest import READINGS, TEXTS, answer
from tests.builders import done


def test_eight_people_at_once_lose_nothing(data_folder):
    workspace = data_folder.workspace("default", create=True)
    test = done(workspace, {f"r{n}": f"Width {n}" for n in range(25)}, {}, overlap=8)
    errors: list[BaseException] = []

    def review(by: str) -> None:
        try:
            for position in range(25):
                for property in ("width", "colour"):
                    saved = answer(workspace, test.id, "accept", position=position, property=property, by=by, seen=0)
                    assert saved.by == by
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=review, args=(f"person {n}",)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    with DataFolder(data_folder.path) as again:
        kept = use.progress(again.workspace("default"), test.id)
    assert kept == {f"person {n}": {"colour": 25, "width": 25} for n in range(8)}


def test_at_once_on_one_value_one_wins_and_the_others_are_told(data_folder):
    workspace = data_folder.workspace("default", create=True)
    test = done(workspace, TEXTS, READINGS)
    told: list[str] = []
    barrier = threading.Barrier(8)

    def click(by: str) -> None:
        barrier.wait()
        try:
            told.append(answer(workspace, test.id, "accept", by=by, seen=0).by)
        except StaleAnswer:
            told.append("stale")

    threads = [threading.Thread(target=click, args=(by,)) for by in ["ann"] * 4 + ["tom"] * 4]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(use.history(workspace, test.id, 0, "width")) == 1
    assert sorted(told) in (["ann"] * 4 + ["stale"] * 4, ["stale"] * 4 + ["tom"] * 4)


def _review(path: Path, test_id: str, by: str) -> None:
    with DataFolder(path) as data:
        workspace = data.workspace("default")
        for position in range(30):
            answer(workspace, test_id, "accept", position=position, by=by)


def test_two_processes_lose_nothing(data_folder):
    workspace = data_folder.workspace("default", create=True)
    test = done(workspace, {f"r{n}": f"Width {n}" for n in range(30)}, {})
    spawn = multiprocessing.get_context("spawn")
    processes = [spawn.Process(target=_review, args=(data_folder.path, test.id, by)) for by in ("ann", "tom")]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    assert [p.exitcode for p in processes] == [0, 0]
    assert use.progress(workspace, test.id) == {"ann": {"width": 30}, "tom": {"width": 30}}


@pytest.mark.slow
def test_another_program_holds_the_file_for_eight_seconds(data_folder):
    workspace = data_folder.workspace("default", create=True)
    test = done(workspace, TEXTS, READINGS)
    other = sqlite3.connect(
        data_folder.path / "workspaces" / "default.db", isolation_level=None, check_same_thread=False
    )
    other.execute("begin immediate")
    release = threading.Timer(8, lambda: other.execute("rollback"))
    release.start()
    with pytest.raises(Busy, match="nothing was saved, try again"):
        answer(workspace, test.id, "accept")
    assert counts(workspace, test.id).answered == 0  # reading goes on
    assert answer(workspace, test.id, "accept").decision == "accept"  # sent again, it waits and is saved
    release.join()
    other.close()
