"""Links that let in: an invitation with its role, workspace and perhaps one test; a link that sets a password.

The secret part of a link is shown once; a link ends by its date, by its uses, or when it is revoked.
"""

from __future__ import annotations

import time

from reviewapp.accounts.people import checked_name, checked_role, refuse_higher, refuse_look_alike
from reviewapp.accounts.secret_words import hash_password, hash_secret, new_secret
from reviewapp.domain.ids import new_id
from reviewapp.domain.people import ROLES, Access, Grant, Link, Person, may
from reviewapp.errors import InvalidInput, NotFound
from reviewapp.workspaces import DataFolder

DEFAULT_DAYS = 7
LONGEST_DAYS = 365
MOST_USES = 1_000
PASSWORD_LINK_SECONDS = 24 * 3600


class LinkEnded(NotFound):
    """In the same words whether it ended, was used up or revoked, or never was one."""

    code = "link_ended"

    def __init__(self) -> None:
        super().__init__("link", "")
        self.message = "This link has ended, or not all of it was copied; ask whoever sent it for a new one."


def invite(
    data: DataFolder,
    workspace: str,
    *,
    role: str,
    access: Access,
    test: str | None = None,
    uses: int = 1,
    days: int = DEFAULT_DAYS,
) -> tuple[Link, str]:
    """An invitation by somebody with that `access`, and its secret, which nobody can be told again.

    With `test` it opens that one test only, for reviewers or viewers. Raises InvalidInput.
    """
    checked = checked_role(role)
    refuse_higher(access.role_in(workspace), checked)
    if test is not None and ROLES.index(checked) > ROLES.index("reviewer"):
        raise InvalidInput("An invitation to one test is for a reviewer or a viewer.", param="role")
    if not 1 <= uses <= MOST_USES:
        raise InvalidInput(f"An invitation is for 1 to {MOST_USES:,} people, not {uses}.", param="uses")
    if not 1 <= days <= LONGEST_DAYS:
        raise InvalidInput(f"An invitation lasts 1 to {LONGEST_DAYS} days, not {days}.", param="days")
    secret = new_secret()
    with data.atomic():
        grant = Grant(workspace=workspace, test=test, role=checked)
        link = data.links.invite(
            new_id("link"), hash_secret(secret), grant, uses, time.time() + days * 86_400, access.name
        )
        data.trail.note(access.name, f"invite {'a ' + role if uses == 1 else f'{uses} × {role}'}", link.id, workspace)
    return link, secret


def list_invitations(data: DataFolder, workspace: str) -> list[Link]:
    """Newest first, used-up and revoked ones included."""
    return data.links.invitations(workspace)


def revoke_invitation(data: DataFolder, link_id: str, workspace: str, *, by: str) -> Link:
    """Nobody comes in by it any more; those who did stay. Raises NotFound."""
    with data.atomic():
        link = data.links.revoke(link_id, workspace)
        data.trail.note(by, "revoke invitation", link.id, workspace)
    return link


def make_password_link(data: DataFolder, name: str, *, by: str) -> str:
    """The secret of a link with which that person sets a new password within a day. Sessions and password end now.

    Raises NotFound.
    """
    secret = new_secret()
    with data.atomic():
        person = data.people.get(name)
        data.people.set_password(person.number, None)
        data.sessions.end_all(person.number)
        data.links.let_set_password(
            new_id("link"), hash_secret(secret), person.number, time.time() + PASSWORD_LINK_SECONDS, by
        )
        data.trail.note(by, "reset password", person.name)
    return secret


def look_at_link(data: DataFolder, secret: str) -> Link:
    """The link with that secret. Raises LinkEnded, also where whoever made it could not make it today."""
    link = data.links.live_by_hash(hash_secret(secret), time.time())
    if link is None:
        raise LinkEnded
    if link.grant is not None and (inviter := data.people.find(link.created_by)) is not None:
        role = None if inviter.disabled else inviter.access.role_in(link.grant.workspace)
        if role is None or not may(role, link.grant.role):
            raise LinkEnded
    return link


def accept_as_new(data: DataFolder, secret: str, name: str, password: str | None) -> Person:
    """A new account with the invitation's role. `password` None: the proxy vouches for the person.

    Raises LinkEnded, InvalidInput or Conflict for name and password; then the link is not used up.
    """
    name = checked_name(name)
    kept = None if password is None else hash_password(password, name)
    refuse_look_alike(data, name)
    with data.atomic():
        link, grant = _use(data, secret)
        person = data.people.add(name, kept, f"invitation of {link.created_by}")
        data.people.grant(person.number, grant, link.created_by)
        data.trail.note(name, "accept invitation", link.id, grant.workspace)
        return data.people.get(name)


def accept_as(data: DataFolder, secret: str, person: Person) -> Person:
    """Give the invitation's role to somebody who is here already; a higher one that they have stays.

    Raises LinkEnded.
    """
    with data.atomic():
        link = look_at_link(data, secret)
        if link.grant is None:
            raise LinkEnded
        held = person.access.role_in(link.grant.workspace, link.grant.test)
        if held is not None and ROLES.index(held) >= ROLES.index(link.grant.role):
            return person
        link, grant = _use(data, secret)
        data.people.grant(person.number, grant, link.created_by)
        data.trail.note(person.name, "accept invitation", link.id, grant.workspace)
        return data.people.get(person.name)


def set_password_by(data: DataFolder, secret: str, password: str) -> Person:
    """Set the password of the person whose link it is. Raises LinkEnded, InvalidInput (the link stays good)."""
    link = look_at_link(data, secret)
    if link.person is None:
        raise LinkEnded
    kept = hash_password(password, link.person)
    with data.atomic():
        if not data.links.use(link.id):
            raise LinkEnded
        person = data.people.get(link.person)
        if person.disabled is not None:
            raise LinkEnded
        data.people.set_password(person.number, kept)
        data.sessions.end_all(person.number)
        data.trail.note(person.name, "set password", person.name)
    return person


def _use(data: DataFolder, secret: str) -> tuple[Link, Grant]:
    link = look_at_link(data, secret)
    if link.grant is None or not data.links.use(link.id):
        raise LinkEnded
    return link, link.grant
