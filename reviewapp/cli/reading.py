"""``reviewapp test replay``: tests of what was read elsewhere."""

from __future__ import annotations

from pathlib import Path

import click

from reviewapp.cli.output import counted, say
from reviewapp.cli.session import Session, pass_session, shared_options


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
    from reviewapp.cli.tests import report, stay
    from reviewapp.replays import replay_results

    workspace = session.workspace()
    made = replay_results(workspace, file, workflow=workflow, add_records=add_records, by=session.by)
    added = f", {counted(made.added, 'record')} added" if made.added else ""
    read = f"{counted(made.readings, 'reading')} of {counted(made.records, 'record')}"
    say(f"Test {made.test.number} ({made.test.id}) started on {read}{added}.")
    if wait:
        stay(session, workspace, made.test.id)
    else:
        report(session, workspace, made.test)
