"""API keys: made and shown once, kept as a hash, listed, revoked."""

from __future__ import annotations

import hashlib
import secrets
from datetime import UTC, datetime, timedelta

from pydantic import TypeAdapter, ValidationError

from reviewapp.accounts import refuse_look_alike
from reviewapp.domain.base import Name
from reviewapp.domain.ids import new_id
from reviewapp.domain.people import EVERYWHERE, ROLES, ApiKey, Role
from reviewapp.errors import InvalidInput
from reviewapp.workspaces import DataFolder

PREFIX = "rk_"
SHOWN_CHARACTERS = 8
USED_EVERY = timedelta(minutes=1)
"""`last_used` is written at most this often, so that reading stays free of writes."""

_name = TypeAdapter[str](Name)
_role = TypeAdapter[Role](Role)


def create_key(
    data: DataFolder, name: str, *, role: str = "author", workspace: str = EVERYWHERE, by: str
) -> tuple[ApiKey, str]:
    """A new key for a workspace (``*``: for every one), and its secret, which nobody can be told again.

    Raises InvalidInput for a bad name or role, NotFound for the workspace, Conflict where a live key or a person has
    the name, or one that looks like it.
    """
    try:
        name = _name.validate_python(name)
    except ValidationError:
        raise InvalidInput(
            f"Key name {name[:80]!r} does not fit; expected 1 to 200 characters.", param="name"
        ) from None
    try:
        checked = _role.validate_python(role)
    except ValidationError:
        raise InvalidInput(f"There is no role {role!r}; expected one of {', '.join(ROLES)}.", param="role") from None
    if workspace != EVERYWHERE:
        data.workspace(workspace)
    refuse_look_alike(data, name)
    secret = PREFIX + secrets.token_urlsafe(32)
    with data.atomic():
        key = data.keys.add(new_id("key"), name, checked, _hash(secret), secret[:SHOWN_CHARACTERS], by, workspace)
        data.trail.note(by, f"make key as {checked}", name, workspace)
    return key, secret


def list_keys(data: DataFolder) -> list[ApiKey]:
    return data.keys.all()


def revoke_key(data: DataFolder, name_or_id: str, *, by: str) -> ApiKey:
    """The key is refused from now on. Raises NotFound."""
    with data.atomic():
        key = data.keys.revoke(name_or_id)
        data.trail.note(by, "revoke key", key.name, key.workspace)
    return key


def has_keys(data: DataFolder) -> bool:
    """True as soon as one live key exists; the API then asks for one, on loopback too."""
    return data.keys.any_live()


def authenticate(data: DataFolder, secret: str) -> ApiKey | None:
    """The live key with that secret; None where there is none. Looked up by hash, so time tells nothing."""
    key = data.keys.live_by_hash(_hash(secret))
    if key is not None and (key.last_used is None or datetime.now(UTC) - key.last_used > USED_EVERY):
        data.keys.touch(key.id)
    return key


def _hash(secret: str) -> str:
    """SHA-256: the secret has 256 random bits, so there is nothing to stretch."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()
