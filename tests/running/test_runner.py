"""The runner: what it reads, when it stores, how it goes on after a stop."""

from __future__ import annotations

import pickle
import sqlite3
import time
from collections.abc import Callable
from concurrent.futures import Executor, Future
from contextlib import closing
from typing import Any

import pytest

from reviewapp.domain.tests import Test
from reviewapp.domain.workflows import Evidence, WorkflowSettings
from reviewapp.extraction.extractors import Reply
from reviewapp.extraction.prepared import PreparedText
from reviewapp.extraction.reading import WholeText
from reviewapp.records import delete_record
from reviewapp.running import coordinator
from reviewapp.running.cluster import KILLS_WORKERS
from reviewapp.running.reading import Reader
from reviewapp.running.runner import Runner
from reviewapp.tests import cancel_test, counts, get_input, get_inputs, get_test
from reviewapp.workspaces import DataFolder, Workspace, open_data
from tests.running.conftest import WIDTH, ByHand

Start = Callable[..., Test]


def until(holds: Callable[[], bool], seconds: float = 10) -> None:
    """Wait until something holds; fail when it does not."""
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "it did not come about in time"
        time.sleep(0.005)


def done(workspace: Workspace, test: Test) -> int:
    return counts(workspace, test.id).inputs_done


def test_a_test_is_run_to_its_end(data: DataFolder, workspace: Workspace, start: Start) -> None:
    test = start("tables", 5)
    assert get_test(workspace, test.id).status == "queued"
    Runner(data).run_until_idle()
    ended = get_test(workspace, test.id)
    assert (ended.status, ended.error) == ("done", None)
    assert ended.started is not None
    assert ended.finished is not None
    assert ended.started <= ended.finished
    assert done(workspace, test) == 5
    result = get_input(workspace, test.id, 2).result
    assert result is not None
    assert [(v.property, v.value, v.stated) for v in result.values] == [("width", 3.0, "30 mm")]


def test_every_result_is_committed_as_it_arrives(data: DataFolder, workspace: Workspace, start: Start) -> None:
    test = start("tables", 3)
    hand = ByHand()
    with Runner(data, executor=hand):
        for number in range(3):
            hand.wait_for(number + 1)
            with open_data(data.path) as elsewhere:  # sees only what is committed
                assert done(elsewhere.workspace("default"), test) == number
                hand.turn()
                until(lambda n=number: done(elsewhere.workspace("default"), test) == n + 1)  # type: ignore[misc]
        until(lambda: get_test(workspace, test.id).status == "done")


def test_no_more_is_handed_out_than_the_workers_need(data: DataFolder, start: Start) -> None:
    start("tables", 20)
    hand = ByHand()
    runner = Runner(data, executor=hand, workers=2)
    runner.start()
    hand.wait_for(4)
    time.sleep(0.1)
    assert len(hand.texts) == 4
    runner.stop(0.1)


def test_a_restart_goes_on_and_reads_no_finished_input_again(
    data: DataFolder, workspace: Workspace, start: Start
) -> None:
    test = start("tables", 6)
    first = ByHand()
    runner = Runner(data, executor=first, workers=1)
    runner.start()
    first.wait_for(2)
    first.turn(2)
    first.wait_for(4)
    until(lambda: done(workspace, test) == 2)
    runner.stop(0.1)  # two inputs are in flight and stay unread
    assert get_test(workspace, test.id).status == "running"

    second = ByHand()
    with Runner(data, executor=second, workers=10):
        second.wait_for(4)
        second.turn(4)
        until(lambda: get_test(workspace, test.id).status == "done")
    assert second.texts == [f"Width: {n}0 mm" for n in (3, 4, 5, 6)]


def test_a_stop_keeps_what_is_read_in_time(data: DataFolder, workspace: Workspace, start: Start) -> None:
    test = start("tables", 40)
    runner = Runner(data)
    runner.start()
    until(lambda: done(workspace, test) > 0)
    runner.stop()
    read = done(workspace, test)
    Runner(data).run_until_idle()
    assert 0 < read <= 40
    assert (done(workspace, test), get_test(workspace, test.id).status) == (40, "done")


