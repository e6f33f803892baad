"""``reviewapp test replay``, ``again``, ``continue`` and ``examples``: other ways to read than starting a test anew."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from reviewapp.cli.output import counted, print_json, print_table, printable
from reviewapp.cli.session import Session, pass_session, shared_options

if TYPE_CHECKING:
    from reviewapp.domain.tests import InputResult


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--workflow", required=True, metavar="NAME", help="Whose properties, gate and checks apply.")
@click.option("--add-records", is_flag=True, help="Bring in records that are not there, from the file's texts.")
@click.option("--wait", is_flag=True, help="Stay until it has ended; checks here when no server does.")
@shared_options
@pass_session
def replay(session: Session, file: Path, workflow: str, add_records: bool, wait: bool) -> None:
    """Start a test of results that another system made: FILE instead of the workflow's reader.

    FILE is JSONL or JSON (ours, langextract's, Label Studio predictions) or CSV with the columns record, property,
    value, quote, confidence. Quotes are found in the texts and values checked as in any test.

    \b
    Example:
      reviewapp test replay results.jsonl --workflow tender-positions --wait
    """
    from reviewapp.cli.tests import tell_start
    from reviewapp.replays import replay_results

    workspace = session.workspace()
    made = replay_results(workspace, file, workflow=workflow, add_records=add_records, by=session.by)
    added = f", {counted(made.added, 'record')} added" if made.added else ""
    read = f"{counted(made.readings, 'reading')} of {counted(made.records, 'record')}"
    tell_start(session, workspace, made.test, f"started on {read}{added}", wait=wait)


@click.command()
@click.argument("test", metavar="TEST")
@click.option("--wait", is_flag=True, help="Stay until it has ended; reads here when no server does.")
@shared_options
@pass_session
def again(session: Session, test: str, wait: bool) -> None:
    """Run again what a test could not read: failed inputs, and those it did not come to.

    This makes a new test with the same settings and models; what was read stays where it is.

    \b
    Example:
      reviewapp test again latest --wait
    """
    from reviewapp.cli.tests import find_test, tell_start
    from reviewapp.tests import run_again

    workspace = session.workspace()
    made = run_again(workspace, find_test(workspace, test).id, by=session.by)
    tell_start(session, workspace, made, f"started on {counted(made.input_count, 'record')}", wait=wait)


@click.command("continue")
@click.argument("test", metavar="TEST")
@click.option("--wait", is_flag=True, help="Stay until it has ended; reads here when no server does.")
@shared_options
@pass_session
def go_on(session: Session, test: str, wait: bool) -> None:
    """Go on with a stopped test: the inputs that it did not come to are read, within the same test.

    A test stops when no more can be read for now: its budget is spent, a key refused, a provider gone.

    \b
    Example:
      reviewapp model budget --set 50
      reviewapp test continue latest --wait
    """
    from reviewapp import tests
    from reviewapp.cli.tests import find_test, tell_start

    workspace = session.workspace()
    queued = tests.go_on(workspace, find_test(workspace, test).id, by=session.by)
    tell_start(session, workspace, queued, "goes on", wait=wait)


@click.command()
@click.argument("workflow")
@click.option("--sample", type=click.IntRange(1, 100), default=3, show_default=True, help="Read the first N records.")
@click.option("--iri", "iris", multiple=True, metavar="IRI", help="Read this record; repeatable.")
@shared_options
@pass_session
def examples(session: Session, workflow: str, sample: int, iris: tuple[str, ...]) -> None:
    """Print what WORKFLOW would write for some records. Keeps nothing, not even a test (calls to models are logged).

    \b
    Example:
      reviewapp test examples tender-positions --sample 5
    """
    from reviewapp.capture import examples as captured

    shown = captured(session.workspace(), workflow, iris=iris or None, sample=sample)
    if session.as_json:
        print_json({"workflow": workflow, "examples": [example.document() for example in shown]})
        return
    for example in shown:
        click.echo(f"{printable(example.name)}  <{printable(example.iri)}>")
        if trouble := example.result.error or example.result.failed:
            click.echo(f"   {printable(trouble)}")
        rows = [(v.property, v.printed, v.outcome.replace("_", " "), v.quote) for v in example.result.values]
        if rows or not trouble:
            print_table(("property", "value", "outcome", "quote"), rows)
        print_passed_over(example.result)
        click.echo()


def print_passed_over(result: InputResult) -> None:
    """Why no block looked for some properties, under the table of those that were read."""
    for name, why in result.passed_over.items():
        click.echo(f"   {printable(name)}: {printable(why)}")
