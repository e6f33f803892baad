from __future__ import annotations

import contextlib
import statistics
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest

from reviewapp import accounts
from reviewapp.accounts import SignInLimits, sessions
from reviewapp.accounts.sign_in_limits import OF_ADDRESS, OF_DEVICE, OF_NAME_AT_ADDRESS, OF_NAME_UNKNOWN
from reviewapp.domain.people import Access, Grant, folded_name
from reviewapp.errors import Conflict, InvalidInput, NotFound, TooManyTries
from reviewapp.keys import create_key
from reviewapp.store import DataFolder

PASSWORD = "three words do"
ADMIN = Access(name="Root", grants=(Grant(workspace="*", role="admin"),))


@pytest.fixture
def data(data_folder: DataFolder) -> DataFolder:
    data_folder.workspace("default", create=True)
    return data_folder


@pytest.fixture
def ann(data):
    return accounts.add_person(data, "Ann", PASSWORD, by="Root")


def sign_in(data, name="Ann", password=PASSWORD, *, limits=None, address="192.0.2.1", device=None):
    return accounts.sign_in(data, limits or SignInLimits(), name, password, address=address, device=device)


class TestRoles:
    @pytest.mark.parametrize(
        ("grants", "workspace", "test", "role"),
        [
            ((), "a", None, None),
            ((("a", None, "author"),), "a", None, "author"),
            ((("a", None, "author"),), "b", None, None),
            ((("a", None, "author"),), "*", None, None),
            ((("*", None, "viewer"),), "a", None, "viewer"),
            ((("*", None, "viewer"), ("a", None, "author")), "a", None, "author"),
            ((("*", None, "admin"), ("a", None, "viewer")), "a", None, "admin"),
            ((("a", "t1", "reviewer"),), "a", None, None),
            ((("a", "t1", "reviewer"),), "a", "t1", "reviewer"),
            ((("a", "t1", "reviewer"),), "a", "t2", None),
            ((("a", "t1", "reviewer"),), "b", "t1", None),
            ((("a", "t1", "reviewer"), ("a", None, "viewer")), "a", "t1", "reviewer"),
        ],
    )
    def test_the_highest_role_that_holds_there(self, grants, workspace, test, role):
        access = Access(name="Ann", grants=tuple(Grant(workspace=w, test=t, role=r) for w, t, r in grants))
        assert access.role_in(workspace, test) == role

    def test_people_of_a_workspace(self, data):
        for name, workspace, role in (("Ann", "*", "admin"), ("Bo", "default", "viewer"), ("Cy", "other", "author")):
            accounts.add_person(data, name, None, by="Root")
            accounts.set_role(data, name, role, workspace=workspace, by="Root")
        assert [p.name for p in accounts.people_of(data, "default")] == ["Ann", "Bo"]
        assert [p.name for p in accounts.people_of(data, "default", least="reviewer")] == ["Ann"]


