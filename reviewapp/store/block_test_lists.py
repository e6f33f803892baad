"""Block tests and results as people look through them: what needs looking at first, a page at a time."""

from __future__ import annotations

from typing import Final

from reviewapp.domain.block_tests import BlockTest, TestResult
from reviewapp.store.block_test_runs import STATUS
from reviewapp.store.block_tests import TEST_COLUMNS, read_test
from reviewapp.store.connections import Connections

NOT_RUN: Final = "not run"
_LAST: Final = """left join block_test_results r
    on r.number = (select max(number) from block_test_results where test = t.number)"""
_STATUS: Final = f"coalesce({STATUS}, '{NOT_RUN}')"
_RANK: Final = f"""case {_STATUS} when 'error' then 0 when 'failed' then 1 when 'blocked' then 2 when '{NOT_RUN}' then 3
    when 'cancelled' then 4 else 5 end"""


class BlockTestLists:
    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    def statuses(self, workflow: str) -> dict[str, dict[str, int]]:
        """Block → status of the last result (`NOT_RUN`: there is none) → how many tests, the worst first."""
        with self._connections.read() as c:
            rows = c.execute(
                f"""select t.block, {_STATUS}, count(*) from block_tests t {_LAST}
                    where t.workflow = ? and t.deleted is null group by 1, 2 order by 1, {_RANK}""",
                (workflow,),
            ).fetchall()
        found: dict[str, dict[str, int]] = {}
        for block, status, count in rows:
            found.setdefault(block, {})[status] = count
        return found

    def tests(
        self, workflow: str, block: str, status: str | None, *, skip: int, limit: int
    ) -> list[tuple[BlockTest, TestResult | None]]:
        """Tests of a block with their last results, the worst first, of these the newest."""
        with self._connections.read() as c:
            rows = c.execute(
                f"""select {TEST_COLUMNS}, r.data from block_tests t
                    join block_inputs i on i.fingerprint = t.inputs {_LAST}
                    where t.workflow = :workflow and t.block = :block and t.deleted is null
                    and (:status is null or {_STATUS} = :status)
                    order by {_RANK}, t.number desc limit :limit offset :skip""",
                {"workflow": workflow, "block": block, "status": status, "limit": limit, "skip": skip},
            ).fetchall()
        return [(read_test(row), None if row[-1] is None else TestResult.model_validate_json(row[-1])) for row in rows]

    def results(self, run: str, *, skip: int, limit: int) -> list[TestResult]:
        """Results of a run, the worst first, of these in its order."""
        with self._connections.read() as c:
            rows = c.execute(
                f"""select r.data from block_test_run_tests p join block_test_runs n on n.number = p.run
                    join block_test_results r on r.number = p.result where n.id = ?
                    order by {_RANK}, p.position limit ? offset ?""",
                (run, limit, skip),
            ).fetchall()
        return [TestResult.model_validate_json(row[0]) for row in rows]
