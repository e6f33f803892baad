"""Who may do what.

A person has roles: one for every workspace, or one for a workspace, or one for a single test of it. What somebody may
do is decided here, for pages and API alike (`Access.may`); the doors only say what a route needs.
"""

from __future__ import annotations

import unicodedata
from datetime import datetime
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, StringConstraints

from reviewapp.domain.base import Model, Name

Role = Literal["viewer", "reviewer", "author", "admin"]
ROLES: tuple[Role, ...] = ("viewer", "reviewer", "author", "admin")
"""Viewers read; reviewers also answer; authors also change records, workflows, tests and datasets; admins everything.
Each may do what those before it may."""

EVERYWHERE = "*"
"""In place of a workspace's name: every workspace, and the server itself."""


def may(role: Role, needed: Role) -> bool:
    """True where `role` covers what `needed` is asked for."""
    return ROLES.index(role) >= ROLES.index(needed)


def _plain(name: str) -> str:
    name = " ".join(unicodedata.normalize("NFC", name).split())
    if not name:
        raise ValueError("a name has at least one character")
    if any(unicodedata.category(c) in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp") for c in name):
        raise ValueError("a name has no control, direction or invisible characters")
    return name


PERSON_NAME_LIMIT = 80
PersonName = Annotated[str, StringConstraints(max_length=PERSON_NAME_LIMIT), AfterValidator(_plain)]
"""1 to 80 visible characters, white space collapsed."""


def folded_name(name: str) -> str:
    """The name as it is compared, so that nobody takes another's in other letters: ``ANN`` and ``ａｎｎ``."""
    return " ".join(unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold()).split())


class Grant(Model):
    """A role, and where it holds."""

    workspace: str
    """Name, or ``*``: every workspace."""
    test: str | None = None
    """Id of the one test it is for; None: all of the workspace."""
    role: Role


class Access(Model):
    """Somebody at the door: a person, a key, or the local person; and what they may do."""

    name: str
    """What their answers and changes are signed with."""
    grants: tuple[Grant, ...] = ()

    def role_in(self, workspace: str, test: str | None = None) -> Role | None:
        """The highest role there; a role for one test counts only where that test is named. None: a stranger.

        ``role_in("*")`` is the role on the server itself.
        """
        held = [
            grant.role
            for grant in self.grants
            if grant.workspace in (workspace, EVERYWHERE) and (grant.test is None or grant.test == test)
        ]
        return max(held, key=ROLES.index, default=None)

    def may(self, needed: Role, workspace: str, test: str | None = None) -> bool:
        role = self.role_in(workspace, test)
        return role is not None and may(role, needed)

    def tests_in(self, workspace: str) -> tuple[str, ...]:
        """Tests of the workspace that this person was asked to answer, one by one."""
        return tuple(g.test for g in self.grants if g.workspace == workspace and g.test is not None)


def local_access(name: str) -> Access:
    """The person at this machine, who may do everything."""
    return Access(name=name, grants=(Grant(workspace=EVERYWHERE, role="admin"),))


class Person(Model):
    """An account. Its name is what its answers are signed with, so it never changes and never goes to another."""

    number: int
    name: PersonName
    grants: tuple[Grant, ...] = ()
    has_password: bool
    created: datetime
    created_by: str
    disabled: datetime | None = None
    """When it was closed; None: it is open."""
    signed_in: datetime | None = None
    """When last; None: never."""
    keys: str = Field(default="", exclude=True)
    """Those of the test page that they chose instead of the usual ones, as a query string; empty: none."""
    language: str = Field(default="", exclude=True)
    """The tag of the language that they chose for the pages; empty: as their browser asks."""

    @property
    def access(self) -> Access:
        return Access(name=self.name, grants=self.grants)

    @property
    def runs_the_server(self) -> bool:
        return self.disabled is None and self.access.may("admin", EVERYWHERE)


class Link(Model):
    """A link that lets in: as an invitation, with a role, or to set one's password. Its secret was shown once."""

    id: str
    """``link_`` + 32 hex digits."""
    kind: Literal["invitation", "password"]
    person: str | None = None
    """Whose password it sets (`password`)."""
    grant: Grant | None = None
    """What it gives (`invitation`)."""
    uses: int
    """How often it can be used in all."""
    uses_left: int
    until: datetime
    created: datetime
    created_by: str
    revoked: datetime | None = None


class TrailEntry(Model):
    """A step of somebody. Entries are only ever added."""

    number: int
    at: datetime
    by: str
    did: str
    """``delete record``, ``cancel test`` …"""
    subject: str
    """Id or name of what it was done to."""
    workspace: str
    """Where; ``*``: on the server."""


class ApiKey(Model):
    """A key of a program. Its secret was shown once and is kept nowhere."""

    id: str
    """``key_`` + 32 hex digits."""
    name: Name
    """What its answers and changes are signed with."""
    role: Role
    workspace: str = EVERYWHERE
    """The only workspace it opens; ``*``: every one."""
    shown: str
    """The first characters of the secret, to tell keys apart."""
    created: datetime
    created_by: str
    last_used: datetime | None = None
    """To the minute; None: never."""
    revoked: datetime | None = None

    @property
    def access(self) -> Access:
        return Access(name=self.name, grants=(Grant(workspace=self.workspace, role=self.role),))
