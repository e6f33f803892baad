"""Signing in, sessions and their end, wrong passwords counted, and the trail of it."""

from __future__ import annotations

import contextlib
import time
from functools import partial

import pytest
from argon2 import Parameters, PasswordHasher, extract_parameters

from reviewapp import accounts
from reviewapp.accounts import SignInLimits, sessions
from reviewapp.accounts.sign_in_limits import OF_ADDRESS, OF_DEVICE, OF_NAME_AT_ADDRESS, OF_NAME_UNKNOWN
from reviewapp.errors import InvalidInput, TooManyTries
from tests.accounts.conftest import PASSWORD, sign_in


class TestSignIn:
    def test_the_session_is_kept_as_a_hash_and_ends_with_sign_out(self, data, ann):
        got = sign_in(data)
        assert accounts.who_is_signed_in(data, got.session).name == "Ann"
        assert data.sessions.find(got.session) is None
        accounts.sign_out(data, got.session)
        assert accounts.who_is_signed_in(data, got.session) is None

    def test_the_same_sentence_for_every_reason(self, data, ann):
        accounts.add_person(data, "Closed", PASSWORD, by="Root")
        accounts.disable(data, "Closed", by="Root")
        accounts.add_person(data, "No password", None, by="Root")
        said = set()
        for name, password in (
            ("Ann", "wrong"),
            ("Who", PASSWORD),
            ("Closed", PASSWORD),
            ("No password", ""),
            ("", ""),
        ):
            with pytest.raises(InvalidInput) as refused:
                sign_in(data, name, password)
            said.add(refused.value.message)
        assert said == {"The name or the password is not right."}

    def test_unknown_names_cost_the_same_hash_as_known_ones(self, data, ann, monkeypatch):
        """A look-up alone would be a hundred times as quick, and tell who is here."""
        hashed: list[Parameters] = []

        verify = PasswordHasher.verify

        def counted(hasher: PasswordHasher, kept: str, password: bytes) -> bool:
            hashed.append(extract_parameters(kept))
            return verify(hasher, kept, password)

        monkeypatch.setattr(PasswordHasher, "verify", counted)
        for name in ("Ann", "Who"):
            with pytest.raises(InvalidInput):
                sign_in(data, name, "wrong")
        known, unknown = hashed
        assert known == unknown

    def test_sessions_end_in_time(self, data, ann, monkeypatch):
        used = sign_in(data).session
        begun = time.time()
        for day in range(1, 30):
            monkeypatch.setattr(sessions.time, "time", lambda day=day: begun + day * 86_400)
            assert accounts.who_is_signed_in(data, used) is not None
        monkeypatch.setattr(sessions.time, "time", lambda: begun + 31 * 86_400)
        assert accounts.who_is_signed_in(data, used) is None

    def test_an_idle_session_ends(self, data, ann, monkeypatch):
        session = sign_in(data).session
        begun = time.time()
        monkeypatch.setattr(sessions.time, "time", lambda: begun + sessions.IDLE_SECONDS + 1)
        assert accounts.who_is_signed_in(data, session) is None

    def test_signing_out_everywhere_closing_and_a_new_password_end_sessions(self, data, ann):
        here, there = sign_in(data).session, sign_in(data).session
        accounts.change_password(data, SignInLimits(), ann, PASSWORD, "four other words here", session=here)
        assert accounts.who_is_signed_in(data, there) is None
        assert accounts.who_is_signed_in(data, here) is not None
        accounts.sign_out_everywhere(data, ann, by="Ann")
        assert accounts.who_is_signed_in(data, here) is None
        last = sign_in(data, password="four other words here").session
        accounts.disable(data, "Ann", by="Root")
        assert accounts.who_is_signed_in(data, last) is None

    def test_a_role_that_is_taken_back_is_gone_at_once(self, data, ann):
        session = sign_in(data).session
        accounts.set_role(data, "Ann", "author", workspace="default", by="Root")
        assert accounts.who_is_signed_in(data, session).access.role_in("default") == "author"
        accounts.set_role(data, "Ann", None, workspace="default", by="Root")
        assert accounts.who_is_signed_in(data, session).access.role_in("default") is None


def try_until_refused(tries: int, attempt) -> TooManyTries:
    """Wrong tries, of which the last is one too many."""
    for _ in range(tries):
        with pytest.raises(InvalidInput):
            attempt()
    with pytest.raises(TooManyTries) as refused:
        attempt()
    return refused.value


