"""``reviewapp key``: API keys of programs."""

from __future__ import annotations

import click

from reviewapp.cli.output import print_json, print_table, printable, say, when
from reviewapp.cli.session import Session, pass_session, shared_options


@click.group()
@shared_options
def key() -> None:
    """Make, list and revoke the keys that programs send to the HTTP API.

    Without any key the API answers programs on this machine only; with one, every call needs a key.

    \b
    Example:
      reviewapp key create --name nightly --role author
      reviewapp key list
    """


@key.command()
@click.option("--name", required=True, help="What its answers and changes are signed with.")
@click.option(
    "--role",
    default="author",
    show_default=True,
    type=click.Choice(["viewer", "reviewer", "author", "admin"]),
    help="What it may do: read; also answer; also change workflows, records, tests and datasets; everything.",
)
@click.option("--in", "workspace", metavar="WORKSPACE", default="*", help="Only in this workspace (default: in all).")
@shared_options
@pass_session
def create(session: Session, name: str, role: str, workspace: str) -> None:
    """Make a key and show it, this once: only its hash is kept.

    \b
    Example:
      reviewapp key create --name nightly --role author
    """
    from reviewapp.keys import create_key

    made, secret = create_key(session.data, name, role=role, workspace=workspace, by=session.by)
    if session.as_json:
        print_json({**made.model_dump(mode="json"), "secret": secret})
    else:
        click.echo(secret)
        say(f"Key {printable(made.name)!r} ({made.role}); it is not shown again. Send it as: Authorization: Bearer KEY")


@key.command("list")
@shared_options
@pass_session
def list_(session: Session) -> None:
    """List the keys, oldest first, revoked ones too.

    \b
    Example:
      reviewapp key list
    """
    from reviewapp.keys import list_keys

    kept = list_keys(session.data)
    if session.as_json:
        print_json({"keys": [k.model_dump(mode="json") for k in kept]})
    else:
        rows = [
            (k.name, k.role, k.workspace, f"{k.shown}…", when(k.created), when(k.last_used) or "never", when(k.revoked))
            for k in kept
        ]
        print_table(("name", "role", "workspace", "begins with", "made", "last used", "revoked"), rows)


@key.command()
@click.argument("name")
@shared_options
@pass_session
def revoke(session: Session, name: str) -> None:
    """Revoke the key NAME (or its id): it is refused from now on.

    \b
    Example:
      reviewapp key revoke nightly
    """
    from reviewapp.keys import revoke_key

    gone = revoke_key(session.data, name, by=session.by)
    if session.as_json:
        print_json(gone.model_dump(mode="json"))
    else:
        click.echo(f"Key {printable(gone.name)!r} is revoked.")