class TestNames:
    @pytest.mark.parametrize("twin", ["Ann", "ANN", " ann ", "Ａｎｎ", "ａnn"])
    def test_nobody_takes_anothers_name(self, data, ann, twin):
        with pytest.raises(Conflict):
            accounts.add_person(data, twin, PASSWORD, by="Root")

    @pytest.mark.parametrize("name", ["", "  ", "A\x00n", "A\u200bn", "\u202eAnn", "A" * 81, "A\ud83dn"])
    def test_names_that_nobody_can_have(self, data, name):
        with pytest.raises(InvalidInput):
            accounts.add_person(data, name, PASSWORD, by="Root")

    @pytest.mark.parametrize("name", ["O'Neil, Ann", "Žofie Nováková", "山田 太郎", "<b>Bo</b>", "../../etc", "=1+1"])
    def test_names_are_kept_as_they_are(self, data, name):
        assert accounts.add_person(data, name, PASSWORD, by="Root").name == name
        assert sign_in(data, name).person.name == name

    def test_a_person_and_a_key_never_sign_alike(self, data, ann):
        with pytest.raises(Conflict):
            create_key(data, "aNN", by="Root")
        create_key(data, "nightly", by="Root")
        with pytest.raises(Conflict):
            accounts.add_person(data, "Nightly", PASSWORD, by="Root")

    @pytest.mark.parametrize(
        ("name", "look_alike"),
        [
            ("Ann", "Аnn"),  # Cyrillic А
            ("Ann", "ΑΝΝ"),  # Greek
            ("Olga", "Оlgа"),
            ("Bill", "BiII"),
            ("Bob 1", "Bob l"),
            ("Bo", "B0"),
            ("Сергей", "Cepгeй"),
        ],
    )
    def test_nobody_takes_a_name_that_looks_like_anothers(self, data, name, look_alike):
        accounts.add_person(data, name, PASSWORD, by="Root")
        with pytest.raises(Conflict, match=f"There is somebody called '{name}' already, which looks the same"):
            accounts.add_person(data, look_alike, PASSWORD, by="Root")
        _, secret = accounts.invite(data, "default", role="viewer", access=ADMIN)
        with pytest.raises(Conflict):
            accounts.accept_as_new(data, secret, look_alike, PASSWORD)
        for key in (look_alike, f"{name}\u200b", f"\u202e{name}"):
            with pytest.raises(Conflict):
                create_key(data, key, by="Root")

    def test_names_that_differ_to_the_eye_are_all_taken(self, data):
        names = ("Anna", "Анна", "Jürgen", "Jurgen", "Иван", "Ivan", "Νίκος", "Nikos", "山田", "person 1", "person 2")
        for name in names:
            accounts.add_person(data, name, PASSWORD, by="Root")
        assert len(accounts.list_people(data)) == len(names)

    def test_folding_is_stable(self):
        for name in ("ẞtraße", "ﬀ", "İstanbul", "Σίσυφος"):
            assert folded_name(folded_name(name)) == folded_name(name)


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

    def test_unknown_names_take_as_long_as_known_ones(self, data, ann):
        """Medians of interleaved tries; a look-up alone would be a hundred times as quick as a hash."""
        seconds: dict[str, list[float]] = {"Ann": [], "Who": []}
        for number in range(9):
            for name, found in seconds.items():
                begun = time.perf_counter()
                with pytest.raises(InvalidInput):
                    sign_in(data, name, "wrong", address=f"192.0.2.{number}")
                found.append(time.perf_counter() - begun)
        known, unknown = (statistics.median(found) for found in seconds.values())
        assert 0.5 < known / unknown < 2

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


