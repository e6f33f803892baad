"""Runs of the evaluation kernel: what each is about, its results, and what later runs can take over from them."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from pydantic import TypeAdapter

from reviewapp.domain.evaluations import (
    CaseResult,
    DatasetGrading,
    Evaluation,
    EvaluationStatus,
    Execution,
    Header,
    Score,
)
from reviewapp.store.connections import Connections
from reviewapp.store.rows import at, maybe_when, now, to_json, when

_RUN = """select id, number, header, status, created, created_by, started, finished, error, case_count, cases_done,
    cases_failed, cases_reused, milliseconds, cost_micro_usd, summary from evaluations"""
_OPEN = "status in ('queued', 'running')"
_AT_ONCE = """(json_extract(header, '$.subject.kind') is 'outputs'
    and json_extract(header, '$.subject.evaluation') is null)"""
GRADED_WITHIN = timedelta(hours=1)
"""Outputs that are brought are graded at once and kept nowhere; an evaluation of them that is still open after this
long belongs to a process that was killed."""
_NUMBER = "(select number from evaluations where id = :id)"
_header: TypeAdapter[Header] = TypeAdapter(Header)


class EvaluationStore:
    """Also the kernel's `Memory`: `execution` and `score` by fingerprint."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    # -- runs --------------------------------------------------------------------------------------------------

    def add(self, id: str, header: Header, case_count: int, by: str) -> None:
        """Add a queued run."""
        dataset = header.dataset if isinstance(header, DatasetGrading) else None
        with self._connections.write() as c:
            c.execute(
                """insert into evaluations (id, header, kind, dataset, status, created, created_by, case_count)
                    values (?, ?, ?, ?, 'queued', ?, ?, ?)""",
                (id, _header.dump_json(header).decode(), header.kind, dataset, now(), by, case_count),
            )

    def get(self, id: str) -> Evaluation | None:
        with self._connections.read() as c:
            row = c.execute(f"{_RUN} where id = ?", (id,)).fetchone()
        return None if row is None else _run(row)

    def by_number(self, number: int) -> Evaluation | None:
        with self._connections.read() as c:
            row = c.execute(f"{_RUN} where number = ?", (number,)).fetchone()
        return None if row is None else _run(row)

    def rows(
        self, *, kind: str | None = None, dataset: str | None = None, after: str | None = None, limit: int = 50
    ) -> list[Evaluation]:
        """Newest first; `after` is the id of the last one seen."""
        with self._connections.read() as c:
            rows = c.execute(
                f"""{_RUN} where (:kind is null or kind = :kind) and (:dataset is null or dataset = :dataset)
                    and (:after is null or number < (select number from evaluations where id = :after))
                    order by number desc limit :limit""",
                {"kind": kind, "dataset": dataset, "after": after, "limit": limit},
            ).fetchall()
        return [_run(row) for row in rows]

    def open_ids(self, kinds: Sequence[str]) -> list[str]:
        """Ids of the queued and running ones of these kinds, oldest first; without those of outputs that whoever
        brought them is grading now."""
        with self._connections.read() as c:
            rows = c.execute(
                f"""select id from evaluations where {_OPEN} and kind in (select value from json_each(:kinds))
                    and not ({_AT_ONCE} and created > :lately) order by number""",
                {"kinds": json.dumps(list(kinds)), "lately": at(datetime.now(UTC) - GRADED_WITHIN)},
            )
            return [row[0] for row in rows.fetchall()]

    def status(self, id: str) -> EvaluationStatus | None:
        with self._connections.read() as c:
            row = c.execute("select status from evaluations where id = ?", (id,)).fetchone()
        return None if row is None else row[0]

    def mark_running(self, id: str) -> None:
        """Queued → running; any other status stays."""
        with self._connections.write() as c:
            c.execute(
                "update evaluations set status = 'running', started = ? where id = ? and status = 'queued'", (now(), id)
            )

    def finish(self, id: str, status: EvaluationStatus, *, error: str | None = None, summary: Any = None) -> bool:
        """End an open run; False where it had ended already (then nothing changes)."""
        with self._connections.write() as c:
            ended = c.execute(
                f"update evaluations set status = ?, finished = ?, error = ?, summary = ? where id = ? and {_OPEN}",
                (status, now(), error, None if summary is None else to_json(summary), id),
            )
            return ended.rowcount == 1

    def delete(self, id: str) -> bool:
        """Remove a run with its results; False where there is none."""
        with self._connections.write() as c:
            for table in ("evaluation_scores", "evaluation_results"):
                c.execute(f"delete from {table} where evaluation = {_NUMBER}", {"id": id})
            return c.execute("delete from evaluations where id = ?", (id,)).rowcount == 1

    # -- results -----------------------------------------------------------------------------------------------

    def keep(self, id: str, results: Sequence[CaseResult]) -> bool:
        """Store results in one commit. It survives a kill; should the machine itself stop within the next moments,
        the cases are run again. False, and nothing written, where the run is not under way."""
        with self._connections.write(lasting=False) as c:
            row = c.execute(f"select number from evaluations where id = ? and {_OPEN}", (id,)).fetchone()
            if row is None:
                return False
            for result in results:
                _add(c, row[0], result)
            c.execute(
                """update evaluations set cases_done = cases_done + ?, cases_failed = cases_failed + ?,
                    cases_reused = cases_reused + ?, milliseconds = milliseconds + ?,
                    cost_micro_usd = cost_micro_usd + ? where number = ?""",
                (
                    len(results),
                    sum(r.execution.failed is not None for r in results),
                    sum(r.reused for r in results),
                    sum(r.execution.milliseconds for r in results),
                    sum(r.execution.cost_micro_usd for r in results if not r.reused),
                    row[0],
                ),
            )
            return True

    def done(self, id: str) -> set[int]:
        """Positions of the cases that have a result."""
        with self._connections.read() as c:
            rows = c.execute(f"select position from evaluation_results where evaluation = {_NUMBER}", {"id": id})
            return {row[0] for row in rows.fetchall()}

    def results(
        self, id: str, *, after: int = -1, limit: int | None = None, faulty: bool = False, outputs: bool = True
    ) -> list[CaseResult]:
        """By position, behind position `after`; `faulty`: only those with a score below 1 or a failure; without
        `outputs` the executions have neither output nor trace, which is quicker."""
        execution = "execution" if outputs else "json_remove(execution, '$.output', '$.trace')"
        with self._connections.snapshot() as c:
            rows = c.execute(
                f"""select position, name, inputs, {execution}, fingerprint, reused from evaluation_results
                    where evaluation = {_NUMBER} and position > :after and (not :faulty or lowest < 1)
                    order by position limit :limit""",
                {"id": id, "after": after, "faulty": faulty, "limit": -1 if limit is None else limit},
            ).fetchall()
            if not rows:
                return []
            scores: dict[int, list[tuple[str, str, str | None]]] = {}
            for position, *score in c.execute(
                f"""select position, evaluator, data, fingerprint from evaluation_scores
                    where evaluation = {_NUMBER} and position between :first and :last""",
                {"id": id, "first": rows[0][0], "last": rows[-1][0]},
            ):
                scores.setdefault(position, []).append((score[0], score[1], score[2]))
        return [_result(row, scores.get(row[0], [])) for row in rows]

    def execution_of(self, id: str, inputs: str, name: str) -> Execution | None:
        """What a run made of a case with these inputs (their fingerprint); of several, of the one of this name."""
        with self._connections.read() as c:
            row = c.execute(
                f"""select execution from evaluation_results where evaluation = {_NUMBER} and inputs = :inputs
                    order by name <> :name, position limit 1""",
                {"id": id, "inputs": inputs, "name": name},
            ).fetchone()
        return None if row is None else Execution.model_validate_json(row[0])

    def execution(self, fingerprint: str) -> Execution | None:
        with self._connections.read() as c:
            row = c.execute(
                """select execution from evaluation_results where fingerprint = ?
                    and execution ->> '$.failed' is null limit 1""",
                (fingerprint,),
            ).fetchone()
        return None if row is None else Execution.model_validate_json(row[0])

    def score(self, fingerprint: str) -> Score | None:
        with self._connections.read() as c:
            row = c.execute(
                "select data from evaluation_scores where fingerprint = ? and data ->> '$.error' is null limit 1",
                (fingerprint,),
            ).fetchone()
        return None if row is None else Score.model_validate_json(row[0])


