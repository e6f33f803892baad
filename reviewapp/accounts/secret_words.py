"""Secrets of people and browsers: passwords, stretched with argon2id, and random words, which need only a hash."""

from __future__ import annotations

import hashlib
import secrets
import unicodedata
from functools import cache

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerifyMismatchError

from reviewapp.domain.people import folded_name
from reviewapp.errors import InvalidInput

PASSWORD_SHORTEST = 10
PASSWORD_LONGEST = 1_000

_hasher = PasswordHasher(time_cost=2, memory_cost=19_456, parallelism=1)
"""argon2id as the OWASP password storage cheat sheet has it at least: 19 MiB, two passes; about 20 ms a password."""


def hash_password(password: str, name: str) -> str:
    """What is kept of it. Raises InvalidInput for one that is too short, too long or the person's own name."""
    if not PASSWORD_SHORTEST <= len(password) <= PASSWORD_LONGEST:
        raise InvalidInput(
            f"A password has at least {PASSWORD_SHORTEST} characters (three or four words do), this one has "
            f"{len(password)}.",
            param="password",
        )
    if len(set(password)) < 4 or folded_name(password).strip("0123456789!.") == folded_name(name):
        raise InvalidInput("This password is guessed at once; take three or four words.", param="password")
    return _hasher.hash(_bytes(password))


def fits(password: str, kept: str | None) -> bool:
    """Whether it is the password that `kept` was made of. Takes as long where there is none."""
    try:
        return _hasher.verify(kept if kept is not None else _nobodys(), _bytes(password)) and kept is not None
    except (VerifyMismatchError, InvalidHashError):
        return False


def is_old(kept: str) -> bool:
    """Whether it was hashed with other parameters than those of today."""
    return _hasher.check_needs_rehash(kept)


@cache
def _nobodys() -> str:
    return _hasher.hash(secrets.token_bytes(16))


def _bytes(password: str) -> bytes:
    """As every keyboard and system types it: é may come as one character or as two."""
    return unicodedata.normalize("NFKC", password).encode("utf-8", "surrogatepass")[: 4 * PASSWORD_LONGEST]


def new_secret() -> str:
    """43 characters, 256 random bits, fit for addresses and cookies."""
    return secrets.token_urlsafe(32)


def hash_secret(secret: str) -> str:
    """SHA-256: a secret of 256 random bits needs no stretching."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()
