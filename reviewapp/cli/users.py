"""``reviewapp user``: accounts and roles. Whoever may write the data folder may use it; no sign-in is asked."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import click

from reviewapp.cli.output import print_json, print_table, printable, say, when
from reviewapp.cli.session import Session, pass_session, shared_options

if TYPE_CHECKING:
    from reviewapp.domain.people import Person

ROLE_CHOICE = click.Choice(["viewer", "reviewer", "author", "admin"])
IN = click.option(
    "--in", "workspace", metavar="WORKSPACE", default="*", help="Only in this workspace (default: in all)."
)


@click.group()
@shared_options
def user() -> None:
    """Add people, give them roles, close accounts.

    Needed only when the server is reached from other machines. Roles: viewers read, reviewers also
    answer, authors also change records, workflows and tests, admins everything.

    \b
    Example:
      reviewapp user add Ann --role admin
      reviewapp serve --host 0.0.0.0
    """


@user.command()
@click.argument("name")
@click.option("--role", type=ROLE_CHOICE, help="The role; without it, none yet.")
@IN
@click.option("--link", is_flag=True, help="Ask for no password; print a link that sets one.")
@shared_options
@pass_session
def add(session: Session, name: str, role: str | None, workspace: str, link: bool) -> None:
    """Add a person called NAME.

    The password is asked for, or read from the first line of stdin. Answers carry NAME; it cannot be changed.

    \b
    Example:
      reviewapp user add Ann --role admin
      reviewapp user add "Bo Smith" --role reviewer --in default --link
    """
    from reviewapp import accounts

    _known_workspace(session, workspace)
    password = None if link else ask_password()
    with session.data.atomic():
        person = accounts.add_person(session.data, name, password, by=session.by)
        if role is not None:
            person = accounts.set_role(session.data, person.name, role, workspace=workspace, by=session.by)
        secret = accounts.make_password_link(session.data, person.name, by=session.by) if link else None
    _tell(session, person, f"{printable(person.name)} is added ({_roles(person)}).", secret)


@user.command("list")
@shared_options
@pass_session
def list_(session: Session) -> None:
    """List the people and their roles.

    \b
    Example:
      reviewapp user list --json
    """
    from reviewapp import accounts

    people = accounts.list_people(session.data)
    if session.as_json:
        print_json({"people": [_document(p) for p in people]})
        return
    rows = [(p.name, _roles(p), when(p.signed_in), "closed" if p.disabled else "") for p in people]
    print_table(("NAME", "ROLES", "LAST SIGNED IN", ""), rows)


@user.command()
@click.argument("name")
@click.argument("role", type=click.Choice(["viewer", "reviewer", "author", "admin", "none"]))
@IN
@shared_options
@pass_session
def role(session: Session, name: str, role: str, workspace: str) -> None:
    """Give NAME the ROLE, in place of the one there; `none` takes it back.

    \b
    Example:
      reviewapp user role "Bo Smith" author --in default
    """
    from reviewapp import accounts

    _known_workspace(session, workspace)
    wanted = None if role == "none" else role
    person = accounts.set_role(session.data, name, wanted, workspace=workspace, by=session.by)
    _tell(session, person, f"{printable(person.name)}: {_roles(person)}.")


@user.command()
@click.argument("name")
@shared_options
@pass_session
def disable(session: Session, name: str) -> None:
    """Close the account of NAME; its sessions and the invitations it made end at once. Answers stay.

    \b
    Example:
      reviewapp user disable "Bo Smith"
    """
    from reviewapp import accounts

    person = accounts.disable(session.data, name, by=session.by)
    _tell(session, person, f"The account of {printable(person.name)} is closed.")
    if keys := accounts.keys_left_by(session.data, person.name):
        named = ", ".join(map(printable, keys))
        say(f"API keys that they made go on working: {named}; `reviewapp key revoke NAME` ends one.")


@user.command()
@click.argument("name")
@shared_options
@pass_session
def enable(session: Session, name: str) -> None:
    """Open the closed account of NAME again.

    \b
    Example:
      reviewapp user enable "Bo Smith"
    """
    from reviewapp import accounts

    person = accounts.enable(session.data, name, by=session.by)
    _tell(session, person, f"The account of {printable(person.name)} is open.")


@user.command()
@click.argument("name")
@click.option("--link", is_flag=True, help="Ask for no password; print a link that sets one.")
@shared_options
@pass_session
def reset(session: Session, name: str, link: bool) -> None:
    """Set a new password for NAME and end all sessions.

    \b
    Example:
      reviewapp user reset "Bo Smith" --link
    """
    from reviewapp import accounts

    person = accounts.get_person(session.data, name)
    if link:
        secret = accounts.make_password_link(session.data, name, by=session.by)
        _tell(session, person, f"The old password of {printable(person.name)} is gone.", secret)
    else:
        accounts.set_password(session.data, name, ask_password(), by=session.by)
        _tell(session, person, f"{printable(person.name)} has a new password and is signed out everywhere.")


def ask_password() -> str:
    """Typed twice and not shown; where nobody types, the first line of stdin."""
    if sys.stdin.isatty():
        password: str = click.prompt("Password", hide_input=True, confirmation_prompt=True, err=True)
        return password
    return sys.stdin.readline().rstrip("\r\n")


def _known_workspace(session: Session, workspace: str) -> None:
    if workspace != "*":
        session.data.workspace(workspace)


def _roles(person: Person) -> str:
    words = [
        f"{g.role} everywhere" if g.workspace == "*" else f"{g.role} in {g.workspace}{' (one test)' if g.test else ''}"
        for g in person.grants
    ]
    return ", ".join(words) or "no role yet"


def _document(person: Person) -> dict[str, Any]:
    return person.model_dump(mode="json", exclude={"number"})


def _tell(session: Session, person: Person, said: str, secret: str | None = None) -> None:
    link, hint = None, ""
    if secret is not None:
        address, hint = _where_it_leads(session)
        link = f"{address}/link/{secret}"
    if session.as_json:
        print_json(_document(person) | ({} if link is None else {"link": link}))
        return
    click.echo(said)
    if link is not None:
        click.echo(f"Send this link; it sets a password once, within a day:\n{link}")
        if hint:
            say(hint)


def _where_it_leads(session: Session) -> tuple[str, str]:
    """What a link for somebody else begins with, and what to say of it; empty: nothing."""
    from reviewapp.origins import address_for_others, is_loopback
    from reviewapp.running.lease import address_served

    if session.settings.public_url is not None:
        return address_for_others(session.settings), ""
    if (served := address_served(session.data.leases)) is None:
        return address_for_others(session.settings), (
            f"No server runs on this data folder now: the link names this machine and port {session.settings.port}. "
            "Where `reviewapp serve` will print another address, put that into it (or set REVIEWAPP_PUBLIC_URL)."
        )
    if is_loopback(urlsplit(served).hostname):
        return served.rstrip("/"), (
            "The server that runs now answers its own machine only, where nobody signs in; for other machines, stop it "
            "and start it with --host 0.0.0.0."
        )
    return served, ""
