"""Accounts: who there is, with which roles; made, closed, opened again, given a new password."""

from __future__ import annotations

from pydantic import TypeAdapter, ValidationError

from reviewapp.accounts.secret_words import hash_password
from reviewapp.domain.look_alikes import skeleton
from reviewapp.domain.misfits import misfit
from reviewapp.domain.people import EVERYWHERE, ROLES, Grant, Person, PersonName, Role, folded_name, may
from reviewapp.errors import Conflict, InvalidInput, NotFound
from reviewapp.workspaces import DataFolder

_name: TypeAdapter[str] = TypeAdapter(PersonName)


def checked_name(name: str) -> str:
    """The name as it is kept. Raises InvalidInput."""
    try:
        return _name.validate_python(name)
    except ValidationError as error:
        said = misfit(error).message
        raise InvalidInput(f"{name[:40]!r} cannot be a person's name: {said}.", param="name") from None


def checked_role(role: str) -> Role:
    """Raises InvalidInput."""
    for known in ROLES:
        if known == role:
            return known
    raise InvalidInput(f"There is no role {role!r}; choose one of {', '.join(ROLES)}.", param="role")


def add_person(data: DataFolder, name: str, password: str | None, *, by: str) -> Person:
    """A new account without any role yet; without a password it needs a link or the proxy's word to get in.

    Raises InvalidInput for a name or password that does not fit, Conflict where a person or a key has the name.
    """
    name = checked_name(name)
    kept = None if password is None else hash_password(password, name)
    refuse_look_alike(data, name)
    with data.atomic():
        person = data.people.add(name, kept, by)
        data.trail.note(by, "add person", name)
    return person


def refuse_look_alike(data: DataFolder, name: str) -> None:
    """Raise Conflict where a person or a live key signs with a name that looks like this one."""
    there = [(p.name, "somebody", "choose") for p in data.people.all()]
    there += [(k.name, "a live API key", "revoke it first, or choose") for k in data.keys.all() if k.revoked is None]
    for taken, who, choose in there:
        if skeleton(taken) == skeleton(name):
            same = "" if folded_name(taken) == folded_name(name) else ", which looks the same"
            raise Conflict(f"There is {who} called {taken!r} already{same}; {choose} another name.", param="name")


def list_people(data: DataFolder) -> list[Person]:
    return data.people.all()


def get_person(data: DataFolder, name: str) -> Person:
    """Raises NotFound."""
    return data.people.get(name)


def has_admin(data: DataFolder) -> bool:
    return data.people.any_admin()


def people_of(data: DataFolder, workspace: str, *, least: Role = "viewer", test: str | None = None) -> list[Person]:
    """Open accounts with at least that role in a workspace; with `test`, those who may come to that test only, too."""
    return [p for p in data.people.all() if p.disabled is None and p.access.may(least, workspace, test)]


def set_role(data: DataFolder, name: str, role: str | None, *, workspace: str = EVERYWHERE, by: str) -> Person:
    """Give a role in a workspace (``*``: in every one) in place of the one there; None takes it back.

    Raises NotFound for the person, InvalidInput for the role, Conflict where nobody would be left to run the server.
    """
    wanted = None if role is None else checked_role(role)
    with data.atomic():
        person = data.people.get(name)
        if workspace == EVERYWHERE and wanted != "admin":
            _keep_an_admin(data, person)
        if wanted is not None:
            data.people.grant(person.number, Grant(workspace=workspace, role=wanted), by)
            data.trail.note(by, f"give role {wanted}", person.name, workspace)
        elif data.people.take_back(person.number, workspace, None):
            data.trail.note(by, "take role back", person.name, workspace)
        return data.people.get(name)


def leave_test(data: DataFolder, name: str, workspace: str, test: str, *, by: str) -> None:
    """Take back the role that somebody has for one test. Raises NotFound for the person."""
    with data.atomic():
        person = data.people.get(name)
        if data.people.take_back(person.number, workspace, test):
            data.trail.note(by, f"take role back for {test}", person.name, workspace)


def disable(data: DataFolder, name: str, *, by: str) -> Person:
    """Close an account: its sessions and the invitations it made end at once; its answers stay.

    Raises NotFound, Conflict for the last admin.
    """
    with data.atomic():
        person = data.people.get(name)
        _keep_an_admin(data, person)
        data.people.set_disabled(person.number, True)
        data.sessions.end_all(person.number)
        data.trail.note(by, "close account", person.name)
        for link in data.links.revoke_all_by(person.name):
            data.trail.note(by, "revoke invitation", link.id, link.grant.workspace if link.grant else EVERYWHERE)
        return data.people.get(name)


def keys_left_by(data: DataFolder, name: str) -> list[str]:
    """Names of the live API keys that somebody made, and may still have the secret of."""
    return [key.name for key in data.keys.all() if key.revoked is None and key.created_by == name]


def enable(data: DataFolder, name: str, *, by: str) -> Person:
    """Open a closed account again. Raises NotFound."""
    with data.atomic():
        person = data.people.get(name)
        data.people.set_disabled(person.number, False)
        data.trail.note(by, "open account", person.name)
        return data.people.get(name)


def set_password(data: DataFolder, name: str, password: str, *, by: str, keep_session: str | None = None) -> Person:
    """A new password; every session but `keep_session` (its hash) ends. Raises NotFound, InvalidInput."""
    person = data.people.get(name)
    kept = hash_password(password, person.name)
    with data.atomic():
        data.people.set_password(person.number, kept)
        data.sessions.end_all(person.number, but=keep_session)
        data.trail.note(by, "set password", person.name)
    return person


def choose_keys(data: DataFolder, person: Person, keys: str) -> None:
    """Keep the keys of the test page that a person chose, as a query string; empty: the usual ones."""
    data.people.set_keys(person.number, keys)


def choose_language(data: DataFolder, person: Person, language: str) -> None:
    """Keep the language of the pages that a person chose, by its tag."""
    data.people.set_language(person.number, language)


def refuse_higher(given_by: Role | None, role: Role) -> None:
    """Raise InvalidInput where somebody would give more than they have."""
    if given_by is None or not may(given_by, role):
        raise InvalidInput(f"You cannot give the role {role!r}: yours is {given_by or 'none'}.", param="role")


def _keep_an_admin(data: DataFolder, person: Person) -> None:
    others = [p for p in data.people.all() if p.runs_the_server and p.number != person.number]
    if person.runs_the_server and not others:
        raise Conflict(f"{person.name} is the only admin of this server; make somebody else one first.")


def person_or_none(data: DataFolder, name: str) -> Person | None:
    """None for a name that nobody has, or that nobody can have."""
    try:
        return data.people.get(checked_name(name))
    except (InvalidInput, NotFound):
        return None
