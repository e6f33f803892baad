"""``reviewapp doctor``: what is in order and what is not."""

from __future__ import annotations

import click

from reviewapp.cli.output import print_json, printable
from reviewapp.cli.session import Session, pass_session, shared_options

SIGNS = {"ok": "ok     ", "warning": "WARNING", "fault": "FAULT  "}


@click.command()
@shared_options
@pass_session
def doctor(session: Session) -> None:
    """Look for faults in the installation and the data folder.

    Versions, files, migrations, free space, who runs the tests. Changes nothing. Every finding says the
    way out; exits with 1 when there is a fault.

    \b
    Example:
      reviewapp doctor --data ./data
    """
    from reviewapp.doctor import examine

    findings = examine(session.settings.data)
    sound = all(f.state != "fault" for f in findings)
    if session.as_json:
        print_json({"sound": sound, "findings": [f.model_dump(mode="json") for f in findings]})
    else:
        for finding in findings:
            click.echo(f"{SIGNS[finding.state]}  {finding.check}: {printable(finding.found)}")
            if finding.way_out:
                click.echo(f"         → {finding.way_out}")
    if not sound:
        raise click.exceptions.Exit(1)
