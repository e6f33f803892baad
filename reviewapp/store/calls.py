"""The call log, and the monthly sums and limits that go with it.

A call is written before it is made, with the most that it may cost, and settled when its end is known. So no process
spends what another one is about to spend, and a killed one leaves a trace of what it was doing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from reviewapp.domain.calls import CallScope, CallStatus, ModelCall, Spending, month_of
from reviewapp.domain.choices import ModelName, Use
from reviewapp.store.connections import Connections
from reviewapp.store.rows import now, when

_COLUMNS = """id, at, route, scope, workflow, test, position, use, provider, model, effort, status, input_tokens,
    output_tokens, cost_micro_usd, milliseconds, reply, error, source"""
LONGEST_CALL = timedelta(hours=2)
"""Twice the longest wait for a reply that a provider can be given."""
LOST = "The process that made this call ended before its reply came; it counts with all that it may have cost."


@dataclass(frozen=True)
class NewCall:
    """A call that is about to be made."""

    key: str
    route: str
    scope: CallScope
    workflow: str
    """Empty: of none."""
    test: str | None
    position: int | None
    use: Use
    model: ModelName


class CallStore:
    """Each call is one transaction. What is written survives a kill."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    # -- making calls ------------------------------------------------------------------------------------------

    def known(self, key: str) -> tuple[int, str] | None:
        """(id, reply) of the newest call of this key whose reply was read."""
        with self._connections.read() as c:
            row = c.execute(
                "select id, reply from calls where key = ? and status = 'answered' order by id desc limit 1", (key,)
            ).fetchone()
        return None if row is None else (row[0], row[1])

    def begin(self, call: NewCall, reserved_micro_usd: int) -> int | Spending:
        """Id of the call, now open; or the budget that it would pass, and nothing is written."""
        at = datetime.now(UTC)
        with self._connections.write(lasting=False) as c:
            for workflow in dict.fromkeys(("", call.workflow)):
                spending = self._spending(c, workflow, month_of(at))
                left = spending.left_micro_usd
                if left is not None and reserved_micro_usd > left:
                    return spending
            return self._insert(c, call, "open", at, reserved_micro_usd)

    def settle(
        self,
        id: int,
        status: CallStatus,
        *,
        input_tokens: int = 0,
        output_tokens: int = 0,
        cost_micro_usd: int | None,
        milliseconds: float = 0,
        reply: str | None = None,
        error: str | None = None,
    ) -> int:
        """End an open call; cost None: not known, all that was reserved counts. The test's cost grows with it.

        What it cost, in micro-USD; 0 where it had ended already.
        """
        with self._connections.write(lasting=False) as c:
            row = c.execute(
                """update calls set status = ?, input_tokens = ?, output_tokens = ?, milliseconds = ?, reply = ?,
                    error = ?, cost_micro_usd = coalesce(?, reserved_micro_usd) where id = ? and status = 'open'
                    returning month, workflow, test, cost_micro_usd""",
                (status, input_tokens, output_tokens, milliseconds, reply, error, cost_micro_usd, id),
            ).fetchone()
            if row is None:
                return 0
            _charge(c, *row)
            return int(row[-1])

    def unusable(self, id: int, error: str) -> None:
        """The reply of an answered call cannot be used after all; it no longer answers others."""
        with self._connections.write(lasting=False) as c:
            c.execute("update calls set status = 'unreadable', error = ? where id = ?", (error, id))

    def from_log(self, call: NewCall, source: int) -> None:
        """Note that the log answered a call, free of charge."""
        with self._connections.write(lasting=False) as c:
            id = self._insert(c, call, "from_log", datetime.now(UTC), 0)
            c.execute("update calls set source = ? where id = ?", (source, id))

    def abandon(self, test: str) -> None:
        """Settle the calls of a test that a process left open when it ended, and any too old to be under way."""
        oldest = (datetime.now(UTC) - LONGEST_CALL).isoformat(timespec="microseconds")
        with self._connections.read() as c:
            rows = c.execute("select id from calls where status = 'open' and (test = ? or at < ?)", (test, oldest))
            ids = [row[0] for row in rows]
        for id in ids:
            self.settle(id, "failed", cost_micro_usd=None, error=LOST)

    @staticmethod
    def _insert(c: Any, call: NewCall, status: CallStatus, at: datetime, reserved_micro_usd: int) -> int:
        made = c.execute(
            """insert into calls (key, at, month, route, scope, workflow, test, position, use, provider, model, effort,
                status, reserved_micro_usd) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""",
            (
                call.key,
                at.isoformat(timespec="microseconds"),
                month_of(at),
                call.route,
                call.scope,
                call.workflow,
                call.test,
                call.position,
                call.use,
                call.model.provider,
                call.model.model,
                call.model.effort,
                status,
                reserved_micro_usd,
            ),
        )
        return int(made.lastrowid)

    # -- budgets -----------------------------------------------------------------------------------------------

    def spending(self, workflow: str | None = None) -> Spending:
        """The budget of a workflow (None: of the workspace) and what is spent of it this month."""
        with self._connections.read() as c:
            return self._spending(c, workflow or "", month_of(datetime.now(UTC)))

    def budgets(self) -> list[Spending]:
        """The workspace's, then those of the workflows that have one or spent something this month."""
        month = month_of(datetime.now(UTC))
        with self._connections.read() as c:
            names = c.execute(
                """select workflow from budgets union select workflow from spending where month = ?
                    union select '' order by 1""",
                (month,),
            ).fetchall()
            return [self._spending(c, name, month) for (name,) in names]

    def set_budget(self, workflow: str | None, micro_usd: int | None, by: str) -> None:
        """Set the monthly limit; None takes it away."""
        with self._connections.write() as c:
            if micro_usd is None:
                c.execute("delete from budgets where workflow = ?", (workflow or "",))
            else:
                c.execute(
                    """insert into budgets (workflow, micro_usd, person, since) values (?, ?, ?, ?)
                        on conflict (workflow) do update set micro_usd = excluded.micro_usd, person = excluded.person,
                        since = excluded.since""",
                    (workflow or "", micro_usd, by, now()),
                )

    @staticmethod
    def _spending(c: Any, workflow: str, month: str) -> Spending:
        (limit,) = c.execute("select max(micro_usd) from budgets where workflow = ?", (workflow,)).fetchone()
        (spent,) = c.execute(
            "select coalesce(sum(micro_usd), 0) from spending where month = ? and workflow = ?", (month, workflow)
        ).fetchone()
        (under_way,) = c.execute(
            """select coalesce(sum(reserved_micro_usd), 0) from calls
                where status = 'open' and (?1 = '' or workflow = ?1)""",
            (workflow,),
        ).fetchone()
        return Spending(
            workflow=workflow or None,
            micro_usd_per_month=limit,
            spent_micro_usd=spent,
            open_micro_usd=under_way,
            month=month,
        )

    # -- looking -----------------------------------------------------------------------------------------------

    def rows(
        self,
        *,
        test: str | None = None,
        workflow: str | None = None,
        status: CallStatus | None = None,
        before: int | None = None,
        limit: int = 100,
    ) -> list[ModelCall]:
        """Newest first; `before` is the id of the last one seen."""
        with self._connections.read() as c:
            rows = c.execute(
                f"""select {_COLUMNS} from calls where (:test is null or test = :test)
                    and (:workflow is null or workflow = :workflow) and (:status is null or status = :status)
                    and (:before is null or id < :before) order by id desc limit :limit""",
                {"test": test, "workflow": workflow, "status": status, "before": before, "limit": limit},
            ).fetchall()
        return [_call(row) for row in rows]

    def each(self, *, piece: int = 500) -> Iterator[ModelCall]:
        """All calls, newest first, some at a time in memory."""
        before = None
        while rows := self.rows(before=before, limit=piece):
            yield from rows
            before = rows[-1].id

    def get(self, id: int) -> ModelCall | None:
        with self._connections.read() as c:
            row = c.execute(f"select {_COLUMNS} from calls where id = ?", (id,)).fetchone()
        return None if row is None else _call(row)


