"""Block tests, what they are frozen with, and runs of whole workflows."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from pydantic import TypeAdapter

from reviewapp.domain.block_tests import (
    BlockTest,
    Document,
    HandleInputs,
    SchemaDep,
    Source,
    TestResult,
    WorkflowRun,
)
from reviewapp.domain.conditions import Assertion
from reviewapp.store.connections import Connections
from reviewapp.store.rows import now, when

_inputs: TypeAdapter[HandleInputs] = TypeAdapter(HandleInputs)
_source: TypeAdapter[Source] = TypeAdapter(Source)
TEST_COLUMNS = """t.id, t.workflow, t.block, t.name, t.source, i.data, t.inputs, t.assertion, t.schema_dep, t.created,
    t.created_by, t.updated"""
"""What `read_test` reads, of ``block_tests t join block_inputs i``."""
_TEST = f"""select {TEST_COLUMNS} from block_tests t join block_inputs i on i.fingerprint = t.inputs
    where t.deleted is null"""


class BlockTestStore:
    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    # -- tests -------------------------------------------------------------------------------------------------

    def keep_inputs(self, fingerprint: str, inputs: HandleInputs) -> None:
        with self._connections.write() as c:
            c.execute(
                "insert or ignore into block_inputs (fingerprint, data) values (?, ?)",
                (fingerprint, _inputs.dump_json(inputs).decode()),
            )

    def inputs(self, fingerprint: str) -> HandleInputs:
        with self._connections.read() as c:
            row = c.execute("select data from block_inputs where fingerprint = ?", (fingerprint,)).fetchone()
        return {} if row is None else _inputs.validate_json(row[0])

    def add(self, test: BlockTest) -> None:
        """Its inputs must be kept already."""
        with self._connections.write() as c:
            c.execute(
                """insert into block_tests (id, workflow, block, name, source, inputs, assertion, schema_dep, created,
                    created_by, updated) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""",
                (test.id, test.workflow, test.block, *_changing(test), now(), test.created_by, now()),
            )

    def change(self, test: BlockTest) -> None:
        with self._connections.write() as c:
            c.execute(
                """update block_tests set name = ?, source = ?, inputs = ?, assertion = ?, schema_dep = ?, updated = ?
                    where id = ? and deleted is null""",
                (*_changing(test), now(), test.id),
            )

    def get(self, id: str) -> BlockTest | None:
        with self._connections.read() as c:
            row = c.execute(f"{_TEST} and t.id = ?", (id,)).fetchone()
        return None if row is None else read_test(row)

    def number(self, id: str) -> int | None:
        """Also of deleted ones: what a cursor points at."""
        with self._connections.read() as c:
            row = c.execute("select number from block_tests where id = ?", (id,)).fetchone()
        return None if row is None else int(row[0])

    def rows(
        self,
        workflow: str | None,
        *,
        block: str | None = None,
        below: int | None = None,
        above: int | None = None,
        newest_first: bool = True,
        limit: int | None = None,
    ) -> list[BlockTest]:
        """Tests with numbers strictly between `above` and `below`, in the order asked, the first `limit` of them."""
        with self._connections.read() as c:
            rows = c.execute(
                f"""{_TEST} and (:workflow is null or t.workflow = :workflow) and (:block is null or t.block = :block)
                    and (:below is null or t.number < :below) and (:above is null or t.number > :above)
                    order by t.number {"desc" if newest_first else "asc"} limit :limit""",
                {
                    "workflow": workflow,
                    "block": block,
                    "below": below,
                    "above": above,
                    "limit": -1 if limit is None else limit,
                },
            ).fetchall()
        return [read_test(row) for row in rows]

    def count(self, workflow: str) -> dict[str, int]:
        """Tests by block."""
        with self._connections.read() as c:
            rows = c.execute(
                "select block, count(*) from block_tests where workflow = ? and deleted is null group by block",
                (workflow,),
            ).fetchall()
        return {row[0]: row[1] for row in rows}

    def delete(self, id: str) -> bool:
        """Remove a test with its results and its place in runs; False where there is none."""
        with self._connections.write() as c:
            row = c.execute("select number from block_tests where id = ? and deleted is null", (id,)).fetchone()
            if row is None:
                return False
            c.execute("delete from block_test_run_tests where test = ?", row)
            c.execute("delete from block_test_results where test = ?", row)
            c.execute("update block_tests set deleted = ? where number = ?", (now(), row[0]))
            return True

    def latest(self, id: str) -> tuple[TestResult | None, TestResult | None, TestResult | None]:
        """The test's last result, its last that passed, its last that failed."""
        last = "select data from block_test_results where test = ? {} order by number desc limit 1"
        with self._connections.snapshot() as c:
            number = c.execute("select number from block_tests where id = ?", (id,)).fetchone()
            if number is None:
                return None, None, None
            found = [
                c.execute(last.format(which), number).fetchone()
                for which in ("", "and outcome = 'passed'", "and outcome = 'failed'")
            ]
        one, passed, failed = (None if row is None else TestResult.model_validate_json(row[0]) for row in found)
        return one, passed, failed

    # -- files -------------------------------------------------------------------------------------------------

    def keep_file(self, fingerprint: str, filename: str, mime_type: str, content: bytes, text: str) -> None:
        with self._connections.write() as c:
            c.execute(
                """insert or ignore into block_files (fingerprint, filename, mime_type, content, text)
                    values (?, ?, ?, ?, ?)""",
                (fingerprint, filename, mime_type, content, text),
            )

    def file(self, fingerprint: str) -> Document | None:
        with self._connections.read() as c:
            row = c.execute(
                "select filename, mime_type, length(content) from block_files where fingerprint = ?", (fingerprint,)
            ).fetchone()
        if row is None:
            return None
        return Document(
            original_id=f"file_{fingerprint[:32]}",
            filename=row[0],
            mime_type=row[1],
            gcs_uri=f"reviewapp:file/{fingerprint}",
            size_bytes=row[2],
            content_fingerprint=fingerprint,
        )

    def file_text(self, fingerprint: str) -> str | None:
        with self._connections.read() as c:
            row = c.execute("select text from block_files where fingerprint = ?", (fingerprint,)).fetchone()
        return None if row is None else str(row[0])

    # -- runs of whole workflows -------------------------------------------------------------------------------

    def keep_workflow_run(self, run: WorkflowRun) -> None:
        with self._connections.write() as c:
            c.execute(
                "insert into workflow_runs (id, workflow, data) values (?, ?, ?)",
                (run.id, run.workflow, run.model_dump_json()),
            )

    def workflow_run(self, id: str) -> WorkflowRun | None:
        with self._connections.read() as c:
            row = c.execute("select data from workflow_runs where id = ?", (id,)).fetchone()
        return None if row is None else WorkflowRun.model_validate_json(row[0])

    def workflow_runs(self, workflow: str, limit: int = 20) -> list[WorkflowRun]:
        """Newest first."""
        with self._connections.read() as c:
            rows = c.execute(
                "select data from workflow_runs where workflow = ? order by number desc limit ?", (workflow, limit)
            ).fetchall()
        return [WorkflowRun.model_validate_json(row[0]) for row in rows]


def _changing(test: BlockTest) -> Sequence[Any]:
    return (
        test.name,
        _source.dump_json(test.source).decode(),
        test.inputs_fingerprint,
        test.assertion.model_dump_json(by_alias=True),
        None if test.schema_dep is None else test.schema_dep.model_dump_json(),
    )


def read_test(row: tuple[Any, ...]) -> BlockTest:
    return BlockTest(
        id=row[0],
        workflow=row[1],
        block=row[2],
        name=row[3],
        source=_source.validate_json(row[4]),
        inputs=json.loads(row[5]),
        inputs_fingerprint=row[6],
        assertion=Assertion.model_validate_json(row[7]),
        schema_dep=None if row[8] is None else SchemaDep.model_validate_json(row[8]),
        created=when(row[9]),
        created_by=row[10],
        updated=when(row[11]),
    )
