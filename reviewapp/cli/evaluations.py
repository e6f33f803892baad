"""``reviewapp compare`` and ``evaluation``: look at gradings, hold two side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from reviewapp.cli.grading import WORSE, unread_option
from reviewapp.cli.output import print_json, print_table, when
from reviewapp.cli.reports import basis_option, percent, print_comparison, print_report, sides
from reviewapp.cli.session import Session, pass_session, shared_options

if TYPE_CHECKING:
    from reviewapp.domain.evaluations import Basis


@click.command()
@click.argument("before")
@click.argument("after")
@basis_option
@click.option("--changes", is_flag=True, help="List every value that was fixed or broke.")
@click.option(
    "--worse-by", type=click.FloatRange(0, 1), metavar="X", help="Exit code 3 when F1 fell by more than this."
)
@unread_option
@shared_options
@pass_session
def compare(
    session: Session, before: str, after: str, basis: Basis, changes: bool, worse_by: float | None, unread: int
) -> None:
    """Hold evaluation AFTER against BEFORE (ids, numbers, or `latest`), item by item.

    Exit codes: 0 compared; 3 with --worse-by: AFTER is worse by more than that, or has more than --unread items that
    could not be read; 1 nothing could be compared; 2 the command line is wrong.

    \b
    Example:
      reviewapp compare 7 8
      reviewapp compare 7 latest --changes --worse-by 0.01
    """
    from reviewapp import evaluations

    workspace = session.workspace()
    first, second = (evaluations.find_evaluation(workspace, name) for name in (before, after))
    found = evaluations.compare(workspace, first.id, second.id, basis)
    listed = evaluations.list_changes(workspace, first.id, second.id, basis, limit=100_000) if changes else []
    if session.as_json:
        rows = [{"item": item.name, **change.model_dump(mode="json")} for item in listed for change in item.changes]
        print_json({"comparison": found.model_dump(mode="json"), **({"changes": rows} if changes else {})})
    else:
        print_comparison(first, second, found)
        if changes and not listed:
            click.echo("No value changed.")
        elif changes:
            click.echo()
            print_table(
                ("item", "property", "", "expected", "before", "after", "quote"),
                [(item.name, c.property, c.kind, *sides(c.before, c.after)) for item in listed for c in item.changes],
            )
    if worse_by is None:
        return
    failed = 0 if second.report is None else second.report.failed
    if evaluations.is_worse(found, worse_by) or failed > unread:
        raise click.exceptions.Exit(WORSE)


@click.group()
@shared_options
def evaluation() -> None:
    """Look at evaluations; `evaluate` makes them.

    \b
    Example:
      reviewapp evaluation list
      reviewapp evaluation show latest
    """


@evaluation.command("list")
@click.option(
    "--limit", default=50, show_default=True, metavar="N", type=click.IntRange(1, 1_000), help="Most to list."
)
@basis_option
@shared_options
@pass_session
def list_(session: Session, limit: int, basis: Basis) -> None:
    """List the evaluations of datasets, newest first.

    \b
    Example:
      reviewapp evaluation list
    """
    from reviewapp.evaluations import list_evaluations

    found = list_evaluations(session.workspace(), kind="dataset", limit=limit)
    if session.as_json:
        print_json({"evaluations": [e.model_dump(mode="json") for e in found]})
        return
    print_table(
        ("number", "graded", "dataset", "status", "items", "F1", "started"),
        [
            (
                e.number,
                e.grading.label,
                f"{e.grading.dataset_name}, version {e.grading.dataset_version}",
                e.status,
                f"{e.cases_done} of {e.case_count}",
                "" if e.report is None else percent(e.report.total[basis].f1),
                when(e.created),
            )
            for e in found
        ],
    )


@evaluation.command()
@click.argument("name", metavar="EVALUATION")
@basis_option
@shared_options
@pass_session
def show(session: Session, name: str, basis: Basis) -> None:
    """Show an evaluation's report.

    \b
    Example:
      reviewapp evaluation show latest
    """
    from reviewapp.evaluations import find_evaluation

    found = find_evaluation(session.workspace(), name)
    if session.as_json:
        print_json({"evaluation": found.model_dump(mode="json")})
    else:
        print_report(found, basis)
