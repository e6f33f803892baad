"""Signing in and out. A session is a row; the browser holds a random word of which the row has the hash.

So a session ends when we say so: on signing out, here or everywhere, on a new password, when the account is closed.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

from reviewapp.accounts.people import person_or_none
from reviewapp.accounts.secret_words import fits, hash_password, hash_secret, is_old, new_secret
from reviewapp.accounts.sign_in_limits import SignInLimits
from reviewapp.domain.people import Person
from reviewapp.errors import InvalidInput
from reviewapp.workspaces import DataFolder

IDLE_SECONDS = 7 * 24 * 3600
"""Without a request for so long, a session ends."""
LONGEST_SECONDS = 30 * 24 * 3600
"""After so long it ends in any case."""
SEEN_EVERY_SECONDS = 600
"""How exactly the last request is written down."""
DEVICE_SECONDS = 400 * 24 * 3600

WRONG = "The name or the password is not right."
"""One sentence for every reason, so that nobody learns which names there are."""


@dataclass(frozen=True)
class SignedIn:
    """What the browser gets."""

    person: Person
    session: str
    """Secret of the session's cookie."""
    device: str
    """Secret that tells this browser from those of strangers."""


def sign_in(
    data: DataFolder, limits: SignInLimits, name: str, password: str, *, address: str, device: str | None
) -> SignedIn:
    """Begin a session. `device`: what this browser got at an earlier sign-in.

    Raises InvalidInput where name and password do not fit together, in the same time and words whatever the reason;
    TooManyTries.
    """
    person = person_or_none(data, name)
    known = device is not None and person is not None and _knows(data, device, person)
    limits.count(name, address, hash_secret(device) if known and device is not None else None)
    kept = None if person is None or person.disabled else data.people.password_hash(person.number)
    if not fits(password, kept) or person is None or kept is None:
        # Written for a name that nobody has as well, so that both take as long; what was typed may be a password.
        data.trail.note(f"somebody at {address}", "fail to sign in", "unknown name" if person is None else person.name)
        raise InvalidInput(WRONG, param="password")
    limits.succeeded(name, address)
    if is_old(kept):
        data.people.set_password(person.number, hash_password(password, person.name))
    return begin_session(data, person, device=device if known else None)


def begin_session(data: DataFolder, person: Person, *, device: str | None = None) -> SignedIn:
    """Let somebody in whose identity is proved."""
    session, now = new_secret(), time.time()
    device = device or new_secret()
    with data.atomic():
        data.sessions.begin(hash_secret(session), person.number, now, now + LONGEST_SECONDS)
        data.sessions.know_device(hash_secret(device), person.number, now, now + DEVICE_SECONDS)
        data.people.note_sign_in(person.number)
        data.trail.note(person.name, "sign in", person.name)
    return SignedIn(person, session, device)


def who_is_signed_in(data: DataFolder, session: str) -> Person | None:
    """Whose session that is; None where it is none, is over, or the account was closed."""
    hash_, now = hash_secret(session), time.time()
    found = data.sessions.find(hash_)
    if found is None or now > found.until or now > found.seen + IDLE_SECONDS:
        return None
    if now > found.seen + SEEN_EVERY_SECONDS:
        data.sessions.touch(hash_, now)
    person = data.people.by_number(found.person)
    return None if person is None or person.disabled else person


def sign_out(data: DataFolder, session: str) -> None:
    data.sessions.end(hash_secret(session))


def sign_out_everywhere(data: DataFolder, person: Person, *, by: str, but: str | None = None) -> int:
    """End all sessions of a person, `but` this one; how many that were."""
    with data.atomic():
        ended = data.sessions.end_all(person.number, but=None if but is None else hash_secret(but))
        data.trail.note(by, "sign out everywhere", person.name)
    return ended


def open_sessions(data: DataFolder, person: Person) -> int:
    return data.sessions.count(person.number, time.time())


def change_password(
    data: DataFolder, limits: SignInLimits, person: Person, old: str, new: str, *, session: str | None
) -> None:
    """Set a new password; sessions elsewhere end.

    Raises InvalidInput where the old one is wrong or the new unfit, TooManyTries: a browser left open is no place to
    find the password out.
    """
    limits.count(person.name, "", "change password")
    if not fits(old, data.people.password_hash(person.number)):
        raise InvalidInput("That is not your password of now.", param="old")
    kept = hash_password(new, person.name)
    with data.atomic():
        data.people.set_password(person.number, kept)
        data.sessions.end_all(person.number, but=None if session is None else hash_secret(session))
        data.trail.note(person.name, "set password", person.name)


def _knows(data: DataFolder, device: str, person: Person) -> bool:
    return data.sessions.is_known_device(hash_secret(device), person.number, time.time())