def test_cancel_keeps_what_was_read_and_nothing_after(data: DataFolder, workspace: Workspace, start: Start) -> None:
    test = start("tables", 10)
    hand = ByHand()
    with Runner(data, executor=hand, workers=1):
        hand.wait_for(2)
        hand.turn()
        hand.wait_for(3)
        until(lambda: done(workspace, test) == 1)
        cancel_test(workspace, test.id, by="ann")
        hand.turn(2)
        other = start("chairs", 1)
        hand.wait_for(4)
        hand.turn()
        until(lambda: get_test(workspace, other.id).status == "done")
    assert (get_test(workspace, test.id).status, done(workspace, test)) == ("cancelled", 1)
    assert len(hand.texts) == 4


def test_two_tests_take_turns(data: DataFolder, start: Start) -> None:
    start("tables", 30)
    start("chairs", 30)
    hand = ByHand()
    runner = Runner(data, executor=hand, workers=4)
    runner.start()
    hand.wait_for(8)
    runner.stop(0.1)
    assert hand.texts == [f"Width: {n}0 mm" for n in (1, 1, 2, 2, 3, 3, 4, 4)]


def test_tests_of_all_workspaces_are_run(data: DataFolder, workspace: Workspace, start: Start) -> None:
    other = data.workspace("other", create=True)
    tests = [(workspace, start("tables", 2)), (other, start("tables", 2, other))]
    Runner(data).run_until_idle()
    assert [get_test(where, test.id).status for where, test in tests] == ["done", "done"]