class TestInvitations:
    def invite(self, data, **more):
        return accounts.invite(data, "default", access=ADMIN, **({"role": "reviewer"} | more))

    def test_it_gives_its_role_and_is_used_up(self, data):
        _, secret = self.invite(data)
        assert accounts.look_at_link(data, secret).grant.role == "reviewer"
        joined = accounts.accept_as_new(data, secret, "Bo", PASSWORD)
        assert joined.access.role_in("default") == "reviewer"
        assert joined.access.role_in("other") is None
        with pytest.raises(accounts.LinkEnded):
            accounts.accept_as_new(data, secret, "Cy", PASSWORD)
        assert data.people.find("Cy") is None
        assert accounts.list_invitations(data, "default")[0].uses_left == 0

    def test_a_fault_does_not_use_it_up(self, data):
        _, secret = self.invite(data)
        accounts.add_person(data, "Bo", None, by="Root")
        for name, password in (("Bo", PASSWORD), ("Cy", "short"), ("", PASSWORD)):
            with pytest.raises((Conflict, InvalidInput)):
                accounts.accept_as_new(data, secret, name, password)
        assert accounts.accept_as_new(data, secret, "Cy", PASSWORD).name == "Cy"

    def test_at_once_no_more_come_in_than_it_is_for(self, data):
        _, secret = self.invite(data, uses=3)

        def come(number: int) -> bool:
            try:
                accounts.accept_as_new(data, secret, f"Guest {number}", PASSWORD)
            except accounts.LinkEnded:
                return False
            return True

        with ThreadPoolExecutor(8) as pool:
            assert sum(pool.map(come, range(8))) == 3
        assert len(accounts.list_people(data)) == 3

    def test_it_ends_when_revoked_and_by_its_date(self, data, monkeypatch):
        link, revoked = self.invite(data)
        accounts.revoke_invitation(data, link.id, "default", by="Root")
        _, late = self.invite(data, days=1)
        begun = time.time()
        monkeypatch.setattr("reviewapp.accounts.links.time.time", lambda: begun + 86_401)
        said = set()
        for secret in (revoked, late, "never was one", ""):
            with pytest.raises(accounts.LinkEnded) as ended:
                accounts.look_at_link(data, secret)
            said.add(ended.value.message)
        assert len(said) == 1

    def test_it_ends_when_whoever_made_it_could_not_make_it_today(self, data, ann):
        accounts.add_person(data, "Root", PASSWORD, by="setup")
        for role, workspace in (("admin", "*"), ("admin", "default")):
            accounts.set_role(data, "Ann", role, workspace=workspace, by="Root")
        accounts.set_role(data, "Root", "admin", by="setup")
        access = accounts.get_person(data, "Ann").access
        secrets = {
            role: accounts.invite(data, "default", access=access, role=role, uses=9)[1] for role in ("viewer", "admin")
        }
        accounts.set_role(data, "Ann", None, by="Root")
        accounts.set_role(data, "Ann", "reviewer", workspace="default", by="Root")
        assert accounts.look_at_link(data, secrets["viewer"])
        with pytest.raises(accounts.LinkEnded):
            accounts.accept_as_new(data, secrets["admin"], "Bo", PASSWORD)
        accounts.disable(data, "Ann", by="Root")
        with pytest.raises(accounts.LinkEnded):
            accounts.accept_as_new(data, secrets["viewer"], "Bo", PASSWORD)
        assert all(link.revoked for link in accounts.list_invitations(data, "default"))
        accounts.enable(data, "Ann", by="Root")
        with pytest.raises(accounts.LinkEnded):
            accounts.look_at_link(data, secrets["viewer"])

    def test_keys_of_somebody_who_left_are_told(self, data, ann):
        create_key(data, "nightly", by="Ann")
        create_key(data, "other", by="Root")
        assert accounts.keys_left_by(data, "Ann") == ["nightly"]

    def test_of_another_workspace_it_cannot_be_revoked(self, data):
        link, _ = self.invite(data)
        with pytest.raises(NotFound):
            accounts.revoke_invitation(data, link.id, "other", by="Root")

    @pytest.mark.parametrize(
        ("more", "field"),
        [
            ({"role": "boss"}, "role"),
            ({"role": "author", "test": "wtest_1"}, "role"),
            ({"uses": 0}, "uses"),
            ({"uses": 1_001}, "uses"),
            ({"days": 0}, "days"),
            ({"days": 366}, "days"),
        ],
    )
    def test_what_does_not_fit(self, data, more, field):
        with pytest.raises(InvalidInput) as refused:
            self.invite(data, **more)
        assert refused.value.param == field

    def test_nobody_gives_more_than_they_have(self, data):
        author = Access(name="Ann", grants=(Grant(workspace="default", role="author"),))
        with pytest.raises(InvalidInput, match="yours is author"):
            accounts.invite(data, "default", role="admin", access=author)
        with pytest.raises(InvalidInput, match="yours is none"):
            accounts.invite(data, "other", role="viewer", access=author)

    def test_somebody_who_is_here_gets_the_role_and_keeps_a_higher_one(self, data, ann):
        _, secret = self.invite(data, role="viewer", uses=2)
        assert accounts.accept_as(data, secret, ann).access.role_in("default") == "viewer"
        high = accounts.set_role(data, "Ann", "author", workspace="default", by="Root")
        assert accounts.accept_as(data, secret, high).access.role_in("default") == "author"

    def test_a_password_link_sets_one_password_once(self, data, ann):
        session = sign_in(data).session
        secret = accounts.make_password_link(data, "Ann", by="Root")
        assert accounts.who_is_signed_in(data, session) is None
        with pytest.raises(InvalidInput):
            sign_in(data)
        newer = accounts.make_password_link(data, "Ann", by="Root")
        with pytest.raises(accounts.LinkEnded):
            accounts.set_password_by(data, secret, "four other words here")
        with pytest.raises(InvalidInput):
            accounts.set_password_by(data, newer, "short")
        accounts.set_password_by(data, newer, "four other words here")
        assert sign_in(data, password="four other words here").person.name == "Ann"
        with pytest.raises(accounts.LinkEnded):
            accounts.set_password_by(data, newer, "four other words again")

    def test_an_invitation_sets_no_password_and_a_password_link_invites_nobody(self, data, ann):
        _, invitation = self.invite(data)
        with pytest.raises(accounts.LinkEnded):
            accounts.set_password_by(data, invitation, "four other words here")
        link = accounts.make_password_link(data, "Ann", by="Root")
        with pytest.raises(accounts.LinkEnded):
            accounts.accept_as_new(data, link, "Bo", PASSWORD)


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
