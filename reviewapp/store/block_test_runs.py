"""Runs of block tests and their results. A result is written once; a run lists the results it made or took over."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from pydantic import TypeAdapter

from reviewapp.domain.block_tests import STATUSES, BlockTestRun, RunStatus, Scope, TestResult
from reviewapp.store.connections import Connections
from reviewapp.store.rows import maybe_when, now, when

_scope: TypeAdapter[Scope] = TypeAdapter(Scope)
_OPEN = "status in ('pending', 'running')"
_RUN = """select id, workflow, revision, scope, trigger, status, created, created_by, started, finished, error, number,
    under_way from block_test_runs"""
STATUS = "case when r.lifecycle = 'completed' then r.outcome else r.lifecycle end"


@dataclass(frozen=True)
class RunFilter:
    """Which runs; every part that is set narrows further."""

    workflow: str | None = None
    test: str | None = None
    """Runs of this one test; not those of many that it was among."""
    block: str | None = None
    statuses: tuple[str, ...] = ()
    exclude_status: str | None = None
    triggers: tuple[str, ...] = ()
    created_from: datetime | None = None
    created_to: datetime | None = None


@dataclass(frozen=True)
class KeptResult:
    """A result with what later runs find it by."""

    result: TestResult
    assertion_fingerprint: str
    block_work: str | None
    to_reuse: bool


class BlockTestRunStore:
    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    # -- runs --------------------------------------------------------------------------------------------------

    def add(
        self, id: str, workflow: str, revision: str, scope: Scope, trigger: str, tests: Iterable[str], by: str
    ) -> None:
        """Add a run that waits for the tests to be run, in this order; one without any is at its end already."""
        ids = list(tests)
        with self._connections.write() as c:
            number = c.execute(
                """insert into block_test_runs (id, workflow, revision, scope, scope_block, scope_test, trigger, status,
                    created, created_by, started, finished) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""",
                (
                    id,
                    workflow,
                    revision,
                    _scope.dump_json(scope).decode(),
                    getattr(scope, "block_id", None),
                    getattr(scope, "test_id", None),
                    trigger,
                    "pending" if ids else "completed",
                    now(),
                    by,
                    None if ids else now(),
                    None if ids else now(),
                ),
            ).lastrowid
            c.executemany(
                """insert into block_test_run_tests (run, position, test)
                    select ?, ?, number from block_tests where id = ?""",
                ((number, position, test) for position, test in enumerate(ids)),
            )

    def get(self, id: str) -> BlockTestRun | None:
        with self._connections.snapshot() as c:
            row = c.execute(f"{_RUN} where id = ?", (id,)).fetchone()
            return None if row is None else _run(c, row)

    def number(self, id: str) -> int | None:
        with self._connections.read() as c:
            row = c.execute("select number from block_test_runs where id = ?", (id,)).fetchone()
        return None if row is None else int(row[0])

    def rows(
        self,
        which: RunFilter,
        *,
        below: int | None = None,
        above: int | None = None,
        newest_first: bool = True,
        limit: int | None = None,
    ) -> list[BlockTestRun]:
        """Runs with numbers strictly between `above` and `below`, in the order asked, the first `limit` of them."""
        with self._connections.snapshot() as c:
            rows = c.execute(
                f"""{_RUN} where (:workflow is null or workflow = :workflow)
                    and (:test is null or scope_test = :test) and (:block is null or scope_block = :block)
                    and (:statuses = '[]' or status in (select value from json_each(:statuses)))
                    and (:not_status is null or status <> :not_status)
                    and (:triggers = '[]' or trigger in (select value from json_each(:triggers)))
                    and (:from is null or created >= :from) and (:to is null or created <= :to)
                    and (:below is null or number < :below) and (:above is null or number > :above)
                    order by number {"desc" if newest_first else "asc"} limit :limit""",
                {
                    "workflow": which.workflow,
                    "test": which.test,
                    "block": which.block,
                    "statuses": json.dumps(which.statuses),
                    "not_status": which.exclude_status,
                    "triggers": json.dumps(which.triggers),
                    "from": _moment(which.created_from),
                    "to": _moment(which.created_to),
                    "below": below,
                    "above": above,
                    "limit": -1 if limit is None else limit,
                },
            ).fetchall()
            return [_run(c, row) for row in rows]

    def open_ids(self) -> list[str]:
        """Ids of the pending and running ones, oldest first."""
        with self._connections.read() as c:
            return [row[0] for row in c.execute(f"select id from block_test_runs where {_OPEN} order by number")]

    def status(self, id: str) -> RunStatus | None:
        with self._connections.read() as c:
            row = c.execute("select status from block_test_runs where id = ?", (id,)).fetchone()
        return None if row is None else row[0]

    def mark_running(self, id: str) -> None:
        """Pending → running; any other status stays."""
        with self._connections.write() as c:
            c.execute(
                "update block_test_runs set status = 'running', started = ? where id = ? and status = 'pending'",
                (now(), id),
            )

    def mark_test(self, id: str, test: str) -> None:
        """Say which test is at work."""
        with self._connections.write(lasting=False) as c:
            c.execute(
                f"""update block_test_runs set under_way = (select number from block_tests where id = ?)
                    where id = ? and {_OPEN}""",
                (test, id),
            )

    def finish(self, id: str, status: RunStatus, error: str | None = None) -> bool:
        """End an open run; False where it had ended already (then nothing changes)."""
        with self._connections.write() as c:
            ended = c.execute(
                f"""update block_test_runs set status = ?, finished = ?, error = ?, under_way = null,
                    started = coalesce(started, created) where id = ? and {_OPEN}""",
                (status, now(), error, id),
            )
            return ended.rowcount == 1

    # -- tests of a run and their results ------------------------------------------------------------------------

    def waiting(self, id: str) -> list[tuple[int, str]]:
        """(position, test) of the run's tests without a result."""
        with self._connections.read() as c:
            rows = c.execute(
                """select p.position, t.id from block_test_run_tests p join block_test_runs n on n.number = p.run
                    join block_tests t on t.number = p.test
                    where n.id = ? and p.result is null order by p.position""",
                (id,),
            ).fetchall()
        return [(row[0], row[1]) for row in rows]

    def reusable(self, test: str, execution: str, assertion: str) -> str | None:
        """The id of a result of the same test, execution and assertion."""
        with self._connections.read() as c:
            row = c.execute(
                """select id from block_test_results where test = (select number from block_tests where id = ?)
                    and execution = ? and assertion = ? and to_reuse order by number desc limit 1""",
                (test, execution, assertion),
            ).fetchone()
        return None if row is None else str(row[0])

    def work(self, fingerprint: str) -> TestResult | None:
        """A result of the same block on the same inputs that ended well, whatever was asserted."""
        with self._connections.read() as c:
            row = c.execute(
                "select data from block_test_results where block_work = ? and lifecycle = 'completed' limit 1",
                (fingerprint,),
            ).fetchone()
        return None if row is None else TestResult.model_validate_json(row[0])

    def take_over(self, id: str, found: Sequence[tuple[int, str]]) -> bool:
        """Put earlier results, by id, in the run's places; False, and nothing written, where it has ended."""
        with self._connections.write(lasting=False) as c:
            number = _open_number(c, id)
            if number is None:
                return False
            c.executemany(
                """update block_test_run_tests set reused = 1,
                    result = (select number from block_test_results where id = ?) where run = ? and position = ?""",
                ((result, number, position) for position, result in found),
            )
            return True

    def keep(self, id: str, results: Sequence[tuple[int, KeptResult]]) -> bool:
        """Store results in the run's places, in one commit; False, and nothing written, where it has ended. A test
        that was deleted meanwhile is passed over."""
        with self._connections.write(lasting=False) as c:
            number = _open_number(c, id)
            if number is None:
                return False
            for position, kept in results:
                _add(c, number, position, kept)
            return True

    def cancel(self, id: str, rest: Sequence[tuple[int, KeptResult]], reason: str) -> bool:
        """End the run and keep `rest` as the results of what was not run; False where it has ended."""
        with self._connections.write():
            return self.keep(id, rest) and self.finish(id, "cancelled", reason)

    def result(self, id: str) -> TestResult | None:
        with self._connections.read() as c:
            row = c.execute("select data from block_test_results where id = ?", (id,)).fetchone()
        return None if row is None else TestResult.model_validate_json(row[0])

    def place(self, id: str, result: str) -> int | None:
        """Where a result stands in a run."""
        with self._connections.read() as c:
            row = c.execute(
                """select p.position from block_test_run_tests p join block_test_runs n on n.number = p.run
                    join block_test_results r on r.number = p.result where n.id = ? and r.id = ?""",
                (id, result),
            ).fetchone()
        return None if row is None else int(row[0])

    def results(
        self,
        id: str,
        *,
        below: int | None = None,
        above: int | None = None,
        newest_first: bool = False,
        limit: int | None = None,
    ) -> list[TestResult]:
        """Results of a run at places strictly between `above` and `below`, in the order asked."""
        with self._connections.read() as c:
            rows = c.execute(
                f"""select r.data from block_test_run_tests p join block_test_runs n on n.number = p.run
                    join block_test_results r on r.number = p.result where n.id = :id
                    and (:below is null or p.position < :below) and (:above is null or p.position > :above)
                    order by p.position {"desc" if newest_first else "asc"} limit :limit""",
                {"id": id, "below": below, "above": above, "limit": -1 if limit is None else limit},
            ).fetchall()
        return [TestResult.model_validate_json(row[0]) for row in rows]


