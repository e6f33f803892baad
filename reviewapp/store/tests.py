"""Tests: what was started, how far it is, how it ended. Their results are in `results`."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from reviewapp.domain.tests import Test, TestCounts, TestStatus
from reviewapp.domain.workflows import Evidence, WorkflowSettings
from reviewapp.store.connections import Connections
from reviewapp.store.rows import maybe_when, now, to_json, when

_TEST = """select t.id, t.number, t.workflow, t.revision, t.settings, t.evidence, t.fingerprint, t.status,
    t.created, t.created_by, t.started, t.finished, t.error, t.estimate_micro_usd, t.cost_micro_usd, t.overlap,
    t.version, t.input_count, t.stopped,
    (select d.id from datasets d where d.test = t.id and d.deleted is null)
    from tests t"""
_OPEN = "status in ('queued', 'running')"


@dataclass(frozen=True)
class NewInput:
    """An input at the start of a test; with `error` there is nothing to read."""

    iri: str
    label: str
    text_hash: str | None
    error: str | None = None


class TestStore:
    __test__ = False

    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    # -- starting ----------------------------------------------------------------------------------------------

    def sample(self, collection: str, limit: int | None) -> list[NewInput]:
        """The first records of a collection by IRI (None: all of them), as inputs."""
        with self._connections.read() as c:
            rows = c.execute(
                """select r.iri, r.name, r.text_hash, t.blank from records r join texts t on t.hash = r.text_hash
                    where r.collection = ? order by r.iri limit ?""",
                (collection, -1 if limit is None else limit),
            ).fetchall()
        return [_new_input(row) for row in rows]

    def chosen(self, collection: str, iris: Sequence[str]) -> list[NewInput]:
        """The records of these IRIs, in this order, as inputs; those that are not there say so."""
        with self._connections.read() as c:
            rows = c.execute(
                """select r.iri, r.name, r.text_hash, t.blank
                    from json_each(?1) wanted join records r on r.iri = wanted.value and r.collection = ?2
                    join texts t on t.hash = r.text_hash""",
                (to_json(list(iris)), collection),
            ).fetchall()
        there = {row[0]: _new_input(row) for row in rows}
        gone = f"is not among the records of collection {collection!r}; it was removed or never there."
        return [there.get(iri) or NewInput(iri, "", None, f"{iri!r} {gone}") for iri in iris]

    def open_of_workflow(self, workflow: str) -> str | None:
        """Id of the workflow's test under way."""
        with self._connections.read() as c:
            row = c.execute(f"select id from tests where workflow = ? and {_OPEN}", (workflow,)).fetchone()
        return None if row is None else str(row[0])

    def add(
        self,
        id: str,
        *,
        workflow: str,
        revision: str | None,
        settings: WorkflowSettings,
        evidence: Evidence,
        fingerprint: str,
        inputs: Sequence[NewInput],
        estimate_micro_usd: int = 0,
        overlap: int,
        by: str,
    ) -> None:
        """Add a queued test with its inputs."""
        with self._connections.write() as c:
            made = c.execute(
                """insert into tests (id, workflow, revision, settings, evidence, fingerprint, status, created,
                    created_by, estimate_micro_usd, overlap, version, input_count, inputs_done)
                    values (?, ?, ?, ?, ?, ?, 'queued', ?, ?, ?, ?, 1, ?, ?)""",
                (
                    id,
                    workflow,
                    revision,
                    settings.model_dump_json(),
                    evidence.model_dump_json(),
                    fingerprint,
                    now(),
                    by,
                    estimate_micro_usd,
                    overlap,
                    len(inputs),
                    sum(i.error is not None for i in inputs),
                ),
            )
            c.executemany(
                """insert into test_inputs (test, position, iri, label, text_hash, state, error)
                    values (?, ?, ?, ?, ?, ?, ?)""",
                (
                    (made.lastrowid, at, i.iri, i.label, i.text_hash, "error" if i.error else "queued", i.error)
                    for at, i in enumerate(inputs)
                ),
            )

    def lengths(self, collection: str) -> list[int]:
        """How many characters the texts of a collection's records have, in no order."""
        with self._connections.read() as c:
            rows = c.execute(
                "select t.characters from records r join texts t on t.hash = r.text_hash where r.collection = ?",
                (collection,),
            ).fetchall()
        return [row[0] for row in rows]

    def characters(self, hashes: Iterable[str | None]) -> list[int]:
        """How long the texts of these hashes are, in no order; those without a text are left out."""
        with self._connections.read() as c:
            rows = c.execute(
                "select t.characters from json_each(?) h join texts t on t.hash = h.value", (to_json(list(hashes)),)
            ).fetchall()
        return [row[0] for row in rows]

    def iris_not_read(self, test: str) -> list[str]:
        """IRIs of the inputs whose reader failed and of those without a result, by position."""
        with self._connections.read() as c:
            rows = c.execute(
                """select iri from test_inputs where test = (select number from tests where id = ?)
                    and state in ('failed', 'queued') order by position""",
                (test,),
            ).fetchall()
        return [row[0] for row in rows]

    def hashes_not_reached(self, test: str) -> list[str]:
        """Hashes of the texts of the inputs without a result, one per input."""
        with self._connections.read() as c:
            rows = c.execute(
                """select text_hash from test_inputs where test = (select number from tests where id = ?)
                    and state = 'queued' and text_hash is not null""",
                (test,),
            ).fetchall()
        return [row[0] for row in rows]

    def stopped(self, *, limit: int = 50) -> list[Test]:
        """Tests that can be gone on with, newest first."""
        with self._connections.read() as c:
            rows = c.execute(f"{_TEST} where t.stopped order by t.number desc limit ?", (limit,)).fetchall()
        return [_test(row) for row in rows]

    def count_not_read(self, test: str) -> int:
        """How many these are, out of the running sums."""
        with self._connections.read() as c:
            row = c.execute(
                "select inputs_failed + input_count - inputs_done from tests where id = ?", (test,)
            ).fetchone()
        return 0 if row is None else int(row[0])

    # -- reading -----------------------------------------------------------------------------------------------

    def get(self, id: str) -> Test | None:
        with self._connections.read() as c:
            row = c.execute(f"{_TEST} where t.id = ?", (id,)).fetchone()
        return None if row is None else _test(row)

    def version(self, id: str) -> int | None:
        """What a poll compares; None where there is no such test."""
        with self._connections.read() as c:
            row = c.execute("select version from tests where id = ?", (id,)).fetchone()
        return None if row is None else int(row[0])

    def rows(self, *, workflow: str | None = None, after: str | None = None, limit: int = 50) -> list[Test]:
        """Newest first; `after` is the id of the last one seen."""
        with self._connections.read() as c:
            rows = c.execute(
                f"""{_TEST} where (:workflow is null or t.workflow = :workflow)
                    and (:after is null or t.number < (select number from tests where id = :after))
                    order by t.number desc limit :limit""",
                {"workflow": workflow, "after": after, "limit": limit},
            ).fetchall()
        return [_test(row) for row in rows]

    def open_ids(self) -> list[str]:
        """Ids of the queued and running tests, oldest first."""
        with self._connections.read() as c:
            return [row[0] for row in c.execute(f"select id from tests where {_OPEN} order by number")]

    def counts(self, id: str, *, by: str | None = None) -> TestCounts | None:
        """The summary; with `by`, `answered` counts only this person's answers."""
        with self._connections.read() as c:
            row = c.execute(
                """select number, input_count, inputs_done, passed, review, no_value, dropped + inputs_failed,
                    json_array_length(settings, '$.properties') * inputs_read,
                    (select coalesce(sum(a.count), 0) from answer_counts a where a.test = t.number and a.person = ?2)
                    from tests t where id = ?1""",
                (id, by or ""),
            ).fetchone()
        if row is None:
            return None
        return TestCounts(
            inputs=row[1],
            inputs_done=row[2],
            passed=row[3],
            review=row[4],
            no_value=row[5],
            failed=row[6],
            answerable=row[7],
            answered=row[8],
        )

    # -- running -----------------------------------------------------------------------------------------------

    def mark_running(self, id: str) -> None:
        """Queued → running; any other status stays."""
        with self._connections.write() as c:
            c.execute(
                """update tests set status = 'running', started = ?, version = version + 1
                    where id = ? and status = 'queued'""",
                (now(), id),
            )

    def finish(self, id: str, status: TestStatus, error: str | None = None, *, stopped: bool = False) -> bool:
        """End an open test; False where it had ended already (then nothing changes). `stopped`: it can be gone on
        with."""
        with self._connections.write() as c:
            ended = c.execute(
                f"""update tests set status = ?, finished = ?, error = ?, stopped = ?, version = version + 1
                    where id = ? and {_OPEN}""",
                (status, now(), error, stopped, id),
            )
            return ended.rowcount == 1

    def go_on(self, id: str) -> bool:
        """Queue a stopped test again; False where it is not stopped (then nothing changes)."""
        with self._connections.write() as c:
            queued = c.execute(
                """update tests set status = 'queued', finished = null, error = null, stopped = 0,
                    version = version + 1 where id = ? and stopped""",
                (id,),
            )
            return queued.rowcount == 1

    def touch(self, id: str) -> None:
        """Tell pollers that something about the test changed."""
        with self._connections.write() as c:
            c.execute("update tests set version = version + 1 where id = ?", (id,))