class TestLimits:
    def test_a_stranger_is_slowed_down_and_the_person_is_not(self, data, ann):
        limits = SignInLimits()
        device = sign_in(data, limits=limits, address="192.0.2.1").device
        address = (f"198.51.100.{number}" for number in range(250))
        wrong = lambda: sign_in(data, password="wrong", limits=limits, address=next(address))  # noqa: E731
        assert try_until_refused(OF_NAME_UNKNOWN.amount - 1, wrong).retry_after_seconds > 0
        with pytest.raises(TooManyTries):
            sign_in(data, limits=limits, address="198.51.100.250")
        assert sign_in(data, limits=limits, address="192.0.2.1", device=device).person.name == "Ann"

    def test_behind_one_address_a_stranger_does_not_shut_out_a_browser_that_is_known(self, data, ann):
        limits = SignInLimits()
        device = sign_in(data, limits=limits).device
        for number in range(OF_ADDRESS.amount):
            with contextlib.suppress(TooManyTries):
                limits.count(f"name {number % 40}", "192.0.2.1", None)
        with pytest.raises(TooManyTries):
            sign_in(data, limits=limits)
        assert sign_in(data, limits=limits, device=device).person.name == "Ann"

    def test_a_network_of_ipv6_is_one_address(self, data, ann):
        limits = SignInLimits()
        addresses = (f"2001:db8::{number:x}" for number in range(1, 99))
        wrong = lambda: sign_in(data, password="wrong", limits=limits, address=next(addresses))  # noqa: E731
        try_until_refused(OF_NAME_AT_ADDRESS.amount, wrong)
        assert sign_in(data, limits=limits, address="2001:db8:0:1::1").person.name == "Ann"

    def test_a_browser_left_open_is_no_place_to_find_a_password_out(self, data, ann):
        limits = SignInLimits()
        session = sign_in(data, limits=limits).session
        wrong = lambda: accounts.change_password(data, limits, ann, "wrong", "four other words", session=session)  # noqa: E731
        try_until_refused(OF_DEVICE.amount, wrong)
        with pytest.raises(TooManyTries):
            accounts.change_password(data, limits, ann, PASSWORD, "four other words", session=session)

    def test_one_address_does_not_shut_out_another(self, data, ann):
        limits = SignInLimits()
        wrong = partial(sign_in, data, password="wrong", limits=limits, address="198.51.100.7")
        try_until_refused(OF_NAME_AT_ADDRESS.amount, wrong)
        assert sign_in(data, limits=limits, address="192.0.2.1").person.name == "Ann"

    def test_slips_before_a_success_do_not_count(self, data, ann):
        limits = SignInLimits()
        for _ in range(5):
            for _ in range(OF_NAME_AT_ADDRESS.amount - 2):
                with pytest.raises(InvalidInput):
                    sign_in(data, password="wrong", limits=limits)
            assert sign_in(data, limits=limits).person.name == "Ann"

    def test_an_unknown_name_is_counted_like_a_known_one(self, data):
        limits = SignInLimits()
        try_until_refused(OF_NAME_AT_ADDRESS.amount, partial(sign_in, data, "Who", "wrong", limits=limits))

    def test_many_names_from_one_address_are_counted_together(self, data):
        limits = SignInLimits()
        for number in range(OF_ADDRESS.amount):
            limits.count(f"name {number}", "198.51.100.7", None)
        with pytest.raises(TooManyTries):
            limits.count("one more", "198.51.100.7", None)

    def test_another_persons_browser_is_a_strangers(self, data, ann):
        accounts.add_person(data, "Bo", PASSWORD, by="Root")
        limits = SignInLimits()
        device = sign_in(data, "Bo", limits=limits).device
        wrong = partial(sign_in, data, password="wrong", limits=limits, device=device)
        try_until_refused(OF_NAME_AT_ADDRESS.amount, wrong)


def test_every_step_is_on_the_trail_and_stays(data, ann):
    accounts.set_role(data, "Ann", "author", workspace="default", by="Root")
    sign_in(data)
    with pytest.raises(InvalidInput):
        sign_in(data, password="wrong")
    accounts.disable(data, "Ann", by="Root")
    steps = [(e.by, e.did, e.subject, e.workspace) for e in reversed(data.trail.latest())]
    assert steps == [
        ("Root", "add person", "Ann", "*"),
        ("Root", "give role author", "Ann", "default"),
        ("Ann", "sign in", "Ann", "*"),
        ("somebody at 192.0.2.1", "fail to sign in", "Ann", "*"),
        ("Root", "close account", "Ann", "*"),
    ]
    for statement in ("delete from server_trail", "update server_trail set person = 'Bo'"):
        with pytest.raises(Exception, match="kept"), data.atomic() as db:
            db.execute(statement)
