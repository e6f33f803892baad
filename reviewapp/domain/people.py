"""Who may do what."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from reviewapp.domain.base import Model, Name

Role = Literal["viewer", "reviewer", "author", "admin"]
ROLES: tuple[Role, ...] = ("viewer", "reviewer", "author", "admin")
"""Viewers read; reviewers also answer; authors also change records, workflows, tests and datasets; admins everything.
Each may do what those before it may."""


def may(role: Role, needed: Role) -> bool:
    """True where `role` covers what `needed` is asked for."""
    return ROLES.index(role) >= ROLES.index(needed)


class ApiKey(Model):
    """A key of a program. Its secret was shown once and is kept nowhere."""

    id: str
    """``key_`` + 32 hex digits."""
    name: Name
    """What its answers and changes are signed with."""
    role: Role
    shown: str
    """The first characters of the secret, to tell keys apart."""
    created: datetime
    created_by: str
    last_used: datetime | None = None
    """To the minute; None: never."""
    revoked: datetime | None = None