def _add(c: sqlite3.Connection, number: int, result: CaseResult) -> None:
    c.execute(
        """insert into evaluation_results (evaluation, position, name, inputs, lowest, execution, fingerprint, reused)
            values (?, ?, ?, ?, ?, ?, ?, ?)""",
        (
            number,
            result.position,
            result.name,
            result.inputs_fingerprint,
            result.lowest,
            result.execution.model_dump_json(exclude_defaults=True),
            result.execution_fingerprint,
            result.reused,
        ),
    )
    c.executemany(
        """insert into evaluation_scores (evaluation, position, evaluator, data, fingerprint) values (?, ?, ?, ?, ?)""",
        (
            (
                number,
                result.position,
                name,
                score.model_dump_json(exclude_defaults=True),
                result.score_fingerprints.get(name),
            )
            for name, score in result.scores.items()
        ),
    )


def _result(row: tuple[Any, ...], scores: Sequence[tuple[str, str, str | None]]) -> CaseResult:
    return CaseResult(
        position=row[0],
        name=row[1],
        inputs_fingerprint=row[2],
        execution=Execution.model_validate_json(row[3]),
        scores={name: Score.model_validate_json(data) for name, data, _ in scores},
        execution_fingerprint=row[4],
        score_fingerprints={name: p for name, _, p in scores if p is not None},
        reused=bool(row[5]),
    )


def _run(row: tuple[Any, ...]) -> Evaluation:
    return Evaluation(
        id=row[0],
        number=row[1],
        header=_header.validate_json(row[2]),
        status=row[3],
        created=when(row[4]),
        created_by=row[5],
        started=maybe_when(row[6]),
        finished=maybe_when(row[7]),
        error=row[8],
        case_count=row[9],
        cases_done=row[10],
        cases_failed=row[11],
        cases_reused=row[12],
        milliseconds=row[13],
        cost_micro_usd=row[14],
        summary=None if row[15] is None else json.loads(row[15]),
    )