def cost_of_input(c: Any, test: str, position: int) -> int:
    """What the calls of one input cost so far; inside a transaction."""
    (cost,) = c.execute(
        "select coalesce(sum(cost_micro_usd), 0) from calls where test = ? and position = ?", (test, position)
    ).fetchone()
    return int(cost)


def _charge(c: Any, month: str, workflow: str, test: str | None, cost: int) -> None:
    if not cost:
        return
    for name in dict.fromkeys(("", workflow)):
        c.execute(
            """insert into spending (month, workflow, micro_usd) values (?, ?, ?)
                on conflict (month, workflow) do update set micro_usd = micro_usd + excluded.micro_usd""",
            (month, name, cost),
        )
    if test is not None:
        c.execute(
            "update tests set cost_micro_usd = cost_micro_usd + ?, version = version + 1 where id = ?", (cost, test)
        )


def _call(row: Any) -> ModelCall:
    return ModelCall(
        id=row[0],
        at=when(row[1]),
        route=row[2],
        scope=row[3],
        workflow=row[4] or None,
        test=row[5],
        position=row[6],
        use=row[7],
        provider=row[8],
        model=row[9],
        effort=row[10],
        status=row[11],
        input_tokens=row[12],
        output_tokens=row[13],
        cost_micro_usd=row[14],
        milliseconds=row[15],
        reply=row[16],
        error=row[17],
        source=row[18],
    )
