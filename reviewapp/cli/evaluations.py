"""``reviewapp evaluate``, ``compare`` and ``evaluation``: grade a dataset, hold two gradings side by side."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from reviewapp.cli.dataset_work import find_dataset
from reviewapp.cli.output import print_json, print_table, say, when
from reviewapp.cli.reports import percent, print_comparison, print_report, sides, write_junit_file
from reviewapp.cli.session import Session, pass_session, shared_options

if TYPE_CHECKING:
    from reviewapp.domain.evaluations import Basis, Evaluation
    from reviewapp.workspaces import Workspace

WORSE = 3
"""Exit code when a grading is worse than asked for."""
LOOK_SECONDS = 0.2

basis_option = click.option(
    "--basis",
    type=click.Choice(["written", "read"]),
    default="written",
    show_default=True,
    help="Count what is written without a person, or also what is shown to one.",
)


@click.command()
@click.argument("dataset")
@click.option("--workflow", metavar="NAME", help="Run this workflow on the dataset's texts.")
@click.option("--revision", metavar="N", help="A revision of it, by number or id (default: the one in use).")
@click.option("--model", metavar="PROVIDER/MODEL", help="Read with this model.")
@click.option("--test", metavar="TEST", help="Grade what a test read, without reading again.")
@click.option(
    "--outputs",
    metavar="FILE",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Grade a file of values by item name (JSONL or JSON).",
)
@click.option(
    "--again", metavar="EVALUATION", help="Score an earlier evaluation's outputs on the dataset as it is now."
)
@click.option("--version", type=click.IntRange(1), metavar="N", help="An earlier version of the dataset.")
@click.option("--fresh", is_flag=True, help="Read again what an earlier evaluation has read already.")
@basis_option
@click.option("--baseline", metavar="EVALUATION", help="Compare with this evaluation (id, number).")
@click.option(
    "--worse-by",
    type=click.FloatRange(0, 1),
    default=0.0,
    show_default=True,
    metavar="X",
    help="With --baseline: how much F1 may fall before the exit code is 3.",
)
@click.option("--at-least", type=click.FloatRange(0, 1), metavar="F1", help="Exit code 3 when F1 is below this.")
@click.option("--junit", metavar="FILE", type=click.Path(dir_okay=False, path_type=Path), help="Write JUnit XML.")
@shared_options
@pass_session
def evaluate(session: Session, /, dataset: str, **options: Any) -> None:
    """Grade DATASET (id or name) with a workflow, a test, or stored outputs.

    Exit codes: 0 graded; 3 graded, but worse than --baseline by more than --worse-by, or below --at-least; 1 it could
    not be graded; 2 the command line is wrong.

    \b
    Example:
      reviewapp evaluate "Tender positions" --workflow tender-positions --revision 7
      reviewapp evaluate ds_… --workflow tender-positions --baseline 12 --worse-by 0.01 --junit report.xml
    """
    from reviewapp.evaluations import compare, find_evaluation, worse_by

    workspace = session.workspace()
    baseline = None if options["baseline"] is None else find_evaluation(workspace, options["baseline"])
    ended = _graded(session, workspace, dataset, options)
    basis: Basis = options["basis"]
    comparison = None if baseline is None else compare(workspace, baseline.id, ended.id, basis)
    if options["junit"] is not None:
        write_junit_file(workspace, ended, basis, options["junit"])
    if session.as_json:
        print_json(
            {
                "evaluation": ended.model_dump(mode="json"),
                "comparison": None if comparison is None else comparison.model_dump(mode="json"),
            }
        )
    else:
        print_report(ended, basis)
        if comparison is not None and baseline is not None:
            print_comparison(baseline, ended, comparison)
    f1 = ended.report.total[basis].f1 if ended.report else None
    too_low = options["at_least"] is not None and (f1 or 0.0) < options["at_least"]
    if too_low or (comparison is not None and worse_by(comparison) > options["worse_by"]):
        raise click.exceptions.Exit(WORSE)


def _graded(session: Session, workspace: Workspace, dataset: str, options: dict[str, Any]) -> Evaluation:
    """The evaluation, ended. Raises what starting it raises, InvalidInput where it failed."""
    from reviewapp.errors import InvalidInput
    from reviewapp.evaluations import find_evaluation, grade_outputs, start_grading

    kept = find_dataset(workspace, dataset)
    if options["outputs"] is not None:
        from reviewapp.formats.outputs import read_outputs

        file: Path = options["outputs"]
        outputs = read_outputs(file.read_bytes(), file.name)
        return grade_outputs(workspace, kept.id, outputs, name=file.name, version=options["version"], by=session.by)
    what: dict[str, Any] = {}
    if options["workflow"] is not None:
        what["workflow"] = options["workflow"]
        if options["revision"] is not None:
            what["revision"] = _revision(workspace, options["workflow"], options["revision"])
        if options["model"] is not None:
            what["models"] = {"extract": _model(options["model"])}
    if options["test"] is not None:
        from reviewapp.cli.tests import find_test

        what["test"] = find_test(workspace, options["test"]).id
    if options["again"] is not None:
        what["earlier"] = find_evaluation(workspace, options["again"]).id
    started = start_grading(workspace, kept.id, version=options["version"], by=session.by, **what)
    ended = _stay_with(session, workspace, started, fresh=options["fresh"])
    if ended.status != "done":
        raise InvalidInput(f"Evaluation {ended.number} is {ended.status}. {ended.error or ''}".strip())
    return ended


def _revision(workspace: Workspace, workflow: str, named: str) -> str:
    from reviewapp.errors import NotFound
    from reviewapp.workflows import list_revisions

    if not named.isdecimal():
        return named
    found = next((r.id for r in list_revisions(workspace, workflow) if r.number == int(named)), None)
    if found is None:
        raise NotFound(f"revision of workflow {workflow!r}", named)
    return found


def _model(named: str) -> Any:
    from reviewapp.domain.choices import ModelName
    from reviewapp.errors import InvalidInput

    provider, slash, model = named.partition("/")
    if not slash or not provider or not model:
        raise InvalidInput(
            f"{named!r} is no model; name it as PROVIDER/MODEL, such as openai/gpt-5-mini.", param="model"
        )
    return ModelName(provider=provider, model=model)


def _stay_with(session: Session, workspace: Workspace, started: Evaluation, *, fresh: bool) -> Evaluation:
    """Run it here, or wait where a server runs evaluations; how far it is, on stderr."""
    from reviewapp.evaluations import get_evaluation, run_grading
    from reviewapp.running.evaluating import LEASE
    from reviewapp.running.lease import Lease, LeaseTaken

    lease = Lease(session.data.leases, LEASE)
    while True:
        try:
            lease.take()
        except LeaseTaken:
            time.sleep(LOOK_SECONDS)
            present = get_evaluation(workspace, started.id)
            if present.status not in ("queued", "running"):
                return present
            continue
        try:
            ended = run_grading(workspace, started.id, fresh=fresh, go_on=lease.keep)
        finally:
            lease.release()
        reused = f", {ended.cases_reused:,} taken over" if ended.cases_reused else ""
        say(f"Evaluation {ended.number} {ended.status}: {ended.cases_done:,} of {ended.case_count:,} items{reused}.")
        return ended


@click.command()
@click.argument("before")
@click.argument("after")
@basis_option
@click.option("--changes", is_flag=True, help="List every value that was fixed or broke.")
@click.option(
    "--worse-by", type=click.FloatRange(0, 1), metavar="X", help="Exit code 3 when F1 fell by more than this."
)
@shared_options
@pass_session
def compare(session: Session, before: str, after: str, basis: Basis, changes: bool, worse_by: float | None) -> None:
    """Hold evaluation AFTER against BEFORE (ids, numbers, or `latest`), item by item.

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
        if changes:
            click.echo()
            print_table(
                ("item", "property", "", "expected", "before", "after", "quote"),
                [(item.name, c.property, c.kind, *sides(c.before, c.after)) for item in listed for c in item.changes],
            )
    if worse_by is not None and evaluations.worse_by(found) > worse_by:
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