def test_a_test_started_here_is_taken_up_at_once(
    data: DataFolder, workspace: Workspace, start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(coordinator, "LOOK_SECONDS", 3_600.0)
    with Runner(data):
        time.sleep(0.1)
        test = start("tables", 1)
        until(lambda: get_test(workspace, test.id).status == "done")


def test_a_test_started_by_another_process_is_found(data: DataFolder, workspace: Workspace, start: Start) -> None:
    with Runner(data), open_data(data.path) as elsewhere:
        test = start("tables", 1, elsewhere.workspace("default"))
        until(lambda: get_test(workspace, test.id).status == "done")


def test_settings_that_cannot_be_read_fail_their_test_only(
    data: DataFolder, workspace: Workspace, start: Start
) -> None:
    broken, whole = start("tables", 1), start("chairs", 1)
    with closing(sqlite3.connect(data.path / "workspaces" / "default.db")) as db, db:
        db.execute(
            "update tests set settings = json_set(settings, '$.extractor.kind', 'no-more') where id = ?", (broken.id,)
        )
    Runner(data).run_until_idle()
    assert get_test(workspace, whole.id).status == "done"
    with closing(sqlite3.connect(data.path / "workspaces" / "default.db")) as db:
        status, error = db.execute("select status, error from tests where id = ?", (broken.id,)).fetchone()
    assert status == "failed"
    assert error.startswith("The settings of this test can no longer be used: ValidationError")


def test_a_record_that_is_deleted_meanwhile_is_still_read(data: DataFolder, workspace: Workspace, start: Start) -> None:
    test = start("tables", 2)
    delete_record(workspace, get_input(workspace, test.id, 0).iri, by="ann")
    Runner(data).run_until_idle()
    result = get_input(workspace, test.id, 0).result
    assert result is not None
    assert [v.value for v in result.values] == [1.0]


def test_a_busy_file_is_waited_for_and_nothing_is_read_twice(
    data: DataFolder, workspace: Workspace, start: Start
) -> None:
    test = start("tables", 3)
    hand = ByHand()
    with DataFolder(data.path, busy_seconds=0.05) as hasty, Runner(hasty, executor=hand, workers=1):
        hand.wait_for(2)
        with closing(sqlite3.connect(data.path / "workspaces" / "default.db", isolation_level=None)) as other:
            other.execute("begin immediate")
            hand.turn(2)
            time.sleep(0.3)
            assert done(workspace, test) == 0
            other.execute("rollback")
        hand.wait_for(3)
        hand.turn()
        until(lambda: get_test(workspace, test.id).status == "done")
    assert done(workspace, test) == len(hand.texts) == 3


class Broken:
    """A reader that cannot read."""

    def read(self, prepared: PreparedText, settings: WorkflowSettings, evidence: Evidence) -> Reply:
        raise ValueError(f"no idea what to do with {prepared.text!r}")


def test_a_reader_that_raises_fails_the_input() -> None:
    settings = WorkflowSettings(collection="tables", properties=(WIDTH,))
    result = Reader(settings, Evidence(), WholeText(settings, Evidence(), Broken()))("Width: 30 mm")
    assert result.values == ()
    assert result.failed is not None
    assert "ValueError: no idea what to do with 'Width: 30 mm'" in result.failed


class Dying(Executor):
    """Loses its worker with every input."""

    def submit(self, read: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        future.set_exception(MemoryError("worker was killed"))
        return future


def test_a_worker_that_dies_fails_the_input_not_the_test(data: DataFolder, workspace: Workspace, start: Start) -> None:
    test = start("tables", 2)
    Runner(data, executor=Dying()).run_until_idle()
    result = get_input(workspace, test.id, 0).result
    assert result is not None
    assert result.failed == "This input could not be read: MemoryError: worker was killed"
    assert (get_test(workspace, test.id).status, done(workspace, test)) == ("done", 2)


class Losing(Executor):
    """Loses some results on their way, each once, as a cluster does when a worker is killed."""

    def __init__(self) -> None:
        self.texts: list[str] = []

    def submit(self, read: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        first = args[0] not in self.texts
        self.texts.append(args[0])
        if first and len(self.texts) % 3 == 0:
            future.set_exception(ValueError("too many values to unpack (expected 3)"))
        else:
            future.set_result(read(*args, **kwargs))
        return future


def test_an_input_that_is_lost_on_its_way_is_read_again(data: DataFolder, workspace: Workspace, start: Start) -> None:
    test = start("tables", 150)
    executor = Losing()
    Runner(data, executor=executor).run_until_idle()
    rows = get_inputs(workspace, test.id, limit=200)
    assert [[v.value for v in row.result.values] for row in rows if row.result] == [[n + 1.0] for n in range(150)]
    assert len(executor.texts) > len(set(executor.texts)) == 150
    assert get_test(workspace, test.id).status == "done"


class KilledWorker(Exception):
    """Named as the one of `distributed`."""


class Killing(Executor):
    """Every worker that gets the text dies."""

    def __init__(self) -> None:
        self.asked = 0

    def submit(self, read: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        self.asked += 1
        future: Future[Any] = Future()
        future.set_exception(KilledWorker("Attempted to run task … on 4 different workers"))
        return future


def test_a_text_that_kills_workers_is_given_to_no_further_one(
    data: DataFolder, workspace: Workspace, start: Start
) -> None:
    test = start("tables", 1)
    executor = Killing()
    Runner(data, executor=executor).run_until_idle()
    result = get_input(workspace, test.id, 0).result
    assert result is not None
    assert (result.failed, executor.asked) == (KILLS_WORKERS, 1)


class Gone(Executor):
    """Was shut down."""

    def submit(self, read: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        raise RuntimeError("cannot schedule new futures after shutdown")


def test_a_test_outlives_its_executor(data: DataFolder, workspace: Workspace, start: Start) -> None:
    test = start("tables", 2)
    with Runner(data, executor=Gone()) as runner:
        until(lambda: not runner.is_running)
    assert get_test(workspace, test.id).status == "running"
    Runner(data).run_until_idle()
    assert get_test(workspace, test.id).status == "done"


def test_a_reader_travels_to_another_machine() -> None:
    settings = WorkflowSettings(collection="tables", properties=(WIDTH,))
    reader = pickle.loads(pickle.dumps(Reader.of(settings, Evidence())))  # noqa: S301
    assert [v.value for v in reader("Width: 30 mm").values] == [3.0]
