"""``reviewapp demo``: the sample workspace."""

from __future__ import annotations

import click

from reviewapp.cli.output import counted, print_json, print_table, say
from reviewapp.cli.session import Session, pass_session, shared_options
from reviewapp.cli.waiting import wait_for


@click.command()
@shared_options
@pass_session
def demo(session: Session) -> None:
    """Load the sample texts and run a test of each workflow.

    33 texts in two languages, in three collections. Loading it again changes nothing.

    \b
    Example:
      reviewapp demo
      reviewapp serve
    """
    from reviewapp.demo import load_sample
    from reviewapp.tests import counts

    workspace = session.workspace(create=True)
    workers = session.settings.workers
    tests = [
        wait_for(session.data, workspace, t.id, workers=workers, model_calls=session.settings.model_calls)
        for t in load_sample(workspace, by=session.by)
    ]
    numbers = [counts(workspace, t.id) for t in tests]
    if session.as_json:
        documents = [
            {"test": t.model_dump(mode="json"), "counts": n.model_dump(mode="json")}
            for t, n in zip(tests, numbers, strict=True)
        ]
        print_json({"tests": documents})
    else:
        print_table(
            ("workflow", "test", "status", "inputs", "passed", "review", "no value", "failed"),
            [
                (t.workflow, t.number, t.status, n.inputs, n.passed, n.review, n.no_value, n.failed)
                for t, n in zip(tests, numbers, strict=True)
            ],
        )
        say(f"The sample is in workspace {workspace.name}: {counted(len(tests), 'test')}; look at it: reviewapp serve")
    if any(t.status != "done" for t in tests):
        raise click.exceptions.Exit(1)
