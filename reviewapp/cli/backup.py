"""``reviewapp backup`` and ``reviewapp restore``: one file with everything."""

from __future__ import annotations

from pathlib import Path

import click

from reviewapp.cli.output import counted, print_json, say, when
from reviewapp.cli.session import Session, pass_session, shared_options


@click.command()
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@shared_options
@pass_session
def backup(session: Session, file: Path) -> None:
    """Write all workspaces, people and keys into FILE, while the server goes on.

    FILE appears when it is whole, in place of an older one of that name. Keep it as safe as the data.

    \b
    Example:
      reviewapp backup /backups/reviewapp.zip
    """
    from reviewapp.backups import make_backup
    from reviewapp.errors import NotFound

    if not session.settings.data.is_dir():
        raise NotFound("data folder", str(session.settings.data), way_out="Name another with --data.")
    made = make_backup(session.data, file, by=session.by)
    if session.as_json:
        print_json(made.model_dump(mode="json"))
    else:
        size = file.stat().st_size / 1e6
        click.echo(f"{file}: {counted(len(made.files) - 1, 'workspace')}, {size:,.1f} MB.")


@click.command()
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--replace", is_flag=True, help="Also where the data folder has data; that is kept beside it.")
@shared_options
@pass_session
def restore(session: Session, file: Path, replace: bool) -> None:
    """Put the backup FILE into the data folder. The server has to be stopped.

    All of FILE is read and checked before anything is changed.

    \b
    Example:
      reviewapp restore /backups/reviewapp.zip --data ./data-again
    """
    from reviewapp.backups import restore_backup

    done = restore_backup(file, session.settings.data, replace=replace, by=session.by)
    if session.as_json:
        print_json(done.model_dump(mode="json"))
        return
    click.echo(f"Restored {counted(len(done.workspaces), 'workspace')} as of {when(done.made)}.")
    if done.kept is not None:
        say(f"What was there before is in {session.settings.data / done.kept}; delete it when you no longer need it.")