def bump(connection: sqlite3.Connection, number: int) -> None:
    """Tell pollers that something of a test changed; inside a transaction."""
    connection.execute("update tests set version = version + 1 where number = ?", (number,))


@lru_cache(maxsize=64)
def read_settings(text: str) -> WorkflowSettings:
    """Settings are frozen models, so one object serves every reader of the same JSON."""
    return WorkflowSettings.model_validate_json(text)


@lru_cache(maxsize=64)
def _read_evidence(text: str) -> Evidence:
    return Evidence.model_validate_json(text)


def _new_input(row: tuple[str, str, str, int]) -> NewInput:
    iri, label, text_hash, blank = row
    return NewInput(iri, label, text_hash, "The record has no text." if blank else None)


def _test(row: tuple[Any, ...]) -> Test:
    return Test(
        id=row[0],
        number=row[1],
        workflow=row[2],
        revision=row[3],
        installed=row[3] is not None,
        settings=read_settings(row[4]),
        evidence=_read_evidence(row[5]),
        fingerprint=row[6],
        status=row[7],
        created=when(row[8]),
        created_by=row[9],
        started=maybe_when(row[10]),
        finished=maybe_when(row[11]),
        error=row[12],
        estimate_micro_usd=row[13],
        cost_micro_usd=row[14],
        overlap=row[15],
        version=row[16],
        input_count=row[17],
        is_stopped=bool(row[18]),
        dataset=row[19],
    )
