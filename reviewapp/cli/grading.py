"""``reviewapp evaluate``: grade a dataset, and end with an exit code that a pipeline can trust."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from reviewapp.cli.dataset_work import find_dataset
from reviewapp.cli.output import counted, print_json, printable, say
from reviewapp.cli.reports import basis_option, print_comparison, print_report, write_junit_file
from reviewapp.cli.session import Session, pass_session, shared_options
from reviewapp.cli.waiting import Bar, run_or_wait

if TYPE_CHECKING:
    from reviewapp.domain.evaluations import Basis, Evaluation
    from reviewapp.evals.comparison import Comparison
    from reviewapp.workspaces import Workspace

WORSE = 3
"""Exit code when a grading is worse than asked for."""

unread_option = click.option(
    "--unread",
    type=click.IntRange(0),
    default=0,
    show_default=True,
    metavar="N",
    help="With a bar: most items that may be unread before the exit code is 3.",
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
    metavar="X",
    help="With --baseline: how much F1 may fall before the exit code is 3 (default: 0).",
)
@click.option("--at-least", type=click.FloatRange(0, 1), metavar="F1", help="Exit code 3 when F1 is below this.")
@unread_option
@click.option("--junit", metavar="FILE", type=click.Path(dir_okay=False, path_type=Path), help="Write JUnit XML.")
@shared_options
@pass_session
def evaluate(session: Session, /, dataset: str, **options: Any) -> None:
    """Grade DATASET (id or name) with a workflow, a test, or stored outputs.

    Exit codes: 0 graded; 3 graded, but below the bar: worse than --baseline by more than --worse-by, F1 below
    --at-least, or, with either of them, more than --unread items that could not be read; 1 it could not be graded, or
    not one item could be read or compared; 2 the command line is wrong.

    \b
    Example:
      reviewapp evaluate "Tender positions" --workflow tender-positions --revision 7
      reviewapp evaluate ds_… --workflow tender-positions --baseline 12 --worse-by 0.01 --junit report.xml
    """
    from reviewapp.evaluations import compare, find_evaluation

    _check_words(options)
    workspace = session.workspace()
    baseline = None if options["baseline"] is None else find_evaluation(workspace, options["baseline"])
    ended = _graded(session, workspace, dataset, options)
    basis: Basis = options["basis"]
    comparison = None if baseline is None else compare(workspace, baseline.id, ended.id, basis)
    if options["junit"] is not None:
        write_junit_file(workspace, ended, basis, options["junit"])
    if session.as_json:
        shown = None if comparison is None else comparison.model_dump(mode="json")
        print_json({"evaluation": ended.model_dump(mode="json"), "comparison": shown})
    else:
        print_report(ended, basis)
        if comparison is not None and baseline is not None:
            print_comparison(baseline, ended, comparison)
    _check_bar(workspace, ended, comparison, options)


def _check_words(options: dict[str, Any]) -> None:
    """Refuse options that would say nothing where they stand."""
    named = [n for n in ("workflow", "test", "outputs", "again") if options[n] is not None]
    if len(named) != 1:
        raise click.UsageError("Name one thing to grade: --workflow, --test, --outputs or --again.")
    if named != ["workflow"]:
        alone = [n for n in ("revision", "model", "fresh") if options[n]]
        if alone:
            raise click.UsageError(f"--{alone[0]} goes with --workflow: --{named[0]} reads nothing.")
    if options["worse_by"] is not None and options["baseline"] is None:
        raise click.UsageError("--worse-by needs --baseline, the evaluation to compare with.")


def _check_bar(workspace: Workspace, ended: Evaluation, comparison: Comparison | None, options: dict[str, Any]) -> None:
    """Exit with `WORSE` where the grading is below the bar; raises InvalidInput, Conflict where it says nothing."""
    from reviewapp.errors import InvalidInput
    from reviewapp.evals.grading import why_ungraded
    from reviewapp.evaluations import is_worse, results

    report = ended.report
    if report is None:
        raise InvalidInput(f"Evaluation {ended.number} has no report.")
    if report.items == 0 and report.failed:
        (first,) = results(workspace, ended.id, limit=1, faulty=True)
        raise InvalidInput(f"Not one item could be read. {first.name}: {why_ungraded(first)}")
    if options["at_least"] is None and comparison is None:
        return
    if report.items == 0:
        raise InvalidInput("The revision learnt from all items, so none of them says how good it is.")
    f1 = report.total[options["basis"]].f1
    below = [
        (report.failed > options["unread"], f"{report.failed:,} items could not be read"),
        (f1 is not None and f1 < (options["at_least"] or 0), "F1 is below what was asked for"),
        (comparison is not None and is_worse(comparison, options["worse_by"] or 0), "F1 fell by more than it may"),
    ]
    if said := [words for is_so, words in below if is_so]:
        say(f"Below the bar: {'; '.join(said)}.")
        raise click.exceptions.Exit(WORSE)


def _graded(session: Session, workspace: Workspace, dataset: str, options: dict[str, Any]) -> Evaluation:
    """The evaluation, ended. Raises what starting it raises, InvalidInput where it failed."""
    from reviewapp.domain.choices import model_named
    from reviewapp.errors import InvalidInput
    from reviewapp.evaluations import find_evaluation, grade_outputs, of_no_item, start_grading

    kept = find_dataset(workspace, dataset)
    if options["outputs"] is not None:
        from reviewapp.formats.outputs import read_outputs

        file: Path = options["outputs"]
        outputs = read_outputs(file.read_bytes(), file.name)
        if odd := of_no_item(workspace, kept.id, outputs, version=options["version"]):
            say(f"{counted(len(odd), 'output')} of no item of the dataset passed over (first: {printable(odd[0])}).")
        return grade_outputs(workspace, kept.id, outputs, name=file.name, version=options["version"], by=session.by)
    what: dict[str, Any] = {}
    if options["workflow"] is not None:
        what = {"workflow": options["workflow"], "fresh": options["fresh"]}
        if options["revision"] is not None:
            what["revision"] = _revision(workspace, options["workflow"], options["revision"])
        if options["model"] is not None:
            what["models"] = {"extract": model_named(options["model"])}
    if options["test"] is not None:
        from reviewapp.cli.tests import find_test

        what["test"] = find_test(workspace, options["test"]).id
    if options["again"] is not None:
        what["earlier"] = find_evaluation(workspace, options["again"]).id
    started = start_grading(workspace, kept.id, version=options["version"], by=session.by, **what)
    ended = _stay_with(session, workspace, started)
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


def _stay_with(session: Session, workspace: Workspace, started: Evaluation) -> Evaluation:
    """The evaluation once it has ended, here or where a server runs evaluations; how far it is, on stderr."""
    from reviewapp.evaluations import get_evaluation
    from reviewapp.running.evaluating import EvaluationRunner

    def look(show: Bar) -> bool:
        found = get_evaluation(workspace, started.id)
        reused = f", {found.cases_reused:,} taken over" if found.cases_reused else ""
        done, total = found.cases_done, found.case_count
        sentence = f"Evaluation {found.number} {found.status}: {done:,} of {total:,} items{reused}."
        show(printable(found.grading.label), done, total, sentence)
        return found.status not in ("queued", "running")

    run_or_wait(EvaluationRunner(session.data, model_calls=session.settings.model_calls), look)
    return get_evaluation(workspace, started.id)