def _moment(at: datetime | None) -> str | None:
    return None if at is None else at.astimezone(UTC).isoformat(timespec="microseconds")


def _open_number(c: sqlite3.Connection, id: str) -> int | None:
    row = c.execute(f"select number from block_test_runs where id = ? and {_OPEN}", (id,)).fetchone()
    return None if row is None else int(row[0])


def _add(c: sqlite3.Connection, run: int, position: int, kept: KeptResult) -> None:
    result = kept.result
    made = c.execute(
        """insert into block_test_results (id, test, run, lifecycle, outcome, execution, assertion, block_work,
            to_reuse, data) select ?, number, ?, ?, ?, ?, ?, ?, ?, ? from block_tests
            where id = ? and deleted is null""",
        (
            result.id,
            run,
            result.lifecycle,
            result.outcome,
            result.fingerprints.execution,
            kept.assertion_fingerprint,
            kept.block_work,
            kept.to_reuse,
            result.model_dump_json(),
            result.test,
        ),
    )
    if made.rowcount == 1:
        c.execute(
            "update block_test_run_tests set result = ? where run = ? and position = ? and result is null",
            (made.lastrowid, run, position),
        )


def _run(c: sqlite3.Connection, row: tuple[Any, ...]) -> BlockTestRun:
    counts = dict.fromkeys(STATUSES, 0)
    reused = waiting = 0
    for status, count, taken in c.execute(
        f"""select {STATUS}, count(*), sum(p.reused) from block_test_run_tests p
            left join block_test_results r on r.number = p.result where p.run = ? group by 1""",
        (row[11],),
    ):
        if status is None:
            waiting = count
        else:
            counts[status] = count
        reused += taken
    at_work = 1 if waiting and row[5] == "running" and row[12] is not None else 0
    counts["queued"], counts["running"] = waiting - at_work, at_work
    return BlockTestRun(
        id=row[0],
        workflow=row[1],
        revision=row[2],
        scope=_scope.validate_json(row[3]),
        trigger=row[4],
        status=row[5],
        created=when(row[6]),
        created_by=row[7],
        started=maybe_when(row[8]),
        finished=maybe_when(row[9]),
        error=row[10],
        counts=counts,
        reused=reused,
    )
