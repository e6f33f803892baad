"""What may be spent in a month."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import NoReturn

from reviewapp.domain.calls import Spending, in_dollars, next_month
from reviewapp.errors import BudgetExceeded, InvalidInput
from reviewapp.store.workspace import Workspace
from reviewapp.workflows import get_workflow


def budgets(workspace: Workspace) -> list[Spending]:
    """The workspace's, then the workflows'."""
    return workspace.calls.budgets()


def spending(workspace: Workspace, workflow: str | None = None) -> Spending:
    """The budget of a workflow (None: of the workspace) and what is spent of it this month."""
    return workspace.calls.spending(workflow)


def set_budget(
    workspace: Workspace, micro_usd_per_month: int | None, *, workflow: str | None = None, by: str
) -> Spending:
    """Set what may be spent in a calendar month (UTC) by a workflow, or by the whole workspace; None: no limit.
    Raises NotFound, InvalidInput."""
    if workflow is not None:
        get_workflow(workspace, workflow)
    if micro_usd_per_month is not None and not 0 <= micro_usd_per_month <= 10**15:
        raise InvalidInput(
            f"A budget of {micro_usd_per_month} micro-dollars was given; expected 0 or more.", param="budget"
        )
    with workspace.atomic():
        workspace.calls.set_budget(workflow, micro_usd_per_month, by)
        said = "no limit" if micro_usd_per_month is None else in_dollars(micro_usd_per_month)
        workspace.trail.note(by, f"set budget to {said}", workflow or workspace.name)
    return workspace.calls.spending(workflow)


def check_budget(workspace: Workspace, workflow: str, estimate_micro_usd: int) -> None:
    """Raises BudgetExceeded where a test may cost more than is left this month."""
    if estimate_micro_usd == 0:
        return
    for name in (None, workflow):
        of = workspace.calls.spending(name)
        if of.left_micro_usd is not None and estimate_micro_usd > of.left_micro_usd:
            _refuse(of, estimate_micro_usd)


def _refuse(spending: Spending, estimate: int) -> NoReturn:
    raise BudgetExceeded(
        f"The test may cost {in_dollars(estimate)}, and {_left(spending)}; choose fewer records, raise the budget, or "
        "wait for the next month.",
        retry_at=next_month(datetime.now(UTC)),
    )


def spent(spending: Spending, most: int) -> str:
    """Why a call that may cost `most` is not made."""
    return (
        f"The next call may cost {in_dollars(most)}, and {_left(spending)}. What was read is kept; raise the budget "
        "and go on with the test, or wait for the next month."
    )


def _left(spending: Spending) -> str:
    whose = f"workflow {spending.workflow!r}" if spending.workflow else "the workspace"
    limit = in_dollars(spending.micro_usd_per_month or 0)
    return f"{in_dollars(spending.left_micro_usd or 0)} of this month's {limit} is left for {whose}"
